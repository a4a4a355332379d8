//! `arcloom trace --against`: where two programs part.
//!
//! Steps are the same when their values are, whatever the lines look like. So two programs part at the first
//! step of each whose value the other does not have.

use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::draw::{ShownOutput, StepValue, outputs_text, titled_text};
use arcloom::{Engine, Entry, Grid, Task, Trace, TracedStep, Value};

use super::chosen;
use crate::NOT_RIGHT;
use crate::args::trace::TraceArgs;
use crate::paint::{count, visible};
use crate::session::Session;

/// A program with its steps on one pair.
struct Side {
    name: String,
    trace: Trace,
}

impl Side {
    fn values(&self) -> Vec<Value> {
        let values = self.trace.steps.iter().filter_map(|step| step.value.as_ref());
        values.map(Value::canonical).collect()
    }

    /// What comes out, if it is a grid.
    fn output(&self) -> Option<Grid> {
        let last = self.trace.steps.last()?.value.as_ref()?;
        match last.canonical() {
            Value::Grid(grid) if self.trace.error.is_none() => Some(grid),
            _ => None,
        }
    }
}

pub(super) fn run(
    args: &TraceArgs,
    session: &mut Session<'_>,
    engine: &Engine,
    entries: [&Entry; 2],
    task: &Task,
) -> Result<ExitCode> {
    if args.figure.output.is_some() {
        bail!("--against prints text; draw each program with its own `arcloom trace -o FILE`");
    }
    let names = names(entries);
    let traced = |n: usize| -> Option<[Side; 2]> {
        let side = |k: usize| {
            let trace = engine.trace(entries[k], task, n)?;
            Some(Side { name: names[k].clone(), trace })
        };
        Some([side(0)?, side(1)?])
    };
    let pairs = match args.pair {
        Some(pair) => {
            let pair = chosen(task, pair)?;
            pair..pair + 1
        }
        None => 0..task.demos.len() + task.tests.len(),
    };
    let all: Vec<[Side; 2]> = pairs.filter_map(traced).collect();
    let parted = all.iter().find(|[a, b]| a.output() != b.output());
    let Some(both) = parted.or(all.first()) else { bail!("the task has no such pair") };
    let same = parted.is_none();
    draw(both, session)?;
    let pairs = count(all.len(), "pair");
    let line = match same {
        true => format!("the same output on {pairs}"),
        false => format!("not the same output on {}", both[0].trace.pair),
    };
    let line = if same { session.paint.good(&line) } else { session.paint.bad(&line) };
    writeln!(session.out, "{line}")?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// Programs of one name are told apart by their files.
fn names(entries: [&Entry; 2]) -> [String; 2] {
    match entries[0].program.name == entries[1].program.name {
        false => entries.map(|entry| entry.program.name.clone()),
        true => entries.map(|entry| format!("{} ({})", entry.program.name, entry.file)),
    }
}

fn draw([a, b]: &[Side; 2], session: &mut Session<'_>) -> Result<()> {
    let paint = session.paint;
    let title = format!("{} and {} on {} {}", a.name, b.name, a.trace.task, a.trace.pair);
    writeln!(session.out, "{}\n", paint.bold(&visible(&title)))?;
    for (side, other) in [(a, b), (b, a)] {
        steps(side, other, session)?;
    }
    let (first, second) = (a.output(), b.output());
    let expected = a.trace.expected.as_ref();
    let output = |title, grid| ShownOutput { title, grid, expected };
    let mut shown = vec![output(&a.name, first.as_ref()), output(&b.name, second.as_ref())];
    if expected.is_some() {
        shown.push(ShownOutput { title: "expected", grid: expected, expected: None });
    }
    writeln!(session.out, "{}", outputs_text(&shown, &session.text))?;
    Ok(())
}

/// The steps of one program: those that the other has too in a line each, and the first that it has not drawn.
fn steps(side: &Side, other: &Side, session: &mut Session<'_>) -> Result<()> {
    let (paint, theirs) = (session.paint, other.values());
    writeln!(session.out, "{}", paint.bold(&visible(&side.name)))?;
    let is_shared = |step: &TracedStep| {
        step.value.as_ref().is_some_and(|value| theirs.contains(&value.canonical()))
    };
    let view = side.trace.view();
    let parts = side.trace.steps.iter().position(|step| !is_shared(step));
    for (n, (step, drawn)) in side.trace.steps.iter().zip(&view.steps).enumerate() {
        let code = visible(&step.code);
        match (is_shared(step), parts == Some(n)) {
            (true, _) => writeln!(session.out, "  {} {code}", paint.dim("="))?,
            (false, false) => writeln!(session.out, "  {} {code}", paint.bad("≠"))?,
            (false, true) => {
                let what = format!("here {} parts from {}", side.name, other.name);
                writeln!(
                    session.out,
                    "  {} {code}  {}",
                    paint.bad("≠"),
                    paint.dim(&visible(&what))
                )?;
                match &drawn.value {
                    StepValue::Ok(picture) => {
                        let text = titled_text(&[("", picture)], &session.text);
                        for line in text.lines().filter(|line| !line.is_empty()) {
                            writeln!(session.out, "      {line}")?;
                        }
                    }
                    StepValue::Failed(reason) => {
                        writeln!(session.out, "      ✗ failed: {}", visible(reason))?;
                    }
                }
            }
        }
    }
    writeln!(session.out)?;
    Ok(())
}
