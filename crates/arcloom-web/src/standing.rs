//! How each task stands: by what an archive hands in, by the loaded programs, or by the better of both.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::archive::{Archive, TaskId};
use arcloom::run_task::run_tasks;
use arcloom::standing::standings;
use arcloom::{
    Attempts, Entry, Grid, ProgramId, RunTask, StandingCounts, Task, TaskState, TaskView, Verdict,
    verdict,
};

use crate::failure::Failure;
use crate::live;
use crate::site::{Place, Site, Stamp};

/// Whose programs count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The better of both.
    All,
    /// What the archive hands in.
    Archive,
    /// The loaded programs.
    Library,
}

impl Scope {
    pub(crate) const ALL: [Scope; 3] = [Scope::All, Scope::Archive, Scope::Library];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::All => "all",
            Scope::Archive => "archive",
            Scope::Library => "library",
        }
    }

    /// What it means, for people.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Scope::All => "the better of archive and library",
            Scope::Archive => {
                "what the archive hands in; programs that a run was not given stay out"
            }
            Scope::Library => "the programs that were loaded from files",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }

    pub(crate) fn has_archive(self) -> bool {
        self != Scope::Library
    }

    pub(crate) fn has_library(self) -> bool {
        self != Scope::Archive
    }
}

/// How one task stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    pub(crate) state: TaskState,
    /// Demos that the best of what is handed in fits.
    pub(crate) verdict: Option<Verdict>,
    /// Of the best program on the demos, in thousandths.
    pub(crate) similarity: u32,
    /// Programs there are for it.
    pub(crate) programs: u64,
    pub(crate) best: Option<ProgramId>,
    /// Where the first attempt is from.
    pub(crate) origin: String,
    /// What is handed in.
    pub(crate) attempts: Arc<Attempts>,
    pub(crate) doubt: Option<i64>,
    pub(crate) seconds: Option<f64>,
    /// Cells of the tests that the better attempts have wrong, where that is known.
    pub(crate) wrong: Option<u64>,
}

/// By set and task.
pub(crate) type Board = Vec<Vec<Standing>>;

/// The boards of all scopes.
#[derive(Clone)]
pub(crate) struct Boards {
    library: Arc<Board>,
    archive: Arc<Board>,
    all: Arc<Board>,
}

impl Boards {
    pub(crate) fn of(&self, scope: Scope) -> Arc<Board> {
        match scope {
            Scope::All => self.all.clone(),
            Scope::Archive => self.archive.clone(),
            Scope::Library => self.library.clone(),
        }
    }
}

/// Keeps the boards up to date with the archive.
#[derive(Default)]
pub(crate) struct Standings {
    library: Arc<Board>,
    latest: Mutex<Option<(Stamp, Boards)>>,
}

/// Cells in which a grid differs from the expected one: all of the larger, where their sizes differ.
pub(crate) fn wrong_cells(got: &Grid, expected: &Grid) -> u64 {
    if (got.height(), got.width()) != (expected.height(), expected.width()) {
        return got.cells().len().max(expected.cells().len()) as u64;
    }
    got.cells().iter().zip(expected.cells()).filter(|(a, b)| a != b).count() as u64
}

/// Cells of the tests that the better of the attempts have wrong; `None` where no expected output is
/// known, or nothing is handed in.
pub(crate) fn wrong_of(task: &Task, attempts: &Attempts) -> Option<u64> {
    if attempts.tests().iter().all(Vec::is_empty) {
        return None;
    }
    let expected = (0..task.tests.len())
        .filter_map(|n| Some((n, verdict::expected(task, task.demos.len() + n)?)));
    let wrong = expected.map(|(n, expected)| {
        let grids = attempts.of_test(n).iter();
        let best = grids.map(|grid| wrong_cells(grid, expected)).min();
        best.unwrap_or(expected.cells().len() as u64)
    });
    wrong.fold(None, |sum, wrong| Some(sum.unwrap_or(0) + wrong))
}

/// Tasks of a board by how far they are; those that nothing was tried on do not count.
pub(crate) fn counts<'a>(standings: impl Iterator<Item = &'a Standing>) -> StandingCounts {
    StandingCounts::of(standings.filter_map(|standing| standing.verdict))
}

impl Standings {
    /// The loaded programs on their own tasks.
    pub(crate) fn of_library(site: &Site) -> Standings {
        let mut jobs: Vec<(&Entry, Place)> = Vec::new();
        for entry in &site.library {
            for set in &site.sets {
                jobs.extend(site.find_task(&entry.task, Some(&set.name)).map(|at| (entry, at)));
            }
        }
        let found = site.engine.for_each(&jobs, |machine, (entry, at)| {
            let task = site.task(*at);
            let found = site.engine.evaluate(machine, &entry.plan, &TaskView::new(task));
            let grids = found.outputs.tests.iter().map(|output| output.iter().cloned().collect());
            let attempts = Attempts::new(grids.collect());
            (Verdict::of_program(task, &found), found.fit.similarity(), attempts)
        });
        let mut library = empty(site);
        for ((entry, at), (verdict, similarity, attempts)) in jobs.into_iter().zip(found) {
            let standing = &mut library[at.0][at.1];
            standing.programs += 1;
            let state = verdict.state();
            if standing.best.is_none()
                || (state, similarity) > (standing.state, standing.similarity)
            {
                *standing = Standing {
                    state,
                    verdict: Some(verdict),
                    similarity,
                    programs: standing.programs,
                    best: Some(entry.program.id()),
                    origin: entry.file.clone(),
                    wrong: wrong_of(site.task(at), &attempts),
                    attempts: Arc::new(attempts),
                    ..Standing::default()
                };
            }
        }
        Standings { library: Arc::new(library), ..Standings::default() }
    }

    /// The boards of this moment.
    pub(crate) fn now(&self, site: &Site) -> Result<Boards, Failure> {
        let Some(store) = &site.store else {
            let library = self.library.clone();
            return Ok(Boards { archive: Arc::new(empty(site)), all: library.clone(), library });
        };
        let stamp = store.stamp();
        let lock = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, boards)) = lock().as_ref()
            && *of == stamp
        {
            return Ok(boards.clone());
        }
        let archive = self.of_archive(site)?;
        let better = |(a, b): (&Standing, &Standing)| {
            let key = |standing: &Standing| (standing.state, standing.similarity);
            let best = if key(b) > key(a) { b } else { a };
            Standing { programs: a.programs + b.programs, ..best.clone() }
        };
        let sets = archive.iter().zip(self.library.iter());
        let all: Board = sets.map(|(a, b)| a.iter().zip(b).map(better).collect()).collect();
        let boards = Boards {
            library: self.library.clone(),
            archive: Arc::new(archive),
            all: Arc::new(all),
        };
        if live::is_over() {
            return Ok(boards);
        }
        *lock() = Some((stamp, boards.clone()));
        Ok(boards)
    }

    fn of_archive(&self, site: &Site) -> Result<Board, Failure> {
        let mut board = empty(site);
        let mut machine = live::machine(&site.engine);
        let read = |archive: &Archive| {
            let found = standings(archive, &site.sets, &mut machine)?;
            Ok((archive.task_results()?, found, run_tasks(archive, None, None, false)?))
        };
        let (results, found, runs) = site.with_archive(read)?.unwrap_or_default();
        let programs: BTreeMap<TaskId, u64> =
            results.into_iter().map(|results| (results.task, results.programs)).collect();
        // By run, so that the last one counts.
        let runs: BTreeMap<TaskId, RunTask> = runs.into_iter().map(|row| (row.task, row)).collect();
        for one in found {
            let standing = &one.standing;
            let programs = programs.get(&standing.task).copied().unwrap_or(0);
            let run = runs.get(&standing.task);
            let attempts = Arc::new(standing.attempts.clone());
            for &at in site.places(standing.task) {
                let verdict = standing.verdict(site.task(at));
                board[at.0][at.1] = Standing {
                    state: verdict.state(),
                    verdict: Some(verdict),
                    similarity: standing.similarity,
                    programs,
                    best: standing.program,
                    origin: standing.origin.clone(),
                    doubt: run.and_then(|run| run.doubt),
                    seconds: run.and_then(|run| run.seconds),
                    wrong: wrong_of(site.task(at), &attempts),
                    attempts: attempts.clone(),
                };
            }
        }
        Ok(board)
    }
}

fn empty(site: &Site) -> Board {
    site.sets.iter().map(|set| vec![Standing::default(); set.tasks.len()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_attempt_counts() {
        let tasks = arcloom::Catalog::open(None).resolve_tasks("embedded").unwrap();
        let task = tasks.tasks.iter().find(|task| task.tests.len() == 1).unwrap();
        let expected = verdict::expected(task, task.demos.len()).unwrap().clone();
        let mut cells = expected.cells().to_vec();
        cells[0] = (cells[0] + 1) % 10;
        let near = Grid::new(expected.height(), expected.width(), &cells).unwrap();
        let other = Grid::new(1, 1, &[0]).unwrap();
        let wrong = |grids: Vec<Grid>| wrong_of(task, &Attempts::new(vec![grids]));
        assert_eq!(wrong(vec![other.clone(), near]), Some(1));
        assert_eq!(wrong(vec![other.clone(), expected.clone()]), Some(0));
        assert_eq!(wrong(vec![other]), Some(expected.cells().len() as u64));
        assert_eq!(wrong(Vec::new()), None);
    }
}
