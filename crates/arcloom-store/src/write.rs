//! Runs, and everything of one generation in one transaction.

use std::path::Path;

use arcloom_lang::ProgramId;
use arcloom_tasks::TaskId;
use arcloom_value::FixedMap;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::archive::Archive;
use crate::error::{Result, StoreError, fault};
use crate::prune;
use crate::record::{
    CacheRecord, GenerationBatch, NewRun, PopulationRecord, Records, RunNumber, RunState,
    RunTaskRecord, StandingRecord,
};

/// How many rows were new.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AddedRecords {
    /// Programs.
    pub programs: usize,
    /// Tasks.
    pub tasks: usize,
    /// Results.
    pub results: usize,
    /// Scores.
    pub scores: usize,
    /// Predictions.
    pub predictions: usize,
}

impl Archive {
    /// Notes that a run begins.
    pub fn begin_run(&mut self, run: &NewRun) -> Result<RunNumber> {
        let path = self.path().to_path_buf();
        let fault = fault(&path, "beginning a run");
        let step = self.begin()?;
        let repeat: i64 = step
            .query_row(
                "SELECT count(*) FROM run WHERE seed = ?1 AND config = ?2 AND version = ?3",
                params![run.seed.cast_signed(), run.config, run.version],
                |row| row.get(0),
            )
            .map_err(&fault)?;
        step.execute(
            "INSERT INTO run (id, repeat, seed, config, version, started, kind, about, process) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                run_id(run, repeat.cast_unsigned()),
                repeat,
                run.seed.cast_signed(),
                run.config,
                run.version,
                run.started,
                run.kind.name(),
                if run.about.is_empty() { "{}" } else { &run.about },
                std::process::id()
            ],
        )
        .map_err(&fault)?;
        let number = RunNumber(step.last_insert_rowid());
        step.commit().map_err(&fault)?;
        self.still_there()?;
        Ok(number)
    }

    /// Notes how far a run is, apart from a generation.
    pub fn set_run_state(&mut self, run: RunNumber, state: RunState) -> Result<()> {
        let path = self.path().to_path_buf();
        let fault = fault(&path, "writing a run");
        let step = self.begin()?;
        let (state, ended) = state.columns();
        let sql = "UPDATE run SET state = ?2, ended = ?3 WHERE key = ?1";
        step.execute(sql, params![run.0, state, ended]).map_err(&fault)?;
        step.commit().map_err(&fault)?;
        self.still_there()
    }

    /// Notes that this process goes on with a run.
    pub fn resume_run(&mut self, run: RunNumber) -> Result<()> {
        let path = self.path().to_path_buf();
        let fault = fault(&path, "writing a run");
        let step = self.begin()?;
        let sql = "UPDATE run SET ended = NULL, process = ?2 WHERE key = ?1";
        step.execute(sql, params![run.0, std::process::id()]).map_err(&fault)?;
        step.commit().map_err(&fault)?;
        self.still_there()
    }

    /// Drops computed values that nobody has used for so many seconds, and gives the space back.
    pub fn forget(&mut self, unused_for: u64) -> Result<u64> {
        let path = self.path().to_path_buf();
        let fault = fault(&path, "dropping computed values");
        let step = self.begin()?;
        let sql = "DELETE FROM cache WHERE used <= unixepoch() - ?1";
        let gone = step.execute(sql, [unused_for.min(i64::MAX as u64).cast_signed()]);
        let gone = gone.map_err(&fault)?;
        step.commit().map_err(&fault)?;
        self.still_there()?;
        if gone > 0 {
            self.compact()?;
        }
        Ok(gone as u64)
    }

    /// Keeps computed values, and counts that others, by key, were used again.
    pub fn remember(&mut self, values: &[CacheRecord], used: &[Vec<u8>]) -> Result<()> {
        let path = self.path().to_path_buf();
        let step = self.begin()?;
        let writer = Writer::new(&step, &path);
        for value in values {
            writer.run(
                "INSERT INTO cache (id, value, seconds, hits, used) \
                 VALUES (?1, ?2, ?3, ?4, unixepoch()) ON CONFLICT (id) DO NOTHING",
                params![value.key, value.value, value.seconds, value.hits.cast_signed()],
            )?;
        }
        for key in used {
            writer.run(
                "UPDATE cache SET hits = hits + 1, used = unixepoch() WHERE id = ?1",
                params![key],
            )?;
        }
        drop(writer);
        step.commit().map_err(fault(&path, "storing computed values"))?;
        self.still_there()
    }

    /// Adds what is known about programs, in one transaction.
    pub fn add(&mut self, records: &Records) -> Result<AddedRecords> {
        let path = self.path().to_path_buf();
        let step = self.begin()?;
        let mut writer = Writer::new(&step, &path);
        writer.records(records)?;
        let added = writer.added;
        drop(writer);
        step.commit().map_err(fault(&path, "storing programs"))?;
        self.still_there()?;
        Ok(added)
    }

    /// Stores a generation: all of it or, on any error, nothing.
    pub fn commit(&mut self, batch: &GenerationBatch) -> Result<AddedRecords> {
        let path = self.path().to_path_buf();
        let step = self.begin()?;
        let mut writer = Writer::new(&step, &path);
        writer.generation(batch)?;
        let added = writer.added;
        drop(writer);
        if let Some(order) = &batch.prune {
            prune::prune_to(&step, &path, order)?;
        }
        step.commit().map_err(fault(&path, "storing a generation"))?;
        self.still_there()?;
        if batch.prune.is_some() {
            self.compact()?;
        }
        Ok(added)
    }
}

/// For each test a list of grids, as JSON.
fn attempts_text(attempts: &[Vec<String>]) -> String {
    let tests: Vec<String> =
        attempts.iter().map(|grids| format!("[{}]", grids.join(", "))).collect();
    format!("[{}]", tests.join(", "))
}

/// A run's identity in all archives.
pub(crate) fn run_id(run: &NewRun, repeat: u64) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"arcloom run 1\0").update(&run.seed.to_le_bytes());
    for text in [&run.config, &run.version] {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    hasher.update(&repeat.to_le_bytes());
    *hasher.finalize().as_bytes()
}

/// Writes records within one transaction and remembers the rows they refer to.
struct Writer<'t> {
    step: &'t Transaction<'t>,
    path: &'t Path,
    programs: FixedMap<ProgramId, i64>,
    tasks: FixedMap<TaskId, i64>,
    differs: FixedMap<String, i64>,
    added: AddedRecords,
}

const INSERT_PROGRAM: &str = "\
    INSERT INTO program (id, name, text, size, cost, run, generation, operator, source, added) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO NOTHING";
const INSERT_RESULT: &str = "\
    INSERT INTO result (task, program, demos, solved, pairs, similarity, work, behaviour, validated) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (task, program) DO NOTHING";
/// Validation comes after the search that made the result, so it may be filled in later.
const VALIDATE: &str = "UPDATE result SET validated = ?3 WHERE task = ?1 AND program = ?2";

impl<'t> Writer<'t> {
    fn new(step: &'t Transaction<'t>, path: &'t Path) -> Writer<'t> {
        Writer {
            step,
            path,
            programs: FixedMap::default(),
            tasks: FixedMap::default(),
            differs: FixedMap::default(),
            added: AddedRecords::default(),
        }
    }

    fn run(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize> {
        let run = || self.step.prepare_cached(sql)?.execute(params);
        run().map_err(fault(self.path, "writing"))
    }

    fn key(&self, sql: &str, by: impl rusqlite::ToSql) -> Result<Option<i64>> {
        let find =
            || self.step.prepare_cached(sql)?.query_row(params![by], |row| row.get(0)).optional();
        find().map_err(fault(self.path, "reading"))
    }

    fn unknown(&self, what: &'static str, name: String) -> StoreError {
        let advice = "; store it before what refers to it";
        StoreError::Unknown { path: self.path.to_path_buf(), what, name, advice }
    }

    fn program(&mut self, id: ProgramId) -> Result<i64> {
        if let Some(&key) = self.programs.get(&id) {
            return Ok(key);
        }
        let key = self
            .key("SELECT key FROM program WHERE id = ?1", id.0)?
            .ok_or_else(|| self.unknown("program", id.to_string()))?;
        self.programs.insert(id, key);
        Ok(key)
    }

    fn task(&mut self, id: TaskId) -> Result<i64> {
        if let Some(&key) = self.tasks.get(&id) {
            return Ok(key);
        }
        let key = self
            .key("SELECT key FROM task WHERE id = ?1", id.0)?
            .ok_or_else(|| self.unknown("task", id.to_string()))?;
        self.tasks.insert(id, key);
        Ok(key)
    }

    fn differ(&mut self, name: &str) -> Result<i64> {
        if let Some(&key) = self.differs.get(name) {
            return Ok(key);
        }
        self.run("INSERT OR IGNORE INTO differ (name) VALUES (?1)", [name])?;
        let key = self
            .key("SELECT key FROM differ WHERE name = ?1", name)?
            .ok_or_else(|| self.unknown("differ", name.to_owned()))?;
        self.differs.insert(name.to_owned(), key);
        Ok(key)
    }

    fn records(&mut self, records: &Records) -> Result<()> {
        let mut new = Vec::new();
        for program in &records.programs {
            let row = params![
                program.id.0,
                program.name,
                program.text,
                program.size.cast_signed(),
                program.cost.cast_signed(),
                program.run.map(|run| run.0),
                program.generation.map(u64::cast_signed),
                program.operator,
                program.source,
                program.added
            ];
            if self.run(INSERT_PROGRAM, row)? == 1 {
                self.programs.insert(program.id, self.step.last_insert_rowid());
                new.push(program);
            }
        }
        self.added.programs += new.len();
        // After all of them: a parent may come later in the list than its child.
        for program in new {
            let child = self.program(program.id)?;
            for (place, &parent) in program.parents.iter().enumerate() {
                let parent = self.program(parent)?;
                let sql = "INSERT INTO parent (child, place, parent) VALUES (?1, ?2, ?3)";
                self.run(sql, params![child, place as i64, parent])?;
            }
        }
        for task in &records.tasks {
            let sql = "INSERT INTO task (id, name, task_set) VALUES (?1, ?2, ?3) \
                       ON CONFLICT (id) DO NOTHING";
            self.added.tasks += self.run(sql, params![task.id.0, task.name, task.set])?;
        }
        for result in &records.results {
            let (task, program) = (self.task(result.task)?, self.program(result.program)?);
            let row = params![
                task,
                program,
                result.demos() as i64,
                result.solved() as i64,
                result.pairs,
                result.similarity,
                result.work.cast_signed(),
                result.behaviour.0,
                result.validated
            ];
            let new = self.run(INSERT_RESULT, row)?;
            self.added.results += new;
            if new == 0 && result.validated.is_some() {
                self.run(VALIDATE, params![task, program, result.validated])?;
            }
        }
        for score in &records.scores {
            let (task, program) = (self.task(score.task)?, self.program(score.program)?);
            let differ = self.differ(&score.differ)?;
            let sql = "INSERT INTO score (task, program, differ, score) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (task, program, differ) DO NOTHING";
            self.added.scores += self.run(sql, params![task, program, differ, score.score])?;
        }
        for prediction in &records.predictions {
            let (task, program) = (self.task(prediction.task)?, self.program(prediction.program)?);
            let sql = "INSERT INTO prediction (task, program, test, grid) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (task, program, test) DO NOTHING";
            let row = params![task, program, prediction.test, prediction.grid];
            self.added.predictions += self.run(sql, row)?;
        }
        records.standings.iter().try_for_each(|standing| self.standing(standing))?;
        records.run_tasks.iter().try_for_each(|row| self.run_task(row))
    }

    /// What a run hands in for a task, in the place of what it did before.
    fn run_task(&mut self, row: &RunTaskRecord) -> Result<()> {
        let RunTaskRecord { run, standing, proposals, seconds } = row;
        let task = self.task(standing.task)?;
        self.run(
            "INSERT INTO run_task \
             (run, task, demos, fits, similarity, origin, program, attempts, proposals, seconds) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (run, task) DO UPDATE SET \
             demos = excluded.demos, fits = excluded.fits, similarity = excluded.similarity, \
             origin = excluded.origin, program = excluded.program, attempts = excluded.attempts, \
             proposals = excluded.proposals, seconds = coalesce(excluded.seconds, seconds)",
            params![
                run.0,
                task,
                standing.demos,
                standing.fits,
                standing.similarity,
                standing.origin,
                standing.program.map(|id| id.0),
                attempts_text(&standing.attempts),
                proposals,
                seconds
            ],
        )
        .map(drop)
    }

    /// Puts what is handed in for a task in the place of what was before.
    fn standing(&mut self, standing: &StandingRecord) -> Result<()> {
        let task = self.task(standing.task)?;
        self.run("DELETE FROM attempt WHERE task = ?1", [task])?;
        self.run(
            "INSERT INTO standing (task, demos, fits, similarity, origin, program) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (task) DO UPDATE SET \
             demos = excluded.demos, fits = excluded.fits, similarity = excluded.similarity, \
             origin = excluded.origin, program = excluded.program",
            params![
                task,
                standing.demos,
                standing.fits,
                standing.similarity,
                standing.origin,
                standing.program.map(|id| id.0)
            ],
        )?;
        for (test, grids) in standing.attempts.iter().enumerate() {
            for (n, grid) in grids.iter().enumerate() {
                self.run(
                    "INSERT INTO attempt (task, test, rank, grid) VALUES (?1, ?2, ?3, ?4)",
                    params![task, test as i64, n as i64 + 1, grid],
                )?;
            }
        }
        Ok(())
    }

    fn generation(&mut self, batch: &GenerationBatch) -> Result<()> {
        let figures = &batch.figures;
        let run = figures.run;
        let next = self
            .key("SELECT generations FROM run WHERE key = ?1", run.0)?
            .ok_or_else(|| self.unknown("run", run.0.to_string()))?
            .cast_unsigned();
        if figures.number != next {
            let (path, given) = (self.path.to_path_buf(), figures.number);
            return Err(StoreError::Order { path, run: run.0, given, next });
        }
        self.records(&batch.records)?;
        for standing in &batch.records.standings {
            let (standing, proposals) = (standing.clone(), "[]".to_owned());
            self.run_task(&RunTaskRecord { run, standing, proposals, seconds: None })?;
        }
        let number = figures.number.cast_signed();
        self.run(
            "INSERT INTO generation \
             (run, number, evaluations, new_programs, solved, stats, finished, memory) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                run.0,
                number,
                figures.evaluations.cast_signed(),
                figures.new_programs.cast_signed(),
                figures.solved.cast_signed(),
                figures.stats,
                figures.finished,
                figures.memory.map(u64::cast_signed)
            ],
        )?;
        for operator in &batch.operators {
            self.run(
                "INSERT INTO operator (run, generation, operator, applied, valid, new, improving) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    run.0,
                    number,
                    operator.operator,
                    operator.applied.cast_signed(),
                    operator.valid.cast_signed(),
                    operator.new.cast_signed(),
                    operator.improving.cast_signed()
                ],
            )?;
        }
        for population in &batch.populations {
            self.population(run, population)?;
        }
        self.run(
            "UPDATE run SET generations = ?2, checkpoint = ?3, state = ?4, ended = ?5 WHERE key = ?1",
            params![run.0, number + 1, batch.checkpoint, batch.state.columns().0, batch.state.columns().1],
        )?;
        Ok(())
    }

    fn population(&mut self, run: RunNumber, population: &PopulationRecord) -> Result<()> {
        let (task, island) = (self.task(population.task)?, population.island);
        let place = params![run.0, task, island];
        self.run("DELETE FROM population WHERE run = ?1 AND task = ?2 AND island = ?3", place)?;
        self.run(
            "INSERT INTO island (run, task, island, state) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (run, task, island) DO UPDATE SET state = excluded.state",
            params![run.0, task, island, population.state],
        )?;
        for (rank, &member) in population.members.iter().enumerate() {
            let program = self.program(member)?;
            self.run(
                "INSERT INTO population (run, task, island, rank, program) \
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![run.0, task, island, rank as i64, program],
            )?;
        }
        Ok(())
    }
}
