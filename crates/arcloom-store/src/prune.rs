//! Bounded growth: of each task the best programs and the most different ones stay.
//!
//! Best is by demo pairs solved, similarity, size and id. Most different is by what is known of the
//! behaviour: the outcome of each pair, the similarity and the scores of the differs make a point,
//! and the points farthest from everything kept so far are taken one after the other; of programs
//! that behave the same only the best can be taken. Everything depends on the content alone, so equal
//! archives are pruned alike.
//!
//! Always kept are populations, which a run needs to go on, programs from files that were never run,
//! and, as text without results, everything that a kept program was made from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::{Connection, params};

use crate::archive::Archive;
use crate::error::{Result, fault};
use crate::read::BEST;

/// How much to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PruneOptions {
    /// Best programs per task.
    pub best: usize,
    /// Most different programs per task, besides these.
    pub different: usize,
    /// Keep what kept programs were made from.
    pub lineage: bool,
    /// Keep the populations of finished runs. Those of the others are always kept.
    pub finished_populations: bool,
    /// Keep cached values.
    pub cache: bool,
    /// Keep the operators' figures of every generation, not of the last one alone.
    pub history: bool,
}

impl Default for PruneOptions {
    fn default() -> PruneOptions {
        PruneOptions {
            best: 50,
            different: 50,
            lineage: true,
            finished_populations: true,
            cache: true,
            history: true,
        }
    }
}

/// What went, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Rows by reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Programs that are left.
    pub programs_left: u64,
    /// Results that are left.
    pub results_left: u64,
    /// Bytes on disk before and after.
    pub bytes: (u64, u64),
}

const OUTRANKED: &str = "result: others are better or more different";
const SAME: &str = "result: behaves as a better one";
const NOT_KEPT: &str = "program: no result of it was kept";
const NO_RESULT: &str = "program: never had a result";
const POPULATION: &str = "population of a finished run: over size";
const HISTORY: &str = "operators' figures of an earlier generation: over size";
const CACHE: &str = "cached value: over size";

/// An order to prune.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prune {
    /// How much to keep.
    pub options: PruneOptions,
    /// Size in bytes to stay below, by keeping less. The journal beside the file does not count.
    pub limit: Option<u64>,
}

/// Below the limit by this many percent, so that the next generations fit as well.
const ROOM: u64 = 20;

impl PruneOptions {
    /// Keeps less; false when the rest is needed: one program per task and the populations of runs
    /// that go on.
    fn harden(&mut self) -> bool {
        if self.cache {
            self.cache = false;
        } else if self.history {
            self.history = false;
        } else if self.best > 1 || self.different > 0 {
            self.best = (self.best / 2).max(1);
            self.different /= 2;
        } else if self.finished_populations {
            self.finished_populations = false;
        } else if self.lineage {
            self.lineage = false;
        } else {
            return false;
        }
        true
    }
}

impl Pruned {
    fn add(&mut self, more: Pruned) {
        for (reason, count) in more.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        (self.programs_left, self.results_left) = (more.programs_left, more.results_left);
    }
}

impl Archive {
    /// Prunes. With `max_bytes` it goes on, harder each time, until the file is no larger: first
    /// cached values and the operators' figures of earlier generations go, then fewer programs per task
    /// are kept, then the populations of finished runs and the lineage go.
    pub fn prune(&mut self, options: &PruneOptions, max_bytes: Option<u64>) -> Result<Pruned> {
        let before = self.bytes();
        let mut options = *options;
        let mut pruned = self.prune_once(&options)?;
        while max_bytes.is_some_and(|most| self.bytes() > most) && options.harden() {
            pruned.add(self.prune_once(&options)?);
        }
        pruned.bytes = (before, self.bytes());
        Ok(pruned)
    }

    fn prune_once(&mut self, options: &PruneOptions) -> Result<Pruned> {
        let path = self.path().to_path_buf();
        let step = self.begin()?;
        let pruned = prune(&step, &path, options)?;
        step.commit().map_err(fault(&path, "pruning"))?;
        self.still_there()?;
        self.compact()?;
        Ok(pruned)
    }
}

/// A result as far as pruning looks at it.
struct Row {
    program: i64,
    behaviour: [u8; 16],
    /// Pairs, similarity and scores, each from 0 to 1000.
    point: Vec<i64>,
}

/// Prunes within a transaction, harder until the pages in use are below the limit.
pub(crate) fn prune_to(step: &Connection, path: &Path, order: &Prune) -> Result<Pruned> {
    let mut options = order.options;
    let mut pruned = prune(step, path, &options)?;
    let Some(limit) = order.limit else { return Ok(pruned) };
    let used = || used(step).map_err(fault(path, "pruning"));
    if used()? > limit {
        while used()? > limit / 100 * (100 - ROOM) && options.harden() {
            pruned.add(prune(step, path, &options)?);
        }
    }
    Ok(pruned)
}

/// Bytes of all pages in use. Unlike the size of the file and its journal it depends on what was stored
/// alone.
fn used(step: &Connection) -> rusqlite::Result<u64> {
    let get = |name: &str| step.query_row(name, [], |row| row.get::<_, i64>(0));
    let pages = get("PRAGMA page_count")? - get("PRAGMA freelist_count")?;
    Ok((pages * get("PRAGMA page_size")?).cast_unsigned())
}

/// Prunes within a transaction.
pub(crate) fn prune(step: &Connection, path: &Path, options: &PruneOptions) -> Result<Pruned> {
    prune_rows(step, options).map_err(fault(path, "pruning"))
}

fn prune_rows(step: &Connection, options: &PruneOptions) -> rusqlite::Result<Pruned> {
    let mut reasons: BTreeMap<&'static str, u64> = BTreeMap::new();
    step.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS keep_result (
             task INTEGER, program INTEGER, PRIMARY KEY (task, program)) WITHOUT ROWID;
         CREATE TEMP TABLE IF NOT EXISTS keep_program (key INTEGER PRIMARY KEY);
         DELETE FROM keep_result;
         DELETE FROM keep_program;",
    )?;
    if !options.cache {
        *reasons.entry(CACHE).or_default() += step.execute("DELETE FROM cache", [])? as u64;
    }
    if !options.history {
        let sql = "DELETE FROM operator WHERE generation < \
                   (SELECT generations - 1 FROM run WHERE run.key = operator.run)";
        *reasons.entry(HISTORY).or_default() += step.execute(sql, [])? as u64;
    }
    if !options.finished_populations {
        let sql =
            "DELETE FROM population WHERE run IN (SELECT key FROM run WHERE state = 'finished')";
        *reasons.entry(POPULATION).or_default() += step.execute(sql, [])? as u64;
    }
    // What is alive keeps its results: a run that goes on needs them.
    step.execute(
        "INSERT OR IGNORE INTO keep_result SELECT population.task, population.program \
         FROM population JOIN result ON result.task = population.task \
         AND result.program = population.program",
        [],
    )?;
    let keys = "SELECT key FROM task ORDER BY key";
    let tasks: Vec<i64> =
        step.prepare(keys)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for task in tasks {
        let rows = rows(step, task)?;
        let alive: BTreeSet<i64> = step
            .prepare_cached("SELECT program FROM keep_result WHERE task = ?1")?
            .query_map([task], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let kept = choose(&rows, options);
        let mut keep = step.prepare_cached("INSERT OR IGNORE INTO keep_result VALUES (?1, ?2)")?;
        for &n in &kept {
            keep.execute(params![task, rows[n].program])?;
        }
        let behaviours: BTreeSet<[u8; 16]> = kept.iter().map(|&n| rows[n].behaviour).collect();
        let gone = rows
            .iter()
            .enumerate()
            .filter(|(n, row)| !kept.contains(n) && !alive.contains(&row.program));
        for (_, row) in gone {
            let reason = if behaviours.contains(&row.behaviour) { SAME } else { OUTRANKED };
            *reasons.entry(reason).or_default() += 1;
        }
    }
    keep_programs(step, options)?;
    let never = "SELECT count(*) FROM program WHERE key NOT IN keep_program \
                 AND NOT EXISTS (SELECT 1 FROM result WHERE result.program = program.key)";
    let never: i64 = step.query_row(never, [], |row| row.get(0))?;
    step.execute(
        "DELETE FROM result WHERE NOT EXISTS (SELECT 1 FROM keep_result \
         WHERE keep_result.task = result.task AND keep_result.program = result.program)",
        [],
    )?;
    step.execute(
        "DELETE FROM parent WHERE child NOT IN keep_program OR parent NOT IN keep_program",
        [],
    )?;
    let gone = step.execute("DELETE FROM program WHERE key NOT IN keep_program", [])? as u64;
    let never = never.cast_unsigned();
    *reasons.entry(NO_RESULT).or_default() += never;
    *reasons.entry(NOT_KEPT).or_default() += gone.saturating_sub(never);
    reasons.retain(|_, count| *count > 0);
    for (reason, &count) in &reasons {
        step.execute(
            "INSERT INTO pruned (reason, count) VALUES (?1, ?2) \
             ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count",
            params![reason, count.cast_signed()],
        )?;
    }
    let left = |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        step.query_row(&sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned)
    };
    let (programs_left, results_left) = (left("program")?, left("result")?);
    step.execute_batch("DELETE FROM keep_result; DELETE FROM keep_program;")?;
    Ok(Pruned { reasons, programs_left, results_left, bytes: (0, 0) })
}

/// Programs with a kept result, alive, or from a file and never run; and their ancestors.
fn keep_programs(step: &Connection, options: &PruneOptions) -> rusqlite::Result<()> {
    step.execute(
        "INSERT OR IGNORE INTO keep_program \
         SELECT program FROM keep_result UNION SELECT program FROM population \
         UNION SELECT key FROM program WHERE run IS NULL AND source <> 'evolved' \
         AND NOT EXISTS (SELECT 1 FROM result WHERE result.program = program.key)",
        [],
    )?;
    if options.lineage {
        step.execute(
            "INSERT OR IGNORE INTO keep_program \
             WITH RECURSIVE old (key) AS (SELECT key FROM keep_program UNION \
                 SELECT parent.parent FROM parent JOIN old ON parent.child = old.key) \
             SELECT key FROM old",
            [],
        )?;
    }
    Ok(())
}

/// The results of a task, best first.
fn rows(step: &Connection, task: i64) -> rusqlite::Result<Vec<Row>> {
    let keys = "SELECT key FROM differ ORDER BY name";
    let differs: Vec<i64> = step
        .prepare_cached(keys)?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let differs: BTreeMap<i64, usize> =
        differs.into_iter().enumerate().map(|(n, key)| (key, n)).collect();
    let sql = format!(
        "SELECT result.program, result.behaviour, result.pairs, result.similarity FROM result \
         JOIN program ON program.key = result.program WHERE result.task = ?1 ORDER BY {BEST}"
    );
    let read = |row: &rusqlite::Row<'_>| {
        let pairs: String = row.get(2)?;
        let mut point: Vec<i64> = pairs.bytes().map(|b| if b == b'1' { 1000 } else { 0 }).collect();
        point.push(row.get(3)?);
        Ok(Row { program: row.get(0)?, behaviour: row.get(1)?, point })
    };
    let mut rows: Vec<Row> =
        step.prepare_cached(&sql)?.query_map([task], read)?.collect::<rusqlite::Result<_>>()?;
    // Scores go to the places behind, by differ; where one is missing it counts as 0.
    let places: BTreeMap<i64, usize> =
        rows.iter().enumerate().map(|(n, row)| (row.program, n)).collect();
    let mut statement =
        step.prepare_cached("SELECT program, differ, score FROM score WHERE task = ?1")?;
    let mut scores = statement.query([task])?;
    let base: Vec<usize> = rows.iter().map(|row| row.point.len()).collect();
    while let Some(score) = scores.next()? {
        let (program, differ, score): (i64, i64, i64) =
            (score.get(0)?, score.get(1)?, score.get(2)?);
        if let (Some(&n), Some(&differ)) = (places.get(&program), differs.get(&differ)) {
            let point = &mut rows[n].point;
            point.resize(base[n] + differs.len(), 0);
            point[base[n] + differ] = score;
        }
    }
    Ok(rows)
}

/// Positions of the rows to keep.
fn choose(rows: &[Row], options: &PruneOptions) -> BTreeSet<usize> {
    let best = options.best.min(rows.len());
    let mut kept: BTreeSet<usize> = (0..best).collect();
    let mut known: BTreeSet<[u8; 16]> = rows[..best].iter().map(|row| row.behaviour).collect();
    // The best of every behaviour that is not there yet, with its distance to what is kept.
    let mut others: Vec<(usize, i64)> = Vec::new();
    for (n, row) in rows.iter().enumerate().skip(best) {
        if known.insert(row.behaviour) {
            let near = rows[..best].iter().map(|kept| distance(kept, row)).min();
            others.push((n, near.unwrap_or(i64::MAX)));
        }
    }
    for _ in 0..options.different {
        // Of equally distant ones the first, which is the best.
        let Some(at) = (0..others.len()).max_by_key(|&at| (others[at].1, std::cmp::Reverse(at)))
        else {
            break;
        };
        let (n, _) = others.remove(at);
        kept.insert(n);
        for (other, near) in &mut others {
            *near = (*near).min(distance(&rows[n], &rows[*other]));
        }
    }
    kept
}

fn distance(a: &Row, b: &Row) -> i64 {
    let longest = a.point.len().max(b.point.len());
    let at = |row: &Row, n: usize| row.point.get(n).copied().unwrap_or(0);
    (0..longest).map(|n| (at(a, n) - at(b, n)).abs()).sum()
}
