//! `arcloom score`: a submission against the answers.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use arcloom::corpus::Submission;
use arcloom::verdict::SubmissionScore;
use arcloom::{TaskSet, TestState};
use serde_json::json;

use crate::args::submit::ScoreArgs;
use crate::locate::{self, FileKind, Reading, kind_of};
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;

/// How one task of a submission did.
struct Row<'a> {
    task: &'a str,
    right: usize,
    known: usize,
    tests: usize,
    is_there: bool,
}

impl Row<'_> {
    fn state(&self) -> TestState {
        match (self.right == self.known, self.known == self.tests) {
            (false, _) => TestState::Wrong,
            (true, true) => TestState::Right,
            (true, false) => TestState::Unknown,
        }
    }
}

pub(crate) fn run(args: &ScoreArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let tasks = locate::tasks(&session.catalog, &args.tasks.tasks, Reading::Strict)?;
    let limits = session.catalog.limits();
    if let Some(FileKind::Tasks | FileKind::Programs | FileKind::Archive) =
        kind_of(&args.submission)
    {
        let place = visible(&args.submission.to_string_lossy());
        bail!(
            "{place}: is not a submission; `arcloom submit` and `arcloom solve -o FILE` write one"
        );
    }
    let (submission, skipped) = match args.partial {
        true => Submission::load_partial(&args.submission, &tasks, limits)?,
        false => {
            let whole = Submission::load(&args.submission, &tasks, limits);
            let whole = whole.map_err(|error| {
                anyhow!("{error}; --partial scores a submission that is not complete")
            });
            (whole?, Vec::new())
        }
    };
    let score = SubmissionScore::new(&submission, &tasks);
    if score.outputs == 0 {
        bail!("{}: has no answers to score with; name a set with solutions", visible(&tasks.name));
    }
    let rows = rows(&submission, &tasks);
    if !skipped.is_empty() && !args.json.json {
        let names: Vec<&str> = skipped.iter().take(3).map(String::as_str).collect();
        let more = if skipped.len() > 3 { ", ..." } else { "" };
        let set = visible(&tasks.name);
        session.warn(&format!(
            "{} not in {set}, ignored: {}{more}",
            count(skipped.len(), "task"),
            names.join(", ")
        ));
    }
    if args.json.json {
        let list = rows.iter().map(|row| {
            json!({"task": row.task, "tests": row.state().name(), "right_test_count": row.right,
                   "test_count": row.tests, "missing": !row.is_there})
        });
        let object = json!({
            "schema": arcloom::JSON_SCHEMA,
            "outputs_score": score.outputs_score(),
            "tasks_score": score.tasks_score(),
            "right_output_count": score.outputs_right,
            "output_count": score.outputs,
            "right_task_count": score.tasks_right,
            "task_count": score.tasks,
            "tasks": list.collect::<Vec<_>>(),
        });
        writeln!(session.out, "{object}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.quiet.quiet {
        let table = failed(&rows);
        if !table.is_empty() {
            table.write(session.out, session.paint, session.columns)?;
            writeln!(session.out)?;
        }
        let missing = rows.iter().filter(|row| !row.is_there).count();
        if missing > 0 {
            let missing = count(missing, "task");
            writeln!(session.out, "not in the submission, counted as wrong: {missing}\n")?;
        }
    }
    let line = |right, all, share: f64, what| {
        format!("{right} of {all} {what} right: {:.2} %", 100.0 * share)
    };
    let outputs = line(score.outputs_right, score.outputs, score.outputs_score(), "outputs");
    let tasks = line(score.tasks_right, score.tasks, score.tasks_score(), "tasks all");
    writeln!(session.out, "{outputs}\n{tasks}")?;
    Ok(ExitCode::SUCCESS)
}

fn rows<'a>(submission: &Submission, tasks: &'a TaskSet) -> Vec<Row<'a>> {
    let row = |task: &'a arcloom::Task| {
        let attempts = submission.answers.get(&task.id);
        let one = TaskSet::new(&task.id, vec![task.clone()]);
        let score = SubmissionScore::new(submission, &one);
        let (right, known) = (score.outputs_right, score.outputs);
        let is_there = attempts.is_some_and(|tests| !tests.is_empty());
        Row { task: &task.id, right, known, tests: task.tests.len(), is_there }
    };
    tasks.tasks.iter().map(row).collect()
}

/// The tasks of the submission that are not right.
fn failed(rows: &[Row<'_>]) -> Table {
    let mut table = Table::new(&["task", "tests", "right"]);
    let wrong = |row: &&Row<'_>| row.is_there && row.state() == TestState::Wrong;
    for row in rows.iter().filter(wrong) {
        table.row([
            (Tone::Plain, row.task.to_owned()),
            (Tone::Bad, row.state().name().to_owned()),
            (Tone::Plain, format!("{}/{}", row.right, row.known)),
        ]);
    }
    table
}
