//! Times a library of programs on task grids: processor time, after loading, one thread.
//!
//! ```text
//! cargo run --release -p arcloom --example time_library -- PROGRAMS TASKS [OPTIONS]
//!
//! PROGRAMS, TASKS     paths or catalogue names, as for `arcloom check`
//! --cross             every program on every task instead of its own
//! --only ID,ID        only these tasks
//! --skip ID,ID        not the programs of these tasks
//! --repeats N         passes over the whole work (default 1); the fastest and the median are given
//! --results FILE      also write every result, one JSON line each: [program, task, pair, value]
//! --dump-tasks FILE   only write the tasks as one JSON file: {id: {"train": [..], "test": [..]}}
//! --profile           also the tables by primitive and by program
//! --general           without the fast forms of values
//! ```
//!
//! Prints one JSON object. `benches/compare_python.py` runs this beside CPython. Every pass has a new
//! machine, so that nothing a run leaves behind helps the next pass.

#![expect(clippy::print_stdout, reason = "the report goes to standard output")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arcloom::{Catalog, Engine, Entry, Library, Registry, Task, TaskSet, samples_value, verdict};
use arcloom_graph::{Failure, Inputs, Machine};
use arcloom_lang::node::Op;
use arcloom_value::{Grid, Value};
use serde_json::{Value as Json, json};

/// The allocator of the command, so that both are timed alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Passes of which the tables keep the smallest times.
const PROFILE_PASSES: usize = 15;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// What was typed.
#[derive(Default)]
struct Options {
    programs: String,
    tasks: String,
    cross: bool,
    only: Vec<String>,
    skip: Vec<String>,
    repeats: usize,
    results: Option<PathBuf>,
    dump_tasks: Option<PathBuf>,
    profile: bool,
    general: bool,
}

impl Options {
    fn parse(args: impl IntoIterator<Item = String>) -> Fallible<Options> {
        let mut options = Options { repeats: 1, ..Options::default() };
        let mut paths = Vec::new();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} takes a value"));
            let list = |text: String| text.split(',').map(str::to_owned).collect();
            match arg.as_str() {
                "--cross" => options.cross = true,
                "--only" => options.only = list(value()?),
                "--skip" => options.skip = list(value()?),
                "--repeats" => options.repeats = value()?.parse::<usize>()?.max(1),
                "--results" => options.results = Some(value()?.into()),
                "--dump-tasks" => options.dump_tasks = Some(value()?.into()),
                "--profile" => options.profile = true,
                "--general" => options.general = true,
                flag if flag.starts_with("--") => return Err(format!("no option {flag}").into()),
                _ => paths.push(arg),
            }
        }
        [options.programs, options.tasks] =
            paths.try_into().map_err(|_| "give PROGRAMS and TASKS")?;
        Ok(options)
    }
}

/// One program on one grid.
struct Run<'a> {
    entry: &'a Entry,
    task: &'a Task,
    pair: usize,
    input: Value,
    samples: &'a Value,
    answer: Option<&'a Grid>,
}

impl Run<'_> {
    fn inputs(&self) -> Inputs<'_> {
        Inputs { input: &self.input, samples: self.samples, expected: &Value::None }
    }
}

fn main() -> Fallible<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let catalog = Catalog::open(None);
    let mut tasks = catalog.resolve_tasks(&options.tasks)?;
    if !options.only.is_empty() {
        tasks.tasks.retain(|task| options.only.contains(&task.id));
    }
    if let Some(path) = &options.dump_tasks {
        return dump_tasks(&tasks, path);
    }
    let library = Library::load(&catalog, &[options.programs], &mut std::io::stdin())?;
    if let Some(error) = library.errors.first() {
        return Err(error.clone().into());
    }
    let mut programs = library.programs;
    programs.retain(|entry| !options.skip.contains(&entry.task));
    let samples: Vec<Value> = tasks.tasks.iter().map(|task| samples_value(&task.demos)).collect();
    let runs = runs(&programs, &tasks, &samples, options.cross);
    let engine = Engine::builder().threads(1).general_form(options.general).build()?;

    let mut passes: Vec<Duration> =
        (0..options.repeats).map(|_| time_pass(&engine, &runs)).collect();
    let first = passes[0];
    passes.sort_unstable();
    let median = passes[passes.len() / 2];
    let mut report = json!({
        "programs": programs.len(),
        "calls": runs.len(),
        "passes": passes.len(),
        "cpu_seconds_first": first.as_secs_f64(),
        "cpu_seconds_min": passes[0].as_secs_f64(),
        "cpu_seconds_median": median.as_secs_f64(),
    });
    merge(&mut report, outcomes(&engine, &runs, options.results.as_deref())?);
    if options.profile {
        let (prims, programs) = profile(&engine, &runs);
        merge(&mut report, json!({"by_primitive": prims, "by_program": programs}));
    }
    report["order_independent"] = programs
        .iter()
        .filter(|entry| !is_order_dependent(entry))
        .map(|entry| Json::from(entry.program.name.as_str()))
        .collect();
    println!("{report}");
    Ok(())
}

/// The work: programs in their order, then tasks, then pairs with demos before tests.
fn runs<'a>(
    programs: &'a [Entry],
    tasks: &'a TaskSet,
    samples: &'a [Value],
    cross: bool,
) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    for entry in programs {
        for (task, samples) in tasks.tasks.iter().zip(samples) {
            if !cross && task.id != entry.task {
                continue;
            }
            let demos = task.demos.iter().map(|p| &p.input);
            let inputs = demos.chain(task.tests.iter().map(|p| &p.input));
            for (pair, input) in inputs.enumerate() {
                let answer = verdict::expected(task, pair);
                let input = Value::Grid(input.clone());
                runs.push(Run { entry, task, pair, input, samples, answer });
            }
        }
    }
    runs
}

/// Processor time of doing everything once, results thrown away. Not inlined, so that a profiler can
/// be told to look at this alone (`valgrind --tool=callgrind --toggle-collect='*time_pass*'`).
#[inline(never)]
fn time_pass(engine: &Engine, runs: &[Run<'_>]) -> Duration {
    let start = cpu_time();
    let mut machine = engine.machine();
    for run in runs {
        let _ = std::hint::black_box(machine.run(&run.entry.plan, &run.inputs()));
    }
    drop(machine);
    cpu_time() - start
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

/// How many runs failed, and how many gave the right answer; the results in a file if there is one.
fn outcomes(
    engine: &Engine,
    runs: &[Run<'_>],
    results: Option<&std::path::Path>,
) -> Fallible<Json> {
    let mut file = results.map(|path| File::create(path).map(BufWriter::new)).transpose()?;
    let mut machine = engine.machine();
    let (mut failures, mut over_budget, mut right) = (0, 0, 0);
    for run in runs {
        let outcome = run_one(&mut machine, run);
        match &outcome {
            Ok(value) => {
                right += usize::from(run.answer.is_some_and(|a| *value == Value::Grid(a.clone())));
            }
            Err(failure) => {
                failures += 1;
                over_budget += usize::from(failure.error.is_budget());
            }
        }
        if let Some(file) = &mut file {
            let value = match &outcome {
                Ok(value) => value_json(value),
                Err(failure) => json!({"fail": failure.error.to_string()}),
            };
            let line = json!([run.entry.program.name, run.task.id, run.pair, value]);
            writeln!(file, "{line}")?;
        }
    }
    if let Some(mut file) = file {
        file.flush()?;
    }
    Ok(json!({"failures": failures, "over_budget": over_budget, "right": right}))
}

fn run_one(machine: &mut Machine, run: &Run<'_>) -> Result<Value, Failure> {
    machine.run(&run.entry.plan, &run.inputs()).map(|value| value.canonical())
}

/// The table by primitive and that by program, most time first. These are elapsed times, so that of
/// every program's work the smallest of several passes counts: one that nothing else interrupted.
fn profile(engine: &Engine, runs: &[Run<'_>]) -> (Json, Json) {
    let mut machine = engine.machine();
    let mut by_prim: BTreeMap<&str, (u64, Duration)> = BTreeMap::new();
    let mut by_program: BTreeMap<&str, (u64, Duration)> = BTreeMap::new();
    let mut profiled = engine.machine().with_profile();
    for runs in runs.chunk_by(|a, b| std::ptr::eq(a.entry, b.entry)) {
        let mut whole = Duration::MAX;
        let mut prims: BTreeMap<&str, (u64, Duration)> = BTreeMap::new();
        for _ in 0..PROFILE_PASSES {
            let start = Instant::now();
            for run in runs {
                let _ = std::hint::black_box(machine.run(&run.entry.plan, &run.inputs()));
            }
            whole = whole.min(start.elapsed());
            for run in runs {
                let _ = profiled.run(&run.entry.plan, &run.inputs());
            }
            for row in profiled.take_profile().unwrap_or_default().table() {
                let least = prims.entry(row.name).or_insert((row.calls, row.time));
                least.1 = least.1.min(row.time);
            }
        }
        by_program.insert(&runs[0].entry.program.name, (runs.len() as u64, whole));
        for (name, (calls, time)) in prims {
            let sum = by_prim.entry(name).or_default();
            *sum = (sum.0 + calls, sum.1 + time);
        }
    }
    (table(by_prim), table(by_program))
}

fn table(rows: BTreeMap<&str, (u64, Duration)>) -> Json {
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|&(_, (_, time))| std::cmp::Reverse(time));
    let row = |(name, (calls, time)): (&str, (u64, Duration))| {
        let ns = time.as_nanos() as u64;
        json!({"name": name, "calls": calls, "ns": ns, "ns_per_call": ns / calls})
    };
    rows.into_iter().map(row).collect()
}

/// Whether a program names a primitive whose result can depend on the order of a set.
fn is_order_dependent(entry: &Entry) -> bool {
    let is_marked = |id| Registry::get().primitive(id).order_dependent;
    entry.program.nodes().iter().any(|node| match &node.op {
        Op::Call(id) | Op::Const(Value::Prim(id)) => is_marked(*id),
        Op::Lambda(_) => true,
        _ => false,
    })
}

/// Tuples as lists, sets as `{"set": [..]}`, functions as `{"function": true}`.
fn value_json(value: &Value) -> Json {
    if value.is_function() {
        return json!({"function": true});
    }
    match (value.as_int(), value.iter()) {
        (Some(n), _) => n.into(),
        (None, Some(items)) => {
            let items: Json = items.map(|item| value_json(&item)).collect();
            if value.is_set() { json!({"set": items}) } else { items }
        }
        (None, None) => Json::Null,
    }
}

fn dump_tasks(tasks: &TaskSet, path: &std::path::Path) -> Fallible<()> {
    let grid = |grid: &Grid| value_json(&Value::Grid(grid.clone()));
    let mut all = serde_json::Map::new();
    for task in &tasks.tasks {
        let train: Json = task
            .demos
            .iter()
            .map(|pair| json!({"input": grid(&pair.input), "output": grid(&pair.output)}))
            .collect();
        let test: Json = task
            .tests
            .iter()
            .map(|pair| match pair.expected_output() {
                Some(output) => json!({"input": grid(&pair.input), "output": grid(output)}),
                None => json!({"input": grid(&pair.input)}),
            })
            .collect();
        all.insert(task.id.clone(), json!({"train": train, "test": test}));
    }
    serde_json::to_writer(BufWriter::new(File::create(path)?), &all)?;
    Ok(())
}

/// Adds the fields of `more` to an object.
fn merge(report: &mut Json, more: Json) {
    if let (Json::Object(report), Json::Object(more)) = (report, more) {
        report.extend(more);
    }
}
