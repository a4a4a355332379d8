//! Mistakes that people make, and what they are told: one line that says what is wrong and what to type instead.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a bit of everything.
fn folder() -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("my solvers")).unwrap();
    let write = |name: &str, text: &str| fs::write(dir.join(name), text).unwrap();
    write("mine.py", "def solve_tally(I):\n    return vmirror(I)\n");
    write("my solvers/a.py", "def solve_tally(I):\n    return vmirror(I)\n");
    let task =
        r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}"#;
    write("task.json", task);
    write("submission.json", r#"{"tally": [{"attempt_1": [[4]], "attempt_2": [[0]]}]}"#);
    dir
}

fn arcloom(dir: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    command.args(words).output().unwrap()
}

/// What was typed, what the message says, and what it says to type.
const MISTAKES: &[(&[&str], &[&str])] = &[
    // Slips of the finger.
    (&["slove", "tally"], &["slove", "'solve'", "arcloom --help"]),
    (&["solve", "taly"], &["no task `taly`", "nearest is `tally`", "arcloom show"]),
    (&["solve", "embeded"], &["no such name or path", "embedded", "arcloom data list"]),
    (&["check", "libary:embedded"], &["no such name or path", "library:embedded"]),
    (&["trace", "join_dot"], &["no program `join_dot`", "nearest is `join_dots`"]),
    (&["dsl", "rot09"], &["no `rot09`", "`rot90`"]),
    (&["run", "--porgrams", "mine.py"], &["--porgrams", "'--programs'"]),
    // Words in the wrong place.
    (&["run", "mine.py"], &["unexpected argument 'mine.py'", "`-p mine.py`"]),
    (&["evolve", "arc1/training"], &["unexpected argument", "`-t arc1/training`"]),
    (&["trace", "tally", "tally"], &["unexpected argument 'tally'", "`-t tally`"]),
    (&["show", "-t", "embedded"], &["unexpected argument '-t'", "`arcloom show arc1/training`"]),
    (&["check", "-p", "mine.py"], &["unexpected argument '-p'", "`arcloom check mine.py`"]),
    // Files and names of another kind.
    (&["check", "task.json"], &["holds tasks, not programs", "`arcloom solve task.json`"]),
    (
        &["solve", "mine.py"],
        &["holds programs, not tasks", "`arcloom check mine.py`", "`-p mine.py`"],
    ),
    (&["check", "embedded"], &["names tasks, not programs", "`-t embedded`"]),
    (
        &["solve", "submission.json"],
        &["is a submission", "`arcloom score submission.json -t TASKS`"],
    ),
    (&["score", "task.json", "-t", "task.json"], &["is not a submission", "`arcloom submit`"]),
    (
        &["data", "add", "mine", "mine.py"],
        &["holds programs", "arcloom data add library:mine mine.py"],
    ),
    (&["data", "add", "library:t", "task.json"], &["holds tasks", "arcloom data add t task.json"]),
    // Numbers.
    (&["solve", "tally", "--budget", "60"], &["has no unit", "0.5s/task", "--call-budget"]),
    (&["evolve", "--budget", "60"], &["has no unit", "60s", "50g"]),
    (&["solve", "tally", "--budget", "-1s"], &["must be positive"]),
    (&["check", "mine.py", "-j", "-1"], &["must be positive"]),
    (&["solve", "--count", "0"], &["must be positive"]),
    (&["evolve", "--archive-limit", "5"], &["has no unit", "20MB"]),
    (&["check", "mine.py", "--budget", "100"], &["unexpected argument", "`--call-budget`"]),
    (&["run", "--count", "1000"], &["cannot draw 1000 from 48", "at most 48"]),
    // Data that is not there.
    (&["solve", "arc1/training"], &["not on this machine yet", "`arcloom data pull`"]),
    (&["solve", "45737921"], &["no task `45737921`", "`arcloom data pull`"]),
    (&["score", "submission.json", "-t", "embedded"], &["is missing", "--partial"]),
    (&["archive", "-a", "none.db", "list"], &["no such archive", "`arcloom evolve`"]),
    // Spaces.
    (&["run", "--ids", "tally,", "join_dots"], &["'join_dots'", "without spaces", "--ids a,b"]),
    (&["run", "--ids", "tally,"], &["an empty id", "--ids a,b"]),
    (&["check", "my"], &["no program `my`", "FILE.py"]),
    (&["show", "tally", "-o", "no/such/folder.svg"], &["no such folder", "`mkdir -p no/such`"]),
];

#[test]
fn mistakes_are_answered_in_one_line_that_says_what_to_type() {
    let dir = folder();
    assert!(MISTAKES.len() >= 25);
    let mut wrong = Vec::new();
    for (words, said) in MISTAKES {
        let output = arcloom(&dir, words);
        let error = String::from_utf8(output.stderr).unwrap();
        // What was taken where nothing was named is said before.
        let lines: Vec<&str> =
            error.lines().filter(|l| !l.starts_with("arcloom: note: ")).collect();
        let one = lines.len() == 1 && output.status.code() == Some(2) && output.stdout.is_empty();
        if !one || !said.iter().all(|part| error.contains(part)) {
            wrong.push(format!("{words:?} ({:?}): {error}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What works although it looks like a mistake.
#[test]
fn spaces_and_names_are_taken_where_they_can_be() {
    let dir = folder();
    let good = |words: &[&str]| {
        let output = arcloom(&dir, words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(good(&["fmt", "my solvers"]).contains("def solve_tally"));
    let ids = good(&[
        "run",
        "-p",
        "library:embedded",
        "-t",
        "embedded",
        "--ids",
        "tally, join_dots",
        "-q",
    ]);
    assert!(ids.starts_with("2 of 2 tasks fit"), "{ids}");
    let ids = good(&["check", "tally", "join_dots", "-q"]);
    assert!(ids.starts_with("2 of 2 programs right (embedded"), "{ids}");
    assert!(good(&["show", "embedded/tally"]).starts_with("task tally"));
    let tasks = good(&["run", "-p", "tally", "-t", "tally", "-t", "task.json", "-q"]);
    assert!(tasks.contains("of 2 tasks fit") && tasks.contains("embedded + task.json"), "{tasks}");
}

/// Settings of the working folder are used, and one line says so; they cannot say where anything goes.
#[test]
fn settings_of_the_working_folder_are_used_and_said() {
    let dir = folder().with_extension("settings");
    fs::create_dir_all(&dir).unwrap();
    let settings = |text: &str| fs::write(dir.join("arcloom.toml"), text).unwrap();
    let stderr = |output: &Output| String::from_utf8(output.stderr.clone()).unwrap();
    let check: &[&str] = &["check", "library:embedded", "-t", "embedded"];
    settings("[check]\nquiet = true\n");
    let output = arcloom(&dir, check);
    assert_eq!(output.stdout, b"32 of 32 programs right (embedded, 169 pairs)\n");
    let note =
        "arcloom: note: settings of arcloom.toml in the working folder; --no-config ignores them\n";
    assert_eq!(stderr(&output), note);
    let loud = arcloom(&dir, &[check, &["--no-config"]].concat());
    assert!(loud.stdout.len() > output.stdout.len() && stderr(&loud).is_empty());
    for bad in ["[check]\nquite = true\n", "[report]\noutput = 'x.html'\n", "data-dir = 'x'\n"] {
        settings(bad);
        let output = arcloom(&dir, check);
        let error = stderr(&output);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains("arcloom.toml:") && error.contains("--no-config"), "{error}");
        // Help helps all the same.
        assert!(arcloom(&dir, &["check", "--help"]).status.success());
    }
}

/// What a clean end of a writer leaves in the folder is what was asked for. A reader leaves an empty journal,
/// which it may not remove: a writer may have it open.
#[test]
fn nothing_is_left_beside_an_archive() {
    let dir = folder().with_extension("litter");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let run = |words: &str| {
        let output = arcloom(&dir, &words.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("evolve -p library:embedded -t embedded --ids tally --budget 2g --children 8 -q");
    run("solve tally --budget 0.01s/task -a archive.db -q");
    let names = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["archive.db"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_said_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder().with_extension("read-only");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(dir.join("probe"), "").is_ok();
    if !is_root {
        let output = arcloom(&dir, &["solve", "tally", "-o", "s.json"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains("no permission to write") && error.contains("another folder"),
            "{error}"
        );
    }
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_dir_all(&dir).unwrap();
}
