//! Whether weaving is exact: every program's outcome inside the batt against its outcome alone.
//!
//! ```text
//! cargo run --release -p arcloom --example weave_exact -- PROGRAMS.. --tasks SET [OPTIONS]
//!
//! --only ID,ID     only these tasks
//! --count N        that many tasks, drawn
//! --skip ID,ID     not the programs of these tasks
//! --woven-only     for timing: do not run the programs alone
//! ```
//!
//! Runs all programs on every pair of every task, once alone and once in one batt, and compares values
//! and errors, budget stops included. Prints one JSON object with the processor time of both; exits
//! with 1 when an outcome differs.

#![expect(clippy::print_stdout, reason = "the report goes to standard output")]

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use arcloom::{Catalog, Choice, Engine, Library, Task, TaskView};
use arcloom_graph::{BattPlan, Inputs, Worker};
use arcloom_lang::NodeId;
use arcloom_value::Value;
use serde_json::json;

/// The allocator of the command, so that both are timed alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut programs = Vec::new();
    let (mut set, mut only, mut skip) = (String::new(), Vec::new(), Vec::new());
    let (mut woven_only, mut count) = (false, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} takes a value"));
        match arg.as_str() {
            "--tasks" => set = value()?,
            "--only" => only = value()?.split(',').map(str::to_owned).collect(),
            "--count" => count = Some(value()?.parse()?),
            "--skip" => skip = value()?.split(',').map(str::to_owned).collect(),
            "--woven-only" => woven_only = true,
            _ => programs.push(arg),
        }
    }
    let catalog = Catalog::open(None);
    let mut library = Library::load(&catalog, &programs, &mut std::io::stdin())?;
    library.programs.retain(|entry| !skip.contains(&entry.task));
    let mut tasks = catalog.resolve_tasks(&set)?;
    if !only.is_empty() {
        tasks.tasks.retain(|task| only.contains(&task.id));
    }
    let drawn = Choice { count, ..Choice::default() }.of_tasks();
    let drawn = drawn.pick(&tasks.tasks, |task| [task.id.as_str()])?;
    let tasks: Vec<&Task> = drawn.into_iter().map(|n| &tasks.tasks[n]).collect();
    let engine = Engine::builder().threads(1).build()?;
    let batt = engine.merge(&library.programs);
    let plan = BattPlan::new(&batt);
    let roots: Vec<NodeId> = batt.roots().iter().map(|root| root.node).collect();
    let mut machine = engine.machine();
    let mut worker = Worker::new(engine.limits());
    let (mut alone, mut woven) = (Duration::ZERO, Duration::ZERO);
    let (mut outcomes, mut failed, mut over, mut differ) = (0u64, 0u64, 0u64, 0u64);
    for task in tasks {
        let view = TaskView::new(task);
        let given = view.given();
        for input in &given.inputs {
            let inputs = Inputs { input, samples: &given.samples, expected: &Value::None };
            let start = cpu_time();
            let together = worker.outcomes(&plan, &inputs, &roots);
            woven += cpu_time() - start;
            if woven_only {
                continue;
            }
            let start = cpu_time();
            let single: Vec<_> = library
                .programs
                .iter()
                .map(|entry| machine.run(&entry.plan, &inputs).map_err(|failure| failure.error))
                .collect();
            alone += cpu_time() - start;
            for ((one, other), entry) in single.iter().zip(&together).zip(&library.programs) {
                outcomes += 1;
                failed += u64::from(one.is_err());
                over += u64::from(one.as_ref().is_err_and(|error| error.is_budget()));
                if one != other {
                    differ += 1;
                    println!(
                        "{} on {}: {one:?} alone, {other:?} woven",
                        entry.program.name, task.id
                    );
                }
            }
        }
    }
    let counts = worker.take_counts();
    let report = json!({
        "programs": roots.len(),
        "nodes": batt.nodes().len(),
        "steps": plan.steps(),
        "outcomes": outcomes,
        "failed": failed,
        "over_budget": over,
        "differ": differ,
        "cpu_seconds_alone": alone.as_secs_f64(),
        "cpu_seconds_woven": woven.as_secs_f64(),
        "counts": format!("{counts:?}"),
    });
    println!("{report}");
    Ok(if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Processor time of this process so far.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Elapsed time, where processor time takes more than a line.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
