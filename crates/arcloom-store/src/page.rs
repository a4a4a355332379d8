//! Looking into an archive that is too large to be read as a whole: how tasks stand, and programs a
//! page at a time.

use arcloom_lang::ProgramId;
use arcloom_tasks::TaskId;
use rusqlite::{Row, params_from_iter, types::Value};

use crate::archive::Archive;
use crate::error::Result;
use crate::read::{BEST, PROGRAM, count, program_id, program_row};
use crate::record::{ProgramRecord, RunNumber};

/// The results on one task, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskResults {
    /// The task.
    pub task: TaskId,
    /// What people call it.
    pub name: String,
    /// Programs with a result on it.
    pub programs: u64,
    /// A program that solves most demo pairs and of those is nearest.
    pub best: ProgramId,
    /// Demo pairs of the task.
    pub demos: u32,
    /// Demo pairs the best one solves.
    pub solved: u32,
    /// How near the best one is on the demos, in thousandths.
    pub similarity: u32,
}

/// Which programs to show.
#[derive(Debug, Clone, Default)]
pub struct PageQuery {
    /// Only those with this in their name, text, operator or source; empty for all.
    pub text: String,
    /// Only those with a result on the task of this name, the best first; without, the newest first.
    pub task: Option<String>,
    /// Only those that solve all demo pairs of a task.
    pub solved: bool,
    /// Only those that a run made.
    pub run: Option<RunNumber>,
    /// Programs to pass over.
    pub offset: usize,
    /// Most programs to give.
    pub limit: usize,
}

/// Some of the programs.
#[derive(Debug, Clone)]
pub struct Page {
    /// The programs, without their parents.
    pub programs: Vec<ProgramRecord>,
    /// How many there are in all.
    pub total: u64,
}

/// How far the populations of one island are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Island {
    /// Which island.
    pub island: u32,
    /// Tasks it has a population for.
    pub tasks: u64,
    /// Those of them whose best program solves all demo pairs.
    pub solved: u64,
    /// How near the best programs are on the mean, in thousandths.
    pub similarity: u32,
    /// Programs alive on it.
    pub alive: u64,
}

impl Archive {
    /// How far the islands of a run are after its last generation.
    pub fn islands(&self, run: RunNumber) -> Result<Vec<Island>> {
        let read = |row: &Row<'_>| {
            Ok(Island {
                island: row.get(0)?,
                tasks: count(row, 1)?,
                solved: count(row, 2)?,
                similarity: row.get(3)?,
                alive: count(row, 4)?,
            })
        };
        self.rows(
            "SELECT population.island, sum(rank = 0), \
               sum(rank = 0 AND result.demos > 0 AND result.solved = result.demos), \
               coalesce(sum((rank = 0) * result.similarity) / sum(rank = 0), 0), count(*) \
             FROM population JOIN result \
               ON result.task = population.task AND result.program = population.program \
             WHERE population.run = ?1 GROUP BY population.island ORDER BY population.island",
            [run.0],
            read,
        )
    }

    /// How far the programs are on every task that has results, by name.
    pub fn task_results(&self) -> Result<Vec<TaskResults>> {
        let read = |row: &Row<'_>| {
            Ok(TaskResults {
                task: TaskId(row.get(0)?),
                name: row.get(1)?,
                programs: count(row, 2)?,
                best: program_id(row, 3)?,
                demos: row.get(4)?,
                solved: row.get(5)?,
                similarity: row.get(6)?,
            })
        };
        // Columns beside a `max` are those of the row that has it.
        self.rows(
            "SELECT task.id, task.name, best.programs, program.id, best.demos, best.solved, \
               best.similarity FROM \
             (SELECT task, count(*) AS programs, program, demos, solved, similarity, \
               max(solved * 10000 + similarity) FROM result GROUP BY task) AS best \
             JOIN task ON task.key = best.task JOIN program ON program.key = best.program \
             ORDER BY task.name, task.id",
            [],
            read,
        )
    }

    /// One page of programs.
    pub fn page(&self, query: &PageQuery) -> Result<Page> {
        let mut from = "program".to_owned();
        let (mut wanted, mut values) = (Vec::new(), Vec::<Value>::new());
        let solved = "result.demos > 0 AND result.solved = result.demos";
        if let Some(task) = &query.task {
            from.push_str(
                " JOIN result ON result.program = program.key JOIN task ON task.key = result.task",
            );
            values.push(Value::Text(task.clone()));
            wanted.push(format!("task.name = ?{}", values.len()));
            if query.solved {
                wanted.push(solved.to_owned());
            }
        } else if query.solved {
            wanted
                .push(format!("program.key IN (SELECT result.program FROM result WHERE {solved})"));
        }
        if !query.text.is_empty() {
            let text = query.text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            values.push(Value::Text(format!("%{text}%")));
            let n = values.len();
            let like = ["name", "text", "operator", "source"]
                .map(|column| format!("program.{column} LIKE ?{n} ESCAPE '\\'"));
            wanted.push(format!("({})", like.join(" OR ")));
        }
        if let Some(run) = query.run {
            values.push(Value::Integer(run.0));
            wanted.push(format!("program.run = ?{}", values.len()));
        }
        let condition = match wanted.is_empty() {
            true => String::new(),
            false => format!("WHERE {}", wanted.join(" AND ")),
        };
        let order = if query.task.is_some() { BEST } else { "program.key DESC" };
        let _moment = self.snapshot()?;
        let total = format!("SELECT count(*) FROM {from} {condition}");
        let total = self.rows(&total, params_from_iter(values.iter()), |row| count(row, 0))?;
        let sql = format!(
            "SELECT {PROGRAM} FROM {from} {condition} ORDER BY {order} LIMIT {} OFFSET {}",
            query.limit, query.offset
        );
        let found = self.rows(&sql, params_from_iter(values), program_row)?;
        let programs = found.into_iter().map(|(program, _)| program).collect();
        Ok(Page { programs, total: total.first().copied().unwrap_or(0) })
    }
}
