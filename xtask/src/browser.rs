//! The viewer and the report in a real browser.
//!
//! The tests need Chromium and its driver. Screenshots are kept in `target/browser`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::run::{Tally, answers, data_dir, root, target};
use crate::tools::{CHROMIUM, INSTALL};
use crate::{python, real};

pub(crate) fn browser(install: bool) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(install);
    real::prepare(&mut tally);
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Drives every page. The command must be built.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== viewer in a browser");
    let name = "viewer in a browser";
    if !answers(Command::new("python3").arg("--version")) {
        tally.skip(name, "there is no python3", python::ADVICE);
        return;
    }
    if !tally.timed("chromium", |tally| CHROMIUM.is_ready(tally, name)) {
        return;
    }
    let axe = tally.timed("axe-core", axe);
    let files = [
        ("viewer", "test_viewer.py"),
        ("answers and runs", "test_answers.py"),
        ("report", "test_report.py"),
    ];
    for (title, file) in files {
        let mut tests = Command::new("python3");
        tests
            .arg(root().join("crates/arcloom-web/browser").join(file))
            .env("ARCLOOM", real::binary())
            .env("ARCLOOM_DATA_DIR", data_dir())
            .env("ARCLOOM_ARTIFACTS", target().join("browser"));
        if let Some(axe) = &axe {
            tests.env("ARCLOOM_AXE", axe);
        }
        tally.step(&format!("browser tests of the {title}"), tests);
    }
}

/// What checks that pages can be used without eyes or mouse, from npm; `None` where it is not there.
fn axe(tally: &mut Tally) -> Option<PathBuf> {
    let name = "accessibility of the viewer";
    let folder = target().join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if file.is_file() {
        return Some(file);
    }
    if !tally.install {
        tally.skip(name, "axe-core is not installed", INSTALL);
        return None;
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]);
    let made = std::fs::create_dir_all(&folder).is_ok();
    if made && answers(npm.arg(&folder).arg("axe-core@4")) && file.is_file() {
        return Some(file);
    }
    tally.skip(name, "axe-core could not be installed", "check that npm works");
    None
}
