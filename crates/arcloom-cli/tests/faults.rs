//! Every n-th write, sync, truncation and rename fails, and the power goes at any moment: commands end with an
//! error and not with a signal, archives open and verify, and the same command run again comes to the same end.
//!
//! A small library in C (`faults/shim.c`, compiled here, preloaded) stands between the command and the system.
//! With ARCLOOM_FAULTS=all every call fails once; otherwise an even choice of them does.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(clippy::print_stdout, reason = "what a test counted")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Calls of each command that fail, unless all do.
const CALLS: u64 = 10;
/// What they fail with: an I/O error, a full disk.
const ERRORS: [i32; 2] = [5, 28];

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir.canonicalize().unwrap()
}

/// The library, or nothing where there is no compiler.
fn shim(test: &str) -> Option<PathBuf> {
    let dir = folder(&format!("{test}_shim"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
    let library = dir.join("shim.so");
    let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .args(["-ldl", "-lpthread"]);
    match compiler.status() {
        Ok(status) => {
            assert!(status.success(), "the shim does not compile");
            Some(library)
        }
        Err(_) => {
            println!("skipped: there is no C compiler");
            None
        }
    }
}

fn arcloom(dir: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arcloom"));
    command.current_dir(dir).env("NO_COLOR", "1").env("ARCLOOM_DATA_DIR", dir.join("../data"));
    command.args(words.split_whitespace()).stdin(Stdio::null());
    command
}

#[track_caller]
fn succeeds(dir: &Path, words: &str) -> Output {
    let output = arcloom(dir, words).output().unwrap();
    assert!(
        output.status.success(),
        "`arcloom {words}`: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

const EVOLVE: &str = "evolve -a run.db --ids tally,parity_half --children 16 --population 8 --jobs 1 --quiet --budget";

/// One command under faults: what was there before, and what it leaves behind.
struct Sweep<'a> {
    name: &'a str,
    /// What was there before.
    before: &'a [&'a str],
    words: &'a str,
    /// The archive that it writes.
    archive: Option<&'a str>,
    /// The file that it writes, and whether two runs give the same one.
    file: Option<(&'a str, bool)>,
}

impl Sweep<'_> {
    fn run(&self) {
        let Some(shim) = shim(self.name) else { return };
        let (start, whole) =
            (folder(&format!("{}_start", self.name)), folder(&format!("{}_whole", self.name)));
        let dir = folder(&format!("{}_faults", self.name));
        for words in self.before {
            succeeds(&start, words);
        }
        copy(&start, &whole);
        succeeds(&whole, self.words);
        let faulty = |env: &[(&str, String)]| {
            copy(&start, &dir);
            let mut command = arcloom(&dir, self.words);
            command.env("LD_PRELOAD", &shim).env("FAULT_DIR", &dir);
            command.env("FAULT_COUNT", shim.with_extension(self.name));
            command.envs(env.iter().map(|(name, value)| (name, value)));
            command.output().unwrap()
        };
        assert!(faulty(&[]).status.success());
        let count = fs::read_to_string(shim.with_extension(self.name)).unwrap_or_default();
        let count: u64 = count.trim().parse().unwrap_or(0);
        assert!(count > 3, "{}: the shim sees {count} calls", self.name);
        let all = std::env::var_os("ARCLOOM_FAULTS").is_some_and(|value| value == "all");
        let step = if all { 1 } else { (count / CALLS).max(1) };
        let (mut ended, mut done) = (0, 0);
        for (round, at) in (1..=count).step_by(step as usize).enumerate() {
            let error = ERRORS[round % 2];
            let mut env = vec![("FAULT_AT", at.to_string()), ("FAULT_ERROR", error.to_string())];
            // A disk that is full stays full.
            if round % 4 > 1 {
                env.push(("FAULT_ALL", "1".to_owned()));
            }
            let output = faulty(&env);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let place = format!("{}: call {at} of {count}, error {error}: {said}", self.name);
            assert!(
                output.status.code().is_some_and(|code| code <= 2),
                "{:?} {place}",
                output.status
            );
            assert!(!said.contains("panicked"), "{place}");
            ended += u32::from(!output.status.success());
            done += 1;
            if let Some(archive) = self.archive.filter(|archive| dir.join(archive).exists()) {
                // A file that was just begun is no archive yet, and the next run makes one of it.
                let stats = arcloom(&dir, &format!("archive -a {archive} stats")).output().unwrap();
                let empty = String::from_utf8_lossy(&stats.stderr).contains("it is empty");
                if !empty {
                    let verify =
                        arcloom(&dir, &format!("archive -a {archive} verify")).output().unwrap();
                    assert!(
                        verify.status.success(),
                        "{}{place}",
                        String::from_utf8_lossy(&verify.stderr)
                    );
                }
            }
            if let Some((file, _)) = self.file.filter(|(file, _)| dir.join(file).exists()) {
                // Whole, whatever the command said.
                let (written, expected) =
                    (fs::read(dir.join(file)).unwrap(), fs::read(whole.join(file)).unwrap());
                let ends = |bytes: &[u8]| bytes[bytes.len().saturating_sub(4)..].to_vec();
                assert_eq!(ends(&written), ends(&expected), "{place}");
            }
            succeeds(&dir, self.words);
            if let Some(archive) = self.archive {
                let other = whole.join(archive);
                succeeds(&dir, &format!("archive diff {archive} {}", other.display()));
            }
            if let Some((file, true)) = self.file {
                assert!(
                    fs::read(dir.join(file)).unwrap() == fs::read(whole.join(file)).unwrap(),
                    "{place}"
                );
            }
            let left = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
            let left: Vec<_> =
                left.filter(|name| name.to_string_lossy().ends_with("tmp")).collect();
            assert!(left.is_empty(), "{left:?} {place}");
        }
        println!(
            "{}: {done} of {count} calls failed, {ended} commands ended with an error",
            self.name
        );
        assert!(ended > 0, "{}: no fault was noticed", self.name);
    }
}

#[test]
fn evolve_under_faults() {
    let words = &format!("{EVOLVE} 2g");
    Sweep { name: "evolve", before: &[], words, archive: Some("run.db"), file: None }.run();
}

#[test]
fn solve_under_faults() {
    let words = "solve embedded --ids tally,parity_half -p library:embedded --jobs 1 --budget 0.01s/task \
                 --quiet -a run.db --submission s.json";
    let file = Some(("s.json", true));
    Sweep { name: "solve", before: &[], words, archive: Some("run.db"), file }.run();
}

#[test]
fn submit_under_faults() {
    let words = "submit -p library:embedded -t embedded --jobs 1 --quiet -o s.json";
    Sweep { name: "submit", before: &[], words, archive: None, file: Some(("s.json", true)) }.run();
}

#[test]
fn merge_under_faults() {
    let before =
        [&*format!("{EVOLVE} 1g"), "archive -a other.db import library:embedded --tasks embedded"];
    let words = "archive -a run.db merge other.db";
    Sweep { name: "merge", before: &before, words, archive: Some("run.db"), file: None }.run();
}

#[test]
fn prune_under_faults() {
    let before = [&*format!("{EVOLVE} 3g")];
    let words = "archive -a run.db prune --best 2 --different 0";
    Sweep { name: "prune", before: &before, words, archive: Some("run.db"), file: None }.run();
}

#[test]
fn report_under_faults() {
    let before = [&*format!("{EVOLVE} 1g")];
    let words = "report run.db -o report.html --jobs 1";
    Sweep {
        name: "report",
        before: &before,
        words,
        archive: None,
        file: Some(("report.html", false)),
    }
    .run();
}

/// What a process did to a file.
#[derive(Clone)]
enum Deed {
    Write(u64, Vec<u8>),
    Truncate(u64),
    Sync,
    Remove,
}

/// What the shim wrote down: deeds in their order, each with the name of its file.
fn deeds(log: &[u8]) -> Vec<(String, Deed)> {
    let (mut deeds, mut rest) = (Vec::new(), log);
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().unwrap().to_owned();
        let (what, at, size, path) = (word(), word(), word(), word());
        let (at, size): (u64, usize) = (at.parse().unwrap_or(0), size.parse().unwrap());
        let (bytes, more) = rest.split_at(if what == "w" { size } else { 0 });
        rest = more;
        let name = Path::new(&path).file_name().unwrap().to_string_lossy().into_owned();
        let deed = match what.as_str() {
            "w" => Deed::Write(at, bytes.to_vec()),
            "t" => Deed::Truncate(at),
            "s" => Deed::Sync,
            _ => Deed::Remove,
        };
        deeds.push((name, deed));
    }
    deeds
}

/// The files as a disk may have them when the power goes after so many deeds: of what was written to a file
/// since it was last synced, any part may be there, in any order.
fn after_power_cut(deeds: &[(String, Deed)], random: &mut u64) -> BTreeMap<String, Vec<u8>> {
    let mut draw = || {
        *random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *random >> 33
    };
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut last_sync: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, (name, deed)) in deeds.iter().enumerate() {
        if matches!(deed, Deed::Sync) {
            last_sync.insert(name, n);
        }
    }
    for (n, (name, deed)) in deeds.iter().enumerate() {
        let sure = last_sync.get(name.as_str()).is_some_and(|&sync| n < sync);
        if !sure && draw() % 2 == 0 {
            continue;
        }
        let file = files.entry(name.clone()).or_default();
        match deed {
            Deed::Write(at, bytes) => {
                let at = *at as usize;
                // Sectors are written whole, pages are not.
                let bytes = match sure || draw() % 4 > 0 {
                    true => &bytes[..],
                    false => &bytes[..bytes.len().min(512 * (draw() as usize % 8))],
                };
                file.resize(file.len().max(at + bytes.len()), 0);
                file[at..at + bytes.len()].copy_from_slice(bytes);
            }
            Deed::Truncate(size) => file.resize(*size as usize, 0),
            Deed::Sync => {}
            Deed::Remove => file.clear(),
        }
    }
    files
}

#[test]
fn a_power_cut_at_any_moment_leaves_an_archive() {
    let Some(shim) = shim("power") else { return };
    let (dir, whole, cut) = (folder("power"), folder("power_whole"), folder("power_cut"));
    let log = shim.with_extension("log");
    let words = format!("{EVOLVE} 6g");
    let mut command = arcloom(&dir, &words);
    command.env("LD_PRELOAD", &shim).env("FAULT_DIR", &dir).env("FAULT_LOG", &log);
    assert!(command.output().unwrap().status.success());
    succeeds(&whole, &words);
    let all = deeds(&fs::read(&log).unwrap());
    let of_archive = |name: &str| ["run.db", "run.db-wal", "run.db-journal"].contains(&name);
    let all: Vec<(String, Deed)> = all.into_iter().filter(|(name, _)| of_archive(name)).collect();
    assert!(all.len() > 20, "{} deeds", all.len());
    // Nothing lost and nothing reordered is what was there, or the play-back shows nothing.
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.extend(after_power_cut(
        &[
            all.clone(),
            vec![("run.db".to_owned(), Deed::Sync), ("run.db-wal".to_owned(), Deed::Sync)],
        ]
        .concat(),
        &mut 0,
    ));
    assert!(files["run.db"] == fs::read(dir.join("run.db")).unwrap());
    let many = std::env::var_os("ARCLOOM_FAULTS").is_some_and(|value| value == "all");
    let (cuts, mut random, mut begun) = (if many { 1000 } else { 40 }, 1u64, 0);
    for n in 0..cuts {
        let most = 1 + (all.len() - 1) * n / cuts;
        let _ = fs::remove_dir_all(&cut);
        fs::create_dir_all(&cut).unwrap();
        for (name, bytes) in after_power_cut(&all[..most], &mut random) {
            fs::write(cut.join(name), bytes).unwrap();
        }
        let stats = arcloom(&cut, "archive -a run.db stats").output().unwrap();
        let said = String::from_utf8_lossy(&stats.stderr).into_owned();
        // Before the first commit is on the disk there is no archive, and nothing to lose.
        if !stats.status.success() {
            assert!(
                said.contains("it is empty") || said.contains("no such archive"),
                "cut {n} after {most}: {said}"
            );
            continue;
        }
        begun += 1;
        succeeds(&cut, "archive -a run.db verify");
        if n % 8 == 0 {
            succeeds(&cut, &words);
            succeeds(&cut, &format!("archive diff run.db {}", whole.join("run.db").display()));
        }
    }
    println!("{cuts} power cuts, {begun} of them after the archive was begun");
    assert!(begun > cuts / 2, "{begun}");
}
