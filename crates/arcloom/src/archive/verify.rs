//! What an archive says, found out again: every column that follows from programs and tasks.
//!
//! | file | what is checked |
//! |---|---|
//! | `verify.rs` | which tasks and limits there are, what follows without running anything |
//! | `verify/program.rs` | a program: text, size, cost, and its results, scores and predictions |
//! | `verify/population.rs` | runs: the order of what is alive, the tasks solved, what the checkpoint says |
//! | `verify/handed_in.rs` | what is handed in: demos that fit, similarity, origin, grids |
//! | `verify/of_runs.rs` | what each run hands in, and its proposals |
//!
//! A stored row does not say which run wrote it, so it is right when it comes out the same within the limits
//! of any run of the archive, those of the program's own run first. Times, hit counts, counts of what pruning
//! took out and cached columns are nobody's to check; neither is what was tried on pairs that are not at hand,
//! which is counted as not confirmed.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_evolve::EvolveConfig;
use arcloom_graph::{Limits, TaskView};
use arcloom_store::{
    Archive, Filter, PredictionRecord, ProgramRecord, ResultRecord, RunNumber, ScoreRecord,
    StoreError, TaskId,
};
use arcloom_tasks::{Task, TaskSet};

use crate::engine::Engine;

mod handed_in;
mod of_runs;
mod population;
mod program;

/// Programs that are read and checked at a time.
const CHUNK: usize = 1024;

/// Budgets of runs beyond this many times the engine's are not spent: whoever made the archive could
/// have written any number there.
const MOST_BUDGET: u64 = 16;

/// What a check of an archive found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Programs whose text is that of their id.
    pub programs: usize,
    /// Results that came out the same, with their scores and predictions.
    pub results: usize,
    /// Tasks for which what is handed in came out the same.
    pub handed_in: usize,
    /// Results that were not checked because their task was not at hand, by task.
    pub missing: BTreeMap<String, usize>,
    /// Statements that cannot be checked here, by what they are about.
    pub unconfirmed: BTreeMap<&'static str, usize>,
    /// What is wrong, one line each.
    pub problems: Vec<String>,
    /// Other versions of arcloom or its language that runs of the archive were made with: what they
    /// stored need not come out the same.
    pub versions: BTreeSet<String>,
}

impl Verified {
    fn add(&mut self, other: Verified) {
        self.programs += other.programs;
        self.results += other.results;
        self.handed_in += other.handed_in;
        self.problems.extend(other.problems);
        for (task, count) in other.missing {
            *self.missing.entry(task).or_default() += count;
        }
        for (what, count) in other.unconfirmed {
            *self.unconfirmed.entry(what).or_default() += count;
        }
    }

    fn unconfirmed(&mut self, what: &'static str) {
        *self.unconfirmed.entry(what).or_default() += 1;
    }
}

/// A task of the archive as the sets at hand have it.
struct AtHand<'t> {
    /// It may be there several times, with its pairs in another order.
    forms: Vec<(&'t Task, TaskView)>,
    /// True when the set that the archive took it from is among those at hand, so that the order of its
    /// pairs is known.
    is_home: bool,
}

/// What the checks have in common.
struct Check<'a> {
    engine: &'a Engine,
    tasks: BTreeMap<TaskId, AtHand<'a>>,
    names: BTreeMap<TaskId, String>,
    /// Limits that something may have been made within: the engine's, then those of runs.
    limits: Vec<Limits>,
    /// Those of each run.
    of_run: BTreeMap<RunNumber, Limits>,
    /// True when some run tried programs on pairs that are not at hand.
    kept_back: bool,
    /// True when all runs are this version's, so that texts are printed as this one prints them.
    same_version: bool,
    /// Runs of the archive.
    runs: usize,
    was_pruned: bool,
}

/// A program with all that is stored about it.
struct Stored {
    program: ProgramRecord,
    results: Vec<ResultRecord>,
    scores: Vec<ScoreRecord>,
    predictions: Vec<PredictionRecord>,
}

impl Engine {
    /// Checks every statement of an archive that can be found out again: programs are read back and run on
    /// the tasks they have results on, as far as `sets` have them. Tasks are found by content. `progress`
    /// hears the programs done so far.
    pub fn verify_archive(
        &self,
        archive: &Archive,
        sets: &[TaskSet],
        progress: &dyn Fn(usize),
    ) -> Result<Verified, StoreError> {
        let mut verified = Verified { problems: archive.integrity()?, ..Verified::default() };
        verified.problems.extend(archive.audit()?);
        let runs = archive.runs()?.into_iter().map(|run| run.version);
        verified.versions = runs.filter(|version| *version != crate::version()).collect();
        let check = Check::new(self, archive, sets, &mut verified)?;
        let handed_in = archive.standings()?;
        let mut grids = handed_in::Witnesses::of(&handed_in);
        let programs = archive.programs(&Filter::default())?;
        let mut done = 0;
        for chunk in programs.chunks(CHUNK) {
            let stored = |program: &ProgramRecord| {
                let id = program.id;
                Ok(Stored {
                    program: program.clone(),
                    results: archive.results(id)?,
                    scores: archive.scores(id)?,
                    predictions: archive.predictions(id)?,
                })
            };
            let jobs: Vec<Stored> = chunk.iter().map(stored).collect::<Result<_, StoreError>>()?;
            let found = self.map(&jobs, |_, stored| check.program(stored, &grids));
            for (one, seen) in found {
                verified.add(one);
                grids.saw(seen);
            }
            done += chunk.len();
            progress(done);
        }
        verified.add(check.populations(archive)?);
        verified.add(check.handed_in(archive, &handed_in, &grids)?);
        verified.add(check.of_runs(archive, &grids)?);
        Ok(verified)
    }
}

impl<'a> Check<'a> {
    fn new(
        engine: &'a Engine,
        archive: &Archive,
        sets: &'a [TaskSet],
        verified: &mut Verified,
    ) -> Result<Check<'a>, StoreError> {
        let (mut limits, mut of_run) = (vec![engine.limits(), Limits::default()], BTreeMap::new());
        let runs = archive.runs()?;
        let mut kept_back = false;
        let most = engine.limits().call_budget().max(Limits::default().call_budget());
        let most = most.saturating_mul(MOST_BUDGET);
        for run in &runs {
            let config: serde_json::Value = serde_json::from_str(&run.config).unwrap_or_default();
            let more = config["more_pairs"].as_str().unwrap_or_default();
            // What its differs said is not at hand either.
            kept_back |= !EvolveConfig::kept_nothing_back(more) || config.get("differs").is_some();
            let Some(budget) = config["budget"].as_u64() else { continue };
            if budget > most {
                let id = blake3::Hash::from_bytes(run.id).to_hex();
                verified.problems.push(format!(
                    "run {id}: its call budget of {budget} is not spent on an archive unasked; name it with --budget {budget}"
                ));
                continue;
            }
            let Some(own) = Limits::new(budget) else { continue };
            of_run.insert(run.number, own);
            limits.push(own);
        }
        let mut seen = BTreeSet::new();
        limits.retain(|limits| seen.insert(limits.call_budget()));
        let mut check = Check {
            engine,
            tasks: BTreeMap::new(),
            names: BTreeMap::new(),
            limits,
            of_run,
            kept_back,
            same_version: verified.versions.is_empty(),
            runs: runs.len(),
            was_pruned: archive.was_pruned()?,
        };
        check.find_tasks(archive, sets, verified)?;
        Ok(check)
    }

    /// The archive's tasks among those at hand, and whether they are what they are called.
    fn find_tasks(
        &mut self,
        archive: &Archive,
        sets: &'a [TaskSet],
        verified: &mut Verified,
    ) -> Result<(), StoreError> {
        let mut known: BTreeMap<TaskId, Vec<(&'a Task, &'a str)>> = BTreeMap::new();
        for set in sets {
            for task in &set.tasks {
                known.entry(task.visible_id()).or_default().push((task, &set.name));
            }
        }
        let parts = |name: &'a str| name.split(" + ");
        let at_hand: BTreeSet<&str> = sets.iter().flat_map(|set| parts(&set.name)).collect();
        for record in archive.tasks()? {
            let Some(found) = known.get(&record.id) else {
                self.names.insert(record.id, record.name);
                continue;
            };
            if found.iter().all(|(task, _)| task.id != record.name) {
                let called: BTreeSet<&str> = found.iter().map(|(task, _)| &*task.id).collect();
                let called: Vec<&str> = called.into_iter().collect();
                verified.problems.push(format!(
                    "task {}: is called {}, stored is {}",
                    record.id,
                    called.join(", "),
                    record.name
                ));
            }
            let own: BTreeSet<&str> = record.set.split(" + ").collect();
            let is_home =
                found.iter().any(|(_, set)| set.split(" + ").any(|part| own.contains(part)));
            if !is_home && own.iter().all(|part| at_hand.contains(part)) {
                verified.problems.push(format!(
                    "task {} ({}): is not in {}, from which it is said to be",
                    record.name, record.id, record.set
                ));
            }
            if !is_home {
                verified.unconfirmed("set of a task that is not at hand");
            }
            let mut forms: Vec<(&Task, TaskView)> = Vec::new();
            for (task, _) in found {
                let same = |(other, _): &(&Task, TaskView)| {
                    other.demos == task.demos
                        && other
                            .tests
                            .iter()
                            .map(|test| &test.input)
                            .eq(task.tests.iter().map(|test| &test.input))
                };
                if !forms.iter().any(same) {
                    forms.push((task, TaskView::new(task)));
                }
            }
            self.tasks.insert(record.id, AtHand { forms, is_home });
            self.names.insert(record.id, record.name);
        }
        Ok(())
    }

    fn name(&self, task: TaskId) -> &str {
        self.names.get(&task).map_or("?", String::as_str)
    }

    /// The limits that a program's statements may have been made within, the likeliest first.
    fn limits_of(&self, program: &ProgramRecord) -> impl Iterator<Item = Limits> {
        let own = program.run.and_then(|run| self.of_run.get(&run)).copied();
        let others = self.limits.iter().copied().filter(move |limits| Some(*limits) != own);
        own.into_iter().chain(others)
    }
}
