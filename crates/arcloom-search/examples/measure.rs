//! Solves every task of a folder of task files and says how many come out right.
//! `cargo run --release -p arcloom-search --example measure -- FOLDER [BOUND GROW STACK PIECES LOG LEARNED]`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring tool")]

use std::time::Instant;

use arcloom_search::costs::{Costs, fold};
use arcloom_search::task::{Effort, Problem, Without, search};
use arcloom_sheet::Sheet;

fn grid(v: &serde_json::Value) -> Sheet {
    let rows = v.as_array().unwrap();
    let cells = rows.iter().flat_map(|r| r.as_array().unwrap().iter());
    let width = rows[0].as_array().unwrap().len();
    Sheet::new(rows.len(), width, cells.map(|c| c.as_u64().unwrap() as u8).collect()).unwrap()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |k: usize, or: u64| args.get(k).map_or(or, |a| a.parse().unwrap());
    let effort = Effort {
        bound: number(2, 20) as u16,
        grow: number(3, 400_000_000),
        stack: number(4, 40_000_000),
        pieces: number(5, 20_000) as usize,
    };
    let learned = number(7, 1);
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (mut right, mut first, mut consistent, mut count) = (0, 0, 0, 0);
    let start = Instant::now();
    let mut lines = String::new();
    for (id, task) in all.as_object().unwrap() {
        let pairs = |k: &str| task[k].as_array().unwrap().clone();
        let problem = Problem {
            demos: pairs("train").iter().map(|p| (grid(&p["input"]), grid(&p["output"]))).collect(),
            tests: pairs("test").iter().map(|p| grid(&p["input"])).collect(),
        };
        let truth: Vec<Sheet> = pairs("test").iter().map(|p| grid(&p["output"])).collect();
        let costs = match learned {
            0 => Costs::uniform(),
            1 => Costs::learned(Some(fold(id))),
            _ => Costs::learned(None),
        };
        let begin = Instant::now();
        let (answers, figures) = search(&problem, &effort, &costs, &Without::default());
        let hit = answers.iter().take(2).position(|a| a.outputs == truth);
        count += 1;
        right += usize::from(hit.is_some());
        first += usize::from(hit == Some(0));
        let all_fit = answers.first().is_some_and(|a| a.fits == problem.demos.len());
        consistent += usize::from(all_fit);
        let rank = answers.iter().position(|a| a.outputs == truth);
        let used = answers.get(hit.unwrap_or(0)).map(|a| &a.plan);
        lines += &format!(
            "{id} {} fits {} rank {rank:?} of {} cost {:?} nodes {} pieces {} work {}k ms {} {:?}\n",
            hit.map_or("-".to_owned(), |h| h.to_string()),
            all_fit,
            answers.len(),
            answers.first().map(|a| a.cost),
            figures.nodes,
            figures.pieces,
            figures.work / 1000,
            begin.elapsed().as_millis(),
            used
        );
    }
    if let Some(path) = args.get(6) {
        std::fs::write(path, lines).unwrap();
    }
    println!(
        "tasks {count} right {right} first {first} consistent {consistent} seconds {:.1} per task {:.3}",
        start.elapsed().as_secs_f64(),
        start.elapsed().as_secs_f64() / f64::from(count)
    );
}
