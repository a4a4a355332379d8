//! A program in a population.

use std::cmp::Reverse;
use std::fmt::Write as _;

use arcloom_dsl::differ::Comparison;
use arcloom_evolve::{Finding, Parent};
use arcloom_graph::view::grids;
use arcloom_graph::{Machine, Output, Plan};
use arcloom_lang::{Program, ProgramId};
use arcloom_store::{Behaviour, behaviour::behaviour};
use arcloom_value::Grid;

use super::colony::Ground;
use super::validate::{Validation, holds};
use crate::archive::pairs_text;

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
    /// Its outputs for the demos.
    pub(super) demos: Vec<Output>,
    /// Its outputs for the tests.
    pub(super) tests: Vec<Output>,
    /// What it took to run on all inputs.
    pub(super) work: u64,
    /// Whether it stands validation; `None` when it does not fit the demos.
    pub(super) validation: Option<Validation>,
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
        let outputs = machine.outputs(&Plan::new(&program), &ground.view);
        let fit = ground.view.fit(grids(&outputs.demos));
        let fitness = Fitness {
            solved: fit.count() as u32,
            similarity: fit.similarity(),
            size: program.size() as u32,
        };
        let mut findings = Vec::new();
        for (demo, (grid, expected)) in
            grids(&outputs.demos).zip(ground.view.expected()).enumerate()
        {
            findings.extend(
                grid.into_iter()
                    .flat_map(|grid| Finding::all(demo, &Comparison::new(grid, expected))),
            );
        }
        let inputs = ground.grids().zip(outputs.all());
        let behaviour = behaviour(inputs.map(|(input, output)| (input, output.as_ref().ok())));
        let validation =
            fit.is_full().then(|| holds(&program, ground.task, ground.more, &mut machine));
        Member {
            id: program.id(),
            parent: Parent::new(program),
            fitness,
            pairs: pairs_text(fit.pairs()),
            behaviour,
            findings,
            demos: outputs.demos,
            tests: outputs.tests,
            work: outputs.work,
            validation,
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
        self.validation.is_some_and(|validation| validation.stands)
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
