//! ARC tasks of our own invention and programs for two thirds of them, built into the binary.
//!
//! Every task is drawn by a small seeded generator ([`generate`])
//! and kept in `data/tasks.json`, one task per line; the generators also draw further pairs. The programs in `data/programs.py` are written
//! by hand: `solve_NAME` solves task `NAME`. Tasks without a program are left for a search to find;
//! none of them is one small edit away from a program that is here.
//!
//! Nothing comes from the public ARC sets or from programs written for them. Tasks and programs
//! share the licence of the crate.
//!
//! The crate hands out text and parses nothing but the line structure it wrote itself, so that it
//! depends on no other crate and any reader of ARC files can be tried on it.

use std::sync::LazyLock;

pub mod generate;

/// All tasks as one JSON object: name to `{"train": [...], "test": [...]}`.
pub fn tasks_json() -> &'static str {
    include_str!("../data/tasks.json")
}

/// All programs as one file of Python text, a comment above each function saying its rule.
pub fn programs() -> &'static str {
    include_str!("../data/programs.py")
}

/// Every task as its name and its own JSON text, in the order of the file.
pub fn tasks() -> &'static [(&'static str, &'static str)] {
    static TASKS: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| tasks_json().lines().filter_map(split_line).collect());
    &TASKS
}

/// The JSON text of one task.
pub fn task(name: &str) -> Option<&'static str> {
    tasks().iter().find(|(known, _)| *known == name).map(|(_, json)| *json)
}

/// Name and JSON of a line `"name": {...},`; the braces around the whole file give nothing.
fn split_line(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (name, json) = line.strip_prefix('"')?.split_once("\": ")?;
    Some((name, json.strip_suffix(',').unwrap_or(json)))
}

#[cfg(test)]
mod tests;
