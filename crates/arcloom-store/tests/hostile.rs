//! Archives from others are hostile input: what is no archive to the letter is not read, and what leads in
//! circles ends.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::{Path, PathBuf};

use arcloom_store::*;
use common::*;
use rusqlite::Connection;

mod common;

/// A sound archive in which something was executed with every protection off.
fn changed(dir: &Path, name: &str, sql: &str) -> PathBuf {
    let path = dir.join(format!("{name}.db"));
    drop(with_run(&path, 1, 3, 20, 0));
    let connection = Connection::open(&path).unwrap();
    let protections = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \
                       PRAGMA writable_schema = ON; PRAGMA legacy_alter_table = ON;";
    connection.execute_batch(protections).unwrap();
    connection.execute_batch(sql).unwrap();
    path
}

#[track_caller]
fn refused(path: &Path, words: &[&str]) {
    let before = fs::read(path).unwrap();
    for access in [Access::Read, Access::Write] {
        let message = Archive::create_or_open(path, access).map(drop).unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
    // Merging reads it too.
    let mut own = open(&path.with_extension("own"));
    assert!(own.merge(path).unwrap_err().to_string().contains(words[0]));
    assert!(fs::read(path).unwrap() == before, "a file that is refused is left as it is");
}

/// Rows without end, in the columns of a table.
const ENDLESS: &str = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
    SELECT x AS task, x AS program, x AS differ, x AS score FROM n";

#[test]
fn a_view_in_place_of_a_table_is_not_read() {
    let dir = folder("hostile_view");
    let sql = format!("DROP TABLE score; CREATE VIEW score AS {ENDLESS};");
    refused(&changed(&dir, "view", &sql), &["the view `score`, where a table belongs"]);
}

#[test]
fn what_is_not_part_of_an_archive_is_not_read() {
    let dir = folder("hostile_schema");
    for (name, sql, words) in [
        ("more_view", format!("CREATE VIEW more AS {ENDLESS}"), "the view `more`"),
        ("more_table", "CREATE TABLE more (a)".to_owned(), "the table `more`"),
        (
            "trigger",
            "CREATE TRIGGER t AFTER INSERT ON program BEGIN DELETE FROM result; END".to_owned(),
            "the trigger `t`",
        ),
        (
            "index",
            "CREATE INDEX slow ON program (hex(zeroblob(900000)))".to_owned(),
            "the index `slow`",
        ),
        (
            "virtual",
            "INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, \
             'CREATE VIRTUAL TABLE v USING fts5(a)')"
                .to_owned(),
            "the table `v`",
        ),
        ("gone", "DROP TABLE prediction".to_owned(), "no table `prediction`"),
        (
            "column",
            "UPDATE sqlite_schema SET sql = replace(sql, 'cost INTEGER', 'more TEXT, cost INTEGER') \
             WHERE name = 'program'"
                .to_owned(),
            "another table `program`",
        ),
        (
            "generated",
            "UPDATE sqlite_schema SET sql = replace(sql, 'task_set TEXT NOT NULL', \
             'task_set TEXT NOT NULL, more TEXT AS (hex(zeroblob(900000)))') WHERE name = 'task'"
                .to_owned(),
            "another table `task`",
        ),
        (
            "solution",
            format!("DROP VIEW solution; CREATE VIEW solution AS {ENDLESS}"),
            "another view `solution`",
        ),
        (
            "statistics",
            format!(
                "INSERT INTO sqlite_schema VALUES ('view', 'sqlite_stat1', 'sqlite_stat1', 0, \
                 'CREATE VIEW sqlite_stat1 AS {ENDLESS}')"
            ),
            "sqlite_stat1",
        ),
    ] {
        refused(&changed(&dir, name, &sql), &[words]);
    }
}

#[test]
fn what_other_tools_leave_in_a_sound_archive_is_no_harm() {
    let dir = folder("hostile_sound");
    let path = changed(&dir, "analyzed", "ANALYZE");
    assert_eq!(open(&path).counts().unwrap().rows[3], ("program", 60));
}

#[test]
fn a_file_of_an_earlier_version_is_held_against_that_version() {
    let dir = folder("hostile_old");
    let path = dir.join("a.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(schema::MIGRATIONS[0]).unwrap();
    old.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    old.execute_batch("CREATE VIEW more AS SELECT 1").unwrap();
    drop(old);
    refused(&path, &["the view `more`"]);
    Connection::open(&path).unwrap().execute_batch("DROP VIEW more").unwrap();
    assert_eq!(open(&path).integrity().unwrap(), Vec::<String>::new());
}

/// A run with a cache takes columns as they are, so they stay with whoever computed them.
#[test]
fn columns_of_others_are_not_taken_over() {
    let dir = folder("hostile_cache");
    let theirs = dir.join("theirs.db");
    let (column, text) = (cached(1, 5), CacheRecord { value: b"{}".to_vec(), ..cached(2, 5) });
    open(&theirs).remember(&[column.clone(), text.clone()], &[]).unwrap();
    let mut own = open(&dir.join("own.db"));
    own.merge(&theirs).unwrap();
    assert_eq!(own.cached(&column.key).unwrap(), None);
    assert_eq!(own.cached(&text.key).unwrap(), Some(text));
}

/// Damaged pages can lead a reader in circles; no question takes more work than the file's size explains.
#[test]
fn a_question_that_does_not_end_is_ended() {
    let path = folder("hostile_work").join("a.db");
    drop(with_run(&path, 1, 3, 200, 0));
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    assert_eq!(archive.audit().unwrap().len(), archive.audit().unwrap().len());
    archive.limit_work(1);
    for error in [
        archive.counts().map(drop).unwrap_err(),
        archive.integrity().map(drop).unwrap_err(),
        archive.programs(&Filter::default()).map(drop).unwrap_err(),
    ] {
        assert!(error.to_string().contains("far more work"), "{error}");
    }
    archive.limit_work(0);
    assert!(archive.counts().is_ok());
}

#[test]
fn cycles_of_parents_are_found_and_followed_once() {
    let dir = folder("hostile_circle");
    let path = changed(&dir, "circle", "UPDATE parent SET parent = child");
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    assert!(archive.audit().unwrap().iter().any(|line| line.starts_with("lineage: ")));
    let lineage = archive.ancestors(id(50), 1000).unwrap();
    assert_eq!((lineage.nodes.len(), lineage.cut), (1, false));
}

/// What reading every program with all that is stored about it takes, in steps of SQLite's machine.
fn steps(programs: u64) -> u64 {
    let path = folder(&format!("hostile_scale_{programs}")).join("a.db");
    drop(with_run(&path, 1, 1, programs, 0));
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    for program in archive.programs(&Filter::default()).unwrap() {
        let id = program.id;
        archive.results(id).unwrap();
        archive.scores(id).unwrap();
        archive.predictions(id).unwrap();
    }
    archive.total_steps()
}

#[test]
fn reading_twice_the_programs_takes_twice_the_work() {
    let (once, twice) = (steps(2_000), steps(4_000));
    assert!(once > 100_000 && twice * 2 <= once * 5, "{once} and {twice}");
}
