//! The files of `arcloom-testkit/tests/files`: every value of every program on every input.
//!
//! That the processor gives what the files say is a test of `arcloom-testkit`; here the device is
//! compared with the processor, at the usual budget. A value that is too much for the device is left to
//! the processor and not compared.

use arcloom_testkit::files;
use arcloom_value::{Grid, Value};

use crate::harness::{Tally, compare, device};

#[test]
fn files_give_what_the_cpu_gives() {
    let Some(mut device) = device() else { return };
    let mut all = Tally::default();
    let mut wrong = Vec::new();
    for file in files::all().unwrap() {
        // The device has no demo pairs: what depends on them is the processor's.
        if file.samples.len() != Some(0) {
            continue;
        }
        let grids: Vec<Grid> = file
            .cases
            .iter()
            .filter_map(|case| match &case.input {
                Value::Grid(grid) => Some(grid.clone()),
                _ => None,
            })
            .collect();
        let tally = compare(&mut device, &file.programs, &grids, 1);
        wrong.extend(tally.wrong.iter().map(|what| format!("{}: {what}", file.place(1))));
        all.add(tally);
    }
    let Tally { programs, covered, values, over, .. } = &all;
    println!("{covered} of {programs} programs, {values} values, {over} left the device");
    assert!(wrong.is_empty(), "{} wrong values\n{}", wrong.len(), wrong.join("\n"));
    assert!(covered * 4 > *programs, "few programs of the files are covered");
}
