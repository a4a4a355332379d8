//! Names, paths and the registry.

use std::fs;
use std::io;

use tempfile::TempDir;

use super::*;
use crate::inventory::{DataKind, Health, Status};

const TASK: &str = r#"{"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[3]]}]}"#;

fn open() -> (TempDir, Catalog) {
    let dir = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(Some(dir.path().join("data")));
    (dir, catalog)
}

fn write(dir: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn tasks_error(catalog: &Catalog, spec: &str) -> String {
    catalog.resolve_tasks(spec).unwrap_err().to_string()
}

fn programs(catalog: &Catalog, spec: &str) -> Result<Vec<SourceFile>, CorpusError> {
    catalog.resolve_programs(spec, &mut io::empty()).map(|sources| sources.files)
}

#[test]
fn what_is_built_in_needs_no_folder() {
    let catalog = Catalog { dir: None, limits: GridLimits::default() };
    let set = catalog.resolve_tasks("embedded").unwrap();
    assert_eq!(set.name, "embedded");
    assert_eq!(set.tasks.len(), crate::embedded::tasks().len());
    assert!(!programs(&catalog, "library:embedded").unwrap()[0].bytes.is_empty());
    assert!(catalog.list().unwrap().len() > 2);
    assert!(tasks_error(&catalog, "arc1").starts_with("no data folder"));
}

#[test]
fn the_data_folder_comes_from_the_environment() {
    let dir = |vars: &[(&str, &str)]| {
        let vars = vars.to_vec();
        default_dir(move |key| vars.iter().find(|(k, _)| *k == key).map(|(_, v)| v.into()))
    };
    let all = [("ARCLOOM_DATA_DIR", "/d"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
    assert_eq!(dir(&all), Some("/d".into()));
    assert_eq!(dir(&all[1..]), Some("/x/arcloom".into()));
    assert_eq!(
        dir(&[("XDG_DATA_HOME", "x"), ("HOME", "/h")]),
        Some("/h/.local/share/arcloom".into())
    );
    assert_eq!(dir(&[("ARCLOOM_DATA_DIR", ""), ("HOME", "")]), None);
}

#[test]
fn unknown_names_say_what_is_near_and_what_to_do() {
    let (_dir, catalog) = open();
    let error = tasks_error(&catalog, "arc1/training");
    assert_eq!(error, "arc1/training is not on this machine yet; run `arcloom data pull`");
    let error = tasks_error(&catalog, "arc1/trainning");
    assert!(error.contains("nearest names: arc1/training, "), "{error}");
    let error = tasks_error(&catalog, "arc3/training");
    assert!(error.starts_with(
        "\"arc3/training\": no such name or path; nearest names: arc1/training, arc2/training"
    ));
    assert!(error.contains("`arcloom data pull`") && !error.contains('\n'));
    assert!(tasks_error(&catalog, "mytasks.json").contains("no such file or folder"));
    assert!(tasks_error(&catalog, "./mytasks").contains("no such file or folder"));
    assert!(tasks_error(&catalog, "all.json#train").contains("all.json: no such file or folder"));
    assert!(tasks_error(&catalog, "library:rearc").contains("names programs, not tasks"));
    assert!(
        programs(&catalog, "arc1/training")
            .unwrap_err()
            .to_string()
            .contains("names tasks, not programs")
    );
    assert!(
        programs(&catalog, "library:rearc").unwrap_err().to_string().contains("arcloom data pull")
    );
    assert!(programs(&catalog, "library:rarc").unwrap_err().to_string().contains("library:rearc"));
    assert!(programs(&catalog, "x.py").unwrap_err().to_string().contains("no such file"));
}

#[test]
fn paths_with_and_without_a_split() {
    let (dir, catalog) = open();
    let path = write(
        &dir,
        "all.json",
        &format!(r#"{{"train": {{"a": {TASK}}}, "eval": {{"b": {TASK}}}}}"#),
    );
    let spec = |split: &str| format!("{}{split}", path.display());
    assert_eq!(catalog.resolve_tasks(&spec("")).unwrap().tasks.len(), 2);
    assert_eq!(catalog.resolve_tasks(&spec("#eval")).unwrap().tasks[0].id, "b");
    let odd = write(&dir, "odd#name.json", TASK);
    assert_eq!(catalog.resolve_tasks(&odd.display().to_string()).unwrap().tasks[0].id, "odd#name");
}

#[test]
fn standard_input_is_what_the_caller_gives() {
    let (_dir, catalog) = open();
    let files = catalog.resolve_programs("-", &mut &b"def solve(I): ..."[..]).unwrap().files;
    assert_eq!((files[0].name.as_str(), files[0].bytes.len()), ("<stdin>", 17));
}

#[test]
fn registered_names_work_like_paths() {
    let (dir, catalog) = open();
    write(&dir, "kaggle/arc-agi_training_challenges.json", &format!(r#"{{"a": {TASK}}}"#));
    write(&dir, "kaggle/arc-agi_test_challenges.json", &format!(r#"{{"b": {TASK}}}"#));
    write(&dir, "arc-dsl/solvers.py", "def solve_a(I):\n    return I\n");
    write(&dir, "arc-dsl/dsl.py", "def x(): pass");
    let added = catalog.add("kaggle-local", &dir.path().join("kaggle")).unwrap();
    assert_eq!(added.names, ["kaggle-local", "kaggle-local/test", "kaggle-local/training"]);
    assert_eq!((added.count, added.replaced), (2, None));
    let set = catalog.resolve_tasks("kaggle-local/training").unwrap();
    assert_eq!((set.name.as_str(), set.tasks[0].id.as_str()), ("kaggle-local/training", "a"));
    assert!(tasks_error(&catalog, "kaggle-local/evaluation").contains("it has test, training"));

    assert_eq!(catalog.add("library:arc-dsl", &dir.path().join("arc-dsl")).unwrap().count, 1);
    let files = programs(&catalog, "library:arc-dsl").unwrap();
    assert!(files.len() == 1 && files[0].name.ends_with("solvers.py"));

    let rows = catalog.list().unwrap();
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(
        (row("kaggle-local/test").kind, row("kaggle-local/test").count),
        (DataKind::Tasks, 1)
    );
    assert_eq!(
        (row("library:arc-dsl").kind, row("library:arc-dsl").count),
        (DataKind::Programs, 1)
    );
    assert_eq!(row("arc2/evaluation").status, Status::NotPulled);
    assert_eq!(row("embedded").status, Status::Ready);

    fs::remove_dir_all(dir.path().join("kaggle")).unwrap();
    let rows = catalog.list().unwrap();
    let row = rows.iter().find(|row| row.name == "kaggle-local").unwrap();
    assert!(matches!(&row.status, Status::Broken(why) if why.contains("no such file")), "{row:?}");
    let checks = catalog.verify().unwrap();
    let check = |name: &str| &checks.iter().find(|check| check.name == name).unwrap().health;
    assert_eq!(check("library:arc-dsl"), &Health::Good);
    assert!(matches!(check("kaggle-local"), Health::Bad(_)));
    assert_eq!(check("library/rearc/verifiers.py"), &Health::Absent);

    catalog.remove("kaggle-local").unwrap();
    assert!(catalog.remove("kaggle-local").is_err() && catalog.remove("arc1").is_err());
    assert!(tasks_error(&catalog, "kaggle-local").contains("no such name"));
}

#[test]
fn what_does_not_load_is_not_registered() {
    let (dir, catalog) = open();
    let bad = write(&dir, "bad.json", "{");
    let py = write(&dir, "x.py", "");
    assert!(catalog.add("mine", &bad).is_err());
    assert!(catalog.add("mine", &dir.path().join("none")).is_err());
    assert!(catalog.add("mine", &py).unwrap_err().to_string().contains("`library:`"));
    assert!(catalog.add("arc1", &bad).unwrap_err().to_string().contains("choose another"));
    assert!(!dir.path().join("data").exists());
}

#[test]
fn two_writers_lose_no_name() {
    let (dir, catalog) = open();
    let path = write(&dir, "t.json", TASK);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (catalog, path) = (&catalog, &path);
            scope.spawn(move || catalog.add(&format!("mine{n}"), path).unwrap());
        }
    });
    assert_eq!(catalog.registry().unwrap().entries.len(), 8);
    let names: Vec<_> =
        fs::read_dir(dir.path().join("data")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().starts_with(".tmp-")), "{names:?}");
}

#[test]
fn a_damaged_registry_is_said_and_does_not_hide_paths() {
    let (dir, catalog) = open();
    let path = write(&dir, "t.json", TASK).display().to_string();
    for text in ["{", r#"{"version": 9, "entries": {}}"#, "\u{0}"] {
        write(&dir, "data/registry.json", text);
        let error = tasks_error(&catalog, "mine");
        assert!(
            error.contains("registry.json: the list of registered names is damaged"),
            "{error}"
        );
        assert!(!error.contains('\n'));
        assert!(catalog.resolve_tasks(&path).is_ok());
        assert!(catalog.resolve_tasks("embedded").is_ok());
    }
}
