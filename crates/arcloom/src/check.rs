//! Whether programs solve tasks: every pair, demo and test, compared with its answer.
//!
//! This is reporting code: the one place besides the viewer's where test answers are read.

use std::sync::atomic::{AtomicUsize, Ordering};

use arcloom_graph::{Inputs, Machine, Profile};
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Value;

use crate::engine::Engine;
use crate::library::Entry;
use crate::trace::samples_value;

/// How a program did on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Right on every pair whose answer is known.
    Solved,
    /// Wrong answer.
    Wrong,
    /// A step failed.
    Failed,
    /// A step took more work than allowed.
    OverBudget,
    /// There is no such task in the set.
    NoTask,
}

impl Verdict {
    /// The verdict in reports: `solved`, `wrong`, `failed`, `over_budget`, `no_task`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Solved => "solved",
            Verdict::Wrong => "wrong",
            Verdict::Failed => "failed",
            Verdict::OverBudget => "over_budget",
            Verdict::NoTask => "no_task",
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
    pub verdict: Verdict,
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
    /// Calls and time per primitive, where asked for.
    pub profile: Option<Profile>,
}

impl CheckReport {
    /// Rows with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
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
        let mut machine = self.machine();
        let mut profile = Profile::default();
        let rows = programs
            .iter()
            .enumerate()
            .map(|(n, entry)| {
                check_one(n, entry, tasks.get(&entry.task), |inputs| {
                    machine.run_profiled(&entry.plan, inputs, &mut profile)
                })
            })
            .collect();
        CheckReport { rows, profile: Some(profile) }
    }

    fn check_jobs(
        &self,
        programs: &[Entry],
        jobs: &[(usize, Option<&Task>)],
        progress: &(dyn Fn(usize) + Sync),
    ) -> CheckReport {
        let done = AtomicUsize::new(0);
        let rows = self.map(jobs, |machine: &mut Machine, &(n, task)| {
            let entry = &programs[n];
            let row = check_one(n, entry, task, |inputs| machine.run(&entry.plan, inputs));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            row
        });
        CheckReport { rows, profile: None }
    }
}

fn check_one(
    program: usize,
    entry: &Entry,
    task: Option<&Task>,
    mut run: impl FnMut(&Inputs<'_>) -> Result<Value, arcloom_graph::Failure>,
) -> CheckRow {
    let mut row = CheckRow {
        program,
        task: task.map_or(entry.task.clone(), |t| t.id.clone()),
        verdict: Verdict::Solved,
        pair: None,
        pair_name: None,
        reason: None,
        pairs: 0,
        right: 0,
    };
    let Some(task) = task else {
        row.verdict = Verdict::NoTask;
        row.reason = Some(format!("the task set has no task `{}`", entry.task));
        return row;
    };
    let samples = samples_value(task);
    let demos = task.demos.iter().map(|p| (&p.input, Some(&p.output)));
    let tests = task.tests.iter().map(|p| (&p.input, p.output.as_ref()));
    for (n, (input, answer)) in demos.chain(tests).enumerate() {
        let input = Value::Grid(input.clone());
        row.pairs += 1;
        let outcome = run(&Inputs { input: &input, samples: &samples, expected: &Value::None });
        let (verdict, reason) = match (outcome, answer) {
            (Ok(_), None) => (Verdict::Solved, None),
            (Ok(value), Some(answer)) => match difference(&value, answer) {
                None => (Verdict::Solved, None),
                Some(reason) => (Verdict::Wrong, Some(reason)),
            },
            (Err(failure), _) => {
                let over = failure.error.is_budget();
                let verdict = if over { Verdict::OverBudget } else { Verdict::Failed };
                (verdict, Some(failure.error.to_string()))
            }
        };
        if verdict == Verdict::Solved {
            row.right += 1;
        } else if row.verdict == Verdict::Solved {
            row.verdict = verdict;
            row.pair = Some(n);
            row.pair_name = Some(match n.checked_sub(task.demos.len()) {
                None => format!("demo {}", n + 1),
                Some(test) => format!("test {}", test + 1),
            });
            row.reason = reason;
        }
    }
    row
}

/// How a value differs from the expected grid, in words; `None` when it does not.
fn difference(value: &Value, answer: &arcloom_value::Grid) -> Option<String> {
    let Value::Grid(grid) = value.canonical() else {
        return Some("the result is not a grid".to_string());
    };
    if grid == *answer {
        return None;
    }
    let (h, w, eh, ew) = (grid.height(), grid.width(), answer.height(), answer.width());
    if (h, w) != (eh, ew) {
        return Some(format!("the result is {h}x{w}, expected {eh}x{ew}"));
    }
    let cells = grid.cells().iter().zip(answer.cells()).filter(|(a, b)| a != b).count();
    Some(format!("{cells} of {} cells differ", h * w))
}
