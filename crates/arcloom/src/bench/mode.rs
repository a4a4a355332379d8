//! The ways of doing the work. Each starts from programs as they were read and ends with results.

use std::fmt;

use arcloom_dsl::{Caller, Outcome};
use arcloom_graph::batt::{Batt, BattBuilder};
use arcloom_graph::{Inputs, Machine, Plan, Stop, TaskInputs};
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Value;

use crate::engine::Engine;
use crate::library::Entry;
use crate::run::{DeviceChoice, Differs, RunOptions, RunReport};
use crate::trace::samples_value;

/// A way of doing the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every program alone, one after another, on one thread.
    Sequential,
    /// All programs woven into one batt, on that many threads.
    Jobs(usize),
    /// The same with devices, or with what is faster; the rest is done on all cores.
    Device(DeviceChoice),
}

impl Mode {
    /// Number of threads of a batt.
    pub fn jobs(self) -> Option<usize> {
        match self {
            Mode::Sequential | Mode::Device(_) => None,
            Mode::Jobs(jobs) => Some(jobs),
        }
    }

    /// Whether what it took, in counts, is that of other modes: devices make other calls.
    pub(super) fn counts(self) -> bool {
        !matches!(self, Mode::Device(_))
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Sequential => f.write_str("sequential"),
            Mode::Jobs(1) => f.write_str("1 job"),
            Mode::Jobs(jobs) => write!(f, "{jobs} jobs"),
            Mode::Device(device) => device.fmt(f),
        }
    }
}

/// Programs and the tasks to run them on.
pub(super) struct Workload<'a> {
    pub(super) programs: Vec<&'a Entry>,
    pub(super) tasks: TaskSet,
}

impl Workload<'_> {
    /// Number of input grids.
    pub(super) fn grids(&self) -> usize {
        self.tasks.tasks.iter().map(|task| task.demos.len() + task.tests.len()).sum()
    }

    /// All programs as one graph.
    pub(super) fn weave(&self) -> Batt {
        let mut weaver = BattBuilder::default();
        for entry in &self.programs {
            weaver.add(&entry.program, &entry.task);
        }
        weaver.finish()
    }

    /// What programs see of each task.
    pub(super) fn given(&self) -> Vec<TaskInputs> {
        let given = |task: &Task| {
            let demos = task.demos.iter().map(|pair| &pair.input);
            let tests = task.tests.iter().map(|test| &test.input);
            let inputs = demos.chain(tests).map(|grid| Value::Grid(grid.clone())).collect();
            TaskInputs { samples: samples_value(task), inputs }
        };
        self.tasks.tasks.iter().map(given).collect()
    }
}

/// Every program alone. `see` is shown the number of the program, the number of the input among all,
/// and what it came to. Ends early when stopped.
pub(super) fn sequential(
    work: &Workload<'_>,
    budget: u64,
    stop: &Stop,
    mut see: impl FnMut(usize, usize, Outcome),
) {
    let given = work.given();
    let mut machine = Machine::new(Caller::new(budget));
    machine.watch(stop);
    for (program, entry) in work.programs.iter().enumerate() {
        let plan = Plan::new(&entry.program);
        let inputs = given.iter().flat_map(|task| {
            let inputs = |input| Inputs { input, samples: &task.samples, expected: &Value::None };
            task.inputs.iter().map(inputs)
        });
        for (n, inputs) in inputs.enumerate() {
            if stop.is_set() {
                return;
            }
            let outcome = machine.run(&plan, &inputs).map_err(|failure| failure.error);
            if stop.is_set() {
                return;
            }
            see(program, n, std::hint::black_box(outcome));
        }
    }
}

/// All programs as a batt, with exact scores, groups and the best candidates of every task.
pub(super) fn batt(work: &Workload<'_>, engine: &Engine, mode: Mode, stop: &Stop) -> RunReport {
    let device = match mode {
        Mode::Device(device) => device,
        Mode::Sequential | Mode::Jobs(_) => DeviceChoice::Cpu,
    };
    let options = RunOptions { differs: Differs::none(), device, ..RunOptions::default() };
    engine.run(&work.weave(), &work.tasks, &options, stop, &|_| {})
}
