//! `arcloom archive stats`

use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Archive, task_sets};
use arcloom::{Engine, JSON_SCHEMA, StandingCounts, TaskStanding, similarity};
use serde_json::{Map, json};

use crate::paint::{Tone, count, grouped, size, visible};
use crate::session::Session;
use crate::table::Table;

use super::short;

pub(super) fn run(
    archive: &Archive,
    tasks: bool,
    json: bool,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let (counts, runs) = (archive.counts()?, archive.runs()?);
    let sets = task_sets(archive, &session.catalog)?;
    let found = Engine::builder().threads(1).build()?.standings(archive, &sets)?;
    let standings = StandingCounts::of(found.iter().map(TaskStanding::verdict));
    let rows = |name: &str| {
        counts.rows.iter().find(|(table, _)| *table == name).map_or(0, |(_, count)| *count as usize)
    };
    if json {
        let tables: Map<_, _> =
            counts.rows.iter().map(|(table, count)| ((*table).to_owned(), json!(count))).collect();
        let runs: Vec<_> = runs
            .iter()
            .map(|run| {
                json!({
                    "run": run.number.0, "seed": run.seed, "generations": run.generations,
                    "state": run.state.name(), "version": run.version, "started": run.started,
                    "config": run.config,
                })
            })
            .collect();
        let pruned: Map<_, _> =
            counts.pruned.iter().map(|(reason, count)| (reason.clone(), json!(count))).collect();
        let object = json!({
            "archive": archive.path().to_string_lossy(), "bytes": archive.bytes(), "rows": tables,
            "evolved": counts.evolved, "searched": counts.searched, "schema": JSON_SCHEMA, "task_count": standings.tasks,
            "fits_count": standings.fits, "right_count": standings.right,
            "unknown_count": standings.unknown,
            "behaviours": counts.behaviours, "runs": runs, "pruned": pruned,
        });
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let plain = |text: String| (Tone::Plain, text);
    let mut table = Table::new(&["", ">", ""]);
    let mut line = |what: &str, number: usize, note: String| {
        table.row([plain(what.to_owned()), plain(grouped(number)), (Tone::Dim, note)]);
    };
    let (evolved, searched) = (counts.evolved as usize, counts.searched as usize);
    let files = rows("program").saturating_sub(evolved + searched);
    line(
        "programs",
        rows("program"),
        format!(
            "{} by evolution, {} by search, {} from files",
            grouped(evolved),
            grouped(searched),
            grouped(files)
        ),
    );
    line("results", rows("result"), format!("{} different", grouped(counts.behaviours as usize)));
    line("tasks", rows("task"), standings.to_string());
    line("scores", rows("score"), String::new());
    line("predictions", rows("prediction"), String::new());
    line("parents", rows("parent"), String::new());
    line("cached values", rows("cache"), String::new());
    for (reason, number) in &counts.pruned {
        line("pruned", *number as usize, reason.clone());
    }
    table.write(session.out, session.paint, session.columns)?;
    if !runs.is_empty() {
        let mut table =
            Table::new(&[">run", ">seed", ">generations", "state", "version", "configuration"]);
        for run in &runs {
            let cells = [
                run.number.0.to_string(),
                run.seed.to_string(),
                grouped(run.generations as usize),
                run.state.name().to_owned(),
                run.version.clone(),
                run.config.clone(),
            ];
            table.row(cells.map(plain));
        }
        writeln!(session.out)?;
        table.write(session.out, session.paint, session.columns)?;
    }
    if tasks {
        let mut table = Table::new(&["task", "tests", "fits", ">similarity", "origin", "program"]);
        for one in &found {
            let (standing, verdict) = (&one.standing, one.verdict());
            let tone = if verdict.is_right() { Tone::Good } else { Tone::Plain };
            let cells = [
                standing.name.clone(),
                verdict.tests.name().to_owned(),
                format!("{}/{}", verdict.fits, verdict.demos),
                format!("{:.3}", similarity(standing.similarity)),
                standing.origin.clone(),
                standing.program.map(short).unwrap_or_default(),
            ];
            table.row(cells.map(|text| (tone, text)));
        }
        writeln!(session.out)?;
        table.write(session.out, session.paint, session.columns)?;
    }
    let place = visible(&archive.path().to_string_lossy());
    let programs = count(rows("program"), "program");
    writeln!(session.out, "\n{place}: {programs}, {}", size(archive.bytes()))?;
    Ok(ExitCode::SUCCESS)
}
