//! What runs hand in for tasks, and whether a run is at work.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod common;

use arcloom_store::{
    Access, Archive, NewRun, Records, RunKind, RunNumber, RunState, RunTaskRecord, StandingRecord,
};
use common::{folder, new_run, task, tasks};

fn record(run: RunNumber, number: u64, fits: u32, seconds: Option<f64>) -> RunTaskRecord {
    let standing = StandingRecord {
        task: task(number),
        demos: 3,
        fits,
        similarity: 900,
        origin: "search".to_owned(),
        program: None,
        attempts: vec![vec!["[[1]]".to_owned(), "[[2]]".to_owned()], Vec::new()],
    };
    let proposals = "[{\"doubt\": -7}]".to_owned();
    RunTaskRecord { run, standing, proposals, seconds }
}

fn solve(started: i64) -> NewRun {
    NewRun { kind: RunKind::Solve, about: "{\"tasks\": \"t\"}".to_owned(), ..new_run(0, started) }
}

#[test]
fn what_a_run_hands_in_is_there_again_and_merges() {
    let folder = folder("run-tasks");
    let mut archive = Archive::create_or_open(folder.join("a.db"), Access::Write).unwrap();
    let run = archive.begin_run(&solve(1)).unwrap();
    let run_tasks = vec![record(run, 0, 2, Some(0.5)), record(run, 1, 3, None)];
    archive.add(&Records { tasks: tasks(2), run_tasks, ..Records::default() }).unwrap();
    // What is not known does not take the place of what is.
    let run_tasks = vec![record(run, 0, 3, None)];
    archive.add(&Records { run_tasks, ..Records::default() }).unwrap();
    let rows = archive.run_tasks(Some(run), None, false).unwrap();
    let of = |number| rows.iter().find(|row| row.task == task(number)).unwrap();
    assert_eq!((of(0).fits, of(0).seconds, of(0).doubt), (3, Some(0.5), Some(-7)));
    assert_eq!((of(0).attempts.as_str(), of(0).proposals.as_str()), ("[[[[1]], [[2]]], []]", "[]"));
    let whole = archive.run_tasks(None, Some(task(1)), true).unwrap();
    assert_eq!((whole.len(), whole[0].proposals.as_str()), (1, "[{\"doubt\": -7}]"));
    archive.set_run_state(run, RunState::Finished).unwrap();
    drop(archive);

    // Another archive with a part of the same run has all of it afterwards.
    let mut other = Archive::create_or_open(folder.join("b.db"), Access::Write).unwrap();
    let run = other.begin_run(&solve(2)).unwrap();
    let run_tasks = vec![record(run, 1, 3, None)];
    other.add(&Records { tasks: tasks(2), run_tasks, ..Records::default() }).unwrap();
    let merged = other.merge(&folder.join("a.db")).unwrap();
    assert_eq!((merged.runs, other.run_tasks(None, None, false).unwrap().len()), (0, 2));
    assert_eq!(other.runs().unwrap()[0].state, RunState::Finished);
    let first = Archive::create_or_open(folder.join("a.db"), Access::Read).unwrap();
    assert_eq!(other.compare(&first).unwrap(), None);
}

#[test]
fn a_run_is_at_work_as_long_as_its_process_has_the_lock() {
    let folder = folder("alive");
    let mut writer = Archive::create_or_open(folder.join("a.db"), Access::Write).unwrap();
    let run = writer.begin_run(&solve(1)).unwrap();
    let reader = Archive::create_or_open(folder.join("a.db"), Access::Read).unwrap();
    let now = || reader.runs().unwrap().pop().unwrap();
    assert_eq!((now().kind, now().process), (RunKind::Solve, Some(std::process::id())));
    assert!(reader.is_alive(&now()));
    writer.set_run_state(run, RunState::Stopped).unwrap();
    assert!(!reader.is_alive(&now()) && now().state == RunState::Stopped);
    writer.resume_run(run).unwrap();
    assert!(reader.is_alive(&now()) && now().state == RunState::Running);
    // Another process's run is not at work because this one writes.
    let mut other = now();
    other.process = Some(0);
    assert!(!reader.is_alive(&other));
    drop(writer);
    assert!(!reader.is_alive(&now()), "nobody writes");
}
