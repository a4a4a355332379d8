//! Asking devices: all tasks are sent to them in one batch, and what comes back are the columns of the run.

use std::sync::Arc;
use std::time::Instant;

use arcloom_gpu::{DeviceColumns, DeviceInfo, Fleet, Host, Lowered, TaskBatch};
use arcloom_graph::batt::Batt;
use arcloom_graph::{Backend, BattPlan, Cpu, Stop, TaskInputs, TaskView};
use arcloom_tasks::Task;
use arcloom_value::Value;

use super::trial::{Trial, Who};
use super::{DeviceChoice, DeviceReport};
use crate::engine::Engine;
use crate::run::PreparedBatt;

/// The part of a step's budget that a device may spend before it leaves the value to the CPU. A device
/// counts what goes into a call and comes out; the CPU charges up to three times that for the call and,
/// for putting a list of 4,096 in order, another six times.
const DEVICE_SHARE: u64 = 16;

/// Programs that are evaluated together on a device, so that they share what they have in common.
const TOGETHER: usize = 64;
/// The fewest, where there would not be work for all groups otherwise, and how much work each should have.
const APART: usize = 4;
const JOBS: usize = 4;
/// Inputs that `auto` tries both ways.
const PROBE: usize = 64;

/// What a call may spend on a device. A step is paid for on the CPU alone: where it might not afford what a
/// device does, the CPU decides.
fn device_limit(engine: &Engine) -> i32 {
    i32::try_from(engine.limits().call_budget() / DEVICE_SHARE).unwrap_or(i32::MAX)
}

/// A batt as bytecode, for so many inputs on these devices.
fn lower<'a>(
    batt: &Batt,
    plan: &BattPlan,
    inputs: usize,
    devices: impl Iterator<Item = &'a DeviceInfo>,
) -> Lowered {
    let groups = |info: &DeviceInfo| if info.is_cpu { 0 } else { info.units * info.groups.max(1) };
    let jobs = devices.map(groups).sum::<u32>() as usize * JOBS;
    let programs = batt.roots().len();
    let wanted = jobs.div_ceil(inputs.max(1)).min(programs.div_ceil(APART));
    Lowered::new(batt, plan, wanted.max(programs.div_ceil(TOGETHER)))
}

/// The inputs of all tasks, expected outputs of the demos beside them.
fn batch(tasks: &[Task]) -> TaskBatch {
    let mut batch = TaskBatch::default();
    for task in tasks {
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
    tasks: &[Task],
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
    let batch = batch(tasks);
    let lowered = Arc::new(lower(prepared.batt, &prepared.plan, batch.inputs.len(), fleet.infos()));
    report.programs = lowered.programs.len();
    report.covered = lowered.covered();
    report.reasons =
        lowered.reasons().into_iter().map(|(reason, n)| (reason.to_string(), n)).collect();
    let host = Host { batt: prepared.batt, plan: &prepared.plan, cpu };
    let sent = Sent { host, lowered, batch, limit: device_limit(engine) };
    report.setup = start.elapsed();
    if choice == DeviceChoice::Auto {
        let (inputs, trial) = sent.trial(engine, tasks, &mut fleet, stop);
        report.chosen = Some(match &trial {
            None => "the CPU: no device did the probe".to_owned(),
            Some(trial) => trial.in_words(inputs, engine.threads()),
        });
        if !trial.is_some_and(|trial| trial.devices_win()) {
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

impl Sent<'_> {
    /// Tries some of the inputs both ways, again and again until one of them is faster without doubt.
    fn trial(
        &self,
        engine: &Engine,
        tasks: &[Task],
        fleet: &mut Fleet,
        stop: &Stop,
    ) -> (usize, Option<Trial>) {
        let count = self.batch.inputs.len();
        let every = (count / PROBE).max(1);
        let chosen: Vec<usize> = (0..count).step_by(every).take(PROBE).collect();
        let part = self.batch.pick(&chosen);
        let jobs = jobs(tasks, &chosen);
        let cpu = engine.cpu();
        let spread = |work: &(dyn Fn(&(usize, TaskInputs)) + Sync)| {
            engine.spread(&jobs, work);
        };
        // The first launch pays for what later ones have.
        if fleet.run(&self.lowered, &part.inputs, self.limit).runs() == 0 {
            return (chosen.len(), None);
        }
        let trial = Trial::of(|who| {
            let start = Instant::now();
            match who {
                // What devices leave to the CPU counts as well, as what it does alone does.
                Who::Devices => {
                    let records = fleet.run(&self.lowered, &part.inputs, self.limit);
                    let host = Host { cpu: &cpu, ..self.host };
                    let run = DeviceColumns::new(host, self.lowered.clone(), records, part.clone());
                    spread(&|(n, job)| {
                        let needed = run.needed(*n);
                        cpu.evaluate_part(host.plan, job, &[needed], stop);
                    });
                }
                Who::Cpu => spread(&|(_, job)| {
                    cpu.evaluate(self.host.plan, job, stop);
                }),
            }
            start.elapsed()
        });
        (chosen.len(), fleet.faults.is_empty().then_some(trial))
    }
}

/// Some inputs of all tasks, numbered in this order.
fn jobs(tasks: &[Task], chosen: &[usize]) -> Vec<(usize, TaskInputs)> {
    let views: Vec<TaskView> = tasks.iter().map(TaskView::new).collect();
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
