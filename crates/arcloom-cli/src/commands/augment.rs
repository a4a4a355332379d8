//! `arcloom augment`: new pairs for tasks that have a program.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use arcloom::draw::{TaskFigure, task_text};
use arcloom::{
    AugmentError, AugmentOptions, Augmented, Engine, Entry, Grid, JSON_SCHEMA, Library, NewPair,
    Stop, Task, TaskSet,
};
use serde_json::{Map, Value as Json, json};

use crate::args::augment::AugmentArgs;
use crate::locate::Reading;
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;
use crate::{NOT_RIGHT, NOT_RUN, file, interrupt, locate};

/// Pairs that are drawn of a single task.
const DRAWN: usize = 3;

/// A task with what was made for it; nothing where no program was found for it.
type Row<'a> = (&'a Task, Option<Result<Augmented, AugmentError>>);

pub(crate) fn run(args: &AugmentArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let prints = args.output.as_deref().is_some_and(file::is_stdout);
    let quiet = args.quiet.quiet || args.json.json || prints;
    let say = (!quiet).then_some(locate::PROGRAMS);
    let library = locate::programs_or_default(session, &args.programs.programs, false, say)?;
    let mut tasks =
        locate::tasks_or_default(session, &args.tasks, &library, Reading::Strict, None)?;
    locate::choose(&mut tasks, args.choose.choice(&args.seed))?;
    let engine = Engine::builder().threads(args.jobs.threads()).build()?;
    let rows = make(args, &engine, &library, &tasks, session, quiet);

    if let Some(path) = &args.output {
        let is_lines = prints || path.extension().is_some_and(|end| end == "jsonl");
        let text = if is_lines { lines(&rows) } else { arc(&rows) };
        file::write_or_print(path, text.as_bytes(), session.out)?;
    }
    if args.json.json {
        writeln!(session.out, "{}", serde_json::to_string_pretty(&summary(args, &rows))?)?;
    } else if !prints {
        write_text(args, &rows, session)?;
    }
    let made = |row: &&Row<'_>| pairs(row).len() == args.per_task;
    let full = rows.iter().filter(made).count();
    Ok(match rows.iter().all(|row| pairs(row).is_empty()) {
        true => ExitCode::from(NOT_RUN),
        false if full < rows.len() => ExitCode::from(NOT_RIGHT),
        false => ExitCode::SUCCESS,
    })
}

/// Makes the pairs of each task with the first of its programs that fits.
fn make<'t>(
    args: &AugmentArgs,
    engine: &Engine,
    library: &Library,
    tasks: &'t TaskSet,
    session: &Session<'_>,
    quiet: bool,
) -> Vec<Row<'t>> {
    let options = AugmentOptions {
        per_task: args.per_task,
        seed: args.seed.seed,
        ..AugmentOptions::default()
    };
    let progress = session.progress("making pairs", tasks.tasks.len(), quiet);
    let stop = Arc::new(Stop::default());
    interrupt::sets(&stop);
    let done = AtomicUsize::new(0);
    let jobs: Vec<(&Task, Vec<&Entry>)> =
        tasks.tasks.iter().map(|task| (task, programs_of(library, tasks, task))).collect();
    let made = engine.workers().map(&jobs, |machine, (task, entries)| {
        let mut all =
            entries.iter().map(|entry| engine.augment_on(machine, entry, task, &options, &stop));
        let first = all.next();
        let made = match first {
            Some(Err(error)) => Some(all.find(Result::is_ok).unwrap_or(Err(error))),
            first => first,
        };
        progress.at(done.fetch_add(1, Ordering::Relaxed) + 1);
        made
    });
    tasks.tasks.iter().zip(made).collect()
}

/// The programs for a task: those of its name, and one that was named alone for a single task.
fn programs_of<'l>(library: &'l Library, tasks: &TaskSet, task: &Task) -> Vec<&'l Entry> {
    let is_only = library.programs.len() == 1 && tasks.tasks.len() == 1;
    library.programs.iter().filter(|entry| is_only || entry.task == task.id).collect()
}

fn pairs<'a>((_, made): &'a Row<'_>) -> &'a [NewPair] {
    match made {
        Some(Ok(made)) => &made.pairs,
        _ => &[],
    }
}

fn cells(grid: &Grid) -> Json {
    grid.rows().map(|row| row.to_vec()).collect::<Vec<_>>().into()
}

/// One pair per line.
fn lines(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        for NewPair { pair, is_new } in pairs(row) {
            let line = json!({
                "task": row.0.id, "input": cells(&pair.input), "output": cells(&pair.output),
                "new": is_new,
            });
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// Tasks by id in ARC's format.
fn arc(rows: &[Row<'_>]) -> String {
    let task = |row: &Row<'_>| {
        let pair = |made: &NewPair| json!({"input": cells(&made.pair.input), "output": cells(&made.pair.output)});
        let train: Vec<Json> = pairs(row).iter().map(pair).collect();
        (row.0.id.clone(), json!({"train": train, "test": []}))
    };
    let made = rows.iter().filter(|row| !pairs(row).is_empty());
    let mut text = Json::Object(made.map(task).collect::<Map<String, Json>>()).to_string();
    text.push('\n');
    text
}

fn summary(args: &AugmentArgs, rows: &[Row<'_>]) -> Json {
    let task = |row: &Row<'_>| {
        let new = pairs(row).iter().filter(|pair| pair.is_new).count();
        let mut object = json!({
            "task": row.0.id, "pair_count": pairs(row).len(), "new_count": new,
        });
        match &row.1 {
            Some(Ok(made)) => {
                object["tried_count"] = made.tries.into();
                object["name"] = made.program.clone().into();
            }
            Some(Err(error)) => object["error"] = error.to_string().into(),
            None => object["error"] = no_program(row.0).into(),
        }
        object
    };
    json!({
        "schema": JSON_SCHEMA,
        "seed": args.seed.seed,
        "per_task": args.per_task,
        "pair_count": rows.iter().map(|row| pairs(row).len()).sum::<usize>(),
        "tasks": rows.iter().map(task).collect::<Vec<_>>(),
    })
}

fn no_program(task: &Task) -> String {
    format!("no program for {}: name one with -p", visible(&task.id))
}

fn write_text(args: &AugmentArgs, rows: &[Row<'_>], session: &mut Session<'_>) -> Result<()> {
    let problems = rows.iter().filter_map(|(task, made)| match made {
        Some(Err(error)) => Some(error.to_string()),
        None => Some(no_program(task)),
        Some(Ok(_)) => None,
    });
    let problems: Vec<String> = problems.collect();
    if let [row] = rows
        && args.output.is_none()
        && !args.quiet.quiet
    {
        let drawn = pairs(row).iter().filter(|made| made.is_new).take(DRAWN);
        let demos: Vec<(Grid, Grid)> =
            drawn.map(|made| (made.pair.input.clone(), made.pair.output.clone())).collect();
        if !demos.is_empty() {
            let view = TaskFigure { id: &row.0.id, demos: &demos, tests: &[] };
            writeln!(session.out, "{}\n", task_text(&view, &session.text).trim_end())?;
        }
    } else if !args.quiet.quiet {
        let mut table = Table::new(&["task", ">pairs", ">new", ">tried", "program"]);
        for row in rows {
            let Some(Ok(made)) = &row.1 else { continue };
            let new = made.pairs.iter().filter(|pair| pair.is_new).count();
            table.row([
                (Tone::Plain, row.0.id.clone()),
                (Tone::Plain, made.pairs.len().to_string()),
                (Tone::Dim, new.to_string()),
                (Tone::Dim, made.tries.to_string()),
                (Tone::Dim, made.program.clone()),
            ]);
        }
        if !table.is_empty() {
            table.write(session.out, session.paint, session.columns)?;
            writeln!(session.out)?;
        }
    }
    for problem in &problems {
        session.complain(problem);
    }
    let all: usize = rows.iter().map(|row| pairs(row).len()).sum();
    let new = rows.iter().flat_map(pairs).filter(|pair| pair.is_new).count();
    let total = format!("{} for {}", count(all, "pair"), count(rows.len(), "task"));
    let more = format!("{new} are more than a symmetry or a recolouring of a demo");
    writeln!(session.out, "{}  {}", session.paint.bold(&total), session.paint.dim(&more))?;
    if let Some(path) = args.output.as_deref().map(Path::to_string_lossy) {
        writeln!(session.out, "{}: {}", visible(&path), count(all, "pair"))?;
    } else if all > 0 {
        let next = "-o FILE writes them";
        writeln!(session.out, "{}", session.paint.dim(next))?;
    }
    Ok(())
}
