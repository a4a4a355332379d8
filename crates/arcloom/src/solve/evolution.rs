//! Evolution: on tasks that are still open, starting from all that was found.

use arcloom_graph::{Plan, TaskView};
use arcloom_lang::{Program, load_file};
use arcloom_store::StoreError;
use arcloom_tasks::GridLimits;
use arcloom_value::Grid;

use super::desk::{Found, proven};
use super::finder::Finder;
use super::parts::{Part, entries};
use super::proposals::{Proposals, doubt};
use super::shelf::Shelf;
use super::{Ingredient, Solve, SolveTask};
use crate::archive::{Archive, Storage};
use crate::evolve::{EvolveConfig, EvolveRequest};
use crate::library::Entry;

/// Programs bred from those of the library and those that were found.
pub(super) struct Evolution<'a> {
    pub(super) solve: Solve<'a>,
}

impl Finder for Evolution<'_> {
    fn ingredient(&self) -> Ingredient {
        Ingredient::Evolution
    }

    /// Puts what was found into the archive and evolves it where nothing fits all demos.
    fn conclude(
        &self,
        part: &Part,
        solved: &mut [SolveTask],
        shelf: &mut Shelf<'_>,
    ) -> Result<(), StoreError> {
        let Solve { engine, options, stop, .. } = self.solve;
        let library = self.bred_from(part, solved);
        let is_stored = shelf.storage().is_some();
        if library.is_empty() || !(is_stored || options.evolves()) {
            return Ok(());
        }
        let work = options.evolve_work(solved.iter().filter(|task| !task.is_fit()));
        let config = EvolveConfig {
            work: Some(work),
            polish: 0,
            hands_in: false,
            ..EvolveConfig::default()
        };
        let request = EvolveRequest::new(&library, &part.tasks, &config);
        let evolve = |storage: Storage<'_>| engine.evolve(&request, storage, stop, &mut |_| {});
        let report = match shelf.storage().map(evolve) {
            Some(Err(error)) => {
                shelf.give_up(error)?;
                None
            }
            stored => stored.transpose()?,
        };
        let report = match report {
            Some(report) => report,
            None if options.evolves() => evolve(Storage::from(&mut Archive::in_memory()?))?,
            None => return Ok(()),
        };
        shelf.unstored |= report.unstored;
        for found in &report.found {
            let slot = solved.iter_mut().find(|s| s.id == found.task && !s.is_fit());
            let (Some(task), Some(slot)) = (part.tasks.get(&found.task), slot) else { continue };
            let view = TaskView::new(task);
            let Some(outputs) = self.predicted(&view, &found.program) else { continue };
            let program = found.program.clone();
            let found = Found { program, outputs, fits: slot.demos, doubt: doubt(0, 0) };
            let mut proposals = Proposals::from(std::mem::take(&mut slot.proposals));
            match proven(engine, &view, Ingredient::Evolution, found) {
                Some(proposal) => proposals.add(proposal),
                None => slot.unprintable += 1,
            }
            slot.proposals = proposals.ranked(slot.demos);
        }
        Ok(())
    }
}

impl Evolution<'_> {
    /// What a program gives on the tests of a task; `None` where one of them is no grid.
    fn predicted(&self, task: &TaskView, program: &Program) -> Option<Vec<Grid>> {
        let found = self.solve.engine.machine().outputs(&Plan::new(program), task);
        found.test_grids().filter(|grids| grids.iter().all(|grid| GridLimits::ARC.allow(grid)))
    }

    /// The programs of the library without those of a fold, and those that the search found.
    fn bred_from(&self, part: &Part, solved: &[SolveTask]) -> Vec<Entry> {
        let mut programs: Vec<Entry> =
            entries(self.solve.library, part.withheld).cloned().collect();
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
