//! Evolution on tasks that are still open, starting from all that was found.

use arcloom_graph::TaskView;
use arcloom_lang::load_file;
use arcloom_store::StoreError;

use super::known::{Part, entries};
use super::proposals::{doubt, propose, rank};
use super::shelf::Shelf;
use super::{Ingredient, Solve, SolveTask};
use crate::archive::{Archive, Storage};
use crate::evolve::{EvolveConfig, EvolveRequest};
use crate::library::Entry;

impl Solve<'_> {
    /// Puts what was found into the archive and evolves it where nothing fits all demos.
    pub(super) fn breed(
        &self,
        part: &Part,
        solved: &mut [SolveTask],
        shelf: &mut Shelf<'_>,
    ) -> Result<(), StoreError> {
        let library = self.bred_from(part, solved);
        let is_stored = shelf.storage().is_some();
        if library.is_empty() || !(is_stored || self.options.evolves()) {
            return Ok(());
        }
        let work = self.options.evolve_work(solved.iter().filter(|task| !task.is_fit()));
        let config = EvolveConfig {
            work: Some(work),
            polish: 0,
            hands_in: false,
            ..EvolveConfig::default()
        };
        let request = EvolveRequest::new(&library, &part.tasks, &config);
        let evolve =
            |storage: Storage<'_>| self.engine.evolve(&request, storage, self.stop, &mut |_| {});
        let report = match shelf.storage().map(evolve) {
            Some(Err(error)) => {
                shelf.give_up(error)?;
                None
            }
            stored => stored.transpose()?,
        };
        let report = match report {
            Some(report) => report,
            None if self.options.evolves() => evolve(Storage::from(&mut Archive::in_memory()?))?,
            None => return Ok(()),
        };
        shelf.unstored |= report.unstored;
        for found in &report.found {
            let slot = solved.iter_mut().find(|s| s.id == found.task && !s.is_fit());
            let (Some(task), Some(slot)) = (part.tasks.get(&found.task), slot) else { continue };
            let view = TaskView::new(task);
            let Some(outputs) = self.predicted(&view, &found.program) else { continue };
            let (fits, doubt) = (slot.demos, doubt(0, 0));
            let source = Ingredient::Evolution;
            match self.proven(&view, &found.program, outputs, fits, source, doubt) {
                Some(proposal) => propose(&mut slot.proposals, proposal),
                None => slot.unprintable += 1,
            }
            rank(&mut slot.proposals);
        }
        Ok(())
    }

    /// The programs of the library without those of a fold, and those that the search found.
    fn bred_from(&self, part: &Part, solved: &[SolveTask]) -> Vec<Entry> {
        let mut programs: Vec<Entry> = entries(self.library, part.withheld).cloned().collect();
        let found = solved.iter().flat_map(|task| &task.proposals);
        for proposal in found {
            let by = proposal.sources.iter().find(|source| **source > Ingredient::Transfer);
            let (Some(by), Some(text)) = (by, &proposal.program) else { continue };
            let loaded = load_file(text).programs.into_iter();
            programs.extend(loaded.map(|program| Entry::new(program, by.name())));
        }
        programs
    }
}
