//! What `solve` found, as one JSON object.

use std::io::Write;

use anyhow::Result;
use arcloom::timing::peak_memory;
use arcloom::{Grid, Ingredient, JSON_SCHEMA, SolveTask, StandingCounts, Verdict};
use serde_json::{Value as Json, json};

use super::Solved;
use super::used::Used;

/// Writes the object.
pub(super) fn write(solved: &Solved, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(&object(solved))?)?;
    Ok(())
}

fn object(solved: &Solved) -> Json {
    let Solved { library, report, verdicts, budget, .. } = solved;
    let counts = StandingCounts::of(verdicts.iter().copied());
    let work: u64 = report.tasks.iter().map(|t| t.work).sum();
    let chains: usize = report.tasks.iter().map(|t| t.chains).sum();
    let seconds = solved.cpu.as_secs_f64();
    let times = solved.times.json();
    json!({
        "schema": JSON_SCHEMA,
        "task_count": report.tasks.len(),
        "program_count": library.programs.len(),
        "fits_count": counts.fits,
        "right_count": counts.right,
        "unknown_count": counts.unknown,
        "unfinished_count": report.unfinished,
        "unstored": report.unstored,
        "brief_count": report.brief,
        "budget": budget,
        "unprintable_count": report.unprintable(),
        "work": work,
        "chains": chains,
        "most_bytes_of_a_task": report.tasks.iter().map(|t| t.bytes).max(),
        "timing": {
            "wall": solved.wall.as_secs_f64(),
            "cpu": seconds,
            "cpu_per_task": seconds / report.tasks.len().max(1) as f64,
            "peak_memory": peak_memory(),
            "cache": {
                "hits": report.known.hits,
                "misses": report.known.misses,
                "seconds_saved": report.known.saved.as_secs_f64(),
                "seconds_spent": report.known.spent.as_secs_f64(),
            },
            "other_seconds": times["other_seconds"],
            "stages": times["stages"],
            "per_task": Used::of(report).map(|used| used.json()),
        },
        "tasks": report.tasks.iter().zip(verdicts).map(task_json).collect::<Vec<_>>(),
    })
}

fn task_json((task, verdict): (&SolveTask, &Verdict)) -> Json {
    let attempts = task.attempts();
    let attempts = attempts.tests().iter().map(|test| test.iter().map(rows).collect::<Vec<_>>());
    let proposals = task.proposals.iter().map(|p| {
        json!({
            "fits": p.fits,
            "doubt": p.doubt,
            "origin": Ingredient::names(&p.sources),
            "program": p.program,
            "outputs": p.outputs.iter().map(rows).collect::<Vec<_>>(),
        })
    });
    json!({
        "task": task.id,
        "fits": verdict.fits,
        "demos": verdict.demos,
        "tests": verdict.tests.name(),
        "attempts": attempts.collect::<Vec<_>>(),
        "chains": task.chains,
        "work": task.work,
        "bytes": task.bytes,
        "cpu": task.cpu.map(|time| time.as_secs_f64()),
        "proposals": proposals.collect::<Vec<_>>(),
    })
}

fn rows(grid: &Grid) -> Vec<Vec<i8>> {
    grid.rows().map(<[i8]>::to_vec).collect()
}
