//! How far each task is: by the loaded programs, and by what an archive holds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::archive::TaskId;
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
    /// Whether a stored program is right on a task's tests: it never changes.
    judged: Mutex<BTreeMap<(ProgramId, TaskId), TaskState>>,
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
        let found = site.with_archive(|archive| archive.standings())?.unwrap_or_default();
        for one in found {
            let places = site.places(one.task);
            let Some(&first) = places.first() else { continue };
            let state = match one.demos > 0 && one.solved == one.demos {
                false => TaskState::Open,
                true => self.judge(site, one.best, one.task, first)?,
            };
            for at in places {
                let standing = &mut board[at.0][at.1];
                standing.programs += one.programs;
                if standing.best.is_none()
                    || (state, one.similarity) > (standing.state, standing.similarity)
                {
                    standing.best = Some(one.best);
                    (standing.state, standing.similarity) = (state, one.similarity);
                }
            }
        }
        let board = Arc::new(board);
        *lock() = Some((stamp, board.clone()));
        Ok(board)
    }

    /// A stored program that fits the demos, on the tests.
    fn judge(
        &self,
        site: &Site,
        program: ProgramId,
        task: TaskId,
        at: Place,
    ) -> Result<TaskState, Failure> {
        let lock = || self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = lock().get(&(program, task)) {
            return Ok(*state);
        }
        let record = site.with_archive(|archive| archive.program(program))?.flatten();
        let Some(record) = record else { return Ok(TaskState::Fits) };
        let entry = Entry::new(record.program()?, "");
        let task_shown = site.task(at);
        let mut machine = live::machine(&site.engine);
        let found = site.engine.evaluate(&mut machine, &entry.plan, &TaskView::new(task_shown));
        // What is stored says that it fits.
        let state = Verdict::of_program(task_shown, &found).state().max(TaskState::Fits);
        if live::is_over() {
            return Ok(TaskState::Fits);
        }
        lock().insert((program, task), state);
        Ok(state)
    }
}
