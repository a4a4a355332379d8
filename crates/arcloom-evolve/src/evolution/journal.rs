//! What a run begins with, and what keeps it, as the loop sees them.

use arcloom_lang::Program;
use arcloom_tasks::TaskId;

use super::GenerationStep;
use super::member::MadeFrom;
use super::state::EvolutionState;
use super::task::EvolveTask;
use crate::rates::OperatorCount;

/// Keeps generations, so that a run can go on where it was left.
pub trait Journal {
    /// Why it cannot go on.
    type Error;
    /// What is kept of this run; `None` when it begins now.
    fn recall(&mut self) -> Result<Option<StoredRun>, Self::Error>;
    /// Keeps a generation as a whole. An error ends the run.
    fn keep(&mut self, generation: &Generation<'_>) -> Result<(), Self::Error>;
    /// The run has come to its end.
    fn finish(&mut self) -> Result<(), Self::Error>;
    /// Bytes that are kept, for whoever watches.
    fn bytes(&self) -> u64;
}

/// A generation that is to be kept.
pub struct Generation<'a> {
    /// The tasks.
    pub tasks: &'a [EvolveTask<'a>],
    /// What is alive after it; its number is that of this generation.
    pub state: &'a EvolutionState,
    /// What it did.
    pub step: &'a GenerationStep,
}

/// A run as it was kept.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// Generations that are done.
    pub generations: u64,
    /// What [`EvolutionState::checkpoint`] gave after the last of them.
    pub checkpoint: Vec<u8>,
    /// What operators did since the start of the run, by name.
    pub operators: Vec<(String, OperatorCount)>,
    /// The populations.
    pub populations: Vec<StoredPopulation>,
}

/// A population as it was kept.
#[derive(Debug, Clone)]
pub struct StoredPopulation {
    /// Its island.
    pub island: usize,
    /// Its task.
    pub task: TaskId,
    /// Its members, best first, and the generations they came up in.
    pub members: Vec<(Program, u64)>,
}

/// What generation 0 is made of.
#[derive(Debug, Clone)]
pub struct Founders {
    /// Programs that were run to find them.
    pub evaluations: u64,
    /// For each task the best programs there are.
    pub of_tasks: Vec<Vec<Founder>>,
}

/// A program that was there before the first generation.
#[derive(Debug, Clone)]
pub struct Founder {
    /// The program.
    pub program: Program,
    /// Where it is from.
    pub from: MadeFrom,
}
