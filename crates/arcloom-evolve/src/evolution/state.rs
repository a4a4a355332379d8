//! Where a run stands between generations, and how it comes back from what was kept.
//!
//! Populations are kept as programs; what else a member has is computed again. What rates remember
//! is in the checkpoint of the last generation. All come out exactly as they were.

use std::collections::BTreeMap;
use std::sync::Arc;

use arcloom_lang::{Program, function_name};

use super::Evolution;
use super::config::EvolveConfig;
use super::journal::{StoredPopulation, StoredRun};
use super::member::{Member, MemberOrigin};
use super::population::Population;
use super::progress::OperatorRow;
use super::task::EvolveTask;
use crate::operators::ALL;
use crate::rates::{OperatorCount, Rates, Tally};

/// Where a run stands between generations.
pub struct EvolutionState {
    /// The next generation; while one is kept, that one.
    pub generation: u64,
    /// Tasks that were solved by what was there.
    pub solved_at_start: usize,
    /// By island, then task.
    pub islands: Vec<Vec<Population>>,
    pub(super) rates: Rates,
    /// Work of all children so far.
    pub(super) work: u64,
    /// Everything operators did since the start of the run.
    pub(super) tally: Tally,
    /// The same of proposers.
    pub(super) proposed: BTreeMap<&'static str, OperatorCount>,
}

impl EvolutionState {
    pub(super) fn new(tasks: usize, config: &EvolveConfig) -> EvolutionState {
        EvolutionState {
            generation: 0,
            solved_at_start: 0,
            islands: vec![vec![Population::default(); tasks]; config.islands.max(1)],
            rates: Rates::default(),
            work: 0,
            tally: Tally::default(),
            proposed: BTreeMap::new(),
        }
    }

    /// As it was when this was kept.
    pub(super) fn recalled(
        stored: StoredRun,
        tasks: &[EvolveTask<'_>],
        run: &Evolution<'_>,
    ) -> EvolutionState {
        let mut state = EvolutionState::new(tasks.len(), run.config);
        state.generation = stored.generations;
        let mut numbers =
            stored.checkpoint.as_chunks::<8>().0.iter().map(|n| u64::from_le_bytes(*n));
        state.solved_at_start = numbers.next().unwrap_or(0) as usize;
        let memory: Vec<u64> = numbers.collect();
        let (counts, rest) = memory.as_chunks::<4>();
        state.work = rest.first().copied().unwrap_or(0);
        state.rates = Rates::from_memory(counts.iter().map(|&[applied, valid, new, improving]| {
            OperatorCount { applied, valid, new, improving }
        }));
        state.tally = Tally::from_counts(ALL.iter().map(|operator| {
            let known = stored.operators.iter().find(|(name, _)| name == operator.name);
            known.map_or_else(OperatorCount::default, |(_, count)| *count)
        }));
        let names = run.helpers.proposers.iter().map(|proposer| proposer.name());
        state.proposed.extend(names.filter_map(|name| {
            let known = stored.operators.iter().find(|(known, _)| known == name);
            known.map(|(_, count)| (name, *count))
        }));
        let place = |id| tasks.iter().position(|task| task.id == id);
        let mut jobs: Vec<(usize, StoredPopulation)> = Vec::new();
        for population in stored.populations {
            jobs.extend(place(population.task).map(|task| (task, population)));
        }
        let populations = run.workers.spread(&jobs, |(task, kept)| {
            let task = &tasks[*task];
            let member = |(program, generation): &(Program, u64)| {
                let mut program = program.clone();
                // A program that came up for two tasks is kept once, with the name of the first.
                program.name = function_name(&task.task.id);
                // What a member came from is kept already.
                let made = MemberOrigin::bred(*generation, None, Vec::new());
                Arc::new(Member::new(program, made, task, run.workers.machine()))
            };
            Population::restored(kept.members.iter().map(member).collect())
        });
        for ((task, kept), population) in jobs.iter().zip(populations) {
            let island = state.islands.get_mut(kept.island);
            if let Some(place) = island.and_then(|tasks| tasks.get_mut(*task)) {
                *place = population;
            }
        }
        state
    }

    /// What a run needs besides its populations and the operators' figures.
    pub fn checkpoint(&self) -> Vec<u8> {
        let memory = self.rates.memory().iter();
        let memory = memory.flat_map(|c| [c.applied, c.valid, c.new, c.improving]);
        let numbers = std::iter::once(self.solved_at_start as u64).chain(memory).chain([self.work]);
        numbers.flat_map(u64::to_le_bytes).collect()
    }

    /// The members of a task on all islands, island by island, best first.
    pub fn members(&self, task: usize) -> impl Iterator<Item = &Member> {
        self.islands.iter().flat_map(move |island| island[task].members()).map(Arc::as_ref)
    }

    /// The best solver of a task on any island.
    pub fn solver(&self, task: usize) -> Option<&Member> {
        let best = self.islands.iter().filter_map(|island| island[task].solver());
        best.min_by_key(|member| member.rank())
    }

    /// Tasks that have a solver.
    pub fn solved(&self) -> usize {
        let tasks = self.islands.first().map_or(0, Vec::len);
        (0..tasks).filter(|&task| self.solver(task).is_some()).count()
    }

    /// What operators did since the start of the run, and after them proposers.
    pub fn operators(&self) -> Vec<OperatorRow> {
        let row = |(operator, count): (&crate::Operator, &OperatorCount)| OperatorRow {
            name: operator.name,
            count: *count,
        };
        let proposed = self.proposed.iter().map(|(&name, &count)| OperatorRow { name, count });
        ALL.iter().zip(self.tally.counts()).map(row).chain(proposed).collect()
    }
}
