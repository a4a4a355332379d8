//! A task as programs see it, prepared once. There is no place in it for the expected output of a test.

use arcloom_dsl::differ::{Comparison, Expected, PERFECT, total};
use arcloom_tasks::{Pair, Task};
use arcloom_value::{Grid, Value};

use crate::evaluate::Output;

/// Inputs of a task, or some of them, and the demo pairs.
#[derive(Debug, Clone)]
pub struct TaskInputs {
    /// The demo pairs, `S`.
    pub samples: Value,
    /// Inputs of the demos, then of the tests.
    pub inputs: Vec<Value>,
}

/// A task prepared for running programs on it and judging them by its demos.
pub struct TaskView {
    /// The task's id.
    pub id: String,
    given: TaskInputs,
    expected: Vec<Expected>,
}

/// The demo pairs as programs see them: a tuple of (input, output) tuples.
pub fn samples_value(demos: &[Pair]) -> Value {
    let grid = |grid: &Grid| Value::Grid(grid.clone());
    let pair = |pair: &Pair| Value::tuple([grid(&pair.input), grid(&pair.output)]);
    Value::tuple(demos.iter().map(pair).collect::<Vec<Value>>())
}

impl TaskView {
    /// Prepares a task.
    pub fn new(task: &Task) -> TaskView {
        let demos = task.demos.iter().map(|pair| &pair.input);
        let inputs = demos.chain(task.tests.iter().map(|test| &test.input));
        TaskView {
            id: task.id.clone(),
            given: TaskInputs {
                samples: samples_value(&task.demos),
                inputs: inputs.map(|grid| Value::Grid(grid.clone())).collect(),
            },
            expected: task.demos.iter().map(|pair| Expected::new(&pair.output)).collect(),
        }
    }

    /// Further pairs of a task, seen with the task's own demos as `S`.
    pub fn of_pairs(demos: &[Pair], pairs: &[Pair]) -> TaskView {
        let (samples, id) = (samples_value(demos), String::new());
        let inputs = pairs.iter().map(|pair| Value::Grid(pair.input.clone())).collect();
        let expected = pairs.iter().map(|pair| Expected::new(&pair.output)).collect();
        TaskView { id, given: TaskInputs { samples, inputs }, expected }
    }

    /// The demo pairs, and the inputs of all demos and tests.
    pub fn given(&self) -> &TaskInputs {
        &self.given
    }

    /// The demo pairs, and the inputs of the demos alone.
    pub fn given_demos(&self) -> TaskInputs {
        let inputs = self.given.inputs[..self.expected.len()].to_vec();
        TaskInputs { samples: self.given.samples.clone(), inputs }
    }

    /// The expected outputs of the demos.
    pub fn expected(&self) -> &[Expected] {
        &self.expected
    }

    /// Number of demo pairs.
    pub fn demo_count(&self) -> usize {
        self.expected.len()
    }

    /// Number of tests.
    pub fn test_count(&self) -> usize {
        self.given.inputs.len() - self.expected.len()
    }

    /// For each demo whether its output is the expected one.
    pub fn exact<'o>(
        &self,
        outputs: impl IntoIterator<Item = Option<&'o Grid>>,
    ) -> impl Iterator<Item = bool> {
        let expected = self.expected.iter().map(|expected| Some(expected.grid()));
        outputs.into_iter().zip(expected).map(|(output, expected)| output == expected)
    }

    /// How well these outputs fit the demos.
    pub fn fit<'o>(&self, outputs: impl IntoIterator<Item = Option<&'o Grid>>) -> DemoFit {
        let judge = |(expected, output): (&Expected, Option<&Grid>)| {
            output.map_or(0, |grid| u32::from(total(&Comparison::new(grid, expected))))
        };
        DemoFit { scores: self.expected.iter().zip(outputs).map(judge).collect() }
    }
}

/// How well outputs fit the demos: for each demo a similarity from 0 to 1000, which the expected grid alone
/// reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoFit {
    scores: Vec<u32>,
}

impl DemoFit {
    /// The similarity of each demo, in thousandths.
    pub fn scores(&self) -> &[u32] {
        &self.scores
    }

    /// For each demo whether its output is the expected one.
    pub fn pairs(&self) -> impl Iterator<Item = bool> {
        self.scores.iter().map(|score| *score == u32::from(PERFECT))
    }

    /// The same as text: for each demo `1` or `0`.
    pub fn marks(&self) -> String {
        self.pairs().map(|fits| if fits { '1' } else { '0' }).collect()
    }

    /// Number of demos that fit.
    pub fn count(&self) -> usize {
        self.pairs().filter(|fits| *fits).count()
    }

    /// True when all demos fit.
    pub fn is_full(&self) -> bool {
        self.count() == self.scores.len()
    }

    /// Mean similarity of the demos, in thousandths.
    pub fn similarity(&self) -> u32 {
        self.scores.iter().sum::<u32>() / (self.scores.len() as u32).max(1)
    }
}

/// A similarity as people see it, from 0 to 1 with three digits.
pub fn similarity(thousandths: u32) -> f64 {
    f64::from(thousandths) / 1000.0
}

/// The grids among outputs.
pub fn grids(outputs: &[Output]) -> impl Iterator<Item = Option<&Grid>> {
    outputs.iter().map(|output| output.as_ref().ok())
}
