//! The ways of doing the work. Each starts from programs as they were read and ends with results.

use std::fmt;

use arcloom::graph::Inputs;
use arcloom::{
    DeviceChoice, Differs, Engine, Entry, Limits, Outcome, Plan, RunOptions, RunReport, Stop,
    TaskSet, TaskView, Value,
};

/// A way of doing the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Every program alone, one after another, on one thread.
    Sequential,
    /// All programs woven into one batt, on that many threads.
    Jobs(usize),
    /// The same with devices, or with what is faster; the rest is done on all cores.
    Device(DeviceChoice),
}

impl Mode {
    /// Number of threads of a batt.
    pub(crate) fn jobs(self) -> Option<usize> {
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

    /// Each task as programs see it.
    pub(super) fn views(&self) -> Vec<TaskView> {
        self.tasks.tasks.iter().map(TaskView::new).collect()
    }
}

/// Every program alone. `see` is shown the number of the program, the number of the input among all,
/// and what it came to. Ends early when stopped.
pub(super) fn sequential(
    work: &Workload<'_>,
    limits: Limits,
    stop: &Stop,
    mut see: impl FnMut(usize, usize, Outcome),
) {
    let views = work.views();
    let mut machine = limits.machine();
    machine.watch(stop);
    for (program, entry) in work.programs.iter().enumerate() {
        let plan = Plan::new(&entry.program);
        let inputs = views.iter().map(TaskView::given).flat_map(|task| {
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
    engine.run(&engine.merge(work.programs.iter().copied()), &work.tasks, &options, stop, &|_| {})
}
