//! The arguments of `arcloom check`.

use super::common::{CallBudgetArg, DetailArgs, JobsArg, JsonArg, ShardArg, TasksArg};
use super::values::positive;

const AFTER: &str = "\
Each program runs on its own task, which its name says: `solve_TASK`. Its outputs for all demos and tests are compared with the expected ones.\n\n\
Exit code: 0 every program is right, 1 some are not or did not load, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom check library:embedded\n  \
  arcloom check solvers.py -t arc1/training\n  \
  arcloom check mine/ -t tasks/ --all-tasks --json";

/// `arcloom check`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct CheckArgs {
    /// Programs: file, folder, `library:NAME`, `archive:FILE`, an id, or `-`
    #[arg(required = true)]
    pub(crate) programs: Vec<String>,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Run every program on every task
    #[arg(long)]
    pub(crate) all_tasks: bool,
    #[command(flatten)]
    pub(crate) shard: ShardArg,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) call_budget: CallBudgetArg,
    /// Keep values in their general form: slower, same results
    #[arg(long)]
    pub(crate) general: bool,
    /// Print calls and time by primitive, on one thread
    #[arg(long, conflicts_with_all = ["all_tasks", "jobs"])]
    pub(crate) profile: bool,
    /// Print the slowest programs by processor time
    #[arg(long)]
    pub(crate) timing: bool,
    /// Print so many of the slowest programs [default: none; 10 with --timing]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) slowest: Option<usize>,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
}

impl CheckArgs {
    /// How many of the slowest programs are printed, if any.
    pub(crate) fn slowest(&self) -> Option<usize> {
        self.slowest.or(self.timing.then_some(10))
    }
}
