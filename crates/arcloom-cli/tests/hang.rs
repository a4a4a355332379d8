//! Programs that look at much more than they make: a budget ends them, and so does whoever started the
//! run, however large the budget is.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A process that takes longer hangs.
const HANGS: Duration = Duration::from_secs(60);

/// Looks for the most frequent element of a long list, for every number of a long list.
const RANKS: &str = "\
def solve_a(I):
    a = asindices(canvas(0, (30, 30)))
    p = product(a, a)
    f = lbind(get_rank, p)
    r = apply(f, interval(0, 100000, 1))
    O = canvas(size(r), (1, 1))
    return O
";

/// Looks for the largest number of a long list, for every number of a long list.
const MAXIMA: &str = "\
def solve_b(I):
    a = interval(0, 900000, 1)
    f = lambda x: maximum(a)
    r = apply(f, interval(0, 200000, 1))
    O = canvas(size(r), (1, 1))
    return O
";

/// An empty folder with the name of a test.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

/// Starts the command, in a folder, with nothing fetched.
fn start(dir: &Path, words: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_arcloom"))
        .args(words.split_whitespace())
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .env("ARCLOOM_DATA_DIR", dir.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Waits for the end, which must come.
#[track_caller]
fn end(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > HANGS {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn looking_is_paid_for() {
    let dir = folder("looking");
    for program in [RANKS, MAXIMA] {
        let mut child = start(&dir, "eval --stdin");
        let line = serde_json::json!({"task": "tally", "program": program});
        writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
        let output = end(child);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let runs = |name: &str| answer[name].as_array().unwrap().clone();
        let runs = [runs("pairs"), runs("tests")].concat();
        assert_eq!(runs.len(), 5, "{answer}");
        for run in runs {
            let error = run["error"]["message"].as_str().unwrap_or_default();
            assert!(error.contains("over budget"), "{answer}");
        }
    }
}

/// Enough slow programs for minutes of every command, whatever one call may spend.
fn slow(name: &str) -> PathBuf {
    let dir = folder(name);
    let variant = |n: usize| {
        let a =
            RANKS.replace("solve_a", &format!("solve_a{n}")).replace("l(0,", &format!("l({n},"));
        let b =
            MAXIMA.replace("solve_b", &format!("solve_b{n}")).replace("l(0,", &format!("l({n},"));
        a + &b
    };
    fs::write(dir.join("slow.py"), (0..100).map(variant).collect::<String>()).unwrap();
    dir
}

/// More than a test waits for.
const ENORMOUS: &str = "1000000000000";

/// A process that was told to end takes at most this much longer. Up to a quarter of a second as
/// measured in release; the rest is for machines that do other things too.
const SOON: Duration = Duration::from_secs(10);

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_step() {
    let dir = slow("hang_interrupt");
    for (words, code) in [
        ("run -q -p slow.py --call-budget ENORMOUS", 1),
        ("solve -q embedded -p slow.py", 1),
        ("submit -q -p slow.py -t embedded", 1),
        ("evolve -q -p slow.py --call-budget ENORMOUS", 1),
        // Nothing was measured yet.
        ("bench -p slow.py --repeats 1 --call-budget ENORMOUS", 2),
    ] {
        let child = start(&dir, &words.replace("ENORMOUS", ENORMOUS));
        std::thread::sleep(Duration::from_secs(1));
        let pid = child.id().to_string();
        let begun = Instant::now();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let output = end(child);
        let time = begun.elapsed();
        println!("{words}: ended {time:?} after the interrupt");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {error}");
        assert!(time < SOON, "{words}: {time:?}");
    }
}

#[test]
fn a_time_limit_ends_a_step() {
    let dir = slow("hang_limit");
    for (words, code) in [
        ("run -q -p slow.py --call-budget ENORMOUS --budget 1s", 1),
        ("solve -q embedded -p slow.py --time-limit 1s", 1),
        ("submit -q -p slow.py -t embedded --time-limit 1s", 1),
        // The end of what it was asked for.
        ("evolve -q -p slow.py --call-budget ENORMOUS --budget 1s", 0),
    ] {
        let begun = Instant::now();
        let output = end(start(&dir, &words.replace("ENORMOUS", ENORMOUS)));
        let time = begun.elapsed().saturating_sub(Duration::from_secs(1));
        println!("{words}: ended {time:?} after the limit");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {error}");
        assert!(time < SOON, "{words}: {time:?}");
    }
}
