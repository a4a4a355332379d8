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
Programs of a library are tried on the tasks, and new ones are searched for: chains of steps on all inputs at once, stacked until they explain the demo outputs, and, with time, programs evolved from these. The budget is turned into work, so that results do not depend on how fast or busy the machine is.\n\n\
One task is drawn: both attempts beside the expected output, the program, its origin and its doubt, which is low for programs to be trusted. Of several tasks, those that are right or fit are listed.\n\n\
An archive that cannot be written any more, on a full disk for example, does not end the run: a warning says so. A malformed task gets blank attempts in the submission.\n\n\
Exit code: 0 all tasks were tried, 1 the run was stopped early, some programs did not load, tasks were malformed, or the archive is incomplete, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom solve blue_sparks\n  \
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
    /// All tasks are looked at briefly first. Without --budget, the tasks share four fifths of it.
    #[arg(long, value_name = "TIME", value_parser = time_budget)]
    pub(crate) time_limit: Option<Duration>,
    /// Processor time of evolution per open task [default: what a budget from 4s/task on leaves]
    #[arg(long, value_name = "TIME", value_parser = per_task)]
    pub(crate) evolve: Option<Duration>,
    /// Draw every task that is right or fits
    #[arg(long)]
    pub(crate) show: bool,
    /// List the proposals of each task and why they rank so
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the programs that fit; `-` is standard output [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) save_programs: Option<PathBuf>,
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
    /// Every program and table that was learned from the tasks of a fold is hidden from it.
    #[arg(long)]
    pub(crate) folds: bool,
    /// Leave out ingredients of the search, to measure what they bring [default: none]
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
