//! `arcloom evolve`: programs bred from a library until tasks are solved.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use arcloom::archive::{Access, Archive, Storage, StoreError};
use arcloom::corpus::{MorePairs, Submission};
use arcloom::evolve::{EvolveReport, EvolveRequest, OperatorCount};
use arcloom::{
    Attempts, Choice, Engine, Form, JSON_SCHEMA, Library, Standing, StandingCounts, Stop, TaskSet,
    text,
};
use serde_json::json;

use crate::args::evolve::{Budget, EvolveArgs};
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::submission::Pending;
use crate::table::Table;
use crate::{NOT_RIGHT, NOT_RUN, file, interrupt, locate};

mod progress;

pub(crate) fn run(args: &EvolveArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let deadline = match args.budget {
        Budget::Time(time) => Some(Instant::now() + time),
        Budget::Generations(_) => None,
    };
    let stop = Arc::new(Stop::at(deadline));
    let (tasks, more_pairs) = tasks(args, session)?;
    let library = programs(args, session, &tasks)?;
    if library.programs.is_empty() {
        if library.errors.is_empty() {
            bail!("no program is left to start from; name another library with --programs");
        }
        return Ok(ExitCode::from(NOT_RUN));
    }
    let engine = Engine::builder()
        .threads(args.jobs.map_or(0, usize::from))
        .call_budget(args.call_budget)
        .build()?;
    locate::warn_of_malformed(session, &tasks);
    let config = args.config(more_pairs);
    let mut archive = Archive::create_or_open(&args.archive, Access::Write)?;
    let pending = args.submission.as_ref().map(|path| Pending::new(path, &tasks)).transpose()?;
    interrupt::sets(&stop);
    // A submission on standard output is alone there.
    let prints = !args.submission.as_deref().is_some_and(file::is_stdout);
    if !args.quiet && !args.json && prints {
        let line = format!(
            "{} on {} of {}, archive {}",
            count(library.programs.len(), "program"),
            count(tasks.tasks.len(), "task"),
            visible(&tasks.name),
            visible(&args.archive.to_string_lossy())
        );
        writeln!(session.out, "{}", session.paint.dim(&line))?;
    }
    let mut written = Ok(());
    let mut shown = progress::Shown::default();
    let voice = session.voice();
    let unstored = |error: &StoreError| voice.warn(&super::unstored(error));
    // Without a submission the archive is all that comes of a run.
    let goes_on = args.submission.is_some();
    let unstored: Option<&(dyn Fn(&StoreError) + Sync)> =
        if goes_on { Some(&unstored) } else { None };
    let report = engine.evolve(
        &EvolveRequest::new(&library.programs, &tasks, &config),
        Storage { archive: &mut archive, unstored },
        &stop,
        &mut |progress| {
            if written.is_ok() && !args.quiet && prints {
                written = match args.json {
                    true => progress::json_line(progress, session),
                    false => shown.line(progress, session),
                };
            }
        },
    )?;
    // Gives back what its journal takes of a disk that may be full.
    drop(archive);
    if let Some(pending) = pending {
        let attempts = report.standings.iter().map(|s| (s.name.as_str(), &s.attempts));
        let attempts: BTreeMap<&str, &Attempts> = attempts.collect();
        let of = |id: &str| attempts.get(id).map_or_else(Vec::new, |a| a.tests().to_vec());
        let submission = Submission::new(&tasks, of);
        pending.write(&submission, session)?;
    }
    written?;
    let timed_out = matches!(args.budget, Budget::Time(_)) && deadline_passed(deadline);
    if args.json {
        writeln!(session.out, "{}", summary_json(&report, &tasks))?;
    } else if prints {
        summary(&report, &tasks, args, session)?;
    }
    let all_stored = !report.unstored && tasks.malformed.is_empty();
    let whole = (!report.stopped || timed_out) && library.errors.is_empty() && all_stored;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn deadline_passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// The tasks, and what is known of them that only solvers are tried on.
fn tasks(args: &EvolveArgs, session: &Session<'_>) -> Result<(TaskSet, MorePairs)> {
    let mut set = match args.submission {
        Some(_) => locate::readable_task_set(&session.catalog, &args.tasks)?,
        None => locate::task_set(&session.catalog, &args.tasks)?,
    };
    let limits = session.catalog.limits();
    let given = args.more_pairs.as_ref().map(|path| MorePairs::load(path, &set, limits));
    let given = given.transpose()?.unwrap_or_default();
    let choice = Choice { ids: args.ids.clone(), count: args.count, seed: args.seed };
    locate::choose(&mut set, choice)?;
    let mut more = MorePairs::embedded(&set, limits)?;
    more.extend(given);
    Ok((set, more))
}

fn programs(args: &EvolveArgs, session: &Session<'_>, tasks: &TaskSet) -> Result<Library> {
    let mut library = locate::programs(session, &args.programs, false)?;
    if args.withhold {
        library.programs.retain(|entry| tasks.get(&entry.task).is_none());
    }
    Ok(library)
}

/// How far the tasks are by what is handed in.
fn counts(report: &EvolveReport, tasks: &TaskSet) -> StandingCounts {
    let verdict = |standing: &Standing| Some(standing.verdict(tasks.get(&standing.name)?));
    StandingCounts::of(report.standings.iter().filter_map(verdict))
}

fn summary_json(report: &EvolveReport, tasks: &TaskSet) -> serde_json::Value {
    let counts = counts(report, tasks);
    let found: Vec<_> = report
        .found
        .iter()
        .map(|found| {
            json!({"task": found.task, "generation": found.generation,
                   "size": found.program.size(),
                   "code": text::print(&found.program, Form::Inline)})
        })
        .collect();
    json!({
        "generations": report.generations,
        "resumed_at": report.resumed_at,
        "evaluations": report.evaluations,
        "schema": JSON_SCHEMA,
        "task_count": tasks.tasks.len(),
        "fits_at_start_count": report.solved.0,
        "fits_count": counts.fits,
        "right_count": counts.right,
        "unknown_count": counts.unknown,
        "validated_count": report.solved.1,
        "stopped": report.stopped,
        "unstored": report.unstored,
        "found": found,
    })
}

fn summary(
    report: &EvolveReport,
    tasks: &TaskSet,
    args: &EvolveArgs,
    session: &mut Session<'_>,
) -> Result<()> {
    if !report.found.is_empty() && !args.quiet {
        writeln!(session.out)?;
        let mut table = Table::new(&["found", ">generation", ">calls", "program"]);
        for found in &report.found {
            table.row([
                (Tone::Good, found.task.clone()),
                (Tone::Plain, found.generation.to_string()),
                (Tone::Plain, found.program.size().to_string()),
                (Tone::Dim, text::one_line(&found.program)),
            ]);
        }
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    if !args.quiet {
        operators(report, session)?;
    }
    let head = format!("{}: {}", count(tasks.tasks.len(), "task"), counts(report, tasks));
    writeln!(session.out, "{}", session.paint.bold(&head))?;
    writeln!(
        session.out,
        "{} with a validated program, {} of them from the start",
        report.solved.1, report.solved.0
    )?;
    let resumed = match report.resumed_at {
        0 => String::new(),
        n => format!(", {n} of them from before"),
    };
    writeln!(
        session.out,
        "{}{resumed}, {}",
        count(report.generations as usize, "generation"),
        count(report.evaluations as usize, "evaluation")
    )?;
    Ok(())
}

fn operators(report: &EvolveReport, session: &mut Session<'_>) -> Result<()> {
    let Some(last) = &report.last else { return Ok(()) };
    if last.operators.iter().all(|row| row.count.applied == 0) {
        return Ok(());
    }
    let head = ["operator", ">applied", ">valid", ">new", ">improving", ">yield"];
    let mut table = Table::new(&head);
    for row in &last.operators {
        let OperatorCount { applied, valid, new, improving } = row.count;
        let numbers = [applied, valid, new, improving];
        let cells = numbers.map(|n| grouped(n as usize));
        let share = format!("{:.2} %", 100.0 * progress::share(row));
        let cells = cells.into_iter().chain(std::iter::once(share));
        let name = std::iter::once(row.name.to_owned());
        table.row(name.chain(cells).map(|cell| (Tone::Plain, cell)));
    }
    table.write(session.out, session.paint, session.columns)?;
    writeln!(session.out)?;
    Ok(())
}
