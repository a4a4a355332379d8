use std::cell::Cell;

use arcloom::{Catalog, Library};

use super::*;

fn tasks() -> TaskSet {
    let all = Catalog::open(None).resolve_tasks("embedded").unwrap();
    size::draw_tasks(&all, 6, 1).unwrap()
}

fn library(bodies: &[&str]) -> Library {
    let solver = |(n, body): (usize, &&str)| format!("def solve_t{n}(I):\n    return {body}\n");
    let library =
        Library::from_text("t.py", &bodies.iter().enumerate().map(solver).collect::<String>());
    assert_eq!((library.programs.len(), library.errors.len()), (bodies.len(), 0));
    library
}

const BODIES: &[&str] = &["rot90(I)", "hmirror(rot90(I))", "first(ofcolor(I, 11))", "height(I)"];

fn quick() -> BenchOptions {
    BenchOptions {
        jobs: vec![2, 1],
        task_counts: vec![2, 4, 400],
        program_counts: vec![2, 4],
        batches: vec![3, 9],
        repeats: 2,
        ..BenchOptions::default()
    }
}

#[test]
fn every_mode_is_measured_at_every_size() {
    let (library, tasks) = (library(BODIES), tasks());
    let bench = Bench::new(&library.programs, &tasks, &quick()).unwrap();
    assert_eq!(bench.sizes()[0].left_out, [400]);
    let steps = Cell::new(0);
    let report = bench.run(&Stop::default(), &|done| steps.set(done)).unwrap();
    assert_eq!(steps.get(), bench.steps());
    assert_eq!(report.experiments.len(), 3);
    for experiment in &report.experiments {
        assert_eq!(experiment.points.len(), 2);
        for point in &experiment.points {
            let modes: Vec<String> = point.rows.iter().map(|row| row.mode.to_string()).collect();
            assert_eq!(modes, ["sequential", "1 job", "2 jobs"]);
        }
    }
    let [tasks, programs, grids] = &report.experiments[..] else { panic!("three experiments") };
    assert_eq!(tasks.points[0].digest, programs.points[0].digest, "the same work");
    assert_eq!([grids.points[0].grids, grids.points[1].grids], [3, 9]);
}

#[test]
fn any_other_outcome_changes_the_digest() {
    let (right, wrong) = (library(BODIES), library(&["rot90(I)", "rot90(I)", "I", "height(I)"]));
    let tasks = tasks();
    // A program that fails for one reason here and for another there is a difference too.
    let other = library(&["rot90(I)", "hmirror(rot90(I))", "last(ofcolor(I, 11))", "height(I)"]);
    let engines = [(Mode::Jobs(1), Engine::builder().threads(1).build().unwrap())];
    let place = NodePlace { axis: Axis::Tasks, size: 6 };
    let verify = |work: &Workload<'_>| {
        verify::verify(work, &engines, Limits::default(), place, &Stop::default(), &mut || {})
    };
    let work = |library: &'_ Library| -> String {
        let programs = library.programs.iter().collect();
        verify(&Workload { programs, tasks: tasks.clone() }).unwrap().unwrap().digest
    };
    assert_eq!(work(&right), work(&right));
    assert_ne!(work(&right), work(&wrong));
    assert_ne!(work(&right), work(&other));
}

#[test]
fn a_difference_between_modes_is_found_and_named() {
    let (library, tasks) = (library(BODIES), tasks());
    let options = quick();
    let mut bench = Bench::new(&library.programs, &tasks, &options).unwrap();
    // Threads that may do less work than the others: calls end as over budget there.
    let starved = Engine::builder().threads(2).call_budget(1).build().unwrap();
    bench.engines[1] = (Mode::Jobs(2), starved);
    let Err(BenchError::Differs(difference)) = bench.run(&Stop::default(), &|_| {}) else {
        panic!("the planted difference was not found")
    };
    assert_eq!((difference.reference, difference.mode), (Mode::Sequential, Mode::Jobs(2)));
    let text = difference.to_string();
    assert!(text.starts_with("at 2 tasks, 2 jobs does not give what sequential gives: "), "{text}");
    assert!(text.contains("outcomes, the first that of solve_t"), "{text}");
}

#[test]
fn a_planted_report_is_found() {
    let (library, tasks) = (library(BODIES), tasks());
    let engines = [(Mode::Jobs(1), Engine::builder().threads(1).build().unwrap())];
    let place = NodePlace { axis: Axis::Grids, size: 30 };
    let work = Workload { programs: library.programs.iter().collect(), tasks };
    let limits = Limits::default();
    let verified = verify::verify(&work, &engines, limits, place, &Stop::default(), &mut || {})
        .unwrap()
        .unwrap();
    let mut run = mode::batt(&work, &engines[0].1, Mode::Jobs(1), &Stop::default());
    assert!(verified.check(&work, &run, Mode::Jobs(4), place).is_ok());
    run.tasks[2].run.groups += 1;
    let error = verified.check(&work, &run, Mode::Jobs(4), place).unwrap_err().to_string();
    let task = &run.tasks[2].id;
    assert_eq!(
        error,
        format!("at 30 grids, 4 jobs does not give what 1 job gives: the report on task {task}")
    );
    run.tasks[2].run.groups -= 1;
    run.counts.calls += 1;
    let error = verified.check(&work, &run, Mode::Jobs(4), place).unwrap_err().to_string();
    assert!(error.ends_with("the counts of all tasks"), "{error}");
}

#[test]
fn nothing_to_measure_is_said() {
    let (library, tasks) = (library(BODIES), tasks());
    let message =
        |programs: &[Entry], options: &BenchOptions| match Bench::new(programs, &tasks, options) {
            Ok(_) => panic!("there is nothing to measure"),
            Err(error) => error.to_string(),
        };
    assert_eq!(message(&[], &quick()), "there are no programs to measure; name some");
    let none = BenchOptions { jobs: Vec::new(), ..quick() };
    assert!(message(&library.programs, &none).contains("jobs"));
    let budget = BenchOptions { budget: 0, ..quick() };
    assert!(message(&library.programs, &budget).contains("budget is 0"));
}

#[test]
fn what_is_stopped_before_anything_was_measured_says_so() {
    let (library, tasks) = (library(BODIES), tasks());
    let options = BenchOptions { repeats: 1, ..quick() };
    let bench = Bench::new(&library.programs, &tasks, &options).unwrap();
    let stop = Stop::default();
    stop.set();
    assert!(matches!(bench.run(&stop, &|_| {}), Err(BenchError::Stopped)));
    // Stopped within the second size, once everything is verified: the first is reported.
    let stop = Stop::default();
    let verified = bench.steps() / 2;
    let progress = |done| {
        if done == verified + 4 {
            stop.set();
        }
    };
    let report = bench.run(&stop, &progress).unwrap();
    assert!(report.stopped);
    assert_eq!((report.experiments.len(), report.experiments[0].points.len()), (1, 1));
}

#[test]
fn devices_are_measured_beside_threads() {
    let (library, tasks) = (library(BODIES), tasks());
    let options = BenchOptions { devices: true, repeats: 1, ..quick() };
    let bench = Bench::new(&library.programs, &tasks, &options).unwrap();
    let report = bench.run(&Stop::default(), &|_| {}).unwrap();
    let rows = &report.experiments[0].points[0].rows;
    let modes: Vec<String> = rows.iter().map(|row| row.mode.to_string()).collect();
    println!("{modes:?} on {:?}", report.devices);
    let mut expected = vec!["sequential".to_owned(), "1 job".to_owned(), "2 jobs".to_owned()];
    expected.extend((0..report.devices.len()).map(|n| format!("gpu:{n}")));
    expected.extend((report.devices.len() > 1).then(|| "gpu".to_owned()));
    expected.push("auto".to_owned());
    assert_eq!(modes, expected);
    let auto = rows.last().unwrap();
    assert!(auto.note.as_ref().is_some_and(|why| why.contains("the ")), "{:?}", auto.note);
}

#[test]
fn a_device_that_differs_is_found() {
    let (library, tasks) = (library(BODIES), tasks());
    let mut bench = Bench::new(&library.programs, &tasks, &quick()).unwrap();
    // Whoever evaluates, calls end as over budget here; counts alone would not be a difference.
    let starved = Engine::builder().threads(2).call_budget(1).build().unwrap();
    let auto = Mode::Device(DeviceChoice::Auto);
    bench.engines.push((auto, starved));
    let Err(BenchError::Differs(difference)) = bench.run(&Stop::default(), &|_| {}) else {
        panic!("the planted difference was not found")
    };
    assert_eq!((difference.reference, difference.mode), (Mode::Jobs(1), auto));
}
