//! What was worked out is not lost: archives whose disk is full, outputs that cannot be written, tasks
//! that are malformed.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const ARCLOOM: &str = env!("CARGO_BIN_EXE_arcloom");

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lost").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

/// The command, in a folder of its own, with nothing fetched.
fn command(program: &str, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("data"));
    command.stdin(Stdio::null());
    command
}

fn arcloom(dir: &Path, words: &str) -> Output {
    command(ARCLOOM, dir).args(words.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One line on standard error, with these words in it, and this exit code.
#[track_caller]
fn check_said(output: &Output, code: i32, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "`{word}` is missing in: {error}");
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The command where no file may grow beyond this many blocks of 512 bytes; a write beyond that fails as
/// on a full disk.
#[cfg(unix)]
fn limited(dir: &Path, blocks: u32, words: &str) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = command("sh", dir);
    shell.args(["-c", &script, ARCLOOM]).args(words.split_whitespace()).output().unwrap()
}

/// Blocks that hold an empty archive and a submission, and less than what the runs here store.
#[cfg(unix)]
const BLOCKS: u32 = 700;

#[cfg(unix)]
#[test]
fn solve_goes_on_without_an_archive_that_is_full() {
    let dir = folder("solve");
    let words = "solve embedded -p library:embedded --budget 0.02s/task --jobs 1 --quiet";
    let whole = arcloom(&dir, &format!("{words} -a whole.db --submission whole.json"));
    assert_eq!(text(&whole.stderr), "");
    let full = limited(&dir, BLOCKS, &format!("{words} -a full.db --submission full.json"));
    check_said(&full, 1, &["warning", "full.db", "results from now on are not stored"]);
    assert_eq!(read_json(&dir.join("full.json")), read_json(&dir.join("whole.json")));
    // What is said on standard output is the same too, but for the times.
    let first = |output: &Output| text(&output.stdout).lines().next().map(str::to_owned);
    assert_eq!(first(&full), first(&whole));
    // The archive is whole, and with more room the same command goes on with what it has.
    let verify = arcloom(&dir, "archive verify -a full.db");
    assert!(verify.status.success(), "{}", text(&verify.stderr));
    let again = arcloom(&dir, &format!("{words} -a full.db --submission again.json"));
    assert_eq!((again.status.code(), text(&again.stderr)), (Some(0), String::new()));
    assert_eq!(read_json(&dir.join("again.json")), read_json(&dir.join("whole.json")));
}

#[cfg(unix)]
#[test]
fn solve_still_breeds_without_an_archive_that_is_full() {
    let dir = folder("breed");
    let words = "solve embedded -p library:embedded --ids tally,count_difference,parity_half \
                 --budget 0.02s/task --evolve 0.5s/task --jobs 1 --quiet";
    let whole = arcloom(&dir, &format!("{words} -a whole.db --submission whole.json"));
    assert_eq!(text(&whole.stderr), "");
    // Too little for the first generation of evolution, and then for less than that.
    for blocks in [460, 350] {
        let full = format!("{words} -a {blocks}.db --submission {blocks}.json");
        let full = limited(&dir, blocks, &full);
        check_said(&full, 1, &["warning", &format!("{blocks}.db"), "are not stored"]);
        let written = read_json(&dir.join(format!("{blocks}.json")));
        assert_eq!(written, read_json(&dir.join("whole.json")), "{blocks}");
    }
}

#[cfg(unix)]
#[test]
fn evolution_goes_on_without_an_archive_that_is_full() {
    let dir = folder("evolve");
    let words = "evolve --ids parity_half,tally,count_difference --children 24 --population 12 \
                 --go-on --json --budget 40g";
    let whole = arcloom(&dir, &format!("{words} -a whole.db --submission whole.json"));
    assert_eq!(text(&whole.stderr), "");
    let full = limited(&dir, BLOCKS, &format!("{words} -a full.db --submission full.json"));
    check_said(&full, 1, &["warning", "full.db", "results from now on are not stored"]);
    assert_eq!(read_json(&dir.join("full.json")), read_json(&dir.join("whole.json")));
    let last = |output: &Output| -> Value {
        serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
    };
    let (last, whole) = (last(&full), last(&whole));
    assert_eq!((&last["generations"], &last["found"]), (&whole["generations"], &whole["found"]));
    assert_eq!((&last["unstored"], &whole["unstored"]), (&json!(true), &json!(false)));
    // The archive is as it was before the generation that did not fit, and the run goes on from there.
    let stats = arcloom(&dir, "archive stats -a full.db --json");
    let stats: Value = serde_json::from_slice(&stats.stdout).unwrap();
    let stored = stats["rows"]["generation"].as_u64().unwrap();
    assert!((1..40).contains(&stored), "{stats}");
    let again = arcloom(&dir, &format!("{words} -a full.db --submission again.json"));
    assert_eq!((again.status.code(), text(&again.stderr)), (Some(0), String::new()));
    let same = arcloom(&dir, "archive diff full.db whole.db");
    assert!(same.status.success(), "{}", text(&same.stdout));
}

/// A disk of this size with the archive and the submission on it, where this process may make one. The
/// submission is copied to the folder itself, and so is gone with the disk only there.
#[cfg(target_os = "linux")]
fn on_small_disk(dir: &Path, kilobytes: u32, words: &str) -> Option<Output> {
    let disk = "mkdir -p disk && mount -t tmpfs -o size=$0 tmpfs disk && cd disk";
    for rights in ["-m", "-rm"] {
        let mounts = |then: &str| {
            let mut unshare = command("unshare", dir);
            unshare.args([rights, "sh", "-c", &format!("{disk} && {then}")]);
            unshare.arg(format!("{kilobytes}k")).arg(ARCLOOM).args(words.split_whitespace());
            unshare.output()
        };
        if mounts("true").is_ok_and(|output| output.status.success()) {
            return mounts("\"$@\"; code=$?; cp s.json .. ; exit $code").ok();
        }
    }
    None
}

#[cfg(target_os = "linux")]
#[test]
fn a_submission_has_its_room_on_a_disk_that_the_archive_fills() {
    let dir = folder("disk");
    let solve = "solve embedded -p library:embedded --budget 0.02s/task --jobs 1 --quiet -a run.db";
    let evolve = "evolve --ids parity_half,tally,count_difference --children 24 --population 12 \
                  --go-on --quiet --budget 40g -a run.db";
    for (words, kilobytes) in [(solve, 900), (evolve, 700)] {
        let words = format!("{words} --submission s.json");
        let Some(full) = on_small_disk(&dir, kilobytes, &words) else { return };
        check_said(&full, 1, &["warning", "run.db", "the disk is full", "are not stored"]);
        let written = read_json(&dir.join("s.json"));
        assert!(arcloom(&dir, &words).status.success());
        assert_eq!(written, read_json(&dir.join("s.json")), "{words}");
        fs::remove_file(dir.join("run.db")).unwrap();
    }
    // One on which there is no room for a submission at all.
    let words = format!("{solve} --submission s.json");
    let full = on_small_disk(&dir, 160, &words).unwrap();
    let error = text(&full.stderr);
    assert_eq!(full.status.code(), Some(2), "{error}");
    assert!(error.contains("the disk is full"), "{error}");
}

/// A file that cannot be written in the end all the same is printed.
#[cfg(target_os = "linux")]
#[test]
fn a_submission_that_cannot_be_written_is_printed() {
    let dir = folder("printed");
    let words = "submit -p library:embedded -t embedded -o /dev/full";
    let output = arcloom(&dir, words);
    check_said(&output, 2, &["/dev/full", "the disk is full", "on standard output"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(printed["tally"].is_array(), "{printed}");
}

/// A submission does not depend on who reads the lines that a run prints.
#[cfg(target_os = "linux")]
#[test]
fn a_submission_is_written_when_nobody_reads() {
    let dir = folder("unread");
    for words in [
        "evolve -p library:embedded -t embedded --ids tally --budget 1g -a run.db --submission s.json",
        "solve embedded --ids tally --budget 0.01s/task --submission s.json",
    ] {
        let _ = fs::remove_file(dir.join("s.json"));
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = command(ARCLOOM, &dir);
        let output = command.args(words.split_whitespace()).stdout(full).output().unwrap();
        check_said(&output, 2, &["cannot write the output"]);
        assert!(read_json(&dir.join("s.json"))["tally"].is_array(), "{words}");
    }
}

/// Every command with an option that names a file or folder to write. Nothing else is right about these
/// command lines: what is wrong with the output is said before anything is read.
const OUTPUTS: &[&str] = &[
    "solve no-such-set --submission OUT.json",
    "evolve -p no-such.py -t no-such-set --submission OUT.json",
    "submit -p no-such.py -t no-such-set -o OUT.json",
    "run -p no-such.py -t no-such-set --trace-file OUT.json",
    "bench -p no-such.py -t no-such-set --svg OUT.svg",
    "card no-such.py --dot OUT.dot",
    "card no-such.py --python OUT.py",
    "card no-such.py -o OUT.svg",
    "fmt no-such.py -o OUT.py",
    "show no-such-task -o OUT.svg",
    "trace no-such-program -o OUT.png",
    "report no-such.db -o OUT.html",
    "archive -a no-such.db export -o OUT.py",
    "archive -a no-such.db lineage 00 -o OUT.pdf",
    "archive -a no-such.db curves -o OUT.svg",
    "archive -a OUT.db import no-such.py",
    "archive -a OUT.db merge no-such.db",
    "solve no-such-set -a OUT.db",
    "evolve -p no-such.py -t no-such-set -a OUT.db",
    "run -p no-such.py -t no-such-set --archive OUT.db",
    "kaggle-bundle FOLDER -p no-such.py --wheel no-such.whl",
];

#[test]
fn outputs_are_checked_before_anything_is_read() {
    let dir = folder("outputs");
    fs::create_dir(dir.join("folder.svg")).unwrap();
    fs::write(dir.join("file"), "kept").unwrap();
    for words in OUTPUTS {
        let with = |to: &str| words.replace("OUT", to).replace("FOLDER", to);
        if !words.contains("FOLDER") {
            // A folder that is not there, and a file where a folder is meant.
            let output = arcloom(&dir, &with("missing/deep/x"));
            check_said(&output, 2, &["missing/deep/x", "mkdir -p missing/deep"]);
            let name = words.split("OUT").nth(1).unwrap().split(' ').next().unwrap();
            fs::create_dir_all(dir.join(format!("taken{name}"))).unwrap();
            let output = arcloom(&dir, &with("taken"));
            check_said(&output, 2, &["taken", "is a folder"]);
        }
        let output = arcloom(&dir, &with("file/x"));
        check_said(&output, 2, &["file/x", "is not a folder"]);
    }
    assert_eq!(fs::read_to_string(dir.join("file")).unwrap(), "kept");
    assert!(!dir.join("missing").exists());
}

#[test]
fn checking_an_output_leaves_what_is_there() {
    let dir = folder("untouched");
    fs::write(dir.join("x.json"), "before").unwrap();
    let list = || {
        let mut names: Vec<_> =
            fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = list();
    for words in OUTPUTS {
        let words =
            words.replace("OUT.json", "x.json").replace("OUT", "new").replace("FOLDER", "f");
        assert_eq!(arcloom(&dir, &words).status.code(), Some(2), "{words}");
        assert_eq!(list(), before, "{words}");
    }
    assert_eq!(fs::read_to_string(dir.join("x.json")).unwrap(), "before");
}

/// A figure's name says its form, which is checked as early.
#[test]
fn the_form_of_a_figure_is_checked_before_anything_is_read() {
    let dir = folder("form");
    for words in ["card no-such.py", "show no-such-task", "archive -a no-such.db curves"] {
        check_said(&arcloom(&dir, &format!("{words} -o x.gif")), 2, &["x.gif", "svg"]);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_said_before_anything_is_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    // Permissions do not bind the superuser, so that the command is run as nobody, from where everybody
    // may read.
    let dir = std::env::temp_dir().join(format!("arcloom-outputs-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    let closed = dir.join("closed");
    fs::create_dir_all(&closed).unwrap();
    let own = dir.join("arcloom");
    fs::copy(ARCLOOM, &own).unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(&own, 0o555).unwrap();
    set(&closed, 0o555).unwrap();
    set(&dir, 0o755).unwrap();
    let is_root = fs::write(closed.join("probe"), "").is_ok();
    let _ = fs::remove_file(closed.join("probe"));
    for words in OUTPUTS {
        let words = words.replace("OUT", "closed/x").replace("FOLDER", "closed/f");
        let mut command = command(&own.to_string_lossy(), &dir);
        command.args(words.split_whitespace());
        if is_root {
            command.uid(65_534).gid(65_534);
        }
        match command.output() {
            Ok(output) => check_said(&output, 2, &["closed", "permission"]),
            // A superuser who may not become anybody else can protect nothing.
            Err(cause) if is_root => assert_eq!(cause.kind(), std::io::ErrorKind::PermissionDenied),
            Err(cause) => panic!("{cause}"),
        }
    }
    set(&closed, 0o755).unwrap();
    fs::remove_dir_all(&dir).unwrap();
}

/// `-` is standard output, which then has nothing else on it.
#[test]
fn standard_output_is_an_output() {
    let dir = folder("dash");
    let json = |words: &str| -> Value {
        let output = arcloom(&dir, words);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        let out = text(&output.stdout);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{words}: {error}: {out}"))
    };
    let solve = json("solve embedded --ids tally --budget 0.01s/task --submission -");
    assert!(solve["tally"].is_array(), "{solve}");
    let evolve = json("evolve --ids tally --budget 1g -a run.db --submission -");
    assert!(evolve["tally"].is_array(), "{evolve}");
    let trace = json("run -p library:embedded --ids tally --trace-file -");
    assert!(trace["traceEvents"].is_array(), "{trace}");
    for (words, start) in [
        ("bench -p library:embedded --quick --batches 5 --svg -", "<svg"),
        ("fmt library:embedded -o -", "from "),
    ] {
        let output = arcloom(&dir, words);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with(start), "{words}: {}", text(&output.stdout));
    }
    assert!(!dir.join("-").exists());
    for words in [
        "solve embedded --submission - --json",
        "evolve --submission - --json",
        "run -p library:embedded --trace-file - --json",
        "bench -p library:embedded --svg - --json",
        "card library:embedded --dot - --python -",
    ] {
        check_said(&arcloom(&dir, words), 2, &["standard output", "name a file"]);
    }
}

/// Two tasks that are right and some that are not, each with the number of its tests and what is said.
fn malformed() -> (Value, Vec<(&'static str, usize, &'static str)>) {
    let pair = json!({"input": [[1, 2]], "output": [[2, 1]]});
    let right = json!({"train": [pair, pair], "test": [{"input": [[3, 4]]}]});
    let ragged = json!({"input": [[1, 2], [3]], "output": [[2, 1]]});
    let tasks = json!({
        "a_right": right,
        "b_ragged": {"train": [ragged], "test": [{"input": [[3]]}, {"input": [[4]]}]},
        "c_no_test": {"train": [pair]},
        "d_color": {"train": [pair], "test": [{"input": [[1]]}, {"input": [[3, 10]]}, {"input": [[1]]}]},
        "e_number": 7,
        "f_empty": {},
        "g_no_demos": {"train": [], "test": [{"input": [[3]]}]},
        "h_test_is_no_list": {"train": [pair], "test": "none"},
        "z_right": right,
    });
    let wrong = vec![
        ("b_ragged", 2, "row 1 (from 0)"),
        ("c_no_test", 1, "\"test\" is missing"),
        ("d_color", 3, "10 is not a colour"),
        ("e_number", 1, "expected a task"),
        ("f_empty", 1, "\"train\" is missing"),
        ("g_no_demos", 1, "\"train\" is empty"),
        ("h_test_is_no_list", 1, "should be a list"),
    ];
    (tasks, wrong)
}

#[test]
fn a_malformed_task_costs_that_task_alone() {
    let dir = folder("malformed");
    let (tasks, wrong) = malformed();
    fs::write(dir.join("challenges.json"), tasks.to_string()).unwrap();
    fs::write(dir.join("p.py"), "def solve_a(I):\n    return vmirror(I)\n").unwrap();
    let blank = json!({"attempt_1": [[0, 0], [0, 0]], "attempt_2": [[1, 1], [1, 1]]});
    for words in [
        "submit -p p.py -t challenges.json -o s.json",
        "solve challenges.json -p p.py --budget 0.01s/task --submission s.json",
        "evolve -p p.py -t challenges.json --budget 1g -a run.db --submission s.json",
    ] {
        let _ = fs::remove_file(dir.join("s.json"));
        let output = arcloom(&dir, words);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {error}");
        let written = read_json(&dir.join("s.json"));
        assert_eq!(written.as_object().unwrap().len(), tasks.as_object().unwrap().len());
        for right in ["a_right", "z_right"] {
            assert_eq!(written[right][0]["attempt_1"], json!([[4, 3]]), "{words}: {written}");
        }
        assert_eq!(error.lines().count(), wrong.len(), "{words}: {error}");
        for (id, tests, why) in &wrong {
            assert_eq!(written[id], json!(vec![blank.clone(); *tests]), "{words}: {id}");
            let line = error.lines().find(|line| line.contains(id)).unwrap();
            for part in ["warning", "challenges.json", why, "blank"] {
                assert!(line.contains(part), "`{part}` is missing in: {line}");
            }
        }
    }
    // Where no submission is asked for, nothing hides what is wrong.
    for words in ["solve challenges.json --budget 0.01s/task", "show challenges.json"] {
        check_said(&arcloom(&dir, words), 2, &["challenges.json", "b_ragged", "row 1"]);
    }
}

#[test]
fn malformed_tasks_are_chosen_like_others() {
    let dir = folder("chosen");
    let (tasks, _) = malformed();
    fs::write(dir.join("challenges.json"), tasks.to_string()).unwrap();
    let ids = |words: &str, code: i32| -> Vec<String> {
        let solve = "solve challenges.json --budget 0.01s/task --submission s.json";
        let output = arcloom(&dir, &format!("{solve} {words}"));
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        read_json(&dir.join("s.json")).as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(ids("--ids a_right", 0), ["a_right"]);
    assert_eq!(ids("--ids a_right,e_number", 1), ["a_right", "e_number"]);
    assert_eq!(ids("--count 2", 0), ["a_right", "z_right"]);
    // One file of a folder, which need not even be JSON.
    fs::create_dir(dir.join("tasks")).unwrap();
    fs::write(dir.join("tasks/good.json"), tasks["a_right"].to_string()).unwrap();
    fs::write(dir.join("tasks/ragged.json"), tasks["b_ragged"].to_string()).unwrap();
    fs::write(dir.join("tasks/cut.json"), "{\"train\": [").unwrap();
    let output = arcloom(&dir, "solve tasks --budget 0.01s/task --submission s.json");
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 2), "{error}");
    let written = read_json(&dir.join("s.json"));
    let tests = |id: &str| written[id].as_array().map(Vec::len);
    assert_eq!((tests("good"), tests("ragged"), tests("cut")), (Some(1), Some(2), Some(1)));
    // A combined file: the split that was asked for counts alone.
    let split = |ids: [&str; 2]| json!({ids[0]: tasks[ids[0]], ids[1]: tasks[ids[1]]});
    let both =
        json!({"train": split(["a_right", "b_ragged"]), "eval": split(["z_right", "e_number"])});
    fs::write(dir.join("both.json"), both.to_string()).unwrap();
    let output = arcloom(&dir, "solve both.json#eval --budget 0.01s/task --submission s.json");
    check_said(&output, 1, &["e_number"]);
    let written = read_json(&dir.join("s.json"));
    assert_eq!(written.as_object().unwrap().keys().collect::<Vec<_>>(), ["e_number", "z_right"]);
    // A file in which nothing is right is the wrong file.
    fs::write(dir.join("none.json"), json!({"b": tasks["b_ragged"]}).to_string()).unwrap();
    let output = arcloom(&dir, "solve none.json --submission none-s.json");
    check_said(&output, 2, &["none.json", "row 1"]);
    assert!(!dir.join("none-s.json").exists());
}
