//! What `solve` is to do, and how its budget is shared out.

use std::collections::BTreeSet;
use std::time::Duration;

use arcloom_graph::Allowance;
use arcloom_search::frame::FrameFamily;
use arcloom_search::without::{SearchPart, Without};

use super::Ingredient;
use crate::choose::Shard;

/// Seconds that a task may take where it is given less: the least efforts of the search take about that.
const LEAST_SECONDS: f64 = 0.1;

/// Of a task's time, what the library may take.
const LIBRARY_PART: f64 = 0.5;

/// Work of evolution that takes about a second.
const BRED_PER_SECOND: f64 = 185e6;

/// Seconds per task from which on a task that is still open is looked at beyond the stages, and evolved for.
pub(super) const FURTHER_FROM: f64 = 4.0;

/// Something that `solve` can do without, for measuring what it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ablation {
    /// An ingredient.
    Ingredient(Ingredient),
    /// What programs of other tasks make of the inputs, as a start of the search.
    Pictures,
    /// A part of the search.
    Search(SearchPart),
    /// A family of frames.
    Frame(FrameFamily),
}

impl Ablation {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Ablation> {
        let ingredients = Ingredient::ALL.into_iter().map(Ablation::Ingredient);
        let frames = FrameFamily::ALL.into_iter().map(Ablation::Frame);
        let search = SearchPart::all().map(Ablation::Search);
        ingredients.chain([Ablation::Pictures]).chain(search).chain(frames)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Ablation::Ingredient(ingredient) => ingredient.name(),
            Ablation::Pictures => "pictures",
            Ablation::Search(part) => part.name(),
            Ablation::Frame(family) => family.name(),
        }
    }

    /// The one that a word stands for.
    pub fn named(name: &str) -> Option<Ablation> {
        Ablation::all().find(|ablation| ablation.name() == name)
    }
}

/// What `solve` is to do.
#[derive(Debug, Clone)]
pub struct SolveOptions {
    /// Processor seconds per task that are aimed at. They are turned into work, so that results do
    /// not depend on the clock.
    pub budget: f64,
    /// What is left out.
    pub without: BTreeSet<Ablation>,
    /// Processor seconds per task for evolution, on tasks for which nothing fits all demos; turned into
    /// work. `None` leaves it what the search leaves of the budget, from four seconds on.
    pub evolve: Option<f64>,
    /// Tasks are solved in folds: neither programs nor tables learned from the tasks of a fold are
    /// used on it. For measuring on tasks that the library was written for.
    pub folds: bool,
    /// Processor seconds per task for a first look at all of them, before any has its whole budget: a run
    /// that is ended early then has an answer to each.
    pub first_look: Option<f64>,
    /// The share of the tasks that is solved. Shares of one run, merged, are that run.
    pub shard: Option<Shard>,
    /// Whether answers of earlier runs with other programs, which the archive has, are taken where they fit all
    /// demos. Results then depend on the archive.
    pub reuse: bool,
}

/// Seconds as nanoseconds.
pub(super) fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        let without = BTreeSet::new();
        SolveOptions {
            budget: 1.0,
            without,
            evolve: None,
            folds: false,
            first_look: None,
            shard: None,
            reuse: false,
        }
    }
}

/// Seconds of the stages from which on tasks are seen in frames, and what frames may take beyond the stages' time, as a
/// part of it: the library and the plain search keep all of theirs, because what they are short of costs more tasks
/// than frames bring.
pub(super) const FRAMES_FROM: f64 = 0.3;
const FRAMES_PART: f64 = 0.2;

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
    pub(super) fn brief(&self, seconds: f64) -> SolveOptions {
        SolveOptions { budget: seconds, evolve: Some(0.0), first_look: None, ..self.clone() }
    }

    /// Whether something is not left out.
    pub fn has(&self, part: Ablation) -> bool {
        !self.without.contains(&part)
    }

    /// The parts of the search that are left out.
    pub(super) fn search_without(&self) -> Without {
        let part = |ablation: &Ablation| match ablation {
            Ablation::Search(part) => Some(*part),
            _ => None,
        };
        self.without.iter().filter_map(part).collect()
    }

    /// Seconds per task for the stages: all of the budget, or half of it where evolution is to come.
    pub(super) fn stage_seconds(&self) -> f64 {
        match self.evolve_seconds() {
            None if self.budget >= FURTHER_FROM => self.budget / 2.0,
            _ => self.budget,
        }
    }

    /// Nanoseconds, by the scale, that a task may have taken once it was seen in frames.
    pub(super) fn framed_work(&self) -> u64 {
        (self.stage_work() as f64 * (1.0 + FRAMES_PART)) as u64
    }

    /// Nanoseconds, by the scale, that a task's stages and the library may take.
    pub(super) fn stage_work(&self) -> u64 {
        nanos(self.stage_seconds().max(LEAST_SECONDS))
    }

    /// What the library may take on a task.
    pub(super) fn library(&self) -> Allowance {
        Allowance::nanos((self.stage_work() as f64 * LIBRARY_PART) as u64)
    }

    /// Seconds of the budget that are left of a task after so many nanoseconds of work.
    pub(super) fn seconds_left(&self, work: u64) -> f64 {
        (self.budget - work as f64 * 1e-9).max(0.0)
    }

    /// Seconds per task that evolution was given, if any; none where it is left out.
    fn evolve_seconds(&self) -> Option<f64> {
        match self.has(Ablation::Ingredient(Ingredient::Evolution)) {
            true => self.evolve,
            false => Some(0.0),
        }
    }

    /// Seconds that are left of a task once its stages are over, where the budget is large enough to go beyond them.
    pub(super) fn seconds_beyond(&self, work: u64) -> f64 {
        if self.budget >= FURTHER_FROM { self.seconds_left(work) } else { 0.0 }
    }

    /// Whether there is evolution at all.
    pub(super) fn evolves(&self) -> bool {
        self.evolve_seconds().map_or(self.budget >= FURTHER_FROM, |seconds| seconds > 0.0)
    }

    /// Work of evolution for a task that is still open after so much work of the search.
    pub(super) fn evolve_work(&self, spent: u64) -> u64 {
        let seconds = match self.evolve_seconds() {
            Some(seconds) => seconds,
            None if self.evolves() => self.seconds_left(spent),
            None => 0.0,
        };
        (seconds * BRED_PER_SECOND) as u64
    }
}
