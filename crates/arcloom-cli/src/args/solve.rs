//! The arguments of `arcloom solve`.

use std::path::PathBuf;
use std::time::Duration;

use arcloom::Ablation;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::common::{
    ArchiveArg, ChooseTasksArgs, DetailArgs, DeviceArg, JobsArg, JsonArg, SeedArg, ShardArg,
    SubmissionArg, TimingArgs,
};
use super::values::{Budget, per_task, task_budget, time_budget};

const AFTER: &str = "\
The programs of a library are tried first. Then new ones are searched for: chains of steps, stacked until they explain the demo outputs. With enough time, programs are evolved from these. The budget is converted to work, so results do not depend on how fast or busy the machine is.\n\n\
One task is drawn: both attempts beside the expected output, the program, its origin and its doubt (lower is better). Of several tasks, those that are right or fit are listed.\n\n\
A full disk does not end the run; a warning says that the archive is incomplete. A malformed task gets blank attempts in the submission.\n\n\
Exit code: 0 all tasks were tried, 1 the run was stopped early, some programs did not load, tasks were malformed, or the archive is incomplete, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom solve blue_sparks\n  \
  arcloom solve blue_sparks --figure solved.svg\n  \
  arcloom solve embedded --save-programs found.py\n  \
  arcloom solve arc1/evaluation -p library:rearc --budget 0.6s/task --json\n  \
  arcloom solve arc2/training -p library:rearc --budget 4s/task --evolve 4s/task -a solved.db\n  \
  arcloom solve challenges.json -p solvers.py --budget 8h --submission submission.json\n  \
  arcloom solve arc1/training -p library:rearc --folds";

/// `arcloom solve`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct SolveArgs {
    /// Tasks: sets, files, folders, SET/ID or ids [default: embedded]
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: Vec<String>,
    /// Programs to try: file, folder, `library:NAME` or `archive:FILE`; repeatable [default: none]
    #[arg(long, short, visible_alias = "library", value_name = "PROGRAMS")]
    pub(crate) programs: Vec<String>,
    /// Processor time per task, such as 0.5s/task, or time for all, such as 10m [default: 1s/task]
    #[arg(long, value_name = "TIME", value_parser = task_budget)]
    pub(crate) budget: Option<Budget>,
    /// Time limit of the run, such as 8h [default: none]
    ///
    /// Every task gets a short look first. Without --budget, the tasks share four fifths of the limit.
    #[arg(long, value_name = "TIME", value_parser = time_budget)]
    pub(crate) time_limit: Option<Duration>,
    /// Processor time of evolution per open task [default: what a budget from 4s/task on leaves]
    #[arg(long, value_name = "TIME", value_parser = per_task)]
    pub(crate) evolve: Option<Duration>,
    /// Draw every task that is right or fits
    #[arg(long)]
    pub(crate) show: bool,
    /// List the proposals of each task and explain their ranks
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the programs that fit; `-` is standard output [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) save_programs: Option<PathBuf>,
    /// Draw one task, its answer and its program: .svg, .png or .pdf [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) submission: SubmissionArg,
    #[command(flatten)]
    pub(crate) archive: ArchiveArg,
    /// Take answers that fit from earlier runs with other programs in the archive
    ///
    /// Without it, only runs with the same programs, options and budget are taken up, so that results do not depend on what is in the archive.
    #[arg(long, requires = "archive")]
    pub(crate) reuse: bool,
    #[command(flatten)]
    pub(crate) choose: ChooseTasksArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArg,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    /// Cross-validate in five folds
    ///
    /// Hide every program and table that was learned from a task's own fold.
    #[arg(long)]
    pub(crate) folds: bool,
    /// Leave out ingredients of the search, for ablations [default: none]
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', value_parser = ablation())]
    pub(crate) without: Vec<Ablation>,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    #[command(flatten)]
    pub(crate) timing: TimingArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
}

/// What can be left out, by the names that the engine has for it.
fn ablation() -> impl TypedValueParser<Value = Ablation> {
    let names = PossibleValuesParser::new(Ablation::all().map(Ablation::name));
    names.try_map(|name| Ablation::named(&name).ok_or("is no ingredient"))
}
