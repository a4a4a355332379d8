//! The Python package: its wheel, and its tests in a clean environment.
//!
//! Everything happens under `target/python`. Tools and optional packages are fetched there through pip where that is
//! asked for; without them the tests that need them are skipped. Python runs with `-I`, so that nothing is imported
//! from the folder that the command was called in.
//!
//! On Linux the wheel is linked by zig against the C library of 2014, so that it runs on every distribution since.

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
const VERSIONS: &[&str] = &["python3.10", "python3.11", "python3.12", "python3.13", "python3.14"];
/// What builds wheels and looks into them.
const TOOLS: &[&str] = &["maturin>=1.7,<2", "ziglang>=0.13", "auditwheel>=6", "twine>=6"];
/// The oldest system that a wheel for Linux runs on.
const PLATFORM: &str = "manylinux2014";
/// The same, as auditwheel writes it without the processor.
const PLATFORM_TAG: &str = "manylinux_2_17_";
/// Where an environment keeps its programs.
const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };
/// Most bytes of a wheel.
const LARGEST: u64 = 15 << 20;
/// Milliseconds of processor time that an import may take, the best of several.
const SLOWEST_IMPORT: f64 = 50.0;

/// Builds the wheel for this platform or for another.
pub(crate) fn wheel(target: Option<&str>) -> anyhow::Result<ExitCode> {
    // Who asks for a wheel asks for what builds it.
    println!("{}", build(&tools(true)?, target)?.display());
    Ok(ExitCode::SUCCESS)
}

/// Packs the sources that a wheel can be built from.
pub(crate) fn sdist() -> anyhow::Result<ExitCode> {
    println!("{}", source_archive(&tools(true)?)?.display());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn python(install: bool) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(install);
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Begins to build what the wheel is made of, where the tools are there.
pub(crate) fn begin(install: bool) -> Option<Background> {
    let tools = tools(install).ok()?;
    Some(Background::start(build_command(&tools, None, &folder().join("begun"))))
}

/// Builds the wheel and runs the package's tests.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== Python package");
    let tools = match tools(tally.install) {
        Ok(tools) => tools,
        Err(error) => return tally.skip("Python package", &format!("{error:#}"), INSTALL),
    };
    let wheel = match tally.timed("wheel", |_| build(&tools, None)) {
        Ok(wheel) => wheel,
        Err(error) => return tally.check("wheel", false, &format!("{error:#}")),
    };
    audit(tally, &tools, &wheel);
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

/// The folder of the programs that build wheels and look into them, in an environment of ours, which pip fills if asked to.
fn tools(install: bool) -> anyhow::Result<PathBuf> {
    if !answers(Command::new("python3").arg("--version")) {
        bail!("there is no python3");
    }
    let venv = folder().join("tools");
    let bin = venv.join(PROGRAMS);
    let python = bin.join("python");
    let is_there = || {
        let zig = answers(Command::new(&python).args(["-I", "-m", "ziglang", "version"]));
        zig && ["maturin", "auditwheel", "twine"]
            .iter()
            .all(|tool| bin.join(tool).with_extension(std::env::consts::EXE_EXTENSION).is_file())
    };
    if !is_there() {
        if !install {
            bail!("maturin, ziglang, auditwheel and twine are not installed");
        }
        if !answers(Command::new("python3").args(["-I", "-m", "venv"]).arg(&venv)) {
            bail!("python3 has no venv");
        }
        let pip = ["-I", "-m", "pip", "install", "--quiet"];
        if !answers(Command::new(&python).args(pip).args(TOOLS)) || !is_there() {
            bail!("pip cannot fetch {}", TOOLS.join(" and "));
        }
    }
    Ok(bin)
}

/// One of the tools. It finds the others, zig among them, as if their environment was entered.
fn tool(tools: &Path, name: &str) -> Command {
    let mut command = Command::new(tools.join(name));
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(tools.to_path_buf()).chain(std::env::split_paths(&others));
    if let Ok(path) = std::env::join_paths(paths) {
        command.env("PATH", path);
    }
    command.current_dir(root()).stdin(Stdio::null());
    command
}

fn build_command(tools: &Path, target: Option<&str>, out: &Path) -> Command {
    let mut command = tool(tools, "maturin");
    command.args(["build", "--release", "--quiet", "--locked", "--out"]).arg(out);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    if target.map_or(cfg!(target_os = "linux"), |target| target.contains("-linux-")) {
        command.args(["--zig", "--compatibility", PLATFORM]);
    }
    command
}

fn build(tools: &Path, target: Option<&str>) -> anyhow::Result<PathBuf> {
    made(&folder().join("wheels"), |out| build_command(tools, target, out))
}

fn source_archive(tools: &Path) -> anyhow::Result<PathBuf> {
    made(&folder().join("sdist"), |out| {
        let mut command = tool(tools, "maturin");
        command.args(["sdist", "--out"]).arg(out);
        command
    })
}

/// The one file that a command leaves in a folder.
fn made(out: &Path, command: impl FnOnce(&Path) -> Command) -> anyhow::Result<PathBuf> {
    if out.exists() {
        std::fs::remove_dir_all(out).with_context(|| format!("remove {}", out.display()))?;
    }
    let status = command(out).status().context("run maturin")?;
    if !status.success() {
        bail!("maturin failed");
    }
    let files = std::fs::read_dir(out).with_context(|| format!("read {}", out.display()))?;
    let file = files.flatten().map(|file| file.path()).find(|p| p.extension().is_some());
    file.context("maturin left no file")
}

/// Looks into the wheel and the source archive: where they run, and whether an index would take them.
fn audit(tally: &mut Tally, tools: &Path, wheel: &Path) {
    if cfg!(target_os = "linux") {
        let shown = tool(tools, "auditwheel").arg("show").arg(wheel).output();
        let shown = shown.map(|out| String::from_utf8_lossy(&out.stdout).replace('\n', " "));
        let shown = shown.unwrap_or_default();
        // What it needs, in quotes after the words; what it could be is said as well.
        let tag = shown.split("following platform tag:").nth(1).and_then(|s| s.split('"').nth(1));
        let good = tag.is_some_and(|tag| tag.starts_with(PLATFORM_TAG) || is_older(tag));
        tally.check("auditwheel show", good, tag.unwrap_or("it says no platform"));
    }
    let sdist = match tally.timed("source archive", |_| source_archive(tools)) {
        Ok(sdist) => sdist,
        Err(error) => return tally.check("source archive", false, &format!("{error:#}")),
    };
    let mut twine = tool(tools, "twine");
    twine.args(["check", "--strict"]).arg(wheel).arg(&sdist);
    tally.step("twine check", twine);
}

/// True for the tag of a system older than the one that is asked for.
fn is_older(tag: &str) -> bool {
    let number = |text: &str| text.strip_prefix("manylinux_2_")?.split('_').next()?.parse().ok();
    number(tag).zip(number(PLATFORM_TAG)).is_some_and(|(is, asked): (u32, u32)| is < asked)
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
    let python = venv.join(PROGRAMS).join("python");
    let pip =
        ["-I", "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"];
    // By its name, as a user does who has a folder of wheels.
    let from = wheel.parent().unwrap_or(wheel);
    let mut install = Command::new(&python);
    install.args(pip).arg("--find-links").arg(from).arg("arcloom");
    if !install.status()?.success() {
        bail!("pip did not install arcloom from {}", from.display());
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
