//! `arcloom score`: a submission against the answers.

use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::corpus::Submission;
use arcloom::verdict::SubmissionScore;
use serde_json::json;

use crate::args::submit::ScoreArgs;
use crate::locate;
use crate::session::Session;

pub(crate) fn run(args: &ScoreArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let tasks = locate::task_set(&session.catalog, &args.tasks)?;
    let submission = Submission::load(&args.submission, &tasks, session.catalog.limits())?;
    let score = SubmissionScore::new(&submission, &tasks);
    if score.outputs == 0 {
        bail!("{}: has no answers to judge by; give a set with solutions", tasks.name);
    }
    if args.json {
        let object = json!({
            "schema": arcloom::JSON_SCHEMA,
            "outputs_score": score.outputs_score(),
            "tasks_score": score.tasks_score(),
            "right_output_count": score.outputs_right,
            "output_count": score.outputs,
            "right_task_count": score.tasks_right,
            "task_count": score.tasks,
        });
        writeln!(session.out, "{object}")?;
    } else {
        let line = |right, all, share: f64, what| {
            format!("{right} of {all} {what} right: {:.2} %", 100.0 * share)
        };
        let outputs = line(score.outputs_right, score.outputs, score.outputs_score(), "outputs");
        let tasks = line(score.tasks_right, score.tasks, score.tasks_score(), "tasks all");
        writeln!(session.out, "{outputs}\n{tasks}")?;
    }
    Ok(ExitCode::SUCCESS)
}
