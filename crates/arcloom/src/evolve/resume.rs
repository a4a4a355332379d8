//! A run out of the archive again.
//!
//! Populations are stored as programs; what else a member has is computed again. What rates remember
//! is in the checkpoint of the last generation. All come out exactly as they were.

use std::sync::Arc;

use arcloom_evolve::{OperatorCount, Rates, Tally};
use arcloom_store::{Archive, RunRecord, StoreError};

use super::colony::{Ground, Population};
use super::member::{Made, Member};
use super::{Evolution, State};

pub(super) fn resume(
    archive: &Archive,
    run: &RunRecord,
    grounds: &[Ground<'_>],
    loom: &Evolution<'_>,
) -> Result<State, StoreError> {
    let mut state = State::new(run.number, grounds, loom.config);
    state.generation = run.generations;
    let mut numbers = run.checkpoint.as_chunks::<8>().0.iter().map(|n| u64::from_le_bytes(*n));
    state.solved_at_start = numbers.next().unwrap_or(0) as usize;
    let memory: Vec<u64> = numbers.collect();
    state.work = memory.as_chunks::<4>().1.first().copied().unwrap_or(0);
    state.rates = Rates::from_memory(memory.as_chunks::<4>().0.iter().map(|&count| of(count)));
    let known = archive.operators(run.number)?;
    state.tally = Tally::from_counts(arcloom_evolve::ALL.iter().map(|operator| {
        let row = known.iter().find(|row| row.operator == operator.name);
        row.map_or_else(OperatorCount::default, |r| of([r.applied, r.valid, r.new, r.improving]))
    }));
    let mut jobs = Vec::new();
    for population in archive.populations(run.number)? {
        let Some(task) = grounds.iter().position(|ground| ground.id == population.task) else {
            continue;
        };
        let mut records = Vec::new();
        let generations =
            population.state.as_chunks::<8>().0.iter().map(|n| u64::from_le_bytes(*n));
        for (id, generation) in population.members.into_iter().zip(generations) {
            let record = archive.program(id)?.ok_or_else(|| StoreError::Program {
                id: id.to_string(),
                problem: "a member of a population is missing; restore the archive".to_string(),
            })?;
            // A program that came up for two tasks is stored once, with the name of the first.
            let mut program = record.program()?;
            program.name = crate::library::function_name(&grounds[task].task.id);
            records.push((program, generation));
        }
        jobs.push((population.island as usize, task, records));
    }
    let colonies = loom.engine.spread(&jobs, |(_, task, records)| {
        // What a member came from is stored already.
        let member = |(program, generation): &(arcloom_lang::Program, u64)| {
            let ground = &grounds[*task];
            let program = program.clone();
            let machine = loom.engine.machine();
            let made = Made::bred(*generation, None, Vec::new());
            Arc::new(Member::new(program, made, ground, machine))
        };
        Population { members: records.iter().map(member).collect() }
    });
    for ((island, task, _), colony) in jobs.iter().zip(colonies) {
        if let Some(place) = state.colonies.get_mut(*island).and_then(|tasks| tasks.get_mut(*task))
        {
            *place = colony;
        }
    }
    Ok(state)
}

/// When the members of a colony came up, in their order.
pub(super) fn generations(colony: &Population) -> Vec<u8> {
    colony.members.iter().flat_map(|member| member.made.generation.to_le_bytes()).collect()
}

fn of([applied, valid, new, improving]: [u64; 4]) -> OperatorCount {
    OperatorCount { applied, valid, new, improving }
}

/// What a run needs besides its populations and the operators' figures.
pub(super) fn checkpoint(state: &State) -> Vec<u8> {
    let memory = state.rates.memory().iter();
    let memory = memory.flat_map(|c| [c.applied, c.valid, c.new, c.improving]);
    let numbers = std::iter::once(state.solved_at_start as u64).chain(memory).chain([state.work]);
    numbers.flat_map(u64::to_le_bytes).collect()
}
