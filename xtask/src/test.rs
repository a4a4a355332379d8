//! `cargo xtask test`: everything a change must pass, from a fresh clone on a fresh machine.

use std::process::ExitCode;

use crate::run::{Tally, cargo, data_dir};
use crate::{browser, fuzz, gpu, oracle, python, real};

pub(crate) fn test(all: bool) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    tally.step("formatting", cargo(&["fmt", "--all", "--check"]));
    tally.step(
        "clippy",
        cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    );
    tally.step("generated files", cargo(&["xtask", "codegen", "--check"]));
    tally.step("tidy", cargo(&["xtask", "tidy"]));
    gpu::check(&mut tally);
    gpu::prepare(&mut tally);
    real::prepare(&mut tally);
    // The README's first command, as a stranger types it.
    tally.step("first command", cargo(&["run", "--release", "--quiet"]));
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast", "--", "--nocapture"]);
    tests.env("ARCLOOM_DATA_DIR", data_dir()).env("NO_COLOR", "1");
    if all {
        tests.env("PROPTEST_CASES", "20000");
    }
    tally.step("tests", tests);
    let mut docs = cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    tally.step("documentation", docs);
    oracle::test(&mut tally);
    real::check(&mut tally);
    real::weave(&mut tally, all);
    browser::test(&mut tally);
    python::test(&mut tally);
    if all {
        fuzz::build(&mut tally);
    }
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
