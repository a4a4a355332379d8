//! The backend that is always there.

use std::sync::{Mutex, PoisonError};

use arcloom_value::Value;
use rayon::prelude::*;

use crate::allowance::Allowance;
use crate::backend::{Backend, TaskColumns};
use crate::batt_plan::BattPlan;
use crate::column::Column;
use crate::counts::RunCounts;
use crate::limits::Limits;
use crate::machine::Inputs;
use crate::profile::{CpuWatch, Profile};
use crate::spans::{self, Section};
use crate::view::TaskInputs;
use crate::worker::Worker;
use arcloom_dsl::Stop;

/// Evaluates where it is called from, or on all threads of that rayon pool, the inputs of a task side
/// by side.
pub struct Cpu {
    limits: Limits,
    allowance: Option<Allowance>,
    profile: bool,
    side_by_side: bool,
    /// Workers that nobody uses right now, with the memory they have grown.
    idle: Mutex<Vec<Worker>>,
}

impl Cpu {
    /// A backend that runs every node within these limits.
    pub fn new(limits: Limits) -> Cpu {
        let (allowance, idle) = (None, Mutex::new(Vec::new()));
        Cpu { limits, allowance, profile: false, side_by_side: false, idle }
    }

    /// Ends the evaluation of an input when a task may take no more: further nodes are over budget.
    pub fn within(self, allowance: Option<Allowance>) -> Cpu {
        Cpu { allowance, ..self }
    }

    /// Also takes the time of every call, which makes the run slower.
    pub fn with_profile(self, profile: bool) -> Cpu {
        Cpu { profile, ..self }
    }

    /// Evaluates the inputs of a task on several threads, for when there are few tasks.
    pub fn side_by_side(self, side_by_side: bool) -> Cpu {
        Cpu { side_by_side, ..self }
    }

    fn with_worker<R>(&self, stop: &Stop, work: impl FnOnce(&mut Worker) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut worker = waiting.unwrap_or_else(|| {
            let worker = Worker::new(self.limits);
            if self.profile { worker.with_profile() } else { worker }
        });
        let result = work(&mut worker);
        if stop.is_set() {
            // It may hold gigabytes, and nobody is to wait until all of it is given back. Without
            // another thread it is dropped here.
            let _ = std::thread::Builder::new().spawn(move || drop(worker));
        } else {
            idle().push(worker);
        }
        result
    }
}

/// What one input gives.
type Part = (Column, RunCounts, Option<Profile>);

impl Cpu {
    /// Some nodes of a batt on every input of a task, by input; with a node, those it depends on must
    /// be among them. `None` when stopped.
    pub fn evaluate_part(
        &self,
        plan: &BattPlan,
        task: &TaskInputs,
        needed: &[Vec<bool>],
        stop: &Stop,
    ) -> Option<TaskColumns> {
        self.columns(plan, task, Some(needed), stop)
    }

    fn columns(
        &self,
        plan: &BattPlan,
        task: &TaskInputs,
        needed: Option<&[Vec<bool>]>,
        stop: &Stop,
    ) -> Option<TaskColumns> {
        let section = self.side_by_side.then(|| spans::section(1)).flatten();
        let units = self.allowance.map(|allowance| allowance.units(task));
        let (values, counts, profile) = self.with_worker(stop, |worker| {
            worker.keep_within(self.limits, units);
            let watch = CpuWatch::start();
            let values = worker.task_values(plan, &task.samples, stop);
            (values, worker.take_counts(), watch.scaled(worker.take_profile()))
        });
        let values = values?;
        let demos = task.samples.len().unwrap_or(0);
        let one = |(n, input): (usize, &Value)| -> Option<Part> {
            if stop.is_due() {
                return None;
            }
            let _share = section.as_ref().map(Section::enter);
            let _span = spans::span(spans::run_of(n < demos));
            self.with_worker(stop, |worker| {
                worker.keep_within(self.limits, units);
                let watch = CpuWatch::start();
                let inputs = Inputs { input, samples: &task.samples, expected: &Value::None };
                let column = match needed {
                    None => worker.column(plan, &inputs, &values, stop),
                    Some(needed) => worker.part_column(plan, &inputs, &values, &needed[n], stop),
                };
                let (counts, profile) = (worker.take_counts(), watch.scaled(worker.take_profile()));
                Some((column?, counts, profile))
            })
        };
        let parts: Option<Vec<Part>> = if self.side_by_side {
            task.inputs.par_iter().enumerate().map(one).collect()
        } else {
            task.inputs.iter().enumerate().map(one).collect()
        };
        let mut all = TaskColumns { columns: Vec::new(), counts, profile };
        for (column, counts, profile) in parts? {
            all.columns.push(column);
            all.counts += counts;
            if let Some(more) = profile {
                all.profile.get_or_insert_default().merge(&more);
            }
        }
        Some(all)
    }
}

impl Backend for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn evaluate(&self, plan: &BattPlan, task: &TaskInputs, stop: &Stop) -> Option<TaskColumns> {
        self.columns(plan, task, None, stop)
    }
}
