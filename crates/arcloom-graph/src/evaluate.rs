//! What a program gives on a task: the one place where that question is answered, for every command, for
//! evolution and for the archive.
//!
//! A batt's answer is its [`Column`](crate::Column)s, made by a [`Backend`](crate::Backend). Both look at
//! canonical values, so that an outcome does not depend on the form that primitives were handed.

use arcloom_lang::NodeId;
use arcloom_value::{Grid, Value};

use crate::machine::{Failure, Inputs, Machine};
use crate::plan::Plan;
use crate::spans::{run_of, span};
use crate::view::{TaskInputs, TaskView};

/// What a program gives for one input: a grid, or why there is none.
pub type Output = Result<Grid, NoOutput>;

/// Why a program gives no grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoOutput {
    /// A step failed.
    #[error("{}", .0.error)]
    Failed(Failure),
    /// The result is something else.
    #[error("the result is not a grid")]
    NotAGrid,
}

impl NoOutput {
    /// True when a step took more work than allowed.
    pub fn is_budget(&self) -> bool {
        matches!(self, NoOutput::Failed(failure) if failure.error.is_budget())
    }
}

/// What a program gives on all inputs of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs {
    /// For each demo.
    pub demos: Vec<Output>,
    /// For each test.
    pub tests: Vec<Output>,
    /// Units of work spent on all inputs.
    pub work: u64,
}

impl Outputs {
    /// Those of the demos, then those of the tests.
    pub fn all(&self) -> impl Iterator<Item = &Output> {
        self.demos.iter().chain(&self.tests)
    }

    /// One grid per test; `None` where one of them has none.
    pub fn test_grids(&self) -> Option<Vec<Grid>> {
        self.tests.iter().map(|output| output.clone().ok()).collect()
    }
}

impl Machine {
    /// What a program gives for one input of a task.
    pub fn output(&mut self, plan: &Plan, samples: &Value, input: &Value) -> Output {
        let inputs = Inputs { input, samples, expected: &Value::None };
        grid_of(self.run(plan, &inputs).map_err(NoOutput::Failed)?)
    }

    /// What a program gives for one input of a task, as long as `goes_on` says so of the value of every step;
    /// `None` where it did not.
    pub fn output_along(
        &mut self,
        plan: &Plan,
        samples: &Value,
        input: &Value,
        goes_on: impl FnMut(NodeId, &Value) -> bool,
    ) -> Option<Output> {
        let inputs = Inputs { input, samples, expected: &Value::None };
        match self.run_along(plan, &inputs, goes_on) {
            Ok(value) => value.map(grid_of),
            Err(failure) => Some(Err(NoOutput::Failed(failure))),
        }
    }

    /// What a program gives on a task. A machine that was told to stop gives what nobody may use.
    pub fn outputs(&mut self, plan: &Plan, task: &TaskView) -> Outputs {
        let TaskInputs { samples, inputs } = task.given();
        let mut work = 0;
        let mut output = |input: &Value| {
            let output = self.output(plan, samples, input);
            work += self.work();
            output
        };
        let (demos, tests) = inputs.split_at(task.demo_count());
        let mut all = |inputs: &[Value], demos: bool| -> Vec<Output> {
            let _span = span(run_of(demos));
            inputs.iter().map(&mut output).collect()
        };
        let (demos, tests) = (all(demos, true), all(tests, false));
        Outputs { demos, tests, work }
    }

    /// True when a program gives the expected output of every demo of a view; ends at the first other one.
    pub fn fits(&mut self, plan: &Plan, task: &TaskView) -> bool {
        let TaskInputs { samples, inputs } = task.given();
        let mut pairs = inputs.iter().zip(task.expected());
        pairs.all(|(input, expected)| {
            self.output(plan, samples, input).is_ok_and(|grid| grid == *expected.grid())
        })
    }
}

/// The grid that a result is.
fn grid_of(value: Value) -> Output {
    let value = match value {
        // Rows in general form.
        value @ Value::Tuple(_) => value.canonical(),
        value => value,
    };
    if let Value::Grid(grid) = value { Ok(grid) } else { Err(NoOutput::NotAGrid) }
}
