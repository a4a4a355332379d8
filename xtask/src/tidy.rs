//! `cargo xtask tidy`: what no compiler checks about the tree.

use std::process::ExitCode;

use anyhow::Context;

use crate::run::root;

/// Crates by level: one may depend on those of lower levels only.
const LEVELS: &[(&str, usize)] = &[
    ("arcloom-value", 0),
    ("arcloom-macros", 0),
    ("arcloom-dsl", 1),
    ("arcloom-tasks", 1),
    ("arcloom-draw", 1),
    ("arcloom-lang", 2),
    ("arcloom-graph", 3),
    ("arcloom-store", 3),
    ("arcloom-search", 3),
    ("arcloom-gpu", 4),
    ("arcloom-evolve", 4),
    ("arcloom", 5),
    ("arcloom-web", 6),
    ("arcloom-cli", 7),
    ("arcloom-py", 8),
];

pub(crate) fn tidy() -> anyhow::Result<ExitCode> {
    let mut problems = Vec::new();
    let level = |name: &str| LEVELS.iter().find(|(n, _)| *n == name).map(|(_, l)| *l);
    for &(name, own) in LEVELS {
        let path = root().join("crates").join(name).join("Cargo.toml");
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let runtime = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in runtime.lines().filter(|l| l.starts_with("arcloom")) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            match level(dependency) {
                Some(other) if other < own => {}
                _ => {
                    problems.push(format!("{name} depends on {dependency}, which is not below it"))
                }
            }
        }
    }
    for problem in &problems {
        println!("{problem}");
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
