//! Options that several commands have. Each is declared here once and means the same in all of them.

use std::path::PathBuf;

use arcloom::{Choice, DeviceChoice, Shard, TaskSet};

use super::values::{positive, trimmed, up_to, whole};

/// `--tasks`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct TasksArg {
    /// Task set, file, folder, SET/ID or ID; repeatable [default: the programs' tasks, or embedded]
    #[arg(long, short, value_name = "TASKS")]
    pub(crate) tasks: Vec<String>,
}

/// `--programs`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ProgramsArg {
    /// Programs: file, folder, `library:NAME` or `archive:FILE`; repeatable [default: library:embedded]
    #[arg(long, short, visible_alias = "library", value_name = "PROGRAMS")]
    pub(crate) programs: Vec<String>,
}

/// `--ids`, `--count`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ChooseTasksArgs {
    /// Only the tasks with these ids [default: all]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) ids: Vec<String>,
    /// Choose this many tasks at random [default: all]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) count: Option<usize>,
}

impl ChooseTasksArgs {
    /// What to take of a set.
    pub(crate) fn choice(&self, seed: &SeedArg) -> Choice {
        Choice { ids: self.ids.clone(), count: self.count, seed: seed.seed }
    }
}

/// `--shard`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct ShardArg {
    /// Take share K of N of the tasks, as in 1/4, for one of several machines [default: all]
    ///
    /// Every machine types the same command with its own K. `arcloom archive merge` puts their archives together.
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,
}

impl ShardArg {
    /// The tasks of this share.
    pub(crate) fn take(self, set: TaskSet) -> TaskSet {
        match self.shard {
            Some(shard) => shard.share(&set),
            None => set,
        }
    }
}

/// `--seed`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct SeedArg {
    /// Seed of every random choice
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = whole::<u64>)]
    pub(crate) seed: u64,
}

/// `--jobs`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct JobsArg {
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = up_to::<1024>)]
    pub(crate) jobs: Option<u16>,
}

impl JobsArg {
    /// What the engine's builder takes: 0 is one per core.
    pub(crate) fn threads(self) -> usize {
        self.jobs.map_or(0, usize::from)
    }
}

/// `--call-budget`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct CallBudgetArg {
    /// Work units that one call may use [default: 1000000]
    ///
    /// A call that needs more ends as "over budget". Units are counted, not timed, so that outcomes repeat exactly.
    #[arg(long, value_name = "UNITS", value_parser = positive::<u64>)]
    pub(crate) call_budget: Option<u64>,
}

/// `--json`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct JsonArg {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `--quiet`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct QuietArg {
    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `--quiet`, `--verbose`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct DetailArgs {
    /// Print the summary only
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print everything, including notes about the programs
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// `--device`
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DeviceArg {
    /// Device to use: `cpu`, `gpu`, `gpu:N` or `auto`
    ///
    /// `gpu` uses all devices, `gpu:N` one of those that `arcloom devices` lists. `auto` takes the faster one in a short trial. The results are the same.
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub(crate) device: DeviceChoice,
    /// Write a JSON line per batch of a device [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) device_log: Option<PathBuf>,
}

/// `--timing`, `--trace-file`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct TimingArgs {
    /// Print where the time went; the rows add up to the time on the wall
    #[arg(long)]
    pub(crate) timing: bool,
    /// Write a timeline of all threads for Perfetto; `-` is standard output [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,
}

/// `--archive`, where there need not be one.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ArchiveArg {
    /// Archive that keeps the results [default: none]
    ///
    /// It is created if it does not exist. The same command continues where it stopped.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
}

/// `--submission`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SubmissionArg {
    /// Write Kaggle's submission file, two attempts per test; `-` is standard output [default: none]
    #[arg(long, short = 'o', visible_alias = "output", value_name = "FILE")]
    pub(crate) submission: Option<PathBuf>,
}
