//! Asking devices: all tasks are sent to them in one batch, and what comes back are the columns of the run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arcloom_gpu::{DeviceColumns, Fleet, Host, Lowered, TaskBatch};
use arcloom_graph::batt::Batt;
use arcloom_graph::{Backend, BattPlan, Cpu, Stop, TaskInputs, TaskView};
use arcloom_tasks::TaskSet;
use arcloom_value::Value;

use super::{DeviceChoice, DeviceReport};
use crate::engine::Engine;
use crate::run::PreparedBatt;

/// The part of a step's budget that a device may spend before it leaves the value to the CPU. A device
/// counts what goes into a call and comes out; the CPU charges up to three times that for the call and,
/// for putting a list of 4,096 in order, another six times.
const DEVICE_SHARE: u64 = 16;

/// Programs that are evaluated together on a device, so that they share what they have in common.
const TOGETHER: usize = 64;
/// Inputs that `auto` tries both ways.
const PROBE: usize = 16;

/// What a call may spend on a device. A step is paid for on the CPU alone: where it might not afford what a
/// device does, the CPU decides.
pub(super) fn device_limit(engine: &Engine) -> i32 {
    i32::try_from(engine.limits().call_budget() / DEVICE_SHARE).unwrap_or(i32::MAX)
}

/// A batt as bytecode.
pub(super) fn lower(batt: &Batt, plan: &BattPlan) -> Lowered {
    Lowered::new(batt, plan, batt.roots().len().div_ceil(TOGETHER))
}

/// The inputs of all tasks, expected outputs of the demos beside them.
pub(super) fn batch(tasks: &TaskSet) -> TaskBatch {
    let mut batch = TaskBatch::default();
    for task in &tasks.tasks {
        batch.begin_task();
        for pair in &task.demos {
            batch.add(&pair.input, Some(&pair.output));
        }
        // Answers of tests are not asked for, let alone sent.
        for test in &task.tests {
            batch.add(&test.input, None);
        }
    }
    batch
}

/// Asks the devices that were chosen; what comes of it is also reported when nothing does.
pub(in crate::run) fn ask<'a>(
    engine: &Engine,
    prepared: &'a PreparedBatt<'_>,
    cpu: &'a Cpu,
    tasks: &TaskSet,
    choice: DeviceChoice,
    stop: &Stop,
) -> (Option<DeviceColumns<'a>>, Option<DeviceReport>) {
    let number = match choice {
        DeviceChoice::Cpu => return (None, None),
        DeviceChoice::Auto => None,
        DeviceChoice::Gpu(number) => number,
    };
    let start = Instant::now();
    let mut report = DeviceReport { asked: choice, ..DeviceReport::default() };
    let mut fleet = match engine.take_devices(number) {
        Ok(fleet) => fleet,
        Err(error) => {
            report.setup = start.elapsed();
            match choice {
                DeviceChoice::Auto => report.chosen = Some(format!("the CPU: {error}")),
                _ => report.faults.push(error.to_string()),
            }
            return (None, Some(report));
        }
    };
    let lowered = Arc::new(lower(prepared.batt, &prepared.plan));
    report.programs = lowered.programs.len();
    report.covered = lowered.covered();
    report.reasons =
        lowered.reasons().into_iter().map(|(reason, n)| (reason.to_string(), n)).collect();
    let host = Host { batt: prepared.batt, plan: &prepared.plan, cpu };
    let sent = Sent { host, lowered, batch: batch(tasks), limit: device_limit(engine) };
    report.setup = start.elapsed();
    if choice == DeviceChoice::Auto {
        let trial = sent.trial(engine, tasks, &mut fleet, stop);
        report.chosen = Some(trial.in_words(engine));
        if !trial.is_won() {
            report.faults.clone_from(&fleet.faults);
            engine.keep_devices(number, fleet);
            return (None, Some(report));
        }
    }
    let records = fleet.run(&sent.lowered, &sent.batch.inputs, sent.limit);
    report.uses = records.uses.clone();
    report.runs = records.runs();
    report.results = records.results();
    report.faults.clone_from(&fleet.faults);
    engine.keep_devices(number, fleet);
    (Some(DeviceColumns::new(sent.host, sent.lowered, records, sent.batch)), Some(report))
}

/// What devices are asked.
struct Sent<'a> {
    host: Host<'a>,
    lowered: Arc<Lowered>,
    batch: TaskBatch,
    limit: i32,
}

/// How long some of the inputs take with devices and without.
struct TimedTrial {
    inputs: usize,
    /// With devices and without; `None` when no device did it.
    times: Option<(Duration, Duration)>,
}

impl TimedTrial {
    /// True when devices are faster.
    fn is_won(&self) -> bool {
        self.times.is_some_and(|(device, host)| device < host)
    }

    /// The measurement in words.
    fn in_words(&self, engine: &Engine) -> String {
        let Some((device, host)) = self.times else {
            return "the CPU: no device did the probe".to_owned();
        };
        let who = if self.is_won() { "the devices" } else { "the CPU" };
        format!(
            "{who}: {} inputs take {:.1} ms with devices, {:.1} ms without, on {} threads",
            self.inputs,
            device.as_secs_f64() * 1e3,
            host.as_secs_f64() * 1e3,
            engine.threads(),
        )
    }
}

impl Sent<'_> {
    /// Tries some of the inputs both ways.
    fn trial(
        &self,
        engine: &Engine,
        tasks: &TaskSet,
        fleet: &mut Fleet,
        stop: &Stop,
    ) -> TimedTrial {
        let count = self.batch.inputs.len();
        let every = (count / PROBE).max(1);
        let chosen: Vec<usize> = (0..count).step_by(every).take(PROBE).collect();
        let part = self.batch.pick(&chosen);
        // The first launch pays for what later ones have.
        fleet.run(&self.lowered, &part.inputs, self.limit);
        let start = Instant::now();
        let records = fleet.run(&self.lowered, &part.inputs, self.limit);
        let device = start.elapsed();
        if records.runs() == 0 {
            return TimedTrial { inputs: chosen.len(), times: None };
        }
        // What devices leave to the CPU counts as well, as what it does alone does.
        let cpu = engine.cpu();
        let host = Host { cpu: &cpu, ..self.host };
        let run = DeviceColumns::new(host, self.lowered.clone(), records, part);
        let jobs = jobs(tasks, &chosen);
        let time = |work: &(dyn Fn(&(usize, TaskInputs)) + Sync)| {
            let start = Instant::now();
            engine.spread(&jobs, work);
            start.elapsed()
        };
        let device = device
            + time(&|(n, job)| {
                let needed = run.needed(*n);
                cpu.evaluate_part(host.plan, job, &[needed], stop);
            });
        let host = time(&|(_, job)| {
            cpu.evaluate(host.plan, job, stop);
        });
        TimedTrial { inputs: chosen.len(), times: Some((device, host)) }
    }
}

/// Some inputs of all tasks, numbered in this order.
fn jobs(tasks: &TaskSet, chosen: &[usize]) -> Vec<(usize, TaskInputs)> {
    let views: Vec<TaskView> = tasks.tasks.iter().map(TaskView::new).collect();
    let given = views.iter().map(TaskView::given);
    let flat: Vec<(&TaskInputs, &Value)> =
        given.flat_map(|task| task.inputs.iter().map(move |input| (task, input))).collect();
    chosen
        .iter()
        .map(|&n| (flat[n].0.samples.clone(), vec![flat[n].1.clone()]))
        .map(|(samples, inputs)| TaskInputs { samples, inputs })
        .enumerate()
        .collect()
}
