//! Settings of an engine.

use std::num::NonZeroUsize;

use arcloom_dsl::Caller;
use arcloom_graph::Limits;

use crate::engine::Engine;
use crate::run::DeviceChoice;

/// Settings of an engine, with working defaults.
#[derive(Debug, Clone)]
pub struct EngineBuilder {
    threads: usize,
    call_budget: u64,
    general: bool,
    cache_bytes: usize,
    device: DeviceChoice,
}

/// Settings that do not make an engine.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The caller's: a budget of nothing.
    #[error("the call budget is 0: give every call at least one unit of work")]
    ZeroBudget,
    /// The system's: threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        EngineBuilder {
            threads: 0,
            call_budget: Caller::DEFAULT_BUDGET,
            general: false,
            cache_bytes: 0,
            device: DeviceChoice::Cpu,
        }
    }
}

impl EngineBuilder {
    /// Worker threads; 0, the default, means one per core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Work units one call may spend, its closures included, before it fails as over budget. Rewrite rules
    /// are left out below the budget from which on they are exact.
    pub fn call_budget(mut self, units: u64) -> Self {
        self.call_budget = units;
        self
    }

    /// Switches the fast forms of values off. Results are the same, much more slowly.
    pub fn general_form(mut self, general: bool) -> Self {
        self.general = general;
        self
    }

    /// Memory for what batts came to on inputs, so that a later run of the same batt finds it; 0, the
    /// default, remembers nothing.
    pub fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Who evaluates batts, where a run does not say otherwise; the CPU by default. Results are the same.
    pub fn device(mut self, device: DeviceChoice) -> Self {
        self.device = device;
        self
    }

    /// The engine, if the settings make one.
    pub fn build(self) -> Result<Engine, ConfigError> {
        let limits = Limits::new(self.call_budget).ok_or(ConfigError::ZeroBudget)?;
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = if self.threads == 0 { cores } else { self.threads };
        Engine::new(threads, limits.general_form(self.general), self.cache_bytes, self.device)
    }
}
