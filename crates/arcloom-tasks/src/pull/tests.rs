//! Pulls from small wheels made here, and the ways in which a pull fails.

use std::fs;
use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// A wheel with one wanted and one unwanted file, and its pins.
fn wheel(content: &[u8], pinned: &[u8]) -> (Vec<u8>, &'static [Wheel]) {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("pkg/data/a.json", content), ("../evil.py", b"no")] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let member = Member {
        inside: "pkg/data/a.json",
        path: "tasks/pkg/a.json",
        size: pinned.len() as u64,
        blake3: leak(blake3::hash(pinned).to_string()),
    };
    let wheel = Wheel {
        package: "pkg==1",
        file: "pkg-1-py3-none-any.whl",
        size: bytes.len() as u64,
        sha256: leak(sha256),
        members: Box::leak(Box::new([member])),
    };
    (bytes, Box::leak(Box::new([wheel])))
}

fn offline(folder: &Path) -> PullOptions {
    PullOptions { offline: Some(folder.to_path_buf()), python: None }
}

/// Everything below a folder, except the lock.
fn files(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            } else if !path.ends_with(".lock") {
                found.push(path.strip_prefix(dir).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_pull_unpacks_what_is_wanted_and_repeats_for_free() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, wheels) = wheel(b"content", b"content");
    let wheel_dir = tempfile::tempdir().unwrap();
    fs::write(wheel_dir.path().join(wheels[0].file), bytes).unwrap();
    fs::create_dir_all(dir.path().join("tasks/pkg")).unwrap();
    fs::write(dir.path().join("tasks/pkg/.tmp-1-0-0"), "left by a killed run").unwrap();
    fs::create_dir(dir.path().join(".tmp-1-0-1")).unwrap();
    let mut events = Vec::new();
    let report =
        pull_wheels(dir.path(), wheels, &offline(wheel_dir.path()), &mut |e| events.push(e))
            .unwrap();
    assert_eq!((report.written, report.present, report.bytes), (vec!["tasks/pkg/a.json"], 0, 7));
    assert_eq!(files(dir.path()), ["tasks/pkg/a.json"]);
    let wrote = PullEvent::Wrote { path: "tasks/pkg/a.json", bytes: 7 };
    assert_eq!(events, [PullEvent::Checked { wheel: wheels[0].file }, wrote]);

    // Nothing to do: no wheel and no Python is needed.
    let again =
        pull_wheels(dir.path(), wheels, &offline(Path::new("nowhere")), &mut |_| {}).unwrap();
    assert_eq!((again.written.len(), again.present), (0, 1));

    fs::write(dir.path().join("tasks/pkg/a.json"), "damaged").unwrap();
    assert!(matches!(wheels[0].members[0].health(dir.path()), Health::Bad(_)));
    pull_wheels(dir.path(), wheels, &offline(wheel_dir.path()), &mut |_| {}).unwrap();
    assert_eq!(fs::read(dir.path().join("tasks/pkg/a.json")).unwrap(), b"content");
}

#[test]
fn pulls_at_the_same_time_agree() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, wheels) = wheel(b"content", b"content");
    let wheel_dir = tempfile::tempdir().unwrap();
    fs::write(wheel_dir.path().join(wheels[0].file), bytes).unwrap();
    let pull = || {
        pull_wheels(dir.path(), wheels, &offline(wheel_dir.path()), &mut |_| {})
            .unwrap()
            .written
            .len()
    };
    let written: usize = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(pull)).collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert_eq!(written, 1);
    assert_eq!(files(dir.path()), ["tasks/pkg/a.json"]);
}

#[test]
fn wheels_that_are_not_the_published_ones_are_refused() {
    let wheel_dir = tempfile::tempdir().unwrap();
    let check = |bytes: Option<&[u8]>, wheels: &'static [Wheel], expected: &str| {
        let dir = tempfile::tempdir().unwrap();
        let path = wheel_dir.path().join(wheels[0].file);
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => drop(fs::remove_file(&path)),
        }
        let error = pull_wheels(dir.path(), wheels, &offline(wheel_dir.path()), &mut |_| {})
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
        assert!(files(dir.path()).is_empty());
    };
    let (mut bytes, wheels) = wheel(b"content", b"content");
    check(None, wheels, "no pkg-1-py3-none-any.whl here");
    check(Some(b"short"), wheels, "not the published wheel (5 bytes instead of");
    bytes[0] ^= 1;
    check(Some(&bytes), wheels, "not the published wheel (sha256 ");
    let (bytes, wheels) = wheel(b"other content, longer than what was published", b"content");
    check(Some(&bytes), wheels, "pkg/data/a.json: other content than published");
}

#[test]
fn python_that_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let options = PullOptions { offline: None, python: Some("no-such-python".into()) };
    let (_, wheels) = wheel(b"", b"x");
    let error = pull_wheels(dir.path(), wheels, &options, &mut |_| {}).unwrap_err().to_string();
    assert!(error.starts_with("cannot run no-such-python; install Python 3 with pip"), "{error}");
    assert!(files(dir.path()).is_empty());
}

#[cfg(unix)]
mod pip {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Runs a pull with a stand-in for Python that does what `script` says.
    fn pull_with(script: &str) -> (tempfile::TempDir, Result<PullReport, CorpusError>) {
        let dir = tempfile::tempdir().unwrap();
        let (bytes, wheels) = wheel(b"content", b"content");
        let tools = tempfile::tempdir().unwrap();
        fs::write(tools.path().join("wheel"), bytes).unwrap();
        let python = tools.path().join("python");
        let script = script.replace("WHEEL", &tools.path().join("wheel").display().to_string());
        fs::write(&python, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let options = PullOptions { offline: None, python: Some(python.into()) };
        let mut result = pull_wheels(dir.path(), wheels, &options, &mut |_| {});
        for _ in 0..50 {
            // A fork in another test can hold the script open for writing for a moment.
            if !matches!(result, Err(CorpusError::NoPython { .. })) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            result = pull_wheels(dir.path(), wheels, &options, &mut |_| {});
        }
        (dir, result)
    }

    #[track_caller]
    fn check(script: &str, expected: &str) {
        let (dir, result) = pull_with(script);
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
        assert!(files(dir.path()).is_empty());
    }

    #[test]
    fn pip_is_asked_for_pinned_wheels_without_dependencies() {
        let (dir, result) = pull_with(
            r#"case "$*" in "-I -m pip download --no-deps --only-binary=:all: "*" pkg==1") ;; *) echo "$*" >&2; exit 9;; esac
while [ "$1" != "-d" ]; do shift; done
cp WHEEL "$2/pkg-1-py3-none-any.whl""#,
        );
        assert_eq!(result.unwrap().written, ["tasks/pkg/a.json"]);
        assert_eq!(files(dir.path()), ["tasks/pkg/a.json"]);
    }

    #[test]
    fn pip_that_isolation_hides_is_run_in_an_empty_folder() {
        let (dir, result) = pull_with(
            r#"if [ "$1" = -I ]; then echo "python: No module named pip" >&2; exit 1; fi
[ "$1 $2" = "-m pip" ] || { echo "$*" >&2; exit 9; }
[ -z "$(ls -A)" ] || { echo "not an empty folder: $(pwd)" >&2; exit 9; }
while [ "$1" != "-d" ]; do shift; done
cp WHEEL "$2/pkg-1-py3-none-any.whl""#,
        );
        assert_eq!(result.unwrap().written, ["tasks/pkg/a.json"]);
        assert_eq!(files(dir.path()), ["tasks/pkg/a.json"]);
    }

    #[test]
    fn failures_are_one_line_with_pips_own_words() {
        let offline = "echo 'WARNING: Retrying' >&2; echo 'ERROR: No matching distribution found for pkg==1' >&2; \
                       echo '[notice] x' >&2; exit 1";
        check(
            offline,
            "pip could not fetch pkg==1: ERROR: No matching distribution found for pkg==1; check the network",
        );
        check("echo 'python: No module named pip' >&2; exit 1", "has no pip; run `");
        check("echo 'OSError: [Errno 28] No space left on device' >&2; exit 2", "the disk is full");
        check("exit 3", "no message, exit status: 3");
        check("exit 0", "no pkg-1-py3-none-any.whl here");
    }
}
