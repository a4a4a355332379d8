//! How far each task is: by the loaded programs, and by what an archive holds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::archive::{Archive, TaskId};
use arcloom::standing::standings;
use arcloom::{Entry, ProgramId, TaskState, TaskView, Verdict};

use crate::failure::Failure;
use crate::live;
use crate::site::{Place, Site, Stamp};

/// How far one task is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Standing {
    pub(crate) state: TaskState,
    /// Of the best program on the demos, in thousandths.
    pub(crate) similarity: u32,
    /// Programs there are for it.
    pub(crate) programs: u64,
    pub(crate) best: Option<ProgramId>,
}

/// By set and task.
pub(crate) type Board = Vec<Vec<Standing>>;

/// Keeps the board up to date with the archive.
#[derive(Default)]
pub(crate) struct Standings {
    library: Board,
    latest: Mutex<Option<(Stamp, Arc<Board>)>>,
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
            (Verdict::of_program(task, &found).state(), found.fit.similarity())
        });
        let mut library: Board =
            site.sets.iter().map(|set| vec![Standing::default(); set.tasks.len()]).collect();
        for ((entry, at), (state, similarity)) in jobs.into_iter().zip(found) {
            let standing = &mut library[at.0][at.1];
            standing.programs += 1;
            if standing.best.is_none()
                || (state, similarity) > (standing.state, standing.similarity)
            {
                standing.best = Some(entry.program.id());
                (standing.state, standing.similarity) = (state, similarity);
            }
        }
        Standings { library, ..Standings::default() }
    }

    /// The board of this moment.
    pub(crate) fn now(&self, site: &Site) -> Result<Arc<Board>, Failure> {
        let Some(store) = &site.store else { return Ok(Arc::new(self.library.clone())) };
        let stamp = store.stamp();
        let lock = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, board)) = lock().as_ref()
            && *of == stamp
        {
            return Ok(board.clone());
        }
        let mut board = self.library.clone();
        let mut machine = live::machine(&site.engine);
        let read = |archive: &Archive| {
            Ok((archive.task_results()?, standings(archive, &site.sets, &mut machine)?))
        };
        let (results, found) = site.with_archive(read)?.unwrap_or_default();
        let programs: BTreeMap<TaskId, u64> =
            results.into_iter().map(|results| (results.task, results.programs)).collect();
        for one in found {
            let standing = &one.standing;
            let programs = programs.get(&standing.task).copied().unwrap_or(0);
            for &at in site.places(standing.task) {
                // What the archive says of a task counts, not what the library would hand in.
                board[at.0][at.1] = Standing {
                    state: standing.verdict(site.task(at)).state(),
                    similarity: standing.similarity,
                    programs: board[at.0][at.1].programs + programs,
                    best: standing.program,
                };
            }
        }
        let board = Arc::new(board);
        if live::is_over() {
            return Ok(board);
        }
        *lock() = Some((stamp, board.clone()));
        Ok(board)
    }
}
