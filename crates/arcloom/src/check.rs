//! Whether programs are right on tasks: every output, demo and test, beside the expected one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arcloom_graph::profile::CpuWatch;
use arcloom_graph::spans::thread_cpu;
use arcloom_graph::{Machine, NoOutput, Output, Profile, TaskView};
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Grid;

use crate::engine::Engine;
use crate::library::Entry;
use crate::verdict;

/// How a program did on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckState {
    /// Right on every pair whose expected output is known.
    Right,
    /// Another output than expected.
    Wrong,
    /// A step failed.
    Failed,
    /// A step took more work than allowed.
    OverBudget,
    /// There is no such task in the set.
    NoTask,
}

impl CheckState {
    /// The word in reports: `right`, `wrong`, `failed`, `over_budget`, `no_task`.
    pub fn name(self) -> &'static str {
        match self {
            CheckState::Right => "right",
            CheckState::Wrong => "wrong",
            CheckState::Failed => "failed",
            CheckState::OverBudget => "over_budget",
            CheckState::NoTask => "no_task",
        }
    }
}

/// How one program did on one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRow {
    /// Index of the program in the list that was checked.
    pub program: usize,
    /// The task.
    pub task: String,
    /// How it did.
    pub state: CheckState,
    /// The first pair that went wrong, counted from 0, demos before tests.
    pub pair: Option<usize>,
    /// The same for people: `demo 2`, `test 1`.
    pub pair_name: Option<String>,
    /// Why, for people.
    pub reason: Option<String>,
    /// Pairs looked at.
    pub pairs: usize,
    /// Pairs right.
    pub right: usize,
}

/// How many programs did on their tasks.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// In the order of programs, then tasks.
    pub rows: Vec<CheckRow>,
    /// Processor time of each row: the program on all inputs of the task. The inputs' preparation is not in it.
    pub times: Vec<Duration>,
    /// Calls and time per primitive, where asked for.
    pub profile: Option<Profile>,
}

impl CheckReport {
    /// Rows in this state.
    pub fn count(&self, state: CheckState) -> usize {
        self.rows.iter().filter(|row| row.state == state).count()
    }
}

impl Engine {
    /// Every program on its own task. `progress` hears the number of rows done so far.
    pub fn check(
        &self,
        programs: &[Entry],
        tasks: &TaskSet,
        progress: &(dyn Fn(usize) + Sync),
    ) -> CheckReport {
        let jobs: Vec<(usize, Option<&Task>)> =
            programs.iter().enumerate().map(|(n, entry)| (n, tasks.get(&entry.task))).collect();
        self.check_jobs(programs, &jobs, progress)
    }

    /// Every program on every task.
    pub fn check_all(
        &self,
        programs: &[Entry],
        tasks: &TaskSet,
        progress: &(dyn Fn(usize) + Sync),
    ) -> CheckReport {
        let jobs: Vec<(usize, Option<&Task>)> = (0..programs.len())
            .flat_map(|n| tasks.tasks.iter().map(move |task| (n, Some(task))))
            .collect();
        self.check_jobs(programs, &jobs, progress)
    }

    /// Every program on its own task, one thread, with the time of every step.
    pub fn profile(&self, programs: &[Entry], tasks: &TaskSet) -> CheckReport {
        let mut machine = self.machine().with_profile();
        let mut profile = Profile::default();
        let own = |(n, entry): (usize, &Entry)| {
            let watch = CpuWatch::start();
            let row = check_one(&mut machine, n, entry, tasks.get(&entry.task));
            if let Some(more) = watch.scaled(machine.take_profile()) {
                profile.merge(&more);
            }
            row
        };
        let (rows, times) = programs.iter().enumerate().map(own).unzip();
        CheckReport { rows, times, profile: Some(profile) }
    }

    fn check_jobs(
        &self,
        programs: &[Entry],
        jobs: &[(usize, Option<&Task>)],
        progress: &(dyn Fn(usize) + Sync),
    ) -> CheckReport {
        let done = AtomicUsize::new(0);
        let timed = self.map(jobs, |machine: &mut Machine, &(n, task)| {
            let row = check_one(machine, n, &programs[n], task);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            row
        });
        let (rows, times) = timed.into_iter().unzip();
        CheckReport { rows, times, profile: None }
    }
}

fn check_one(
    machine: &mut Machine,
    program: usize,
    entry: &Entry,
    task: Option<&Task>,
) -> (CheckRow, Duration) {
    let mut row = CheckRow {
        program,
        task: task.map_or(entry.task.clone(), |t| t.id.clone()),
        state: CheckState::Right,
        pair: None,
        pair_name: None,
        reason: None,
        pairs: 0,
        right: 0,
    };
    let Some(task) = task else {
        row.state = CheckState::NoTask;
        row.reason = Some(format!("the task set has no task `{}`", entry.task));
        return (row, Duration::ZERO);
    };
    let view = TaskView::new(task);
    let start = thread_cpu();
    let outputs = machine.outputs(&entry.plan, &view);
    let time = thread_cpu().saturating_sub(start);
    for (n, output) in outputs.all().enumerate() {
        row.pairs += 1;
        let state = match output {
            Err(error @ NoOutput::Failed(_)) => {
                let over = error.is_budget();
                let state = if over { CheckState::OverBudget } else { CheckState::Failed };
                Some((state, error.to_string()))
            }
            output => difference(output, verdict::expected(task, n))
                .map(|reason| (CheckState::Wrong, reason)),
        };
        match state {
            None => row.right += 1,
            Some((state, reason)) if row.state == CheckState::Right => {
                row.state = state;
                row.pair = Some(n);
                row.pair_name = Some(verdict::pair_name(task, n));
                row.reason = Some(reason);
            }
            Some(_) => {}
        }
    }
    (row, time)
}

/// How an output differs from the expected grid, in words; `None` when it does not, or when nothing is
/// known about it.
fn difference(output: &Output, expected: Option<&Grid>) -> Option<String> {
    let expected = expected?;
    let grid = match output {
        Ok(grid) => grid,
        Err(error) => return Some(error.to_string()),
    };
    let (size, wanted) = ((grid.height(), grid.width()), (expected.height(), expected.width()));
    if size != wanted {
        let ((h, w), (eh, ew)) = (size, wanted);
        return Some(format!("the result is {h}x{w}, expected {eh}x{ew}"));
    }
    let wrong = grid.cells().iter().zip(expected.cells()).filter(|(a, b)| a != b).count();
    (wrong > 0).then(|| format!("{wrong} of {} cells differ", grid.cells().len()))
}
