//! `arcloom` without a command: the built-in programs on the built-in tasks, one of them drawn.

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use arcloom::draw::trace_text;
use arcloom::{Engine, Library, Verdict};

use crate::NOT_RIGHT;
use crate::clock::{Clock, duration};
use crate::paint::{Tone, count};
use crate::session::{Session, own_name};
use crate::table::Table;

/// The program that is drawn step by step: short, with objects and positions in it.
const SHOWN: &str = "ring_largest";

const NEXT: &[(&str, &str)] = &[
    ("show ring_largest", "draw a task"),
    ("trace join_dots", "draw every step of a program"),
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
    let clock = Clock::start();
    let report = engine.check(&library.programs, &tasks, &|_| {});
    let spent = clock.spent();

    let paint = session.paint;
    let title = format!("arcloom {}", env!("CARGO_PKG_VERSION"));
    let about = format!(
        "{} of its own on {}, with {} left to search for",
        count(library.programs.len(), "program"),
        count(tasks.tasks.len(), "built-in task"),
        tasks.tasks.len().saturating_sub(library.programs.len())
    );
    writeln!(session.out, "{}  {}\n", paint.bold(&title), paint.dim(&about))?;

    let mut table = Table::new(&["task", "outcome", ">pairs", ">steps", "reason"]);
    for row in &report.rows {
        let (tone, mark) = match row.verdict {
            Verdict::Solved => (Tone::Good, "✓ solved"),
            _ => (Tone::Bad, "✗ not solved"),
        };
        table.row([
            (Tone::Plain, row.task.clone()),
            (tone, mark.to_owned()),
            (Tone::Plain, format!("{}/{}", row.right, row.pairs)),
            (Tone::Plain, library.programs[row.program].program.size().to_string()),
            (Tone::Dim, row.reason.clone().unwrap_or_default()),
        ]);
    }
    table.write(session.out, paint, session.columns)?;
    let solved = report.count(Verdict::Solved);
    let pairs: usize = report.rows.iter().map(|row| row.pairs).sum();
    let line = format!("{solved} of {} solved", report.rows.len());
    let time = format!("{} in {}", count(pairs, "pair"), duration(spent.wall));
    let all = solved == report.rows.len();
    let tone = if all { Tone::Good } else { Tone::Bad };
    writeln!(session.out, "\n{}  {}\n", paint.tone(tone, &line), paint.dim(&time))?;

    let drawn = library.find(SHOWN).zip(tasks.get(SHOWN));
    if let Some(trace) = drawn.and_then(|(entry, task)| engine.trace(entry, task, 0)) {
        let text = trace_text(&trace.view(), &session.text);
        writeln!(session.out, "{}\n", text.trim_end())?;
    }

    writeln!(session.out, "{}", paint.bold("What to type next"))?;
    let mut next = Table::new(&["", ""]);
    for (command, what) in NEXT {
        let command = format!("{} {command}", own_name());
        next.row([(Tone::Plain, command), (Tone::Dim, (*what).to_owned())]);
    }
    next.write(session.out, paint, session.columns)?;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}
