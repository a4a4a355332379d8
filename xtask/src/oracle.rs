//! `cargo xtask oracle`: does every primitive pay for its work?
//!
//! Runs the example `cost_oracle` of `arcloom-testkit` under callgrind, which counts the instructions
//! of every case: a primitive called on a large value, alone or inside a closure. A budget bounds a
//! run only if a unit of work takes about the same everywhere, so no case may take more than
//! [`FACTOR`] times the instructions of a unit.
//!
//! Counts of instructions are the same on every run, whatever else the machine does.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};

use crate::run::{Tally, cargo, target};
use crate::tools::VALGRIND;

/// Instructions of a unit: what the median case took when charges were set. It is fixed, because a median moves with
/// every function that is added, and bounds with it.
const UNIT: f64 = 40.0;
/// How far the median may be from a unit, in instructions, until charges are to be looked at again.
const DRIFT: f64 = 4.0;
/// How many times as much as a unit a case may take.
const FACTOR: f64 = 20.0;
/// Primitives that may take more, and how much: uniting cells in a set with an object takes 20.2 times a unit, and charging
/// it more would move what runs out of its budget.
const LISTED: &[(&str, f64)] = &[("combine", 21.0)];
/// Units that a call is allowed for being made at all, beside what it charges.
const ALLOWANCE: u64 = 10;
/// Units that a case must charge to count for the median.
const CHARGED: u64 = 100;
/// Cases in the table.
const SHOWN: usize = 20;

/// One line of the example and the instructions it took.
#[derive(Clone)]
struct Case {
    name: String,
    label: String,
    calls: u64,
    good: bool,
    units: u64,
    instructions: u64,
}

impl Case {
    /// How many times as much as a unit it may take.
    fn bound(&self) -> f64 {
        LISTED.iter().find(|(name, _)| *name == self.name).map_or(FACTOR, |(_, bound)| *bound)
    }

    fn per_unit(&self) -> f64 {
        self.instructions as f64 / (self.units + ALLOWANCE * self.calls) as f64
    }
}

pub(crate) fn oracle() -> anyhow::Result<ExitCode> {
    if !VALGRIND.is_there() {
        bail!("valgrind is not installed: try `apt-get install valgrind`");
    }
    let cases = measured()?;
    Ok(if judged(&cases)? { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The oracle as a step of `cargo xtask test`.
pub(crate) fn test(tally: &mut Tally) {
    println!("\n== cost oracle");
    if VALGRIND.is_ready(tally, "cost oracle") {
        tally.step("cost oracle", cargo(&["xtask", "oracle"]));
    }
}

/// Runs the example under callgrind.
fn measured() -> anyhow::Result<Vec<Case>> {
    // With the command, so that what both need is built with the same features and shared.
    let words = "build --release --quiet -p arcloom-cli -p arcloom-testkit --example cost_oracle";
    let words: Vec<&str> = words.split(' ').collect();
    if !cargo(&words).status().context("run cargo")?.success() {
        bail!("the example cost_oracle does not build");
    }
    // The cases of every n-th primitive, on as many cores.
    let parts = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let cases: Vec<anyhow::Result<Vec<Case>>> = std::thread::scope(|scope| {
        let begun: Vec<_> =
            (0..parts).map(|part| scope.spawn(move || measured_part(part, parts))).collect();
        let done = begun.into_iter().map(|thread| thread.join());
        done.map(|part| part.unwrap_or_else(|_| bail!("a part of the oracle failed"))).collect()
    });
    Ok(cases.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat())
}

/// One part of the cases, in a process of its own.
fn measured_part(part: usize, parts: usize) -> anyhow::Result<Vec<Case>> {
    let target = target();
    let dumps = Folder(target.join(format!("oracle-{}-{part}", std::process::id())));
    std::fs::create_dir_all(&dumps.0).with_context(|| format!("make {}", dumps.0.display()))?;
    let mut file = std::ffi::OsString::from("--callgrind-out-file=");
    file.push(dumps.0.join("out"));
    // What is counted is what happens in `Case::run`. glibc's fast bins put off the work of freeing
    // memory until another case allocates some.
    let output = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--dump-line=no"])
        .args(["--dump-before=*case_begins*", "--toggle-collect=*Case*run*"])
        .arg(file)
        .arg(target.join("release/examples/cost_oracle"))
        .args(["--mark".to_owned(), format!("--part={part}/{parts}")])
        .env("GLIBC_TUNABLES", "glibc.malloc.mxfast=0")
        .stderr(Stdio::inherit())
        .output()
        .context("run valgrind")?;
    if !output.status.success() {
        bail!("the example cost_oracle failed under callgrind");
    }
    let text = String::from_utf8(output.stdout).context("read the example's lines")?;
    // The first dump is what came before the first case.
    text.lines().zip(2..).map(|(line, n)| case(line, &dumps.0.join(format!("out.{n}")))).collect()
}

fn case(line: &str, dump: &Path) -> anyhow::Result<Case> {
    let mut words = line.split('\t').map(str::to_string);
    let mut word = || words.next().with_context(|| format!("not a case: {line}"));
    Ok(Case {
        name: word()?,
        label: word()?,
        calls: word()?.parse()?,
        good: word()? == "true",
        units: word()?.parse()?,
        instructions: instructions(dump).with_context(|| format!("read {}", dump.display()))?,
    })
}

/// The sum that a dump says in its head.
fn instructions(dump: &Path) -> anyhow::Result<u64> {
    for line in BufReader::new(std::fs::File::open(dump)?).lines() {
        if let Some(sum) = line?.strip_prefix("summary: ") {
            return Ok(sum.trim().parse()?);
        }
    }
    bail!("there is no summary")
}

/// Prints what the cases take; true when none takes too much.
fn judged(cases: &[Case]) -> anyhow::Result<bool> {
    let counts = |case: &&Case| case.good && case.units >= CHARGED;
    let mut usual: Vec<f64> = cases.iter().filter(counts).map(Case::per_unit).collect();
    usual.sort_by(f64::total_cmp);
    let median = *usual.get(usual.len() / 2).context("no case gives a value")?;
    println!("{} cases; the median is {median:.1} instructions per unit", cases.len());
    if (median - UNIT).abs() > DRIFT {
        bail!(
            "the median is more than {DRIFT} from the {UNIT} instructions that a unit stands for: look at charges again"
        );
    }
    let times = |case: &Case| case.per_unit() / UNIT;
    let mut worst: Vec<&Case> = cases.iter().collect();
    worst.sort_by(|a, b| b.per_unit().total_cmp(&a.per_unit()));
    let failed = cases.iter().filter(|case| times(case) > case.bound()).count();
    println!("\n{:>8}  {:>12}  {:>9}  case", "x unit", "instructions", "units");
    for case in worst.iter().take(SHOWN.max(failed)) {
        let Case { name, label, calls, units, instructions, .. } = case;
        let how = if *calls > 1 { " in a closure" } else { "" };
        let verdict = if times(case) > case.bound() { "  FAILED" } else { "" };
        println!(
            "{:>8.1}  {instructions:>12}  {units:>9}  {name} {label}{how}{verdict}",
            times(case)
        );
    }
    // Being charged too much is harmless: forms that work on many cells at once pay for each of them,
    // so that they pay what the general forms do.
    let mut low: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases.iter().filter(|case| times(case) < 1.0 / FACTOR) {
        *low.entry(&case.name).or_default() += 1;
    }
    let mut leading: Vec<(&str, usize)> = low.iter().map(|(&name, &n)| (name, n)).collect();
    leading.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let leading: Vec<String> =
        leading.iter().take(8).map(|(name, n)| format!("{name} {n}")).collect();
    println!(
        "\n{} cases take less than a {FACTOR}th of a unit: {} and others",
        low.values().sum::<usize>(),
        leading.join(", ")
    );
    println!("{failed} cases take more than they may, which is {FACTOR} times a unit for most");
    Ok(failed == 0)
}

/// A folder that goes away in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
