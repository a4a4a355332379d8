//! `arcloom check`: programs on tasks, and which are solved.

use std::cmp::Reverse;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use arcloom::{CheckReport, CheckRow, CheckState, Engine, Library, TaskSet};

use crate::args::check::CheckArgs;
use crate::clock::{Clock, Spent};
use crate::locate::Reading;
use crate::session::Session;
use crate::{NOT_RIGHT, NOT_RUN, locate};

mod json;
mod text;

/// Everything there is to say about one check.
struct Checked {
    library: Library,
    tasks: TaskSet,
    report: CheckReport,
    all_tasks: bool,
    threads: usize,
    /// How many of the slowest programs are asked for.
    slowest: Option<usize>,
    loading: Duration,
    running: Spent,
}

pub(crate) fn run(args: &CheckArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let start = Instant::now();
    let library = locate::programs(session, &args.programs, args.detail.verbose)?;
    let tasks = match args.tasks.tasks.as_slice() {
        // Programs that nothing is known of have nothing to be checked on.
        [] if !library.programs.is_empty() && !locate::has_home(&session.catalog, &library) => {
            bail!(
                "no task set here has the tasks of these programs; `arcloom data pull` downloads the public sets, `-t` names another"
            )
        }
        specs =>
        // The summary names the set.
        {
            locate::tasks_or_default(session, specs, &library, Reading::Strict, None)?
        }
    };
    let (library, tasks) = shared(library, tasks, args);
    let mut builder = Engine::builder().general_form(args.general);
    builder = builder.threads(if args.profile { 1 } else { args.jobs.threads() });
    if let Some(units) = args.call_budget.call_budget {
        builder = builder.call_budget(units);
    }
    let engine = builder.build()?;
    let loading = start.elapsed();

    let clock = Clock::start();
    let programs = &library.programs;
    let runs = programs.len() * if args.all_tasks { tasks.tasks.len() } else { 1 };
    let progress = session.progress("checking", runs, args.detail.quiet);
    let report = match (args.profile, args.all_tasks) {
        (true, _) => engine.profile(programs, &tasks),
        (false, true) => engine.check_all(programs, &tasks, &|done| progress.at(done)),
        (false, false) => engine.check(programs, &tasks, &|done| progress.at(done)),
    };
    let running = clock.spent();
    drop(progress);

    let (all_tasks, threads) = (args.all_tasks, engine.threads());
    let slowest = args.slowest();
    let checked = Checked { library, tasks, report, all_tasks, threads, slowest, loading, running };
    if args.json.json {
        json::write(&checked, session.out)?;
    } else {
        text::write(&checked, args, session)?;
    }
    Ok(checked.exit_code())
}

/// The tasks of a share. Programs go where their tasks are, and those whose task is not there are shared out as well.
fn shared(mut library: Library, tasks: TaskSet, args: &CheckArgs) -> (Library, TaskSet) {
    let Some(shard) = args.shard.shard else { return (library, tasks) };
    let share = shard.share(&tasks);
    if !args.all_tasks {
        let homeless: Vec<usize> = (0..library.programs.len())
            .filter(|&n| tasks.get(&library.programs[n].task).is_none())
            .collect();
        let mut ours = shard.take(homeless.iter().copied()).peekable();
        let mut n = 0;
        library.programs.retain(|entry| {
            n += 1;
            share.get(&entry.task).is_some() || ours.next_if_eq(&(n - 1)).is_some()
        });
    }
    (library, share)
}

impl Checked {
    /// True for the row of a program on the task it is meant for.
    fn is_own(&self, row: &CheckRow) -> bool {
        self.library.programs[row.program].task == row.task
    }

    /// The rows that took longest, with their processor time; none unless asked for.
    fn slow(&self) -> Vec<(&CheckRow, Duration)> {
        let timed = self.report.rows.iter().zip(self.report.times.iter().copied());
        let mut rows: Vec<(&CheckRow, Duration)> = timed.collect();
        rows.sort_by_key(|&(row, time)| (Reverse(time), row.program));
        rows.truncate(self.slowest.unwrap_or(0));
        rows
    }

    /// Programs that are right on the task they are meant for.
    fn right(&self) -> usize {
        let right = |row: &&CheckRow| row.state == CheckState::Right && self.is_own(row);
        self.report.rows.iter().filter(right).count()
    }

    /// Rows of programs that are right on a task they are not meant for.
    fn right_elsewhere(&self) -> impl Iterator<Item = &CheckRow> {
        let elsewhere = |row: &&CheckRow| row.state == CheckState::Right && !self.is_own(row);
        self.report.rows.iter().filter(elsewhere)
    }

    /// Whether every program is right on its own task, or on some task when the set does not have its own.
    fn all_right(&self) -> bool {
        let mut good = vec![false; self.library.programs.len()];
        let mut judged = vec![false; self.library.programs.len()];
        for row in &self.report.rows {
            let own = self.is_own(row);
            if own || !judged[row.program] {
                let right = row.state == CheckState::Right;
                good[row.program] = right || (!own && good[row.program]);
                judged[row.program] |= own;
            }
        }
        good.into_iter().all(|good| good)
    }

    fn exit_code(&self) -> ExitCode {
        if self.library.programs.is_empty() {
            ExitCode::from(NOT_RUN)
        } else if self.all_right() && self.library.errors.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(NOT_RIGHT)
        }
    }
}
