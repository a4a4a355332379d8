//! `arcloom archive`: what is in an archive, and moving programs in and out.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Access, Archive, Filter, ProgramId, ResultRecord};
use arcloom::{Engine, similarity};

use crate::args::archive::{ArchiveArgs, ArchiveCommand, FilterArgs};
use crate::args::common::JobsArg;
use crate::session::Session;

mod curves;
mod export;
mod import;
mod lineage;
mod list;
mod stats;
mod upkeep;

pub(crate) fn run(args: &ArchiveArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let path = &args.archive;
    let read = || Archive::create_or_open(path, Access::Read);
    match &args.command {
        ArchiveCommand::Stats { tasks, json } => stats::run(&read()?, *tasks, json.json, session),
        ArchiveCommand::List { filter: _, unsolved: true, limit, json } => {
            list::unsolved(&read()?, *limit, json.json, session)
        }
        ArchiveCommand::List { filter, unsolved: false, limit, json } => {
            list::run(&read()?, filter, (*limit, json.json), session)
        }
        ArchiveCommand::Show { program, json } => list::show(&read()?, program, json.json, session),
        ArchiveCommand::Lineage { program, descendants, depth, figure } => {
            lineage::run(&read()?, program, *descendants, *depth, figure, session)
        }
        ArchiveCommand::Curves { runs, by_time, figure } => {
            curves::run(&read()?, runs, *by_time, figure, session)
        }
        ArchiveCommand::Export { format, filter, output } => {
            export::run(&read()?, *format, filter, output.as_deref(), session)
        }
        ArchiveCommand::Import { sources, tasks, jobs } => {
            import::run(path, sources, &tasks.tasks, &engine(*jobs, None)?, session)
        }
        ArchiveCommand::Merge { others } => upkeep::merge(path, others, session),
        ArchiveCommand::Prune { .. } => upkeep::prune(path, &args.command, session),
        ArchiveCommand::Verify { tasks, jobs, call_budget } => {
            let engine = engine(*jobs, call_budget.call_budget)?;
            upkeep::verify(&read()?, &tasks.tasks, &engine, session)
        }
        ArchiveCommand::Diff { first, second } => upkeep::diff(first, second, session),
    }
}

/// Opens an archive for writing.
fn write(path: &Path) -> Result<Archive> {
    Ok(Archive::create_or_open(path, Access::Write)?)
}

fn engine(jobs: JobsArg, budget: Option<u64>) -> Result<Engine> {
    let mut builder = Engine::builder().threads(jobs.threads());
    if let Some(units) = budget {
        builder = builder.call_budget(units);
    }
    Ok(builder.build()?)
}

fn filter(args: &FilterArgs) -> Filter {
    Filter { task: args.task.clone(), solved: args.solved, best: args.best }
}

/// As much of an id as people need to name it.
fn short(id: ProgramId) -> String {
    let mut text = id.to_string();
    text.truncate(12);
    text
}

/// Demos that fit, for people: `2/3`.
fn fits(result: &ResultRecord) -> String {
    format!("{}/{}", result.solved(), result.demos())
}

/// A similarity, for people: `0.987`.
fn shown_similarity(result: &ResultRecord) -> String {
    format!("{:.3}", similarity(result.similarity))
}
