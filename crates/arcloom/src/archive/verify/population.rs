//! Runs: the order of what is alive, the tasks that are solved, the checkpoint.
//!
//! Stored results decide first. Where they say otherwise than a run, they may be those of another one, with
//! other limits: then the members are run again within the run's own.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use arcloom_evolve::{ALL, validate};
use arcloom_graph::Plan;
use arcloom_store::{Archive, PopulationRecord, RunNumber, RunRecord, StoreError, TaskId};

use super::{Check, Verified};
use crate::eval::Evaluation;

/// Said of what depends on pairs that programs were tried on and that are not at hand.
const KEPT_BACK: &str = "order of a population by validation on pairs that are not at hand";

/// Said of what only the grids of a task would tell.
const NO_TASK: &str = "population on a task that is not at hand";

/// The rank of a member but for its name; smaller is better.
type Rank = (Reverse<bool>, Reverse<usize>, Reverse<u64>, u64);

impl Check<'_> {
    pub(super) fn populations(&self, archive: &Archive) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        let suspects = archive.populations_out_of_order()?;
        let solved = archive.solved_by_population()?;
        for run in archive.runs()? {
            let id = blake3::Hash::from_bytes(run.id).to_hex();
            verified
                .problems
                .extend(checkpoint(archive, &run)?.map(|what| format!("run {id}: {what}")));
            if run.version == crate::version() {
                let rows = archive.operators(run.number)?;
                let known = |name: &str| ALL.iter().any(|operator| operator.name == name);
                let strange = rows.iter().find(|row| !known(&row.operator));
                verified.problems.extend(
                    strange.map(|row| format!("run {id}: there is no operator {}", row.operator)),
                );
            }
            let differs =
                solved.iter().find(|(number, said, found)| *number == run.number && said != found);
            let suspects: BTreeSet<(TaskId, u32)> = suspects
                .iter()
                .filter(|(number, ..)| *number == run.number)
                .map(|&(_, task, island)| (task, island))
                .collect();
            if differs.is_none() && suspects.is_empty() {
                continue;
            }
            let populations = archive.populations(run.number)?;
            for population in &populations {
                if !suspects.contains(&(population.task, population.island)) {
                    continue;
                }
                let ranks = self.ranks(archive, run.number, population, usize::MAX)?;
                let in_order = ranks.as_ref().map(|ranks| ranks.is_sorted());
                match in_order {
                    Some(true) => {}
                    Some(false) if self.kept_back => verified.unconfirmed(KEPT_BACK),
                    Some(false) => verified.problems.push(format!(
                        "the population of {} on island {} of run {id}: is not in the order of what its programs do",
                        self.name(population.task),
                        population.island
                    )),
                    None => verified.unconfirmed(NO_TASK),
                }
            }
            let Some((_, said, _)) = differs else { continue };
            let mut solvers: BTreeSet<TaskId> = BTreeSet::new();
            let mut known = true;
            for population in &populations {
                match self.ranks(archive, run.number, population, 1)? {
                    Some(ranks) if ranks.first().is_some_and(|(Reverse(solver), ..)| *solver) => {
                        solvers.insert(population.task);
                    }
                    Some(_) => {}
                    None => known = false,
                }
            }
            if known && !self.kept_back && solvers.len() as u64 != *said {
                verified.problems.push(format!(
                    "run {id}: its last generation says that {said} tasks are solved, {} are",
                    solvers.len()
                ));
            } else if !known || self.kept_back {
                verified.unconfirmed("number of tasks that a run solved");
            }
        }
        Ok(verified)
    }

    /// What the first members of a population are worth within the limits of its run; nothing where that
    /// cannot be found out.
    fn ranks(
        &self,
        archive: &Archive,
        run: RunNumber,
        population: &PopulationRecord,
        most: usize,
    ) -> Result<Option<Vec<Rank>>, StoreError> {
        let (Some(at), Some(limits)) = (self.tasks.get(&population.task), self.of_run.get(&run))
        else {
            return Ok(None);
        };
        let Some((task, view)) = at.forms.first() else { return Ok(None) };
        let mut ranks = Vec::new();
        for &id in population.members.iter().take(most) {
            // What does not load is said elsewhere.
            let Some(record) = archive.program(id)? else { return Ok(None) };
            let Ok(program) = record.program() else { return Ok(None) };
            let mut machine = limits.machine();
            let Evaluation { fit, .. } =
                self.engine.evaluate(&mut machine, &Plan::new(&program), view);
            let solver = fit.is_full() && validate(&program, task, &[], &mut machine);
            let size = program.size() as u64;
            let near = u64::from(fit.similarity()).saturating_sub(size);
            ranks.push((Reverse(solver), Reverse(fit.count()), Reverse(near), size));
        }
        Ok(Some(ranks))
    }
}

/// The checkpoint is of whole numbers, the first of which is how many tasks generation 0 solved.
fn checkpoint(archive: &Archive, run: &RunRecord) -> Result<Option<String>, StoreError> {
    if run.generations == 0 {
        return Ok((!run.checkpoint.is_empty()).then(|| "has a checkpoint of nothing".to_owned()));
    }
    let (numbers, rest) = run.checkpoint.as_chunks::<8>();
    let (Some(first), []) = (numbers.first(), rest) else {
        return Ok(Some("its checkpoint is cut off".to_owned()));
    };
    let first = u64::from_le_bytes(*first);
    let generations = archive.generations(run.number)?;
    let begun = generations.first().map(|generation| generation.solved);
    Ok((begun.is_some_and(|begun| begun != first)).then(|| {
        format!(
            "its checkpoint says that {first} tasks were solved at the start, generation 0 that {} were",
            begun.unwrap_or(0)
        )
    }))
}
