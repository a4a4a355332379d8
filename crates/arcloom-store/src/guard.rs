//! What keeps an archive that somebody else made from doing harm.
//!
//! An SQLite file brings its own schema, and a schema can compute: a view where a table belongs never ends, a
//! trigger writes where nobody asked, an index has an expression. So nothing in a file is looked at before its
//! schema is, word by word, that of an archive. Beyond that a file is data, and damaged data can lead in
//! circles: a reader does no more work in one go than the size of the file explains.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Row};

use crate::error::{Result, StoreError, fault};
use crate::schema;

/// Steps of SQLite's machine that any question may take, and further ones for each byte of the file. The
/// slowest questions of a sound archive take a few for each byte.
const STEPS: u64 = 200_000_000;
const STEPS_PER_BYTE: u64 = 256;

/// Steps between two looks at how many there were.
const OFTEN: u32 = 1_000;

/// Longest value of a file that is smaller than this many bytes. It may grow while it is read.
const LEAST_LENGTH: u64 = 64 << 20;
/// What SQLite allows at the most.
const MOST_LENGTH: u64 = 1_000_000_000;

/// How much work a reader did since it last asked something.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gauge {
    steps: Arc<AtomicU64>,
    /// All of it since the archive was opened.
    total: Arc<AtomicU64>,
    /// A limit for tests; 0 for that of the file.
    fixed: Arc<AtomicU64>,
}

impl Gauge {
    /// A new question begins.
    pub(crate) fn reset(&self) {
        self.steps.store(0, Ordering::Relaxed);
    }

    /// Steps since the archive was opened.
    pub(crate) fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Allows this many steps, whatever the size of the file.
    pub(crate) fn allow(&self, steps: u64) {
        self.fixed.store(steps, Ordering::Relaxed);
    }

    /// Ends every question of a connection that takes more work than the size of the file explains.
    pub(crate) fn watch(
        connection: &mut Connection,
        bytes: impl Fn() -> u64 + Send + 'static,
    ) -> rusqlite::Result<Gauge> {
        let gauge = Gauge::default();
        let Gauge { steps, total, fixed } = gauge.clone();
        let mut known = 0;
        let over = move || {
            total.fetch_add(u64::from(OFTEN), Ordering::Relaxed);
            let done = steps.fetch_add(u64::from(OFTEN), Ordering::Relaxed);
            let most = match fixed.load(Ordering::Relaxed) {
                0 if done <= known => return false,
                0 => {
                    // The file may have grown.
                    known = STEPS.saturating_add(bytes().saturating_mul(STEPS_PER_BYTE));
                    known
                }
                most => most,
            };
            done > most
        };
        connection.progress_handler(OFTEN.cast_signed(), Some(over))?;
        Ok(gauge)
    }
}

/// Switches off what an archive has no use for, before anything of the file is read.
pub(crate) fn harden(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    // The view `solution` is for other tools.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (Limit::SQLITE_LIMIT_COLUMN, 100),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
    ] {
        connection.set_limit(limit, most)?;
    }
    Ok(())
}

/// No value of a file is longer than the file, whatever it says.
pub(crate) fn limit_values(connection: &Connection, bytes: u64) -> rusqlite::Result<()> {
    let most = bytes.clamp(LEAST_LENGTH, MOST_LENGTH) as i32;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, most).map(drop)
}

/// Tables, indexes and views by name: kind and text.
type Schema = BTreeMap<String, (String, String)>;

/// Refuses a file whose schema is not that of an archive of its version.
pub(crate) fn check_schema(connection: &Connection, path: &Path, version: i64) -> Result<()> {
    let foreign = |what: String| StoreError::Foreign { path: path.to_path_buf(), what };
    let read = || -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let sql = "SELECT name, type, sql FROM sqlite_schema";
        connection.prepare(sql)?.query_map([], row)?.collect()
    };
    let found = read().map_err(fault(path, "reading the schema"))?;
    let mut expected: Schema = expected(version).clone();
    for (name, kind, sql) in found {
        // Indexes of keys have no text; they come and go with their table.
        let Some(sql) = sql else {
            if kind == "index" {
                continue;
            }
            return Err(foreign(format!("the {kind} `{name}` without a text")));
        };
        let text = plain(&sql);
        // What `ANALYZE` of another tool leaves.
        if kind == "table" && STATISTICS.contains(&(name.as_str(), text.as_str())) {
            continue;
        }
        match expected.remove(&name) {
            Some((same, sql)) if same == kind && sql == text => {}
            Some((other, _)) if other != kind => {
                return Err(foreign(format!("the {kind} `{name}`, where a {other} belongs")));
            }
            Some(_) => return Err(foreign(format!("another {kind} `{name}`"))),
            None => return Err(foreign(format!("the {kind} `{name}`"))),
        }
    }
    match expected.pop_first() {
        Some((name, (kind, _))) => Err(foreign(format!("no {kind} `{name}`"))),
        None => Ok(()),
    }
}

const STATISTICS: &[(&str, &str)] = &[
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
];

/// One space where there is any.
fn plain(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The schema of a version, as the migrations make it.
fn expected(version: i64) -> &'static Schema {
    static ALL: OnceLock<Vec<Schema>> = OnceLock::new();
    static NONE: Schema = Schema::new();
    let all = ALL.get_or_init(|| {
        (0..=schema::MIGRATIONS.len()).map(|n| made(n).unwrap_or_default()).collect()
    });
    usize::try_from(version).ok().and_then(|version| all.get(version)).unwrap_or(&NONE)
}

fn made(version: usize) -> rusqlite::Result<Schema> {
    let mut connection = Connection::open_in_memory()?;
    schema::migrate(&mut connection, &schema::MIGRATIONS[..version])?;
    let row = |row: &Row<'_>| {
        let (name, kind, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((name, (kind, plain(&sql))))
    };
    let sql = "SELECT name, type, sql FROM sqlite_schema WHERE sql NOT NULL";
    connection.prepare(sql)?.query_map([], row)?.collect()
}
