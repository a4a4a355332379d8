//! What the page tells, read from the archive.

use std::collections::BTreeMap;

use arcloom::archive::{
    Archive, ArchiveCounts, OperatorRecord, ProgramRecord, ResultRecord, RunKind, RunRecord,
    StoreError, TaskId, TaskRecord,
};
use arcloom::draw::RunView;
use arcloom::figure::run_view;
use arcloom::run_task::run_tasks;
use arcloom::{
    Engine, Entry, Evaluation, RunTask, StandingCounts, Task, TaskSet, TaskStanding, TaskView,
    Verdict, similarity,
};

/// Best programs of a task among which the one that is handed in is looked for.
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
    /// Its tasks by how far they are.
    pub(crate) counts: StandingCounts,
}

impl Run {
    /// What people call its tasks.
    pub(crate) fn tasks(&self) -> String {
        let about: serde_json::Value = serde_json::from_str(&self.record.about).unwrap_or_default();
        about["tasks"].as_str().unwrap_or_default().to_owned()
    }
}

/// One task and its best program.
pub(crate) struct TaskStory<'a> {
    pub(crate) record: TaskRecord,
    /// Its grids, where they are at hand.
    pub(crate) task: Option<&'a Task>,
    /// What is handed in for it.
    pub(crate) standing: TaskStanding<'a>,
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
    /// Tasks by how far they are.
    pub(crate) fn standings(&self) -> StandingCounts {
        StandingCounts::of(self.tasks.iter().map(TaskStory::verdict))
    }
}

impl TaskStory<'_> {
    /// True when all demos fit.
    pub(crate) fn is_fit(&self) -> bool {
        self.standing.standing.is_fit()
    }

    /// The similarity on the demos of what is handed in, from 0 to 1.
    pub(crate) fn similarity(&self) -> f64 {
        similarity(self.standing.standing.similarity)
    }

    /// How far the task is by what is handed in.
    pub(crate) fn verdict(&self) -> Verdict {
        self.standing.verdict()
    }
}

pub(crate) fn gather<'a>(
    engine: &Engine,
    archive: &Archive,
    sets: &'a [TaskSet],
) -> Result<Story<'a>, StoreError> {
    let mut tasks = Vec::new();
    for (record, standing) in archive.tasks()?.into_iter().zip(engine.standings(archive, sets)?) {
        let mut best = archive.best(record.id, BEST)?;
        // The program that is handed in, where it is among the best.
        let chosen = best.iter().position(|(p, _)| Some(p.id) == standing.standing.program);
        let best = (!best.is_empty()).then(|| best.swap_remove(chosen.unwrap_or(0)));
        let best = best.map(|(program, result)| Best { program, result, evaluation: None });
        tasks.push(TaskStory { record, task: standing.task, standing, best });
    }
    evaluate(engine, &mut tasks)?;
    let mut runs = Vec::new();
    let known: BTreeMap<TaskId, &Task> =
        sets.iter().flat_map(|set| &set.tasks).map(|task| (task.visible_id(), task)).collect();
    // Evolution within another run hands in for that one.
    for record in archive.runs()?.into_iter().filter(|run| run.kind != RunKind::Part) {
        let view = run_view(archive, &record)?;
        let operators = archive.operators(record.number)?;
        let rows = run_tasks(archive, Some(record.number), None, false)?;
        let verdict = |row: &RunTask| row.verdict(known.get(&row.task).copied());
        let counts = StandingCounts::of(rows.iter().map(verdict));
        runs.push(Run { record, view, operators, counts });
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
