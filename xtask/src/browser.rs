//! The viewer and the report in a real browser.
//!
//! Chromium and its driver are Debian's; they are installed where that can be done, and the tests are
//! skipped with a line that says so where it cannot. Screenshots are kept in `target/browser`.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::real;
use crate::run::{Tally, data_dir, root};

pub(crate) fn browser() -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    real::prepare(&mut tally);
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Drives every page. The command must be built.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== viewer in a browser");
    if !answers("python3", &["--version"]) {
        println!("   SKIPPED: viewer in a browser: there is no python3");
        return;
    }
    if !is_there() && !install() {
        println!(
            "   SKIPPED: viewer in a browser: chromium and chromedriver are not installed, and \
             `apt-get install chromium chromium-driver` does not work here"
        );
        return;
    }
    for (title, file) in [("viewer", "test_viewer.py"), ("report", "test_report.py")] {
        let mut tests = Command::new("python3");
        tests
            .arg(root().join("crates/arcloom-web/browser").join(file))
            .env("ARCLOOM", real::binary())
            .env("ARCLOOM_DATA_DIR", data_dir())
            .env("ARCLOOM_ARTIFACTS", artifacts());
        tally.step(&format!("browser tests of the {title}"), tests);
    }
}

fn artifacts() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("browser")
}

fn is_there() -> bool {
    answers("chromium", &["--version"]) && answers("chromedriver", &["--version"])
}

fn install() -> bool {
    let words = ["install", "-y", "-qq", "chromium", "chromium-driver"];
    (answers("apt-get", &words)
        || (answers("apt-get", &["update", "-qq"]) && answers("apt-get", &words)))
        && is_there()
}

/// True when a command runs and succeeds; what it prints is not shown.
fn answers(program: &str, words: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command.status().is_ok_and(|status| status.success())
}
