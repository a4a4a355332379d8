//! `arcloom` without a command: the built-in programs on the built-in tasks, then programs bred for
//! the tasks that have none, and one that was found, drawn step by step.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::archive::{Access, Archive};
use arcloom::corpus::{GridLimits, MorePairs};
use arcloom::draw::trace_text;
use arcloom::evolve::{EvolveConfig, EvolveReport, EvolveRequest};
use arcloom::{CheckState, Engine, Form, Library, Stop, TaskSet, text};

use crate::NOT_RIGHT;
use crate::clock::{Clock, duration};
use crate::paint::{Tone, count, grouped};
use crate::session::{Session, own_name};
use crate::table::Table;

/// A few seconds of work; as many generations everywhere, so that everybody sees the same.
const GENERATIONS: u64 = 24;

const NEXT: &[(&str, &str)] = &[
    ("show ring_largest", "draw a task"),
    ("trace join_dots", "draw every step of a program"),
    ("run -p library:embedded", "every program, and every step of it, on every task"),
    ("evolve --budget 60s", "go on searching, into an archive that is kept"),
    ("dsl objects", "look a function up"),
    ("data pull", "fetch ARC-AGI-1 and 2 and re-arc's 400 programs, then"),
    ("check library:rearc", "run those programs on their tasks"),
    ("--help", "everything else"),
];

pub(crate) fn run(session: &mut Session<'_>) -> Result<ExitCode> {
    let library =
        Library::load(&session.catalog, &["library:embedded".to_owned()], &mut io::empty())?;
    let tasks = session.catalog.resolve_tasks("embedded")?;
    let engine = Engine::builder().build()?;
    let paint = session.paint;
    let title = format!("arcloom {}", env!("CARGO_PKG_VERSION"));
    let about = format!(
        "{} of its own on {}, with {} left to search for",
        count(library.programs.len(), "program"),
        count(tasks.tasks.len(), "built-in task"),
        tasks.tasks.len().saturating_sub(library.programs.len())
    );
    writeln!(session.out, "{}  {}\n", paint.bold(&title), paint.dim(&about))?;

    let all = check(&engine, &library, &tasks, session)?;
    session.out.flush()?;
    let clock = Clock::start();
    let report = evolve(&engine, &library, &tasks)?;
    let time = duration(clock.spent().wall);
    found(&report, &time, session)?;
    draw(&engine, &report, &tasks, session)?;

    writeln!(session.out, "{}", paint.bold("What to type next"))?;
    let mut next = Table::new(&["", ""]);
    for (command, what) in NEXT {
        let command = format!("{} {command}", own_name());
        next.row([(Tone::Plain, command), (Tone::Dim, (*what).to_owned())]);
    }
    next.write(session.out, paint, session.columns)?;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// Every program on its own task; true when all are right.
fn check(
    engine: &Engine,
    library: &Library,
    tasks: &TaskSet,
    session: &mut Session<'_>,
) -> Result<bool> {
    let paint = session.paint;
    let clock = Clock::start();
    let report = engine.check(&library.programs, tasks, &|_| {});
    let spent = clock.spent();
    let wrong: Vec<_> = report.rows.iter().filter(|row| row.state != CheckState::Right).collect();
    for row in &wrong {
        let reason = row.reason.as_deref().unwrap_or_default();
        writeln!(session.out, "  {} {} {reason}", paint.bad("✗"), row.task)?;
    }
    let right = report.rows.len() - wrong.len();
    let pairs: usize = report.rows.iter().map(|row| row.pairs).sum();
    let line = format!("{right} of {} programs are right on their task", report.rows.len());
    let time = format!("{} in {}", count(pairs, "pair"), duration(spent.wall));
    let tone = if wrong.is_empty() { Tone::Good } else { Tone::Bad };
    writeln!(session.out, "{}  {}", paint.tone(tone, &line), paint.dim(&time))?;
    Ok(wrong.is_empty())
}

/// A short run into an archive that is thrown away.
fn evolve(engine: &Engine, library: &Library, tasks: &TaskSet) -> Result<EvolveReport> {
    let folder = Temporary::new()?;
    let mut archive = Archive::create_or_open(folder.0.join("tour.db"), Access::Write)?;
    let more_pairs = MorePairs::embedded(tasks, &GridLimits::default())?;
    let generations = Some(GENERATIONS);
    let config = EvolveConfig { generations, more_pairs, ..EvolveConfig::default() };
    let stop = Stop::default();
    let request = EvolveRequest::new(&library.programs, tasks, &config);
    Ok(engine.evolve(&request, &mut archive, &stop, &mut |_| {})?)
}

/// A folder that goes when it is no longer needed.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Result<Temporary> {
        let folder = std::env::temp_dir().join(format!("arcloom-tour-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Temporary(folder))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed is small, and the system clears the place.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The programs that nobody wrote.
fn found(report: &EvolveReport, time: &str, session: &mut Session<'_>) -> Result<()> {
    let paint = session.paint;
    let line = format!("{} found for tasks that had none", count(report.found.len(), "program"));
    let work = format!(
        "{} evaluated in {} generations, {time}",
        grouped(report.evaluations as usize),
        report.generations
    );
    writeln!(session.out, "{}  {}\n", paint.good(&line), paint.dim(&work))?;
    let mut table = Table::new(&["task", ">generation", ">calls", "program"]);
    for found in &report.found {
        table.row([
            (Tone::Good, found.task.clone()),
            (Tone::Plain, found.generation.to_string()),
            (Tone::Plain, found.program.size().to_string()),
            (Tone::Dim, text::one_line(&found.program)),
        ]);
    }
    table.write(session.out, paint, session.columns)?;
    writeln!(session.out)?;
    Ok(())
}

/// The shortest of them at work.
fn draw(
    engine: &Engine,
    report: &EvolveReport,
    tasks: &TaskSet,
    session: &mut Session<'_>,
) -> Result<()> {
    let shortest = report.found.iter().min_by_key(|found| (found.program.size(), &found.task));
    let Some(found) = shortest else { return Ok(()) };
    let library = Library::from_text("found", &text::print(&found.program, Form::Straight));
    let drawn = library.programs.first().zip(tasks.get(&found.task));
    if let Some(trace) = drawn.and_then(|(entry, task)| engine.trace(entry, task, 0)) {
        let text = trace_text(&trace.view(), &session.text);
        writeln!(session.out, "{}\n", text.trim_end())?;
    }
    Ok(())
}
