//! The arguments of `arcloom run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use super::common::{
    CallBudgetArg, ChooseTasksArgs, DetailArgs, DeviceArg, JobsArg, JsonArg, ProgramsArg, SeedArg,
    ShardArg, TasksArg, TimingArgs,
};
use super::values::{positive, time_budget, trimmed};

const AFTER: &str = "\
Every program and every grid on the way to its result is a candidate for every task. The demos rank them; expected outputs of tests, where known, only say in the report whether the best are right.\n\n\
Exit code: 0 all tasks were run, 1 the run was stopped early or some programs did not load, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom run\n  \
  arcloom run -p solvers.py -t arc1/training --program-count 32 --seed 7 --count 50 --timing\n  \
  arcloom run -p library:rearc -t arc2/training --budget 5m --json";

/// `arcloom run`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    #[command(flatten)]
    pub(crate) choose: ChooseTasksArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArg,
    /// Only the programs with these function or task names [default: all]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) program_ids: Vec<String>,
    /// Choose this many programs at random [default: all]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) program_count: Option<usize>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    /// Exclude these programs, by function or task name [default: none]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) without: Vec<String>,
    /// Differs that rank what does not fit; `none` counts right cells
    #[arg(long, value_enum, default_value = "native", value_name = "KIND")]
    pub(crate) differs: DiffersArg,
    /// File of programs `differ(S, I, C)` that also judge; repeatable [default: none]
    #[arg(long = "differ", value_name = "FILE")]
    pub(crate) user_differs: Vec<String>,
    /// Distinct candidates per task that differs judge
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = positive::<usize>)]
    pub(crate) judged: usize,
    /// Distinct candidates per task that are reported
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive::<usize>)]
    pub(crate) kept: usize,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) call_budget: CallBudgetArg,
    /// Time limit, such as 90s or 10m [default: none]
    ///
    /// What is finished by then is reported.
    #[arg(long, alias = "time-limit", value_name = "TIME", value_parser = time_budget)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    /// Archive that keeps the programs that fit some demo, validated [default: none]
    ///
    /// It is created if it does not exist. What an earlier run validated is not validated again.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) timing: TimingArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
}

/// Which differs are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffersArg {
    // The built-in ones.
    Native,
    // Right cells alone.
    None,
}
