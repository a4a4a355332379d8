//! A loop that draws programs anew: draw some, run them on all tasks, keep what fits, many times over. Says what a turn
//! takes, what the archive knew already, and whether memory grows.
//!
//! ```text
//! cargo run --release -p arcloom --example turns -- PROGRAMS TASKS ARCHIVE [TURNS [DRAWN [THREADS]]]
//!
//! PROGRAMS, TASKS   paths or catalogue names, as for `arcloom run`
//! ARCHIVE           where what is found is kept
//! TURNS, DRAWN      50 turns of 32 programs unless told otherwise, on one thread
//! ```
//!
//! Prints one line for each turn: processor seconds in all, in running and in keeping; results that were validated and
//! those that were known; what validating those had taken and what looking for all of them took; memory in use. From
//! the second turn on a quarter of the programs is drawn from what was kept.

#![expect(clippy::print_stdout, reason = "the report goes to standard output")]

use std::error::Error;
use std::io::empty;

use arcloom::archive::{Access, Archive, Filter};
use arcloom::graph::spans::process_cpu;
use arcloom::{Catalog, Choice, Engine, Entry, Library, RunOptions, Stop};

/// The allocator of the command, so that both use memory alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [programs, tasks, archive, numbers @ ..] = &args[..] else {
        return Err("write: turns PROGRAMS TASKS ARCHIVE [TURNS [DRAWN [THREADS]]]".into());
    };
    let number = |n: usize, usual: usize| numbers.get(n).map_or(Ok(usual), |text| text.parse());
    let (turns, drawn, threads) = (number(0, 50)?, number(1, 32)?, number(2, 1)?);
    let catalog = Catalog::open(None);
    let library = Library::load(&catalog, std::slice::from_ref(programs), &mut empty())?;
    let tasks = catalog.resolve_tasks(tasks)?;
    let engine = Engine::builder().threads(threads).build()?;
    let mut archive = Archive::create_or_open(archive, Access::Write)?;
    println!(
        "turn  cpu_s  run_s  keep_s  validated  known  saved_ms  looking_ms  storing_ms  memory_MB"
    );
    for turn in 0..turns {
        let start = process_cpu();
        let kept = archive.programs(&Filter { best: Some(1), ..Filter::default() })?;
        let old = pick(&kept, (drawn / 4).min(kept.len()), turn)?;
        let mut entries: Vec<Entry> = Vec::new();
        for record in old {
            entries.push(Entry::new(record.program()?, "kept"));
        }
        let new = pick(&library.programs, drawn - entries.len(), turn)?;
        entries.extend(new.into_iter().cloned());
        let batt = engine.merge(&entries);
        let running = process_cpu();
        let report = engine.run(&batt, &tasks, &RunOptions::default(), &Stop::default(), &|_| {});
        let keeping = process_cpu();
        let kept = engine.keep_run(&report, &tasks, &mut archive)?;
        let end = process_cpu();
        let seconds = |time: std::time::Duration| time.as_secs_f64();
        println!(
            "{:>4} {:>6.2} {:>6.2} {:>7.3} {:>10} {:>6} {:>9.1} {:>11.1} {:>11.1} {:>10.1}",
            turn + 1,
            seconds(end - start),
            seconds(keeping - running),
            seconds(end - keeping),
            kept.misses,
            kept.hits,
            seconds(kept.saved) * 1e3,
            seconds(kept.looked) * 1e3,
            seconds(kept.stored) * 1e3,
            resident().unwrap_or_default() as f64 / 1e6,
        );
    }
    Ok(())
}

/// So many of these, another draw each turn.
fn pick<T>(items: &[T], count: usize, turn: usize) -> Result<Vec<&T>, Box<dyn Error>> {
    let choice = Choice { ids: Vec::new(), count: Some(count), seed: turn as u64 };
    Ok(choice.pick(items, |_| [""])?.into_iter().map(|n| &items[n]).collect())
}

/// Bytes of memory in use now, where the system says.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
