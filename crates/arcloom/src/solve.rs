//! Tasks nobody wrote a program for: everything that may solve them, in one go.
//!
//! | ingredient | where | what it brings |
//! |---|---|---|
//! | transfer | `run.rs` | what programs of other tasks, and parts of them, do here |
//! | search | `arcloom-search` | chains of steps enumerated by value, stacked to outputs |
//! | evolution | `evolve.rs` | both of these mutated, on tasks that are still open |
//!
//! All of them predict the test outputs. Answers that more than one of them gives come first; what
//! fits all demos comes before what fits some. Test answers are looked at by the report alone.
//!
//! Every answer is a program: one of the search is kept only when its program, read back from its text,
//! gives what the search gave.

use std::sync::atomic::{AtomicUsize, Ordering};

use arcloom_corpus::{Limits, Task, TaskSet};
use arcloom_exec::{Inputs, Plan, Stop};
use arcloom_ir::{Form, Program, load_file, text};
use arcloom_search::costs::{Costs, fold};
use arcloom_search::program::program;
use arcloom_search::task::{self as search, Answer, Effort, Problem};
use arcloom_sheet::Sheet;
use arcloom_store::StoreError;
use arcloom_value::{Grid, Value};

use crate::archive::Archive;
use crate::batt::{Batt, Weaver};
use crate::engine::Engine;
use crate::evolve::EvolveConfig;
use crate::library::{Entry, Library};
use crate::run::{Differs, Picture, RunOptions, Solved, TaskRun};
use crate::trace::samples_value;

/// Generations of one task that take about a second.
const GENERATIONS_PER_SECOND: f64 = 75.0;

/// Answers of the search that become proposals at most.
const ANSWERS: usize = 4;

/// Grids the library makes of a task's inputs that the search may start from, and what they cost there:
/// a step of the search costs about 10.
const PICTURES: usize = 400;
const PICTURE_COST: u16 = 20;
const CALL_COST: u16 = 2;

/// What `solve` is to do.
#[derive(Debug, Clone)]
pub struct SolveOptions {
    /// Processor seconds per task that are aimed at. They are turned into work, so that results do
    /// not depend on the clock.
    pub budget: f64,
    /// Programs of other tasks are tried.
    pub transfer: bool,
    /// Chains are enumerated and stacked.
    pub search: bool,
    /// The search also starts from what programs of other tasks make of the inputs.
    pub pictures: bool,
    /// Parts of the search that are left out, for measuring what they bring.
    pub without: search::Without,
    /// Processor seconds per task that evolution adds on tasks for which nothing fits all demos, turned
    /// into generations. It takes an archive.
    pub evolve: f64,
    /// Tasks are solved in folds: neither programs nor tables learned from the tasks of a fold are
    /// used on it. For measuring on tasks that the library was written for.
    pub folds: bool,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        let without = search::Without::default();
        SolveOptions {
            budget: 1.0,
            transfer: true,
            search: true,
            pictures: true,
            without,
            evolve: 0.0,
            folds: false,
        }
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A program of the library, or a part of one.
    Transfer,
    /// Enumeration and composition.
    Search,
    /// Mutation of what the other two have.
    Evolution,
}

/// Outputs for all tests of a task.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// One grid per test.
    pub outputs: Vec<Grid>,
    /// Demos that come out right.
    pub fits: usize,
    /// Who proposes it, best first.
    pub sources: Vec<Source>,
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
    /// Work the search did.
    pub work: u64,
    /// Bytes the search held at the most.
    pub bytes: usize,
    /// Answers of the search that were dropped because their program does something else.
    pub unprintable: usize,
    /// Whether one of the two attempts is right on all tests.
    pub solved: Solved,
}

impl SolveTask {
    /// True when some proposal fits all demos.
    pub fn solved_demo(&self) -> bool {
        self.proposals.first().is_some_and(|p| p.fits == self.demos)
    }

    /// For each test up to two different answers.
    pub fn attempts(&self) -> Vec<Vec<Grid>> {
        let tests = self.proposals.first().map_or(0, |p| p.outputs.len());
        let of = |n: usize| {
            let mut grids: Vec<Grid> = Vec::new();
            for grid in self.proposals.iter().map(|p| &p.outputs[n]) {
                if grids.len() < 2 && !grids.contains(grid) {
                    grids.push(grid.clone());
                }
            }
            grids
        };
        (0..tests).map(of).collect()
    }
}

/// All tasks.
#[derive(Debug)]
pub struct SolveReport {
    /// In the order of the set.
    pub tasks: Vec<SolveTask>,
    /// Tasks that were not looked at because the run was stopped.
    pub unfinished: usize,
}

impl SolveReport {
    /// Tasks for which something fits all demos.
    pub fn solved_demo(&self) -> usize {
        self.tasks.iter().filter(|t| t.solved_demo()).count()
    }

    /// Answers of the search whose programs do something else; they are no proposals.
    pub fn unprintable(&self) -> usize {
        self.tasks.iter().map(|t| t.unprintable).sum()
    }

    /// Tasks all of whose tests are right within two attempts.
    pub fn solved_test(&self) -> usize {
        self.tasks.iter().filter(|t| t.solved == Solved::Yes).count()
    }
}

impl Engine {
    /// Solves tasks with the programs of a library and by search. What is found goes into the archive,
    /// where there is one. `progress` hears how many tasks are done; `stop` ends the run between tasks.
    pub fn solve(
        &self,
        library: &Library,
        tasks: &TaskSet,
        options: &SolveOptions,
        mut archive: Option<&mut Archive>,
        stop: &Stop,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<SolveReport, StoreError> {
        let mut report = SolveReport { tasks: Vec::new(), unfinished: 0 };
        let done = AtomicUsize::new(0);
        for (withheld, part) in parts(tasks, options.folds) {
            let costs = Costs::learned(withheld);
            let batt = self.transferable(library, withheld, options);
            let solve = |task: &Task, run: Option<TaskRun>| {
                let transferred = run.as_ref().map(|run| Transferred { batt: &batt, run });
                let solved = self.solve_task(task, transferred, &costs, options);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                solved
            };
            let solved = if batt.roots().is_empty() {
                let job = |task| (!stop.is_due()).then(|| solve(task, None));
                self.spread(&part.tasks, job)
            } else {
                let run = RunOptions {
                    differs: Differs::none(),
                    pictures: if options.pictures { PICTURES } else { 0 },
                    ..RunOptions::default()
                };
                self.run_then(&batt, &part.tasks, &run, stop, |task, run| {
                    run.map(|run| solve(task, Some(run)))
                })
            };
            report.unfinished += solved.iter().filter(|s| s.is_none()).count();
            let mut solved: Vec<SolveTask> = solved.into_iter().flatten().collect();
            if let Some(archive) = archive.as_deref_mut() {
                let library = self.entries(library, withheld, &solved);
                self.breed(&library, &part, &mut solved, options, archive, stop)?;
            }
            report.tasks.extend(solved);
        }
        report.tasks.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(report)
    }

    /// The programs of the library without those of a fold, and those that the search found.
    fn entries(&self, library: &Library, withheld: Option<u8>, solved: &[SolveTask]) -> Vec<Entry> {
        let kept = |entry: &&Entry| withheld.is_none_or(|f| fold(&entry.task) != f);
        let mut entries: Vec<Entry> = library.programs.iter().filter(kept).cloned().collect();
        for task in solved {
            let found = task.proposals.iter().filter(|p| p.sources.contains(&Source::Search));
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
        archive: &mut Archive,
        stop: &Stop,
    ) -> Result<(), StoreError> {
        if library.is_empty() {
            return Ok(());
        }
        let generations = (options.evolve * GENERATIONS_PER_SECOND).round() as u64;
        let config =
            EvolveConfig { generations: Some(generations), polish: 0, ..EvolveConfig::default() };
        let report = self.evolve(library, part, &config, archive, stop, &mut |_| {})?;
        for found in &report.found {
            let attempts = report.attempts.iter().find(|(id, _)| *id == found.task);
            let outputs: Option<Vec<Grid>> = attempts
                .and_then(|(_, tests)| tests.iter().map(|grids| grids.first().cloned()).collect());
            let task = part.get(&found.task);
            let slot = solved.iter_mut().find(|s| s.id == found.task && !s.solved_demo());
            if let (Some(outputs), Some(task), Some(slot)) = (outputs, task, slot) {
                let program = Some(text::print(&found.program, Form::Straight));
                let sources = vec![Source::Evolution];
                propose(
                    &mut slot.proposals,
                    Proposal { outputs, fits: slot.demos, sources, program },
                );
                rank(&mut slot.proposals, slot.demos);
                slot.solved = judge(task, &slot.proposals);
            }
        }
        Ok(())
    }

    /// The programs of the library woven together, without those of a fold.
    fn transferable(
        &self,
        library: &Library,
        withheld: Option<u8>,
        options: &SolveOptions,
    ) -> Batt {
        let mut weaver = Weaver::default();
        let programs = library.programs.iter().filter(|_| options.transfer);
        for entry in programs.filter(|e| withheld.is_none_or(|f| fold(&e.task) != f)) {
            weaver.add(&entry.program, &entry.task);
        }
        weaver.finish()
    }

    /// What the library did on a task, and what the search finds.
    fn solve_task(
        &self,
        task: &Task,
        transferred: Option<Transferred<'_>>,
        costs: &Costs,
        options: &SolveOptions,
    ) -> SolveTask {
        let mut proposals: Vec<Proposal> = Vec::new();
        for candidate in transferred.iter().flat_map(|t| &t.run.best) {
            let outputs: Option<Vec<Grid>> = candidate.predictions.iter().cloned().collect();
            let Some(outputs) = outputs else { continue };
            if candidate.solved > 0 && outputs.iter().all(|g| Limits::ARC.allow(g)) {
                let program = Some(text::print(&candidate.program, Form::Straight));
                let sources = vec![Source::Transfer];
                proposals.push(Proposal { outputs, fits: candidate.solved, sources, program });
            }
        }
        let mut figures = search::Figures::default();
        let mut unprintable = 0;
        if options.search
            && let Some(problem) = problem(task, transferred.as_ref())
        {
            let mut stages = Effort::stages(options.budget);
            if proposals.iter().any(|p| p.fits == task.demos.len()) {
                stages.truncate(1);
            }
            let (answers, done) = search::search(&problem, &stages, costs, &options.without);
            figures = done;
            for answer in answers.into_iter().take(ANSWERS) {
                match self.proposal(task, &answer, transferred.as_ref()) {
                    Some(proposal) => propose(&mut proposals, proposal),
                    None => unprintable += 1,
                }
            }
        }
        rank(&mut proposals, task.demos.len());
        let solved = judge(task, &proposals);
        proposals.truncate(3);
        SolveTask {
            id: task.id.clone(),
            demos: task.demos.len(),
            proposals,
            chains: figures.nodes,
            work: figures.work,
            bytes: figures.bytes,
            unprintable,
            solved,
        }
    }

    /// An answer of the search with its program; `None` unless the program, read back from its text,
    /// gives the answer's outputs and is right on as many demos.
    fn proposal(
        &self,
        task: &Task,
        answer: &Answer,
        transferred: Option<&Transferred<'_>>,
    ) -> Option<Proposal> {
        let outputs: Vec<Grid> = answer.outputs.iter().map(grid).collect::<Option<_>>()?;
        let pictures = answer.plan.pictures().into_iter();
        let pictures =
            pictures.filter_map(|number| Some((number, transferred?.program(number)?))).collect();
        let made = program(&answer.plan, &function_name(&task.id), &pictures).ok()?;
        let program = text::print(&made, Form::Straight);
        let loaded = load_file(&program);
        let [read] = &loaded.programs[..] else { return None };
        let (plan, samples) = (Plan::new(read), samples_value(task));
        let mut machine = self.machine();
        let mut gives = |input: &Grid, output: &Grid| {
            let input = Value::Grid(input.clone());
            let inputs = Inputs { input: &input, samples: &samples, expected: &Value::None };
            let found = machine.run(&plan, &inputs);
            found.is_ok_and(|value| value.canonical() == Value::Grid(output.clone()))
        };
        let right = task.demos.iter().filter(|demo| gives(&demo.input, &demo.output)).count();
        let same = task.tests.iter().zip(&outputs).all(|(test, output)| gives(&test.input, output));
        let sources = vec![Source::Search];
        (same && right >= answer.fits).then_some(Proposal {
            outputs,
            fits: answer.fits,
            sources,
            program: Some(program),
        })
    }
}

/// `solve_` and the task's id, with `_` for what a name in a program cannot have.
fn function_name(task: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("solve_{}", task.chars().map(allowed).collect::<String>())
}

/// Adds a proposal, or its voice to one with the same outputs.
fn propose(proposals: &mut Vec<Proposal>, new: Proposal) {
    match proposals.iter_mut().find(|p| p.outputs == new.outputs) {
        Some(known) => {
            if new.fits > known.fits {
                (known.fits, known.program) = (new.fits, new.program);
            }
            known.sources.extend(new.sources);
        }
        None => proposals.push(new),
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

/// What fits all demos first, then what more than one source says. Sources take turns, so that one of
/// them does not have both attempts.
fn rank(proposals: &mut Vec<Proposal>, demos: usize) {
    let mut turn = [0usize; 3];
    let mut keyed: Vec<((usize, usize, usize, usize), Proposal)> = Vec::new();
    for proposal in proposals.drain(..) {
        let first = proposal.sources[0];
        let place = turn[first as usize];
        turn[first as usize] += 1;
        let open = demos - proposal.fits;
        // A part that fits only some demos is worth more when the search was made to fit them.
        let source = match (open, first) {
            (0, Source::Transfer) | (1.., Source::Search) => 0,
            _ => 1,
        };
        let alone = usize::from(proposal.sources.len() < 2);
        keyed.push(((open, alone, place, source), proposal));
    }
    keyed.sort_by_key(|(key, _)| *key);
    proposals.extend(keyed.into_iter().map(|(_, p)| p));
}

/// Whether the attempts are right: for reports only.
fn judge(task: &Task, proposals: &[Proposal]) -> Solved {
    if task.tests.iter().any(|t| t.output.is_none()) {
        return Solved::Unknown;
    }
    let right = task.tests.iter().enumerate().all(|(n, test)| {
        let mut attempts: Vec<&Grid> = Vec::new();
        for grid in proposals.iter().map(|p| &p.outputs[n]) {
            if attempts.len() < 2 && !attempts.contains(&grid) {
                attempts.push(grid);
            }
        }
        attempts.iter().any(|grid| Some(*grid) == test.output.as_ref())
    });
    if right { Solved::Yes } else { Solved::No }
}

/// A library on one task.
struct Transferred<'a> {
    batt: &'a Batt,
    run: &'a TaskRun,
}

impl Transferred<'_> {
    /// The program of a picture.
    fn program(&self, number: u32) -> Option<Program> {
        let picture = self.run.pictures.get(number as usize)?;
        Some(self.batt.slice(picture.node, "picture".to_owned()))
    }
}

fn problem(task: &Task, transferred: Option<&Transferred<'_>>) -> Option<Problem> {
    let demos = task.demos.iter().map(|d| Some((sheet(&d.input)?, sheet(&d.output)?)));
    let tests = task.tests.iter().map(|t| sheet(&t.input));
    // A picture that is no sheet stays, with nothing on it, so that numbers stay.
    let picture = |picture: &Picture| search::Picture {
        sheets: picture.grids.iter().map(|g| sheet(g).unwrap_or_default()).collect(),
        cost: PICTURE_COST + CALL_COST * picture.size.min(20) as u16,
    };
    Some(Problem {
        demos: demos.collect::<Option<_>>()?,
        tests: tests.collect::<Option<_>>()?,
        pictures: transferred.iter().flat_map(|t| &t.run.pictures).map(picture).collect(),
    })
}

/// A grid as a sheet; `None` when it has other colours than 0 to 9 or is too large.
fn sheet(grid: &Grid) -> Option<Sheet> {
    let cells: Option<Vec<u8>> =
        grid.cells().iter().map(|&c| u8::try_from(c).ok().filter(|c| *c < 10)).collect();
    Sheet::new(grid.height(), grid.width(), cells?)
}

fn grid(sheet: &Sheet) -> Option<Grid> {
    let cells: Vec<i8> = sheet.cells().iter().map(|&c| c as i8).collect();
    Grid::new(sheet.height(), sheet.width(), &cells)
}
