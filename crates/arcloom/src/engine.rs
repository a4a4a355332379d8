//! The engine: settings, worker threads and machines.

use std::num::NonZeroU64;

use arcloom_exec::Machine;
use arcloom_prims::Caller;

use crate::builder::{ConfigError, EngineBuilder};

/// Runs programs on tasks.
pub struct Engine {
    /// `None` for a single thread, which then is the caller's own.
    pool: Option<rayon::ThreadPool>,
    call_budget: NonZeroU64,
    general: bool,
}

impl Engine {
    /// Settings to start from.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    pub(crate) fn new(
        threads: usize,
        call_budget: NonZeroU64,
        general: bool,
    ) -> Result<Engine, ConfigError> {
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(|error| ConfigError::Threads { threads, reason: error.to_string() })?;
        Ok(Engine { pool, call_budget, general })
    }

    /// Number of worker threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// A machine with this engine's budget and forms.
    pub fn machine(&self) -> Machine {
        let budget = self.call_budget.get();
        Machine::new(if self.general { Caller::general(budget) } else { Caller::new(budget) })
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
}
