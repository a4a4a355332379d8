//! How fast generations are stored, and how large they become. Not a check: run it by hand with
//! `cargo test -p arcloom-store --release --test speed -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(clippy::print_stdout, reason = "the figures are the point")]

use std::time::Instant;

use common::*;

mod common;

#[test]
#[ignore = "measures"]
fn generations_per_second() {
    let path = folder("speed").join("a.db");
    let mut archive = open(&path);
    let run = archive.begin_run(&new_run(1, 0)).unwrap();
    let (generations, count) = (50, 2_000);
    let batches: Vec<_> = (0..generations).map(|n| generation(run, n, count, 0)).collect();
    let start = Instant::now();
    for batch in &batches {
        archive.commit(batch).unwrap();
    }
    let seconds = start.elapsed().as_secs_f64();
    let programs = (generations * count) as f64;
    archive.compact().unwrap();
    println!("{:.0} programs with result and score per second", programs / seconds);
    println!("{:.0} bytes per program", archive.bytes() as f64 / programs);
    println!("text {} bytes of these", batches[0].records.programs[0].text.len());
    let start = Instant::now();
    let pruned = archive.prune(&arcloom_store::PruneOptions::default(), None).unwrap();
    println!("pruned in {:.2} s: {pruned:?}", start.elapsed().as_secs_f64());
}
