//! The Python package: its wheel, and its tests in a clean environment.
//!
//! Everything happens under `target/python`. maturin, the optional packages are fetched there through pip where
//! that is asked for; without them the tests that need them are skipped. Python runs with `-I`, so that nothing is imported from
//! the folder that the command was called in.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};

use crate::run::{Background, Tally, answers, data_dir, root, target};
use crate::tools::INSTALL;

/// What to do where there is no Python.
pub(crate) const ADVICE: &str = "install Python 3.10 or later";
/// What the package only uses where it is there.
const OPTIONAL: &[&str] =
    &["numpy", "ray", "pandas", "polars", "mypy", "pyright", "nbclient", "ipykernel"];
/// Versions of Python that the wheel is installed into where they are found.
const VERSIONS: &[&str] = &["python3.10", "python3.11", "python3.12", "python3.13"];
/// Most bytes of a wheel.
const LARGEST: u64 = 15 << 20;
/// Milliseconds of processor time that an import may take, the best of several.
const SLOWEST_IMPORT: f64 = 50.0;

pub(crate) fn wheel() -> anyhow::Result<ExitCode> {
    // Who asks for a wheel asks for what builds it.
    println!("{}", build(&maturin(true)?)?.display());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn python(install: bool) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(install);
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Begins to build what the wheel is made of, where there is a maturin.
pub(crate) fn begin(install: bool) -> Option<Background> {
    let maturin = maturin(install).ok()?;
    Some(Background::start(build_command(&maturin, &folder().join("begun"))))
}

/// Builds the wheel and runs the package's tests.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== Python package");
    let maturin = match maturin(tally.install) {
        Ok(maturin) => maturin,
        Err(error) => return tally.skip("Python package", &format!("{error:#}"), INSTALL),
    };
    let wheel = match tally.timed("wheel", |_| build(&maturin)) {
        Ok(wheel) => wheel,
        Err(error) => return tally.check("wheel", false, &format!("{error:#}")),
    };
    let size = std::fs::metadata(&wheel).map_or(u64::MAX, |file| file.len());
    let what = format!("{}, {:.1} MB", wheel.display(), size as f64 / 1e6);
    tally.check("wheel", size < LARGEST, &what);
    for version in VERSIONS {
        if !answers(Command::new(version).arg("--version")) {
            let reason = "it is not among the Pythons of this machine";
            tally.skip(version, reason, "install it to test the wheel with it");
            continue;
        }
        let time = tally.timed(version, |_| install(version, &wheel).and_then(|p| import_time(&p)));
        match time {
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
    // Tests that need these say so when they are not there.
    if let Err(error) = tally.timed("optional packages", |tally| optional(&python, tally.install)) {
        tally.skip("tests with optional packages", &format!("{error:#}"), INSTALL);
    }
    let mut tests = Command::new(&python);
    tests.arg(root().join("python/tests/run.py")).current_dir(folder());
    tests.env("ARCLOOM_DATA_DIR", data_dir()).env("ARCLOOM_WHEEL", &wheel);
    tally.step("Python tests", tests);
}

fn folder() -> PathBuf {
    target().join("python")
}

/// Lets an environment see the optional packages, which are kept in a folder of their own, by Python's
/// version, so that they are fetched once.
fn optional(python: &Path, install: bool) -> anyhow::Result<()> {
    let said = |code: &str| -> anyhow::Result<String> {
        let said = Command::new(python).args(["-I", "-c", code]).output().context("run python3")?;
        Ok(String::from_utf8_lossy(&said.stdout).trim().to_string())
    };
    let version = said("import sys; print('%d.%d' % sys.version_info[:2])")?;
    let packages = folder().join("packages").join(version);
    let is_there = |package: &&&str| packages.join(package).is_dir();
    let missing: Vec<&str> = OPTIONAL.iter().filter(|p| !is_there(p)).copied().collect();
    if !missing.is_empty() && !install {
        bail!("{} not installed", missing.join(" and "));
    }
    if !missing.is_empty() {
        let pip = ["-I", "-m", "pip", "install", "--quiet", "--target"];
        if !answers(Command::new(python).args(pip).arg(&packages).args(&missing)) {
            bail!("pip cannot fetch {}", missing.join(" and "));
        }
    }
    let site = PathBuf::from(said("import sysconfig; print(sysconfig.get_path('purelib'))")?);
    let link = site.join("optional.pth");
    std::fs::write(&link, format!("{}\n", packages.display()))
        .with_context(|| format!("write {}", link.display()))
}

/// A maturin: the one on the path, or one in an environment of ours, which pip fetches if asked to.
fn maturin(install: bool) -> anyhow::Result<PathBuf> {
    if answers(Command::new("maturin").arg("--version")) {
        return Ok("maturin".into());
    }
    if !answers(Command::new("python3").arg("--version")) {
        bail!("there is no python3");
    }
    let tools = folder().join("tools");
    let found = tools.join("bin/maturin");
    if !answers(Command::new(&found).arg("--version")) {
        if !install {
            bail!("maturin is not installed");
        }
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

fn build_command(maturin: &Path, out: &Path) -> Command {
    let mut command = Command::new(maturin);
    command.args(["build", "--release", "--quiet", "--out"]).arg(out).current_dir(root());
    command
}

fn build(maturin: &Path) -> anyhow::Result<PathBuf> {
    let out = folder().join("wheels");
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| format!("remove {}", out.display()))?;
    }
    let mut command = build_command(maturin, &out);
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
