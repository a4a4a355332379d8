//! What does not fit a written-down session: large inputs, broken outputs, and a data folder.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The command, in a folder of its own, with nothing fetched.
fn arcloom(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    command
}

/// An empty folder with the name of a test.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8 output")
}

/// The command says one line on standard error, with these words in it, and exits with 2.
#[track_caller]
fn check_refused(output: &Output, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("arcloom: "), "{error}");
    for word in words {
        assert!(error.contains(word), "`{word}` is missing in: {error}");
    }
}

#[test]
fn a_hundred_thousand_parentheses_are_refused() {
    let dir = folder("parentheses");
    for open in ["(", "rot90("] {
        let (open, close) = (open.repeat(100_000), ")".repeat(100_000));
        fs::write(dir.join("deep.py"), format!("def solve_t(I):\n    return {open}I{close}\n"))
            .unwrap();
        let output = arcloom(&dir).args(["check", "deep.py"]).output().unwrap();
        check_refused(&output, &["deep.py:2:", "nested too deeply"]);
    }
}

#[test]
fn a_fifty_megabyte_file_is_read_or_refused() {
    let dir = folder("large");
    let line = "def solve_t(I):\n    return rot90(I)\n";
    fs::write(dir.join("large.py"), "# words\n".repeat((50 << 20) / 8) + line).unwrap();
    let output = arcloom(&dir).args(["fmt", "large.py"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    File::create(dir.join("huge.py")).unwrap().set_len(65 << 20).unwrap();
    let output = arcloom(&dir).args(["fmt", "huge.py"]).output().unwrap();
    check_refused(&output, &["huge.py", "64 MB"]);
}

#[test]
fn programs_that_explode_end_soon() {
    let dir = folder("explode");
    let source = include_str!("cmd/errors.in/explode.py");
    fs::write(dir.join("explode.py"), source).unwrap();
    let start = Instant::now();
    let output = arcloom(&dir).args(["check", "explode.py"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    // Milliseconds when nothing else runs; this only tells them from the minutes of a real run.
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_reader_that_stops_is_no_error() {
    let dir = folder("pipe");
    let mut child = arcloom(&dir)
        .args(["dsl", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let dir = folder("full");
    for words in [&["dsl"][..], &["--help"], &["check", "library:embedded", "--json"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = arcloom(&dir).args(words).stdout(full).output().unwrap();
        check_refused(&output, &["cannot write the output", "No space left"]);
    }
    let output =
        arcloom(&dir).args(["fmt", "library:embedded", "-o", "/dev/full"]).output().unwrap();
    check_refused(&output, &["/dev/full", "the disk is full"]);
}

#[test]
fn standard_input_is_read() {
    let dir = folder("stdin");
    let mut child = arcloom(&dir)
        .args(["check", "-", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let program = b"def solve_anti_diagonal(I):\n    return cmirror(I)\n";
    child.stdin.take().unwrap().write_all(program).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "1 of 1 program right (embedded, 5 pairs)\n");
}

#[test]
fn figures_are_written_whole() {
    let dir = folder("svg");
    let words = ["show", "anti_diagonal", "--svg", "task.svg"];
    let output = arcloom(&dir).args(words).output().unwrap();
    assert_eq!(text(&output.stdout), "task.svg: task anti_diagonal, 4 demos, 1 test\n");
    let svg = fs::read_to_string(dir.join("task.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn a_comparison_is_drawn() {
    let dir = folder("bench");
    let words = "bench -p library:embedded --quick --batches 5 --svg speed.svg --dark --json";
    let output = arcloom(&dir).args(words.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["identical"], true);
    assert_eq!(json["experiments"][2]["sizes"][0]["grids"], 5);
    let svg = fs::read_to_string(dir.join("speed.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for words in [">by tasks, 8 programs<", ">grids per second<", ">2 jobs<"] {
        assert!(svg.contains(words), "{svg}");
    }
}

#[test]
fn without_network_a_pull_says_so() {
    let dir = folder("network");
    for (python, words) in
        [("/bin/false", "check the network"), ("no-such-python", "install Python 3 with pip")]
    {
        let output =
            arcloom(&dir).env("ARCLOOM_PYTHON", python).args(["data", "pull"]).output().unwrap();
        check_refused(&output, &[words, "--offline"]);
    }
    let output = arcloom(&dir).args(["data", "pull", "--offline", "."]).output().unwrap();
    check_refused(&output, &["pip download"]);
}

#[test]
fn a_registered_name_works_everywhere() {
    let dir = folder("names");
    let run = |words: &[&str]| {
        let output = arcloom(&dir).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let pair = r#"{"input": [[1, 2]], "output": [[2, 1]]}"#;
    fs::create_dir(dir.join("tasks")).unwrap();
    fs::write(dir.join("tasks/turn.json"), format!(r#"{{"train": [{pair}], "test": [{pair}]}}"#))
        .unwrap();
    fs::write(dir.join("turn.py"), "def solve(S, I, C):\n    return vmirror(I)\n").unwrap();
    assert!(run(&["data", "add", "mine", "tasks"]).starts_with("mine: 1 task in "));
    assert!(
        run(&["data", "add", "library:mine", "turn.py"]).starts_with("library:mine: 1 file in ")
    );
    let list = run(&["data", "list"]);
    assert!(list.contains("mine") && list.contains("not fetched"), "{list}");
    assert!(run(&["data", "verify"]).contains("2 good"));
    let line = "1 of 1 program right (mine, 2 pairs)\n";
    assert_eq!(run(&["check", "library:mine", "--tasks", "mine", "-q"]), line);
    assert!(run(&["trace", "library:mine", "-t", "mine/turn"]).contains("the expected output"));
    assert!(run(&["data", "remove", "mine"]).starts_with("mine: forgotten"));
    fs::write(dir.join("turn.py"), "def solve(S, I, C):\n    return hmirror(I)\n").unwrap();
    let words = ["check", "library:mine", "--tasks", "tasks"];
    assert_eq!(arcloom(&dir).args(words).output().unwrap().status.code(), Some(1));
}

/// What `run --json` prints, without the times.
fn run_json(dir: &Path, options: &[&str]) -> String {
    let output =
        arcloom(dir).args(["run", "--json", "-p", "library:embedded"]).args(options).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json = text(&output.stdout);
    let (results, timing) = json.split_once("\n  \"timing\": {").expect("times come last");
    assert!(timing.contains("\"stages\""), "{timing}");
    results.to_owned()
}

#[test]
fn a_run_repeats_to_the_byte_on_any_number_of_threads() {
    let dir = folder("repeats");
    let one = run_json(&dir, &["--jobs", "1"]);
    for jobs in ["1", "2", "8"] {
        assert_eq!(one, run_json(&dir, &["--jobs", jobs]), "{jobs} jobs");
    }
    let few = run_json(&dir, &["--jobs", "1", "--ids", "tally,next_color"]);
    assert_eq!(few, run_json(&dir, &["--jobs", "8", "--ids", "tally,next_color"]));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_with_a_report() {
    let dir = folder("interrupt");
    // Enough work for minutes: programs that run away on every task.
    let program: String = (2..40)
        .map(|n| {
            format!(
                "def solve_{n}(I):\n    x1 = asindices(upscale(I, {n}))\n    x2 = apply(rbind(shift, x1), x1)\n    return x2\n"
            )
        })
        .collect();
    fs::write(dir.join("slow.py"), program).unwrap();
    let child = arcloom(&dir)
        .args(["run", "-p", "slow.py", "--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{error}");
    assert!(out.contains("stopped early: ") && out.contains("tasks not run"), "{out}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn the_times_of_every_long_command_add_up_and_timelines_are_json() {
    let dir = folder("timing");
    let commands: [(&str, &[&str]); 4] = [
        (
            "run --json -p library:embedded -j 2",
            &["load", "run demos", "run tests", "score", "idle"],
        ),
        (
            "solve embedded --json -p library:embedded --budget 0.01s/task --evolve 0.01s/task -j 2 -a solved.db",
            &["transfer: run demos", "search", "evolution: mutate", "proofs", "store"],
        ),
        (
            "evolve --json -p library:embedded --budget 4g --children 32 -j 2",
            &[
                "mutate",
                "weave",
                "run demos",
                "run tests",
                "differs",
                "validate",
                "store",
                "select",
            ],
        ),
        ("submit --json -p library:embedded -j 2", &["load", "card", "run demos", "run tests"]),
    ];
    for (command, rows) in commands {
        let output = arcloom(&dir)
            .args(command.split(' '))
            .args(["--trace-file", "trace.json"])
            .output()
            .unwrap();
        let out = text(&output.stdout);
        // `evolve` prints a line for each generation first.
        let last = if command.starts_with("evolve") { out.lines().last().unwrap() } else { &out };
        let report: serde_json::Value = serde_json::from_str(last).unwrap();
        let timing = &report["timing"];
        let stages = timing["stages"].as_object().unwrap();
        for row in rows {
            assert!(stages.contains_key(*row), "{command}: no row {row} in {stages:?}");
        }
        let sum: f64 = stages.values().map(|stage| stage["wall_seconds"].as_f64().unwrap()).sum();
        let wall = timing["wall_seconds"].as_f64().or_else(|| timing["wall"].as_f64()).unwrap();
        let other = timing["other_seconds"].as_f64().unwrap();
        assert!(
            (sum + other - wall).abs() < 0.02 * wall + 0.005,
            "{command}: {sum} + {other}, {wall}"
        );
        assert!(
            other < 0.02 * wall + 0.01,
            "{command}: {other} of {wall} is in no row: {stages:?}"
        );
        let trace = fs::read(dir.join("trace.json")).unwrap();
        let trace: serde_json::Value = serde_json::from_slice(&trace).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        assert!(events.iter().any(|event| event["ph"] == "X"), "{command}");
    }
}

/// Whether a command is there.
fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn data_pull_runs_no_module_of_the_working_folder() {
    if !has("python3") {
        println!("skipped: there is no python3");
        return;
    }
    let dir = folder("pull_modules");
    // `ssl` and `tempfile` are what pip imports.
    for name in ["pip", "ssl", "tempfile", "sitecustomize"] {
        let module = format!("open('was_run_{name}', 'w').close()\nraise SystemExit(0)\n");
        fs::write(dir.join(name).with_extension("py"), module).unwrap();
    }
    // An empty entry of the path is the working folder as well.
    for path in [None, Some(":/nowhere")] {
        let mut pull = arcloom(&dir);
        pull.args(["data", "pull"]).env("ARCLOOM_PYTHON", "python3").env("PIP_NO_INDEX", "1");
        match path {
            Some(path) => pull.env("PYTHONPATH", path),
            None => pull.env_remove("PYTHONPATH"),
        };
        let output = pull.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        let run = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
        let run: Vec<_> =
            run.filter(|name| name.to_string_lossy().starts_with("was_run")).collect();
        assert!(run.is_empty(), "{path:?}: {run:?}: {}", text(&output.stderr));
        // With pip's own settings, here no index, and where there is no pip without it.
        let error = text(&output.stderr);
        assert!(
            error.contains("No matching distribution") || error.contains("has no pip"),
            "{error}"
        );
    }
}
