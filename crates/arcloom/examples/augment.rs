//! Measures `Engine::augment`: kept pairs, pairs per second of processor time, and how often a second program
//! for the same task, which takes no part in keeping, agrees about the kept inputs.
//!
//! ```text
//! cargo run --release -p arcloom --example augment -- TASKS PROGRAMS SECOND [PAIRS] [SEED] > tasks.tsv
//! ```
//!
//! A line per task on standard output, sums on standard error. One thread, so that times are the task's own.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;

use arcloom::timing::cpu_time;
use arcloom::{AugmentOptions, Catalog, Engine, Entry, Library, Stop, Task, TaskView};
use arcloom_value::Value;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What came of one task.
struct Row {
    tries: usize,
    kept: usize,
    new: usize,
    agreed: Option<usize>,
    seconds: f64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match measure(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn measure(args: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [tasks, first, second, rest @ ..] = args else {
        return Err("usage: augment TASKS PROGRAMS SECOND [PAIRS] [SEED]".into());
    };
    let number = |n: usize, default: u64| rest.get(n).map_or(Ok(default), |text| text.parse());
    let options = AugmentOptions {
        per_task: number(0, 100)? as usize,
        seed: number(1, 0)?,
        ..AugmentOptions::default()
    };
    let catalog = Catalog::open(None);
    let set = catalog.resolve_tasks(tasks)?;
    let load =
        |spec: &String| Library::load(&catalog, std::slice::from_ref(spec), &mut std::io::empty());
    let (first, second) = (load(first)?, load(second)?);
    let engine = Engine::builder().threads(1).build()?;
    let mut rows = Vec::new();
    println!("task\ttries\tkept\tnew\tagreed\tseconds");
    for task in &set.tasks {
        let Some(entry) = first.find(&task.id) else { continue };
        let Some(row) = one(&engine, entry, second.find(&task.id), task, &options) else {
            println!("{}\tunfit", task.id);
            continue;
        };
        let agreed = row.agreed.map_or("-".to_owned(), |agreed| agreed.to_string());
        println!(
            "{}\t{}\t{}\t{}\t{agreed}\t{:.6}",
            task.id, row.tries, row.kept, row.new, row.seconds
        );
        rows.push(row);
    }
    sum_up(&rows, &options);
    Ok(())
}

fn one(
    engine: &Engine,
    entry: &Entry,
    second: Option<&Entry>,
    task: &Task,
    options: &AugmentOptions,
) -> Option<Row> {
    let start = cpu_time()?;
    let made = engine.augment(entry, task, options, &Stop::default()).ok()?;
    let seconds = (cpu_time()? - start).as_secs_f64();
    let mut machine = engine.machine();
    let view = TaskView::new(task);
    // A second program that misses demos says nothing about further inputs.
    let second = second.filter(|second| machine.fits(&second.plan, &view));
    let mut agrees = |second: &Entry| {
        let pairs = made.pairs.iter().map(|made| &made.pair);
        let outputs = pairs.map(|pair| {
            let input = Value::Grid(pair.input.clone());
            machine.output(&second.plan, &view.given().samples, &input).ok()
                == Some(pair.output.clone())
        });
        outputs.filter(|agrees| *agrees).count()
    };
    let agreed = second.map(&mut agrees);
    let new = made.pairs.iter().filter(|pair| pair.is_new).count();
    Some(Row { tries: made.tries, kept: made.pairs.len(), new, agreed, seconds })
}

fn sum_up(rows: &[Row], options: &AugmentOptions) {
    let sum = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let (kept, tries, new) = (sum(&|row| row.kept), sum(&|row| row.tries), sum(&|row| row.new));
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let judged = sum(&|row| if row.agreed.is_some() { row.kept } else { 0 });
    let agreed = sum(&|row| row.agreed.unwrap_or(0));
    let mut speeds: Vec<f64> = rows.iter().map(|row| row.kept as f64 / row.seconds).collect();
    speeds.sort_by(f64::total_cmp);
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let full = rows.iter().filter(|row| row.kept == options.per_task).count();
    let empty = rows.iter().filter(|row| row.kept == 0).count();
    eprintln!("tasks {}, with all pairs asked for {full}, with none {empty}", rows.len());
    eprintln!("kept {kept} of {tries} inputs, {:.1} %", percent(kept, tries));
    eprintln!("more than a symmetry or a recolouring: {:.1} %", percent(new, kept));
    eprintln!("agreed {agreed} of {judged}, {:.2} %", percent(agreed, judged));
    let median = speeds.get(speeds.len() / 2).copied().unwrap_or(0.0);
    eprintln!("pairs per second: median {median:.0}, all {:.0}", kept as f64 / seconds);
}
