//! New pairs for a task that has a program: inputs of the kind that the demos have, and what the program
//! gives for them.
//!
//! | file | what it is |
//! |---|---|
//! | `augment/maker.rs` | tries inputs and keeps healthy pairs |
//! | `augment/recast.rs` | symmetries and permutations of colours |
//! | `augment/change.rs` | changes that go beyond those, on a `Board` (`board.rs`) |
//! | `augment/looks.rs` | what the grids of the demos have in common |
//! | `augment/vocabulary.rs` | the small parts that these grids are made of |
//! | `augment/way.rs` | what the values of a program's steps are like on the demos |
//!
//! A pair is healthy when its grids look like those of the demos, in size, colours, objects and symmetries;
//! when every step of the program comes to a value like those on the demos, not to an empty set where they
//! had none; and when the input is new and the output another grid. Nothing but the program, the demos and
//! the seed decides what is kept.

mod board;
mod change;
mod looks;
mod maker;
mod range;
mod recast;
#[cfg(test)]
mod tests;
mod vocabulary;
mod way;

use arcloom_graph::{Machine, Stop, TaskView};
use arcloom_tasks::{Pair, Task};

use crate::engine::Engine;
use crate::library::Entry;

pub use maker::PairMaker;

/// How many pairs are made, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AugmentOptions {
    /// Pairs to make for each task.
    pub per_task: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// Inputs to try for each pair before giving up.
    pub tries_per_pair: usize,
}

impl Default for AugmentOptions {
    fn default() -> AugmentOptions {
        AugmentOptions { per_task: 100, seed: 0, tries_per_pair: 50 }
    }
}

/// A pair that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPair {
    /// The input and what the program gives for it.
    pub pair: Pair,
    /// True when the input is more than a symmetry or a recolouring of a demo's.
    pub is_new: bool,
}

/// The pairs that were made for a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Augmented {
    /// The task.
    pub task: String,
    /// The program.
    pub program: String,
    /// The pairs, no input twice.
    pub pairs: Vec<NewPair>,
    /// Inputs that were tried.
    pub tries: usize,
}

/// Why a task gets no pairs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AugmentError {
    /// The caller's: a program for something else.
    #[error("{program} fits {fits} of the {demos} demos of {task}: name a program that fits all")]
    Unfit {
        /// The program.
        program: String,
        /// The task.
        task: String,
        /// Demos that fit.
        fits: usize,
        /// Demos there are.
        demos: usize,
    },
}

impl Engine {
    /// Makes pairs for a task with a program that fits its demos. Where few inputs are healthy, or `stop` ends
    /// it early, there are fewer pairs than asked for.
    pub fn augment(
        &self,
        entry: &Entry,
        task: &Task,
        options: &AugmentOptions,
        stop: &Stop,
    ) -> Result<Augmented, AugmentError> {
        self.augment_on(&mut self.machine(), entry, task, options, stop)
    }

    /// [`Engine::augment`] on a machine of this engine's.
    pub fn augment_on(
        &self,
        machine: &mut Machine,
        entry: &Entry,
        task: &Task,
        options: &AugmentOptions,
        stop: &Stop,
    ) -> Result<Augmented, AugmentError> {
        machine.watch(stop);
        let view = TaskView::new(task);
        let mut maker = PairMaker::new(self, machine, entry, &view, options.seed)?;
        let most = options.per_task.saturating_mul(options.tries_per_pair).saturating_add(1000);
        let mut pairs = Vec::new();
        while pairs.len() < options.per_task && maker.tries() < most && !stop.is_due() {
            pairs.extend(maker.next_pair(machine));
        }
        let program = entry.program.name.clone();
        Ok(Augmented { task: task.id.clone(), program, pairs, tries: maker.tries() })
    }

    /// [`Engine::augment`] for many tasks, on all threads, results in their order.
    pub fn augment_all(
        &self,
        jobs: &[(&Entry, &Task)],
        options: &AugmentOptions,
        stop: &Stop,
    ) -> Vec<Result<Augmented, AugmentError>> {
        self.map(jobs, |machine, (entry, task)| {
            self.augment_on(machine, entry, task, options, stop)
        })
    }
}
