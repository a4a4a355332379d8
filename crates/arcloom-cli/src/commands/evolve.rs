//! `arcloom evolve`: programs bred from a library until tasks are solved.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use arcloom::archive::{Access, Archive, Storage, StoreError};
use arcloom::corpus::{MorePairs, Submission};
use arcloom::evolve::{EvolveReport, EvolveRequest, OperatorCount};
use arcloom::graph::OwnDiffer;
use arcloom::timing::span;
use arcloom::{
    Attempts, Engine, Form, JSON_SCHEMA, Library, Standing, StandingCounts, Stop, TaskSet, text,
};
use serde_json::json;

use crate::args::evolve::EvolveArgs;
use crate::args::values::Budget;
use crate::locate::{PROGRAMS, Reading, TASKS};
use crate::paint::{Tone, count, grouped, visible};
use crate::session::Session;
use crate::submission::Pending;
use crate::table::Table;
use crate::timing::{self, Watch};
use crate::{NOT_RIGHT, NOT_RUN, device, file, interrupt, locate};

mod progress;

/// Work units that one call may use, where the option's default is not there to say so.
const CALL_BUDGET: u64 = 300_000;

pub(crate) fn run(args: &EvolveArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let watch = Watch::start(&args.timing, args.json.json);
    let load = span("load");
    let deadline = match args.budget {
        Budget::Time(time) => Some(Instant::now() + time),
        Budget::Generations(_) | Budget::PerTask(_) => None,
    };
    let stop = Arc::new(Stop::at(deadline));
    // A submission on standard output is alone there.
    let prints = !args.submission.submission.as_deref().is_some_and(file::is_stdout)
        && !timing::is_trace(&args.timing);
    let speaks = !args.detail.quiet && !args.json.json && prints;
    let say = |how| speaks.then_some(how);
    let specs = &args.programs.programs;
    let mut library =
        locate::programs_or_default(session, specs, args.detail.verbose, say(PROGRAMS))?;
    let (tasks, more_pairs) = tasks(args, &library, say(TASKS), session)?;
    if args.withhold {
        library.programs.retain(|entry| tasks.get(&entry.task).is_none());
    }
    if library.programs.is_empty() {
        if library.errors.is_empty() {
            bail!("no program is left to start from; name others with -p");
        }
        return Ok(ExitCode::from(NOT_RUN));
    }
    let engine = Engine::builder()
        .threads(args.jobs.threads())
        .device(args.device.device)
        .call_budget(args.call_budget.call_budget.unwrap_or(CALL_BUDGET))
        .build()?;
    locate::warn_of_malformed(session, &tasks);
    let differs = match args.user_differs.as_slice() {
        [] => Vec::new(),
        specs => locate::programs(session, specs, args.detail.verbose)?
            .programs
            .iter()
            .map(|entry| OwnDiffer::new(&entry.program))
            .collect(),
    };
    let config = args.config(more_pairs, differs);
    let mut archive = Archive::create_or_open(&args.archive, Access::Write)?;
    let pending =
        args.submission.submission.as_ref().map(|path| Pending::new(path, &tasks)).transpose()?;
    interrupt::sets(&stop);
    if speaks {
        let line = format!(
            "{} on {} of {}, archive {}",
            count(library.programs.len(), "program"),
            count(tasks.tasks.len(), "task"),
            visible(&tasks.name),
            visible(&args.archive.to_string_lossy())
        );
        writeln!(session.out, "{}", session.paint.dim(&line))?;
        // An output that takes nothing is said at the end, when the submission is written.
        let _ = session.out.flush();
    }
    let mut written = Ok(());
    let mut shown = progress::Shown::default();
    let voice = session.voice();
    let live = speaks.then(|| session.live("generation 0: the library on every task"));
    let unstored = |error: &StoreError| {
        let say = || voice.warn(&super::unstored(error));
        live.as_ref().map_or_else(say, |live| live.aside(say));
    };
    // Without a submission the archive is all that comes of a run.
    let goes_on = args.submission.submission.is_some();
    let unstored: Option<&(dyn Fn(&StoreError) + Sync)> =
        if goes_on { Some(&unstored) } else { None };
    drop(load);
    let report = engine.evolve(
        &EvolveRequest::new(&library.programs, &tasks, &config),
        Storage { archive: &mut archive, unstored },
        &stop,
        &mut |progress| {
            let _span = span("print");
            if written.is_ok() && !args.detail.quiet && prints {
                written = match &live {
                    None => progress::json_line(progress, session),
                    Some(live) => shown.line(progress, live, session),
                };
            }
        },
    )?;
    drop(live);
    // Gives back what its journal takes of a disk that may be full.
    let store = span("store");
    drop(archive);
    drop(store);
    let print = span("print");
    if let Some(pending) = pending {
        let attempts = report.standings.iter().map(|s| (s.name.as_str(), &s.attempts));
        let attempts: BTreeMap<&str, &Attempts> = attempts.collect();
        let of = |id: &str| attempts.get(id).map_or_else(Vec::new, |a| a.tests().to_vec());
        let submission = Submission::new(&tasks, of);
        pending.write(&submission, session)?;
    }
    written?;
    let quiet = args.detail.quiet || args.json.json;
    device::tell(&args.device, &engine.device_reports(), quiet, session)?;
    let timed_out = matches!(args.budget, Budget::Time(_)) && deadline_passed(deadline);
    watch.write_trace(&args.timing, session)?;
    if args.json.json {
        let mut summary = summary_json(&report, &tasks);
        drop(print);
        summary["timing"] = watch.times().json();
        writeln!(session.out, "{summary}")?;
    } else if prints {
        summary(&report, &tasks, args, session)?;
        drop(print);
        if args.timing.timing {
            watch.times().write(session)?;
        }
    }
    let all_stored = !report.unstored && tasks.malformed.is_empty();
    let whole = (!report.stopped || timed_out) && library.errors.is_empty() && all_stored;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn deadline_passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// The tasks, and what is known of them that only solvers are tried on.
fn tasks(
    args: &EvolveArgs,
    library: &Library,
    say: Option<&str>,
    session: &Session<'_>,
) -> Result<(TaskSet, MorePairs)> {
    let reading = match args.submission.submission {
        Some(_) => Reading::Lenient,
        None => Reading::Strict,
    };
    let mut set = locate::tasks_or_default(session, &args.tasks.tasks, library, reading, say)?;
    let limits = session.catalog.limits();
    let given = args.more_pairs.as_ref().map(|path| MorePairs::load(path, &set, limits));
    let given = given.transpose()?.unwrap_or_default();
    locate::choose(&mut set, args.choose.choice(&args.seed))?;
    let set = args.shard.take(set);
    let mut more = MorePairs::embedded(&set, limits)?;
    more.extend(given);
    Ok((set, more))
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
    let quiet = args.detail.quiet;
    if !report.found.is_empty() && !quiet {
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
    if args.detail.verbose {
        operators(report, session)?;
    }
    let head = format!("{}: {}", count(tasks.tasks.len(), "task"), counts(report, tasks));
    writeln!(session.out, "{}", session.paint.bold(&head))?;
    let bred = match report.found.len() {
        0 => "none found by evolution".to_owned(),
        n => format!("{} found by evolution", grouped(n)),
    };
    writeln!(
        session.out,
        "{} with a validated program: {} from the library, {bred}",
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
    if !quiet {
        next(report, args, session)?;
    }
    Ok(())
}

/// What to type next: to go on, and to look at what was found.
fn next(report: &EvolveReport, args: &EvolveArgs, session: &mut Session<'_>) -> Result<()> {
    let archive = visible(&args.archive.to_string_lossy());
    let usual = args.archive == Path::new("archive.db");
    let a = if usual { String::new() } else { format!(" -a {archive}") };
    let open = report.standings.iter().any(|standing| !standing.is_fit());
    let mut table = Table::new(&["", ""]);
    let mut row = |command: String, what: &str| {
        table.row([(Tone::Plain, command), (Tone::Dim, what.to_owned())]);
    };
    if report.stopped && !report.unstored {
        row("the same command".to_owned(), "continue where this run stopped");
    }
    if let Some(found) = report.found.iter().find(|found| found.program.size() > 0) {
        let mut id = found.program.id().to_string();
        id.truncate(12);
        let spec = format!("arcloom trace archive:{archive}:{id} -t {}", visible(&found.task));
        row(spec, "draw a program that was found");
    }
    if open {
        row(format!("arcloom archive{a} list --unsolved"), "list the tasks that are open");
    }
    row(format!("arcloom serve {archive}"), "explore the run in the browser");
    writeln!(session.out, "\n{}", session.paint.bold("What to type next"))?;
    table.write(session.out, session.paint, session.columns)?;
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
