//! A run of `solve` as an archive keeps it: its settings, and what it has for each task.

use arcloom_graph::Plan;
use arcloom_lang::load_file;
use arcloom_store::{ProgramRecord, ResultRecord, RunNumber, RunTaskRecord};
use arcloom_tasks::{Task, TaskSet};
use serde_json::{Value as Json, json};

use super::{Ingredient, Proposal, SolveOptions, SolveTask};
use crate::archive;
use crate::attempts::grid_rows;
use crate::engine::Engine;
use crate::library::Library;

/// What a run hands in for a task, with all its proposals.
pub(super) fn run_task(
    engine: &Engine,
    run: RunNumber,
    task: &Task,
    found: &SolveTask,
    seconds: Option<f64>,
) -> RunTaskRecord {
    let standing = found.standing(engine, task).record();
    let proposals = Json::Array(found.proposals.iter().map(proposal).collect()).to_string();
    RunTaskRecord { run, standing, proposals, seconds }
}

/// The programs of a task's proposals, with what they do on it.
pub(super) fn programs(
    engine: &Engine,
    run: RunNumber,
    task: &Task,
    found: &SolveTask,
) -> Vec<(ProgramRecord, ResultRecord)> {
    let record = |proposal: &Proposal| {
        let program = load_file(proposal.program.as_ref()?).programs.pop()?;
        let by = match proposal.sources.first()? {
            Ingredient::Evolution => ProgramRecord::EVOLVED,
            other => other.name(),
        };
        let plan = Plan::new(&program);
        let result = archive::result(engine, &mut engine.machine(), program.id(), &plan, task);
        let mut record = ProgramRecord::new(&program, by);
        (record.run, record.cost) = (Some(run), result.work);
        Some((record, result))
    };
    found.proposals.iter().filter_map(record).collect()
}

/// A proposal, as [`StoredProposal`](crate::run_task::StoredProposal) reads it.
fn proposal(proposal: &Proposal) -> Json {
    json!({
        "outputs": proposal.outputs.iter().map(grid_rows).collect::<Vec<_>>(),
        "fits": proposal.fits,
        "origin": Ingredient::names(&proposal.sources),
        "doubt": proposal.doubt,
        "program": proposal.program,
    })
}

/// Everything that the results of a run depend on, as a JSON object: the run is known by it.
pub(super) fn config(
    engine: &Engine,
    library: &Library,
    tasks: &TaskSet,
    options: &SolveOptions,
) -> String {
    let mut programs = blake3::Hasher::new();
    library.programs.iter().for_each(|entry| _ = programs.update(&entry.program.id().0));
    let mut all = blake3::Hasher::new();
    tasks.tasks.iter().for_each(|task| _ = all.update(&task.visible_id().0));
    let without: Vec<&str> = options.without.iter().map(|part| part.name()).collect();
    let mut config = json!({
        "command": "solve",
        "budget": options.budget,
        "evolve": options.evolve,
        "first_look": options.first_look,
        "folds": options.folds,
        "without": without,
        "call_budget": engine.limits().call_budget(),
        "library": programs.finalize().to_hex().to_string(),
        "tasks": all.finalize().to_hex().to_string(),
    });
    if options.reuse {
        config["reuse"] = Json::Bool(true);
    }
    config.to_string()
}
