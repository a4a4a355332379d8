//! `arcloom trace`: every step of a program on one pair, drawn, alone or against another program.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use arcloom::draw::{trace_svg, trace_text};
use arcloom::{Engine, Entry, Library, Task, TaskSet, Trace};

use crate::args::PairArg;
use crate::args::trace::TraceArgs;
use crate::paint::{count, visible};
use crate::session::Session;
use crate::{NOT_RIGHT, figure, locate};

mod against;

pub(crate) fn run(args: &TraceArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let (entry, task) = match (&args.expr, &args.program, &args.task) {
        (Some(lines), _, Some(task)) => {
            let name = "<expr>";
            let library = Library::from_snippet(name, lines);
            (locate::only(session, library, name)?, task.clone())
        }
        (Some(_), _, None) => bail!("-e needs a task to run on: `arcloom trace -e LINES -t TASK`"),
        (None, Some(program), task) => {
            let entry = locate::program(session, program)?;
            let task = task.clone().unwrap_or_else(|| entry.task.clone());
            (entry, task)
        }
        (None, None, _) => bail!("no program given; see `arcloom trace --help`"),
    };
    let task = locate::task(&session.catalog, &task)?;
    let engine = Engine::builder().threads(1).build()?;
    if let Some(other) = &args.against {
        let other = locate::program(session, other)?;
        return against::run(args, session, &engine, [&entry, &other], &task);
    }
    let pair = match args.pair {
        Some(pair) => chosen(&task, pair)?,
        None => first_wrong(&engine, &entry, &task),
    };
    let trace = engine.trace(&entry, &task, pair).context("the task has no such pair")?;
    let (view, what) = (trace.view(), headline(&trace));
    if !figure::write(&args.figure, args.cells, session, &what, |how| trace_svg(&view, how))? {
        writeln!(session.out, "{}", trace_text(&view, &session.text).trim_end())?;
        if trace.error.is_some() {
            let line = format!("✗ stopped at {}", steps(&entry, &trace));
            writeln!(session.out, "\n{}", session.paint.bad(&line))?;
        }
    }
    let fine = trace.error.is_none() && (trace.right || trace.expected.is_none());
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

/// What was drawn, in a line.
fn headline(trace: &Trace) -> String {
    let verdict = match (&trace.error, &trace.expected) {
        (Some(error), _) => format!("failed ({error})"),
        (None, None) => "expected output unknown".to_owned(),
        (None, Some(_)) if trace.right => "the expected output".to_owned(),
        (None, Some(_)) => "not the expected output".to_owned(),
    };
    let (program, task, pair) = (&trace.program, &trace.task, &trace.pair);
    visible(&format!("{program} on {task} {pair}, {}, {verdict}", count(trace.steps.len(), "step")))
}

fn steps(entry: &Entry, trace: &Trace) -> String {
    format!("step {} of {}", trace.steps.len(), entry.program.size().max(trace.steps.len()))
}

/// The place of a pair among demos and tests.
fn chosen(task: &Task, pair: PairArg) -> Result<usize> {
    let (demos, tests) = (task.demos.len(), task.tests.len());
    let (n, limit) = match pair {
        PairArg::Any(n) => (n, demos + tests),
        PairArg::Demo(n) => (n, demos),
        PairArg::Test(n) => (n + demos, demos + tests),
    };
    if n > limit {
        bail!(
            "task {} has no such pair; it has {} and {}",
            visible(&task.id),
            count(demos, "demo"),
            count(tests, "test")
        );
    }
    Ok(n - 1)
}

/// The first pair that does not come out right, or else the first one.
fn first_wrong(engine: &Engine, entry: &Entry, task: &Task) -> usize {
    let set = TaskSet::new(&task.id, vec![task.clone()]);
    let report = engine.check_all(std::slice::from_ref(entry), &set, &|_| {});
    report.rows.first().and_then(|row| row.pair).unwrap_or(0)
}
