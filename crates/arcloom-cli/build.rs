//! Leaves symbols out of the released command, and says what `--version` has besides the version: the commit, where the
//! sources are a checkout, and the platform.
//!
//! The commit is read from the checkout's files, so git need not be installed. Builds for development do not
//! have it: they would be made anew after every commit.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// As much of a commit as people need to name it.
const SHORT: usize = 9;

fn main() {
    let set = |key: &str, value: &str| println!("cargo::rustc-env={key}={value}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ARCLOOM_COMMIT");
    let given = env::var("ARCLOOM_COMMIT").ok().filter(|commit| !commit.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // Not by the profile: examples that are measured by the names of functions keep them, and a build from a registry
    // has no profile of ours. Who asks for debug information keeps it.
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if is_release && is_linux && env::var("DEBUG").is_ok_and(|debug| debug == "false") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
    let other = if is_release { "no commit" } else { "debug build" };
    let commit = given.or_else(|| if is_release { checked_out() } else { None });
    let commit = commit.map_or(other.to_owned(), |mut commit| {
        commit.truncate(SHORT);
        commit
    });
    set("ARCLOOM_COMMIT", &commit);
    set("ARCLOOM_TARGET", &env::var("TARGET").unwrap_or_default());
}

/// The commit that is checked out around this package.
fn checked_out() -> Option<String> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let git = package.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    // In a further work tree it is a file that says where.
    let git = match fs::read_to_string(&git) {
        Ok(text) => git.parent()?.join(text.strip_prefix("gitdir:")?.trim()),
        Err(_) => git,
    };
    let common = match fs::read_to_string(git.join("commondir")) {
        Ok(text) => git.join(text.trim()),
        Err(_) => git.clone(),
    };
    let head = read(&git.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref:").map(str::trim) else {
        return is_commit(head.trim());
    };
    if let Some(commit) = read(&git.join(name)).or_else(|| read(&common.join(name))) {
        return is_commit(commit.trim());
    }
    let packed = read(&common.join("packed-refs"))?;
    let line = packed.lines().find(|line| line.ends_with(name))?;
    is_commit(line.split_whitespace().next()?)
}

/// A file that the answer depends on.
fn read(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    Some(text)
}

fn is_commit(text: &str) -> Option<String> {
    let is_hex = text.len() >= SHORT && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| text.to_owned())
}
