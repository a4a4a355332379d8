//! `solve` through the library: what is kept when a run ends early.

use std::sync::Mutex;

use arcloom::archive::{Access, Archive, RunKind, Storage, StoreError};
use arcloom::corpus::Catalog;
use arcloom::{
    Ablation, Engine, Ingredient, Library, Shard, SolveOptions, SolveReport, SolveTask, Stop,
    TaskSet,
};

fn embedded() -> (Engine, Library, TaskSet) {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let library = Library::load(&catalog, &specs, &mut std::io::empty()).expect("it is built in");
    let mut tasks = catalog.resolve_tasks("embedded").expect("they are built in");
    tasks.tasks.truncate(8);
    (Engine::builder().threads(1).build().expect("an engine"), library, tasks)
}

/// What a run found, without the time that it took.
fn answers(report: &SolveReport) -> String {
    format!("{:?}", report.tasks.iter().map(timeless).collect::<Vec<_>>())
}

fn timeless(task: &SolveTask) -> SolveTask {
    SolveTask { cpu: None, ..task.clone() }
}

#[test]
fn a_run_that_was_stopped_goes_on_with_the_tasks_that_are_left() {
    let (engine, library, tasks) = embedded();
    let options = SolveOptions { budget: 0.01, folds: true, ..SolveOptions::default() };
    let mut archive = Archive::in_memory().unwrap();
    let solve = |archive: Option<&mut Archive>, options: &SolveOptions, most: usize| {
        let (stop, heard) = (Stop::default(), Mutex::new(Vec::new()));
        let progress = |done: usize| {
            heard.lock().unwrap().push(done);
            if done >= most {
                stop.set();
            }
        };
        let archive = archive.map(Storage::from);
        let report = engine.solve(&library, &tasks, options, archive, &stop, &progress).unwrap();
        let mut looked_at = heard.into_inner().unwrap();
        looked_at.dedup();
        (report, looked_at.len())
    };
    let (whole, _) = solve(None, &options, usize::MAX);
    let (begun, _) = solve(Some(&mut archive), &options, 3);
    assert_eq!((begun.tasks.len(), begun.unfinished), (3, tasks.tasks.len() - 3));
    let runs = archive.runs().unwrap();
    assert!(runs.iter().all(|run| run.kind == RunKind::Solve), "something was bred");
    let (rest, _) = solve(Some(&mut archive), &options, usize::MAX);
    assert_eq!(rest.unfinished, 0);
    assert_eq!(answers(&rest), answers(&whole));
    // All of it is there now, and nothing is looked at again: one word for each fold.
    let folds = whole.tasks.iter().map(|t| arcloom_search::costs::fold(&t.id));
    let folds: std::collections::BTreeSet<u8> = folds.collect();
    let (again, looked_at) = solve(Some(&mut archive), &options, usize::MAX);
    assert_eq!((answers(&again), looked_at), (answers(&whole), folds.len()));
    // Another budget is another question.
    let other = SolveOptions { budget: 0.02, ..options };
    let (_, looked_at) = solve(Some(&mut archive), &other, usize::MAX);
    assert!(looked_at >= tasks.tasks.len());
}

#[test]
fn a_run_that_is_ended_has_the_answers_of_its_first_look() {
    let (engine, library, tasks) = embedded();
    let brief = SolveOptions { budget: 0.01, ..SolveOptions::default() };
    let options = SolveOptions { budget: 0.03, first_look: Some(brief.budget), ..brief.clone() };
    let n = tasks.tasks.len();
    let solve = |options: &SolveOptions, most: usize| {
        let (stop, told) = (Stop::default(), Mutex::new(0));
        let progress = |_| {
            let mut told = told.lock().unwrap();
            *told += 1;
            if *told == most {
                stop.set();
            }
        };
        engine.solve(&library, &tasks, options, None, &stop, &progress).unwrap()
    };
    let alone = SolveOptions { first_look: None, ..options.clone() };
    let (first, whole) = (solve(&brief, usize::MAX), solve(&alone, usize::MAX));
    assert_ne!(answers(&first), answers(&whole), "more effort finds something else");
    // What a first look finds leaves no trace in a run that comes to its end.
    let done = solve(&options, usize::MAX);
    assert_eq!((done.brief, done.unfinished), (0, 0));
    assert_eq!(answers(&done), answers(&whole));
    // A look tells of itself when it begins and after each task: this one ends with the third task of the second.
    let ended = solve(&options, (1 + n) + (1 + 3));
    assert_eq!((ended.tasks.len(), ended.brief, ended.unfinished), (n, n - 3, 0));
    let same = |report: &SolveReport| {
        let alike = |(a, b): &(&SolveTask, &SolveTask)| {
            format!("{:?}", timeless(a)) == format!("{:?}", timeless(b))
        };
        ended.tasks.iter().zip(&report.tasks).filter(alike).count()
    };
    assert!(same(&whole) >= 3 && same(&first) >= n - 3);
}

#[test]
fn a_run_goes_on_without_an_archive_that_is_full_when_somebody_is_told() {
    let (engine, library, tasks) = embedded();
    let options =
        SolveOptions { budget: 0.01, evolve: Some(0.01), folds: true, ..SolveOptions::default() };
    let told = Mutex::new(Vec::new());
    let tell = |error: &StoreError| told.lock().unwrap().push(error.to_string());
    let solve = |storage: Option<Storage<'_>>| {
        engine.solve(&library, &tasks, &options, storage, &Stop::default(), &|_| {})
    };
    let whole = solve(None).unwrap();
    // Room for nothing, and for some tasks.
    for pages in [0, 4, 12] {
        let mut archive = Archive::in_memory().unwrap();
        archive.limit_pages(pages).unwrap();
        let ended = solve(Some(Storage::from(&mut archive))).unwrap_err();
        assert!(ended.to_string().contains("full"), "{ended}");
        let mut archive = Archive::in_memory().unwrap();
        archive.limit_pages(pages).unwrap();
        let report = solve(Some(Storage { archive: &mut archive, unstored: Some(&tell) })).unwrap();
        assert!(report.unstored);
        assert_eq!(answers(&report), answers(&whole), "{pages} pages");
        assert_eq!(std::mem::take(&mut *told.lock().unwrap()).len(), 1, "{pages} pages");
    }
}

#[test]
fn what_is_kept_belongs_to_tests_in_their_order() {
    let (engine, library, mut tasks) = embedded();
    let with_two = |t: &&arcloom::corpus::Task| t.demos.len() > 2;
    let mut task = tasks.tasks.iter().find(with_two).expect("a task of three demos").clone();
    // A second test, the answer to which is known: a demo.
    let demo = task.demos.pop().expect("a demo");
    let test = arcloom::corpus::TestPair::new(demo.input, Some(demo.output));
    task.tests.push(test);
    tasks.tasks = vec![task.clone()];
    let options = SolveOptions { budget: 0.02, ..SolveOptions::default() };
    let mut archive = Archive::in_memory().unwrap();
    let mut solve = |tasks: &TaskSet| {
        let archive = Some(Storage::from(&mut archive));
        engine.solve(&library, tasks, &options, archive, &Stop::default(), &|_| {}).unwrap()
    };
    let first = solve(&tasks);
    let right = first.tasks[0].verdict(&task);
    task.tests.reverse();
    tasks.tasks = vec![task.clone()];
    let swapped = solve(&tasks);
    let outputs = |report: &SolveReport| report.tasks[0].attempts().into_tests();
    let mut expected = outputs(&first);
    assert!(!expected.is_empty(), "something is proposed");
    expected.reverse();
    assert_eq!(outputs(&swapped), expected);
    assert_eq!(swapped.tasks[0].verdict(&task), right);
}

#[test]
fn shares_that_are_merged_are_the_whole_run_with_what_was_bred() {
    let (engine, library, tasks) = embedded();
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shares");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let solve = |name: &str, shard: Option<Shard>| {
        let options = SolveOptions {
            budget: 0.01,
            without: [Ablation::Ingredient(Ingredient::Search)].into(),
            evolve: Some(0.05),
            folds: true,
            shard,
            ..SolveOptions::default()
        };
        let path = dir.join(name);
        let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
        let storage = Some(Storage::from(&mut archive));
        engine.solve(&library, &tasks, &options, storage, &Stop::default(), &|_| {}).unwrap()
    };
    let whole = solve("whole.db", None);
    let shares: Vec<SolveReport> =
        (1..=3).map(|k| solve(&format!("{k}.db"), Shard::new(k, 3))).collect();
    assert_eq!(shares.iter().map(|share| share.tasks.len()).collect::<Vec<_>>(), [3, 3, 2]);
    let mut together: Vec<_> = shares.into_iter().flat_map(|share| share.tasks).collect();
    together.sort_by(|a, b| a.id.cmp(&b.id));
    let together: Vec<SolveTask> = together.iter().map(timeless).collect();
    assert_eq!(format!("{together:?}"), answers(&whole));
    let bred = |report: &SolveReport| {
        let by = report.tasks.iter().flat_map(|task| &task.proposals);
        by.filter(|proposal| proposal.sources.contains(&Ingredient::Evolution)).count()
    };
    assert!(bred(&whole) > 0, "nothing was bred: the test shows nothing");
    let mut merged = Archive::create_or_open(dir.join("1.db"), Access::Write).unwrap();
    for other in ["2.db", "3.db"] {
        merged.merge(&dir.join(other)).unwrap();
    }
    let whole = Archive::create_or_open(dir.join("whole.db"), Access::Read).unwrap();
    assert_eq!(merged.compare(&whole).unwrap(), None);
}
