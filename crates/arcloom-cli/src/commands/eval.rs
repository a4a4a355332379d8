//! `arcloom eval --stdin`: programs as they come, one JSON line each, answered in order.
//!
//! A thread reads lines; whatever has come by the time the last answers are written is evaluated
//! together on all threads. So a single line is answered at once, and a flood at full speed.

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};

use anyhow::Result;
use arcloom::corpus::{GridLimits, parse_tasks};
use arcloom::eval::EvalSource;
use arcloom::{Catalog, Engine, JSON_SCHEMA, TaskSet, TaskView, nearest};
use serde_json::{Value as Json, json};

use crate::args::eval::EvalArgs;
use crate::locate;
use crate::session::Session;

/// Most lines that are evaluated together, and that wait.
const BATCH: usize = 1024;
/// Longest line.
const MAX_LINE: usize = 16 << 20;

/// A line of the input.
type Line = (usize, io::Result<Vec<u8>>);

pub(crate) fn run(args: &EvalArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let judge = Judge::new(args, &session.catalog)?;
    let (send, lines) = sync_channel::<Line>(BATCH);
    std::thread::spawn(move || {
        let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
        for number in 1.. {
            let line = next_line(&mut input);
            let last = !matches!(&line, Ok(line) if !line.is_empty());
            // Nobody listens any more once the output is closed.
            if matches!(&line, Ok(line) if line.is_empty())
                || send.send((number, line)).is_err()
                || last
            {
                break;
            }
        }
    });
    while let Some(batch) = next_batch(&lines) {
        for answer in judge.engine.for_each(&batch, |machine, line| judge.answer(machine, line)) {
            session.out.write_all(answer.as_bytes())?;
        }
        session.out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The next line with its end; nothing at the end of the input. What is longer than a line may be is
/// cut, and then is no JSON.
fn next_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let part = input.fill_buf()?;
        let end = part.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let used = end.unwrap_or(part.len());
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(&part[..used.min(room)]);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(line);
        }
    }
}

/// Everything that has come, at least one line; `None` at the end.
fn next_batch(lines: &Receiver<Line>) -> Option<Vec<Line>> {
    let mut batch = vec![lines.recv().ok()?];
    batch.extend(lines.try_iter().take(BATCH - 1));
    Some(batch)
}

/// What answers lines.
struct Judge {
    engine: Engine,
    /// Ascending by name.
    tasks: Vec<TaskView>,
    set: String,
    limits: GridLimits,
}

impl Judge {
    fn new(args: &EvalArgs, catalog: &Catalog) -> Result<Judge> {
        let TaskSet { name: set, tasks, .. } = match args.tasks.tasks.as_slice() {
            [] => catalog.resolve_tasks("embedded")?,
            specs => locate::tasks(catalog, specs, locate::Reading::Strict)?,
        };
        let mut builder = Engine::builder().threads(args.jobs.threads());
        if let Some(units) = args.call_budget.call_budget {
            builder = builder.call_budget(units);
        }
        let tasks = tasks.iter().map(TaskView::new).collect();
        Ok(Judge { engine: builder.build()?, tasks, set, limits: *catalog.limits() })
    }

    /// The answer to a line, with its end.
    fn answer(&self, machine: &mut arcloom::Machine, (number, line): &Line) -> String {
        match self.evaluate(machine, line) {
            Ok(answer) => answer,
            Err((id, reason)) => {
                let error = json!({ "message": reason });
                let mut answer = json!({ "schema": JSON_SCHEMA, "line": number, "error": error });
                if let Some(id) = id {
                    answer["id"] = id;
                }
                format!("{answer}\n")
            }
        }
    }

    /// The error is for people, with whatever the line has under `id`.
    fn evaluate(
        &self,
        machine: &mut arcloom::Machine,
        line: &io::Result<Vec<u8>>,
    ) -> Result<String, (Option<Json>, String)> {
        let bytes = line.as_ref().map_err(|error| (None, format!("cannot read: {error}")))?;
        let request: Json = serde_json::from_slice(bytes)
            .map_err(|error| (None, format!("not a line of JSON: {error}")))?;
        let id = request.get("id").cloned();
        let fault = |reason: String| (id.clone(), reason);
        let Some(text) = request.get("program").and_then(Json::as_str) else {
            return Err(fault("\"program\" must be the text of a program".to_string()));
        };
        let own;
        let task = match request.get("task") {
            Some(Json::String(name)) => self.find(name).map_err(fault)?,
            Some(task @ Json::Object(_)) => {
                let tasks = parse_tasks(task.to_string().as_bytes(), "task", &self.limits)
                    .map_err(|error| fault(error.to_string()))?;
                let [task] = tasks.tasks.as_slice() else {
                    return Err(fault(format!("\"task\" holds {} tasks", tasks.tasks.len())));
                };
                own = TaskView::new(task);
                &own
            }
            _ => return Err(fault("\"task\" must be the name of a task, or a task".to_string())),
        };
        let judged = self.engine.judge(machine, &EvalSource::Text(text.to_owned()), task);
        let mut answer = String::with_capacity(1024);
        let head = id.map_or(String::new(), |id| format!("\"id\": {id}, "));
        judged.write_json(&mut answer, &head, machine, task);
        answer.push('\n');
        Ok(answer)
    }

    fn find(&self, name: &str) -> Result<&TaskView, String> {
        match self.tasks.binary_search_by(|task| task.id.as_str().cmp(name)) {
            Ok(place) => Ok(&self.tasks[place]),
            Err(_) => {
                let names = self.tasks.iter().map(|task| task.id.as_str());
                let near = nearest(name, names.collect::<Vec<_>>());
                let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
                Err(format!("no task `{name}` in {}{near}", self.set))
            }
        }
    }
}
