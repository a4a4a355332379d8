//! Whether answers are right. This is the one module that reads the expected outputs of tests; what it
//! says is for people and is never stored, nor seen by anything that solves.

use std::fmt;

use arcloom_tasks::{Submission, Task, TaskSet};
use arcloom_value::Grid;

use crate::attempts::Attempts;
use crate::eval::Evaluation;

/// Whether the tests of a task are right, all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TestState {
    /// All are right.
    Right,
    /// One is wrong.
    Wrong,
    /// None is known to be wrong, and the expected output of one is not known.
    Unknown,
}

impl TestState {
    /// The word for it everywhere.
    pub fn name(self) -> &'static str {
        match self {
            TestState::Right => "right",
            TestState::Wrong => "wrong",
            TestState::Unknown => "unknown",
        }
    }

    /// All tests of a task, `is_right` being asked about those whose expected output is known.
    fn of(task: &Task, is_right: impl Fn(usize, &Grid) -> bool) -> TestState {
        let mut state = if task.tests.is_empty() { TestState::Unknown } else { TestState::Right };
        for (n, test) in task.tests.iter().enumerate() {
            match test.expected_output() {
                Some(expected) if !is_right(n, expected) => return TestState::Wrong,
                Some(_) => {}
                None => state = TestState::Unknown,
            }
        }
        state
    }
}

impl fmt::Display for TestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a task is by a program, or by the attempts that are handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Demos that fit.
    pub fits: usize,
    /// Demos there are.
    pub demos: usize,
    /// The tests.
    pub tests: TestState,
}

impl Verdict {
    /// Of one program.
    pub fn of_program(task: &Task, found: &Evaluation) -> Verdict {
        let outputs = &found.outputs.tests;
        let is_right = |n: usize, expected: &Grid| {
            outputs.get(n).is_some_and(|output| output.as_ref() == Ok(expected))
        };
        let tests = TestState::of(task, is_right);
        Verdict { fits: found.fit.count(), demos: task.demos.len(), tests }
    }

    /// Of what is handed in, whose first program fits so many demos.
    pub fn of_attempts(task: &Task, fits: usize, attempts: &Attempts) -> Verdict {
        let is_right = |n: usize, expected: &Grid| attempts.of_test(n).contains(expected);
        Verdict { fits, demos: task.demos.len(), tests: TestState::of(task, is_right) }
    }

    /// True when all demos fit.
    pub fn is_fit(&self) -> bool {
        self.fits == self.demos
    }

    /// True when all tests are right.
    pub fn is_right(&self) -> bool {
        self.tests == TestState::Right
    }

    /// The state in lists.
    pub fn state(&self) -> TaskState {
        match (self.is_right(), self.is_fit()) {
            (true, _) => TaskState::Right,
            (false, true) => TaskState::Fits,
            (false, false) => TaskState::Open,
        }
    }
}

/// How far a task is, in one word, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub enum TaskState {
    /// Nothing was tried on it.
    #[default]
    Untried,
    /// Nothing fits all demos.
    Open,
    /// All demos fit; the tests are wrong or unknown.
    Fits,
    /// All tests are right.
    Right,
}

impl TaskState {
    /// All of them, the best first.
    pub const ALL: [TaskState; 4] =
        [TaskState::Right, TaskState::Fits, TaskState::Open, TaskState::Untried];

    /// The word for it everywhere.
    pub fn name(self) -> &'static str {
        match self {
            TaskState::Untried => "untried",
            TaskState::Open => "open",
            TaskState::Fits => "fits",
            TaskState::Right => "right",
        }
    }

    /// What it means, for people.
    pub fn about(self) -> &'static str {
        match self {
            TaskState::Untried => "nothing was tried",
            TaskState::Open => "nothing fits all demos",
            TaskState::Fits => "all demos fit; the tests are wrong or unknown",
            TaskState::Right => "all tests are right within two attempts",
        }
    }
}

/// The expected output of pair `n` of a task, demos before tests, where it is known: to show it.
pub fn expected(task: &Task, n: usize) -> Option<&Grid> {
    match n.checked_sub(task.demos.len()) {
        None => task.demos.get(n).map(|pair| &pair.output),
        Some(test) => task.tests.get(test)?.expected_output(),
    }
}

/// Whether the output for pair `n` of a task, demos before tests, is the expected one.
pub fn pair_state(task: &Task, n: usize, found: &Evaluation) -> TestState {
    match (expected(task, n), found.output(n)) {
        (None, _) => TestState::Unknown,
        (Some(expected), Some(Ok(grid))) if grid == expected => TestState::Right,
        _ => TestState::Wrong,
    }
}

/// The name of pair `n`, demos before tests: `demo 2`, `test 1`.
pub fn pair_name(task: &Task, n: usize) -> String {
    match n.checked_sub(task.demos.len()) {
        None => format!("demo {}", n + 1),
        Some(test) => format!("test {}", test + 1),
    }
}

/// How good a submission is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubmissionScore {
    /// Tests of which one of the two attempts is right.
    pub outputs_right: usize,
    /// Tests whose expected output is known.
    pub outputs: usize,
    /// Tasks of which every known test is right.
    pub tasks_right: usize,
    /// Tasks with a known test.
    pub tasks: usize,
}

impl SubmissionScore {
    /// Judges a submission by what the tasks expect.
    pub fn new(submission: &Submission, tasks: &TaskSet) -> SubmissionScore {
        let mut score = SubmissionScore::default();
        for task in &tasks.tasks {
            let attempts = submission.answers.get(&task.id).map_or(&[][..], Vec::as_slice);
            let (right, known) = tests_right(task, |n, expected| {
                attempts.get(n).is_some_and(|pair| pair.contains(expected))
            });
            score.outputs += known;
            score.outputs_right += right;
            score.tasks += usize::from(known > 0);
            score.tasks_right += usize::from(known > 0 && right == known);
        }
        score
    }

    /// Kaggle's measure: the share of outputs that are right.
    pub fn outputs_score(&self) -> f64 {
        share(self.outputs_right, self.outputs)
    }

    /// The share of tasks of which all outputs are right.
    pub fn tasks_score(&self) -> f64 {
        share(self.tasks_right, self.tasks)
    }
}

/// True when outputs are those expected of all tests of which that is known.
pub(crate) fn is_right_on_tests(task: &Task, outputs: &[Option<Grid>]) -> bool {
    let is_right =
        |n: usize, expected: &Grid| outputs.get(n).is_some_and(|o| o.as_ref() == Some(expected));
    let (right, known) = tests_right(task, is_right);
    right == known
}

/// Tests that are right, and tests whose expected output is known.
pub(crate) fn tests_right(task: &Task, is_right: impl Fn(usize, &Grid) -> bool) -> (usize, usize) {
    let known = task.tests.iter().enumerate().filter_map(|(n, t)| Some((n, t.expected_output()?)));
    known.fold((0, 0), |(right, all), (n, expected)| {
        (right + usize::from(is_right(n, expected)), all + 1)
    })
}

fn share(right: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { right as f64 / all as f64 }
}
