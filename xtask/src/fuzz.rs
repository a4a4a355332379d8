//! `cargo xtask fuzz`: everything that reads what others wrote, and the evaluator, under libFuzzer.
//!
//! Needs a nightly toolchain and `cargo-fuzz`, which is installed when missing.

use std::process::{Command, ExitCode};

use crate::run::{Tally, answers, cargo, root};

/// Named after the property each one tests.
const TARGETS: &[&str] = &[
    "parser_never_panics",
    "evaluator_never_panics",
    "archives_never_panic",
    "json_lines_never_panic",
    "tasks_never_panic",
    "settings_never_panic",
    "requests_never_panic",
];

/// Seconds that one input may take. The slowest that was found takes seven under the sanitizer;
/// far more means work that nobody pays for.
const LONGEST: u32 = 20;

pub(crate) fn fuzz(minutes: u64, only: Option<&str>) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        only.is_none_or(|only| TARGETS.contains(&only)),
        "no such target; there are {}",
        TARGETS.join(", ")
    );
    let mut tally = Tally::new(true);
    install(&mut tally);
    for target in TARGETS.iter().filter(|target| only.is_none_or(|only| only == **target)) {
        let seconds = format!("-max_total_time={}", minutes * 60);
        let timeout = format!("-timeout={LONGEST}");
        let args =
            ["run", target, "--", &seconds, "-rss_limit_mb=2048", &timeout, "-print_final_stats=1"];
        tally.step(target, nightly(&args));
    }
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Builds the targets without running them.
pub(crate) fn build(tally: &mut Tally) {
    if tally.install {
        install(tally);
    } else if !is_there() {
        let advice =
            "type `cargo install --locked cargo-fuzz`, or `cargo xtask test --all --install`";
        return tally.skip("fuzz targets", "cargo-fuzz is not installed", advice);
    }
    tally.step("fuzz targets", nightly(&["build"]));
}

fn install(tally: &mut Tally) {
    if !is_there() {
        tally.step("install cargo-fuzz", cargo(&["install", "--locked", "cargo-fuzz"]));
    }
}

fn is_there() -> bool {
    answers(Command::new("cargo").args(["fuzz", "--version"]))
}

fn nightly(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz"]).args(args).current_dir(root());
    // The alias of this repository pins the toolchain of the caller.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}
