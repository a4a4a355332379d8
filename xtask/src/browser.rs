//! The viewer and the report in a real browser.
//!
//! The tests need Chromium and its driver. Screenshots are kept in `target/browser`.

use std::process::{Command, ExitCode};

use crate::run::{Tally, answers, data_dir, root, target};
use crate::tools::CHROMIUM;
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
    for (title, file) in [("viewer", "test_viewer.py"), ("report", "test_report.py")] {
        let mut tests = Command::new("python3");
        tests
            .arg(root().join("crates/arcloom-web/browser").join(file))
            .env("ARCLOOM", real::binary())
            .env("ARCLOOM_DATA_DIR", data_dir())
            .env("ARCLOOM_ARTIFACTS", target().join("browser"));
        tally.step(&format!("browser tests of the {title}"), tests);
    }
}
