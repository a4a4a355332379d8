//! Every primitive of the device on its documented examples and on recorded calls.
//!
//! Arguments are made to depend on the input, because what depends on nothing is computed beforehand.

use std::collections::BTreeSet;
use std::path::PathBuf;

use arcloom_dsl::Registry;
use arcloom_gpu::table;
use arcloom_lang::lower::load_expr;
use arcloom_lang::{Node, NodeId, Op, Program, program};
use arcloom_value::{Grid, PrimId, Value};
use serde_json::Value as Json;

use crate::harness::{Tally, compare, device};

fn id(name: &str) -> PrimId {
    Registry::get().find(name).unwrap()
}

/// The value, known only when the program runs: `branch(I, value, value)`.
fn late(builder: &mut program::Builder, value: NodeId) -> NodeId {
    let input = builder.node(Op::Input, &[]);
    builder.node(Op::Call(id("branch")), &[input, value, value])
}

/// A program with everything it starts from known only when it runs.
fn delayed(program: &Program) -> Program {
    let mut builder = program::Builder::default();
    let mut places: Vec<NodeId> = Vec::new();
    for node in program.nodes() {
        let args = node.args.iter().map(|arg| places[arg.index()]).collect();
        let mut place = builder.add(Node { op: node.op.clone(), args });
        if let Op::Const(value) = &node.op
            && !value.is_function()
        {
            place = late(&mut builder, place);
        }
        places.push(place);
    }
    builder.finish("solve_example".to_owned(), places[program.output().index()])
}

fn is_covered(name: &str) -> bool {
    table::find(name).is_some() || table::LOWERED.contains(&name)
}

fn grid() -> Vec<Grid> {
    vec![Grid::new(1, 1, &[1]).unwrap()]
}

fn report(what: &str, tally: &Tally) {
    let (programs, covered) = (tally.programs, tally.covered);
    let (over, values) = (tally.over, tally.values);
    println!("{what}: {covered} of {programs} covered, {over} of {values} values left the device");
    println!("{:?}", tally.over_at);
}

#[test]
fn documented_examples() {
    let Some(mut device) = device() else { return };
    let mut programs = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, primitive) in Registry::get().all().filter(|(_, p)| is_covered(p.name)) {
        for text in primitive.examples() {
            let example = arcloom_lang::syntax::parse_example(text).unwrap();
            programs.push(delayed(&load_expr(&example.ast, example.left).unwrap()));
            seen.insert(primitive.name);
        }
    }
    assert_eq!(seen.len(), table::KERNELS.len() + table::LOWERED.len());
    for lanes in [1, 32] {
        let tally = compare(&mut device, &programs, &grid(), lanes);
        report("examples", &tally);
        tally.check();
        assert!(tally.covered * 10 > tally.programs * 9);
    }
}

/// A value as the recordings spell it: tuples as `{"t": [..]}`, sets as `{"s": [..]}`.
fn value(json: &Json) -> Value {
    match json {
        Json::Bool(b) => Value::bool(*b),
        Json::Number(n) => Value::Int(n.as_i64().unwrap()),
        Json::Object(map) => {
            let (key, inner) = map.iter().next().unwrap();
            let items = || inner.as_array().unwrap().iter().map(value).collect::<Vec<_>>();
            match key.as_str() {
                "t" => Value::tuple(items()),
                "s" => Value::set(items()),
                _ => Value::Prim(id(inner.as_str().unwrap())),
            }
        }
        _ => Value::None,
    }
}

#[test]
fn recorded_calls() {
    let Some(mut device) = device() else { return };
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = std::env::var_os("ARCLOOM_VECTORS").map_or(default, PathBuf::from);
    let Ok(files) = std::fs::read_dir(&folder) else {
        return println!("skipped: ARCLOOM_VECTORS does not name the recorded calls");
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut programs = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "jsonl")) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        if !is_covered(name) {
            continue;
        }
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let json: Json = serde_json::from_str(line).unwrap();
            let mut builder = program::Builder::default();
            let args: Vec<NodeId> = json["args"]
                .as_array()
                .unwrap()
                .iter()
                .map(|arg| {
                    let value = value(arg);
                    let is_function = value.is_function();
                    let place = builder.node(Op::Const(value), &[]);
                    if is_function { place } else { late(&mut builder, place) }
                })
                .collect();
            let call = builder.node(Op::Call(id(name)), &args);
            programs.push(builder.finish(format!("solve_{name}"), call));
        }
    }
    let mut all = Tally::default();
    for programs in programs.chunks(500) {
        let tally = compare(&mut device, programs, &grid(), 1);
        tally.check();
        all.add(tally);
    }
    report("recorded calls", &all);
    println!("{:?}", all.reasons);
    assert!(all.covered * 10 > all.programs * 8);
}
