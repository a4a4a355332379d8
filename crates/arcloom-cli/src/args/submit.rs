//! The arguments of `arcloom submit` and `arcloom score`.

use std::path::PathBuf;
use std::time::Duration;

use super::common::{DeviceArg, JobsArg, JsonArg, ProgramsArg, QuietArg, TasksArg, TimingArgs};
use super::values::time_budget;

const AFTER_SUBMIT: &str = "\
Every test of every task gets two different attempts. Where programs have none, and for malformed tasks, they are small blank grids, so that the file is complete.\n\n\
Exit code: 0 written, 1 written, but the run was stopped early, some programs did not load or tasks were malformed, 2 nothing was written.\n\n\
Examples:\n  \
  arcloom submit -p library:rearc -t arc-agi_test_challenges.json -o submission.json\n  \
  arcloom submit -p library:rearc -p mine.py -t arc2/evaluation --budget 10m";

/// `arcloom submit`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_SUBMIT)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "submission.json")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    /// Time limit, such as 90s or 10m [default: none]
    ///
    /// What is found by then is written.
    #[arg(long, alias = "time-limit", value_name = "TIME", value_parser = time_budget)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    #[command(flatten)]
    pub(crate) timing: TimingArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}

const AFTER_SCORE: &str = "\
The file must have every task of the set, every test in order, and both attempts of each. With --partial, missing tasks count as wrong and tasks of other sets are ignored.\n\n\
Exit code: 0 scored, 2 the file or the set cannot be used.\n\n\
Examples:\n  \
  arcloom score submission.json -t arc2/evaluation\n  \
  arcloom score submission.json -t arc2/evaluation --partial --json";

/// `arcloom score`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_SCORE, mut_arg("tasks", |arg| arg.required(true).help("Task set with answers, or a challenges file with its solutions beside it")))]
pub(crate) struct ScoreArgs {
    /// The submission
    pub(crate) submission: PathBuf,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Accept a submission with missing tasks, tests or attempts
    #[arg(long)]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}
