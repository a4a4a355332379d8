//! Where what is found goes, as long as it can.

use std::time::{SystemTime, UNIX_EPOCH};

use arcloom_graph::Stop;
use arcloom_store::{NewRun, Records, RunKind, RunNumber, RunState, StoreError};
use arcloom_tasks::TaskSet;

use super::report::KnownStats;
use super::{SolveOptions, SolveTask, record};
use crate::archive::{Storage, about, task_record};
use crate::engine::Engine;
use crate::evolve::ended_by;
use crate::library::Library;
use crate::run::UNUSED_FOR;

/// The archive of a run, where there is one.
pub(super) struct Shelf<'a> {
    pub(super) storage: Option<Storage<'a>>,
    /// True once there is something to lose.
    pub(super) begun: bool,
    /// True once the archive could not be written any more.
    pub(super) unstored: bool,
    /// The run in the archive.
    pub(super) run: Option<RunNumber>,
    /// What was found in the archive.
    pub(super) known: KnownStats,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(storage: Option<Storage<'a>>) -> Shelf<'a> {
        Shelf { storage, begun: false, unstored: false, run: None, known: KnownStats::default() }
    }

    /// Notes that a run begins, or that one with the same settings goes on.
    pub(super) fn begin(
        &mut self,
        engine: &Engine,
        library: &Library,
        tasks: &TaskSet,
        options: &SolveOptions,
    ) -> Result<(), StoreError> {
        let Some(storage) = self.storage() else { return Ok(()) };
        let config = record::config(engine, library, tasks, options);
        let (version, kind) = (crate::version(), RunKind::Solve);
        let archive = storage.archive;
        let mut begin = || {
            archive.forget(UNUSED_FOR)?;
            // The same again has the same results: it is no other run.
            if let Some(known) = archive.find_run(0, &config, &version)? {
                archive.resume_run(known.number)?;
                return Ok(known.number);
            }
            let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            archive.begin_run(&NewRun {
                kind,
                about: about(tasks, &library.programs),
                seed: 0,
                config: config.clone(),
                version: version.clone(),
                started: started.as_secs() as i64,
            })
        };
        match begin() {
            Ok(run) => self.run = Some(run),
            Err(error) => self.give_up(error)?,
        }
        Ok(())
    }

    /// Notes that the run is over; `whole` unless tasks are left.
    pub(super) fn end(&mut self, whole: bool, stop: &Stop) -> Result<(), StoreError> {
        let Some((run, storage)) = self.run.zip(self.storage()) else { return Ok(()) };
        let state = if whole { RunState::Finished } else { ended_by(stop) };
        storage.archive.set_run_state(run, state).or_else(|error| self.give_up(error))
    }

    /// The archive, as long as it can be written.
    pub(super) fn storage(&mut self) -> Option<Storage<'_>> {
        self.storage.as_mut().filter(|_| !self.unstored).map(Storage::lent)
    }

    pub(super) fn give_up(&mut self, error: StoreError) -> Result<(), StoreError> {
        self.unstored = true;
        self.storage.as_ref().map_or(Ok(()), |storage| storage.give_up(error))
    }

    /// Puts what is handed in for the tasks of a part into the archive.
    pub(super) fn hand_in(
        &mut self,
        engine: &Engine,
        part: &TaskSet,
        solved: &[SolveTask],
    ) -> Result<(), StoreError> {
        let run = self.run;
        let Some(storage) = self.storage() else { return Ok(()) };
        let tasks = solved.iter().filter_map(|found| Some((part.get(&found.id)?, found)));
        let mut records = Records::default();
        for (task, found) in tasks {
            records.tasks.push(task_record(task, &part.name));
            if let Some(run) = run {
                records.run_tasks.push(record::run_task(engine, run, task, found, None));
                for (program, result) in record::programs(engine, run, task, found) {
                    records.programs.push(program);
                    records.results.push(result);
                }
            }
            records.standings.push(found.standing(engine, task).record());
        }
        match storage.archive.add(&records) {
            Ok(_) => Ok(()),
            Err(error) => self.give_up(error),
        }
    }
}
