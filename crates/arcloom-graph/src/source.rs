//! Where the columns of a run come from, as far as those who score, group and rank candidates know: the
//! CPU, a cache before it, devices beside it.

use std::sync::Arc;

use arcloom_dsl::Stop;

use crate::TaskInputs;
use crate::column::Column;
use crate::counts::RunCounts;
use crate::profile::Profile;

/// A batt on all inputs of a task, columns possibly held by others too.
#[derive(Debug, Clone)]
pub struct SharedColumns {
    /// One per input.
    pub columns: Vec<Arc<Column>>,
    /// What it took.
    pub counts: RunCounts,
    /// The time of calls by primitive, where asked for.
    pub profile: Option<Profile>,
}

/// Gives the columns of the tasks of a run. Whatever gives them, they say the same of every node.
pub trait ColumnSource: Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Every node of the batt on every input of a task, which has this number in the run; `None` when
    /// stopped before the end.
    fn columns(&self, number: usize, task: &TaskInputs, stop: &Stop) -> Option<SharedColumns>;

    /// Puts the grids of these nodes in the columns of a task, where they are not there yet. `None` when
    /// one is not what the columns say it is: nothing that they say of the task is to be believed then.
    fn draw(&self, task: &TaskInputs, columns: &mut [Arc<Column>], nodes: &[usize]) -> Option<()>;
}
