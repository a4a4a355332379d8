//! Every recorded arc-dsl call gives the recorded result, with the fast forms and without them.
//!
//! The recordings lie outside the repository; where the folder is missing the test says so. Set
//! `ARCLOOM_VECTORS` to its path, and `ARCLOOM_VECTORS_ONLY=rot90,fill` to look at some functions.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::path::PathBuf;

use arcloom_dsl::{Caller, Registry};
use arcloom_value::Value;
use serde_json::Value as Json;

fn folder() -> Option<PathBuf> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let path = std::env::var_os("ARCLOOM_VECTORS").map_or(default, PathBuf::from);
    path.is_dir().then_some(path)
}

/// A value as the recordings spell it: tuples as `{"t": [..]}`, sets as `{"s": [..]}`.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::bool(*b),
        Json::Number(n) => Value::Int(n.as_i64().unwrap()),
        Json::Object(map) => {
            let (key, inner) = map.iter().next().unwrap();
            let items = || inner.as_array().unwrap().iter().map(value).collect::<Vec<_>>();
            match key.as_str() {
                "t" => Value::tuple(items()),
                "s" => Value::set(items()),
                "fn" => Value::Prim(Registry::get().find(inner.as_str().unwrap()).unwrap()),
                other => panic!("unknown tag {other}"),
            }
        }
        other => panic!("unexpected {other}"),
    }
}

#[derive(Default)]
struct Tally {
    lines: usize,
    wrong: Vec<String>,
    order_dependent: usize,
    order_agreeing: usize,
}

fn run(general: bool) -> Option<Tally> {
    let folder = folder()?;
    let only = std::env::var("ARCLOOM_VECTORS_ONLY").unwrap_or_default();
    let only: Vec<&str> = only.split(',').filter(|s| !s.is_empty()).collect();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut tally = Tally::default();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "jsonl")) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        if !only.is_empty() && !only.contains(&name) {
            continue;
        }
        let Some(id) = Registry::get().find(name) else {
            tally.wrong.push(format!("{name}: not a primitive"));
            continue;
        };
        for (n, line) in std::fs::read_to_string(file).unwrap().lines().enumerate() {
            let json: Json = serde_json::from_str(line).unwrap();
            let args: Vec<Value> = json["args"].as_array().unwrap().iter().map(value).collect();
            let refs: Vec<&Value> = args.iter().collect();
            let mut caller =
                if general { Caller::general(Caller::DEFAULT_BUDGET) } else { Caller::default() };
            let outcome = caller.call_prim(id, &refs).map(|v| v.canonical());
            let good = match (&outcome, json.get("result")) {
                (Ok(got), Some(wanted)) => *got == value(wanted),
                (Err(_), None) => true,
                _ => false,
            };
            if json.get("order_dep").is_some() {
                tally.order_dependent += 1;
                tally.order_agreeing += usize::from(good);
            } else {
                tally.lines += 1;
                if !good {
                    let got = match outcome {
                        Ok(v) => format!("{v:?}"),
                        Err(e) => e.to_string(),
                    };
                    let short: String = line.chars().take(400).collect();
                    tally.wrong.push(format!("{name}.jsonl:{}: got {got}\n    {short}", n + 1));
                }
            }
        }
    }
    Some(tally)
}

fn check(general: bool) {
    let form = if general { "general" } else { "fast" };
    let Some(tally) = run(general) else {
        println!("skipped: no folder of recorded calls (set ARCLOOM_VECTORS)");
        return;
    };
    println!(
        "{form} form: {} recorded calls, {} wrong; order-dependent: {} of {} agree",
        tally.lines,
        tally.wrong.len(),
        tally.order_agreeing,
        tally.order_dependent
    );
    assert!(tally.wrong.is_empty(), "{}", tally.wrong[..tally.wrong.len().min(40)].join("\n"));
}

#[test]
fn recorded_calls_in_fast_form() {
    check(false);
}

#[test]
fn recorded_calls_in_general_form() {
    check(true);
}
