//! The union of two archives, by content ids.
//!
//! Of what both have, the archive's own counts. A run that both have is one run that was stopped at
//! two moments: the longer one counts, its populations included. Merging the same archive again
//! changes nothing. How much the other one was pruned is its own history and stays there.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::archive::{Access, Archive};
use crate::error::{Result, StoreError, fault};
use crate::place;
use crate::write::AddedRecords;

/// What came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Rows about programs.
    pub added: AddedRecords,
    /// Runs that were not there.
    pub runs: usize,
    /// Generations that were not there.
    pub generations: usize,
    /// Results that both have and that say something else: other budgets, or a bug.
    pub conflicts: usize,
}

impl Archive {
    /// Writes a whole copy to a file that is not there yet, as the archive stands between two
    /// generations; a writer goes on meanwhile.
    pub fn copy_to(&self, path: &Path) -> Result<()> {
        let name = std::path::absolute(path).map_err(|_| StoreError::NotArchive {
            path: path.into(),
            reason: "the path is empty",
        })?;
        self.gauge.reset();
        let copied = self.connection.execute("VACUUM INTO ?1", [place::address(&name, "")]);
        copied.map(drop).map_err(fault(self.path(), "copying"))
    }

    /// Takes over what the other archive has and this one has not, in one transaction.
    pub fn merge(&mut self, other: &Path) -> Result<Merged> {
        let path = self.path().to_path_buf();
        if place::same(self.file(), other) {
            return Err(StoreError::Itself { path: other.to_path_buf() });
        }
        // Says what is wrong with it, and brings it up to date. Kept open, so that the journal is.
        let guard = Archive::create_or_open(other, Access::Read)?;
        if self.access() == Access::Read {
            return Err(StoreError::Access { path });
        }
        // A writer may take as long as it likes, and a damaged file leads in circles.
        if let Some(detail) = guard.integrity()?.into_iter().next() {
            return Err(StoreError::Damaged { path: other.to_path_buf(), detail });
        }
        let attach = fault(other, "opening the other archive");
        self.connection
            .execute("ATTACH DATABASE ?1 AS other", [guard.address()])
            .map_err(attach)?;
        let merged = self.begin().and_then(|step| {
            let merged = union(&step).map_err(fault(&path, "merging"))?;
            step.commit().map_err(fault(&path, "merging"))?;
            Ok(merged)
        });
        let detach = self.connection.execute("DETACH DATABASE other", []);
        drop(guard);
        let merged = merged?;
        self.still_there()?;
        detach.map_err(fault(other, "closing the other archive"))?;
        Ok(merged)
    }
}

/// Which of our rows each of theirs is.
const MAPS: &str = "
DROP TABLE IF EXISTS temp.further;
DROP TABLE IF EXISTS temp.run_map;
DROP TABLE IF EXISTS temp.program_map;
DROP TABLE IF EXISTS temp.task_map;
DROP TABLE IF EXISTS temp.differ_map;
DROP TABLE IF EXISTS temp.fresh;
DROP TABLE IF EXISTS temp.advance;
DROP TABLE IF EXISTS temp.standing_fresh;
";

fn union(step: &Connection) -> rusqlite::Result<Merged> {
    let run = |sql: &str| step.execute(sql, params![]);
    let mut merged = Merged::default();
    step.execute_batch(MAPS)?;
    // Before the runs that are new here come in, which are no runs of both.
    step.execute_batch(
        "CREATE TEMP TABLE further AS SELECT mine.key FROM other.run AS theirs
         JOIN main.run AS mine USING (id) WHERE theirs.generations > mine.generations",
    )?;

    merged.runs = run("
        INSERT INTO main.run
            (id, repeat, seed, config, version, started, state, kind, about, ended, process)
        SELECT id, repeat, seed, config, version, started, state, kind, about, ended, process
        FROM other.run
        WHERE id NOT IN (SELECT id FROM main.run) ORDER BY key")?;
    step.execute_batch(
        "CREATE TEMP TABLE run_map AS SELECT theirs.key AS theirs, mine.key AS mine
         FROM other.run AS theirs JOIN main.run AS mine USING (id);
         CREATE TEMP TABLE advance AS SELECT theirs.key AS theirs, mine.key AS mine
         FROM other.run AS theirs JOIN main.run AS mine USING (id)
         WHERE theirs.generations > mine.generations;
         CREATE TEMP TABLE fresh AS SELECT key FROM other.program
         WHERE id NOT IN (SELECT id FROM main.program);",
    )?;
    merged.added.programs = run("
        INSERT INTO main.program
            (id, name, text, size, cost, run, generation, operator, source, added)
        SELECT id, name, text, size, cost, run_map.mine, generation, operator, source, added
        FROM other.program LEFT JOIN run_map ON run_map.theirs = program.run
        WHERE program.key IN (SELECT key FROM fresh) ORDER BY program.key")?;
    merged.added.tasks = run("
        INSERT INTO main.task (id, name, task_set) SELECT id, name, task_set FROM other.task
        WHERE id NOT IN (SELECT id FROM main.task) ORDER BY key")?;
    run("INSERT INTO main.differ (name) SELECT name FROM other.differ
         WHERE name NOT IN (SELECT name FROM main.differ) ORDER BY key")?;
    step.execute_batch(
        "CREATE TEMP TABLE program_map (theirs INTEGER PRIMARY KEY, mine INTEGER);
         INSERT INTO program_map SELECT theirs.key, mine.key
         FROM other.program AS theirs JOIN main.program AS mine USING (id);
         CREATE TEMP TABLE task_map (theirs INTEGER PRIMARY KEY, mine INTEGER);
         INSERT INTO task_map SELECT theirs.key, mine.key
         FROM other.task AS theirs JOIN main.task AS mine USING (id);
         CREATE TEMP TABLE differ_map (theirs INTEGER PRIMARY KEY, mine INTEGER);
         INSERT INTO differ_map SELECT theirs.key, mine.key
         FROM other.differ AS theirs JOIN main.differ AS mine USING (name);",
    )?;
    // Parents of programs that were there already stay what they are, so that no circle can come up.
    run("INSERT INTO main.parent (child, place, parent)
         SELECT c.mine, place, p.mine FROM other.parent
         JOIN program_map AS c ON c.theirs = parent.child
         JOIN program_map AS p ON p.theirs = parent.parent
         WHERE parent.child IN (SELECT key FROM fresh)")?;

    let conflicts = "
        SELECT count(*) FROM other.result AS r
        JOIN task_map AS t ON t.theirs = r.task JOIN program_map AS p ON p.theirs = r.program
        JOIN main.result AS own ON own.task = t.mine AND own.program = p.mine
        WHERE own.behaviour <> r.behaviour OR own.solved <> r.solved";
    let conflicts: i64 = step.query_row(conflicts, [], |row| row.get(0))?;
    merged.conflicts = conflicts as usize;
    merged.added.results = run("
        INSERT OR IGNORE INTO main.result
            (task, program, demos, solved, pairs, similarity, work, behaviour, validated)
        SELECT t.mine, p.mine, demos, solved, pairs, similarity, work, behaviour, validated
        FROM other.result AS r
        JOIN task_map AS t ON t.theirs = r.task JOIN program_map AS p ON p.theirs = r.program")?;
    run("UPDATE main.result SET validated = theirs.validated
         FROM (SELECT t.mine AS task, p.mine AS program, r.validated FROM other.result AS r
               JOIN task_map AS t ON t.theirs = r.task
               JOIN program_map AS p ON p.theirs = r.program) AS theirs
         WHERE result.validated IS NULL AND theirs.validated IS NOT NULL
         AND theirs.task = result.task AND theirs.program = result.program")?;
    merged.added.scores = run("
        INSERT OR IGNORE INTO main.score (task, program, differ, score)
        SELECT t.mine, p.mine, d.mine, score FROM other.score AS s
        JOIN task_map AS t ON t.theirs = s.task JOIN program_map AS p ON p.theirs = s.program
        JOIN differ_map AS d ON d.theirs = s.differ")?;
    merged.added.predictions = run("
        INSERT OR IGNORE INTO main.prediction (task, program, test, grid)
        SELECT t.mine, p.mine, test, grid FROM other.prediction AS x
        JOIN task_map AS t ON t.theirs = x.task JOIN program_map AS p ON p.theirs = x.program")?;

    // What this archive hands in stays, unless the other one went further in a run of both.
    run("DELETE FROM main.standing WHERE EXISTS (SELECT 1 FROM further)
         AND task IN (SELECT t.mine FROM other.standing AS s
                      JOIN task_map AS t ON t.theirs = s.task)")?;
    step.execute_batch(
        "CREATE TEMP TABLE standing_fresh (task INTEGER PRIMARY KEY);
         INSERT INTO standing_fresh SELECT t.theirs FROM task_map AS t
         WHERE t.mine NOT IN (SELECT task FROM main.standing);",
    )?;
    run("INSERT INTO main.standing (task, demos, fits, similarity, origin, program)
         SELECT t.mine, demos, fits, similarity, origin, program FROM other.standing AS s
         JOIN standing_fresh AS f ON f.task = s.task JOIN task_map AS t ON t.theirs = s.task")?;
    run("INSERT INTO main.attempt (task, test, rank, grid)
         SELECT t.mine, test, rank, grid FROM other.attempt AS a
         JOIN standing_fresh AS f ON f.task = a.task JOIN task_map AS t ON t.theirs = a.task")?;

    // Runs of both have the tasks of both; of a task that both have, those of the run that went further.
    run("DELETE FROM main.run_task WHERE run IN (SELECT mine FROM advance)")?;
    run("INSERT OR IGNORE INTO main.run_task
             (run, task, demos, fits, similarity, origin, program, attempts, proposals, seconds)
         SELECT r.mine, t.mine, demos, fits, similarity, origin, program, attempts, proposals, seconds
         FROM other.run_task AS x
         JOIN run_map AS r ON r.theirs = x.run JOIN task_map AS t ON t.theirs = x.task")?;
    run("UPDATE main.run SET state = theirs.state, ended = theirs.ended
         FROM other.run AS theirs JOIN run_map AS r ON r.theirs = theirs.key
         WHERE run.key = r.mine AND run.kind = 'solve' AND theirs.state = 'finished'")?;

    merged.generations = run("
        INSERT OR IGNORE INTO main.generation
            (run, number, evaluations, new_programs, solved, stats, finished, memory)
        SELECT a.mine, number, evaluations, new_programs, solved, stats, finished, memory
        FROM other.generation JOIN advance AS a ON a.theirs = generation.run")?;
    run("INSERT OR IGNORE INTO main.operator
             (run, generation, operator, applied, valid, new, improving)
         SELECT a.mine, generation, operator, applied, valid, new, improving
         FROM other.operator JOIN advance AS a ON a.theirs = operator.run")?;
    run("DELETE FROM main.island WHERE run IN (SELECT mine FROM advance)")?;
    run("INSERT INTO main.island (run, task, island, state)
         SELECT a.mine, t.mine, island, state FROM other.island
         JOIN advance AS a ON a.theirs = island.run JOIN task_map AS t ON t.theirs = island.task")?;
    run("INSERT INTO main.population (run, task, island, rank, program)
         SELECT a.mine, t.mine, island, rank, p.mine FROM other.population AS x
         JOIN advance AS a ON a.theirs = x.run JOIN task_map AS t ON t.theirs = x.task
         JOIN program_map AS p ON p.theirs = x.program")?;
    run("UPDATE main.run SET generations = r.generations, state = r.state, ended = r.ended,
             checkpoint = r.checkpoint
         FROM other.run AS r JOIN advance AS a ON a.theirs = r.key WHERE run.key = a.mine")?;
    // What `solve` remembers is run before it is believed; columns are not, and a run of one's own
    // computes them again.
    run("INSERT OR IGNORE INTO main.cache (id, value, seconds, hits, used)
         SELECT id, value, seconds, hits, used FROM other.cache
         WHERE substr(value, 1, 1) = x'7b' ORDER BY rowid")?;
    step.execute_batch(MAPS)?;
    Ok(merged)
}
