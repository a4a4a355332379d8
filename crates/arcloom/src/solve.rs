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
use std::time::{Duration, Instant};

use arcloom_graph::batt::Batt;
use arcloom_graph::{Plan, Stop, TaskView};
use arcloom_lang::load_file;
use arcloom_search::costs::{Costs, fold};
use arcloom_search::task as search;
use arcloom_search::terms::{CallCounts, Fragment, Grammar, fragments};
use arcloom_store::StoreError;
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Grid;

use self::keep::Keeper;
use self::proposals::{doubt, propose, rank};
use self::task::Known;
use crate::archive::{Archive, Records, Storage, task_record};
use crate::attempts::Attempts;
use crate::engine::Engine;
use crate::evolve::EvolveConfig;
use crate::library::{Entry, Library};
use crate::run::{Differs, RunOptions, TaskRun};
use crate::standing::Standing;
use crate::verdict::Verdict;

mod keep;
mod proposals;
mod task;

/// Work of terms and the search that takes about a second, and work of evolution that does.
const SEARCHED_PER_SECOND: f64 = 120e6;
const BRED_PER_SECOND: f64 = 185e6;

/// Seconds per task from which on a task that is still open is looked at with rows as columns and evolved
/// for.
const FURTHER_FROM: f64 = 4.0;

/// Grids the library makes of a task's inputs that the search may start from.
const PICTURES: usize = 400;

/// What `solve` is to do.
#[derive(Debug, Clone)]
pub struct SolveOptions {
    /// Processor seconds per task that are aimed at. They are turned into work, so that results do
    /// not depend on the clock.
    pub budget: f64,
    /// Programs of other tasks are tried.
    pub transfer: bool,
    /// Terms of the DSL are enumerated.
    pub terms: bool,
    /// What programs of the library have in common becomes single steps of terms.
    pub learn: bool,
    /// Further such steps.
    pub fragments: Vec<Fragment>,
    /// Chains are enumerated and stacked.
    pub search: bool,
    /// The search also starts from what programs of other tasks make of the inputs.
    pub pictures: bool,
    /// Parts of the search that are left out, for measuring what they bring.
    pub without: search::Without,
    /// Processor seconds per task for evolution, on tasks for which nothing fits all demos; turned into
    /// work. `None` leaves it what terms and the search leave of the budget, from four seconds on.
    pub evolve: Option<f64>,
    /// Tasks are solved in folds: neither programs nor tables learned from the tasks of a fold are
    /// used on it. For measuring on tasks that the library was written for.
    pub folds: bool,
    /// Processor seconds per task for a first look at all of them, before any has its whole budget: a run
    /// that is ended early then has an answer to each.
    pub first_look: Option<f64>,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        let without = search::Without::default();
        SolveOptions {
            budget: 1.0,
            transfer: true,
            terms: true,
            learn: false,
            fragments: Vec::new(),
            search: true,
            pictures: true,
            without,
            evolve: None,
            folds: false,
            first_look: None,
        }
    }
}

/// Of the time that a run may take, what its tasks are given: machines differ, and the clock goes on while
/// the work of others is waited for.
const USED_OF_LIMIT: f64 = 0.8;

/// Seconds per task from which on a run that may be ended begins with a first look, what part of the budget
/// that is, and how much at most.
const LOOK_FROM: f64 = 2.0;
const LOOK_PART: f64 = 0.1;
const LONGEST_LOOK: f64 = 1.0;

impl SolveOptions {
    /// The budget with which so many tasks take about as long as they may.
    pub fn budget_within(limit: Duration, tasks: usize, threads: usize) -> f64 {
        USED_OF_LIMIT * limit.as_secs_f64() * threads as f64 / tasks.max(1) as f64
    }

    /// For a run that may be ended early: a first look at all tasks, where the budget is worth one.
    pub fn with_first_look(mut self) -> SolveOptions {
        let look = (self.budget * LOOK_PART).min(LONGEST_LOOK);
        self.first_look = (self.budget >= LOOK_FROM).then_some(look);
        self
    }

    /// What a look at all tasks that takes so long is to do.
    fn brief(&self, seconds: f64) -> SolveOptions {
        SolveOptions { budget: seconds, evolve: Some(0.0), first_look: None, ..self.clone() }
    }

    /// Seconds per task for the search's way through its stages: all of the budget, or half of it where
    /// something else is to come.
    fn search_seconds(&self) -> f64 {
        if self.evolve.is_none() && self.budget >= FURTHER_FROM {
            self.budget / 2.0
        } else {
            self.budget
        }
    }

    /// Seconds of the budget that are left of a task after this much work of terms and the search.
    fn seconds_left(&self, work: u64) -> f64 {
        (self.budget - work as f64 / SEARCHED_PER_SECOND).max(0.0)
    }

    /// Whether there is evolution at all.
    fn evolves(&self) -> bool {
        self.evolve.map_or(self.budget >= FURTHER_FROM, |seconds| seconds > 0.0)
    }

    /// Seconds of evolution for a task that is still open.
    fn evolve_seconds(&self, task: &SolveTask) -> f64 {
        match self.evolve {
            Some(seconds) => seconds,
            None if self.evolves() => self.seconds_left(task.work),
            None => 0.0,
        }
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ingredient {
    /// A program of the library, or a part of one.
    Transfer,
    /// A program of the DSL that was enumerated.
    Terms,
    /// Enumeration and composition of sheets.
    Search,
    /// Mutation of what the others have.
    Evolution,
}

impl Ingredient {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Ingredient::Transfer => "transfer",
            Ingredient::Terms => "terms",
            Ingredient::Search => "search",
            Ingredient::Evolution => "evolution",
        }
    }

    /// Several of them, in the order in which they came.
    pub fn names(all: &[Ingredient]) -> String {
        let names: Vec<&str> = all.iter().map(|ingredient| ingredient.name()).collect();
        names.join("+")
    }
}

/// Outputs for all tests of a task.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// One grid per test.
    pub outputs: Vec<Grid>,
    /// Demos that come out right.
    pub fits: usize,
    /// Who proposes it, in the order in which they did.
    pub sources: Vec<Ingredient>,
    /// How little it is to be trusted.
    pub doubt: i32,
    /// The program, as text.
    pub program: Option<String>,
}

/// One task.
#[derive(Debug, Clone)]
pub struct SolveTask {
    /// The task.
    pub id: String,
    /// Number of demo pairs.
    pub demos: usize,
    /// The best proposals, best first; the first two are the attempts.
    pub proposals: Vec<Proposal>,
    /// Chains of steps that the search built.
    pub chains: usize,
    /// Terms of the DSL that were built.
    pub terms: usize,
    /// Work terms and the search did.
    pub work: u64,
    /// Bytes they held at the most.
    pub bytes: usize,
    /// Answers that were dropped because their program does something else.
    pub unprintable: usize,
}

impl SolveTask {
    /// Demos that some proposal fits, the most of all.
    pub fn fits(&self) -> usize {
        self.proposals.iter().map(|p| p.fits).max().unwrap_or(0)
    }

    /// True when some proposal fits all demos.
    pub fn is_fit(&self) -> bool {
        self.fits() == self.demos
    }

    /// What is handed in.
    pub fn attempts(&self) -> Attempts {
        let tests = self.proposals.first().map_or(0, |p| p.outputs.len());
        Attempts::first_of(tests, self.proposals.iter().map(|p| p.outputs.as_slice()))
    }

    /// What is handed in, with what is known of it.
    fn standing(&self, engine: &Engine, task: &Task) -> Standing {
        let first = self.proposals.first();
        let origin = first.map_or_else(String::new, |p| Ingredient::names(&p.sources));
        let load = |text: &String| load_file(text).programs.pop();
        let program = first.and_then(|p| p.program.as_ref()).and_then(load);
        let similarity = program.as_ref().map_or(0, |program| {
            let plan = Plan::new(program);
            engine.evaluate(&mut engine.machine(), &plan, &TaskView::new(task)).fit.similarity()
        });
        Standing {
            task: crate::archive::task_id(task),
            name: task.id.clone(),
            demos: self.demos,
            fits: self.fits(),
            similarity,
            origin,
            program: program.map(|program| program.id()),
            attempts: self.attempts(),
        }
    }

    /// How far the task is by that, for reports.
    pub fn verdict(&self, task: &Task) -> Verdict {
        Verdict::of_attempts(task, self.fits(), &self.attempts())
    }
}

/// All tasks.
#[derive(Debug)]
pub struct SolveReport {
    /// By id.
    pub tasks: Vec<SolveTask>,
    /// Tasks that have no answer because the run was stopped.
    pub unfinished: usize,
    /// Tasks that have the answers of the first look because the run was stopped.
    pub brief: usize,
    /// True when the archive could not be written any more and lacks what was found after that.
    pub unstored: bool,
}

impl SolveReport {
    /// Tasks for which something fits all demos.
    pub fn fits(&self) -> usize {
        self.tasks.iter().filter(|t| t.is_fit()).count()
    }

    /// Answers whose programs do something else; they are no proposals.
    pub fn unprintable(&self) -> usize {
        self.tasks.iter().map(|t| t.unprintable).sum()
    }

    /// How far each of the tasks is, for reports.
    pub fn verdicts(&self, tasks: &TaskSet) -> Vec<Verdict> {
        self.tasks.iter().filter_map(|t| Some(t.verdict(tasks.get(&t.id)?))).collect()
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
        let mut shelf = Shelf { storage: archive, begun: false, unstored: false };
        let parts = parts(tasks, options.folds);
        let mut first = Vec::new();
        if let Some(seconds) = options.first_look {
            let (brief, done) = (options.brief(seconds), AtomicUsize::new(0));
            for part in &parts {
                let shelf = &mut shelf;
                first.extend(self.look(library, part, &brief, shelf, stop, &done, progress)?);
            }
        }
        let options = &SolveOptions { first_look: None, ..options.clone() };
        let (mut all, done) = (Vec::new(), AtomicUsize::new(0));
        for part in &parts {
            let mut solved =
                self.look(library, part, options, &mut shelf, stop, &done, progress)?;
            let (withheld, tasks) = part;
            if !stop.is_due() {
                let library = self.entries(library, *withheld, &solved);
                self.breed(&library, tasks, &mut solved, options, &mut shelf, stop)?;
            }
            hand_in(self, tasks, &solved, &mut shelf)?;
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

    /// What the library and the search find on the tasks of a part; those are missing that were not finished.
    #[expect(clippy::too_many_arguments, reason = "one look of several")]
    fn look(
        &self,
        library: &Library,
        (withheld, part): &(Option<u8>, TaskSet),
        options: &SolveOptions,
        shelf: &mut Shelf<'_>,
        stop: &Stop,
        done: &AtomicUsize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<SolveTask>, StoreError> {
        let withheld = *withheld;
        let programs = || kept(library, withheld);
        let begun = std::mem::replace(&mut shelf.begun, true);
        let keeper = Keeper::new(shelf.storage(), programs(), self.limits(), withheld, options);
        let (mut solved, mut rest) = (Vec::new(), Vec::new());
        for task in &part.tasks {
            match keeper.find(task) {
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
        progress(done.fetch_add(solved.len(), Ordering::Relaxed) + solved.len());
        let transfer: Vec<&Entry> = programs().filter(|_| options.transfer).collect();
        let known = known(&transfer, self.merge(transfer.iter().copied()), withheld, options);
        // What is found after an error that ends the run would be lost with it.
        let goes_on = || !stop.is_due() && !keeper.ends_run();
        let solve = |task: &Task, run: Option<TaskRun>| {
            let start = Instant::now();
            let solved = self.solve_task(task, run.as_ref(), &known, options, stop);
            if stop.is_due() {
                return None;
            }
            keeper.keep(task, &solved, start.elapsed());
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            Some(solved)
        };
        let found = if known.batt.roots().is_empty() {
            self.spread(&rest, |task| if goes_on() { solve(task, None) } else { None })
        } else {
            let run = RunOptions {
                differs: Differs::none(),
                pictures: if options.pictures { PICTURES } else { 0 },
                ..RunOptions::default()
            };
            self.run_then(&known.batt, &rest, &run, stop, |task, run| {
                run.filter(|_| goes_on()).and_then(|run| solve(task, Some(run)))
            })
        };
        shelf.unstored |= keeper.finish()?;
        solved.extend(found.into_iter().flatten());
        solved.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(solved)
    }

    /// The programs of the library without those of a fold, and those that the search found.
    fn entries(&self, library: &Library, withheld: Option<u8>, solved: &[SolveTask]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = kept(library, withheld).cloned().collect();
        for task in solved {
            let found = task
                .proposals
                .iter()
                .filter(|p| p.sources.iter().any(|s| *s > Ingredient::Transfer));
            for text in found.filter_map(|p| p.program.as_ref()) {
                let programs = load_file(text).programs.into_iter();
                entries.extend(programs.map(|program| Entry::new(program, "search")));
            }
        }
        entries
    }

    /// Puts what was found into the archive and evolves it where nothing fits all demos.
    fn breed(
        &self,
        library: &[Entry],
        part: &TaskSet,
        solved: &mut [SolveTask],
        options: &SolveOptions,
        shelf: &mut Shelf<'_>,
        stop: &Stop,
    ) -> Result<(), StoreError> {
        let is_stored = shelf.storage().is_some();
        if library.is_empty() || !(is_stored || options.evolves()) {
            return Ok(());
        }
        let open = solved.iter().filter(|task| !task.is_fit());
        let seconds: f64 = open.map(|task| options.evolve_seconds(task)).sum();
        let work = (seconds * BRED_PER_SECOND) as u64;
        let config = EvolveConfig {
            work: Some(work),
            polish: 0,
            hands_in: false,
            ..EvolveConfig::default()
        };
        let evolve =
            |storage: Storage<'_>| self.evolve(library, part, &config, storage, stop, &mut |_| {});
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
            let (Some(task), Some(slot)) = (part.get(&found.task), slot) else { continue };
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
}

/// Where what is found goes, as long as it can.
struct Shelf<'a> {
    storage: Option<Storage<'a>>,
    /// True once there is something to lose.
    begun: bool,
    unstored: bool,
}

impl Shelf<'_> {
    fn storage(&mut self) -> Option<Storage<'_>> {
        self.storage.as_mut().filter(|_| !self.unstored).map(Storage::lent)
    }

    fn give_up(&mut self, error: StoreError) -> Result<(), StoreError> {
        self.unstored = true;
        self.storage.as_ref().map_or(Ok(()), |storage| storage.give_up(error))
    }
}

/// Puts what is handed in for the tasks of a part into the archive.
fn hand_in(
    engine: &Engine,
    part: &TaskSet,
    solved: &[SolveTask],
    shelf: &mut Shelf<'_>,
) -> Result<(), StoreError> {
    let Some(storage) = shelf.storage() else { return Ok(()) };
    let tasks = solved.iter().filter_map(|found| Some((part.get(&found.id)?, found)));
    let mut records = Records::default();
    for (task, found) in tasks {
        records.tasks.push(task_record(task, &part.name));
        records.standings.push(found.standing(engine, task).record());
    }
    match storage.archive.add(&records) {
        Ok(_) => Ok(()),
        Err(error) => shelf.give_up(error),
    }
}

/// The programs of a library without those of a fold.
fn kept(library: &Library, withheld: Option<u8>) -> impl Iterator<Item = &Entry> {
    library.programs.iter().filter(move |entry| withheld.is_none_or(|f| fold(&entry.task) != f))
}

/// What is known of these programs and of what was learned, without what belongs to a fold.
fn known(programs: &[&Entry], batt: Batt, withheld: Option<u8>, options: &SolveOptions) -> Known {
    let programs = || programs.iter().map(|entry| &entry.program);
    let mut fragments: Vec<Fragment> = options.fragments.clone();
    if options.learn {
        let learned = fragments::learn(programs()).into_iter().map(|(fragment, _)| fragment);
        fragments.extend(learned.filter(|f| !options.fragments.contains(f)));
    }
    let uses = fragments::uses(&fragments, programs());
    Known {
        batt,
        costs: Costs::learned(withheld),
        grammar: Grammar::new(&CallCounts::learned(), withheld, fragments, &uses),
    }
}

/// The tasks by fold, or all of them at once.
fn parts(tasks: &TaskSet, folds: bool) -> Vec<(Option<u8>, TaskSet)> {
    if !folds {
        return vec![(None, tasks.clone())];
    }
    let part = |f: u8| {
        let of_fold = tasks.tasks.iter().filter(|t| fold(&t.id) == f).cloned();
        (Some(f), TaskSet::new(tasks.name.clone(), of_fold.collect()))
    };
    (0..arcloom_search::costs::FOLDS).map(part).filter(|(_, p)| !p.tasks.is_empty()).collect()
}
