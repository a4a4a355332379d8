//! `arcloom show`: a task drawn, the tasks of a set listed, a program printed, or the programs of a library or
//! an archive listed.

use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::draw::{TaskFigure, task_svg, task_text};
use arcloom::{Entry, Form, Grid, JSON_SCHEMA, Library, Task, TaskSet, text, verdict};
use serde_json::{Value as Json, json};

use crate::args::show::ShowArgs;
use crate::figure;
use crate::locate::{self, ARCHIVE, FileKind, Found, kind_of};
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;

/// What is to be shown.
enum Shown {
    Task(Box<Task>, String),
    Set(TaskSet),
    Program(Box<Entry>),
    Programs(Library),
}

pub(crate) fn run(args: &ShowArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let shown = match &args.spec {
        None => Shown::Set(session.catalog.resolve_tasks("embedded")?),
        Some(spec) => find(spec, session)?,
    };
    if args.json.json {
        writeln!(session.out, "{}", serde_json::to_string_pretty(&object(&shown, args))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let draws = args.figure.output.is_some();
    let many = |name: &str, what: String| {
        anyhow::anyhow!("{} holds {what}; name one of them to draw it", visible(name))
    };
    match shown {
        Shown::Task(task, _) => draw(args, session, &task)?,
        Shown::Set(set) if draws => return Err(many(&set.name, count(set.tasks.len(), "task"))),
        Shown::Set(set) => list(session, &set)?,
        Shown::Programs(_) | Shown::Program(_) if draws => {
            let spec = visible(args.spec.as_deref().unwrap_or_default());
            bail!("{spec}: a program is drawn at work: `arcloom trace {spec} -o FILE`")
        }
        Shown::Program(entry) => program(&entry, session)?,
        Shown::Programs(library) => programs(&library, session)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Tasks go before programs of the same name.
fn find(spec: &str, session: &Session<'_>) -> Result<Shown> {
    let is_programs = spec.starts_with("library:")
        || spec.starts_with(ARCHIVE)
        || matches!(kind_of(spec.as_ref()), Some(FileKind::Programs))
        || spec.rsplit_once(':').is_some_and(|(file, _)| std::path::Path::new(file).exists());
    let of_programs = |mut library: Library| match library.programs.as_slice() {
        [_] => match library.programs.pop() {
            Some(entry) => Shown::Program(Box::new(entry)),
            None => Shown::Programs(library),
        },
        _ => Shown::Programs(library),
    };
    if is_programs {
        return Ok(of_programs(locate::programs(session, &[spec.to_owned()], false)?));
    }
    match locate::task_or_set(&session.catalog, spec) {
        Ok(Found::Task(task, set)) => Ok(Shown::Task(task, set)),
        Ok(Found::Set(set)) => Ok(Shown::Set(set)),
        // What is wrong with a file is said of the file.
        Err(error) if spec.contains(['/', '.']) => Err(error),
        Err(error) => match locate::program(session, spec) {
            Ok(entry) => Ok(Shown::Program(Box::new(entry))),
            Err(_) => Err(error),
        },
    }
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

/// A program with where it is from.
fn program(entry: &Entry, session: &mut Session<'_>) -> Result<()> {
    let (id, calls) = (entry.program.id().to_string(), count(entry.program.size(), "call"));
    let name = visible(&entry.program.name);
    writeln!(session.out, "{} {id}", session.paint.bold(&name))?;
    writeln!(
        session.out,
        "{calls}, for task {}, from {}\n",
        visible(&entry.task),
        visible(&entry.file)
    )?;
    writeln!(session.out, "{}", text::print(&entry.program, Form::Straight).trim_end())?;
    Ok(())
}

fn programs(library: &Library, session: &mut Session<'_>) -> Result<()> {
    let mut table = Table::new(&["program", "id", "task", ">calls", "code"]);
    for entry in &library.programs {
        table.row([
            (Tone::Plain, entry.program.name.clone()),
            (Tone::Dim, short(entry)),
            (Tone::Plain, entry.task.clone()),
            (Tone::Plain, entry.program.size().to_string()),
            (Tone::Dim, text::one_line(&entry.program)),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    let total = count(library.programs.len(), "program");
    let next = "`arcloom trace PROGRAM` draws one at work";
    writeln!(session.out, "\n{}  {}", session.paint.bold(&total), session.paint.dim(next))?;
    Ok(())
}

/// As much of an id as people need to name it.
fn short(entry: &Entry) -> String {
    let mut id = entry.program.id().to_string();
    id.truncate(12);
    id
}

fn object(shown: &Shown, args: &ShowArgs) -> Json {
    let (kind, content) = match shown {
        Shown::Task(task, set) => ("task", task_json(task, set, args.answers)),
        Shown::Set(set) => {
            let tasks = set.tasks.iter().map(|task| task_json(task, &set.name, args.answers));
            let tasks: Vec<Json> = tasks.collect();
            ("tasks", Json::from(tasks))
        }
        Shown::Program(entry) => ("program", program_json(entry)),
        Shown::Programs(library) => {
            let programs: Vec<Json> = library.programs.iter().map(program_json).collect();
            ("programs", Json::from(programs))
        }
    };
    json!({ "schema": JSON_SCHEMA, kind: content })
}

fn task_json(task: &Task, set: &str, answers: bool) -> Json {
    let rows = |grid: &Grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
    let demos = task
        .demos
        .iter()
        .map(|pair| json!({"input": rows(&pair.input), "output": rows(&pair.output)}));
    let tests = task.tests.iter().enumerate().map(|(n, test)| {
        let expected = verdict::expected(task, task.demos.len() + n).filter(|_| answers);
        json!({"input": rows(&test.input), "expected": expected.map(rows)})
    });
    json!({"task": task.id, "set": set, "demos": demos.collect::<Vec<_>>(),
           "tests": tests.collect::<Vec<_>>()})
}

fn program_json(entry: &Entry) -> Json {
    json!({
        "name": entry.program.name,
        "id": entry.program.id().to_string(),
        "task": entry.task,
        "file": entry.file,
        "size": entry.program.size(),
        "code": text::print(&entry.program, Form::Straight),
    })
}
