//! A generation in figures, for whoever watches.

use std::cmp::Reverse;
use std::time::Duration;

use super::config::EvolveConfig;
use super::member::Fitness;
use super::{EvolutionState, EvolveTask, GenerationStep};
use crate::rates::OperatorCount;

/// One generation.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Which generation, from 0: that of the programs that were there before.
    pub generation: u64,
    /// Distinct programs run on all demo pairs of a task, in this generation.
    pub evaluations: u64,
    /// The same since the start of this process.
    pub evaluations_total: u64,
    /// Time of this process so far.
    pub elapsed: Duration,
    /// Time until the run ends, by the clock or, for a number of generations, by the pace so far.
    pub left: Option<Duration>,
    /// Tasks solved, before the first generation and now.
    pub solved: (usize, usize),
    /// All tasks.
    pub tasks: usize,
    /// The best unsolved task.
    pub nearest: Option<Nearest>,
    /// Operators, since the start of the run.
    pub operators: Vec<OperatorRow>,
    /// Bytes of the archive on disk, its journal included.
    pub archive_bytes: u64,
    /// Share of the children's calls that were made, in thousandths. All others were shared with
    /// parents and siblings, had been made on the same values, or had an argument that failed.
    pub fresh: u32,
}

/// An operator and what it did since the start of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorRow {
    /// Its name.
    pub name: &'static str,
    /// What it did.
    pub count: OperatorCount,
}

/// An unsolved task and how near its best program is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The task.
    pub task: String,
    /// Demo pairs that it fits.
    pub fits: u32,
    /// Demo pairs there are.
    pub demos: usize,
    /// Similarity on the demos, in thousandths.
    pub similarity: u32,
}

/// What the process has done so far.
pub(super) struct Done {
    pub(super) generations: u64,
    pub(super) evaluations: u64,
    pub(super) elapsed: Duration,
    pub(super) archive_bytes: u64,
    /// When the first of these generations was done.
    pub(super) first: Duration,
    /// Time until the clock stops it.
    pub(super) left: Option<Duration>,
}

impl EvolutionState {
    /// The best unsolved task.
    pub fn nearest(&self, tasks: &[EvolveTask<'_>]) -> Option<Nearest> {
        let unsolved = (0..tasks.len()).filter(|&task| self.solver(task).is_none());
        let near = |task: usize| {
            let best = self.islands.iter().filter_map(|island| island[task].members().first());
            let key = |fitness: Fitness| (fitness.fits, fitness.similarity);
            best.map(|member| key(member.fitness)).max().unwrap_or_default()
        };
        let best = unsolved.map(|task| (near(task), Reverse(task))).max();
        best.map(|((fits, similarity), Reverse(task))| {
            let task = tasks[task].task;
            Nearest { task: task.id.clone(), fits, demos: task.demos.len(), similarity }
        })
    }

    pub(super) fn progress(
        &self,
        tasks: &[EvolveTask<'_>],
        step: &GenerationStep,
        done: &Done,
        config: &EvolveConfig,
    ) -> Progress {
        let (all, fresh) = step.calls;
        let by_pace = config.generations.map(|most| {
            // The first generation is the library's, or comes with reading an archive: no measure for
            // the others once there are some.
            let pace = match done.generations {
                0 | 1 => done.elapsed.as_secs_f64(),
                n => (done.elapsed.saturating_sub(done.first)).as_secs_f64() / (n - 1) as f64,
            };
            let more = most.saturating_sub(self.generation) as f64;
            Duration::try_from_secs_f64(pace * more).unwrap_or(Duration::MAX)
        });
        let left = [by_pace, done.left].into_iter().flatten().min();
        Progress {
            generation: self.generation,
            evaluations: step.evaluations,
            evaluations_total: done.evaluations,
            elapsed: done.elapsed,
            left,
            solved: (self.solved_at_start, self.solved()),
            tasks: tasks.len(),
            nearest: self.nearest(tasks),
            operators: self.operators(),
            archive_bytes: done.archive_bytes,
            fresh: (1000 * fresh).checked_div(all).unwrap_or(0) as u32,
        }
    }
}
