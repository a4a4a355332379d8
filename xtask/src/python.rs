//! The Python package: its wheel, and its tests in a clean environment.
//!
//! Everything happens under `target/python`. Where there is no Python, or no maturin can be had, the
//! tests are skipped with a line that says so. Python runs with `-I`, so that nothing is imported from
//! the folder that the command was called in.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};

use crate::run::{Tally, data_dir, root};

/// Versions of Python that the wheel is installed into where they are found.
const VERSIONS: &[&str] = &["python3.10", "python3.11", "python3.12", "python3.13"];
/// Most bytes of a wheel.
const LARGEST: u64 = 15 << 20;
/// Milliseconds of processor time that an import may take, the best of several.
const SLOWEST_IMPORT: f64 = 50.0;

pub(crate) fn wheel() -> anyhow::Result<ExitCode> {
    println!("{}", build(&maturin()?)?.display());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn python() -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Builds the wheel and runs the package's tests.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== Python package");
    let maturin = match maturin() {
        Ok(maturin) => maturin,
        Err(error) => {
            println!("   SKIPPED: Python package: {error:#}");
            return;
        }
    };
    let wheel = match build(&maturin) {
        Ok(wheel) => wheel,
        Err(error) => return tally.check("wheel", false, &format!("{error:#}")),
    };
    let size = std::fs::metadata(&wheel).map_or(u64::MAX, |file| file.len());
    let what = format!("{}, {:.1} MB", wheel.display(), size as f64 / 1e6);
    tally.check("wheel", size < LARGEST, &what);
    for version in VERSIONS {
        if !answers(Command::new(version).arg("--version")) {
            println!("   SKIPPED: {version}: not installed");
            continue;
        }
        match install(version, &wheel).and_then(|python| import_time(&python)) {
            Ok(ms) => {
                let what = format!("installs the wheel without an index, imports it in {ms:.0} ms");
                tally.check(version, ms < SLOWEST_IMPORT, &what);
            }
            Err(error) => tally.check(version, false, &format!("{error:#}")),
        }
    }
    let python = match install("python3", &wheel) {
        Ok(python) => python,
        Err(error) => return tally.check("environment", false, &format!("{error:#}")),
    };
    // What the package only uses where it is there. Tests that need it say so when it is not.
    for package in ["numpy", "ray"] {
        let pip = ["-I", "-m", "pip", "install", "--quiet", package];
        if !answers(Command::new(&python).args(pip)) {
            println!("   SKIPPED: {package} cannot be installed, nor what needs it tested");
        }
    }
    let mut tests = Command::new(&python);
    tests.arg(root().join("python/tests/run.py")).current_dir(folder());
    tests.env("ARCLOOM_DATA_DIR", data_dir()).env("ARCLOOM_WHEEL", &wheel);
    tally.step("Python tests", tests);
}

fn folder() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("python")
}

/// True when a command runs and succeeds; what it prints is not shown.
fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A maturin: the one on the path, or one that pip fetches into an environment of ours.
fn maturin() -> anyhow::Result<PathBuf> {
    if answers(Command::new("maturin").arg("--version")) {
        return Ok("maturin".into());
    }
    if !answers(Command::new("python3").arg("--version")) {
        bail!("there is no python3");
    }
    let tools = folder().join("tools");
    let found = tools.join("bin/maturin");
    if !answers(Command::new(&found).arg("--version")) {
        if !answers(Command::new("python3").args(["-I", "-m", "venv"]).arg(&tools)) {
            bail!("python3 has no venv");
        }
        let pip = ["-I", "-m", "pip", "install", "--quiet", "maturin>=1.7,<2"];
        if !answers(Command::new(tools.join("bin/python")).args(pip)) {
            bail!("maturin is not installed and pip cannot fetch it");
        }
    }
    Ok(found)
}

fn build(maturin: &Path) -> anyhow::Result<PathBuf> {
    let out = folder().join("wheels");
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| format!("remove {}", out.display()))?;
    }
    let mut command = Command::new(maturin);
    command.args(["build", "--release", "--quiet", "--out"]).arg(&out).current_dir(root());
    let status = command.stdin(Stdio::null()).status().context("run maturin")?;
    if !status.success() {
        bail!("maturin did not build the wheel");
    }
    let wheels = std::fs::read_dir(&out).with_context(|| format!("read {}", out.display()))?;
    let wheel = wheels.flatten().map(|file| file.path()).find(|p| p.extension().is_some());
    wheel.context("maturin left no wheel")
}

/// A clean environment with the wheel in it and nothing else; gives its Python.
fn install(version: &str, wheel: &Path) -> anyhow::Result<PathBuf> {
    let venv = folder().join(format!("venv-{version}"));
    let made = Command::new(version)
        .args(["-I", "-m", "venv", "--clear"])
        .arg(&venv)
        .status()
        .with_context(|| format!("run {version}"))?;
    if !made.success() {
        bail!("{version} -m venv failed");
    }
    let python = venv.join("bin/python");
    let pip =
        ["-I", "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"];
    if !Command::new(&python).args(pip).arg(wheel).status()?.success() {
        bail!("pip did not install {}", wheel.display());
    }
    Ok(python)
}

/// Milliseconds of processor time that importing the package and arc-dsl's modules takes, the best of
/// several: other work on the machine only adds.
fn import_time(python: &Path) -> anyhow::Result<f64> {
    let import = "import time; began = time.process_time(); \
                  import arcloom, arcloom.dsl, arcloom.constants; \
                  took = time.process_time() - began; assert arcloom.dsl.add(1, 2) == 3; \
                  print(1000 * took)";
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let said = Command::new(python).args(["-I", "-c", import]).output()?;
        if !said.status.success() {
            bail!("the package does not import: {}", String::from_utf8_lossy(&said.stderr).trim());
        }
        best = best.min(String::from_utf8_lossy(&said.stdout).trim().parse()?);
    }
    Ok(best)
}
