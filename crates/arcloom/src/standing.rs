//! How far a task is by what is handed in for it: in a run, or in an archive.
//!
//! An archive's answer is that of the last run that handed something in. Where none did, as after an
//! import, it is what the best stored program gives. Every screen that says how an archive stands asks here.

use std::collections::BTreeMap;
use std::fmt;

use arcloom_graph::{Machine, TaskView};
use arcloom_store::{Archive, ProgramId, StandingRecord, StoreError, TaskId};
use arcloom_tasks::{Task, TaskSet};

use crate::attempts::Attempts;
use crate::engine::Engine;
use crate::library::Entry;
use crate::verdict::{TestState, Verdict};

/// Stored programs of a task among which one that was not refuted is preferred.
const BEST: usize = 8;

/// What is handed in for a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The task.
    pub task: TaskId,
    /// Its name.
    pub name: String,
    /// Number of demo pairs.
    pub demos: usize,
    /// Demo pairs that the best of what is handed in fits.
    pub fits: usize,
    /// Its similarity on the demos, in thousandths.
    pub similarity: u32,
    /// Where the first attempt is from.
    pub origin: String,
    /// The program of the first attempt, where it is known.
    pub program: Option<ProgramId>,
    /// What is handed in.
    pub attempts: Attempts,
}

impl Standing {
    /// True when all demos fit.
    pub fn is_fit(&self) -> bool {
        self.demos > 0 && self.fits == self.demos
    }

    /// How far the task is by this, for reports.
    pub fn verdict(&self, task: &Task) -> Verdict {
        Verdict::of_attempts(task, self.fits, &self.attempts)
    }

    /// For an archive.
    pub(crate) fn record(&self) -> StandingRecord {
        StandingRecord {
            task: self.task,
            demos: self.demos as u32,
            fits: self.fits as u32,
            similarity: self.similarity,
            origin: self.origin.clone(),
            program: self.program,
            attempts: self.attempts.to_texts(),
        }
    }

    fn stored(record: StandingRecord, name: String) -> Standing {
        Standing {
            task: record.task,
            name,
            demos: record.demos as usize,
            fits: record.fits as usize,
            similarity: record.similarity,
            origin: record.origin,
            program: record.program,
            attempts: Attempts::from_texts(&record.attempts),
        }
    }
}

/// A task of an archive with its grids, where those are at hand.
#[derive(Debug, Clone)]
pub struct TaskStanding<'a> {
    /// What is handed in.
    pub standing: Standing,
    /// The task, where some set has it.
    pub task: Option<&'a Task>,
}

impl TaskStanding<'_> {
    /// How far the task is; its tests are unknown where its grids are not at hand.
    pub fn verdict(&self) -> Verdict {
        let Standing { fits, demos, .. } = self.standing;
        self.task.map_or(Verdict { fits, demos, tests: TestState::Unknown }, |task| {
            self.standing.verdict(task)
        })
    }
}

/// Tasks by how far they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StandingCounts {
    /// All of them.
    pub tasks: usize,
    /// Those of which all demos fit.
    pub fits: usize,
    /// Those of which all tests are right.
    pub right: usize,
    /// Those of which that is not known.
    pub unknown: usize,
}

impl StandingCounts {
    /// Counts verdicts.
    pub fn of(verdicts: impl IntoIterator<Item = Verdict>) -> StandingCounts {
        let mut counts = StandingCounts::default();
        for verdict in verdicts {
            counts.tasks += 1;
            counts.fits += usize::from(verdict.is_fit());
            counts.right += usize::from(verdict.is_right());
            counts.unknown += usize::from(verdict.tests == TestState::Unknown);
        }
        counts
    }
}

impl fmt::Display for StandingCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StandingCounts { tasks, fits, right, unknown } = self;
        match unknown {
            0 => write!(f, "{fits} fit, {right} right"),
            n if n == tasks => write!(f, "{fits} fit, tests unknown"),
            n => write!(f, "{fits} fit, {right} right, {n} unknown"),
        }
    }
}

impl Engine {
    /// How far every task of an archive is, by name; the grids of tasks are looked for in `sets`, by content.
    pub fn standings<'a>(
        &self,
        archive: &Archive,
        sets: &'a [TaskSet],
    ) -> Result<Vec<TaskStanding<'a>>, StoreError> {
        standings(archive, sets, &mut self.machine())
    }
}

/// [`Engine::standings`] with a machine that may be told to stop.
pub fn standings<'a>(
    archive: &Archive,
    sets: &'a [TaskSet],
    machine: &mut Machine,
) -> Result<Vec<TaskStanding<'a>>, StoreError> {
    let all = sets.iter().flat_map(|set| &set.tasks);
    let known: BTreeMap<TaskId, &Task> = all.map(|task| (task.visible_id(), task)).collect();
    let stored = archive.standings()?.into_iter();
    let mut stored: BTreeMap<TaskId, StandingRecord> =
        stored.map(|standing| (standing.task, standing)).collect();
    let mut standings = Vec::new();
    for record in archive.tasks()? {
        let task = known.get(&record.id).copied();
        let standing = match stored.remove(&record.id) {
            Some(standing) => Standing::stored(standing, record.name),
            None => best_stored(archive, machine, (record.id, record.name), task)?,
        };
        standings.push(TaskStanding { standing, task });
    }
    Ok(standings)
}

/// What the best stored program of a task would hand in.
fn best_stored(
    archive: &Archive,
    machine: &mut Machine,
    (id, name): (TaskId, String),
    task: Option<&Task>,
) -> Result<Standing, StoreError> {
    let mut best = archive.best(id, BEST)?;
    let stands = best.iter().position(|(_, r)| r.is_solved() && r.validated != Some(false));
    let mut standing = Standing {
        task: id,
        name,
        demos: task.map_or(0, |task| task.demos.len()),
        fits: 0,
        similarity: 0,
        origin: String::new(),
        program: None,
        attempts: Attempts::default(),
    };
    if best.is_empty() {
        return Ok(standing);
    }
    let (program, result) = best.swap_remove(stands.unwrap_or(0));
    (standing.demos, standing.fits) = (result.demos(), result.solved());
    standing.similarity = result.similarity;
    standing.origin = program.origin().to_string();
    standing.program = Some(program.id);
    if let Some(task) = task {
        let entry = Entry::new(program.program()?, "");
        let found = machine.outputs(&entry.plan, &TaskView::new(task));
        let grids = found.tests.into_iter().map(|output| output.into_iter().collect());
        standing.attempts = Attempts::new(grids.collect());
    }
    Ok(standing)
}
