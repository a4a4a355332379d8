//! A program in a population.

use std::cmp::Reverse;

use arcloom_dsl::differ::Comparison;
use arcloom_graph::spans::span;
use arcloom_graph::view::grids;
use arcloom_graph::{DemoFit, Machine, Output, Plan};
use arcloom_lang::{Program, ProgramId};
use arcloom_tasks::{Behaviour, behaviour};

use super::task::EvolveTask;
use super::validate::{Validation, holds};
use crate::mutate::Finding;
use crate::parent::Parent;

/// What a program is worth on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fitness {
    /// Demo pairs it fits.
    pub fits: u32,
    /// How near it is on the demos, in thousandths, by the built-in differs.
    pub similarity: u32,
    /// The same by all differs, which is what ranks: the user's judge with the built-in ones.
    pub near: u32,
    /// Number of its calls.
    pub size: u32,
}

impl Fitness {
    /// Smaller is better. Every call has to bring a thousandth of similarity, or programs would grow
    /// without end for next to nothing.
    pub fn key(&self) -> (Reverse<u32>, Reverse<u32>, u32) {
        (Reverse(self.fits), Reverse(self.near.saturating_sub(self.size)), self.size)
    }

    /// True when it fits more, or is nearer; size alone is no improvement.
    pub fn improves(&self, other: &Fitness) -> bool {
        (self.fits, self.near) > (other.fits, other.near)
    }
}

/// A program in a population.
#[derive(Debug, Clone)]
pub struct Member {
    /// The program's identity.
    pub id: ProgramId,
    /// What it is worth.
    pub fitness: Fitness,
    /// How well it fits each demo.
    pub fit: DemoFit,
    /// What it does on all inputs.
    pub behaviour: Behaviour,
    /// Its outputs for the demos.
    pub demos: Vec<Output>,
    /// Its outputs for the tests.
    pub tests: Vec<Output>,
    /// What it took to run on all inputs.
    pub work: u64,
    /// Whether it stands validation; `None` when it does not fit the demos.
    pub validation: Option<Validation>,
    /// Where it is from.
    pub made: MemberOrigin,
    pub(super) parent: Parent,
    /// What is wrong with it.
    pub(super) findings: Vec<Finding>,
}

/// When a member came up, and where it is from.
#[derive(Debug, Clone)]
pub struct MemberOrigin {
    /// The generation.
    pub generation: u64,
    /// What it is from.
    pub from: MadeFrom,
}

/// What a member is from.
#[derive(Debug, Clone)]
pub enum MadeFrom {
    /// A file or library.
    File(String),
    /// A part of a library's program.
    Transfer,
    /// Evolution.
    Bred {
        /// The operator or proposer.
        by: Option<&'static str>,
        /// Its parents.
        parents: Vec<ProgramId>,
    },
}

impl MemberOrigin {
    /// By evolution.
    pub(super) fn bred(
        generation: u64,
        by: Option<&'static str>,
        parents: Vec<ProgramId>,
    ) -> MemberOrigin {
        MemberOrigin { generation, from: MadeFrom::Bred { by, parents } }
    }
}

impl Member {
    /// Runs a program on all inputs of a task and judges it by the demos. What a machine makes that was
    /// told to stop is to be thrown away.
    pub(super) fn new(
        program: Program,
        made: MemberOrigin,
        task: &EvolveTask<'_>,
        mut machine: Machine,
    ) -> Member {
        let outputs = machine.outputs(&Plan::new(&program), &task.view);
        let differs = span("differs");
        let fit = task.view.fit(grids(&outputs.demos));
        let similarity = fit.similarity();
        let near = match task.has_differs() {
            true => near(task, &fit, &outputs.demos, &mut machine),
            false => similarity,
        };
        let fitness =
            Fitness { fits: fit.count() as u32, similarity, near, size: program.size() as u32 };
        let mut findings = Vec::new();
        for (demo, (grid, expected)) in grids(&outputs.demos).zip(task.view.expected()).enumerate()
        {
            findings.extend(
                grid.into_iter()
                    .flat_map(|grid| Finding::all(demo, &Comparison::new(grid, expected))),
            );
        }
        drop(differs);
        let inputs = task.grids().zip(outputs.all());
        let behaviour = behaviour(inputs.map(|(input, output)| (input, output.as_ref().ok())));
        let validation = fit.is_full().then(|| {
            let _span = span("validate");
            holds(&program, task.task, task.more, &mut machine)
        });
        Member {
            id: program.id(),
            parent: Parent::new(program),
            fitness,
            fit,
            behaviour,
            findings,
            demos: outputs.demos,
            tests: outputs.tests,
            work: outputs.work,
            validation,
            made,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.parent.program()
    }

    /// True when it stands validation.
    pub fn is_solver(&self) -> bool {
        self.validation.is_some_and(|validation| validation.stands)
    }

    /// Order of members: validated solvers first, then by fitness, then by name.
    pub fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.is_solver()), self.fitness.key(), self.id)
    }
}

/// How near outputs are by all differs.
fn near(task: &EvolveTask<'_>, fit: &DemoFit, demos: &[Output], machine: &mut Machine) -> u32 {
    let judged = grids(demos).zip(fit.scores()).enumerate();
    let sum: u32 = judged
        .map(|(demo, (grid, native))| {
            grid.map_or(0, |grid| task.near(demo, grid, *native, machine))
        })
        .sum();
    sum / (task.view.demo_count() as u32).max(1)
}
