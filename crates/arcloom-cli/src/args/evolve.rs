//! The arguments of `arcloom evolve`.

use std::path::PathBuf;

use arcloom::corpus::MorePairs;
use arcloom::evolve::EvolveConfig;
use arcloom::graph::OwnDiffer;

use super::common::{
    CallBudgetArg, ChooseTasksArgs, DetailArgs, DeviceArg, JobsArg, JsonArg, ProgramsArg, SeedArg,
    ShardArg, SubmissionArg, TasksArg, TimingArgs,
};
use super::values::{Budget, bytes, generation_budget, positive, up_to, whole};

const AFTER: &str = "\
Generation 0 is the library: every program and every step of it, on every task. From then on programs are bred for the tasks that are not solved. Each generation is stored as a whole; the same command continues where it was stopped, by Ctrl-C, by a signal or by the machine.\n\n\
With --submission, an archive that cannot be written any more does not end the run: a warning says so, and the submission is written at the end. A malformed task gets blank attempts in it.\n\n\
Exit code: 0 the budget was used up or every task is solved, 1 stopped early, some programs did not load, tasks were malformed, or the archive is incomplete, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom evolve --budget 20s\n  \
  arcloom evolve -p library:rearc -t arc1/training --count 100 --withhold --budget 10m -a mine.db\n  \
  arcloom evolve -p library:rearc -t challenges.json --budget 9h --submission submission.json";

/// `arcloom evolve`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER, mut_arg("call_budget", |arg| arg.default_value("300000").help("Work units that one call may use")))]
pub(crate) struct EvolveArgs {
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Archive that keeps the run; created if it does not exist
    #[arg(long, short, value_name = "FILE", default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    /// Time, such as 60s or 10m, or generations, such as 50g
    #[arg(long, short, value_name = "TIME", default_value = "60s", value_parser = generation_budget)]
    pub(crate) budget: Budget,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) choose: ChooseTasksArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArg,
    /// Exclude the programs that were written for these tasks
    #[arg(long)]
    pub(crate) withhold: bool,
    /// Children per task, island and generation
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().children, value_parser = positive::<usize>)]
    pub(crate) children: usize,
    /// Largest population per task and island
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().population, value_parser = positive::<usize>)]
    pub(crate) population: usize,
    /// Separate populations per task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to::<64>)]
    pub(crate) islands: u16,
    /// Generations between two exchanges of islands
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().migrate_every, value_parser = positive::<u64>)]
    pub(crate) migrate_every: u64,
    /// Generations spent on a shorter program once a task is solved
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().polish, value_parser = whole::<u64>)]
    pub(crate) polish: u64,
    /// Continue when every task is solved
    #[arg(long)]
    pub(crate) go_on: bool,
    /// Further pairs that a solver must fit, by task id (JSON) [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) more_pairs: Option<PathBuf>,
    /// File of programs `differ(S, I, C)` that also judge; repeatable [default: none]
    #[arg(long = "differ", value_name = "FILE")]
    pub(crate) user_differs: Vec<String>,
    /// Generations between two prunings of the archive, 0 for none
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().prune_every, value_parser = whole::<u64>)]
    pub(crate) prune_every: u64,
    /// Prune the archive to stay below this size, such as 20MB [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) archive_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    #[command(flatten)]
    pub(crate) call_budget: CallBudgetArg,
    #[command(flatten)]
    pub(crate) submission: SubmissionArg,
    #[command(flatten)]
    pub(crate) timing: TimingArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
}

impl EvolveArgs {
    /// What the run is to do. Every field is named, so that a new one needs an option.
    pub(crate) fn config(&self, more_pairs: MorePairs, differs: Vec<OwnDiffer>) -> EvolveConfig {
        EvolveConfig {
            hands_in: true,
            seed: self.seed.seed,
            generations: match self.budget {
                Budget::Generations(most) => Some(most),
                Budget::Time(_) | Budget::PerTask(_) => None,
            },
            // How `solve` bounds its share.
            work: None,
            children: self.children,
            population: self.population,
            islands: self.islands.into(),
            migrate_every: self.migrate_every,
            polish: self.polish,
            stop_when_solved: !self.go_on,
            more_pairs,
            differs,
            prune_every: self.prune_every,
            archive_limit: self.archive_limit,
        }
    }
}
