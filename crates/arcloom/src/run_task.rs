//! What each run of an archive handed in for each task, and all proposals that it had for it.

use arcloom_store::{Archive, ProgramId, RunNumber, StoreError, StoredRunTask, TaskId};
use arcloom_tasks::Task;
use arcloom_value::Grid;
use serde::Deserialize;

use crate::attempts::Attempts;
use crate::verdict::{TestState, Verdict};

/// What a run has for a task.
#[derive(Debug, Clone)]
pub struct RunTask {
    /// The run.
    pub run: RunNumber,
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
    /// The program of the first attempt.
    pub program: Option<ProgramId>,
    /// What is handed in.
    pub attempts: Attempts,
    /// All proposals, the best first, where they were asked for; none from evolution, which keeps
    /// programs.
    pub proposals: Vec<StoredProposal>,
    /// The doubt about the first of them.
    pub doubt: Option<i64>,
    /// Seconds it took, where that is known.
    pub seconds: Option<f64>,
}

/// A proposal of a run of `solve`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredProposal {
    /// One grid per test.
    pub outputs: Vec<Grid>,
    /// Demos that it fits.
    pub fits: usize,
    /// Who proposes it.
    pub origin: String,
    /// How little it is to be trusted: less is better.
    pub doubt: i64,
    /// How likely it is to be right, where the run could tell.
    pub confidence: Option<f64>,
    /// The program, as text.
    pub program: Option<String>,
}

/// A proposal as it is stored.
#[derive(Deserialize)]
struct Text {
    outputs: Vec<Vec<Vec<i8>>>,
    fits: usize,
    origin: String,
    doubt: i64,
    #[serde(default)]
    confidence: Option<f64>,
    program: Option<String>,
}

impl RunTask {
    /// How far the task is by what the run handed in.
    pub fn verdict(&self, task: Option<&Task>) -> Verdict {
        let unknown = Verdict { fits: self.fits, demos: self.demos, tests: TestState::Unknown };
        task.map_or(unknown, |task| Verdict::of_attempts(task, self.fits, &self.attempts))
    }
}

/// What a run, or each of them, has for a task, or for all: by the names of the tasks, then by run, without
/// the proposals unless they are asked for. What cannot be read is left out.
pub fn run_tasks(
    archive: &Archive,
    run: Option<RunNumber>,
    task: Option<TaskId>,
    proposals: bool,
) -> Result<Vec<RunTask>, StoreError> {
    Ok(archive.run_tasks(run, task, proposals)?.into_iter().map(read).collect())
}

/// What a row says; `None` where not all of it can be read.
pub(crate) fn read_whole(row: StoredRunTask) -> Option<RunTask> {
    let attempts: Vec<Vec<Vec<Vec<i8>>>> = serde_json::from_str(&row.attempts).ok()?;
    let proposals: Vec<Text> = serde_json::from_str(&row.proposals).ok()?;
    let found = read(row);
    let all = attempts.iter().map(Vec::len).eq(found.attempts.tests().iter().map(Vec::len));
    (all && proposals.len() == found.proposals.len()).then_some(found)
}

fn read(row: StoredRunTask) -> RunTask {
    let grid = |rows: &Vec<Vec<i8>>| Grid::from_rows(rows);
    let attempts: Vec<Vec<Vec<Vec<i8>>>> = serde_json::from_str(&row.attempts).unwrap_or_default();
    let attempts = attempts.iter().map(|grids| grids.iter().filter_map(grid).collect());
    let proposals: Vec<Text> = serde_json::from_str(&row.proposals).unwrap_or_default();
    let proposal = |text: Text| {
        let Text { outputs, fits, origin, doubt, confidence, program } = text;
        let outputs = outputs.iter().map(grid).collect::<Option<_>>()?;
        Some(StoredProposal { outputs, fits, origin, doubt, confidence, program })
    };
    RunTask {
        run: row.run,
        task: row.task,
        name: row.name,
        demos: row.demos as usize,
        fits: row.fits as usize,
        similarity: row.similarity,
        origin: row.origin,
        program: row.program,
        attempts: Attempts::new(attempts.collect()),
        proposals: proposals.into_iter().filter_map(proposal).collect(),
        doubt: row.doubt,
        seconds: row.seconds,
    }
}
