//! Batts on tasks: what is found, what stays out of it, and that it repeats.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arcloom::archive::{Access, Archive};
use arcloom::corpus::TestPair;
use arcloom::run::KeptStats;
use arcloom::run::{Differs, RunOptions, RunReport, TaskRun};
use arcloom::{Batt, BattBuilder, Catalog, Engine, Grid, Library, Stop, TaskSet, TestState};

fn library(text: &str) -> Library {
    let library = Library::from_text("test.py", text);
    assert!(library.errors.is_empty(), "{:?}", library.errors);
    library
}

fn woven(library: &Library) -> Batt {
    let mut merged = BattBuilder::default();
    for entry in &library.programs {
        merged.add(&entry.program, &entry.task);
    }
    merged.finish()
}

fn embedded_library() -> Library {
    let specs = ["library:embedded".to_owned()];
    Library::load(&Catalog::open(None), &specs, &mut std::io::empty()).expect("embedded programs")
}

fn embedded() -> (Batt, TaskSet) {
    let catalog = Catalog::open(None);
    (woven(&embedded_library()), catalog.resolve_tasks("embedded").expect("embedded tasks"))
}

fn engine(threads: usize) -> Engine {
    Engine::builder().threads(threads).build().expect("threads")
}

fn run(engine: &Engine, batt: &Batt, tasks: &TaskSet, options: &RunOptions) -> RunReport {
    engine.run(batt, tasks, options, &Stop::default(), &|_| {})
}

fn runs(report: &RunReport) -> Vec<(&str, &TaskRun)> {
    report.tasks.iter().map(|task| (task.id.as_str(), &task.run)).collect()
}

#[test]
fn programs_solve_their_own_tasks() {
    let (batt, tasks) = embedded();
    let report = run(&engine(1), &batt, &tasks, &RunOptions::default());
    assert_eq!(report.tasks.len(), tasks.tasks.len());
    for root in batt.roots() {
        let task = report.tasks.iter().find(|task| task.id == root.task).unwrap();
        assert!(task.verdict.is_fit() && task.verdict.is_right(), "{}", root.task);
        assert!(!task.elsewhere, "{}", root.task);
        let best = &task.run.best[0];
        assert_eq!((best.solved, best.similarity), (task.run.demos, Some(1000)));
        assert!(best.size <= root.size, "nothing larger than the program itself is best");
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let (batt, mut tasks) = embedded();
    let options = RunOptions::default();
    let one = run(&engine(1), &batt, &tasks, &options);
    for threads in [2, 3, 8] {
        let many = run(&engine(threads), &batt, &tasks, &options);
        assert_eq!(runs(&one), runs(&many));
        assert_eq!(one.counts, many.counts);
    }
    // Few tasks: their inputs are shared out instead.
    tasks.tasks.truncate(2);
    let one = run(&engine(1), &batt, &tasks, &options);
    assert_eq!(runs(&one), runs(&run(&engine(4), &batt, &tasks, &options)));
}

#[test]
fn test_answers_change_nothing_but_the_verdict() {
    let (batt, tasks) = embedded();
    let mut wrong = tasks.clone();
    for test in wrong.tasks.iter_mut().flat_map(|task| &mut task.tests) {
        *test = TestPair::new(test.input.clone(), Grid::from_rows(&[[9, 9, 8]]));
    }
    let mut without = tasks.clone();
    without.tasks.iter_mut().flat_map(|task| &mut task.tests).for_each(TestPair::hide_expected);
    let engine = engine(1);
    let known = run(&engine, &batt, &tasks, &RunOptions::default());
    let fooled = run(&engine, &batt, &wrong, &RunOptions::default());
    let blind = run(&engine, &batt, &without, &RunOptions::default());
    assert_eq!(runs(&known), runs(&fooled));
    assert_eq!(runs(&known), runs(&blind));
    assert!(known.right() > 30 && fooled.right() == 0);
    assert!(blind.tasks.iter().all(|task| task.verdict.tests == TestState::Unknown));
}

#[test]
fn a_later_run_finds_what_an_earlier_one_computed() {
    let (batt, tasks) = embedded();
    let engine = Engine::builder().threads(2).cache_bytes(64 << 20).build().unwrap();
    let first = run(&engine, &batt, &tasks, &RunOptions::default());
    let second = run(&engine, &batt, &tasks, &RunOptions::default());
    assert_eq!(runs(&first).len(), runs(&second).len());
    assert_eq!(first.cache.hits, 0);
    assert_eq!((second.cache.hits, second.cache.misses), (first.cache.misses, 0));
    assert_eq!(second.counts.calls, 0, "nothing was computed again");
    assert!(second.cache.saved > Duration::ZERO && second.cache.bytes > 0);
    for (one, other) in first.tasks.iter().zip(&second.tasks) {
        assert_eq!((&one.run.best, &one.run.attempts), (&other.run.best, &other.run.attempts));
    }
    // Another budget is another key; so is another batt.
    let other = woven(&library("def solve_x(I):\n    return rot90(I)\n"));
    assert_eq!(run(&engine, &other, &tasks, &RunOptions::default()).cache.hits, 0);
    // A cache that is too small forgets the oldest and never grows.
    let small = Engine::builder().threads(1).cache_bytes(10_000).build().unwrap();
    run(&small, &batt, &tasks, &RunOptions::default());
    assert!(run(&small, &batt, &tasks, &RunOptions::default()).cache.bytes <= 10_000);
}

const BAD: &str = "\
def solve_runaway(I):
    x1 = asindices(I)
    x2 = product(x1, x1)
    x3 = product(x2, x2)
    O = apply(first, x3)
    return O
def solve_never(I):
    x1 = first(frozenset())
    O = hconcat(I, x1)
    return O
def solve_number(I):
    O = height(I)
    return O
";

#[test]
fn bad_programs_do_not_disturb_the_others() {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let good = Library::load(&catalog, &specs, &mut std::io::empty()).unwrap();
    let mut all = good.clone();
    all.programs.extend(library(BAD).programs);
    let mut tasks = catalog.resolve_tasks("embedded").unwrap();
    tasks.tasks.truncate(8);
    let alone = run(&engine(1), &woven(&good), &tasks, &RunOptions::default());
    let with = run(&engine(1), &woven(&all), &tasks, &RunOptions::default());
    assert_eq!(alone.right(), with.right());
    for (one, other) in alone.tasks.iter().zip(&with.tasks) {
        assert_eq!(one.run.attempts, other.run.attempts, "{}", one.id);
        assert!(other.run.failed_programs > one.run.failed_programs, "{}", one.id);
    }
    assert!(with.counts.over_budget > 0);
    assert!(with.tasks.iter().any(|task| task.run.stopped_programs > 0));
}

#[test]
fn only_bad_programs_leave_nothing_to_report() {
    let tasks = Catalog::open(None).resolve_tasks("embedded").unwrap();
    let batt = woven(&library("def solve_never(I):\n    return hconcat(1, 2)\n"));
    let report = run(&engine(1), &batt, &tasks, &RunOptions::default());
    assert_eq!((report.fits(), report.right()), (0, 0));
    assert!(report.tasks.iter().all(|task| task.run.best.is_empty()));
    assert!(report.tasks.iter().all(|task| task.run.attempts.tests().iter().all(Vec::is_empty)));
}

#[test]
fn a_task_with_one_demo_is_a_task() {
    let (batt, mut tasks) = embedded();
    tasks.tasks.iter_mut().for_each(|task| task.demos.truncate(1));
    let report = run(&engine(1), &batt, &tasks, &RunOptions::default());
    assert!(report.fits() >= batt.roots().len());
}

#[test]
fn ten_thousand_copies_cost_as_much_as_one() {
    let text: String = (0..10_000)
        .map(|n| {
            format!("def solve_{n}(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n")
        })
        .collect();
    let batt = woven(&library(&text));
    assert!(batt.nodes().len() <= 3, "{:?}", batt.nodes());
    let mut tasks = Catalog::open(None).resolve_tasks("embedded").unwrap();
    tasks.tasks.truncate(3);
    let report = run(&engine(1), &batt, &tasks, &RunOptions::default());
    let task = &report.tasks[0].run;
    assert!(task.groups <= 3 && task.best.iter().any(|best| best.roots.len() == 10_000));
}

#[test]
fn users_differs_judge_and_bad_ones_are_counted() {
    let (batt, mut tasks) = embedded();
    tasks.tasks.truncate(6);
    let user = library(
        "\
def differ_height(S, I, C):
    x1 = equality(height(I), height(C))
    O = branch(x1, astuple(1000, height(C)), astuple(0, height(C)))
    return O
def differ_fails(S, I, C):
    O = hconcat(height(I), 7)
    return O
def differ_grid(S, I, C):
    return C
",
    );
    let differs = Differs::native().with_programs(&user.programs);
    assert!(differs.names().any(|name| name == "differ_height"));
    let options = RunOptions { differs, ..RunOptions::default() };
    let report = run(&engine(1), &batt, &tasks, &options);
    let plain = run(&engine(1), &batt, &tasks, &RunOptions::default());
    assert_eq!(report.right(), plain.right());
    for task in &report.tasks {
        let faults: Vec<&str> = task.run.differ_faults.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(faults, ["differ_fails", "differ_grid"], "{}", task.id);
        let best = &task.run.best[0];
        let height = best.scores.iter().find(|score| score.differ == "differ_height").unwrap();
        assert!(
            height.score <= 1000 && (height.finding.is_some() || best.solved == task.run.demos)
        );
    }
}

#[test]
fn the_expected_grid_has_every_point_of_a_differ_whatever_the_differ_says() {
    let (batt, tasks) = embedded();
    // Like some of an earlier pipeline's, this one gives points for what is in the candidate alone.
    let user = Library::from_text(
        "differs.py",
        "def differ_more(S, I, C):\n    x1 = palette(I)\n    x2 = palette(C)\n    x3 = difference(x1, x2)\n    O = size(x3)\n    return O\n",
    );
    let differs = Differs::native().with_programs(&user.programs);
    let report = run(&engine(1), &batt, &tasks, &RunOptions { differs, ..RunOptions::default() });
    let fitting = report.tasks.iter().filter(|task| task.run.best[0].solved == task.run.demos);
    let mut seen = 0;
    for task in fitting {
        seen += 1;
        let scores = &task.run.best[0].scores;
        let more = scores.iter().find(|score| score.differ == "differ_more").unwrap();
        assert_eq!(more.score, 1000, "{}", task.id);
        assert_eq!(task.run.best[0].similarity, Some(1000), "{}", task.id);
    }
    assert!(seen > 10);
}

#[test]
fn stopping_reports_what_is_finished() {
    let (batt, tasks) = embedded();
    let stop = Stop::default();
    let seen = AtomicUsize::new(0);
    let report = engine(1).run(&batt, &tasks, &RunOptions::default(), &stop, &|done| {
        seen.store(done, Ordering::Relaxed);
        if done == 5 {
            stop.set();
        }
    });
    assert_eq!((report.tasks.len(), report.unfinished), (5, tasks.tasks.len() - 5));
    let late = Stop::at(Some(Instant::now()));
    let report = engine(2).run(&batt, &tasks, &RunOptions::default(), &late, &|_| {});
    assert_eq!((report.tasks.len(), report.unfinished), (0, tasks.tasks.len()));
}

#[test]
fn what_a_run_keeps_is_not_validated_again_by_one_that_draws_other_programs() {
    let (batt, tasks) = embedded();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept.db");
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    // Each time another engine and another connection, as in another process.
    let keep = |batt: &Batt, budget: u64, threads: usize| -> KeptStats {
        let engine = Engine::builder().threads(threads).call_budget(budget).build().unwrap();
        let report = run(&engine, batt, &tasks, &RunOptions::default());
        let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
        engine.keep_run(&report, &tasks, &mut archive).unwrap()
    };
    let first = keep(&batt, 1_000_000, 2);
    assert!(
        first.hits == 0 && first.misses > 30 && first.results as u64 == first.misses,
        "{first:?}"
    );
    assert!(first.programs > 20 && first.programs <= first.results);
    let again = keep(&batt, 1_000_000, 1);
    assert_eq!((again.hits, again.misses, again.results), (first.misses, 0, 0));
    assert!(again.saved > Duration::ZERO && again.validated == Duration::ZERO);
    // One program more is another batt, and finds nearly all of it all the same.
    let text = "def solve_x(I):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n";
    let more = library(text).programs.into_iter().chain(embedded_library().programs);
    let more: Vec<_> = more.collect();
    let other = keep(&engine(1).merge(&more), 1_000_000, 1);
    assert!(other.hits > 9 * other.misses, "{other:?}");
    // Within another budget a program may do something else.
    assert_eq!(keep(&batt, 2_000_000, 1).hits, 0);
    // What is stored is what `verify` finds out again.
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    let verified =
        engine(1).verify_archive(&archive, std::slice::from_ref(&tasks), &|_| {}).unwrap();
    assert_eq!(verified.problems, [""; 0]);
}
