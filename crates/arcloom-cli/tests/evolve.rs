//! Evolution where it cannot go on, where it is interrupted, and what becomes of its programs.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const ARCLOOM: &str = env!("CARGO_BIN_EXE_arcloom");
/// Something that goes on for as long as it may.
const ENDLESS: &str = "evolve -a run.db --ids parity_half,tally,count_difference --children 24 \
                       --population 12 --go-on --json --budget 1000000g";

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evolve").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

/// The command, in a folder of its own, with nothing fetched.
fn command(program: &str, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn arcloom(dir: &Path, words: &str) -> Command {
    let mut command = command(ARCLOOM, dir);
    command.args(words.split_whitespace());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn good(output: &Output) -> String {
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}{}", text(&output.stderr));
    out
}

/// The last of the JSON lines of a run.
#[track_caller]
fn summary(output: &Output) -> Value {
    let out = good(output);
    serde_json::from_str(out.lines().last().expect("a line")).expect("JSON")
}

/// One line that says what is wrong, and exit code 2.
#[track_caller]
fn check_refused(output: &Output, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "`{word}` is missing in: {error}");
    }
}

/// The archive is whole, its results are right, and a run goes on from it.
#[track_caller]
fn check_intact(dir: &Path) {
    good(&arcloom(dir, "archive verify -a run.db --call-budget 300000").output().unwrap());
    let runs = good(&arcloom(dir, "archive stats -a run.db --json").output().unwrap());
    let runs: Value = serde_json::from_str(&runs).unwrap();
    let rows = runs["rows"]["generation"].as_u64().unwrap();
    assert!(rows > 0, "{runs}");
    let words = ENDLESS.replace("1000000g", &format!("{}g", rows + 1));
    let resumed = summary(&arcloom(dir, &words).output().unwrap());
    assert_eq!(resumed["resumed_at"], rows, "{resumed}");
}

#[test]
fn a_full_disk_is_said_and_leaves_the_archive_as_it_was() {
    let dir = folder("full");
    good(&arcloom(&dir, &ENDLESS.replace("1000000g", "2g")).output().unwrap());
    // Files may not grow any further than this; a write beyond it fails as on a full disk.
    let limited = "trap '' XFSZ; ulimit -f 1200; exec \"$0\" \"$@\"";
    let mut shell = command("sh", &dir);
    shell.args(["-c", limited, ARCLOOM]).args(ENDLESS.split_whitespace());
    check_refused(&shell.output().unwrap(), &["run.db", "intact"]);
    check_intact(&dir);
}

#[test]
fn a_protected_archive_is_said_and_left_alone() {
    // Permissions do not bind the superuser, so that the command is run as nobody, from where
    // everybody may read.
    let dir = std::env::temp_dir().join(format!("arcloom-protected-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    good(&arcloom(&dir, &ENDLESS.replace("1000000g", "1g")).output().unwrap());
    let own = dir.join("arcloom");
    fs::copy(ARCLOOM, &own).unwrap();
    let archive = dir.join("run.db");
    let before = fs::read(&archive).unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        set(&path, if path == own { 0o555 } else { 0o444 }).unwrap();
    }
    set(&dir, 0o555).unwrap();
    // Whoever may write here anyway is the superuser.
    let is_root = fs::write(dir.join("probe"), "").is_ok();
    let mut evolve = command(&own.to_string_lossy(), &dir);
    evolve.args(ENDLESS.split_whitespace());
    if is_root {
        fs::remove_file(dir.join("probe")).unwrap();
        evolve.uid(65_534).gid(65_534);
    }
    match evolve.output() {
        Ok(output) => check_refused(&output, &["run.db", "cannot be written"]),
        // A superuser who may not become anybody else can protect nothing.
        Err(cause) if is_root => assert_eq!(cause.kind(), std::io::ErrorKind::PermissionDenied),
        Err(cause) => panic!("{cause}"),
    }
    assert_eq!(fs::read(&archive).unwrap(), before);
    set(&dir, 0o755).unwrap();
    for entry in fs::read_dir(&dir).unwrap() {
        set(&entry.unwrap().path(), 0o755).unwrap();
    }
    check_intact(&dir);
    fs::remove_dir_all(&dir).unwrap();
}

/// Interrupts a process and waits for its end; gives what it printed and how long that took.
fn interrupt(child: Child) -> (Output, Duration) {
    let pid = child.id().to_string();
    let start = Instant::now();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output, start.elapsed())
}

#[test]
fn an_interrupt_ends_evolution_with_a_summary() {
    let dir = folder("interrupt");
    let mut child = arcloom(&dir, ENDLESS).spawn().unwrap();
    // Once it says that a generation is stored it is at work on the next.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("\"generation\":0"));
    let reader = std::thread::spawn(move || lines.map_while(Result::ok).last());
    let (output, time) = interrupt(child);
    let last: Value = serde_json::from_str(&reader.join().unwrap().unwrap()).unwrap();
    assert_eq!((output.status.code(), &last["stopped"]), (Some(1), &json!(true)), "{last}");
    // A few hundredths of a second as measured; this tells it from never.
    assert!(time < Duration::from_secs(10), "{time:?}");
    check_intact(&dir);
}

/// Evolves until a generation is stored, then does something to the archive; gives what the end was.
fn meddle(dir: &Path, words: &str, with: impl FnOnce()) -> Output {
    let mut child = arcloom(dir, words).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("\"generation\":0"));
    with();
    let rest = std::thread::spawn(move || lines.map_while(Result::ok).count());
    let output = child.wait_with_output().unwrap();
    rest.join().unwrap();
    output
}

#[test]
fn an_archive_that_goes_away_is_said() {
    let dir = folder("gone");
    let words = ENDLESS.replace("1000000g", "40g");
    let path = |name: &str| dir.join(name);
    good(&arcloom(&dir, "archive import library:embedded -a other.db").output().unwrap());
    let other = fs::read(path("other.db")).unwrap();
    let deleted = meddle(&dir, &words, || fs::remove_file(path("run.db")).unwrap());
    let replaced = meddle(&dir, &words, || fs::rename(path("other.db"), path("run.db")).unwrap());
    for output in [deleted, replaced] {
        let error = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{:?} {error}", output.status);
        for word in ["run.db", "deleted, moved or replaced"] {
            assert!(error.contains(word), "`{word}` is missing in: {error}");
        }
    }
    // Nothing was written to what took its place.
    assert_eq!(fs::read(path("run.db")).unwrap(), other);
    good(&arcloom(&dir, "archive verify -a run.db").output().unwrap());
}

#[test]
fn links_to_an_archive_have_its_lock() {
    let dir = folder("links");
    std::os::unix::fs::symlink("run.db", dir.join("link.db")).unwrap();
    let words = ENDLESS.replace("1000000g", "1g").replace("run.db", "link.db");
    good(&arcloom(&dir, &words).output().unwrap());
    check_intact(&dir);
    let mut child = arcloom(&dir, ENDLESS).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    check_refused(&arcloom(&dir, &words).output().unwrap(), &["link.db", "being written"]);
    let reader = std::thread::spawn(move || lines.map_while(Result::ok).count());
    interrupt(child);
    reader.join().unwrap();
    fs::hard_link(dir.join("run.db"), dir.join("hard.db")).unwrap();
    for name in ["run.db", "hard.db", "link.db"] {
        let words = words.replace("link.db", name);
        check_refused(&arcloom(&dir, &words).output().unwrap(), &[name, "hard links", "COPY"]);
        good(&arcloom(&dir, &format!("archive stats -a {name}")).output().unwrap());
        good(&arcloom(&dir, &format!("report {name} -o report.html")).output().unwrap());
    }
    fs::remove_file(dir.join("hard.db")).unwrap();
    check_intact(&dir);
}

#[test]
fn an_archive_may_be_called_memory() {
    let dir = folder("memory");
    for name in [":memory:", "file:x.db?mode=memory"] {
        let words = ENDLESS.replace("1000000g", "1g").replace("run.db", name);
        good(&arcloom(&dir, &words).output().unwrap());
        assert!(dir.join(name).is_file(), "{name}");
        let stats =
            good(&arcloom(&dir, &format!("archive stats -a {name} --json")).output().unwrap());
        let stats: Value = serde_json::from_str(&stats).unwrap();
        assert_eq!(stats["rows"]["generation"], 2, "{name}: {stats}");
    }
}

#[test]
fn an_interrupt_ends_a_comparison() {
    let dir = folder("bench");
    let words = "bench -p library:embedded --repeats 1000 --task-counts 40 --program-counts 30";
    let child = arcloom(&dir, words).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    let (output, time) = interrupt(child);
    let error = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{error}");
    assert!(error.contains("stopped"), "{error}");
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn further_pairs_decide_who_is_a_solver() {
    let dir = folder("more");
    let grid = json!([[1, 2], [3, 4]]);
    let pair = json!({"input": grid, "output": [[2, 1], [4, 3]]});
    let task = json!({"turn": {"train": [pair], "test": [{"input": [[5, 6]]}]}});
    fs::write(dir.join("tasks.json"), task.to_string()).unwrap();
    fs::write(dir.join("p.py"), "def solve_turn(I):\n    return vmirror(I)\n").unwrap();
    let evolve = |more: &str, budget: &str| {
        let words = format!(
            "evolve -p p.py -t tasks.json -a {budget}{}.db --budget {budget} --json {more}",
            more.len()
        );
        arcloom(&dir, &words).output().unwrap()
    };
    assert_eq!(summary(&evolve("", "0g"))["fits_at_start_count"], 1);
    let right = json!({"turn": [{"input": [[7, 8]], "output": [[8, 7]]}]});
    fs::write(dir.join("right.json"), right.to_string()).unwrap();
    assert_eq!(summary(&evolve("--more-pairs right.json", "0g"))["fits_at_start_count"], 1);
    let wrong = json!({"turn": [{"input": [[7, 8]], "output": [[7, 7]]}]});
    fs::write(dir.join("wrong.json"), wrong.to_string()).unwrap();
    assert_eq!(summary(&evolve("--more-pairs wrong.json ", "0g"))["fits_at_start_count"], 0);
    let answer = json!({"turn": [{"input": [[5, 6]], "output": [[6, 5]]}]});
    fs::write(dir.join("answer.json"), answer.to_string()).unwrap();
    let output = evolve("--more-pairs answer.json", "0g");
    check_refused(&output, &["answer.json: task turn: `[0]`: starts from a test"]);
}

#[test]
fn the_archive_stays_below_its_limit() {
    let dir = folder("limit");
    let words = ENDLESS.replace("1000000g", "60g");
    let words = format!("{words} --prune-every 10 --archive-limit 170kB");
    good(&arcloom(&dir, &words).output().unwrap());
    // The last generation pruned, and what it could not do without is less than the limit.
    let size = fs::metadata(dir.join("run.db")).unwrap().len();
    assert!(size <= 170_000, "{size} bytes");
    let stats = good(&arcloom(&dir, "archive stats -a run.db").output().unwrap());
    assert!(stats.contains("over size"), "{stats}");
    check_intact(&dir);
}

/// What Kaggle asks of a submission, checked without any of our own reading code.
#[track_caller]
fn check_shape(submission: &Value, challenges: &Value) {
    let (tasks, given) = (challenges.as_object().unwrap(), submission.as_object().unwrap());
    let ids = |object: &serde_json::Map<String, Value>| {
        let mut ids: Vec<String> = object.keys().cloned().collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(given), ids(tasks));
    for (id, task) in tasks {
        let outputs = given[id].as_array().unwrap();
        assert_eq!(outputs.len(), task["test"].as_array().unwrap().len(), "{id}");
        for output in outputs {
            assert_eq!(ids(output.as_object().unwrap()), ["attempt_1", "attempt_2"], "{id}");
            assert_ne!(output["attempt_1"], output["attempt_2"], "{id}");
            for grid in [&output["attempt_1"], &output["attempt_2"]] {
                let rows = grid.as_array().unwrap();
                assert!((1..=64).contains(&rows.len()), "{id}");
                let width = rows[0].as_array().unwrap().len();
                assert!((1..=64).contains(&width), "{id}");
                for row in rows {
                    let row = row.as_array().unwrap();
                    assert_eq!(row.len(), width, "{id}");
                    assert!(row.iter().all(|cell| cell.as_u64().is_some_and(|c| c < 10)), "{id}");
                }
            }
        }
    }
}

/// A challenges file and its solutions out of tasks with answers.
fn split(dir: &Path, tasks: &Value) -> Value {
    let (mut challenges, mut solutions) = (tasks.clone(), serde_json::Map::new());
    for (id, task) in challenges.as_object_mut().unwrap() {
        let tests = task["test"].as_array_mut().unwrap();
        let answers: Vec<Value> = tests
            .iter_mut()
            .map(|test| test.as_object_mut().unwrap().remove("output").unwrap())
            .collect();
        solutions.insert(id.clone(), json!(answers));
    }
    fs::write(dir.join("x_challenges.json"), challenges.to_string()).unwrap();
    fs::write(dir.join("x_solutions.json"), Value::from(solutions).to_string()).unwrap();
    challenges
}

#[test]
fn what_was_evolved_is_handed_in_and_scored() {
    let dir = folder("submit");
    let tasks: Value =
        serde_json::from_str(include_str!("../../arcloom-tasks/data/tasks.json")).unwrap();
    let challenges = split(&dir, &tasks);
    let evolve =
        "evolve -t x_challenges.json -a run.db --budget 4g --json --submission evolved.json";
    good(&arcloom(&dir, evolve).output().unwrap());
    let submit = "submit -p library:embedded -p archive:run.db -t x_challenges.json -o s.json";
    good(&arcloom(&dir, submit).output().unwrap());
    for name in ["evolved.json", "s.json"] {
        let submission: Value = serde_json::from_slice(&fs::read(dir.join(name)).unwrap()).unwrap();
        check_shape(&submission, &challenges);
        let score = format!("score {name} -t x_challenges.json --json");
        let score = summary(&arcloom(&dir, &score).output().unwrap());
        assert!(score["right_task_count"].as_u64() >= Some(32), "{score}");
    }
}

/// The same for ARC-AGI-2's evaluation set, where `arcloom data pull` has fetched it; the library
/// alone, because a test has no time to search.
#[test]
fn the_public_evaluation_set_is_handed_in() {
    let dir = folder("public");
    let data = std::env::var_os("ARCLOOM_DATA_DIR").map(PathBuf::from);
    let mut submit = arcloom(&dir, "submit -p library:embedded -t arc2/evaluation -o s.json");
    let Some(data) = data.filter(|data| data.join("tasks").is_dir()) else { return };
    good(&submit.env("ARCLOOM_DATA_DIR", &data).output().unwrap());
    let mut score = arcloom(&dir, "score s.json -t arc2/evaluation --json");
    let score = summary(&score.env("ARCLOOM_DATA_DIR", &data).output().unwrap());
    assert_eq!(
        (&score["task_count"], &score["output_count"]),
        (&json!(120), &json!(167)),
        "{score}"
    );
    let submission: Value = serde_json::from_slice(&fs::read(dir.join("s.json")).unwrap()).unwrap();
    // The file itself says how many tests there are; that they fit the tasks `score` has checked.
    let tests =
        |outputs: &Value| json!({"test": vec![json!({}); outputs.as_array().unwrap().len()]});
    let object = submission.as_object().unwrap();
    let challenges: serde_json::Map<String, Value> =
        object.iter().map(|(id, outputs)| (id.clone(), tests(outputs))).collect();
    check_shape(&submission, &challenges.into());
}
