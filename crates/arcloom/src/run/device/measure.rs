//! What devices and the CPU take for the same work.

use std::time::{Duration, Instant};

use arcloom_gpu::Listing;
use arcloom_graph::Stop;
use arcloom_graph::batt::Batt;
use arcloom_tasks::TaskSet;

use super::DeviceChoice;
use crate::engine::Engine;
use crate::run::{Differs, RunOptions};

/// Times that each amount of work is done.
const TIMES: usize = 5;

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
    /// What a batch takes before the first run, more than the CPU.
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

/// Measures every device, and the CPU, on whole runs of a batt: what devices leave to the CPU counts, and so do
/// the grids that are drawn, as in everything that `run` and `bench` do.
pub fn measure(engine: &Engine, batt: &Batt, tasks: &TaskSet) -> Measurement {
    let few = TaskSet::new(tasks.name.as_str(), tasks.tasks.iter().take(1).cloned().collect());
    let inputs = |tasks: &TaskSet| {
        tasks.tasks.iter().map(|task| task.demos.len() + task.tests.len()).sum::<usize>()
    };
    let runs = |tasks: &TaskSet| (batt.roots().len() * inputs(tasks)) as f64;
    let more = (runs(tasks) - runs(&few)).max(1.0);
    // The shortest of several: what a batch costs, and a run on top.
    let time = |device: DeviceChoice| -> Result<(Duration, f64, f64), String> {
        let options = RunOptions { differs: Differs::none(), device, ..RunOptions::default() };
        let once = |tasks: &TaskSet| {
            let start = Instant::now();
            let report = engine.run(batt, tasks, &options, &Stop::default(), &|_| {});
            (start.elapsed(), report.device.map(|device| device.faults).unwrap_or_default())
        };
        let shortest = |tasks: &TaskSet| {
            let times: Vec<_> = (0..TIMES).map(|_| once(tasks)).collect();
            let fault = times.iter().flat_map(|(_, faults)| faults).next().cloned();
            let time = times.iter().map(|(time, _)| *time).min().unwrap_or_default();
            fault.map_or(Ok(time.as_secs_f64()), Err)
        };
        let start = Instant::now();
        once(&few);
        let setup = start.elapsed();
        let (small, large) = (shortest(&few)?, shortest(tasks)?);
        let per_run = (large - small).max(0.0) / more;
        Ok((setup, small - per_run * runs(&few), per_run))
    };
    let (_, cpu_fixed, cpu_per_run) = time(DeviceChoice::Cpu).unwrap_or((Duration::ZERO, 0.0, 0.0));
    let one = |n: usize| -> Result<Measured, String> {
        let (setup, fixed, per_run) = time(DeviceChoice::Gpu(Some(n)))?;
        let fixed = Duration::from_secs_f64((fixed - cpu_fixed).max(0.0));
        Ok(Measured { setup, fixed, per_run })
    };
    let devices = (0..Listing::new().infos().len()).map(one).collect();
    Measurement { threads: engine.threads(), cpu_per_run, devices }
}
