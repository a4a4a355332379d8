//! Writes `data/calls.tsv` anew: what calls take in programs that were written for training tasks.
//! `cargo run --release -p arcloom-search --example count_calls -- library:rearc solvers.py`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool")]

use arcloom_lang::load_file;
use arcloom_search::costs::fold;
use arcloom_search::terms::CallCounts;
use arcloom_tasks::Catalog;

fn main() {
    let catalog = Catalog::open(None);
    let mut counts = CallCounts::default();
    let mut programs = 0;
    for spec in std::env::args().skip(1) {
        for file in catalog.resolve_programs(&spec, &mut std::io::empty()).unwrap() {
            let text = String::from_utf8(file.bytes).unwrap();
            for program in &load_file(&text).programs {
                counts.add(program, fold(program.task()));
                programs += 1;
            }
        }
    }
    let text = counts.text();
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/calls.tsv"), &text).unwrap();
    println!("{programs} programs, {} lines", text.lines().count());
}
