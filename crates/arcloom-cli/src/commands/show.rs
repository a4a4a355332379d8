//! `arcloom show`: one task drawn, or the tasks of a set listed.

use std::process::ExitCode;

use anyhow::Result;
use arcloom::draw::{TaskFigure, task_svg, task_text};
use arcloom::{Grid, Task, TaskSet, verdict};

use crate::args::ShowArgs;
use crate::figure;
use crate::locate::{self, Found};
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;

pub(crate) fn run(args: &ShowArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let found = match &args.task {
        Some(spec) => locate::task_or_set(&session.catalog, spec, &args.tasks)?,
        None if args.tasks.is_empty() => Found::Set(session.catalog.resolve_tasks("embedded")?),
        None => Found::Set(locate::task_set(&session.catalog, &args.tasks)?),
    };
    match found {
        Found::Task(task) => draw(args, session, &task)?,
        Found::Set(set) if args.figure.output.is_some() => anyhow::bail!(
            "{} holds {}; name one of them to draw it",
            visible(&set.name),
            count(set.tasks.len(), "task")
        ),
        Found::Set(set) => list(session, &set)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn draw(args: &ShowArgs, session: &mut Session<'_>, task: &Task) -> Result<()> {
    let demos: Vec<(Grid, Grid)> =
        task.demos.iter().map(|pair| (pair.input.clone(), pair.output.clone())).collect();
    let expected = |n: usize| verdict::expected(task, task.demos.len() + n);
    let shown = |n: usize| expected(n).cloned().filter(|_| args.answers);
    let tests: Vec<(Grid, Option<Grid>)> =
        task.tests.iter().enumerate().map(|(n, test)| (test.input.clone(), shown(n))).collect();
    let view = TaskFigure { id: &task.id, demos: &demos, tests: &tests };
    let (demos, tests) = (count(demos.len(), "demo"), count(tests.len(), "test"));
    let what = format!("task {}, {demos}, {tests}", visible(&task.id));
    if !figure::write(&args.figure, args.cells, session, &what, |options| task_svg(&view, options))?
    {
        writeln!(session.out, "{}", task_text(&view, &session.text).trim_end())?;
        if !args.answers && (0..task.tests.len()).any(|n| expected(n).is_some()) {
            let line = "Expected outputs of tests are hidden; --answers draws them.";
            writeln!(session.out, "\n{}", session.paint.dim(line))?;
        }
    }
    Ok(())
}

fn list(session: &mut Session<'_>, set: &TaskSet) -> Result<()> {
    let mut table = Table::new(&["task", ">demos", ">tests", "input", "output"]);
    let size = |grid: &Grid| format!("{}x{}", grid.height(), grid.width());
    for task in &set.tasks {
        let first = task.demos.first();
        table.row([
            (Tone::Plain, task.id.clone()),
            (Tone::Plain, task.demos.len().to_string()),
            (Tone::Plain, task.tests.len().to_string()),
            (Tone::Dim, first.map(|pair| size(&pair.input)).unwrap_or_default()),
            (Tone::Dim, first.map(|pair| size(&pair.output)).unwrap_or_default()),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    let total = format!("{} in {}", count(set.tasks.len(), "task"), visible(&set.name));
    let next = "sizes are of the first demo; `arcloom show TASK` draws one";
    writeln!(session.out, "\n{}  {}", session.paint.bold(&total), session.paint.dim(next))?;
    Ok(())
}
