//! What is stored comes back, and what cannot be stored says why.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs::{self, File};

use arcloom_store::*;
use common::*;

mod common;

#[track_caller]
fn refused(result: Result<Archive, StoreError>, words: &[&str]) {
    let message = result.map(|_| ()).unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn a_generation_comes_back() {
    let path = folder("comes_back").join("a.db");
    let mut archive = open(&path);
    let run = archive.begin_run(&new_run(7, 1)).unwrap();
    let batch = generation(run, 0, 10, 5);
    let added = archive.commit(&batch).unwrap();
    assert_eq!((added.programs, added.results, added.scores, added.predictions), (10, 10, 10, 1));
    drop(archive);

    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    for program in &batch.records.programs {
        assert_eq!(archive.program(program.id).unwrap().as_ref(), Some(program));
    }
    assert_eq!(archive.results(id(3)).unwrap(), batch.records.results[3..4]);
    assert_eq!(archive.scores(id(3)).unwrap(), batch.records.scores[3..4]);
    assert_eq!(archive.predictions(id(0)).unwrap(), batch.records.predictions);
    assert_eq!(archive.populations(run).unwrap(), batch.populations);
    assert_eq!(archive.operators(run).unwrap(), batch.operators);
    assert_eq!(archive.generations(run).unwrap(), [batch.figures]);
    let found = archive.find_run(7, &new_run(7, 1).config, "0.1.0").unwrap().unwrap();
    assert_eq!((found.number, found.generations, found.checkpoint), (run, 1, batch.checkpoint));
    assert!(archive.find_run(8, "{}", "0.1.0").unwrap().is_none());
    let best = archive.best(task(0), 2).unwrap();
    assert_eq!(best[0].1.pairs, "111");
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn the_next_generation_replaces_the_population() {
    let path = folder("replaces").join("a.db");
    let archive = with_run(&path, 1, 3, 10, 0);
    let run = archive.runs().unwrap()[0].number;
    let expected = generation(run, 2, 10, 0).populations;
    assert_eq!(archive.populations(run).unwrap(), expected);
}

#[test]
fn a_program_and_its_text_are_checked() {
    let text = "def solve_mine(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n";
    let program = arcloom_lang::load_file(text).programs.remove(0);
    let mut record = ProgramRecord::new(&program, "mine.py");
    assert_eq!(record.text, text.replace("solve_mine", "solve"));
    let back = record.program().unwrap();
    assert_eq!((back.id(), back.name.as_str()), (program.id(), "solve_mine"));
    record.text = record.text.replace("rot90", "rot180");
    assert!(record.program().unwrap_err().to_string().contains("its text is that of program"));
    record.text = "def solve(I):\n    return nothing(I)\n".to_owned();
    assert!(record.program().unwrap_err().to_string().contains("does not load"));
}

#[test]
fn programs_are_found_by_the_beginning_of_their_id_or_by_name() {
    let archive = with_run(&folder("prefix").join("a.db"), 1, 2, 40, 0);
    let hex = id(3).to_string();
    for text in [&hex[..8], &hex[..13], &hex, &hex.to_uppercase(), "solve_3", "3"] {
        if text.len() > 1 || archive.find_program(text).is_ok() {
            assert_eq!(archive.find_program(text).unwrap().id, id(3), "{text}");
        }
    }
    // Of 80 ids some share the first digit.
    let first = (0..80).map(|n| id(n).to_string()[..1].to_owned());
    let shared = first.clone().find(|a| first.clone().filter(|b| a == b).count() > 1).unwrap();
    let message = archive.find_program(&shared).unwrap_err().to_string();
    assert!(message.contains("write more of the id"), "{message}");
    let message = archive.find_program("nobody").unwrap_err().to_string();
    assert!(message.contains("arcloom archive list"), "{message}");
}

#[test]
fn lineage_goes_both_ways() {
    let archive = with_run(&folder("lineage").join("a.db"), 1, 4, 10, 0);
    let back = archive.ancestors(id(35), 10).unwrap();
    let mut expected: Vec<ProgramId> = [35, 25, 29, 15, 19, 5, 9].map(id).to_vec();
    expected.sort_unstable();
    assert_eq!(back.nodes.keys().copied().collect::<Vec<_>>(), expected);
    assert_eq!(back.nodes[&id(35)].next, [id(25), id(29)]);
    assert!(!back.cut);
    assert!(archive.ancestors(id(35), 1).unwrap().cut);
    let on = archive.descendants(id(9), 10).unwrap();
    assert_eq!(on.nodes.len(), 31);
}

#[test]
fn a_generation_out_of_order_is_refused_as_a_whole() {
    let mut archive = with_run(&folder("order").join("a.db"), 1, 1, 10, 0);
    let run = archive.runs().unwrap()[0].number;
    let before = archive.counts().unwrap();
    let message = archive.commit(&generation(run, 2, 10, 0)).unwrap_err().to_string();
    assert!(message.contains("generation 2") && message.contains("at 1"), "{message}");
    let mut broken = generation(run, 1, 10, 0);
    broken.records.results.push(result(999, 0, "1", 0, 0));
    assert!(matches!(archive.commit(&broken), Err(StoreError::Unknown { .. })));
    assert_eq!(archive.counts().unwrap(), before);
}

#[test]
fn a_second_writer_is_told_who_writes_and_readers_are_let_in() {
    let path = folder("writers").join("a.db");
    let archive = with_run(&path, 1, 1, 10, 0);
    let pid = std::process::id().to_string();
    refused(Archive::create_or_open(&path, Access::Write), &["being written", &pid]);
    let reader = Archive::create_or_open(&path, Access::Read).unwrap();
    assert_eq!(reader.counts().unwrap(), archive.counts().unwrap());
    drop(archive);
    open(&path);
}

#[test]
fn readers_cannot_write() {
    let path = folder("readers").join("a.db");
    drop(with_run(&path, 1, 1, 10, 0));
    let mut reader = Archive::create_or_open(&path, Access::Read).unwrap();
    assert!(matches!(reader.add(&Records::default()), Err(StoreError::Access { .. })));
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let dir = folder("others");
    let (text, empty, foreign) = (dir.join("text"), dir.join("empty"), dir.join("foreign.db"));
    fs::write(&text, "not a database, only words ".repeat(100)).unwrap();
    File::create(&empty).unwrap();
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE mine (n INTEGER)").unwrap();
    drop(connection);
    for access in [Access::Read, Access::Write] {
        let before = fs::read(&foreign).unwrap();
        refused(Archive::create_or_open(&foreign, access), &["foreign.db", "something else"]);
        assert_eq!(fs::read(&foreign).unwrap(), before);
        refused(Archive::create_or_open(&text, access), &["not an SQLite file"]);
        refused(Archive::create_or_open(&dir, access), &["it is a folder"]);
    }
    refused(Archive::create_or_open(&empty, Access::Read), &["it is empty"]);
    refused(Archive::create_or_open(dir.join("none"), Access::Read), &["there is no such archive"]);
    let inside = dir.join("no folder").join("a.db");
    refused(Archive::create_or_open(&inside, Access::Write), &["no such folder"]);
}

#[test]
fn a_file_cut_short_is_damaged() {
    let path = folder("short").join("a.db");
    drop(with_run(&path, 1, 3, 50, 0));
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    for access in [Access::Read, Access::Write] {
        refused(Archive::create_or_open(&path, access), &["damaged", "restore a copy"]);
    }
}

#[test]
fn a_newer_archive_is_not_touched() {
    let path = folder("newer").join("a.db");
    drop(open(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    for access in [Access::Read, Access::Write] {
        refused(Archive::create_or_open(&path, access), &["format 99", "newer arcloom"]);
    }
}

#[test]
fn an_archive_made_by_version_1_opens_now() {
    let path = folder("version_1").join("a.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("version_1.sql")).unwrap();
    drop(connection);
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    let program = archive.find_program("solve_old").unwrap();
    assert_eq!(program.program().unwrap().size(), 1);
    assert_eq!(archive.results(program.id).unwrap()[0].pairs, "10");
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn a_full_disk_leaves_the_archive_as_it_was() {
    let path = folder("full").join("a.db");
    let mut archive = with_run(&path, 1, 2, 500, 0);
    let run = archive.runs().unwrap()[0].number;
    let before = archive.counts().unwrap();
    archive.limit_pages(3).unwrap();
    let error = archive.commit(&generation(run, 2, 500, 0)).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(archive.counts().unwrap(), before);
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
    // With room again the same generation fits.
    archive.limit_pages(100_000).unwrap();
    archive.commit(&generation(run, 2, 500, 0)).unwrap();
    drop(archive);
    assert_eq!(open(&path).integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn merging_twice_is_merging_once() {
    let dir = folder("merge");
    let (a, b, c) = (dir.join("a.db"), dir.join("b.db"), dir.join("c.db"));
    let mut first = with_run(&a, 1, 2, 10, 0);
    let mut second = with_run(&b, 2, 4, 10, 50);
    let merged = first.merge(&b).unwrap();
    // Programs 0 to 19 are in both; the run is not.
    assert_eq!((merged.added.programs, merged.runs, merged.generations), (20, 1, 4));
    assert_eq!(merged.conflicts, 0);
    // A copy is whole once the journal is in the file.
    second.compact().unwrap();
    fs::copy(&b, &c).unwrap();
    let once = first.counts().unwrap();
    for other in [&b, &c] {
        assert_eq!(first.merge(other).unwrap(), Merged::default());
        assert_eq!(first.counts().unwrap(), once);
    }
    let runs = first.runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.generations).collect::<Vec<_>>(), [2, 4]);
    let own = second.populations(second.runs().unwrap()[0].number).unwrap();
    assert_eq!(first.populations(runs[1].number).unwrap(), own);
    assert_eq!(first.program(id(35)).unwrap().unwrap().run, Some(runs[1].number));
    assert_eq!(first.program(id(35)).unwrap().unwrap().parents, [id(25), id(29)]);
    assert_eq!(first.integrity().unwrap(), Vec::<String>::new());
    assert!(first.merge(&a).unwrap_err().to_string().contains("the archive itself"));
}

#[test]
fn of_one_run_in_two_archives_the_longer_counts() {
    let dir = folder("longer");
    let mut short = with_run(&dir.join("short.db"), 1, 2, 10, 0);
    let mut long = with_run(&dir.join("long.db"), 1, 5, 10, 77);
    let merged = short.merge(long.path()).unwrap();
    assert_eq!((merged.runs, merged.generations, merged.added.programs), (0, 3, 30));
    assert_eq!(short.compare(&long).unwrap(), None);
    assert_eq!(long.merge(short.path()).unwrap(), Merged::default());
}

#[test]
fn times_and_row_numbers_are_no_difference_and_everything_else_is() {
    let dir = folder("compare");
    let a = with_run(&dir.join("a.db"), 1, 3, 10, 0);
    // The same content in another order of rows, at another time.
    let mut b = open(&dir.join("b.db"));
    let mut all = generation(RunNumber(1), 0, 10, 9);
    let run = b.begin_run(&new_run(1, 9)).unwrap();
    all.records.programs.reverse();
    all.records.tasks.reverse();
    b.commit(&all).unwrap();
    b.commit(&generation(run, 1, 10, 9)).unwrap();
    b.commit(&generation(run, 2, 10, 9)).unwrap();
    assert_eq!(a.compare(&b).unwrap(), None);

    let mut other = generation(run, 3, 10, 9);
    b.commit(&other).unwrap();
    let difference = a.compare(&b).unwrap().unwrap();
    assert_eq!(difference.table, "run");
    assert!(difference.to_string().contains("generations 3"), "{difference}");
    let mut c = with_run(&dir.join("c.db"), 1, 3, 10, 0);
    other.records.results[0].similarity += 1;
    c.commit(&other).unwrap();
    let difference = b.compare(&c).unwrap().unwrap();
    assert_eq!(difference.table, "result");
    assert!(difference.to_string().contains("similarity 31"), "{difference}");
}

#[test]
fn programs_with_functions_of_their_own_come_back() {
    let text = "
def twice(g):
    return hconcat(g, g)

def solve_a(I):
    x1 = lambda g: apply(rot90, (g, I))
    return first(x1(I))

def solve_b(I):
    x1 = lambda g: apply(hmirror, (g, I))
    return first(x1(I))

def solve_c(I):
    return first(apply(twice, (I, rot90(I))))

def solve_d(S, I, C):
    x1 = compose(lambda g: vconcat(g, rot90(g)), first)
    return x1(first(S))
";
    let loaded = arcloom_lang::load_file(text);
    assert!(loaded.errors.is_empty() && loaded.programs.len() == 4, "{:?}", loaded.errors);
    let records: Vec<ProgramRecord> =
        loaded.programs.iter().map(|program| ProgramRecord::new(program, "mine.py")).collect();
    let mut archive = open(&folder("functions").join("a.db"));
    let added = archive.add(&Records { programs: records.clone(), ..Records::default() }).unwrap();
    assert_eq!(added.programs, 4);
    for (record, program) in records.iter().zip(&loaded.programs) {
        let stored = archive.program(record.id).unwrap().unwrap();
        assert_eq!(stored.program().unwrap(), *program, "{}", record.text);
    }
}

#[test]
fn values_are_remembered_and_their_uses_counted() {
    let mut archive = open(&folder("remembered").join("a.db"));
    let value = cached(1, 5);
    archive.remember(std::slice::from_ref(&value), &[]).unwrap();
    archive.remember(std::slice::from_ref(&value), std::slice::from_ref(&value.key)).unwrap();
    assert_eq!(archive.cached(&value.key).unwrap(), Some(CacheRecord { hits: 1, ..value }));
    assert_eq!(archive.cached(&[1, 2]).unwrap(), None);
}

#[test]
fn programs_come_a_page_at_a_time() {
    let path = folder("pages").join("a.db");
    let archive = with_run(&path, 1, 3, 20, 0);
    let run = archive.runs().unwrap()[0].number;
    let page = |query: PageQuery| {
        let page = archive.page(&query).unwrap();
        let names: Vec<String> = page.programs.into_iter().map(|program| program.name).collect();
        (page.total, names)
    };
    let query = || PageQuery { limit: 2, ..PageQuery::default() };
    assert_eq!(page(query()), (60, vec!["solve_59".to_owned(), "solve_58".to_owned()]));
    let (total, names) = page(PageQuery { offset: 59, ..query() });
    assert_eq!((total, names), (60, vec!["solve_0".to_owned()]));
    assert_eq!(page(PageQuery { offset: 60, ..query() }), (60, vec![]));
    assert_eq!(page(PageQuery { text: "solve_7".into(), ..query() }).0, 1);
    assert_eq!(page(PageQuery { text: "solve%7".into(), ..query() }).0, 0, "no wildcard");
    assert_eq!(page(PageQuery { text: "' OR 1".into(), ..query() }).0, 0);
    assert_eq!(page(PageQuery { run: Some(run), ..query() }).0, 60);
    assert_eq!(page(PageQuery { run: Some(RunNumber(99)), ..query() }).0, 0);
    // Every seventh solves all pairs, on two tasks by turns; the best come first.
    assert_eq!(page(PageQuery { solved: true, ..query() }).0, 9);
    let (total, names) = page(PageQuery { task: Some("t1".into()), solved: true, ..query() });
    assert_eq!((total, names[0].as_str()), (4, "solve_49"));
    assert_eq!(page(PageQuery { task: Some("t9".into()), ..query() }).0, 0);
}

#[test]
fn tasks_and_islands_stand_as_their_best_programs_do() {
    let path = folder("standings").join("a.db");
    let archive = with_run(&path, 1, 3, 20, 0);
    let standings = archive.task_results().unwrap();
    assert_eq!(standings.len(), 2);
    let t1 = &standings[1];
    assert_eq!((t1.name.as_str(), t1.programs, t1.best), ("t1", 30, id(49)));
    assert_eq!((t1.solved, t1.demos, t1.similarity), (3, 3, 49));
    let run = archive.runs().unwrap()[0].number;
    let islands = archive.islands(run).unwrap();
    assert_eq!(islands.len(), 2);
    assert_eq!((islands[0].tasks, islands[0].alive), (1, 4));
    assert_eq!(archive.generations_from(run, 2).unwrap().len(), 1);
}
