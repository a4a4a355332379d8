//! The engine: settings, worker threads and machines.

use std::sync::{Mutex, PoisonError};

use arcloom_gpu::{DeviceError, Fleet, Listing};
use arcloom_graph::batt::Batt;
use arcloom_graph::{Cpu, Limits, Machine};

use crate::builder::{ConfigError, EngineBuilder};
use crate::cache::ColumnCache;
use crate::library::Entry;

/// Runs programs on tasks.
pub struct Engine {
    /// `None` for a single thread, which then is the caller's own.
    pool: Option<rayon::ThreadPool>,
    limits: Limits,
    cache: ColumnCache,
    /// Devices that were made ready, by what was asked for: building kernels takes longer than most
    /// runs.
    devices: Mutex<Vec<(Option<usize>, Fleet)>>,
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
    ) -> Result<Engine, ConfigError> {
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(|error| ConfigError::Threads { threads, reason: error.to_string() })?;
        let (cache, devices) = (ColumnCache::new(cache_bytes), Mutex::default());
        Ok(Engine { pool, limits, cache, devices })
    }

    /// Number of worker threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// The limits that programs run under.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Merges programs into one batt that gives what each of them gives within this engine's limits.
    pub fn merge<'e>(&self, programs: impl IntoIterator<Item = &'e Entry>) -> Batt {
        let mut builder = self.limits.batt_builder();
        for entry in programs {
            builder.add(&entry.program, entry.task.as_str());
        }
        builder.finish()
    }

    /// Evaluates batts within this engine's limits.
    pub(crate) fn cpu(&self) -> Cpu {
        Cpu::new(self.limits)
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

    /// Runs programs within this engine's limits.
    pub fn machine(&self) -> Machine {
        self.limits.machine()
    }

    /// Does `work` for every item, on all threads, results in the order of the items.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Machine, &T) -> R + Sync,
    ) -> Vec<R> {
        use rayon::prelude::*;
        match &self.pool {
            None => {
                let mut machine = self.machine();
                items.iter().map(|item| work(&mut machine, item)).collect()
            }
            Some(pool) => pool.install(|| {
                items
                    .par_iter()
                    .map_init(|| self.machine(), |machine, item| work(machine, item))
                    .collect()
            }),
        }
    }

    /// True when there are too few tasks for every thread to have its own.
    pub(crate) fn shares_inputs(&self, tasks: usize) -> bool {
        self.threads() > 1 && tasks < 2 * self.threads()
    }

    /// Does `work` for every task, on all threads, or one by one where tasks are few and their inputs
    /// are shared out instead. Results in the order of the tasks.
    pub(crate) fn spread<'t, T: Sync, R: Send>(
        &self,
        tasks: &'t [T],
        work: impl Fn(&'t T) -> R + Sync + Send,
    ) -> Vec<R> {
        use rayon::prelude::*;
        match &self.pool {
            None => tasks.iter().map(work).collect(),
            Some(pool) if self.shares_inputs(tasks.len()) => {
                pool.install(|| tasks.iter().map(work).collect())
            }
            Some(pool) => pool.install(|| tasks.par_iter().with_max_len(1).map(work).collect()),
        }
    }
}
