//! `arcloom ask`: the input on which the programs that fit a task disagree most.

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use arcloom::draw::{ShownOutput, outputs_text};
use arcloom::{
    AskOptions, AskReport, Engine, Grid, Ingredient, JSON_SCHEMA, Library, Question, SolveOptions,
    Stop, Task, TaskSet, text, verdict,
};
use serde_json::{Value as Json, json};

use crate::args::ask::AskArgs;
use crate::args::values::Budget;
use crate::locate::Reading;
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;
use crate::{NOT_RIGHT, file, interrupt, locate};

pub(crate) fn run(args: &AskArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let library = match args.programs.is_empty() {
        true => Library::default(),
        false => locate::programs(session, &args.programs, false)?,
    };
    let mut tasks = locate::tasks(&session.catalog, &args.tasks, Reading::Strict)?;
    locate::choose(&mut tasks, args.choose.choice(&args.seed))?;
    let lists = args.all || tasks.tasks.len() > 1;
    if lists && (args.pick.is_some() || args.output.is_some()) {
        let tasks = count(tasks.tasks.len(), "task");
        bail!("--pick and -o are for one task, here are {tasks}: name one of them");
    }
    let engine = Engine::builder().threads(args.jobs.threads()).build()?;
    let stop = Arc::new(Stop::default());
    interrupt::sets(&stop);
    let budget = match args.budget {
        Some(Budget::PerTask(time)) => time.as_secs_f64(),
        Some(Budget::Time(time)) => time.as_secs_f64() / (2 * tasks.tasks.len().max(1)) as f64,
        _ => SolveOptions::default().budget,
    };
    let solve = SolveOptions { budget, ..SolveOptions::default() };
    let options = AskOptions { solve, seed: args.seed.seed, ..AskOptions::default() };
    let asked = ask_all(args, &engine, &library, &tasks, &options, &stop, session)?;
    if stop.is_due() {
        session.warn("stopped early: tasks that were not reached are missing");
    }
    let is_whole = !stop.is_due() && asked.iter().all(|asked| !asked.rivals.is_empty());
    if args.json.json {
        let tasks: Vec<Json> = asked.iter().map(object).collect();
        let report = json!({"schema": JSON_SCHEMA, "seed": args.seed.seed, "tasks": tasks});
        writeln!(session.out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else if lists {
        list(&asked, session)?;
    } else if let ([task], [asked]) = (tasks.tasks.as_slice(), asked.as_slice()) {
        question(args, task, asked, session)?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}

fn ask_all(
    args: &AskArgs,
    engine: &Engine,
    library: &Library,
    tasks: &TaskSet,
    options: &AskOptions,
    stop: &Stop,
    session: &Session<'_>,
) -> Result<Vec<AskReport>> {
    let progress = session.progress("asking", tasks.tasks.len(), args.json.json);
    let mut all = Vec::new();
    for (n, task) in tasks.tasks.iter().enumerate() {
        let asked = engine.ask(library, task, options, stop)?;
        if stop.is_due() {
            break;
        }
        all.push(asked);
        progress.at(n + 1);
    }
    Ok(all)
}

/// The tasks that have a question.
fn list(asked: &[AskReport], session: &mut Session<'_>) -> Result<()> {
    let mut table = Table::new(&["task", ">programs", ">outputs", "by"]);
    let open = asked.iter().filter_map(|asked| Some((asked, asked.question.as_ref()?)));
    for (asked, question) in open.clone() {
        let first = asked.rivals.first();
        let by = first.map(|rival| Ingredient::names(&rival.sources)).unwrap_or_default();
        table.row([
            (Tone::Plain, asked.task.clone()),
            (Tone::Plain, asked.rivals.len().to_string()),
            (Tone::Plain, question.choices.len().to_string()),
            (Tone::Dim, by),
        ]);
    }
    if !table.is_empty() {
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    let open = open.count();
    let fits = asked.iter().filter(|asked| !asked.rivals.is_empty()).count();
    let total = format!("{open} of {} not determined", count(asked.len(), "task"));
    let more = format!("{fits} have a program that fits; `arcloom ask TASK` asks about one");
    writeln!(session.out, "{}  {}", session.paint.bold(&total), session.paint.dim(&more))?;
    Ok(())
}

/// Draws the question of one task and takes the answer.
fn question(
    args: &AskArgs,
    task: &Task,
    asked: &AskReport,
    session: &mut Session<'_>,
) -> Result<()> {
    let prints = args.output.as_deref().is_some_and(file::is_stdout);
    let Some(question) = &asked.question else {
        let line = match asked.rivals.len() {
            0 => "Nothing fits all demos. A larger --budget searches longer.".to_owned(),
            _ => format!(
                "Nothing to ask: {} on {}.",
                match asked.rivals.len() {
                    1 => "one program fits, alone".to_owned(),
                    n => format!("{n} programs fit and agree"),
                },
                count(asked.input_count, "input")
            ),
        };
        if prints {
            session.note(&line);
        } else {
            writeln!(session.out, "{line}")?;
        }
        return Ok(());
    };
    if !prints {
        draw(task, asked, question, session)?;
    }
    let Some(choice) = chosen(args, question, session)? else { return Ok(()) };
    let Some(settled) = choice.checked_sub(1).and_then(|n| question.settle(task, n)) else {
        bail!("there is no output {choice}: choose one from 1 to {}", question.choices.len());
    };
    let left = question.choices[choice - 1].rivals.len();
    let demos = count(settled.demos.len(), "demo");
    let text = format!("{}\n", arc(&settled));
    if let Some(path) = &args.output {
        file::write_or_print(path, text.as_bytes(), session.out)?;
    }
    if !prints {
        let place = args.output.as_ref().map(|path| visible(&path.to_string_lossy()));
        let place = place.unwrap_or_else(|| visible(&task.id));
        writeln!(session.out, "{place}: {demos}, {} left", count(left, "program"))?;
    }
    Ok(())
}

fn draw(
    task: &Task,
    asked: &AskReport,
    question: &Question,
    session: &mut Session<'_>,
) -> Result<()> {
    let rivals = count(asked.rivals.len(), "program");
    let head = format!("task {}", visible(&task.id));
    let line = format!("{rivals} fit all demos and disagree here");
    writeln!(session.out, "{}  {}\n", session.paint.bold(&head), session.paint.dim(&line))?;
    let titles: Vec<String> = (1..=question.choices.len()).map(|n| format!("output {n}")).collect();
    let mut shown =
        vec![ShownOutput { title: "input", grid: Some(&question.input), expected: None }];
    for (title, choice) in titles.iter().zip(&question.choices) {
        shown.push(ShownOutput { title, grid: Some(&choice.output), expected: None });
    }
    writeln!(session.out, "{}", outputs_text(&shown, &session.text))?;
    let mut table = Table::new(&["output", ">programs", "the least doubtful"]);
    for (n, choice) in question.choices.iter().enumerate() {
        let first = choice.rivals.first().and_then(|place| asked.rivals.get(*place));
        let code = first.map(|rival| text::print(&rival.entry.program, arcloom::Form::Inline));
        let code = code.as_deref().and_then(|code| code.trim_end().lines().last()).unwrap_or("");
        table.row([
            (Tone::Plain, (n + 1).to_string()),
            (Tone::Plain, choice.rivals.len().to_string()),
            (Tone::Dim, code.trim().trim_start_matches("return ").to_owned()),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    writeln!(session.out)?;
    Ok(())
}

/// The number of the output that is right; nothing where nobody says.
fn chosen(args: &AskArgs, question: &Question, session: &mut Session<'_>) -> Result<Option<usize>> {
    if args.pick.is_some() {
        return Ok(args.pick);
    }
    let most = question.choices.len();
    if io::stdin().is_terminal() {
        let line = format!("Which output is right? [1-{most}, Enter for none] ");
        write!(session.out, "{line}")?;
        session.out.flush()?;
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    match line.trim() {
        "" => Ok(None),
        number => match number.parse() {
            Ok(n) => Ok(Some(n)),
            Err(_) => bail!("`{}` is no number: type one from 1 to {most}", visible(number)),
        },
    }
}

fn cells(grid: &Grid) -> Json {
    grid.rows().map(|row| row.to_vec()).collect::<Vec<_>>().into()
}

/// A task in ARC's format.
fn arc(task: &Task) -> Json {
    let demo = |pair: &arcloom::corpus::Pair| json!({"input": cells(&pair.input), "output": cells(&pair.output)});
    let test = |(n, test): (usize, &arcloom::corpus::TestPair)| match verdict::expected(
        task,
        task.demos.len() + n,
    ) {
        Some(output) => json!({"input": cells(&test.input), "output": cells(output)}),
        None => json!({"input": cells(&test.input)}),
    };
    let train: Vec<Json> = task.demos.iter().map(demo).collect();
    let tests: Vec<Json> = task.tests.iter().enumerate().map(test).collect();
    json!({"train": train, "test": tests})
}

fn object(asked: &AskReport) -> Json {
    let program =
        |place: &usize| text::print(&asked.rivals[*place].entry.program, arcloom::Form::Straight);
    let choices = |question: &Question| -> Vec<Json> {
        let choice = |choice: &arcloom::Choosable| {
            let programs: Vec<String> = choice.rivals.iter().map(program).collect();
            json!({"output": cells(&choice.output), "programs": programs})
        };
        question.choices.iter().map(choice).collect()
    };
    let question = asked.question.as_ref();
    json!({
        "task": asked.task,
        "program_count": asked.rivals.len(),
        "input_count": asked.input_count,
        "question": question.map(|q| json!({"input": cells(&q.input), "choices": choices(q)})),
    })
}
