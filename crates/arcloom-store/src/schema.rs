//! The tables, as a list of migrations.
//!
//! The file's `user_version` is the number of migrations it has seen. A released migration is never
//! edited: a change of the schema is one more text at the end of the list, with a line in
//! `docs/archive.md`.

use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours: the letters `arlm`.
pub const APPLICATION_ID: i32 = 0x6172_6c6d;

/// What makes version n out of version n - 1.
pub const MIGRATIONS: &[&str] = &[VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

/// The version this build reads and writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// Rows refer to each other by `key`, a number of this file alone, because the content ids are four
/// to ten times as long. Scores and predictions hang on results, so that they go with them.
const VERSION_1: &str = "
CREATE TABLE run (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    repeat INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    config TEXT NOT NULL,
    version TEXT NOT NULL,
    started INTEGER NOT NULL,
    generations INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished')),
    checkpoint BLOB NOT NULL DEFAULT x''
) STRICT;

CREATE TABLE generation (
    run INTEGER NOT NULL REFERENCES run (key),
    number INTEGER NOT NULL,
    evaluations INTEGER NOT NULL,
    new_programs INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    stats TEXT NOT NULL,
    finished INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator (
    run INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    operator TEXT NOT NULL,
    applied INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    new INTEGER NOT NULL,
    improving INTEGER NOT NULL,
    PRIMARY KEY (run, generation, operator),
    FOREIGN KEY (run, generation) REFERENCES generation (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE program (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    size INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    run INTEGER REFERENCES run (key),
    generation INTEGER,
    operator TEXT,
    source TEXT NOT NULL,
    added INTEGER NOT NULL
) STRICT;

CREATE TABLE parent (
    child INTEGER NOT NULL REFERENCES program (key) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    parent INTEGER NOT NULL REFERENCES program (key),
    PRIMARY KEY (child, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX parent_by_parent ON parent (parent);

CREATE TABLE task (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    name TEXT NOT NULL,
    task_set TEXT NOT NULL
) STRICT;
CREATE INDEX task_by_name ON task (name);

CREATE TABLE result (
    task INTEGER NOT NULL REFERENCES task (key),
    program INTEGER NOT NULL REFERENCES program (key) ON DELETE CASCADE,
    demos INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    pairs TEXT NOT NULL,
    similarity INTEGER NOT NULL,
    work INTEGER NOT NULL,
    behaviour BLOB NOT NULL CHECK (length(behaviour) = 16),
    validated INTEGER,
    PRIMARY KEY (task, program)
) STRICT, WITHOUT ROWID;
CREATE INDEX result_by_program ON result (program);

CREATE TABLE differ (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE score (
    task INTEGER NOT NULL,
    program INTEGER NOT NULL,
    differ INTEGER NOT NULL REFERENCES differ (key),
    score INTEGER NOT NULL,
    PRIMARY KEY (task, program, differ),
    FOREIGN KEY (task, program) REFERENCES result (task, program) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE prediction (
    task INTEGER NOT NULL,
    program INTEGER NOT NULL,
    test INTEGER NOT NULL,
    grid TEXT NOT NULL,
    PRIMARY KEY (task, program, test),
    FOREIGN KEY (task, program) REFERENCES result (task, program) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE island (
    run INTEGER NOT NULL REFERENCES run (key),
    task INTEGER NOT NULL REFERENCES task (key),
    island INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (run, task, island)
) STRICT, WITHOUT ROWID;

CREATE TABLE population (
    run INTEGER NOT NULL,
    task INTEGER NOT NULL,
    island INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    program INTEGER NOT NULL REFERENCES program (key),
    PRIMARY KEY (run, task, island, rank),
    FOREIGN KEY (run, task, island) REFERENCES island (run, task, island) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX population_by_program ON population (program);

CREATE TABLE cache (
    id BLOB NOT NULL UNIQUE,
    value BLOB NOT NULL,
    seconds REAL NOT NULL,
    hits INTEGER NOT NULL
) STRICT;

CREATE TABLE pruned (
    reason TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW solution AS
    SELECT task.name AS task, lower(hex(program.id)) AS program, program.size, program.name, program.text
    FROM result JOIN task ON task.key = result.task JOIN program ON program.key = result.program
    WHERE result.demos > 0 AND result.solved = result.demos;
";

/// What a run took, which no two runs agree on: like times it is no content.
const VERSION_2: &str = "ALTER TABLE generation ADD COLUMN memory INTEGER;";

/// What was last handed in for a task: not what it is worth on the tests, which nobody may store.
const VERSION_3: &str = "
CREATE TABLE standing (
    task INTEGER PRIMARY KEY REFERENCES task (key),
    demos INTEGER NOT NULL,
    fits INTEGER NOT NULL,
    similarity INTEGER NOT NULL,
    origin TEXT NOT NULL,
    program BLOB CHECK (length(program) = 32)
) STRICT;

CREATE TABLE attempt (
    task INTEGER NOT NULL REFERENCES standing (task) ON DELETE CASCADE,
    test INTEGER NOT NULL,
    rank INTEGER NOT NULL CHECK (rank IN (1, 2)),
    grid TEXT NOT NULL,
    PRIMARY KEY (task, test, rank)
) STRICT, WITHOUT ROWID;
";

/// What each run handed in for each task. How a run ended and which process it was are no content.
const VERSION_4: &str = "
ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'evolve' CHECK (kind IN ('evolve', 'solve', 'part'));
ALTER TABLE run ADD COLUMN about TEXT NOT NULL DEFAULT '{}';
ALTER TABLE run ADD COLUMN ended TEXT CHECK (ended IN ('stopped', 'time'));
ALTER TABLE run ADD COLUMN process INTEGER;

CREATE TABLE run_task (
    run INTEGER NOT NULL REFERENCES run (key),
    task INTEGER NOT NULL REFERENCES task (key),
    demos INTEGER NOT NULL,
    fits INTEGER NOT NULL,
    similarity INTEGER NOT NULL,
    origin TEXT NOT NULL,
    program BLOB CHECK (length(program) = 32),
    attempts TEXT NOT NULL,
    proposals TEXT NOT NULL DEFAULT '[]',
    seconds REAL,
    PRIMARY KEY (run, task)
) STRICT, WITHOUT ROWID;
";

/// When a cached value was last of use, in seconds since 1970, so that old ones go.
const VERSION_5: &str = "
ALTER TABLE cache ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
UPDATE cache SET used = unixepoch();
";

/// The version of a file.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Brings a file up to date, one transaction per version: it has one version or the next.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    for (n, sql) in migrations.iter().enumerate().skip(version(connection)? as usize) {
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(sql)?;
        step.pragma_update(None, "application_id", APPLICATION_ID)?;
        step.pragma_update(None, "user_version", n as i64 + 1)?;
        step.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_earlier_version_becomes_the_present_one() {
        let mut whole = Connection::open_in_memory().unwrap();
        migrate(&mut whole, MIGRATIONS).unwrap();
        let tables = |c: &Connection| -> Vec<String> {
            let mut statement = c
                .prepare("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
                .unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        for n in 0..MIGRATIONS.len() {
            let mut earlier = Connection::open_in_memory().unwrap();
            migrate(&mut earlier, &MIGRATIONS[..n]).unwrap();
            assert_eq!(version(&earlier).unwrap(), n as i64);
            migrate(&mut earlier, MIGRATIONS).unwrap();
            assert_eq!(version(&earlier).unwrap(), VERSION);
            assert_eq!(tables(&earlier), tables(&whole));
        }
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &MIGRATIONS[..1]).unwrap();
        let broken = [VERSION_1, "CREATE TABLE more (n INTEGER); CREATE TABLE run (n INTEGER);"];
        assert!(migrate(&mut connection, &broken).is_err());
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(connection.prepare("SELECT n FROM more").is_err());
    }
}
