//! Tasks nobody wrote a program for: everything that may solve them, in one go.
//!
//! | ingredient | where | what it brings |
//! |---|---|---|
//! | transfer | `solve/transfer.rs` | what programs of other tasks, and parts of them, do here |
//! | search | `solve/search.rs`, `arcloom-search` | chains of steps on sheets enumerated by value, stacked to outputs |
//! | frames | `solve/frames.rs`, `arcloom-search` | the same search on tasks that are made of the task: in another frame, cut into parts |
//! | evolution | `solve/evolution.rs`, `arcloom-evolve` | all of these mutated, on tasks that are still open |
//!
//! All of them predict the test outputs, and say how far each prediction is to be doubted; the two least
//! doubtful are the attempts (`attempts.rs`). Test answers are looked at by the report alone.
//!
//! Every answer is a program: one that was found is kept only when its program, read back from its text,
//! gives what was found.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use arcloom_graph::spans::thread_cpu;
use arcloom_graph::{Stop, TaskView};
use arcloom_store::StoreError;
use arcloom_tasks::TaskSet;

use self::evolution::Evolution;
use self::finder::Finder;
use self::frames::Frames;
use self::keep::Keeper;
use self::parts::{Part, entries, parts};
use self::search::Sheets;
use self::shelf::Shelf;
use self::transfer::Transfer;
use crate::archive::Storage;
use crate::engine::Engine;
use crate::library::Library;
use crate::timing::group;

mod desk;
mod evolution;
mod finder;
mod frames;
mod keep;
pub mod options;
mod parts;
mod pictures;
mod proposals;
mod prove;
mod record;
pub mod report;
mod search;
mod shelf;
mod task;
mod transfer;

pub use options::{Ablation, SolveOptions};
pub(crate) use prove::{Remembered, RememberedProposal, is_of_solve};
pub use report::{Ingredient, KnownStats, Proposal, SolveReport, SolveTask};

/// What all looks at all tasks have in common.
#[derive(Clone, Copy)]
struct Solve<'a> {
    engine: &'a Engine,
    library: &'a Library,
    options: &'a SolveOptions,
    stop: &'a Stop,
}

/// All ingredients, with what they know when they look at the tasks of a part.
struct Ingredients<'a> {
    transfer: Transfer<'a>,
    sheets: Sheets<'a>,
    frames: Frames<'a>,
    evolution: Evolution<'a>,
}

impl<'a> Ingredients<'a> {
    fn new(solve: Solve<'a>, withheld: Option<u8>) -> Ingredients<'a> {
        let _card = group("card");
        Ingredients {
            transfer: Transfer::new(solve, withheld),
            sheets: Sheets::new(solve, withheld),
            frames: Frames::new(solve, withheld),
            evolution: Evolution::new(solve, withheld),
        }
    }

    /// All of them, in the order in which a task goes past them.
    fn list(&self) -> [&dyn Finder; 4] {
        [&self.transfer, &self.sheets, &self.frames, &self.evolution]
    }
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
        let _entered = self.functions().enter();
        let share = options.shard.map(|shard| shard.share(tasks));
        let mut shelf = Shelf::new(archive);
        let store = group("store");
        // The run is that of all tasks, whichever share of them this process has.
        shelf.begin(self, library, tasks, options)?;
        drop(store);
        let options = &SolveOptions { shard: None, ..options.clone() };
        let tasks = share.as_ref().unwrap_or(tasks);
        let parts = parts(tasks, options.folds);
        let mut first = Vec::new();
        if let Some(seconds) = options.first_look {
            let done = Done { count: AtomicUsize::new(0), progress };
            let options = &options.brief(seconds);
            let look = Solve { engine: self, library, options, stop };
            for part in &parts {
                let ingredients = Ingredients::new(look, part.withheld);
                first.extend(look.look(part, &ingredients, &mut shelf, &done)?);
            }
        }
        let options = &SolveOptions { first_look: None, ..options.clone() };
        let look = Solve { engine: self, library, options, stop };
        let done = Done { count: AtomicUsize::new(0), progress };
        let mut all = Vec::new();
        for part in &parts {
            let ingredients = Ingredients::new(look, part.withheld);
            let solved = look.look(part, &ingredients, &mut shelf, &done)?;
            {
                let _store = group("store");
                shelf.hand_in(self, &part.tasks, &solved)?;
            }
            all.extend(solved);
        }
        let finished: BTreeSet<String> = all.iter().map(|task| task.id.clone()).collect();
        first.retain(|task| !finished.contains(&task.id));
        let brief = first.len();
        all.append(&mut first);
        all.sort_by(|a, b| a.id.cmp(&b.id));
        let unfinished = tasks.tasks.len() - all.len();
        let store = group("store");
        shelf.end(unfinished + brief == 0, stop)?;
        drop(store);
        let (unstored, known) = (shelf.unstored, shelf.known);
        Ok(SolveReport { unfinished, brief, unstored, known, tasks: all })
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
    /// What is found on the tasks of a part, each alone; those are missing that were not finished.
    fn look(
        &self,
        part: &Part,
        ingredients: &Ingredients<'_>,
        shelf: &mut Shelf<'_>,
        done: &Done<'_>,
    ) -> Result<Vec<SolveTask>, StoreError> {
        let Solve { engine, library, options, stop } = *self;
        let withheld = part.withheld;
        let begun = std::mem::replace(&mut shelf.begun, true);
        let programs = entries(library, withheld);
        let run = shelf.run.map(|number| (number, engine, part.tasks.name.as_str()));
        let keeper = Keeper::new(shelf.storage(), programs, engine.limits(), withheld, options);
        let keeper = keeper.noting(run);
        let known = group("cache");
        let (mut solved, mut rest) = (Vec::new(), Vec::new());
        for task in &part.tasks.tasks {
            // The archive may be somebody else's: what its programs do not give is searched for again.
            let holds =
                |known: &SolveTask| prove::holds(&TaskView::new(task), known, engine.limits());
            match keeper.find(task, holds) {
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
        drop(known);
        done.add(solved.len());
        // What is found after an error that ends the run would be lost with it.
        let goes_on = || !stop.is_due() && !keeper.ends_run();
        let _transfer = group(Ingredient::Transfer.name());
        let found = ingredients.transfer.each(&rest, |task, run, clock| {
            let start = thread_cpu();
            let (mut solved, bred) = goes_on().then(|| self.task(task, run, ingredients))?;
            solved.cpu = clock.spent().map(|all| all.saturating_sub(bred));
            if stop.is_due() {
                return None;
            }
            let _store = group("store");
            keeper.keep(task, &solved, thread_cpu().saturating_sub(start));
            done.add(1);
            Some(solved)
        });
        let (gave_up, known) = keeper.finish()?;
        shelf.unstored |= gave_up;
        shelf.known += known;
        solved.extend(found);
        solved.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(solved)
    }
}
