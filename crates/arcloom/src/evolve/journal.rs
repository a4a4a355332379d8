//! Generations into the archive, and a run out of it again.

use std::time::{SystemTime, UNIX_EPOCH};

use arcloom_evolve::{
    EvolveConfig, EvolveTask, Generation, GenerationStep, Journal, MadeFrom, Member, OperatorCount,
    StoredPopulation, StoredRun, Validation,
};
use arcloom_graph::view::grids;
use arcloom_store::{
    GenerationBatch, GenerationRecord, NewRun, OperatorRecord, PopulationRecord, PredictionRecord,
    ProgramRecord, Prune, Records, ResultRecord, RunKind, RunNumber, RunRecord, RunState,
    StoreError,
};

use super::{EvolveRequest, hand_in};
use crate::archive::{Storage, about, score_records, task_record};
use crate::attempts::grid_text;
use crate::engine::Engine;

/// A run in an archive.
pub(super) struct ArchiveJournal<'a> {
    engine: &'a Engine,
    config: &'a EvolveConfig,
    /// Where the tasks are from.
    set: &'a str,
    storage: Storage<'a>,
    run: RunNumber,
    /// The run, where there is something of it already.
    known: Option<RunRecord>,
    /// True once the archive cannot be written any more.
    unstored: bool,
}

impl<'a> ArchiveJournal<'a> {
    /// The run that is asked for, begun unless it is there already.
    pub(super) fn open(
        engine: &'a Engine,
        request: &EvolveRequest<'a>,
        storage: Storage<'a>,
    ) -> Result<ArchiveJournal<'a>, StoreError> {
        let EvolveRequest { library, tasks, config, .. } = *request;
        let programs = library.iter().map(|entry| entry.program.id());
        let identity = config.identity(programs, &tasks.tasks, engine.limits().call_budget());
        let (seed, version) = (config.seed, crate::version());
        let known = storage.archive.find_run(seed, &identity, &version)?;
        let run = match &known {
            Some(run) => {
                storage.archive.resume_run(run.number)?;
                run.number
            }
            None => {
                let kind = if config.hands_in { RunKind::Evolve } else { RunKind::Part };
                let about = about(tasks, library);
                let new = NewRun { kind, about, seed, config: identity, version, started: now() };
                storage.archive.begin_run(&new)?
            }
        };
        let known = known.filter(|run| run.generations > 0);
        let set = tasks.name.as_str();
        Ok(ArchiveJournal { engine, config, set, storage, run, known, unstored: false })
    }

    /// True when the last generations are not in the archive.
    pub(super) fn is_unstored(&self) -> bool {
        self.unstored
    }

    /// Notes that the run was ended from outside, by its user or by the clock.
    pub(super) fn stopped(&mut self, state: RunState) -> Result<(), StoreError> {
        let run = self.run;
        self.store(|storage| storage.archive.set_run_state(run, state))
    }

    /// Generations are stored in order: after one that is not, none is.
    fn store(
        &mut self,
        write: impl FnOnce(&mut Storage<'a>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.unstored {
            return Ok(());
        }
        write(&mut self.storage).or_else(|error| {
            self.unstored = true;
            self.storage.give_up(error)
        })
    }

    /// What a generation brought, and what is alive after it.
    fn batch(&self, generation: &Generation<'_>) -> GenerationBatch {
        let Generation { tasks, state, step } = *generation;
        let number = state.generation;
        let mut records = Records::default();
        if number == 0 {
            records.tasks = tasks.iter().map(|task| task_record(task.task, self.set)).collect();
        }
        // Guests first: what joined may be their children.
        let guests = step.guests.iter().map(|(task, member)| (&tasks[*task], &**member));
        let joined = step.joined.iter().filter_map(|&(island, task, place)| {
            Some((&tasks[task], &**state.islands[island][task].members().get(place)?))
        });
        let joined: Vec<(&EvolveTask<'_>, &Member)> = guests.chain(joined).collect();
        // Only members that stay are asked for this, so that breeding need not remember it for all.
        let scores = self.engine.spread(&joined, |(task, member)| {
            score_records(member.id, task.id, &task.view, &member.demos)
        });
        records.scores = scores.into_iter().flatten().collect();
        for (task, member) in joined {
            add(&mut records, self.run, task, member);
        }
        let population = |&(island, task): &(usize, usize)| {
            let members = state.islands[island][task].members();
            PopulationRecord {
                task: tasks[task].id,
                island: island as u32,
                members: members.iter().map(|member| member.id).collect(),
                state: members.iter().flat_map(|m| m.made.generation.to_le_bytes()).collect(),
            }
        };
        if self.config.hands_in {
            let mut changed: Vec<usize> = step.changed.iter().map(|&(_, task)| task).collect();
            changed.sort_unstable();
            changed.dedup();
            let standing = |n: usize| hand_in::standing(&tasks[n], state.members(n)).record();
            records.standings = changed.into_iter().map(standing).collect();
        }
        let every = self.config.prune_every;
        // By the number of the generation, so that interrupted runs prune at the same moments.
        let due = every > 0 && number > 0 && number.is_multiple_of(every);
        GenerationBatch {
            figures: GenerationRecord {
                run: self.run,
                number,
                evaluations: step.evaluations,
                new_programs: records.programs.len() as u64,
                solved: state.solved() as u64,
                stats: stats(generation),
                finished: now(),
                memory: resident(),
            },
            operators: state.operators().into_iter().map(operator_record).collect(),
            populations: step.changed.iter().map(population).collect(),
            records,
            checkpoint: state.checkpoint(),
            state: RunState::Running,
            prune: due.then(|| Prune { limit: self.config.archive_limit, ..Prune::default() }),
        }
    }
}

impl Journal for ArchiveJournal<'_> {
    type Error = StoreError;

    fn recall(&mut self) -> Result<Option<StoredRun>, StoreError> {
        let Some(run) = &self.known else { return Ok(None) };
        let archive = &*self.storage.archive;
        let operator = |row: OperatorRecord| {
            let OperatorRecord { operator, applied, valid, new, improving } = row;
            (operator, OperatorCount { applied, valid, new, improving })
        };
        let mut populations = Vec::new();
        for population in archive.populations(self.run)? {
            let generations = population.state.as_chunks::<8>().0;
            let mut members = Vec::new();
            for (id, generation) in population.members.into_iter().zip(generations) {
                let record = archive.program(id)?.ok_or_else(|| StoreError::Program {
                    id: id.to_string(),
                    problem: "a member of a population is missing; restore the archive".to_string(),
                })?;
                members.push((record.program()?, u64::from_le_bytes(*generation)));
            }
            let (island, task) = (population.island as usize, population.task);
            populations.push(StoredPopulation { island, task, members });
        }
        Ok(Some(StoredRun {
            generations: run.generations,
            checkpoint: run.checkpoint.clone(),
            operators: archive.operators(self.run)?.into_iter().map(operator).collect(),
            populations,
        }))
    }

    fn keep(&mut self, generation: &Generation<'_>) -> Result<(), StoreError> {
        if self.unstored {
            return Ok(());
        }
        let batch = self.batch(generation);
        self.store(|storage| storage.archive.commit(&batch).map(drop))
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        let run = self.run;
        self.store(|storage| storage.archive.set_run_state(run, RunState::Finished))
    }

    fn bytes(&self) -> u64 {
        self.storage.archive.bytes()
    }
}

/// The records of one member.
fn add(records: &mut Records, run: RunNumber, task: &EvolveTask<'_>, member: &Member) {
    let (source, by, parents) = match &member.made.from {
        MadeFrom::File(file) => (file.as_str(), None, &[][..]),
        MadeFrom::Transfer => (ProgramRecord::TRANSFER, None, &[][..]),
        MadeFrom::Bred { by, parents } => (ProgramRecord::EVOLVED, *by, &parents[..]),
    };
    let mut record = ProgramRecord::new(member.program(), source);
    record.cost = member.work;
    record.run = Some(run);
    record.generation = Some(member.made.generation);
    record.operator = by.map(str::to_owned);
    record.added = now();
    record.parents = parents.to_vec();
    let id = record.id;
    records.programs.push(record);
    records.results.push(ResultRecord {
        program: id,
        task: task.id,
        pairs: member.fit.marks(),
        similarity: member.fitness.similarity,
        work: member.work,
        behaviour: member.behaviour,
        validated: member.validation.and_then(Validation::record),
    });
    if member.is_solver() {
        let grids = grids(&member.tests).enumerate();
        records.predictions.extend(grids.filter_map(|(test, grid)| {
            let grid = grid_text(grid?);
            Some(PredictionRecord { program: id, task: task.id, test: test as u32, grid })
        }));
    }
}

/// Figures of a generation that have no column of their own, as a JSON object.
fn stats(generation: &Generation<'_>) -> String {
    let Generation { tasks, state, step } = *generation;
    let GenerationStep { joined, changed, calls, .. } = step;
    let alive = state.islands.iter().flatten().map(|population| population.members().len());
    let nearest = state.nearest(tasks).map(|near| {
        serde_json::json!({"task": near.task, "solved": near.fits, "demos": near.demos,
                           "similarity": near.similarity})
    });
    serde_json::json!({
        "colonies_changed": changed.len(),
        "joined": joined.len(),
        "alive": alive.sum::<usize>(),
        "calls": calls.0,
        "calls_computed": calls.1,
        "nearest": nearest,
    })
    .to_string()
}

fn operator_record(row: arcloom_evolve::OperatorRow) -> OperatorRecord {
    let OperatorCount { applied, valid, new, improving } = row.count;
    OperatorRecord { operator: row.name.to_owned(), applied, valid, new, improving }
}

/// Seconds since 1970, for records only.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// Bytes of memory of this process, where the system tells; for records only.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
