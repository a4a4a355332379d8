//! What each run hands in for each task, and whether a run is still at work.

use arcloom_lang::ProgramId;
use arcloom_tasks::TaskId;
use rusqlite::params;

use crate::archive::Archive;
use crate::error::Result;
use crate::lock;
use crate::read::{count, program_id};
use crate::record::{RunNumber, RunRecord, RunState};

/// What a run handed in for a task, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRunTask {
    /// The run.
    pub run: RunNumber,
    /// The task.
    pub task: TaskId,
    /// Its name.
    pub name: String,
    /// Number of demo pairs.
    pub demos: u32,
    /// Demo pairs that the best of what is handed in fits.
    pub fits: u32,
    /// Its similarity on the demos, in thousandths.
    pub similarity: u32,
    /// Where the first attempt is from.
    pub origin: String,
    /// The program of the first attempt.
    pub program: Option<ProgramId>,
    /// For each test up to two grids, as JSON.
    pub attempts: String,
    /// All proposals by rank, as a JSON list.
    pub proposals: String,
    /// The doubt about the first of them.
    pub doubt: Option<i64>,
    /// What it took, where that is known.
    pub seconds: Option<f64>,
}

/// The first program of a run that fits all demos of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstFit {
    /// The task.
    pub task: TaskId,
    /// The program.
    pub program: ProgramId,
    /// The generation it came up in.
    pub generation: u64,
    /// What made it out of its parents.
    pub operator: Option<String>,
}

impl Archive {
    /// What a run handed in, or all of them, by the names of the tasks and then by run; without the
    /// proposals, which are long, unless they are asked for.
    pub fn run_tasks(
        &self,
        run: Option<RunNumber>,
        task: Option<TaskId>,
        proposals: bool,
    ) -> Result<Vec<StoredRunTask>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(StoredRunTask {
                run: RunNumber(row.get(0)?),
                task: TaskId(row.get(1)?),
                name: row.get(2)?,
                demos: row.get(3)?,
                fits: row.get(4)?,
                similarity: row.get(5)?,
                origin: row.get(6)?,
                program: row.get::<_, Option<[u8; 32]>>(7)?.map(ProgramId),
                attempts: row.get(8)?,
                proposals: row.get(9)?,
                doubt: row.get(10)?,
                seconds: row.get(11)?,
            })
        };
        self.rows(
            "SELECT run, task.id, task.name, demos, fits, similarity, origin, program, attempts, \
             CASE WHEN ?3 THEN proposals ELSE '[]' END, CASE WHEN json_valid(proposals) THEN json_extract(proposals, '$[0].doubt') END, seconds \
             FROM run_task JOIN task ON task.key = run_task.task \
             WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR task.id = ?2) \
             ORDER BY task.name, task.id, run",
            params![run.map(|run| run.0), task.map(|task| task.0), proposals],
            read,
        )
    }

    /// True when a run handed something in.
    pub fn has_run_tasks(&self, run: RunNumber) -> Result<bool> {
        let sql = "SELECT 1 FROM run_task WHERE run = ?1 LIMIT 1";
        Ok(!self.rows(sql, [run.0], |row| row.get::<_, i64>(0))?.is_empty())
    }

    /// For each task that a run's programs fit, the first of them: by generation, then by size.
    pub fn first_fits(&self, run: RunNumber) -> Result<Vec<FirstFit>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(FirstFit {
                task: TaskId(row.get(0)?),
                program: program_id(row, 1)?,
                generation: count(row, 2)?,
                operator: row.get(3)?,
            })
        };
        self.rows(
            "WITH ranked AS (SELECT task.id AS task, task.name AS name, program.id AS program, \
               program.generation AS generation, program.operator AS operator, row_number() OVER \
               (PARTITION BY result.task ORDER BY program.generation, program.size, program.id) AS place \
             FROM program JOIN result ON result.program = program.key \
             JOIN task ON task.key = result.task \
             WHERE program.run = ?1 AND program.generation IS NOT NULL AND result.demos > 0 \
             AND result.solved = result.demos) \
             SELECT task, program, generation, operator FROM ranked WHERE place = 1 \
             ORDER BY generation, name, task",
            [run.0],
            read,
        )
    }

    /// True when a process is at work on a run: the one that has the lock of this archive is the one
    /// that last began it or went on with it.
    pub fn is_alive(&self, run: &RunRecord) -> bool {
        if run.state != RunState::Running {
            return false;
        }
        match lock::holder(self.file()) {
            None => false,
            Some(None) => true,
            Some(holder) => run.process.is_none() || run.process == holder,
        }
    }
}
