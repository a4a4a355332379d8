//! What a run came to, test answers included. Nothing here goes back into a run.

use arcloom_graph::batt::Batt;
use arcloom_tasks::Task;

use super::TaskRun;

/// Whether a task's tests are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solved {
    /// Every known answer is among the two attempts.
    Yes,
    /// Some is not.
    No,
    /// No answer is known.
    Unknown,
}

/// A batt on one task, judged.
#[derive(Debug, Clone)]
pub struct TaskReport {
    /// The task.
    pub id: String,
    /// What was computed without the answers.
    pub run: TaskRun,
    /// Whether the tests are solved, all of them.
    pub solved: Solved,
    /// Tests whose answer is known, and is among the two attempts.
    pub right: usize,
    /// Tests whose answer is known.
    pub known: usize,
    /// True when the tests are solved and no program that was written for this task does so among
    /// the reported candidates.
    pub elsewhere: bool,
}

impl TaskReport {
    pub(super) fn new(batt: &Batt, task: &Task, run: TaskRun) -> TaskReport {
        let known = task.tests.iter().filter(|test| test.output.is_some()).count();
        let is_right = |(n, attempts): (usize, &Vec<_>)| {
            task.tests[n].output.as_ref().is_some_and(|answer| attempts.contains(answer))
        };
        let right = run.attempts.iter().enumerate().filter(|&pair| is_right(pair)).count();
        let solved = match known {
            0 => Solved::Unknown,
            _ if right == known => Solved::Yes,
            _ => Solved::No,
        };
        let answers = |candidate: &&super::Candidate| {
            candidate.solved == run.demos
                && candidate.predictions.iter().zip(&task.tests).all(|(grid, test)| {
                    test.output.is_none() || grid.as_ref() == test.output.as_ref()
                })
        };
        let is_own = |root: &usize| batt.roots()[*root].task == task.id;
        let own = run.best.iter().filter(answers).flat_map(|best| &best.roots).any(is_own);
        let elsewhere = solved == Solved::Yes && !own;
        TaskReport { id: task.id.clone(), run, solved, right, known, elsewhere }
    }
}
