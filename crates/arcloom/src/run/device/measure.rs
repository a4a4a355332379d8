//! What devices and the CPU take for the same work.

use std::time::{Duration, Instant};

use arcloom_gpu::{ComputedBy, Host, Listing};
use arcloom_graph::batt::Batt;
use arcloom_graph::{BattPlan, Stop, TaskInputs, TaskView};
use arcloom_tasks::TaskSet;

use super::ask::{batch, device_limit, lower};
use crate::engine::Engine;

/// What devices and the CPU take for the same work.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Threads of the CPU.
    pub threads: usize,
    /// Seconds that a run of one program on one input takes on them.
    pub cpu_per_run: f64,
    /// By device: what was measured, or why nothing was.
    pub devices: Vec<Result<Measured, String>>,
}

/// What a device takes.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Until it was ready.
    pub setup: Duration,
    /// What a batch takes before the first run.
    pub fixed: Duration,
    /// Seconds that a run takes on top.
    pub per_run: f64,
}

impl Measured {
    /// The number of runs from which on the device is faster; `None` when it never is.
    pub fn break_even(&self, all: &Measurement) -> Option<u64> {
        let gain = all.cpu_per_run - self.per_run;
        (gain > 0.0).then(|| (self.fixed.as_secs_f64() / gain).ceil() as u64)
    }
}

/// Measures every device, and the CPU, on the programs of a batt that devices have kernels for.
pub fn measure(engine: &Engine, batt: &Batt, tasks: &TaskSet) -> Measurement {
    let plan = &BattPlan::new(batt);
    let lowered = lower(batt, plan);
    let inputs = batch(tasks).inputs;
    let limit = device_limit(engine);
    let cpu = &engine.cpu();
    let mut needed: Vec<bool> =
        lowered.places.iter().map(|place| *place != ComputedBy::Cpu).collect();
    Host { batt, plan, cpu }.close(&mut needed);
    let views: Vec<TaskView> = tasks.tasks.iter().map(TaskView::new).collect();
    let given: Vec<&TaskInputs> = views.iter().map(TaskView::given).collect();
    let evaluate = || {
        engine.spread(&given, |task| {
            let needed = vec![needed.clone(); task.inputs.len()];
            cpu.evaluate_part(plan, task, &needed, &Stop::default()).is_some()
        });
    };
    let shortest = |work: &mut dyn FnMut()| {
        let once = |work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..5).map(|_| once(work)).min().unwrap_or_default()
    };
    let runs = (lowered.covered() * inputs.len()).max(1) as f64;
    let cpu_per_run = shortest(&mut || evaluate()).as_secs_f64() / runs;
    let listing = Listing::new();
    let one = |n: usize| {
        let start = Instant::now();
        let mut fleet = listing.open(Some(n)).map_err(|error| error.to_string())?;
        let few = inputs.pick(&[0][..inputs.len().min(1)]);
        fleet.run(&lowered, &few, limit);
        let setup = start.elapsed();
        let small = shortest(&mut || {
            fleet.run(&lowered, &few, limit);
        });
        let large = shortest(&mut || {
            fleet.run(&lowered, &inputs, limit);
        });
        if let Some(fault) = fleet.faults.pop() {
            return Err(fault);
        }
        let more = (lowered.covered() * (inputs.len() - few.len())).max(1) as f64;
        let per_run = large.saturating_sub(small).as_secs_f64() / more;
        let used = Duration::from_secs_f64(per_run * lowered.covered() as f64);
        Ok(Measured { setup, fixed: small.saturating_sub(used), per_run })
    };
    let devices = (0..listing.infos().len()).map(one).collect();
    Measurement { threads: engine.threads(), cpu_per_run, devices }
}
