//! A program in a population.

use std::cmp::Reverse;
use std::fmt::Write as _;

use arcloom_dsl::differ::Comparison;
use arcloom_evolve::{Finding, Parent};
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::{Program, ProgramId};
use arcloom_store::{Behaviour, behaviour::behaviour};
use arcloom_value::{Grid, Value};

use super::colony::Ground;
use super::validate::validate_with;

/// What a program is worth on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fitness {
    /// Demo pairs it solves.
    pub solved: u32,
    /// How near it is on the demos, in thousandths.
    pub similarity: u32,
    /// Number of its calls.
    pub size: u32,
}

impl Fitness {
    /// Smaller is better. Every call has to bring a thousandth of similarity, or programs would grow
    /// without end for next to nothing.
    pub fn key(&self) -> (Reverse<u32>, Reverse<u32>, u32) {
        (Reverse(self.solved), Reverse(self.similarity.saturating_sub(self.size)), self.size)
    }

    /// True when it solves more, or is nearer; size alone is no improvement.
    pub fn improves(&self, other: &Fitness) -> bool {
        (self.solved, self.similarity) > (other.solved, other.similarity)
    }
}

/// A program in a population.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) id: ProgramId,
    pub(super) parent: Parent,
    pub(super) fitness: Fitness,
    /// For each demo whether it is solved.
    pub(super) pairs: String,
    /// What it does on all inputs.
    pub(super) behaviour: Behaviour,
    /// What is wrong with it.
    pub(super) findings: Vec<Finding>,
    /// Its answers to the tests.
    pub(super) predictions: Vec<Option<Grid>>,
    /// What it took to run on all inputs.
    pub(super) work: u64,
    /// Whether it stands validation; `None` when it does not solve the demos.
    pub(super) validated: Option<bool>,
    /// Where it is from.
    pub(super) generation: u64,
    pub(super) operator: Option<&'static str>,
    pub(super) parents: Vec<ProgramId>,
}

impl Member {
    /// Runs a program on all inputs of a task and judges it by the demos. What a machine makes that was
    /// told to stop is to be thrown away.
    pub(super) fn new(
        program: Program,
        generation: u64,
        operator: Option<&'static str>,
        parents: Vec<ProgramId>,
        ground: &Ground<'_>,
        mut machine: Machine,
    ) -> Member {
        let plan = Plan::new(&program);
        let mut work = 0;
        let mut answers: Vec<Option<Grid>> = Vec::new();
        for input in ground.demos.iter().chain(&ground.tests) {
            let inputs = Inputs { input, samples: &ground.samples, expected: &Value::None };
            let outcome = machine.run(&plan, &inputs);
            work += machine.work();
            answers.push(match outcome {
                Ok(Value::Grid(grid)) => Some(grid),
                _ => None,
            });
        }
        let (demos, tests) = answers.split_at(ground.demos.len());
        let mut fitness = Fitness { solved: 0, similarity: 0, size: program.size() as u32 };
        let (mut pairs, mut findings) = (String::new(), Vec::new());
        for (demo, (answer, expected)) in demos.iter().zip(&ground.expected).enumerate() {
            let right = answer.as_ref() == Some(expected.grid());
            pairs.push(if right { '1' } else { '0' });
            fitness.solved += u32::from(right);
            if let Some(grid) = answer {
                let pair = Comparison::new(grid, expected);
                fitness.similarity += u32::from(arcloom_dsl::differ::total(&pair));
                findings.extend(Finding::all(demo, &pair));
            }
        }
        fitness.similarity /= (ground.demos.len() as u32).max(1);
        let inputs = ground.grids().zip(&answers);
        let behaviour = behaviour(inputs.map(|(input, answer)| (input, answer.as_ref())));
        let solves = fitness.solved as usize == ground.demos.len();
        let validated =
            solves.then(|| validate_with(&program, ground.task, ground.more, &mut machine));
        let predictions = tests.to_vec();
        Member {
            id: program.id(),
            parent: Parent::new(program),
            fitness,
            pairs,
            behaviour,
            findings,
            predictions,
            work,
            validated,
            generation,
            operator,
            parents,
        }
    }

    pub(super) fn program(&self) -> &Program {
        self.parent.program()
    }

    /// True when it stands validation.
    pub(super) fn is_solver(&self) -> bool {
        self.validated == Some(true)
    }

    /// Order of members: validated solvers first, then by fitness, then by name.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.is_solver()), self.fitness.key(), self.id)
    }
}

/// A grid as JSON: a list of rows.
pub(super) fn grid_json(grid: &Grid) -> String {
    let mut text = String::from("[");
    for (n, row) in grid.rows().enumerate() {
        let cells: Vec<String> = row.iter().map(i8::to_string).collect();
        let comma = if n == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}[{}]", cells.join(", "));
    }
    text.push(']');
    text
}
