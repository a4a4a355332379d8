//! What a run came to, test answers included. Nothing here goes back into a run.

use arcloom_graph::batt::Batt;
use arcloom_tasks::Task;

use super::TaskRun;
use crate::verdict::{Verdict, is_right_on_tests, tests_right};

/// A batt on one task, judged.
#[derive(Debug, Clone)]
pub struct TaskReport {
    /// The task.
    pub id: String,
    /// What was computed without the answers.
    pub run: TaskRun,
    /// How far the task is by the attempts.
    pub verdict: Verdict,
    /// Tests whose expected output is known, and is among the two attempts.
    pub right: usize,
    /// Tests whose expected output is known.
    pub known: usize,
    /// True when the tests are right and no program that was written for this task gets them right among
    /// the reported candidates.
    pub elsewhere: bool,
}

impl TaskReport {
    pub(super) fn new(batt: &Batt, task: &Task, run: TaskRun) -> TaskReport {
        let verdict = Verdict::of_attempts(task, run.fits(), &run.attempts);
        let (right, known) =
            tests_right(task, |n, expected| run.attempts.of_test(n).contains(expected));
        let is_own = |root: &usize| batt.roots()[*root].task == task.id;
        let fitting = run.best.iter().filter(|best| best.solved == run.demos);
        let own = fitting
            .filter(|best| is_right_on_tests(task, &best.predictions))
            .flat_map(|best| &best.roots)
            .any(is_own);
        let elsewhere = verdict.is_right() && !own;
        TaskReport { id: task.id.clone(), run, verdict, right, known, elsewhere }
    }
}
