//! Killed at any moment, an archive holds every generation that was reported as stored.
//!
//! The child is this very test program, told by a variable of the environment to write and to say
//! after every generation that it is stored.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::*;

mod common;

const CHILD: &str = "ARCLOOM_CRASH_CHILD";
/// Programs of a generation.
const COUNT: u64 = 200;

#[test]
fn a_killed_writer_loses_the_generation_in_flight_at_most() {
    if let Ok(path) = std::env::var(CHILD) {
        write_forever(path.as_ref());
    }
    let path = folder("crash").join("a.db");
    // Moments that differ from run to run of the suite as little as possible, and cover opening,
    // writing and moving the journal.
    let mut stored = 0;
    for round in 0..20_u64 {
        let wait = Duration::from_micros(
            3_000 + round * round * 1_300 + hash("wait", round)[0] as u64 * 40,
        );
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "a_killed_writer_loses_the_generation_in_flight_at_most",
                "--nocapture",
            ])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = child.stdout.take().unwrap();
        std::thread::sleep(wait);
        // SIGKILL where there is one: nothing is cleaned up.
        child.kill().unwrap();
        child.wait().unwrap();
        let said = BufReader::new(out).lines().map_while(Result::ok);
        let said = said.filter_map(|line| line.strip_prefix("stored ")?.parse::<u64>().ok());
        stored = said.max().map_or(stored, |last| stored.max(last + 1));

        let archive = open(&path);
        assert_eq!(archive.integrity().unwrap(), Vec::<String>::new(), "round {round}");
        let Some(run) = archive.runs().unwrap().pop() else { continue };
        // The kill may come between storing and saying so.
        assert!([stored, stored + 1].contains(&run.generations), "{} {stored}", run.generations);
        stored = run.generations;
        let count = |table: &str| {
            let counts = archive.counts().unwrap();
            counts.rows.iter().find(|(name, _)| *name == table).unwrap().1
        };
        assert_eq!(count("program"), stored * COUNT);
        assert_eq!(count("result"), stored * COUNT);
        assert_eq!(count("generation"), stored);
        if stored > 0 {
            let expected = generation(run.number, stored - 1, COUNT, 0);
            assert_eq!(archive.populations(run.number).unwrap(), expected.populations);
            assert_eq!(run.checkpoint, expected.checkpoint);
        }
    }
    assert!(stored > 20, "the child was killed too early to show anything: {stored}");
    // What many interruptions left is what none leaves.
    let whole = with_run(&folder("crash_whole").join("a.db"), 1, stored, COUNT, 0);
    assert_eq!(open(&path).compare(&whole).unwrap(), None);
}

/// Begins or resumes the run and writes until killed.
fn write_forever(path: &std::path::Path) -> ! {
    let mut archive = open(path);
    let new = new_run(1, 0);
    let found = archive.find_run(new.seed, &new.config, &new.version).unwrap();
    let (run, first) = match found {
        Some(found) => (found.number, found.generations),
        None => (archive.begin_run(&new).unwrap(), 0),
    };
    let mut out = std::io::stdout();
    writeln!(out).unwrap();
    for number in first.. {
        archive.commit(&generation(run, number, COUNT, 0)).unwrap();
        writeln!(out, "stored {number}").unwrap();
        out.flush().unwrap();
    }
    unreachable!("generations do not run out")
}
