//! `arcloom solve`: tasks nobody wrote a program for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use arcloom::archive::{Access, Archive, Storage, StoreError};
use arcloom::corpus::Submission;
use arcloom::timing::{cpu_time, peak_memory};
use arcloom::{
    Choice, Engine, Grid, Ingredient, JSON_SCHEMA, Library, SolveOptions, SolveReport, SolveTask,
    StandingCounts, Stop, TaskSet, Verdict,
};
use serde_json::{Value as Json, json};

use crate::args::solve::SolveArgs;
use crate::paint::count;
use crate::session::Session;
use crate::submission::Pending;
use crate::{NOT_RIGHT, file, interrupt, locate};

pub(crate) fn run(args: &SolveArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let (start, cpu) = (Instant::now(), cpu_time());
    let stop = Arc::new(Stop::at(args.time_limit.map(|limit| start + limit)));
    let library = match args.programs.is_empty() {
        true => Library::default(),
        false => locate::programs(session, &args.programs, args.verbose)?,
    };
    let tasks = tasks(args, session)?;
    let engine = Engine::builder().threads(args.jobs.map_or(0, usize::from)).build()?;
    locate::warn_of_malformed(session, &tasks);
    let open = |path: &PathBuf| Archive::create_or_open(path, Access::Write);
    let mut archive = args.archive.as_ref().map(open).transpose()?;
    let budget = budget(args, tasks.tasks.len(), engine.threads());
    let mut options = options(args, budget);
    if args.time_limit.is_some() {
        options = options.with_first_look();
    }
    let pending = args.submission.as_ref().map(|path| Pending::new(path, &tasks)).transpose()?;
    interrupt::sets(&stop);
    let progress = session.progress("solving", tasks.tasks.len(), args.quiet || args.json);
    let at = |done| progress.at(done);
    let voice = session.voice();
    let unstored = |error: &StoreError| progress.aside(|| voice.warn(&super::unstored(error)));
    let storage = archive.as_mut().map(|archive| Storage { archive, unstored: Some(&unstored) });
    let report = engine.solve(&library, &tasks, &options, storage, &stop, &at)?;
    drop(progress);
    // Gives back what its journal takes of a disk that may be full.
    drop(archive);
    let spent = cpu_time().zip(cpu).map(|(now, then)| now.saturating_sub(then));
    let time = Time { wall: start.elapsed(), cpu: spent.unwrap_or_default() };

    if let Some(pending) = pending {
        let answers =
            report.tasks.iter().map(|task| (task.id.as_str(), task.attempts().into_tests()));
        let mut answers: BTreeMap<&str, Vec<Vec<Grid>>> = answers.collect();
        let submission = Submission::new(&tasks, |id| answers.remove(id).unwrap_or_default());
        pending.write(&submission, session)?;
    }
    if args.json {
        let text =
            serde_json::to_string_pretty(&as_json(&library, &tasks, &report, budget, &time))?;
        writeln!(session.out, "{text}")?;
    } else {
        if !args.submission.as_deref().is_some_and(file::is_stdout) {
            print(args, &library, &tasks, &report, budget, &time, session)?;
        }
        warn(args, &report, session);
    }
    let all_stored = !report.unstored && tasks.malformed.is_empty();
    let whole = report.unfinished + report.brief == 0 && library.errors.is_empty() && all_stored;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

struct Time {
    wall: Duration,
    cpu: Duration,
}

/// Seconds per task: those that were asked for, or that the time limit allows.
fn budget(args: &SolveArgs, tasks: usize, threads: usize) -> f64 {
    match (args.budget, args.time_limit) {
        (Some(budget), _) => budget.as_secs_f64(),
        (None, Some(limit)) => SolveOptions::budget_within(limit, tasks, threads),
        (None, None) => SolveOptions::default().budget,
    }
}

fn options(args: &SolveArgs, budget: f64) -> SolveOptions {
    SolveOptions {
        budget,
        without: args.without.iter().copied().collect(),
        evolve: args.evolve.map(|time| time.as_secs_f64()),
        folds: args.folds,
        ..SolveOptions::default()
    }
}

fn tasks(args: &SolveArgs, session: &Session<'_>) -> Result<TaskSet> {
    let mut set = match args.submission {
        Some(_) => locate::readable_task_set(&session.catalog, &args.tasks)?,
        None => locate::task_set(&session.catalog, &args.tasks)?,
    };
    let choice = Choice { ids: args.ids.clone(), count: args.count, seed: args.seed };
    locate::choose(&mut set, choice)?;
    Ok(set)
}

fn print(
    args: &SolveArgs,
    library: &Library,
    tasks: &TaskSet,
    report: &SolveReport,
    budget: f64,
    time: &Time,
    session: &mut Session<'_>,
) -> Result<()> {
    let verdicts = report.verdicts(tasks);
    let listed = report.tasks.iter().zip(&verdicts);
    let listed =
        listed.filter(|(_, v)| !args.quiet && (args.verbose || v.is_fit() || v.is_right()));
    for (task, Verdict { fits, demos, tests }) in listed {
        let by = match task.proposals.first() {
            Some(best) => Ingredient::names(&best.sources),
            None => "nothing found".to_owned(),
        };
        writeln!(session.out, "{}  {tests:7}  fits {fits}/{demos}  {by}", task.id)?;
    }
    let n = report.tasks.len().max(1) as f64;
    writeln!(
        session.out,
        "{}, {} of a library: {}",
        count(report.tasks.len(), "task"),
        count(library.programs.len(), "program"),
        StandingCounts::of(verdicts.iter().copied()),
    )?;
    writeln!(
        session.out,
        "{:.2} s, {:.2} s of processor time, {:.3} s per task",
        time.wall.as_secs_f64(),
        time.cpu.as_secs_f64(),
        time.cpu.as_secs_f64() / n
    )?;
    if args.budget.is_none() && args.time_limit.is_some() {
        writeln!(session.out, "budget {budget:.2} s per task, as the time limit allows")?;
    }
    Ok(())
}

/// Says what is missing.
fn warn(args: &SolveArgs, report: &SolveReport, session: &Session<'_>) {
    if report.unprintable() > 0 {
        let dropped = count(report.unprintable(), "answer");
        session.warn(&format!("{dropped} dropped: the program does not give what the search gave"));
    }
    if report.unfinished + report.brief > 0 {
        let mut left = format!("{} not looked at", count(report.unfinished, "task"));
        if report.brief > 0 {
            left = format!("{} looked at briefly, {left}", count(report.brief, "task"));
        }
        let how = match args.archive {
            Some(_) => "the same command again goes on with them",
            None => "with `--archive FILE` the same command would go on with them",
        };
        session.warn(&format!("stopped early: {left}; {how}"));
    }
}

fn as_json(
    library: &Library,
    tasks: &TaskSet,
    report: &SolveReport,
    budget: f64,
    time: &Time,
) -> Json {
    let verdicts = report.verdicts(tasks);
    let counts = StandingCounts::of(verdicts.iter().copied());
    let work: u64 = report.tasks.iter().map(|t| t.work).sum();
    let chains: usize = report.tasks.iter().map(|t| t.chains).sum();
    let seconds = time.cpu.as_secs_f64();
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
            "wall": time.wall.as_secs_f64(),
            "cpu": seconds,
            "cpu_per_task": seconds / report.tasks.len().max(1) as f64,
            "peak_memory": peak_memory(),
        },
        "tasks": report.tasks.iter().zip(&verdicts).map(task_json).collect::<Vec<_>>(),
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
        "proposals": proposals.collect::<Vec<_>>(),
    })
}

fn rows(grid: &Grid) -> Vec<Vec<i8>> {
    grid.rows().map(<[i8]>::to_vec).collect()
}
