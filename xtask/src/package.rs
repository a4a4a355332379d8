//! The packed crates: every public one is packed, and the command is built from the packed ones alone.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;

use crate::manifests::Manifests;
use crate::run::{Tally, cargo, target};

/// Files that a packed crate must hold.
const WANTED: &[&str] = &["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"];
/// Most bytes of a packed crate.
const LARGEST: u64 = 2 << 20;

pub(crate) fn package() -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(false);
    packed(&mut tally, true);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Packs the crates and looks into them.
///
/// They are not built: cargo keeps what it unpacked of a version, so that a second run after a change would build the
/// crates of the first. `cargo xtask package` does it, on a machine that packs them once.
pub(crate) fn test(tally: &mut Tally) {
    packed(tally, false);
}

fn packed(tally: &mut Tally, verify: bool) {
    let manifests = match Manifests::read() {
        Ok(manifests) => manifests,
        Err(error) => return tally.check("packed crates", false, &format!("{error:#}")),
    };
    let mut command = cargo(&["package", "--quiet", "--workspace", "--allow-dirty", "--locked"]);
    if !verify {
        command.arg("--no-verify");
    }
    for name in manifests.names(false) {
        command.args(["--exclude", name]);
    }
    // cargo builds each crate from its packed form, and what it needs from theirs. In one folder, which is not that of
    // the tree, all together compile everything once and replace nothing that tests use.
    let folder = target().join("packed");
    command.arg("--target-dir").arg(&folder).env("CARGO_PROFILE_DEV_DEBUG", "0");
    if !tally.step("packed crates", command) {
        return;
    }
    for name in manifests.names(true) {
        let file = format!("{name}-{}.crate", manifests.version());
        match inspect(&folder.join("package").join(&file)) {
            Ok(what) => tally.check(&file, true, &what),
            Err(error) => tally.check(&file, false, &format!("{error:#}")),
        }
    }
}

/// What is in a packed crate, or what is not.
fn inspect(path: &Path) -> anyhow::Result<String> {
    let size = std::fs::metadata(path).with_context(|| format!("read {}", path.display()))?.len();
    anyhow::ensure!(size < LARGEST, "{size} bytes, more than {LARGEST}");
    let listed = Command::new("tar").arg("-tzf").arg(path).output().context("run tar")?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files: Vec<&str> = listed.lines().filter_map(|l| Some(l.split_once('/')?.1)).collect();
    for wanted in WANTED {
        anyhow::ensure!(files.contains(wanted), "{wanted} is not in it");
    }
    Ok(format!("{} files, {} kB", files.len(), size.div_ceil(1000)))
}
