//! Reading: programs, populations, the best of each task, runs, counts.

use std::collections::BTreeMap;

use arcloom_lang::ProgramId;
use arcloom_tasks::{Behaviour, TaskId};
use rusqlite::{OptionalExtension, Params, Row, params, params_from_iter, types::Value};

use crate::archive::Archive;
use crate::error::{Result, StoreError, fault};
use crate::record::{
    CacheRecord, GenerationRecord, OperatorRecord, PopulationRecord, PredictionRecord,
    ProgramRecord, ResultRecord, RunKind, RunNumber, RunRecord, RunState, ScoreRecord,
    StandingRecord, TaskRecord,
};

/// Which programs to take. The empty filter takes all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those with a result on the task of this name.
    pub task: Option<String>,
    /// Only those that solve all demo pairs of a task (of that one, if one is given).
    pub solved: bool,
    /// Only this many per task, the best ones.
    pub best: Option<usize>,
}

/// The size of everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveCounts {
    /// Rows by table, in the order of the schema.
    pub rows: Vec<(&'static str, u64)>,
    /// Programs that evolution made.
    pub evolved: u64,
    /// Programs that `solve` found: by search, by enumeration, or in a library's programs.
    pub searched: u64,
    /// Different behaviours, summed over the tasks.
    pub behaviours: u64,
    /// Characters of all program texts.
    pub text_bytes: u64,
    /// What pruning took out, by reason.
    pub pruned: Vec<(String, u64)>,
}

/// More tests than any task has.
const MOST_TESTS: usize = 1 << 16;

const TABLES: &[&str] = &[
    "run",
    "generation",
    "operator",
    "program",
    "parent",
    "task",
    "result",
    "score",
    "prediction",
    "standing",
    "attempt",
    "run_task",
    "island",
    "population",
    "cache",
];

/// The order in which results on one task are better: the same in ranking and in pruning.
pub(crate) const BEST: &str =
    "result.solved DESC, result.similarity DESC, program.size, program.id";

pub(crate) const PROGRAM: &str = "program.id, program.name, program.text, program.size, program.cost, \
    program.run, program.generation, program.operator, program.source, program.added, program.key";
const RESULT: &str = "program.id, task.id, result.pairs, result.similarity, result.work, \
    result.behaviour, result.validated";
const RUN: &str = "key, id, repeat, seed, config, version, started, generations, state, checkpoint, \
    kind, about, ended, process";

pub(crate) fn program_id(row: &Row<'_>, at: usize) -> rusqlite::Result<ProgramId> {
    Ok(ProgramId(row.get(at)?))
}

pub(crate) fn count(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(at)?.cast_unsigned())
}

pub(crate) fn program_row(row: &Row<'_>) -> rusqlite::Result<(ProgramRecord, i64)> {
    let record = ProgramRecord {
        id: program_id(row, 0)?,
        name: row.get(1)?,
        text: row.get(2)?,
        size: count(row, 3)?,
        cost: count(row, 4)?,
        run: row.get::<_, Option<i64>>(5)?.map(RunNumber),
        generation: row.get::<_, Option<i64>>(6)?.map(i64::cast_unsigned),
        operator: row.get(7)?,
        source: row.get(8)?,
        added: row.get(9)?,
        parents: Vec::new(),
    };
    Ok((record, row.get(10)?))
}

fn result_row(row: &Row<'_>) -> rusqlite::Result<ResultRecord> {
    Ok(ResultRecord {
        program: program_id(row, 0)?,
        task: TaskId(row.get(1)?),
        pairs: row.get(2)?,
        similarity: row.get(3)?,
        work: count(row, 4)?,
        behaviour: Behaviour(row.get(5)?),
        validated: row.get(6)?,
    })
}

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRecord> {
    Ok(RunRecord {
        number: RunNumber(row.get(0)?),
        id: row.get(1)?,
        repeat: count(row, 2)?,
        seed: count(row, 3)?,
        config: row.get(4)?,
        version: row.get(5)?,
        started: row.get(6)?,
        generations: count(row, 7)?,
        state: RunState::of_columns(
            &row.get::<_, String>(8)?,
            row.get::<_, Option<String>>(12)?.as_deref(),
        ),
        checkpoint: row.get(9)?,
        kind: RunKind::by_name(&row.get::<_, String>(10)?),
        about: row.get(11)?,
        process: row.get(13)?,
    })
}

impl Archive {
    /// All rows of a query.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.gauge.reset();
        let find = || -> rusqlite::Result<Vec<T>> {
            self.connection.prepare_cached(sql)?.query_map(params, read)?.collect()
        };
        find().map_err(fault(self.path(), "reading"))
    }

    pub(crate) fn one(&self, sql: &str, params: impl Params) -> Result<u64> {
        self.gauge.reset();
        let find = || self.connection.prepare_cached(sql)?.query_row(params, |row| count(row, 0));
        find().map_err(fault(self.path(), "reading"))
    }

    /// The programs of a query, with their parents.
    fn with_parents(&self, found: Vec<(ProgramRecord, i64)>) -> Result<Vec<ProgramRecord>> {
        let sql = "SELECT program.id FROM parent JOIN program ON program.key = parent.parent \
                   WHERE child = ?1 ORDER BY place";
        let parents = |(mut program, key): (ProgramRecord, i64)| {
            program.parents = self.rows(sql, [key], |row| program_id(row, 0))?;
            Ok(program)
        };
        found.into_iter().map(parents).collect()
    }

    /// A program by its whole id.
    pub fn program(&self, id: ProgramId) -> Result<Option<ProgramRecord>> {
        let sql = format!("SELECT {PROGRAM} FROM program WHERE id = ?1");
        Ok(self.with_parents(self.rows(&sql, [id.0], program_row)?)?.pop())
    }

    /// True when a program is there.
    pub fn has_program(&self, id: ProgramId) -> Result<bool> {
        Ok(self.one("SELECT count(*) FROM program WHERE id = ?1", [id.0])? > 0)
    }

    /// The only program whose id begins with these hexadecimal digits, or whose name this is.
    pub fn find_program(&self, text: &str) -> Result<ProgramRecord> {
        let hex =
            !text.is_empty() && text.len() <= 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let mut found = Vec::new();
        if hex {
            // The range of ids that begin so.
            let bound = |fill: char| -> Vec<u8> {
                let digits: Vec<u32> = text
                    .chars()
                    .chain(std::iter::repeat(fill))
                    .take(64)
                    .filter_map(|c| c.to_digit(16))
                    .collect();
                digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
            };
            let sql = format!("SELECT {PROGRAM} FROM program WHERE id BETWEEN ?1 AND ?2 LIMIT 100");
            found = self.rows(&sql, params![bound('0'), bound('f')], program_row)?;
        }
        if found.is_empty() {
            let sql =
                format!("SELECT {PROGRAM} FROM program WHERE name = ?1 OR name = 'solve_' || ?1");
            found = self.rows(&sql, [text], program_row)?;
        }
        match found.len() {
            0 => Err(StoreError::Unknown {
                path: self.path().to_path_buf(),
                what: "program",
                name: text.to_owned(),
                advice: "; `arcloom archive list` shows them",
            }),
            1 => self.with_parents(found)?.pop().ok_or_else(|| self.gone("program")),
            count => Err(StoreError::Ambiguous { prefix: text.to_owned(), count }),
        }
    }

    fn gone(&self, what: &'static str) -> StoreError {
        let path = self.path().to_path_buf();
        StoreError::Unknown { path, what, name: String::new(), advice: "" }
    }

    /// Programs with their results that pass a filter, in the order they were stored.
    pub fn programs(&self, filter: &Filter) -> Result<Vec<ProgramRecord>> {
        let (mut wanted, mut values) = (Vec::new(), Vec::<Value>::new());
        if let Some(task) = &filter.task {
            if self.tasks()?.iter().all(|known| known.name != *task) {
                return Err(StoreError::Unknown {
                    path: self.path().to_path_buf(),
                    what: "task",
                    name: task.clone(),
                    advice: "; `arcloom archive stats --tasks` shows them",
                });
            }
            wanted.push("task.name = ?1".to_owned());
            values.push(Value::Text(task.clone()));
        }
        if filter.solved {
            wanted.push("result.demos > 0 AND result.solved = result.demos".to_owned());
        }
        if wanted.is_empty() && filter.best.is_none() {
            let sql = format!("SELECT {PROGRAM} FROM program ORDER BY key");
            return self.with_parents(self.rows(&sql, [], program_row)?);
        }
        let condition = if wanted.is_empty() {
            String::new()
        } else {
            format!("WHERE {}", wanted.join(" AND "))
        };
        let best = filter.best.map_or(-1, |best| best as i64);
        let sql = format!(
            "WITH ranked AS (SELECT program.key AS key, row_number() OVER \
               (PARTITION BY result.task ORDER BY {BEST}) AS place \
             FROM result JOIN program ON program.key = result.program \
             JOIN task ON task.key = result.task {condition}) \
             SELECT {PROGRAM} FROM program WHERE key IN \
               (SELECT key FROM ranked WHERE {best} < 0 OR place <= {best}) ORDER BY key"
        );
        let found = self.rows(&sql, params_from_iter(values), program_row)?;
        self.with_parents(found)
    }

    /// The tasks, by name.
    pub fn tasks(&self) -> Result<Vec<TaskRecord>> {
        let read = |row: &Row<'_>| {
            Ok(TaskRecord { id: TaskId(row.get(0)?), name: row.get(1)?, set: row.get(2)? })
        };
        self.rows("SELECT id, name, task_set FROM task ORDER BY name, id", [], read)
    }

    /// A program's results, by task.
    pub fn results(&self, program: ProgramId) -> Result<Vec<ResultRecord>> {
        let sql = format!(
            "SELECT {RESULT} FROM program CROSS JOIN result ON result.program = program.key \
             CROSS JOIN task ON task.key = result.task WHERE program.id = ?1 \
             ORDER BY task.name, task.id"
        );
        self.rows(&sql, [program.0], result_row)
    }

    /// The best programs of a task with their results, best first.
    pub fn best(&self, task: TaskId, most: usize) -> Result<Vec<(ProgramRecord, ResultRecord)>> {
        let sql = format!(
            "SELECT {RESULT} FROM result JOIN program ON program.key = result.program \
             JOIN task ON task.key = result.task WHERE task.id = ?1 ORDER BY {BEST} LIMIT ?2"
        );
        let results = self.rows(&sql, params![task.0, most as i64], result_row)?;
        let pair = |result: ResultRecord| {
            let program = self.program(result.program)?.ok_or_else(|| self.gone("program"))?;
            Ok((program, result))
        };
        results.into_iter().map(pair).collect()
    }

    /// What the differs say about a program, by task and differ.
    pub fn scores(&self, program: ProgramId) -> Result<Vec<ScoreRecord>> {
        let read = |row: &Row<'_>| {
            let task = TaskId(row.get(0)?);
            Ok(ScoreRecord { program, task, differ: row.get(1)?, score: row.get(2)? })
        };
        self.rows(
            // From the program to its results, of which there are few, and from each to its scores: they
            // have no index by program alone, and in another order all would be gone through.
            "SELECT task.id, differ.name, score.score FROM program \
             CROSS JOIN result ON result.program = program.key \
             CROSS JOIN score ON score.task = result.task AND score.program = result.program \
             CROSS JOIN task ON task.key = score.task \
             CROSS JOIN differ ON differ.key = score.differ WHERE program.id = ?1 \
             ORDER BY task.name, task.id, differ.name",
            [program.0],
            read,
        )
    }

    /// A program's answers to tests, by task and test.
    pub fn predictions(&self, program: ProgramId) -> Result<Vec<PredictionRecord>> {
        let read = |row: &Row<'_>| {
            let task = TaskId(row.get(0)?);
            Ok(PredictionRecord { program, task, test: row.get(1)?, grid: row.get(2)? })
        };
        self.rows(
            "SELECT task.id, prediction.test, prediction.grid FROM program \
             CROSS JOIN result ON result.program = program.key \
             CROSS JOIN prediction ON prediction.task = result.task \
               AND prediction.program = result.program \
             CROSS JOIN task ON task.key = prediction.task WHERE program.id = ?1 \
             ORDER BY task.name, task.id, prediction.test",
            [program.0],
            read,
        )
    }

    /// All runs, in the order they were begun.
    pub fn runs(&self) -> Result<Vec<RunRecord>> {
        self.rows(&format!("SELECT {RUN} FROM run ORDER BY key"), [], run_row)
    }

    /// The latest run with this seed, configuration and version: the one to resume.
    pub fn find_run(&self, seed: u64, config: &str, version: &str) -> Result<Option<RunRecord>> {
        let sql = format!(
            "SELECT {RUN} FROM run WHERE seed = ?1 AND config = ?2 AND version = ?3 \
             ORDER BY repeat DESC LIMIT 1"
        );
        Ok(self.rows(&sql, params![seed.cast_signed(), config, version], run_row)?.pop())
    }

    /// The generations of a run in figures.
    pub fn generations(&self, run: RunNumber) -> Result<Vec<GenerationRecord>> {
        self.generations_from(run, 0)
    }

    /// The generations of a run from this one on: what a run brought since someone looked.
    pub fn generations_from(&self, run: RunNumber, first: u64) -> Result<Vec<GenerationRecord>> {
        let read = |row: &Row<'_>| {
            Ok(GenerationRecord {
                run,
                number: count(row, 0)?,
                evaluations: count(row, 1)?,
                new_programs: count(row, 2)?,
                solved: count(row, 3)?,
                stats: row.get(4)?,
                finished: row.get(5)?,
                memory: row.get::<_, Option<i64>>(6)?.map(i64::cast_unsigned),
            })
        };
        self.rows(
            "SELECT number, evaluations, new_programs, solved, stats, finished, memory FROM generation \
             WHERE run = ?1 AND number >= ?2 ORDER BY number",
            params![run.0, first.cast_signed()],
            read,
        )
    }

    /// How the operators of a run did until its last generation.
    pub fn operators(&self, run: RunNumber) -> Result<Vec<OperatorRecord>> {
        let read = |row: &Row<'_>| {
            Ok(OperatorRecord {
                operator: row.get(0)?,
                applied: count(row, 1)?,
                valid: count(row, 2)?,
                new: count(row, 3)?,
                improving: count(row, 4)?,
            })
        };
        self.rows(
            "SELECT operator, applied, valid, new, improving FROM operator WHERE run = ?1 \
             AND generation = (SELECT max(generation) FROM operator WHERE run = ?1) \
             ORDER BY operator",
            [run.0],
            read,
        )
    }

    /// How the operators of a run did until each of its generations, by generation and name; of more
    /// than `most` generations an even choice with the last.
    pub fn operator_history(
        &self,
        run: RunNumber,
        most: usize,
    ) -> Result<Vec<(u64, OperatorRecord)>> {
        let read = |row: &Row<'_>| {
            let record = OperatorRecord {
                operator: row.get(1)?,
                applied: count(row, 2)?,
                valid: count(row, 3)?,
                new: count(row, 4)?,
                improving: count(row, 5)?,
            };
            Ok((count(row, 0)?, record))
        };
        self.rows(
            "WITH many (count) AS (SELECT generations FROM run WHERE key = ?1) \
             SELECT generation, operator, applied, valid, new, improving FROM operator, many \
             WHERE run = ?1 AND (generation % ((count + ?2 - 1) / ?2) = 0 OR generation = count - 1) \
             ORDER BY generation, operator",
            params![run.0, most.clamp(1, 1 << 40) as i64],
            read,
        )
    }

    /// The populations of a run as its last generation left them, by task and island.
    pub fn populations(&self, run: RunNumber) -> Result<Vec<PopulationRecord>> {
        let read = |row: &Row<'_>| {
            let members = Vec::new();
            let (task, island) = (TaskId(row.get(0)?), row.get(1)?);
            Ok(PopulationRecord { task, island, members, state: row.get(2)? })
        };
        let mut populations = self.rows(
            "SELECT task.id, island.island, island.state FROM island \
             JOIN task ON task.key = island.task WHERE run = ?1 ORDER BY task.name, task.id, island",
            [run.0],
            read,
        )?;
        let mut members: BTreeMap<(TaskId, u32), Vec<ProgramId>> = BTreeMap::new();
        let member =
            |row: &Row<'_>| Ok(((TaskId(row.get(0)?), row.get::<_, u32>(1)?), program_id(row, 2)?));
        let rows = self.rows(
            "SELECT task.id, population.island, program.id FROM population \
             JOIN task ON task.key = population.task \
             JOIN program ON program.key = population.program WHERE population.run = ?1 \
             ORDER BY population.task, population.island, population.rank",
            [run.0],
            member,
        )?;
        for (place, program) in rows {
            members.entry(place).or_default().push(program);
        }
        for population in &mut populations {
            let place = (population.task, population.island);
            population.members = members.remove(&place).unwrap_or_default();
        }
        Ok(populations)
    }

    /// What was last handed in, by the names of the tasks.
    pub fn standings(&self) -> Result<Vec<StandingRecord>> {
        let read = |row: &Row<'_>| {
            let program: Option<[u8; 32]> = row.get(5)?;
            Ok(StandingRecord {
                task: TaskId(row.get(0)?),
                demos: row.get(1)?,
                fits: row.get(2)?,
                similarity: row.get(3)?,
                origin: row.get(4)?,
                program: program.map(ProgramId),
                attempts: Vec::new(),
            })
        };
        let mut standings = self.rows(
            "SELECT task.id, demos, fits, similarity, origin, program FROM standing \
             JOIN task ON task.key = standing.task ORDER BY task.name, task.id",
            [],
            read,
        )?;
        let attempt = |row: &Row<'_>| {
            Ok((TaskId(row.get(0)?), row.get::<_, u32>(1)? as usize, row.get::<_, String>(2)?))
        };
        let attempts = self.rows(
            "SELECT task.id, test, grid FROM attempt JOIN task ON task.key = attempt.task \
             ORDER BY attempt.task, test, rank",
            [],
            attempt,
        )?;
        let mut by_task: BTreeMap<TaskId, Vec<Vec<String>>> = BTreeMap::new();
        for (task, test, grid) in attempts {
            let tests = by_task.entry(task).or_default();
            tests.resize_with(tests.len().max(test.min(MOST_TESTS) + 1), Vec::new);
            if let Some(grids) = tests.get_mut(test) {
                grids.push(grid);
            }
        }
        for standing in &mut standings {
            standing.attempts = by_task.remove(&standing.task).unwrap_or_default();
        }
        Ok(standings)
    }

    /// A cached value.
    pub fn cached(&self, key: &[u8]) -> Result<Option<CacheRecord>> {
        let read = |row: &Row<'_>| {
            let (value, seconds) = (row.get(0)?, row.get(1)?);
            Ok(CacheRecord { key: key.to_vec(), value, seconds, hits: count(row, 2)? })
        };
        let sql = "SELECT value, seconds, hits FROM cache WHERE id = ?1";
        self.gauge.reset();
        let find = || self.connection.prepare_cached(sql)?.query_row([key], read).optional();
        find().map_err(fault(self.path(), "reading"))
    }

    /// Cached values that are text, such as what `solve` found on a task, and no longer than `most` bytes.
    pub fn cached_texts(&self, most: usize) -> Result<Vec<Vec<u8>>> {
        let sql = "SELECT value FROM cache WHERE substr(value, 1, 1) = x'7b' AND length(value) <= ?1 \
                   ORDER BY rowid";
        self.rows(sql, [most as i64], |row| row.get(0))
    }

    /// The size of everything.
    pub fn counts(&self) -> Result<ArchiveCounts> {
        // Not `count(*)`, which is one step however long it takes, so that nothing could end it.
        let rows = TABLES.iter().map(|&table| {
            Ok((table, self.one(&format!("SELECT coalesce(sum(1), 0) FROM {table}"), [])?))
        });
        let reason = |row: &Row<'_>| Ok((row.get(0)?, count(row, 1)?));
        Ok(ArchiveCounts {
            rows: rows.collect::<Result<_>>()?,
            evolved: self.one("SELECT count(*) FROM program WHERE source = 'evolved'", [])?,
            searched: self.one(
                "SELECT count(*) FROM program WHERE source IN ('search', 'terms', 'transfer')",
                [],
            )?,
            behaviours: self
                .one("SELECT count(DISTINCT task || hex(behaviour)) FROM result", [])?,
            text_bytes: self.one("SELECT coalesce(sum(length(text)), 0) FROM program", [])?,
            pruned: self.rows("SELECT reason, count FROM pruned ORDER BY reason", [], reason)?,
        })
    }
}
