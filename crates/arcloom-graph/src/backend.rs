//! Who evaluates batts.

use crate::batt_plan::BattPlan;
use crate::column::Column;
use crate::counts::RunCounts;
use crate::profile::Profile;
use crate::view::TaskInputs;
use arcloom_dsl::Stop;

/// A batt on all inputs of a task.
#[derive(Debug, Clone)]
pub struct TaskColumns {
    /// One per input.
    pub columns: Vec<Column>,
    /// What it took.
    pub counts: RunCounts,
    /// The time of calls by primitive, where asked for.
    pub profile: Option<Profile>,
}

/// Evaluates batts. The same batt and inputs give the same columns on every backend.
pub trait Backend: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Every node of a batt on every input of a task; `None` when stopped before the end.
    fn evaluate(&self, plan: &BattPlan, task: &TaskInputs, stop: &Stop) -> Option<TaskColumns>;
}
