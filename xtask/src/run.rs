//! Running commands and counting what they did.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
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

/// Counts of tests and steps.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    failures: Vec<String>,
}

impl Tally {
    /// Runs a command as one step; the tests it reports are counted one by one.
    pub(crate) fn step(&mut self, name: &str, mut command: Command) -> bool {
        println!("\n== {name}");
        let start = Instant::now();
        let child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => {
                self.fail(name, &format!("cannot run: {error}"));
                return false;
            }
        };
        let (mut passed, mut failed) = (0, 0);
        if let Some(out) = child.stdout.take() {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                println!("{line}");
                let _ = std::io::stdout().flush();
                if let Some((p, f)) = test_counts(&line) {
                    passed += p;
                    failed += f;
                }
            }
        }
        let good = child.wait().is_ok_and(|status| status.success());
        self.passed += passed;
        if good {
            // A step without tests of its own counts as one.
            self.passed += usize::from(passed == 0);
        } else {
            self.failed += failed.max(1);
            self.failures.push(name.to_string());
        }
        println!(
            "-- {name}: {} in {:.1} s",
            if good { "ok" } else { "FAILED" },
            start.elapsed().as_secs_f64()
        );
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

    fn fail(&mut self, name: &str, what: &str) {
        println!("   FAILED: {name}: {what}");
        self.failed += 1;
        self.failures.push(name.to_string());
    }

    /// The closing lines; true when nothing failed.
    pub(crate) fn finish(&self) -> bool {
        if !self.failures.is_empty() {
            println!("\nfailed: {}", self.failures.join(", "));
        }
        println!("\n{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}

/// Passed and failed tests from a line of `cargo test`.
fn test_counts(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("test result: ")?;
    let count = |word: &str| -> Option<usize> {
        rest.split(word).next()?.trim_end().rsplit(' ').next()?.parse().ok()
    };
    Some((count(" passed")?, count(" failed")?))
}
