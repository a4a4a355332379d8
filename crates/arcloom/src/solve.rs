//! Tasks nobody wrote a program for: everything that may solve them, in one go.
//!
//! | ingredient | where | what it brings |
//! |---|---|---|
//! | transfer | `run.rs` | what programs of other tasks, and parts of them, do here |
//! | terms | `arcloom-search` | programs of the DSL enumerated by value, cheapest first |
//! | search | `arcloom-search` | chains of steps on sheets enumerated by value, stacked to outputs |
//! | evolution | `evolve.rs` | all of these mutated, on tasks that are still open |
//!
//! All of them predict the test outputs, and say how far each prediction is to be doubted; the two least
//! doubtful are the attempts (`attempts.rs`). Test answers are looked at by the report alone.
//!
//! Every answer is a program: one that was found is kept only when its program, read back from its text,
//! gives what was found.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use arcloom_graph::{Stop, TaskView};
use arcloom_store::StoreError;
use arcloom_tasks::{Task, TaskSet};

use self::keep::Keeper;
use self::known::{Known, Part, entries, parts};
use self::shelf::Shelf;
use crate::archive::Storage;
use crate::engine::Engine;
use crate::library::Library;
use crate::run::{Differs, RunOptions, TaskRun};

mod breed;
mod keep;
mod known;
pub mod options;
mod pictures;
mod proposals;
mod prove;
pub mod report;
mod shelf;
mod task;
mod terms;

pub use options::SolveOptions;
pub(crate) use prove::{Remembered, RememberedProposal, is_of_solve};
pub use report::{Ingredient, Proposal, SolveReport, SolveTask};

/// Grids the library makes of a task's inputs that the search may start from.
const PICTURES: usize = 400;

/// What all looks at all tasks have in common.
struct Solve<'a> {
    engine: &'a Engine,
    library: &'a Library,
    options: &'a SolveOptions,
    stop: &'a Stop,
}

impl Engine {
    /// Solves tasks with the programs of a library and by search. What is found goes into the archive,
    /// where there is one. `progress` hears how many tasks are done, of the first look and then of the
    /// second; `stop` ends the run, and what is not finished by then is as if it had not been begun.
    pub fn solve(
        &self,
        library: &Library,
        tasks: &TaskSet,
        options: &SolveOptions,
        archive: Option<Storage<'_>>,
        stop: &Stop,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<SolveReport, StoreError> {
        let mut shelf = Shelf::new(archive);
        let parts = parts(tasks, options.folds);
        let mut first = Vec::new();
        if let Some(seconds) = options.first_look {
            let done = Done { count: AtomicUsize::new(0), progress };
            let options = &options.brief(seconds);
            let look = Solve { engine: self, library, options, stop };
            for part in &parts {
                first.extend(look.look(part, &mut shelf, &done)?);
            }
        }
        let options = &SolveOptions { first_look: None, ..options.clone() };
        let look = Solve { engine: self, library, options, stop };
        let done = Done { count: AtomicUsize::new(0), progress };
        let mut all = Vec::new();
        for part in &parts {
            let mut solved = look.look(part, &mut shelf, &done)?;
            if !stop.is_due() {
                look.breed(part, &mut solved, &mut shelf)?;
            }
            shelf.hand_in(self, &part.tasks, &solved)?;
            all.extend(solved);
        }
        let finished: BTreeSet<String> = all.iter().map(|task| task.id.clone()).collect();
        first.retain(|task| !finished.contains(&task.id));
        let brief = first.len();
        all.append(&mut first);
        all.sort_by(|a, b| a.id.cmp(&b.id));
        let (unfinished, unstored) = (tasks.tasks.len() - all.len(), shelf.unstored);
        Ok(SolveReport { unfinished, brief, unstored, tasks: all })
    }
}

/// Counts tasks that are done.
struct Done<'a> {
    count: AtomicUsize,
    progress: &'a (dyn Fn(usize) + Sync),
}

impl Done<'_> {
    fn add(&self, tasks: usize) {
        (self.progress)(self.count.fetch_add(tasks, Ordering::Relaxed) + tasks);
    }
}

impl Solve<'_> {
    /// What the library and the search find on the tasks of a part; those are missing that were not finished.
    fn look(
        &self,
        part: &Part,
        shelf: &mut Shelf<'_>,
        done: &Done<'_>,
    ) -> Result<Vec<SolveTask>, StoreError> {
        let Solve { engine, library, options, stop } = *self;
        let withheld = part.withheld;
        let begun = std::mem::replace(&mut shelf.begun, true);
        let programs = entries(library, withheld);
        let keeper = Keeper::new(shelf.storage(), programs, engine.limits(), withheld, options);
        let (mut solved, mut rest) = (Vec::new(), Vec::new());
        for task in &part.tasks.tasks {
            // The archive may be somebody else's: what its programs do not give is searched for again.
            let holds =
                |known: &SolveTask| prove::holds(&TaskView::new(task), known, engine.limits());
            match keeper.find(task).map(|known| known.filter(holds)) {
                Ok(Some(known)) => solved.push(known),
                Ok(None) => rest.push(task.clone()),
                // Nothing is lost yet.
                Err(error) if !begun => return Err(error),
                Err(error) => {
                    keeper.give_up(error);
                    rest.push(task.clone());
                }
            }
        }
        done.add(solved.len());
        let known = Known::new(engine, library, withheld, options);
        // What is found after an error that ends the run would be lost with it.
        let goes_on = || !stop.is_due() && !keeper.ends_run();
        let solve = |task: &Task, run: Option<TaskRun>| {
            let start = Instant::now();
            let solved = self.task(task, run.as_ref(), &known);
            if stop.is_due() {
                return None;
            }
            keeper.keep(task, &solved, start.elapsed());
            done.add(1);
            Some(solved)
        };
        let found = if known.batt.roots().is_empty() {
            engine.spread(&rest, |task| if goes_on() { solve(task, None) } else { None })
        } else {
            let run = RunOptions {
                differs: Differs::none(),
                pictures: if options.pictures { PICTURES } else { 0 },
                ..RunOptions::default()
            };
            engine.run_then(&known.batt, &rest, &run, stop, |task, run| {
                run.filter(|_| goes_on()).and_then(|run| solve(task, Some(run)))
            })
        };
        shelf.unstored |= keeper.finish()?;
        solved.extend(found.into_iter().flatten());
        solved.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(solved)
    }
}
