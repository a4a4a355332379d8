//! The engine: settings, worker threads and machines.

use std::sync::{Mutex, PoisonError};

use arcloom_gpu::{DeviceError, Fleet, Listing};
use arcloom_graph::batt::Batt;
use arcloom_graph::{Cpu, Limits, Machine, Workers};
use arcloom_lang::foreign::ForeignNames;

use crate::builder::{ConfigError, EngineBuilder};
use crate::cache::ColumnCache;
use crate::library::Entry;
use crate::run::{DeviceChoice, DeviceReport};

/// Runs programs on tasks.
pub struct Engine {
    workers: Workers,
    cache: ColumnCache,
    /// Devices that were made ready, by what was asked for: building kernels takes longer than most
    /// runs.
    devices: Mutex<Vec<(Option<usize>, Fleet)>>,
    device: DeviceChoice,
    /// What devices did where no report of a run says it.
    noted: Mutex<Vec<DeviceReport>>,
}

impl Engine {
    /// Settings to start from.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    pub(crate) fn new(
        threads: usize,
        limits: Limits,
        cache_bytes: usize,
        device: DeviceChoice,
    ) -> Result<Engine, ConfigError> {
        let workers = Workers::new(threads, limits)
            .map_err(|reason| ConfigError::Threads { threads, reason })?;
        let (cache, devices) = (ColumnCache::new(cache_bytes), Mutex::default());
        Ok(Engine { workers, cache, devices, device, noted: Mutex::default() })
    }

    /// Number of worker threads.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The limits that programs run under.
    pub fn limits(&self) -> Limits {
        self.workers.limits()
    }

    /// Functions of the host language that texts may name on this engine: its methods read texts with them.
    /// Who reads texts for it enters them.
    pub fn functions(&self) -> &ForeignNames {
        self.workers.functions()
    }

    /// The threads that do the work.
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Merges programs into one batt that gives what each of them gives within this engine's limits.
    pub fn merge<'e>(&self, programs: impl IntoIterator<Item = &'e Entry>) -> Batt {
        let mut builder = self.limits().batt_builder();
        for entry in programs {
            builder.add(&entry.program, entry.task.as_str());
        }
        builder.finish()
    }

    /// Evaluates batts within this engine's limits.
    pub(crate) fn cpu(&self) -> Cpu {
        self.workers.cpu()
    }

    pub(crate) fn cache(&self) -> &ColumnCache {
        &self.cache
    }

    /// One device or all of them, made ready now or by an earlier run; for this run alone, until they
    /// are given back.
    pub(crate) fn take_devices(&self, number: Option<usize>) -> Result<Fleet, DeviceError> {
        let mut ready = self.devices.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = ready.iter().position(|(of, _)| *of == number);
        match kept {
            Some(n) => Ok(ready.swap_remove(n).1),
            None => Listing::new().open(number),
        }
    }

    /// Keeps devices for the next run, unless one of them went wrong.
    pub(crate) fn keep_devices(&self, number: Option<usize>, fleet: Fleet) {
        if fleet.faults.is_empty() {
            self.devices.lock().unwrap_or_else(PoisonError::into_inner).push((number, fleet));
        }
    }

    /// Who evaluates batts, unless a run says otherwise.
    pub fn device(&self) -> DeviceChoice {
        self.device
    }

    /// What devices did in `solve` and in the first generation of `evolve`; each is told once.
    pub fn device_reports(&self) -> Vec<DeviceReport> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note_devices(&self, report: DeviceReport) {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Runs programs within this engine's limits.
    pub fn machine(&self) -> Machine {
        self.workers.machine()
    }

    /// Does `work` for every item, on all threads, results in the order of the items.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Machine, &T) -> R + Sync,
    ) -> Vec<R> {
        self.workers.map(items, work)
    }

    /// True when there are too few tasks for every thread to have its own.
    pub(crate) fn shares_inputs(&self, tasks: usize) -> bool {
        self.workers.shares_inputs(tasks)
    }

    /// Does `work` for every task, on all threads, or one by one where tasks are few and their inputs
    /// are shared out instead. Results in the order of the tasks.
    pub(crate) fn spread<'t, T: Sync, R: Send>(
        &self,
        tasks: &'t [T],
        work: impl Fn(&'t T) -> R + Sync + Send,
    ) -> Vec<R> {
        self.workers.spread(tasks, work)
    }
}
