//! `arcloom solve`: tasks nobody wrote a program for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use arcloom::archive::{Access, Archive, Storage, StoreError};
use arcloom::corpus::Submission;
use arcloom::timing::{cpu_time, group, span};
use arcloom::{
    Engine, Form, Grid, Library, Program, Proposal, SolveOptions, SolveReport, Stop, TaskSet,
    Verdict, text as code,
};

use crate::args::solve::SolveArgs;
use crate::args::values::Budget;
use crate::locate::Reading;
use crate::paint::{count, visible};
use crate::session::Session;
use crate::submission::Pending;
use crate::timing::{Times, Watch};
use crate::{NOT_RIGHT, device, file, interrupt, locate};

use super::fmt::named_apart;

pub(super) mod draw;
mod json;
mod text;
mod used;

/// Everything there is to say about one run.
struct Solved {
    library: Library,
    tasks: TaskSet,
    report: SolveReport,
    /// Of the tasks of the report.
    verdicts: Vec<Verdict>,
    /// Seconds per task that were aimed at.
    budget: f64,
    wall: Duration,
    cpu: Duration,
    times: Times,
}

pub(crate) fn run(args: &SolveArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let watch = Watch::start(&args.timing, args.json.json);
    let load = span("load");
    let (start, cpu) = (Instant::now(), cpu_time());
    let limit = time_limit(args);
    let stop = Arc::new(Stop::at(limit.map(|limit| start + limit)));
    let library = match args.programs.is_empty() {
        true => Library::default(),
        false => locate::programs(session, &args.programs, args.detail.verbose)?,
    };
    let tasks = tasks(args, &library, session)?;
    let engine =
        Engine::builder().threads(args.jobs.threads()).device(args.device.device).build()?;
    locate::warn_of_malformed(session, &tasks);
    let open = |path: &PathBuf| Archive::create_or_open(path, Access::Write);
    let mut archive = args.archive.archive.as_ref().map(open).transpose()?;
    let most = args.shard.shard.map_or(tasks.tasks.len(), |one| one.largest(tasks.tasks.len()));
    let budget = budget(args, most, engine.threads());
    let mut options = options(args, budget);
    if limit.is_some() {
        options = options.with_first_look();
    }
    // The engine is given all tasks and takes the same share: a run is known by all of them.
    let whole = tasks;
    let tasks = args.shard.take(whole.clone());
    let submission = args.submission.submission.as_deref();
    let pending = submission.map(|path| Pending::new(path, &tasks)).transpose()?;
    interrupt::sets(&stop);
    let quiet = args.detail.quiet || args.json.json;
    let progress = session.progress("solving", tasks.tasks.len(), quiet);
    let at = |done| progress.at(done);
    let voice = session.voice();
    let unstored = |error: &StoreError| progress.aside(|| voice.warn(&super::unstored(error)));
    drop(load);
    let storage = archive.as_mut().map(|archive| Storage { archive, unstored: Some(&unstored) });
    let report = engine.solve(&library, &whole, &options, storage, &stop, &at)?;
    drop(progress);
    // Gives back what its journal takes of a disk that may be full.
    let store = group("store");
    drop(archive);
    drop(store);
    let print = span("print");
    let spent = cpu_time().zip(cpu).map(|(now, then)| now.saturating_sub(then));
    let (wall, cpu) = (start.elapsed(), spent.unwrap_or_default());
    let verdicts = report.verdicts(&tasks);
    let mut solved =
        Solved { library, tasks, report, verdicts, budget, wall, cpu, times: watch.times() };

    let mut wrote = Vec::new();
    if let Some((pending, path)) = pending.zip(submission) {
        wrote.extend(hand_in(&solved, pending, path, session)?);
    }
    if let Some(path) = args.archive.archive.as_ref().filter(|_| !solved.report.unstored) {
        let place = visible(&path.to_string_lossy());
        wrote.push(format!("{place}: programs and answers; `arcloom serve {place}` shows them"));
    }
    if let Some(path) = &args.save_programs {
        wrote.extend(save_programs(&solved, path, session)?);
    }
    watch.write_trace(&args.timing, session)?;
    // What was asked for on standard output is alone there.
    let timeline = args.timing.trace_file.as_deref();
    let products = [submission, args.save_programs.as_deref(), timeline];
    drop(print);
    solved.times = watch.times();
    if args.json.json {
        json::write(&solved, session.out)?;
    } else if !products.into_iter().flatten().any(file::is_stdout) {
        text::write(&solved, args, session)?;
        for line in wrote.iter().filter(|_| !quiet) {
            writeln!(session.out, "{line}")?;
        }
        if args.timing.timing {
            watch.times().write(session)?;
        }
    }
    warn(args, &solved, session);
    device::tell(&args.device, &engine.device_reports(), quiet, session)?;
    let report = &solved.report;
    let all_stored = !report.unstored && solved.tasks.malformed.is_empty();
    let whole =
        report.unfinished + report.brief == 0 && solved.library.errors.is_empty() && all_stored;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// Writes the submission; gives what is to be said about it.
fn hand_in(
    solved: &Solved,
    pending: Pending<'_>,
    path: &Path,
    session: &mut Session<'_>,
) -> Result<Option<String>> {
    let answers = solved.report.tasks.iter();
    let answers = answers.map(|task| (task.id.as_str(), task.attempts().into_tests()));
    let mut answers: BTreeMap<&str, Vec<Vec<Grid>>> = answers.collect();
    let submission = Submission::new(&solved.tasks, |id| answers.remove(id).unwrap_or_default());
    pending.write(&submission, session)?;
    let tests: usize = submission.answers.values().map(Vec::len).sum();
    let (tasks, tests) = (count(submission.answers.len(), "task"), count(tests, "test"));
    let place = visible(&path.to_string_lossy());
    Ok((!file::is_stdout(path)).then(|| format!("{place}: two attempts for {tests} of {tasks}")))
}

/// Writes the programs that fit; gives what is to be said about it.
fn save_programs(
    solved: &Solved,
    path: &Path,
    session: &mut Session<'_>,
) -> Result<Option<String>> {
    let fitting = solved.report.tasks.iter().filter_map(|task| {
        let best = task.proposals.first().filter(|best| best.fits == task.demos)?;
        best.program.as_deref()
    });
    let mut found = Library::default();
    for text in fitting {
        found.programs.extend(Library::from_text("found", text).programs);
    }
    let programs = named_apart(&found, session);
    let text = code::print_file(&programs, Form::Straight);
    file::write_or_print(path, text.as_bytes(), session.out)?;
    let (place, programs) = (visible(&path.to_string_lossy()), count(programs.len(), "program"));
    let next = format!("{place}: {programs}; `arcloom check {place}` runs what is in it");
    Ok((!file::is_stdout(path)).then_some(next))
}

/// The program of a proposal, as it is read back from its text.
pub(super) fn program_of(proposal: &Proposal) -> Option<Program> {
    let library = Library::from_text("found", proposal.program.as_ref()?);
    library.programs.into_iter().next().map(|entry| entry.program)
}

/// How long the whole run may take.
fn time_limit(args: &SolveArgs) -> Option<Duration> {
    match args.budget {
        Some(Budget::Time(all)) => Some(args.time_limit.map_or(all, |limit| limit.min(all))),
        _ => args.time_limit,
    }
}

/// Seconds per task: those that were asked for, or that the time limit allows.
fn budget(args: &SolveArgs, tasks: usize, threads: usize) -> f64 {
    match (args.budget, time_limit(args)) {
        (Some(Budget::PerTask(budget)), _) => budget.as_secs_f64(),
        (_, Some(limit)) => SolveOptions::budget_within(limit, tasks, threads),
        (_, None) => SolveOptions::default().budget,
    }
}

fn options(args: &SolveArgs, budget: f64) -> SolveOptions {
    SolveOptions {
        budget,
        without: args.without.iter().copied().collect(),
        evolve: args.evolve.map(|time| time.as_secs_f64()),
        folds: args.folds,
        shard: args.shard.shard,
        reuse: args.reuse,
        ..SolveOptions::default()
    }
}

/// What is named, else what the programs are for.
fn tasks(args: &SolveArgs, library: &Library, session: &Session<'_>) -> Result<TaskSet> {
    let reading = match args.submission.submission {
        Some(_) => Reading::Lenient,
        None => Reading::Strict,
    };
    let say = (!args.detail.quiet && !args.json.json)
        .then_some("name others, as in `arcloom solve arc1/training`");
    let mut set = locate::tasks_or_default(session, &args.tasks, library, reading, say)?;
    locate::choose(&mut set, args.choose.choice(&args.seed))?;
    Ok(set)
}

/// Says what is missing.
fn warn(args: &SolveArgs, solved: &Solved, session: &Session<'_>) {
    let report = &solved.report;
    if report.unprintable() > 0 {
        let dropped = count(report.unprintable(), "answer");
        session.warn(&format!("{dropped} dropped: the program does not give what the search gave"));
    }
    if report.unfinished + report.brief > 0 {
        let mut left = format!("{} not tried", count(report.unfinished, "task"));
        if report.brief > 0 {
            left = format!("{} tried briefly, {left}", count(report.brief, "task"));
        }
        let how = match args.archive.archive {
            Some(_) => "the same command again continues with them",
            None => "with `--archive FILE` the same command would continue with them",
        };
        session.warn(&format!("stopped early: {left}; {how}"));
    }
}
