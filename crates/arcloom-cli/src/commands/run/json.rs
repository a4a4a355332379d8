//! The result of a run as one JSON object. Everything outside `timing` repeats from run to run.

use std::io::Write;

use anyhow::Result;
use arcloom::run::KeptStats;
use arcloom::{Candidate, Form, JSON_SCHEMA, TaskReport, similarity, text};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Ran;
use crate::device;

#[derive(Serialize)]
struct Row<'a> {
    task: &'a str,
    fits: usize,
    demos: usize,
    tests: &'static str,
    test_count: usize,
    right_test_count: usize,
    /// Right, and not by a program that was written for this task.
    elsewhere: bool,
    candidates: usize,
    groups: usize,
    failed_programs: usize,
    over_budget_programs: usize,
    best: Vec<Best<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differ_faults: Vec<Json>,
}

#[derive(Serialize)]
struct Best<'a> {
    fits: usize,
    /// `null` where it does not fit and no differ was asked.
    similarity: Option<f64>,
    size: usize,
    /// How many nodes of the batt behave like this.
    members: usize,
    /// Programs that behave like this.
    programs: Vec<&'a str>,
    /// Programs that compute this on the way, where none behaves like it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    within: Vec<&'a str>,
    scores: serde_json::Map<String, Json>,
    code: String,
}

/// What does not depend on the clock, as the fields of an object.
pub(super) fn results(ran: &Ran) -> Result<Vec<u8>> {
    let report = &ran.report;
    let counts = &report.counts;
    let alone: usize = ran.batt.roots().iter().map(|root| root.size).sum();
    let object = json!({
        "arcloom": env!("CARGO_PKG_VERSION"),
        "schema": JSON_SCHEMA,
        "task_set": ran.tasks.name,
        "task_count": ran.tasks.tasks.len(),
        "program_count": ran.library.programs.len(),
        "backend": report.backend,
        "fits_count": report.fits(),
        "right_count": report.right(),
        "right_elsewhere_count": report.tasks.iter().filter(|task| task.elsewhere).count(),
        "unfinished_count": report.unfinished,
        "batt": {
            "nodes": ran.batt.nodes().len(),
            "calls_alone": alone,
            "calls_woven": counts.nodes.checked_div(counts.inputs).unwrap_or(0),
        },
        "counts": {
            "inputs": counts.inputs,
            "results": counts.inputs * ran.library.programs.len() as u64,
            "nodes": counts.nodes,
            "calls": counts.calls,
            "saved_by_node": (alone as u64 * counts.inputs).saturating_sub(counts.nodes),
            "saved_by_value": counts.remembered,
            "failed": counts.failed,
            "failed_by_argument": counts.inherited,
            "over_budget": counts.over_budget,
            "work": counts.work,
        },
        "differs": ran.differs,
        "results": report.tasks.iter().map(|task| row(ran, task)).collect::<Vec<_>>(),
        "errors": ran.library.errors,
        "warnings": ran.library.warnings,
    });
    Ok(serde_json::to_vec_pretty(&object)?)
}

/// Writes the object, with the times as its last field.
pub(super) fn write(ran: &Ran, results: &[u8], out: &mut dyn Write) -> Result<()> {
    let timing = serde_json::to_string_pretty(&timing(ran))?.replace('\n', "\n  ");
    let open = results.strip_suffix(b"\n}").unwrap_or(results);
    out.write_all(open)?;
    writeln!(out, ",\n  \"timing\": {timing}\n}}")?;
    Ok(())
}

fn row<'a>(ran: &'a Ran, task: &'a TaskReport) -> Row<'a> {
    let run = &task.run;
    Row {
        task: &task.id,
        fits: task.verdict.fits,
        demos: task.verdict.demos,
        tests: task.verdict.tests.name(),
        test_count: run.attempts.tests().len(),
        right_test_count: task.right,
        elsewhere: task.elsewhere,
        candidates: run.candidates,
        groups: run.groups,
        failed_programs: run.failed_programs,
        over_budget_programs: run.stopped_programs,
        best: run.best.iter().map(|best| candidate(ran, best)).collect(),
        differ_faults: run
            .differ_faults
            .iter()
            .map(
                |fault| json!({"differ": fault.name, "times": fault.times, "reason": fault.reason}),
            )
            .collect(),
    }
}

/// What went into the archive.
fn kept(kept: &KeptStats) -> Json {
    json!({
        "programs": kept.programs,
        "results": kept.results,
        "hits": kept.hits,
        "misses": kept.misses,
        "seconds_saved": kept.saved.as_secs_f64(),
        "seconds_spent": kept.validated.as_secs_f64(),
        "seconds_looking": kept.looked.as_secs_f64(),
        "seconds_storing": kept.stored.as_secs_f64(),
    })
}

fn candidate<'a>(ran: &'a Ran, best: &'a Candidate) -> Best<'a> {
    let names =
        |roots: &[usize]| roots.iter().map(|&n| ran.batt.roots()[n].name.as_str()).collect();
    Best {
        fits: best.solved,
        similarity: best.similarity.map(similarity),
        size: best.size,
        members: best.members,
        programs: names(&best.roots),
        within: names(&best.within),
        scores: best.scores.iter().map(|s| (s.differ.clone(), s.score.into())).collect(),
        code: text::print(&best.program, Form::Inline),
    }
}

fn timing(ran: &Ran) -> Json {
    let report = &ran.report;
    let primitives = report.profile.as_ref().map(|profile| {
        let row = |row: arcloom::ProfileRow| {
            let seconds = row.time.as_secs_f64();
            let ns = seconds * 1e9 / row.calls as f64;
            json!({"name": row.name, "calls": row.calls, "seconds": seconds, "ns_per_call": ns})
        };
        profile.table().into_iter().map(row).collect::<Vec<_>>()
    });
    let mut times = ran.times.json();
    let more = json!({
        "threads": ran.threads,
        "primitives": primitives,
        "cache": {
            "columns": {
                "hits": report.cache.hits,
                "misses": report.cache.misses,
                "seconds_saved": report.cache.saved.as_secs_f64(),
                "seconds_spent": report.cache.spent.as_secs_f64(),
                "bytes": report.cache.bytes,
            },
            "validations": ran.kept.as_ref().map(kept),
            "calls": { "hits": report.counts.remembered, "misses": report.counts.calls },
        },
        "device": report.device.as_ref().map(device::json),
    });
    if let (Json::Object(times), Json::Object(more)) = (&mut times, more) {
        times.extend(more);
    }
    times
}
