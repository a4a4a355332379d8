//! Writes `data/steps.tsv` anew: how often each step was part of what solved a training task of
//! some kind.
//! `cargo run --release -p arcloom-search --example learn -- arc1/training [SECONDS]`
//!
//! Each task is searched with the table as it stands, without the counts of its own fold. Only ever
//! run it on training tasks: it looks at test answers.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_search::costs::{Costs, FOLDS, TaskKind, fold, key};
use arcloom_search::plan::Recipe;
use arcloom_search::task::{Effort, search};
use arcloom_search::without::Without;
use arcloom_tasks::Catalog;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set = args.get(1).map_or("arc1/training", String::as_str);
    assert!(!set.contains("evaluation"), "evaluation tasks are for measuring only");
    let seconds = args.get(2).map_or(0.3, |text| text.parse().unwrap());
    let tasks = Catalog::open(None).resolve_tasks(set).unwrap();
    let mut counts: BTreeMap<(String, &str), [u32; FOLDS as usize]> = BTreeMap::new();
    let mut solved = 0;
    for task in &tasks.tasks {
        let Some(problem) = support::problem(task) else { continue };
        let truth: Option<Vec<Sheet>> =
            task.tests.iter().map(|t| support::sheet_of(t.expected_output()?)).collect();
        let Some(truth) = truth else { continue };
        let costs = Costs::learned(Some(fold(&task.id)));
        let stages = Effort::stages(seconds);
        let (answers, _) = search(&problem, &stages, &costs, &Without::default());
        let Some(right) = answers.iter().take(2).find(|a| a.outputs == truth) else { continue };
        solved += 1;
        let kind = TaskKind::of(&problem.demos).name();
        for step in steps(&right.plan) {
            counts.entry((step, kind)).or_default()[usize::from(fold(&task.id))] += 1;
        }
    }
    let folds: Vec<String> = (0..FOLDS).map(|f| f.to_string()).collect();
    let mut text = format!("# step\tkind\t{}\n", folds.join("\t"));
    for ((step, kind), folds) in &counts {
        let folds: Vec<String> = folds.iter().map(u32::to_string).collect();
        text += &format!("{step}\t{kind}\t{}\n", folds.join("\t"));
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/steps.tsv"), text).unwrap();
    println!("{solved} of {} tasks solved, {} steps seen", tasks.tasks.len(), counts.len());
}

/// The steps of a plan, each once.
fn steps(plan: &Recipe) -> BTreeSet<String> {
    plan.chains().into_iter().flat_map(|chain| &chain.steps).map(key).collect()
}
