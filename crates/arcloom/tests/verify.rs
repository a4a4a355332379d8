//! `verify` finds every statement of an archive that was falsified, and accuses none that is as it was made.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use arcloom::archive::{Access, Archive, Storage, Verified};
use arcloom::corpus::MorePairs;
use arcloom::evolve::{EvolveConfig, EvolveRequest};
use arcloom::{Catalog, Engine, Library, SolveOptions, Stop, TaskSet};
use rusqlite::Connection;

/// Not the engine's own: a verification has to take those of the run.
const BUDGET: u64 = 20_000;

/// Some are solved by what is there and some are not; one program reads the demo pairs.
const TASKS: &[&str] = &["tally", "ring_largest", "peel_and_repeat", "parity_half"];
const LIBRARY: &str = "
def solve_seen(S, I):
    x1 = first(S)
    x2 = first(x1)
    x3 = equality(x2, I)
    x4 = last(x1)
    O = branch(x3, x4, I)
    return O
";

fn file(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify");
    std::fs::create_dir_all(&dir).unwrap();
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(dir.join(format!("{name}.db{end}")));
    }
    dir.join(format!("{name}.db"))
}

fn engine(budget: u64) -> Engine {
    Engine::builder().threads(1).call_budget(budget).build().unwrap()
}

fn given() -> (Library, TaskSet) {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let mut library = Library::load(&catalog, &specs, &mut std::io::empty()).unwrap();
    library.programs.extend(Library::from_text("seen.py", LIBRARY).programs);
    let mut tasks = catalog.resolve_tasks("embedded").unwrap();
    tasks.tasks.retain(|task| TASKS.contains(&task.id.as_str()));
    (library, tasks)
}

fn evolve(archive: &mut Archive, config: &EvolveConfig, budget: u64) {
    let (library, tasks) = given();
    let request = EvolveRequest::new(&library.programs, &tasks, config);
    engine(budget).evolve(&request, archive, &Stop::default(), &mut |_| {}).unwrap();
}

fn config(seed: u64) -> EvolveConfig {
    EvolveConfig {
        seed,
        generations: Some(4),
        children: 40,
        population: 10,
        islands: 2,
        migrate_every: 2,
        stop_when_solved: false,
        ..EvolveConfig::default()
    }
}

fn verify(path: &Path) -> Verified {
    let archive = Archive::create_or_open(path, Access::Read).unwrap();
    let catalog = Catalog::open(None);
    let sets = arcloom::archive::task_sets(&archive, &catalog).unwrap();
    Engine::builder().threads(2).build().unwrap().verify_archive(&archive, &sets, &|_| {}).unwrap()
}

#[track_caller]
fn check_healthy(path: &Path) -> Verified {
    let verified = verify(path);
    assert_eq!(verified.problems, Vec::<String>::new());
    assert!(verified.programs > 0 && verified.missing.is_empty(), "{verified:?}");
    verified
}

/// Programs, results, scores, predictions, populations and what is handed in, of an import and a run.
fn evolved(path: &Path) {
    let (library, tasks) = given();
    let mut archive = Archive::create_or_open(path, Access::Write).unwrap();
    let records = engine(BUDGET).archive_records(&library, Some(&tasks), 1);
    archive.add(&records).unwrap();
    evolve(&mut archive, &config(3), BUDGET);
}

#[test]
fn archives_are_not_accused_whatever_the_seed_and_the_budget() {
    for seed in 0..8 {
        let path = file(&format!("seed_{seed}"));
        let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
        let budget = [BUDGET, 2_000, 300_000, 3_000_000][seed as usize % 4];
        let prune_every = if seed == 5 { 2 } else { 0 };
        evolve(&mut archive, &EvolveConfig { prune_every, ..config(seed) }, budget);
        let verified = check_healthy(&path);
        assert_eq!(verified.handed_in, TASKS.len(), "{:?}", verified.unconfirmed);
        assert!(verified.results > 0 && verified.unconfirmed.is_empty(), "{verified:?}");
    }
}

#[test]
fn several_runs_of_one_archive_may_have_several_budgets() {
    let (one, other) = (file("one"), file("other"));
    evolved(&one);
    let mut archive = Archive::create_or_open(&one, Access::Write).unwrap();
    evolve(&mut archive, &config(3), 1_000);
    let (_, tasks) = given();
    let more_pairs = MorePairs::embedded(&tasks, Catalog::open(None).limits()).unwrap();
    evolve(&mut archive, &EvolveConfig { more_pairs, ..config(4) }, BUDGET);
    drop(archive);
    check_healthy(&one);
    // Merged, and pruned as hard as it can be.
    let mut archive = Archive::create_or_open(&other, Access::Write).unwrap();
    evolve(&mut archive, &config(9), 50_000);
    archive.merge(&one).unwrap();
    drop(archive);
    check_healthy(&other);
    let mut archive = Archive::create_or_open(&other, Access::Write).unwrap();
    archive.prune(&arcloom::archive::PruneOptions::default(), Some(1)).unwrap();
    drop(archive);
    check_healthy(&other);
}

/// What `solve` leaves: answers that are remembered, a run that bred them, what is handed in.
fn solved(path: &Path) {
    let (library, tasks) = given();
    let options = SolveOptions { budget: 0.02, evolve: Some(0.02), ..SolveOptions::default() };
    let mut archive = Archive::create_or_open(path, Access::Write).unwrap();
    let storage = Some(Storage::from(&mut archive));
    engine(BUDGET).solve(&library, &tasks, &options, storage, &Stop::default(), &|_| {}).unwrap();
}

#[test]
fn what_solve_hands_in_follows_from_its_programs() {
    let path = file("solved");
    solved(&path);
    let verified = check_healthy(&path);
    assert_eq!(verified.handed_in, TASKS.len(), "{:?}", verified.unconfirmed);
    for (what, sql) in [
        ("fits", "UPDATE standing SET fits = fits - 1 WHERE fits > 0"),
        ("similarity", "UPDATE standing SET similarity = similarity - 1 WHERE similarity > 0"),
        ("origin", "UPDATE standing SET origin = 'terms+terms' WHERE program NOT NULL"),
        ("first", "UPDATE attempt SET grid = '[[1]]' WHERE rank = 1"),
        ("second", "UPDATE attempt SET grid = '[[1]]' WHERE rank = 2"),
    ] {
        let copy = falsified(&path, what, sql);
        assert!(!verify(&copy).problems.is_empty(), "{what}");
    }
}

#[test]
fn a_remembered_answer_that_its_program_does_not_give_is_not_handed_in() {
    let path = file("remembered");
    solved(&path);
    let (library, tasks) = given();
    let options = SolveOptions { budget: 0.02, evolve: Some(0.02), ..SolveOptions::default() };
    let run = |path: &Path| {
        let mut archive = Archive::create_or_open(path, Access::Write).unwrap();
        let storage = Some(Storage::from(&mut archive));
        let report = engine(BUDGET)
            .solve(&library, &tasks, &options, storage, &Stop::default(), &|_| {})
            .unwrap();
        report.tasks.iter().map(|task| (task.fits(), task.attempts())).collect::<Vec<_>>()
    };
    let honest = run(&path);
    // Every answer says that it fits nothing, or fits with other grids.
    for (what, from, to) in
        [("fits", "\"fits\":", "\"fits\":1"), ("outputs", "\"outputs\":[[[", "\"outputs\":[[[9,")]
    {
        let sql = format!(
            "UPDATE cache SET value = CAST(replace(CAST(value AS TEXT), '{from}', '{to}') AS BLOB)"
        );
        let copy = falsified(&path, &format!("remembered_{what}"), &sql);
        assert_eq!(run(&copy), honest, "{what}");
    }
}

/// A copy in which a statement was executed, with nothing in SQLite's way.
fn falsified(path: &Path, name: &str, sql: &str) -> PathBuf {
    let copy = file(&format!("false_{name}"));
    drop(Archive::create_or_open(path, Access::Read).unwrap());
    std::fs::copy(path, &copy).unwrap();
    let connection = Connection::open(&copy).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        .unwrap();
    let changed = connection.execute(sql, []).unwrap();
    assert!(changed > 0, "{name}: {sql} changes nothing");
    copy
}

/// A column and what is written into it; `None` is for what nobody can find out again.
type FalseColumn = (&'static str, Option<&'static str>);

/// A row of each table that is falsified, and how each of its columns is.
const FALSE: &[(&str, &str, &[FalseColumn])] = &[
    (
        "run",
        "key = 1",
        &[
            ("key", Some("99")),
            ("id", Some("randomblob(32)")),
            ("repeat", Some("7")),
            ("seed", Some("seed + 1")),
            ("config", Some("replace(config, 'children', 'kinder')")),
            ("version", Some("version || 'x'")),
            ("started", None),
            ("generations", Some("generations - 1")),
            // These may be true of any run.
            ("state", None),
            ("kind", None),
            ("about", None),
            ("ended", None),
            ("process", None),
            ("checkpoint", Some("x'0500000000000000'")),
        ],
    ),
    (
        "generation",
        "number = 2",
        &[
            ("run", Some("98")),
            ("number", Some("9")),
            ("evaluations", None),
            ("new_programs", Some("0")),
            ("solved", Some("solved + 2")),
            ("stats", Some("'{'")),
            ("finished", None),
            ("memory", None),
        ],
    ),
    (
        "operator",
        "generation = 1 AND new > 0",
        &[
            ("run", Some("98")),
            ("generation", Some("99")),
            ("operator", Some("operator || 'x'")),
            ("applied", Some("applied + 100000")),
            ("valid", Some("valid + 100000")),
            ("new", Some("new + 100000")),
            ("improving", Some("improving + 100000")),
        ],
    ),
    (
        "program",
        "generation > 0 AND key IN (SELECT program FROM result)",
        &[
            ("key", Some("key + 100000")),
            ("id", Some("randomblob(32)")),
            ("name", None),
            ("text", Some("replace(text, 'def', '# it solves all' || char(10) || 'def')")),
            ("size", Some("size + 1")),
            ("cost", Some("cost + 1")),
            ("run", Some("98")),
            ("generation", Some("90")),
            ("operator", None),
            ("source", None),
            ("added", None),
        ],
    ),
    (
        "parent",
        "place = 0",
        &[("child", Some("child + 100000")), ("place", None), ("parent", Some("child"))],
    ),
    (
        "task",
        "name = 'tally'",
        &[
            ("key", Some("99")),
            ("id", Some("randomblob(32)")),
            ("name", Some("'ring_largest'")),
            ("task_set", Some("'library'")),
        ],
    ),
    (
        "result",
        "solved > 0 AND program IN (SELECT key FROM program WHERE run NOT NULL)",
        &[
            ("task", Some("99")),
            ("program", Some("program + 100000")),
            ("demos", Some("demos + 1")),
            ("solved", Some("solved - 1")),
            ("pairs", Some("replace(pairs, '1', '0')")),
            ("similarity", Some("similarity - 1")),
            ("work", Some("work - 1")),
            ("behaviour", Some("randomblob(16)")),
            ("validated", Some("1 - coalesce(validated, 0)")),
        ],
    ),
    ("differ", "key = 1", &[("key", Some("99")), ("name", Some("'beauty'"))]),
    (
        "score",
        "score > 0",
        &[
            ("task", Some("99")),
            ("program", Some("program + 100000")),
            ("differ", Some("99")),
            ("score", Some("score - 1")),
        ],
    ),
    (
        "prediction",
        "test = 0",
        &[
            ("task", Some("99")),
            ("program", Some("program + 100000")),
            ("test", Some("test + 5")),
            ("grid", Some("'[[1]]'")),
        ],
    ),
    (
        "standing",
        "program NOT NULL",
        &[
            ("task", Some("task + 99")),
            ("demos", Some("demos + 1")),
            ("fits", Some("demos - fits")),
            ("similarity", Some("similarity - 1")),
            ("origin", Some("'evolution, generation 77'")),
            ("program", Some("randomblob(32)")),
        ],
    ),
    (
        "run_task",
        "program NOT NULL",
        &[
            ("run", Some("98")),
            ("task", Some("task + 99")),
            ("demos", Some("demos + 1")),
            ("fits", Some("demos - fits")),
            ("similarity", Some("similarity - 1")),
            ("origin", Some("'evolution, generation 77'")),
            ("program", Some("randomblob(32)")),
            ("attempts", Some("'[[[[1]]]]'")),
            ("proposals", Some("'[{'")),
            ("seconds", None),
        ],
    ),
    (
        "attempt",
        "rank = 1",
        &[
            ("task", Some("task + 99")),
            ("test", Some("test + 8")),
            ("rank", Some("7")),
            ("grid", Some("'[[1]]'")),
        ],
    ),
    (
        "island",
        "island = 0",
        &[
            ("run", Some("98")),
            ("task", Some("99")),
            ("island", Some("3")),
            ("state", Some("x'0900000000000000'")),
        ],
    ),
    (
        "population",
        "rank = (SELECT max(rank) FROM population) AND island = 0",
        &[
            ("run", Some("98")),
            ("task", Some("99")),
            ("island", Some("3")),
            ("rank", Some("-1")),
            ("program", Some("100000")),
        ],
    ),
    (
        "cache",
        "0",
        &[("id", None), ("value", None), ("seconds", None), ("hits", None), ("used", None)],
    ),
    ("pruned", "0", &[("reason", None), ("count", None)]),
];

#[test]
fn every_column_that_is_falsified_is_found() {
    let path = file("columns");
    evolved(&path);
    let healthy = check_healthy(&path);
    let connection = Connection::open(&path).unwrap();
    let names = |sql: &str| -> BTreeSet<String> {
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let tables =
        names("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
    assert_eq!(tables, FALSE.iter().map(|(table, ..)| (*table).to_owned()).collect());
    let mut missed = Vec::new();
    for (table, row, columns) in FALSE {
        let there = names(&format!("SELECT name FROM pragma_table_info('{table}')"));
        assert_eq!(there, columns.iter().map(|(name, _)| (*name).to_owned()).collect(), "{table}");
        let key = match *table {
            "program" | "run" | "task" | "differ" | "standing" => "rowid",
            "generation" => "(run, number)",
            "operator" => "(run, generation, operator)",
            "parent" => "(child, place)",
            "result" => "(task, program)",
            "score" => "(task, program, differ)",
            "prediction" => "(task, program, test)",
            "attempt" => "(task, test, rank)",
            "run_task" => "(run, task)",
            "island" => "(run, task, island)",
            "population" => "(run, task, island, rank)",
            _ => continue,
        };
        for (column, value) in *columns {
            let Some(value) = value else { continue };
            let bare = key.trim_matches(['(', ')']);
            let sql = format!(
                "UPDATE {table} SET {column} = {value} \
                 WHERE {key} IN (SELECT {bare} FROM {table} WHERE {row} LIMIT 1)"
            );
            let copy = falsified(&path, &format!("{table}_{column}"), &sql);
            let found = verify(&copy);
            println!("{table}.{column}: {}", found.problems.first().map_or("-", |line| line));
            // A task that is not at hand, or a set, is said and no problem.
            let said =
                (&found.missing, &found.unconfirmed) != (&healthy.missing, &healthy.unconfirmed);
            if found.problems.is_empty() && !said {
                missed.push(format!("{table}.{column}"));
            }
            for end in ["", "-wal", "-shm", ".lock"] {
                let _ = std::fs::remove_file(format!("{}{end}", copy.display()));
            }
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}
