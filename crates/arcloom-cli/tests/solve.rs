//! What `solve` finds is the same on any number of threads, and every answer of it is a program.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What the command prints as JSON, in a folder of its own, with nothing fetched.
fn json(dir: &Path, words: &str) -> Value {
    serde_json::from_slice(&printed(dir, words)).unwrap()
}

fn printed(dir: &Path, words: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    let output = command.args(words.split_whitespace()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "", "{words}");
    output.stdout
}

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solve").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

fn solved(dir: &Path, jobs: u8) -> Value {
    let mut found = json(dir, &format!("solve embedded --budget 0.02s/task --json --jobs {jobs}"));
    found.as_object_mut().unwrap().remove("timing").expect("times");
    for task in found["tasks"].as_array_mut().unwrap() {
        task.as_object_mut().unwrap().remove("cpu").expect("the time that it took");
    }
    found
}

#[test]
fn threads_do_not_matter_and_answers_are_programs() {
    let dir = folder("programs");
    let found = solved(&dir, 1);
    assert_eq!(found, solved(&dir, 2));
    assert_eq!(found["unprintable_count"], 0);
    assert!(found["right_count"].as_u64() >= Some(10), "{}", found["right_count"]);

    let tasks = found["tasks"].as_array().unwrap();
    let mut right = 0;
    for place in 0..3 {
        // Programs of the same task have the same name: one file for all that are in this place.
        let here = |task: &Value| task["proposals"].get(place).cloned();
        let programs: Vec<String> = tasks
            .iter()
            .filter_map(|task| Some(here(task)?["program"].as_str().expect("a program").to_owned()))
            .collect();
        fs::write(dir.join("found.py"), programs.join("\n\n")).unwrap();
        let report = json(&dir, "check found.py --json");
        assert_eq!(report["program_count"], programs.len());
        assert_eq!(report["counts"]["over_budget"], 0);
        for row in report["results"].as_array().unwrap() {
            let task = tasks.iter().find(|task| task["task"] == row["task"]).expect("its task");
            let proposal = here(task).expect("its proposal");
            assert!(row["right"].as_u64() >= proposal["fits"].as_u64(), "{row}");
            if row["state"] == "right" && proposal["fits"] == task["demos"] && place < 2 {
                assert_eq!(task["tests"], "right", "{row}");
                right += 1;
            }
        }
    }
    assert!(right >= 10, "only {right} programs pass");
}

/// The file is for the original arc-dsl, and has definitions of what that lacks.
#[test]
fn what_was_found_can_be_exported_and_read_again() {
    let dir = folder("export");
    let found = json(&dir, "solve embedded --budget 0.02s/task --json --archive found.db");
    let exported = printed(&dir, "archive export --archive found.db --solved");
    assert!(String::from_utf8_lossy(&exported).contains("def as_sheet("));
    fs::write(dir.join("found.py"), &exported).unwrap();
    let report = json(&dir, "check found.py --json");
    assert!(report["program_count"].as_u64() >= found["right_count"].as_u64(), "{report}");
    for row in report["results"].as_array().unwrap() {
        let task =
            found["tasks"].as_array().unwrap().iter().find(|task| task["task"] == row["task"]);
        let demos = task.expect("a program is named after its task")["demos"].as_u64();
        assert!(row["right"].as_u64() >= demos, "{row}");
    }
}
