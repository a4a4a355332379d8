//! A program in a population.

use std::cmp::Reverse;

use arcloom_dsl::differ::Comparison;
use arcloom_evolve::{Finding, Parent};
use arcloom_graph::view::grids;
use arcloom_graph::{Machine, Output, Plan};
use arcloom_lang::{Program, ProgramId};
use arcloom_store::{Behaviour, Origin, ProgramRecord, behaviour::behaviour};

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
    pub(super) made: Made,
}

/// Where a member is from.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) generation: u64,
    /// The source of its record.
    pub(super) source: String,
    /// The operator or proposer.
    pub(super) by: Option<&'static str>,
    pub(super) parents: Vec<ProgramId>,
}

impl Made {
    /// By evolution.
    pub(super) fn bred(generation: u64, by: Option<&'static str>, parents: Vec<ProgramId>) -> Made {
        Made { generation, source: ProgramRecord::EVOLVED.to_owned(), by, parents }
    }
}

impl Member {
    /// Runs a program on all inputs of a task and judges it by the demos. What a machine makes that was
    /// told to stop is to be thrown away.
    pub(super) fn new(
        program: Program,
        made: Made,
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
            made,
        }
    }

    pub(super) fn program(&self) -> &Program {
        self.parent.program()
    }

    /// Where it is from, for people: as much as is known of it when a run is resumed.
    pub(super) fn origin(&self) -> String {
        match self.made.generation {
            0 => "library".to_owned(),
            n => Origin::Evolution { generation: Some(n), by: None }.to_string(),
        }
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
