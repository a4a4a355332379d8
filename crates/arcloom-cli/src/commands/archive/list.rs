//! `arcloom archive list` and `show`

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Archive, ProgramRecord, ResultRecord, TaskId, task_sets};
use arcloom::{Engine, Form, JSON_SCHEMA, Standing, TaskStanding, TaskState, similarity, text};
use serde_json::{Value as Json, json};

use crate::args::archive::FilterArgs;
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::table::Table;

use super::{filter, fits, short, shown_similarity};

/// Names of all tasks.
fn names(archive: &Archive) -> Result<BTreeMap<TaskId, String>> {
    Ok(archive.tasks()?.into_iter().map(|task| (task.id, task.name)).collect())
}

pub(super) fn run(
    archive: &Archive,
    args: &FilterArgs,
    (limit, as_json): (usize, bool),
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let names = names(archive)?;
    let programs = archive.programs(&filter(args))?;
    if as_json {
        let mut list = Vec::new();
        for program in programs.iter().take(limit) {
            list.push(program_json(archive, program, &names)?);
        }
        let object =
            json!({"schema": JSON_SCHEMA, "program_count": programs.len(), "programs": list});
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table =
        Table::new(&["program", "name", ">calls", ">cost", "task", "fits", ">similarity", "from"]);
    for program in programs.iter().take(limit) {
        let mut results = archive.results(program.id)?;
        if let Some(task) = &args.task {
            results.retain(|result| names.get(&result.task) == Some(task));
        }
        let best = results.iter().max_by_key(|r| (r.is_solved(), r.solved(), r.similarity));
        let tone = if best.is_some_and(ResultRecord::is_solved) { Tone::Good } else { Tone::Plain };
        let task = |result: &ResultRecord| names.get(&result.task).cloned().unwrap_or_default();
        table.row([
            (Tone::Bold, short(program.id)),
            (Tone::Plain, program.name.clone()),
            (Tone::Plain, program.size.to_string()),
            (Tone::Plain, grouped(program.cost as usize)),
            (Tone::Plain, best.map(task).unwrap_or_default()),
            (tone, best.map(fits).unwrap_or_default()),
            (Tone::Plain, best.map(shown_similarity).unwrap_or_default()),
            (Tone::Dim, program.origin().to_string()),
        ]);
    }
    if !table.is_empty() {
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    let rest = programs.len().saturating_sub(limit);
    let more = if rest > 0 { format!(", {} not listed", grouped(rest)) } else { String::new() };
    writeln!(session.out, "{}{more}", count(programs.len(), "program"))?;
    Ok(ExitCode::SUCCESS)
}

/// Tasks that nothing fits, the nearest first, with the nearest program of each.
pub(super) fn unsolved(
    archive: &Archive,
    limit: usize,
    as_json: bool,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let sets = task_sets(archive, &session.catalog)?;
    let mut open = Engine::builder().threads(1).build()?.standings(archive, &sets)?;
    open.retain(|one| matches!(one.verdict().state(), TaskState::Open | TaskState::Untried));
    let missed = |s: &Standing| s.demos - s.fits.min(s.demos);
    open.sort_by_key(|one| {
        let standing = &one.standing;
        (missed(standing), Reverse(standing.similarity), standing.name.clone())
    });
    if as_json {
        let task = |one: &TaskStanding<'_>| {
            let standing = &one.standing;
            json!({"task": standing.name, "fits": standing.fits, "demos": standing.demos,
                   "similarity": similarity(standing.similarity), "origin": standing.origin,
                   "program": standing.program.map(|id| id.to_string())})
        };
        let tasks: Vec<Json> = open.iter().take(limit).map(task).collect();
        let object = json!({"schema": JSON_SCHEMA, "open_count": open.len(), "tasks": tasks});
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(&["task", "fits", ">similarity", "nearest", "origin"]);
    for one in open.iter().take(limit) {
        let standing = &one.standing;
        let cells = [
            standing.name.clone(),
            format!("{}/{}", standing.fits, standing.demos),
            format!("{:.3}", similarity(standing.similarity)),
            standing.program.map(short).unwrap_or_default(),
            standing.origin.clone(),
        ];
        table.row(cells.map(|text| (Tone::Plain, text)));
    }
    if !table.is_empty() {
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    let rest = open.len().saturating_sub(limit);
    let more = if rest > 0 { format!(", {} not listed", grouped(rest)) } else { String::new() };
    writeln!(session.out, "{}{more}", count(open.len(), "open task"))?;
    Ok(ExitCode::SUCCESS)
}

/// A program with its results.
fn program_json(
    archive: &Archive,
    program: &ProgramRecord,
    names: &BTreeMap<TaskId, String>,
) -> Result<Json> {
    let results = archive.results(program.id)?.into_iter().map(|result| {
        json!({"task": names.get(&result.task), "fits": result.solved(), "demos": result.demos(),
               "similarity": similarity(result.similarity), "work": result.work,
               "validated": result.validated})
    });
    Ok(json!({
        "program": program.id.to_string(),
        "name": program.name,
        "size": program.size,
        "cost": program.cost,
        "origin": program.origin().to_string(),
        "code": program.text,
        "parents": program.parents.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "results": results.collect::<Vec<_>>(),
    }))
}

pub(super) fn show(
    archive: &Archive,
    name: &str,
    as_json: bool,
    session: &mut Session<'_>,
) -> Result<ExitCode> {
    let record = archive.find_program(name)?;
    let names = names(archive)?;
    if as_json {
        let mut object = json!({"schema": JSON_SCHEMA});
        let program = program_json(archive, &record, &names)?;
        if let (Json::Object(object), Json::Object(program)) = (&mut object, program) {
            object.extend(program);
        }
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let program = record.program()?;
    writeln!(session.out, "{} {}", session.paint.bold(&visible(&record.name)), record.id)?;
    let calls = count(record.size as usize, "call");
    let (cost, from) = (grouped(record.cost as usize), visible(&record.origin().to_string()));
    writeln!(session.out, "{calls}, cost {cost}, from {from}")?;
    let mut plain = program.clone();
    plain.name = arcloom::archive::record::TEXT_NAME.to_owned();
    writeln!(session.out, "\n{}", text::print(&plain, Form::Straight).trim_end())?;

    let mut table =
        Table::new(&["task", "fits", "pairs", ">similarity", ">work", "behaviour", "validated"]);
    for result in archive.results(record.id)? {
        let tone = if result.is_solved() { Tone::Good } else { Tone::Plain };
        let held = match result.validated {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        };
        let mut behaviour = result.behaviour.to_string();
        behaviour.truncate(12);
        table.row([
            (Tone::Plain, names.get(&result.task).cloned().unwrap_or_default()),
            (tone, fits(&result)),
            (Tone::Plain, result.pairs.clone()),
            (Tone::Plain, shown_similarity(&result)),
            (Tone::Plain, grouped(result.work as usize)),
            (Tone::Plain, behaviour),
            (Tone::Plain, held.to_owned()),
        ]);
    }
    section(&table, session)?;
    let mut table = Table::new(&["task", "differ", ">score"]);
    for score in archive.scores(record.id)? {
        let task = names.get(&score.task).cloned().unwrap_or_default();
        table.row([task, score.differ, score.score.to_string()].map(|text| (Tone::Plain, text)));
    }
    section(&table, session)?;
    let mut table = Table::new(&["parent", "name", ">calls", "from"]);
    for parent in &record.parents {
        let Some(parent) = archive.program(*parent)? else { continue };
        let cells = [
            short(parent.id),
            parent.name.clone(),
            parent.size.to_string(),
            parent.origin().to_string(),
        ];
        table.row(cells.map(|text| (Tone::Plain, text)));
    }
    section(&table, session)?;
    Ok(ExitCode::SUCCESS)
}

/// A table with an empty line before it, if it has rows.
fn section(table: &Table, session: &mut Session<'_>) -> Result<()> {
    if !table.is_empty() {
        writeln!(session.out)?;
        table.write(session.out, session.paint, session.columns)?;
    }
    Ok(())
}
