//! Makes a program of every answer to a task set, prints it, reads it back, runs it and compares.
//! `cargo run --release -p arcloom-search --example prove -- TASKS [PROGRAMS.py OUTPUTS.json
//! [BOUND GROW STACK PIECES]]`
//!
//! TASKS is what `arcloom check --tasks` takes, such as `arc1/training`. The first program of each task
//! that fits all demos is written to PROGRAMS.py, and what it gives on demos and tests to OUTPUTS.json,
//! for `scripts/programs_python.py`.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring tool")]

#[path = "../tests/support/mod.rs"]
mod support;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_search::task::Effort;
use arcloom_tasks::Catalog;
use serde_json::json;

fn rows(s: &Sheet) -> Vec<&[u8]> {
    (0..s.height()).map(|i| s.row(i)).collect()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |k: usize, or: u64| args.get(k).map_or(or, |a| a.parse().unwrap());
    let effort = Effort {
        bound: number(4, 20) as u16,
        grow: number(5, 400_000_000),
        stack: number(6, 40_000_000),
        pieces: number(7, 20_000) as usize,
    };
    let tasks = Catalog::open(None).resolve_tasks(&args[1]).unwrap();
    let (mut checked, mut whole, mut covered) = (0, 0, 0);
    let (mut rules, mut tables, mut trees, mut cases, mut grown) = (0, 0, 0, 0, 0);
    let mut differing = Vec::new();
    let mut programs = String::from("from dsl import *\nfrom constants import *\n");
    let mut outputs = serde_json::Map::new();
    for task in &tasks.tasks {
        let Some(problem) = support::problem(task) else { continue };
        let answers = support::answers(&problem, &effort);
        for answer in &answers {
            checked += 1;
            let all_fit = answer.fits == problem.demos.len();
            whole += usize::from(all_fit);
            let proven = support::proven(&problem, answer, &format!("solve_{}", task.id));
            let has = |word: &str| usize::from(proven.as_ref().is_ok_and(|t| t.contains(word)));
            rules += has("recolor_by");
            tables += has("lookup_cells");
            trees += has("decide_cells");
            cases += has("branch(");
            grown += has("grow_cells");
            match proven {
                Ok(text) if all_fit && !outputs.contains_key(&task.id) => {
                    covered += 1;
                    programs += &format!("\n\n{text}");
                    let demos = problem.demos.iter().map(|(i, o)| [rows(i), rows(o)]);
                    let tests = problem.tests.iter().zip(&answer.outputs);
                    let tests = tests.map(|(i, o)| [rows(i), rows(o)]);
                    let runs = json!({
                        "demos": demos.collect::<Vec<_>>(),
                        "tests": tests.collect::<Vec<_>>(),
                    });
                    outputs.insert(task.id.clone(), runs);
                }
                Ok(_) => {}
                Err(reason) => differing.push(reason),
            }
        }
    }
    for reason in differing.iter().take(10) {
        println!("{reason}\n");
    }
    println!(
        "{} tasks, {checked} programs, {whole} of them for all demos of {covered} tasks, \
         {rules} with rules, {tables} with tables, {trees} with trees, {cases} with cases, \
         {grown} with growth, {} differ",
        tasks.tasks.len(),
        differing.len()
    );
    if let (Some(program_file), Some(output_file)) = (args.get(2), args.get(3)) {
        std::fs::write(program_file, programs).unwrap();
        std::fs::write(output_file, serde_json::to_string(&outputs).unwrap()).unwrap();
    }
    std::process::exit(i32::from(!differing.is_empty()));
}
