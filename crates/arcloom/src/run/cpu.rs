//! The CPU as the source of a run's columns, with the cache before it.

use std::sync::Arc;

use arcloom_graph::{
    Backend, BattPlan, Column, ColumnSource, Cpu, SharedColumns, Stop, TaskInputs,
};

use crate::cache::CacheRun;

/// What the CPU evaluates, as far as the cache does not have it.
pub(super) struct CachedCpu<'a> {
    pub(super) plan: &'a BattPlan,
    pub(super) cpu: &'a Cpu,
    pub(super) cache: &'a CacheRun<'a>,
}

impl ColumnSource for CachedCpu<'_> {
    fn name(&self) -> &'static str {
        self.cpu.name()
    }

    fn columns(&self, _: usize, task: &TaskInputs, stop: &Stop) -> Option<SharedColumns> {
        let (columns, counts, profile) = self.cache.evaluate(self.cpu, self.plan, task, stop)?;
        Some(SharedColumns { columns, counts, profile })
    }

    /// All of them are there.
    fn draw(&self, _: &TaskInputs, _: &mut [Arc<Column>], _: &[usize]) -> Option<()> {
        Some(())
    }
}
