//! Every form of task file, and everything that can be wrong with one.

use std::fs;

use tempfile::TempDir;

use super::*;

const TASK: &str = r#"{"train": [{"input": [[1, 2]], "output": [[3]]}], "test": [{"input": [[4]], "output": [[5]]}]}"#;
const HIDDEN: &str =
    r#"{"train": [{"input": [[1, 2]], "output": [[3]]}], "test": [{"input": [[4]]}]}"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn ids(set: &TaskSet) -> Vec<&str> {
    set.tasks.iter().map(|task| task.id.as_str()).collect()
}

/// Loads `name` of a folder with these files and checks the ids.
#[track_caller]
fn check(files: &[(&str, &str)], name: &str, split: Option<&str>, expected: &[&str]) -> TaskSet {
    let dir = folder(files);
    let set = load_tasks(&dir.path().join(name), split, &GridLimits::ARC).unwrap();
    assert_eq!(ids(&set), expected);
    set
}

/// The message for a file with this content, without the folder's path; always one line.
#[track_caller]
fn complaint(bytes: impl AsRef<[u8]>) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.json");
    fs::write(&path, bytes).unwrap();
    let message = load_tasks(&path, None, &GridLimits::ARC).unwrap_err().to_string();
    assert!(!message.contains('\n'), "{message}");
    message.replace(&*dir.path().to_string_lossy(), "").trim_start_matches('/').to_owned()
}

/// The message for a task whose first input is this text.
#[track_caller]
fn complaint_about_grid(grid: &str) -> String {
    let text = TASK.replace("[[1, 2]]", grid);
    complaint(&text)
}

#[test]
fn one_task_is_named_after_its_file() {
    let set = check(&[("00d62c1b.json", TASK)], "00d62c1b.json", None, &["00d62c1b"]);
    let task = &set.tasks[0];
    assert_eq!(task.demos[0].input.cells(), [1, 2]);
    assert_eq!(task.demos[0].output.cells(), [3]);
    assert_eq!(task.tests[0].expected.as_ref().unwrap().cells(), [5]);
    assert_eq!(set.get("00d62c1b"), Some(task));
}

#[test]
fn a_folder_of_tasks_is_sorted_and_other_files_are_ignored() {
    check(
        &[("b.json", TASK), ("a.JSON", TASK), ("README.md", ""), (".x.json", "")],
        "",
        None,
        &["a", "b"],
    );
}

#[test]
fn tasks_by_id() {
    let text = format!(r#"{{"z": {TASK}, "a": {HIDDEN}}}"#);
    let set = check(&[("any.json", &text)], "any.json", None, &["a", "z"]);
    assert_eq!(set.tasks[0].tests[0].expected, None);
    check(&[("bom.json", &format!("\u{feff}{text}"))], "bom.json", None, &["a", "z"]);
}

#[test]
fn splits_of_a_combined_file() {
    let text = format!(r#"{{"train": {{"b": {TASK}, "c": {TASK}}}, "eval": {{"a": {TASK}}}}}"#);
    let files = [("all.json", text.as_str())];
    check(&files, "all.json", None, &["a", "b", "c"]);
    check(&files, "all.json", Some("train"), &["b", "c"]);
    check(&files, "all.json", Some("evaluation"), &["a"]);
    let dir = folder(&files);
    let error =
        load_tasks(&dir.path().join("all.json"), Some("tset"), &GridLimits::ARC).unwrap_err();
    assert!(
        error.to_string().ends_with("all.json: no split \"tset\"; it has train, eval"),
        "{error}"
    );
}

#[test]
fn one_id_in_two_splits_must_be_one_task() {
    let same = format!(r#"{{"train": {{"a": {TASK}}}, "eval": {{"a": {TASK}}}}}"#);
    check(&[("t.json", &same)], "t.json", None, &["a"]);
    let other = format!(r#"{{"train": {{"a": {TASK}}}, "eval": {{"a": {HIDDEN}}}}}"#);
    check(&[("t.json", &other)], "t.json", Some("eval"), &["a"]);
    assert!(complaint(other).contains("task a: differs between two splits"));
}

#[test]
fn kaggle_files_with_and_without_solutions() {
    let challenges = format!(r#"{{"a": {HIDDEN}, "b": {HIDDEN}}}"#);
    let name = "arc-agi_training_challenges.json";
    let files =
        [(name, challenges.as_str()), ("arc-agi_training_solutions.json", r#"{"a": [[[9, 9]]]}"#)];
    let set = check(&files, name, None, &["a", "b"]);
    assert_eq!(set.tasks[0].tests[0].expected.as_ref().unwrap().cells(), [9, 9]);
    assert_eq!(set.tasks[1].tests[0].expected, None);
    let alone = check(&files[..1], name, None, &["a", "b"]);
    assert_eq!(alone.tasks[0].tests[0].expected, None);
    assert_eq!(alone.tasks[0].visible_id(), set.tasks[0].visible_id());
}

#[test]
fn a_kaggle_folder_has_splits() {
    let challenges = format!(r#"{{"a": {HIDDEN}}}"#);
    let files = [
        ("arc-agi_training_challenges.json", challenges.as_str()),
        ("arc-agi_training_solutions.json", r#"{"a": [[[9]]]}"#),
        ("arc-agi_test_challenges.json", &challenges),
        ("sample_submission.json", r#"{"a": [{"attempt_1": [[0]]}]}"#),
    ];
    assert!(check(&files, "", Some("training"), &["a"]).tasks[0].tests[0].expected.is_some());
    assert!(check(&files, "", Some("test"), &["a"]).tasks[0].tests[0].expected.is_none());
    let dir = folder(&files);
    let error = load_tasks(dir.path(), None, &GridLimits::ARC).unwrap_err();
    assert!(error.to_string().contains("choose one, as in PATH#training"), "{error}");
}

#[test]
fn a_checkout_has_its_splits_as_folders() {
    let files =
        [("data/training/a.json", TASK), ("data/evaluation/b.json", TASK), ("apps/x.js", "")];
    check(&files, "", None, &["a", "b"]);
    check(&files, "", Some("training"), &["a"]);
    check(&files, "data", Some("eval"), &["b"]);
    check(&files, "data/training", None, &["a"]);
}

#[test]
fn solutions_that_do_not_fit() {
    let challenges = format!(r#"{{"a": {HIDDEN}}}"#);
    for (solutions, expected) in [
        (r#"{"a": [[[1]], [[2]]]}"#, "x_solutions.json: task a: 2 answers for 1 tests"),
        (
            r#"{"a": [[[10]]]}"#,
            "x_solutions.json: task a: `[0]` row 0, column 0 (from 0): 10 is not a colour",
        ),
        (r#"{"a": 5}"#, "task a: expected a list of grids, found 5"),
        (r#"{"a": [[["#, "x_solutions.json:1:9: the JSON ends in the middle"),
    ] {
        let dir = folder(&[("x_challenges.json", &challenges), ("x_solutions.json", solutions)]);
        let error =
            load_tasks(&dir.path().join("x_challenges.json"), None, &GridLimits::ARC).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let dir = folder(&[("x_challenges.json", &challenges), ("x_solutions.json/y", "")]);
    let error =
        load_tasks(&dir.path().join("x_challenges.json"), None, &GridLimits::ARC).unwrap_err();
    assert!(
        error.to_string().contains("x_solutions.json: is a folder where a file is meant"),
        "{error}"
    );
}

#[test]
fn text_that_is_not_json() {
    let cut = &TASK[..40];
    assert!(
        complaint(cut)
            .starts_with("t.json:1:40: the JSON ends in the middle; the file looks cut off")
    );
    assert!(complaint("").starts_with("t.json:1:1: the file is empty"));
    assert!(complaint(" \n").contains("the file is empty"));
    assert!(
        complaint("{\n  \"train\": oops}")
            .starts_with("t.json:2:12: not valid JSON, expected value")
    );
    assert!(complaint(format!("{TASK} x")).contains("not valid JSON, trailing characters"));
    assert!(complaint(b"{\n\"\xc3\xa4\xff\": 1}").starts_with("t.json:2:3: not UTF-8 text"));
    assert!(complaint("[".repeat(100_000)).contains("recursion limit"));
    let twice = format!(r#"{{"a": {TASK}, "a": {TASK}}}"#);
    assert!(complaint(twice).contains("the key \"a\" appears twice in one object"));
}

#[test]
fn json_that_is_not_tasks() {
    assert!(
        complaint("[1, 2]")
            .contains("expected a JSON object with tasks, found a list of single values")
    );
    assert!(complaint("3.5").contains("found 3.5"));
    assert!(complaint("{}").contains("no tasks in this file"));
    assert!(complaint(r#"{"a": 1}"#).contains("key \"a\": neither a task nor a split"));
    assert!(complaint(r#"{"a": [[[1]]]}"#).contains("holds answers, not tasks"));
    assert!(
        complaint(format!(r#"{{"a": {TASK}, "b\n": 7}}"#))
            .contains("task \"b\\n\": expected a task, found 7")
    );
    let split = format!(r#"{{"train": {{"a": {TASK}, "b": {{}}}}}}"#);
    assert!(complaint(split).contains("train: task b: the key \"train\" is missing"));
}

#[test]
fn missing_keys() {
    assert!(complaint(r#"{"train": []}"#).contains("\"train\" is empty"));
    assert!(complaint(r#"{"test": []}"#).contains("the key \"train\" is missing"));
    assert!(complaint(TASK.replace("test", "tset")).contains("the key \"test\" is missing"));
    assert!(
        complaint(TASK.replacen("output", "out", 1))
            .contains("`train[0]`: the key \"output\" is missing")
    );
    assert!(
        complaint(r#"{"train": [5], "test": []}"#).contains("\"train\" should be a list of pairs")
    );
    assert!(
        complaint(r#"{"train": [[]], "test": []}"#)
            .contains("`train[0]`: expected a pair of grids")
    );
}

#[test]
fn grids_that_are_not_grids() {
    let cases = [
        ("[[1, 2], [3]]", "row 1 (from 0): 1 cells where the rows above have 2"),
        (
            "[[1, 10]]",
            "row 0, column 1 (from 0): 10 is not a colour; cells are integers from 0 to 9",
        ),
        ("[[-1]]", "column 0 (from 0): -1 is not a colour"),
        ("[[1000]]", "1000 is not a colour"),
        ("[[99999999999999999999999]]", "is not a colour"),
        ("[[1, 1.5]]", "column 1 (from 0): 1.5 is not a colour"),
        ("[[1, \"2\"]]", "\"2\" is not a colour"),
        ("[[null]]", "null is not a colour"),
        ("[[true]]", "true is not a colour"),
        ("[[1, [2]]]", "a list of single values is not a colour"),
        ("[]", "`train[0].input`: the grid is empty"),
        ("[[]]", "row 0 (from 0): the row is empty"),
        ("[1, 2]", "expected a grid, a list of rows of integers, found a list of single values"),
        ("[[[1]]]", "row 0 (from 0): expected a row of integers, found a list"),
        ("{}", "expected a grid, a list of rows of integers, found an object"),
        ("null", "expected a grid, a list of rows of integers, found null"),
    ];
    for (grid, expected) in cases {
        let message = complaint_about_grid(grid);
        assert!(message.starts_with("t.json: `train[0].input`"), "{grid}: {message}");
        assert!(message.contains(expected), "{grid}: {message}");
    }
    let row = format!("[{}]", ["0"; 65].join(","));
    assert!(
        complaint_about_grid(&format!("[{row}]")).contains("65 cells; grids have sides of 1 to 64")
    );
    let tall = format!("[{}]", ["[0]"; 65].join(","));
    assert!(complaint_about_grid(&tall).contains("65 rows; grids have sides of 1 to 64"));
    let text = format!(r#"{{"x1": {}}}"#, TASK.replace("[[4]]", "[[4], [4, 11]]"));
    assert!(
        complaint(text)
            .starts_with("t.json: task x1: `test[0].input` row 1, column 1 (from 0): 11 is")
    );
}

#[test]
fn sixteen_colours_by_option() {
    let dir = folder(&[("t.json", &TASK.replace("[[1, 2]]", "[[15]]"))]);
    let path = dir.path().join("t.json");
    assert!(load_tasks(&path, None, &GridLimits::ARC).is_err());
    assert_eq!(
        load_tasks(&path, None, &GridLimits::SIXTEEN).unwrap().tasks[0].demos[0].input.cells(),
        [15]
    );
}

#[test]
fn paths_that_lead_nowhere() {
    let dir =
        folder(&[("many.json", &format!(r#"{{"a": {TASK}, "b": {TASK}}}"#)), ("x/y.txt", "")]);
    let message = |name: &str| {
        load_tasks(&dir.path().join(name), None, &GridLimits::ARC).unwrap_err().to_string()
    };
    assert!(message("none.json").ends_with("none.json: no such file or folder; check the path"));
    assert!(message("many.json/x").contains("no such file or folder"));
    assert!(message("x").contains("no task files (.json) in this folder"));
    assert!(message("").contains("several tasks in one file of a folder"));
    let error = load_task_file(dir.path(), None, &GridLimits::ARC).unwrap_err().to_string();
    assert!(error.contains("is a folder where a file is meant"), "{error}");
}

#[test]
fn large_files_are_read_and_huge_ones_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.json");
    fs::write(&path, format!("{}{TASK}", " ".repeat(50 << 20))).unwrap();
    assert_eq!(load_tasks(&path, None, &GridLimits::ARC).unwrap().tasks.len(), 1);
    fs::File::create(&path).unwrap().set_len(MAX_TASK_FILE + 1).unwrap();
    let error = load_tasks(&path, None, &GridLimits::ARC).unwrap_err().to_string();
    assert!(error.contains("over the limit of 256 MB"), "{error}");
}

/// Cut at, or with another byte at, every place: a set or one line, never a panic.
#[test]
fn no_damage_panics() {
    let text = format!(r#"{{"train": {{"a": {TASK}}}, "eval": {{"b": {HIDDEN}}}}}"#);
    let try_out = |bytes: &[u8]| {
        if let Err(error) = parse_parts(bytes, Path::new("t"), &GridLimits::ARC) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    };
    for at in 0..text.len() {
        try_out(&text.as_bytes()[..at]);
        for byte in [
            b'"', b'[', b']', b'{', b'}', b',', b':', b'-', b'9', b'.', b'e', b'\\', b'\n', 0, 0xff,
        ] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = byte;
            try_out(&bytes);
        }
    }
}

#[test]
fn a_malformed_task_is_passed_over_where_that_is_asked_for() {
    let ragged = TASK.replace("[[1, 2]]", "[[1, 2], [3]]");
    let text = format!(r#"{{"b": {TASK}, "a": {ragged}, "c": 7, "d": {{"test": [{{}}, {{}}]}}}}"#);
    let dir =
        folder(&[("x_challenges.json", &text), ("none.json", &format!(r#"{{"a": {ragged}}}"#))]);
    let load = |name: &str| load_readable_tasks(&dir.path().join(name), None, &GridLimits::ARC);
    let set = load("x_challenges.json").unwrap();
    assert_eq!(ids(&set), ["b"]);
    let found: Vec<(&str, usize)> =
        set.malformed.iter().map(|task| (task.id.as_str(), task.tests)).collect();
    assert_eq!(found, [("a", 1), ("c", 1), ("d", 2)]);
    assert!(set.malformed[0].problem.contains("x_challenges.json: task a: `train[0].input` row 1"));
    // With nothing left it is the file that is wrong.
    assert!(load("none.json").unwrap_err().to_string().contains("task a: `train[0].input` row 1"));
}
