//! Running commands, counting what they did, and where the time went.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Reasons for skips that no installation can remove: data of others, and what a machine is.
///
/// A skip whose line contains one of these is a skip under `--install` too; every other skip fails
/// there.
const NOT_INSTALLABLE: &[&str] = &[
    "ARCLOOM_ARC_DSL",
    "ARCLOOM_VECTORS",
    "library:arc-dsl",
    "OpenCL has one device",
    "not among the Pythons of this machine",
    "cargo-deny is not on this machine",
    "fork is POSIX",
    "signals are POSIX",
];
/// Seconds from which on a test binary has a line in the table of times.
const SHOWN: f64 = 1.0;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A `cargo` command in the repository's root.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Where tests keep the public data: inside `target`, so that nothing of the user's is touched.
pub(crate) fn data_dir() -> PathBuf {
    std::env::var_os("ARCLOOM_TEST_DATA")
        .map_or_else(|| root().join("target/test-data"), PathBuf::from)
}

/// True when a command runs and succeeds; what it prints is not shown.
pub(crate) fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A command that runs beside others, to have something ready when it is needed. What it says is not
/// shown: whoever needs its work does it again, which then takes no time, or says what is wrong.
#[derive(Debug)]
pub(crate) struct Background(Option<Child>);

impl Background {
    pub(crate) fn start(mut command: Command) -> Background {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Background(quiet.spawn().ok())
    }
}

impl Drop for Background {
    /// Waits for its end.
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.wait();
        }
    }
}

/// Counts of tests and steps, and their times.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Install what is missing; a skip for want of it is a failure.
    pub(crate) install: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
    failures: Vec<String>,
    times: Vec<Row>,
    start: Instant,
}

/// One line of the table of times.
#[derive(Debug)]
struct Row {
    name: String,
    time: Duration,
    cpu: Option<f64>,
    /// Part of the row above it that has no depth.
    is_part: bool,
}

/// What a command printed about its tests.
#[derive(Debug, Default)]
struct Printed {
    passed: usize,
    failed: usize,
    skips: Vec<String>,
    /// Seconds by test binary.
    binaries: Vec<(String, f64)>,
}

impl Tally {
    pub(crate) fn new(install: bool) -> Tally {
        Tally {
            install,
            passed: 0,
            failed: 0,
            skipped: 0,
            failures: Vec::new(),
            times: Vec::new(),
            start: Instant::now(),
        }
    }

    /// Runs a command as one step; the tests it reports are counted one by one.
    pub(crate) fn step(&mut self, name: &str, command: Command) -> bool {
        self.steps(name, command, false)
    }

    /// Runs `cargo test` as one step. A Rust test that skips prints a line and passes, so each such
    /// line is one test less that passed.
    pub(crate) fn tests(&mut self, name: &str, command: Command) -> bool {
        self.steps(name, command, true)
    }

    fn steps(&mut self, name: &str, mut command: Command, skips_pass: bool) -> bool {
        println!("\n== {name}");
        let (start, cpu) = (Instant::now(), children_cpu());
        let (printed, good) = match read(&mut command) {
            Ok((printed, mut child)) => (printed, child.wait().is_ok_and(|end| end.success())),
            Err(error) => {
                self.fail(name, &format!("cannot run: {error}"));
                return false;
            }
        };
        let state = if good { "ok" } else { "FAILED" };
        println!("-- {name}: {state} in {:.1} s", start.elapsed().as_secs_f64());
        if !good {
            self.failed += printed.failed.max(1);
            self.failures.push(name.to_string());
        }
        let Printed { mut passed, skips, binaries, .. } = printed;
        if skips_pass {
            passed = passed.saturating_sub(skips.len());
        }
        // A step without tests of its own counts as one.
        let alone = usize::from(good && passed == 0 && skips.is_empty());
        self.passed += passed + alone;
        for skip in &skips {
            self.count_skip(name, skip);
        }
        let cpu = children_cpu().zip(cpu).map(|(now, then)| now - then);
        self.times.push(Row { name: name.into(), time: start.elapsed(), cpu, is_part: false });
        let longest = binaries.into_iter().filter(|(_, seconds)| *seconds >= SHOWN);
        self.times.extend(longest.map(|(name, seconds)| Row {
            name,
            time: Duration::from_secs_f64(seconds),
            cpu: None,
            is_part: true,
        }));
        good
    }

    /// Counts a step that was done in this process.
    pub(crate) fn check(&mut self, name: &str, good: bool, what: &str) {
        if good {
            println!("   ok: {name}: {what}");
            self.passed += 1;
        } else {
            self.fail(name, what);
        }
    }

    /// Counts what cannot be done here, with what to type so that it can.
    pub(crate) fn skip(&mut self, name: &str, reason: &str, advice: &str) {
        println!("   SKIPPED: {name}: {reason}; {advice}");
        self.count_skip(name, reason);
    }

    /// Does something in this process as one row of the table of times.
    pub(crate) fn timed<T>(&mut self, name: &str, work: impl FnOnce(&mut Tally) -> T) -> T {
        let (start, cpu, rows) = (Instant::now(), children_cpu(), self.times.len());
        let done = work(self);
        // Steps inside have rows of their own; what is listed is what they leave.
        let inside: Duration =
            self.times.iter().skip(rows).filter(|row| !row.is_part).map(|row| row.time).sum();
        let cpu_inside: f64 = self.times.iter().skip(rows).filter_map(|row| row.cpu).sum();
        let time = start.elapsed().saturating_sub(inside);
        let cpu = children_cpu().zip(cpu).map(|(now, then)| (now - then - cpu_inside).max(0.0));
        self.times.push(Row { name: name.into(), time, cpu, is_part: false });
        done
    }

    fn count_skip(&mut self, name: &str, reason: &str) {
        let allowed = NOT_INSTALLABLE.iter().any(|word| reason.contains(word));
        if self.install && !allowed {
            println!(
                "   FAILED: {name}: skipped although everything was to be installed: {reason}"
            );
            self.failed += 1;
            self.failures.push(format!("{name} (skipped)"));
        } else {
            self.skipped += 1;
        }
    }

    fn fail(&mut self, name: &str, what: &str) {
        println!("   FAILED: {name}: {what}");
        self.failed += 1;
        self.failures.push(name.to_string());
    }

    /// The table of times and the closing lines; true when nothing failed.
    pub(crate) fn finish(&self) -> bool {
        self.print_times();
        if !self.failures.is_empty() {
            println!("\nfailed: {}", self.failures.join(", "));
        }
        println!("\n{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped);
        self.failed == 0
    }

    fn print_times(&self) {
        println!("\n{:>9}  {:>9}  step", "seconds", "processor");
        for row in &self.times {
            let cpu = row.cpu.map_or_else(String::new, |cpu| format!("{cpu:.1}"));
            let name = if row.is_part { format!("  {}", row.name) } else { row.name.clone() };
            println!("{:>9.1}  {cpu:>9}  {name}", row.time.as_secs_f64());
        }
        // A sum of nothing would be -0.
        let cpu = self.times.iter().filter_map(|row| row.cpu).fold(0.0, |all, cpu| all + cpu);
        println!("{:>9.1}  {cpu:>9.1}  all", self.start.elapsed().as_secs_f64());
    }
}

/// Runs a command to the end of its output, which is shown line by line.
fn read(command: &mut Command) -> std::io::Result<(Printed, Child)> {
    // One pipe for both, so that cargo's line before a test binary stays before its tests.
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn()?;
    // The command holds the pipe's other end, which must close when the child is done.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut printed = Printed::default();
    let mut binary = None;
    let mut lines = BufReader::new(reader);
    let mut bytes = Vec::new();
    while lines.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        println!("{line}");
        let _ = std::io::stdout().flush();
        if let Some(name) = test_binary(line) {
            binary = Some(name);
        }
        if let Some(reason) = skip_reason(line) {
            printed.skips.push(reason.to_string());
        }
        if let Some((passed, failed)) = test_counts(line) {
            printed.passed += passed;
            printed.failed += failed;
            let seconds = line.rsplit("finished in ").next().and_then(|s| s.strip_suffix('s'));
            if let Some((name, seconds)) = binary.take().zip(seconds.and_then(|s| s.parse().ok())) {
                printed.binaries.push((name, seconds));
            }
        }
        bytes.clear();
    }
    Ok((printed, child))
}

/// Passed and failed tests from a line of `cargo test`.
fn test_counts(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("test result: ")?;
    let count = |word: &str| -> Option<usize> {
        rest.split(word).next()?.trim_end().rsplit(' ').next()?.parse().ok()
    };
    Some((count(" passed")?, count(" failed")?))
}

/// The test binary that cargo runs next, by crate and file.
fn test_binary(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{name} documentation"));
    }
    let (source, path) = line.strip_prefix("Running ")?.split_once(" (")?;
    let file = path.strip_suffix(')')?.rsplit(['/', '\\']).next()?;
    let stem = file.rsplit_once('-').map_or(file, |(stem, _)| stem);
    Some(format!("{stem} {}", source.trim_start_matches("unittests ")))
}

/// The reason in a line that says that a test is skipped.
fn skip_reason(line: &str) -> Option<&str> {
    // One test thread prints the test's name first: `test name ... skipped: reason`.
    let said = match line.split_once(" ... ") {
        Some((test, said)) if test.starts_with("test ") => said,
        _ => line,
    };
    let said = said.trim_matches([' ', '*']);
    said.strip_prefix("skipped: ").or_else(|| said.strip_prefix("SKIPPED: "))
}

/// Seconds of processor time of all commands that have ended, where the system says so.
fn children_cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in brackets, which may hold spaces.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    // Linux counts in hundredths of a second for every program.
    Some(ticks as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_are_understood() {
        let line = "test result: ok. 12 passed; 1 failed; 0 ignored; finished in 1.20s";
        assert_eq!(test_counts(line), Some((12, 1)));
        assert_eq!(test_counts("12 passed"), None);
        let line =
            "     Running unittests src/lib.rs (target/debug/deps/arcloom_dsl-0123456789abcdef)";
        assert_eq!(test_binary(line).as_deref(), Some("arcloom_dsl src/lib.rs"));
        let line = "   Doc-tests arcloom_dsl";
        assert_eq!(test_binary(line).as_deref(), Some("arcloom_dsl documentation"));
    }

    #[test]
    fn skips_are_seen_in_all_their_forms() {
        assert_eq!(skip_reason("*** skipped: no data ***"), Some("no data"));
        assert_eq!(skip_reason("   SKIPPED: name: why"), Some("name: why"));
        assert_eq!(skip_reason("test a::b ... skipped: why"), Some("why"));
        assert_eq!(skip_reason("rows are skipped: yes"), None);
        assert_eq!(skip_reason("test a::b ... ok"), None);
    }

    #[test]
    fn a_skip_fails_only_where_it_could_have_been_installed() {
        let mut tally = Tally::new(true);
        tally.count_skip("libraries", "ARCLOOM_ARC_DSL is not set");
        assert_eq!((tally.failed, tally.skipped), (0, 1));
        tally.count_skip("browser", "chromium is missing");
        assert_eq!((tally.failed, tally.skipped), (1, 1));
        let mut tally = Tally::new(false);
        tally.count_skip("browser", "chromium is missing");
        assert_eq!((tally.failed, tally.skipped), (0, 1));
    }
}
