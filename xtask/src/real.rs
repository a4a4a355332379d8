//! The public task sets and program libraries: the tests that run against something real.
//!
//! Task sets and re-arc's programs come with `arcloom data pull`. An arc-dsl checkout is used where
//! `ARCLOOM_ARC_DSL` names one; without it those checks are skipped, loudly.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::run::{Tally, cargo, data_dir, root};

/// Tasks of ARC-AGI-1 training that a library must solve fully.
const WANTED: &[(&str, usize)] = &[("library:rearc", 391), ("library:arc-dsl", 399)];

pub(crate) fn real() -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    prepare(&mut tally);
    check(&mut tally);
    weave(&mut tally, true);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Builds the command line and pulls the public data.
pub(crate) fn prepare(tally: &mut Tally) {
    if !tally.step("release build", cargo(&["build", "--release", "--quiet"])) {
        return;
    }
    let mut pull = Command::new(binary());
    pull.args(["data", "pull", "--data-dir"]).arg(data_dir());
    tally.step("public data", pull);
    if let Some(checkout) = std::env::var_os("ARCLOOM_ARC_DSL") {
        let mut add = Command::new(binary());
        add.args(["data", "add", "library:arc-dsl"])
            .arg(checkout)
            .arg("--data-dir")
            .arg(data_dir());
        tally.step("arc-dsl checkout", add);
    }
}

/// Checks whole libraries on the tasks they were written for.
pub(crate) fn check(tally: &mut Tally) {
    println!("\n== public programs");
    for &(library, wanted) in WANTED {
        if library == "library:arc-dsl" && std::env::var_os("ARCLOOM_ARC_DSL").is_none() {
            println!("   SKIPPED: {library}: set ARCLOOM_ARC_DSL to an arc-dsl checkout to run it");
            continue;
        }
        let output = Command::new(binary())
            .args(["check", library, "--tasks", "arc1/training", "--json", "--data-dir"])
            .arg(data_dir())
            .output();
        let solved = output
            .ok()
            .and_then(|out| serde_json::from_slice::<serde_json::Value>(&out.stdout).ok())
            .and_then(|report| report["solved"].as_u64());
        match solved {
            Some(solved) => {
                let what = format!("{solved} of 400 tasks fully right, at least {wanted} wanted");
                tally.check(library, solved >= wanted as u64, &what);
            }
            None => tally.check(library, false, "no report"),
        }
    }
}

/// Weaves whole libraries and compares every program's outcome inside the batt with its outcome alone:
/// on forty tasks, or on all of ARC-AGI-1 training.
pub(crate) fn weave(tally: &mut Tally, all: bool) {
    let mut libraries = vec!["library:rearc"];
    if std::env::var_os("ARCLOOM_ARC_DSL").is_some() {
        libraries.push("library:arc-dsl");
    }
    let run = ["run", "--release", "--quiet", "-p", "arcloom", "--example", "weave_exact", "--"];
    let mut command = cargo(&run);
    command.args(&libraries).args(["--tasks", "arc1/training"]);
    if !all {
        command.args(["--count", "40"]);
    }
    command.env("ARCLOOM_DATA_DIR", data_dir());
    tally.step("programs woven and alone", command);
}

pub(crate) fn binary() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("release/arcloom")
}
