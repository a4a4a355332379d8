//! Evolution repeats: on any number of threads, interrupted or not, whatever the test answers are.

use std::path::{Path, PathBuf};

use arcloom::archive::{Access, Archive, Filter};
use arcloom::corpus::{MorePairs, TestPair};
use arcloom::evolve::{EvolveConfig, EvolveReport, EvolveRequest, validate};
use arcloom::{Catalog, Engine, Grid, Library, Stop, TaskSet};

/// Tasks of which some are solved by what is there and some are not.
const TASKS: &[&str] = &[
    "tally",
    "ring_largest",
    "largest_like_smallest",
    "peel_and_repeat",
    "zoom_by_own_width",
    "parity_half",
];

fn file(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evolve");
    std::fs::create_dir_all(&dir).expect("a folder for the test");
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(dir.join(format!("{name}.sqlite{end}")));
    }
    dir.join(format!("{name}.sqlite"))
}

fn given() -> (Library, TaskSet) {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let library = Library::load(&catalog, &specs, &mut std::io::empty()).expect("programs");
    let mut tasks = catalog.resolve_tasks("embedded").expect("tasks");
    tasks.tasks.retain(|task| TASKS.contains(&task.id.as_str()));
    assert_eq!(tasks.tasks.len(), TASKS.len());
    (library, tasks)
}

fn evolve(path: &Path, threads: usize, generations: u64, islands: usize) -> EvolveReport {
    let (library, tasks) = given();
    evolve_on(path, threads, generations, islands, &library, &tasks, &Stop::default())
}

fn evolve_on(
    path: &Path,
    threads: usize,
    generations: u64,
    islands: usize,
    library: &Library,
    tasks: &TaskSet,
    stop: &Stop,
) -> EvolveReport {
    let engine = Engine::builder().threads(threads).call_budget(200_000).build().expect("threads");
    let config = EvolveConfig {
        seed: 5,
        generations: Some(generations),
        children: 60,
        population: 16,
        islands,
        migrate_every: 2,
        stop_when_solved: false,
        // Within the run, so that pruning has to come out the same as well.
        prune_every: 2,
        ..EvolveConfig::default()
    };
    let mut archive = Archive::create_or_open(path, Access::Write).expect("an archive");
    engine
        .evolve(
            &EvolveRequest::new(&library.programs, tasks, &config),
            &mut archive,
            stop,
            &mut |_| {},
        )
        .expect("the archive takes it")
}

#[track_caller]
fn same(one: &Path, other: &Path) {
    let open = |path: &Path| Archive::create_or_open(path, Access::Read).expect("an archive");
    let difference = open(one).compare(&open(other)).expect("both can be read");
    assert!(difference.is_none(), "{difference:?}");
}

#[test]
fn threads_and_interruptions_leave_the_same_archive() {
    let (one, two, resumed) = (file("one"), file("two"), file("resumed"));
    let whole = evolve(&one, 1, 6, 2);
    evolve(&two, 2, 6, 2);
    same(&one, &two);
    // Stopped between generations, stopped within one, and taken up again.
    let first = evolve(&resumed, 2, 2, 2);
    assert_eq!((first.generations, first.resumed_at), (3, 0));
    let (library, tasks) = given();
    let stop = Stop::default();
    stop.set();
    let stopped = evolve_on(&resumed, 1, 6, 2, &library, &tasks, &stop);
    assert!(stopped.stopped && stopped.generations == 3);
    let last = evolve(&resumed, 1, 6, 2);
    assert_eq!((last.generations, last.resumed_at), (7, 3));
    same(&one, &resumed);
    assert_eq!(whole.standings, last.standings);
}

#[test]
fn something_is_found_and_stands_validation() {
    let path = file("found");
    let report = evolve(&path, 2, 25, 1);
    assert!(report.solved.1 > report.solved.0, "{:?}", report.solved);
    let (_, tasks) = given();
    let engine = Engine::builder().threads(1).build().expect("threads");
    for found in &report.found {
        let task = tasks.get(&found.task).expect("a task of the set");
        assert!(validate(&found.program, task, &[], &mut engine.machine()), "{}", found.task);
        assert!(found.generation > 0);
    }
    let archive = Archive::create_or_open(&path, Access::Read).expect("an archive");
    let runs = archive.runs().expect("readable");
    for generation in archive.generations(runs[0].number).expect("readable") {
        assert!(generation.stats.contains("\"calls_computed\":"), "{}", generation.stats);
    }
    let stored = archive.programs(&Filter::default()).expect("readable");
    let evolved = stored.iter().filter(|record| record.generation > Some(0));
    assert!(evolved.clone().count() > 0);
    for record in evolved {
        let scores = archive.scores(record.id).expect("readable");
        let results = archive.results(record.id).expect("readable");
        // Of what is kept for its lineage alone only the text stays.
        assert_eq!(scores.len(), results.len() * arcloom_dsl::differ::ALL.len(), "{}", record.name);
        assert!(record.operator.is_some() && !record.parents.is_empty(), "{}", record.name);
        assert!(record.program().is_ok());
    }
}

#[test]
fn test_answers_do_not_matter() {
    let (known, wrong) = (file("known"), file("wrong"));
    let (library, tasks) = given();
    let mut fooled = tasks.clone();
    for test in fooled.tasks.iter_mut().flat_map(|task| &mut task.tests) {
        *test = TestPair::new(test.input.clone(), Grid::from_rows(&[[9, 9, 8]]));
    }
    let stop = Stop::default();
    let one = evolve_on(&known, 1, 3, 1, &library, &tasks, &stop);
    let other = evolve_on(&wrong, 1, 3, 1, &library, &fooled, &stop);
    same(&known, &wrong);
    assert_eq!(one.standings, other.standings);
}

#[test]
fn built_in_programs_hold_on_further_pairs_and_lookups_do_not() {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let library = Library::load(&catalog, &specs, &mut std::io::empty()).expect("programs");
    let tasks = catalog.resolve_tasks("embedded").expect("tasks");
    let more = MorePairs::embedded(&tasks, catalog.limits()).expect("pairs");
    let engine = Engine::builder().threads(1).build().expect("threads");
    for entry in &library.programs {
        let task = tasks.get(&entry.task).expect("a task of its own");
        assert!(
            validate(&entry.program, task, more.of(&task.id), &mut engine.machine()),
            "{}",
            task.id
        );
    }
    // The identity solves a task whose demos it was shown, and nothing of a real one.
    let task = tasks.get("tally").expect("a task");
    let mut same = task.clone();
    for pair in &mut same.demos {
        pair.output = pair.input.clone();
    }
    let identity = Library::from_text("t.py", "def solve_t(I):\n    return rot90(rot270(I))\n");
    let program = &identity.programs[0].program;
    assert!(validate(program, &same, &[], &mut engine.machine()));
    assert!(!validate(program, &same, more.of("tally"), &mut engine.machine()));
}

/// By work and not by the clock, so that it ends at the same generation however often it was stopped.
#[test]
fn a_run_ends_when_its_work_is_done() {
    let (library, tasks) = given();
    let engine = Engine::builder().call_budget(200_000).build().expect("threads");
    let run = |name: &str, work: u64, stops: &[u64]| {
        let path = file(name);
        let mut archive = Archive::create_or_open(&path, Access::Write).expect("an archive");
        let mut evolve = |generations| {
            let config = EvolveConfig {
                generations,
                work: Some(work),
                children: 20,
                stop_when_solved: false,
                ..EvolveConfig::default()
            };
            let stop = Stop::default();
            engine
                .evolve(
                    &EvolveRequest::new(&library.programs, &tasks, &config),
                    &mut archive,
                    &stop,
                    &mut |_| {},
                )
                .expect("the archive takes it")
        };
        for &last in stops {
            evolve(Some(last));
        }
        evolve(None).generations
    };
    assert_eq!(run("no work", 0, &[]), 1);
    let (some, more) = (run("some work", 1_000_000, &[]), run("more work", 4_000_000, &[]));
    assert!(1 < some && some < more, "{some} and {more}");
    assert_eq!(run("stopped work", 4_000_000, &[0, 2]), more);
}
