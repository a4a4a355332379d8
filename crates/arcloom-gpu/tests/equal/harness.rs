//! Runs programs on both and compares every value.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use arcloom_gpu::opencl::{self, OpenCl};
use arcloom_gpu::record::{print_of, print_of_other};
use arcloom_gpu::{DeviceInputs, Lowered, Record, Runtime, Shape};
use arcloom_graph::batt::{Batt, BattBuilder};
use arcloom_graph::{BattPlan, Inputs as Given, Limits, Worker};
use arcloom_lang::{Form, NodeId, Program, text};
use arcloom_value::{Grid, Value};

/// The device of all tests; one at a time uses it.
pub(crate) fn device() -> Option<MutexGuard<'static, OpenCl>> {
    static DEVICE: Mutex<Option<&'static Mutex<OpenCl>>> = Mutex::new(None);
    let mut device = DEVICE.lock().unwrap();
    if device.is_none() {
        let found = match opencl::devices() {
            Ok(found) if !found.is_empty() => found,
            Ok(_) => return skip("OpenCL has no device"),
            Err(error) => return skip(&error.to_string()),
        };
        println!("on {}", found[0].info.name);
        // Another kernel text can be tried without building everything anew.
        let open = match std::env::var_os("ARCLOOM_KERNEL_TEXT") {
            Some(path) => found[0].open_text(&std::fs::read_to_string(path).unwrap()),
            None => found[0].open(),
        }
        .unwrap();
        *device = Some(Box::leak(Box::new(Mutex::new(open))));
    }
    let device = (*device)?;
    Some(device.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn skip<T>(reason: &str) -> Option<T> {
    println!("skipped: {reason}; with Debian, install pocl-opencl-icd and ocl-icd-libopencl1");
    None
}

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    pub(crate) covered: usize,
    pub(crate) values: usize,
    pub(crate) over: usize,
    pub(crate) failed: usize,
    /// What went over, by the operation of the node.
    pub(crate) over_at: BTreeMap<String, usize>,
    pub(crate) reasons: BTreeMap<String, usize>,
    /// Calls that were compared, by primitive.
    pub(crate) calls: BTreeMap<&'static str, usize>,
    pub(crate) wrong: Vec<String>,
}

pub(crate) fn merge(programs: &[Program]) -> Batt {
    let mut builder = BattBuilder::with_rules(&[]);
    programs.iter().for_each(|program| {
        builder.add(program, "");
    });
    builder.finish()
}

/// Every value of every program on every grid, on both.
pub(crate) fn compare(
    device: &mut OpenCl,
    programs: &[Program],
    grids: &[Grid],
    lanes: usize,
) -> Tally {
    let batt = merge(programs);
    let plan = BattPlan::new(&batt);
    let lowered = Lowered::reporting_all(&batt, &plan, 2);
    let mut inputs = DeviceInputs::default();
    grids.iter().for_each(|grid| assert!(inputs.add(grid, None)));
    let shape = Shape { groups: 2, lanes, heap: 1 << 20 };
    let words = device.run(&lowered, &inputs, shape, 250_000).unwrap().words;
    let mut tally =
        Tally { programs: programs.len(), covered: lowered.covered(), ..Tally::default() };
    for (reason, count) in lowered.reasons() {
        *tally.reasons.entry(reason.to_string()).or_default() += count;
    }
    let mut worker = Worker::new(Limits::default());
    for (n, grid) in grids.iter().enumerate() {
        let input = Value::Grid(grid.clone());
        let none = Value::None;
        let given = Given { input: &input, samples: &none, expected: &none };
        let outcomes = worker.outcomes(&plan, &given, &lowered.slots);
        for (slot, outcome) in outcomes.iter().enumerate() {
            let at = (slot * grids.len() + n) * 3;
            let record = Record::new([words[at], words[at + 1], words[at + 2]]);
            tally.values += 1;
            tally.failed += usize::from(outcome.is_err());
            if let arcloom_lang::Op::Call(id) = &batt.nodes()[lowered.slots[slot].index()].op
                && record != Record::Over
            {
                let name = arcloom_dsl::Registry::get().primitive(*id).name;
                *tally.calls.entry(name).or_default() += 1;
            }
            let good = match (record, outcome) {
                (Record::Over, _) => {
                    tally.over += 1;
                    let from = first_over(&batt, &lowered, &words, grids.len(), n, slot);
                    *tally.over_at.entry(from).or_default() += 1;
                    true
                }
                // A long list that nobody needs any more is dropped before it can be looked at.
                (Record::Other(_), Ok(Value::None)) => true,
                (Record::Failed, Err(error)) => !error.is_budget(),
                (Record::Grid(seen), Ok(Value::Grid(grid))) => seen.print == print_of(grid),
                (Record::Other(print), Ok(value)) if !matches!(value, Value::Grid(_)) => {
                    print == print_of_other(value)
                }
                _ => false,
            };
            if !good && tally.wrong.len() < 5 {
                let program = batt.slice(lowered.slots[slot], "solve_wrong");
                tally.wrong.push(format!(
                    "{}on {:.2000}\nthe device has {record:?}, the CPU {:.2000}",
                    text::print(&program, Form::Straight),
                    format!("{input:?}"),
                    format!("{outcome:?}"),
                ));
            }
        }
    }
    tally
}

/// The operation of the first argument that went over.
fn first_over(
    batt: &Batt,
    lowered: &Lowered,
    words: &[u32],
    inputs: usize,
    n: usize,
    slot: usize,
) -> String {
    let mut node = lowered.slots[slot];
    loop {
        let is_over = |node: &NodeId| {
            let slot = lowered.slots.iter().position(|other| other == node);
            slot.is_some_and(|slot| words[(slot * inputs + n) * 3 + 2] & 3 == 1)
        };
        match batt.nodes()[node.index()].args.iter().find(|arg| is_over(arg)) {
            Some(arg) => node = *arg,
            None => break,
        }
    }
    let node = &batt.nodes()[node.index()];
    match &node.op {
        arcloom_lang::Op::Call(id) => arcloom_dsl::Registry::get().primitive(*id).name.to_string(),
        other => format!("{other:?}").chars().take(20).collect(),
    }
}

impl Tally {
    #[track_caller]
    pub(crate) fn check(&self) {
        assert!(
            self.wrong.is_empty(),
            "{} wrong values, such as\n{}",
            self.wrong.len(),
            self.wrong.join("\n")
        );
    }

    pub(crate) fn add(&mut self, more: Tally) {
        self.programs += more.programs;
        self.covered += more.covered;
        self.values += more.values;
        self.over += more.over;
        self.failed += more.failed;
        self.wrong.extend(more.wrong);
        more.over_at.into_iter().for_each(|(k, n)| *self.over_at.entry(k).or_default() += n);
        more.calls.into_iter().for_each(|(k, n)| *self.calls.entry(k).or_default() += n);
        more.reasons.into_iter().for_each(|(k, n)| *self.reasons.entry(k).or_default() += n);
    }
}
