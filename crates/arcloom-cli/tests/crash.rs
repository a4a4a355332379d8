//! Evolution and `solve` killed at any moment: the archive opens, verifies and goes on, and nothing stored is
//! lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often the process is killed.
const KILLS: u64 = 50;

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

fn arcloom(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    command.args(args).stdin(Stdio::null());
    command
}

const EVOLVE: &[&str] = &[
    "evolve",
    "-a",
    "run.db",
    "--ids",
    "parity_half,tally,left_over_right,lowest_rises",
    "--children",
    "24",
    "--population",
    "12",
    "--json",
    "--budget",
];

fn evolve(dir: &Path, budget: &str) -> Command {
    let mut command = arcloom(dir, EVOLVE);
    command.arg(budget).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The last generation that the process said it had stored, if it said one.
fn last_generation(output: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(output);
    let lines =
        text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter_map(|line| line["generation"].as_u64()).next_back()
}

#[test]
fn fifty_kills_lose_nothing_that_was_stored() {
    let dir = folder("kills");
    // Moments from before the archive is there until some generations are, on a machine of any speed.
    let start = Instant::now();
    assert!(evolve(&folder("first"), "0g").output().unwrap().status.success());
    let span = 2 * start.elapsed().as_millis() as u64 + 200;
    let (mut stored, mut seed) = (None, 7u64);
    for kill in 0..KILLS {
        // A fixed sequence of odd moments; which ones they are does not matter.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = 20 + (seed >> 33) % span;
        let mut child = evolve(&dir, "100000g").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        // What was said to be stored must still be there, and a run never starts again.
        if let Some(generation) = last_generation(&output.stdout) {
            let first = String::from_utf8_lossy(&output.stdout);
            let first = first.lines().next().and_then(|line| {
                serde_json::from_str::<serde_json::Value>(line).ok()?["generation"].as_u64()
            });
            assert!(first > stored || stored.is_none(), "kill {kill}: {first:?} after {stored:?}");
            stored = Some(generation);
        }
        if kill % 10 == 9 && stored.is_some() {
            let verify = arcloom(&dir, &["archive", "verify", "-a", "run.db"]);
            let output = { verify }.output().unwrap();
            let (out, error) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "kill {kill}: {out}{error}");
        }
    }
    let stored = stored.expect("fifty runs got somewhere");
    let target = stored + 3;
    let output = evolve(&dir, &format!("{target}g")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(last_generation(&output.stdout), Some(target), "{text}");
    // The run that was killed is the run that was not.
    let whole = folder("whole");
    assert!(evolve(&whole, &format!("{target}g")).output().unwrap().status.success());
    let other = whole.join("run.db");
    let output =
        arcloom(&dir, &["archive", "diff", "run.db", &other.to_string_lossy()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_second_process_is_told_who_is_writing() {
    let dir = folder("second");
    let mut first = evolve(&dir, "100000g").spawn().unwrap();
    // Wait until the first has its archive.
    for _ in 0..200 {
        if dir.join("run.db").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let second = evolve(&dir, "1g").output().unwrap();
    let error = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{error}");
    assert!(error.contains("another process"), "{error}");
    // Readers are welcome.
    let stats = arcloom(&dir, &["archive", "stats", "-a", "run.db"]).output().unwrap();
    assert!(stats.status.success(), "{}", String::from_utf8_lossy(&stats.stderr));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn solve_goes_on_with_the_tasks_that_are_left() {
    let dir = folder("solve_kills");
    let solve = |archive: &str, budget: &str| {
        let args = ["solve", "embedded", "-p", "library:embedded", "--jobs", "1", "--json"];
        let mut command = arcloom(&dir, &args);
        command.args(["--budget", budget, "--archive", archive]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let found = |mut command: Command| {
        let start = Instant::now();
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for task in report["tasks"].as_array_mut().unwrap() {
            task.as_object_mut().unwrap().remove("cpu").expect("the time that it took");
        }
        (report["tasks"].clone(), start.elapsed())
    };
    let (whole, took) = found(solve("whole.db", "0.05s/task"));
    assert!(whole.as_array().is_some_and(|list| !list.is_empty()));
    for part in 1..6 {
        let mut child = solve("run.db", "0.05s/task").spawn().unwrap();
        std::thread::sleep(took * part / 8);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(found(solve("run.db", "0.05s/task")).0, whole);
    let verify = arcloom(&dir, &["archive", "verify", "-a", "run.db"]).output().unwrap();
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stdout));
    let same = arcloom(&dir, &["archive", "diff", "run.db", "whole.db"]).output().unwrap();
    assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stdout));
}
