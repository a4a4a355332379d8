//! The result of a check as one JSON object.

use std::io::Write;

use anyhow::Result;
use arcloom::{CheckState, JSON_SCHEMA};
use serde::Serialize;

use super::Checked;

/// What `--json` prints. Timing is apart from everything that repeats from run to run.
#[derive(Serialize)]
struct Object<'a> {
    arcloom: &'static str,
    schema: u32,
    task_set: &'a str,
    all_tasks: bool,
    program_count: usize,
    right_count: usize,
    right_elsewhere_count: usize,
    counts: RunCounts,
    results: Vec<Row<'a>>,
    errors: &'a [String],
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<ProfileRow>>,
    timing: Timing<'a>,
}

#[derive(Serialize)]
struct RunCounts {
    right: usize,
    wrong: usize,
    failed: usize,
    over_budget: usize,
    no_task: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    task: &'a str,
    state: &'static str,
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
struct Timing<'a> {
    load_seconds: f64,
    wall_seconds: f64,
    cpu_seconds: Option<f64>,
    threads: usize,
    /// The slowest rows, where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    programs: Vec<SlowRow<'a>>,
}

#[derive(Serialize)]
struct SlowRow<'a> {
    name: &'a str,
    task: &'a str,
    cpu_seconds: f64,
}

/// Writes the object and a line break.
pub(super) fn write(checked: &Checked, out: &mut dyn Write) -> Result<()> {
    let report = &checked.report;
    let results = report.rows.iter().map(|row| {
        let entry = &checked.library.programs[row.program];
        Row {
            name: &entry.program.name,
            task: &row.task,
            state: row.state.name(),
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
    let slow = checked.slow().into_iter().map(|(row, time)| SlowRow {
        name: &checked.library.programs[row.program].program.name,
        task: &row.task,
        cpu_seconds: time.as_secs_f64(),
    });
    let object = Object {
        arcloom: env!("CARGO_PKG_VERSION"),
        schema: JSON_SCHEMA,
        task_set: &checked.tasks.name,
        all_tasks: checked.all_tasks,
        program_count: checked.library.programs.len(),
        right_count: checked.right(),
        right_elsewhere_count: checked.right_elsewhere().count(),
        counts: RunCounts {
            right: report.count(CheckState::Right),
            wrong: report.count(CheckState::Wrong),
            failed: report.count(CheckState::Failed),
            over_budget: report.count(CheckState::OverBudget),
            no_task: report.count(CheckState::NoTask),
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
            programs: slow.collect(),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &object).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
