//! Where what is found goes, as long as it can.

use arcloom_store::{Records, StoreError};
use arcloom_tasks::TaskSet;

use super::SolveTask;
use crate::archive::{Storage, task_record};
use crate::engine::Engine;

/// The archive of a run, where there is one.
pub(super) struct Shelf<'a> {
    pub(super) storage: Option<Storage<'a>>,
    /// True once there is something to lose.
    pub(super) begun: bool,
    /// True once the archive could not be written any more.
    pub(super) unstored: bool,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(storage: Option<Storage<'a>>) -> Shelf<'a> {
        Shelf { storage, begun: false, unstored: false }
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
        let Some(storage) = self.storage() else { return Ok(()) };
        let tasks = solved.iter().filter_map(|found| Some((part.get(&found.id)?, found)));
        let mut records = Records::default();
        for (task, found) in tasks {
            records.tasks.push(task_record(task, &part.name));
            records.standings.push(found.standing(engine, task).record());
        }
        match storage.archive.add(&records) {
            Ok(_) => Ok(()),
            Err(error) => self.give_up(error),
        }
    }
}
