//! What the page tells, read from the archive.

use std::collections::BTreeMap;

use arcloom::archive::{
    Archive, ArchiveCounts, OperatorRecord, ProgramRecord, ResultRecord, RunRecord, StoreError,
    TaskId, TaskRecord, task_id,
};
use arcloom::draw::RunView;
use arcloom::figure::run_view;
use arcloom::{Engine, Entry, Evaluation, Task, TaskSet, TaskView, TestState, Verdict};

/// Best programs of a task among which a validated one is preferred.
const BEST: usize = 8;

/// Everything about an archive.
pub(crate) struct Story<'a> {
    /// Its file, without folders.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) counts: ArchiveCounts,
    pub(crate) runs: Vec<Run>,
    /// By name.
    pub(crate) tasks: Vec<TaskStory<'a>>,
}

/// One run.
pub(crate) struct Run {
    pub(crate) record: RunRecord,
    pub(crate) view: RunView,
    pub(crate) operators: Vec<OperatorRecord>,
}

/// One task and its best program.
pub(crate) struct TaskStory<'a> {
    pub(crate) record: TaskRecord,
    /// Its grids, where they are at hand.
    pub(crate) task: Option<&'a Task>,
    pub(crate) best: Option<Best>,
}

/// A program with what it does.
pub(crate) struct Best {
    pub(crate) program: ProgramRecord,
    pub(crate) result: ResultRecord,
    /// Its outputs; `None` when the task is not at hand.
    pub(crate) evaluation: Option<Evaluation>,
}

impl Story<'_> {
    /// Tasks that are right, and tasks of which that is known.
    pub(crate) fn right(&self) -> (usize, usize) {
        let verdicts = self.tasks.iter().filter_map(TaskStory::verdict);
        verdicts.fold((0, 0), |(right, known), verdict| match verdict.tests {
            TestState::Right => (right + 1, known + 1),
            TestState::Wrong => (right, known + 1),
            TestState::Unknown => (right, known),
        })
    }
}

impl TaskStory<'_> {
    /// True when the best program fits all demos.
    pub(crate) fn is_fit(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.result.is_solved())
    }

    /// How near the best program is on the demos, from 0 to 1.
    pub(crate) fn similarity(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |best| f64::from(best.result.similarity) / 1000.0)
    }

    /// How far the best program is; `None` where the task is not at hand.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let evaluation = self.best.as_ref()?.evaluation.as_ref()?;
        Some(Verdict::of_program(self.task?, evaluation))
    }
}

pub(crate) fn gather<'a>(
    engine: &Engine,
    archive: &Archive,
    sets: &'a [TaskSet],
) -> Result<Story<'a>, StoreError> {
    let known: BTreeMap<TaskId, &Task> =
        sets.iter().flat_map(|set| &set.tasks).map(|task| (task_id(task), task)).collect();
    let mut tasks = Vec::new();
    for record in archive.tasks()? {
        let task = known.get(&record.id).copied();
        let mut best = archive.best(record.id, BEST)?;
        let held = best
            .iter()
            .position(|(_, result)| result.is_solved() && result.validated == Some(true));
        let best = (!best.is_empty()).then(|| best.swap_remove(held.unwrap_or(0)));
        let best = best.map(|(program, result)| Best { program, result, evaluation: None });
        tasks.push(TaskStory { record, task, best });
    }
    evaluate(engine, &mut tasks)?;
    let mut runs = Vec::new();
    for record in archive.runs()? {
        let view = run_view(archive, &record)?;
        let operators = archive.operators(record.number)?;
        runs.push(Run { record, view, operators });
    }
    let name = archive.path().file_name().map(|name| name.to_string_lossy().into_owned());
    let (counts, bytes) = (archive.counts()?, archive.bytes());
    Ok(Story { name: name.unwrap_or_default(), bytes, counts, runs, tasks })
}

/// Runs the best program of every task whose grids are at hand.
fn evaluate(engine: &Engine, tasks: &mut [TaskStory<'_>]) -> Result<(), StoreError> {
    let mut jobs: Vec<(usize, Entry, TaskView)> = Vec::new();
    for (n, story) in tasks.iter().enumerate() {
        if let (Some(task), Some(best)) = (story.task, &story.best) {
            jobs.push((n, Entry::new(best.program.program()?, ""), TaskView::new(task)));
        }
    }
    let pairs: Vec<(&Entry, &TaskView)> = jobs.iter().map(|(_, e, t)| (e, t)).collect();
    let evaluations = engine.evaluate_all(&pairs);
    for ((n, ..), evaluation) in jobs.iter().zip(evaluations) {
        if let Some(best) = &mut tasks[*n].best {
            best.evaluation = Some(evaluation);
        }
    }
    Ok(())
}
