//! The result of a check as one JSON object.

use std::io::Write;

use anyhow::Result;
use arcloom::Verdict;
use serde::Serialize;

use super::Checked;

/// What `--json` prints. Timing is apart from everything that repeats from run to run.
#[derive(Serialize)]
struct Object<'a> {
    arcloom: &'static str,
    tasks: &'a str,
    all_tasks: bool,
    programs: usize,
    solved: usize,
    solved_elsewhere: usize,
    counts: RunCounts,
    results: Vec<Row<'a>>,
    errors: &'a [String],
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<ProfileRow>>,
    timing: Timing,
}

#[derive(Serialize)]
struct RunCounts {
    solved: usize,
    wrong: usize,
    failed: usize,
    over_budget: usize,
    no_task: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    task: &'a str,
    outcome: &'static str,
    /// From 1, demos before tests: what `trace --pair` takes.
    pair: Option<usize>,
    pair_name: Option<&'a str>,
    reason: Option<&'a str>,
    pairs: usize,
    right: usize,
    file: &'a str,
}

#[derive(Serialize)]
struct ProfileRow {
    name: &'static str,
    calls: u64,
    seconds: f64,
    ns_per_call: f64,
}

#[derive(Serialize)]
struct Timing {
    load_seconds: f64,
    wall_seconds: f64,
    cpu_seconds: Option<f64>,
    threads: usize,
}

/// Writes the object and a line break.
pub(super) fn write(checked: &Checked, out: &mut dyn Write) -> Result<()> {
    let report = &checked.report;
    let results = report.rows.iter().map(|row| {
        let entry = &checked.library.programs[row.program];
        Row {
            name: &entry.program.name,
            task: &row.task,
            outcome: row.verdict.name(),
            pair: row.pair.map(|n| n + 1),
            pair_name: row.pair_name.as_deref(),
            reason: row.reason.as_deref(),
            pairs: row.pairs,
            right: row.right,
            file: &entry.file,
        }
    });
    let profile = report.profile.as_ref().map(|profile| {
        let row = |row: arcloom::ProfileRow| ProfileRow {
            name: row.name,
            calls: row.calls,
            seconds: row.time.as_secs_f64(),
            ns_per_call: row.time.as_secs_f64() * 1e9 / row.calls as f64,
        };
        profile.table().into_iter().map(row).collect()
    });
    let object = Object {
        arcloom: env!("CARGO_PKG_VERSION"),
        tasks: &checked.tasks.name,
        all_tasks: checked.all_tasks,
        programs: checked.library.programs.len(),
        solved: checked.solved(),
        solved_elsewhere: checked.solved_elsewhere().count(),
        counts: RunCounts {
            solved: report.count(Verdict::Solved),
            wrong: report.count(Verdict::Wrong),
            failed: report.count(Verdict::Failed),
            over_budget: report.count(Verdict::OverBudget),
            no_task: report.count(Verdict::NoTask),
        },
        results: results.collect(),
        errors: &checked.library.errors,
        warnings: &checked.library.warnings,
        profile,
        timing: Timing {
            load_seconds: checked.loading.as_secs_f64(),
            wall_seconds: checked.running.wall.as_secs_f64(),
            cpu_seconds: checked.running.cpu.map(|time| time.as_secs_f64()),
            threads: checked.threads,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &object).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
