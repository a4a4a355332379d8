//! `cargo xtask test`: everything a change must pass.
//!
//! `--quick` is what one runs before every commit: no network, no package manager, nothing but the
//! compiler. Without it the whole suite runs; what lacks a tool or data is skipped, with a line that
//! says what to type. `--install` installs all of that, and a skip for want of it is a failure.

use std::process::{Command, ExitCode};

use crate::run::{Background, Tally, cargo, data_dir, root};
use crate::tools::TMUX;
use crate::{baseline, browser, fuzz, gpu, licences, oracle, package, python, real, workflows};

/// What is asked of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) quick: bool,
    pub(crate) install: bool,
    pub(crate) all: bool,
}

pub(crate) fn test(options: Options) -> anyhow::Result<ExitCode> {
    if options.quick && (options.install || options.all) {
        anyhow::bail!("--quick goes with neither --install nor --all");
    }
    let mut tally = Tally::new(options.install);
    // One crate after the other, on one core mostly: others have work for the rest.
    let release = (!options.quick).then(|| Background::start(cargo(real::RELEASE)));
    static_checks(&mut tally);
    if options.quick {
        quick(&mut tally);
    } else {
        whole(&mut tally, options.all, release);
    }
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn static_checks(tally: &mut Tally) {
    tally.step("formatting", cargo(&["fmt", "--all", "--check"]));
    tally.step("formatting of the families of sheets", rustfmt_families());
    tally.step(
        "clippy",
        cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    );
    tally.step("generated files", cargo(&["xtask", "codegen", "--check"]));
    tally.step("tidy", cargo(&["xtask", "tidy"]));
}

/// A build script lists the modules of these files, so that `cargo fmt` does not see them.
fn rustfmt_families() -> Command {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(root().join("crates/arcloom-dsl/src/sheet")).arg("--check");
    let files = std::fs::read_dir(root().join("crates/arcloom-dsl/src/sheet"));
    let paths = files.into_iter().flatten().flatten().map(|entry| entry.path());
    rustfmt.args(paths.filter(|path| path.extension().is_some_and(|e| e == "rs")));
    rustfmt
}

/// Unit and integration tests that need no public data and no installed tools.
fn quick(tally: &mut Tally) {
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    tests.args(["--", "--nocapture"]);
    // Without drivers OpenCL has no device: its tests take as long as all others together.
    tests.env("OCL_ICD_VENDORS", data_dir().join("none"));
    tests.env("ARCLOOM_DATA_DIR", data_dir().join("none")).env("NO_COLOR", "1");
    tests.env_remove("ARCLOOM_ARC_DSL").env_remove("ARCLOOM_VECTORS");
    tally.tests("tests", tests);
    println!(
        "\nleft to `cargo xtask test`: documentation tests, devices, public data, the cost oracle, \
         the browser, the Python package"
    );
}

fn whole(tally: &mut Tally, all: bool, release: Option<Background>) {
    gpu::check(tally);
    gpu::assemble(tally);
    gpu::prepare(tally);
    TMUX.is_ready(tally, "screens of the command");
    tally.timed("release build, begun before", |_| drop(release));
    real::prepare(tally);
    let wheel = python::begin(tally.install);
    // The README's first command, as a stranger types it.
    tally.step("first command", cargo(&["run", "--release", "--quiet"]));
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast", "--", "--nocapture"]);
    tests.env("ARCLOOM_DATA_DIR", data_dir()).env("NO_COLOR", "1");
    if all {
        tests.env("PROPTEST_CASES", "20000");
    }
    tally.tests("tests", tests);
    let mut docs = cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    tally.step("documentation", docs);
    workflows::test(tally);
    licences::test(tally);
    package::test(tally);
    oracle::test(tally);
    real::check(tally);
    real::weave(tally, all);
    baseline::test(tally);
    browser::test(tally);
    tally.timed("wheel, begun before", |_| drop(wheel));
    python::test(tally);
    if all {
        fuzz::build(tally);
    }
}
