//! The arguments of `arcloom ask`.

use std::path::PathBuf;

use super::common::{ChooseTasksArgs, JobsArg, JsonArg, SeedArg};
use super::values::{Budget, positive, task_budget};

const AFTER: &str = "\
Often several programs fit all demos of a task and differ elsewhere. They are looked for as `arcloom solve` does it, inputs are made as `arcloom augment` does it, and the input on which the programs disagree most is drawn with their outputs. Choose one by its number, on standard input or with --pick: the task has one more demo, which -o writes. Expected outputs of tests are not read.\n\n\
With --all, or for several tasks, the tasks that their demos do not determine are listed, with the number of programs and of outputs.\n\n\
Exit code: 0 done, 1 nothing fits all demos, or the run was stopped early, 2 nothing was done.\n\n\
Examples:\n  \
  arcloom ask task.json -o more.json\n  \
  arcloom ask arc1/training/00d62c1b --budget 2s/task --pick 1\n  \
  arcloom ask --all arc2/training --budget 0.4s/task";

/// `arcloom ask`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct AskArgs {
    /// Tasks: a task, a set, a file, a folder, SET/ID or ids
    #[arg(value_name = "TASK", required = true)]
    pub(crate) tasks: Vec<String>,
    /// List the tasks that their demos do not determine
    #[arg(long, conflicts_with_all = ["pick", "output"])]
    pub(crate) all: bool,
    /// Programs to try: file, folder, `library:NAME` or `archive:FILE`; repeatable [default: none]
    #[arg(long, short, visible_alias = "library", value_name = "PROGRAMS")]
    pub(crate) programs: Vec<String>,
    /// Choose this output [default: ask on standard input]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) pick: Option<usize>,
    /// Write the task with one more demo; `-` is standard output [default: none]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Processor time of each search, such as 0.5s/task; there are two per task [default: 1s/task]
    #[arg(long, value_name = "TIME", value_parser = task_budget)]
    pub(crate) budget: Option<Budget>,
    #[command(flatten)]
    pub(crate) choose: ChooseTasksArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}
