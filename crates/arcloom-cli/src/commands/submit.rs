//! `arcloom submit`: two attempts for every test of a challenges file.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use arcloom::corpus::Submission;
use arcloom::timing::span;
use arcloom::{Attempts, Engine, JSON_SCHEMA, RunOptions, Stop};
use serde_json::json;

use crate::args::submit::SubmitArgs;
use crate::locate::{PROGRAMS, Reading, TASKS};
use crate::paint::{count, visible};
use crate::session::Session;
use crate::submission::Pending;
use crate::timing::{self, Watch};
use crate::{NOT_RIGHT, NOT_RUN, device, file, interrupt, locate};

pub(crate) fn run(args: &SubmitArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let watch = Watch::start(&args.timing, args.json.json);
    let load = span("load");
    let stop = Arc::new(Stop::at(args.budget.map(|limit| Instant::now() + limit)));
    let quiet = args.quiet.quiet || args.json.json;
    let say = |how| (!quiet).then_some(how);
    let programs = &args.programs.programs;
    let library = locate::programs_or_default(session, programs, false, say(PROGRAMS))?;
    let specs = &args.tasks.tasks;
    let tasks = locate::tasks_or_default(session, specs, &library, Reading::Lenient, say(TASKS))?;
    if library.programs.is_empty() {
        return Ok(ExitCode::from(NOT_RUN));
    }
    locate::warn_of_malformed(session, &tasks);
    let engine = Engine::builder().threads(args.jobs.threads()).build()?;
    drop(load);
    let card = span("card");
    let batt = engine.merge(&library.programs);
    drop(card);
    let pending = Pending::new(&args.output, &tasks)?;
    interrupt::sets(&stop);
    let progress = session.progress("running", tasks.tasks.len(), quiet);
    let options = RunOptions { device: args.device.device, ..RunOptions::default() };
    let report = engine.run(&batt, &tasks, &options, &stop, &|done| progress.at(done));
    drop(progress);
    device::tell(&args.device, report.device.as_slice(), args.quiet.quiet, session)?;

    let print = span("print");
    let fitted = report.fits();
    let attempts = report.tasks.into_iter().map(|task| (task.id, task.run.attempts));
    let mut attempts: BTreeMap<String, Attempts> = attempts.collect();
    let submission =
        Submission::new(&tasks, |id| attempts.remove(id).unwrap_or_default().into_tests());
    pending.write(&submission, session)?;
    let tests: usize = submission.answers.values().map(Vec::len).sum();
    let is_alone = file::is_stdout(&args.output) || timing::is_trace(&args.timing);
    watch.write_trace(&args.timing, session)?;
    drop(print);
    if args.json.json {
        let object = json!({
            "schema": JSON_SCHEMA,
            "task_set": tasks.name,
            "task_count": submission.answers.len(),
            "test_count": tests,
            "fits_count": fitted,
            "unfinished_count": report.unfinished,
            "timing": watch.times().json(),
        });
        serde_json::to_writer_pretty(&mut *session.out, &object)?;
        writeln!(session.out)?;
    } else if !is_alone {
        if !quiet {
            writeln!(
                session.out,
                "{}: {}, {}; {} fit",
                visible(&args.output.to_string_lossy()),
                count(submission.answers.len(), "task"),
                count(tests, "test"),
                fitted
            )?;
        }
        if args.timing.timing {
            watch.times().write(session)?;
        }
    }
    if report.unfinished > 0 {
        session.warn(&format!(
            "stopped early: {} without attempts of their own",
            count(report.unfinished, "task")
        ));
    }
    let whole = report.unfinished == 0 && library.errors.is_empty() && tasks.malformed.is_empty();
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(NOT_RIGHT) })
}
