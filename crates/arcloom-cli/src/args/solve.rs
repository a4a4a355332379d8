//! The arguments of `arcloom solve`.

use std::path::PathBuf;
use std::time::Duration;

use arcloom::Ablation;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::run::duration;

/// `arcloom solve`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Programs of a library are tried on the tasks, and new ones are searched for: chains of steps on all
inputs at once, stacked until they explain the demo outputs, and, with time, programs bred from all of
these. The budget is turned into work, so that results do not depend on how fast or busy the machine is.

An archive that cannot be written any more, on a full disk for one, does not end the run: a warning
says so, and everything is found, printed and written as before. A malformed task gets blank attempts
in the submission.

Exit code: 0 all tasks were looked at, 1 the run was stopped early, some programs did not load, tasks
were malformed, or the archive is not complete, 2 nothing was run.

Examples:
  arcloom solve embedded
  arcloom solve arc1/evaluation -p library:rearc --budget 0.6s/task --json
  arcloom solve arc2/training -p library:rearc --budget 4s/task --evolve 4s/task -a solved.db
  arcloom solve challenges.json -p solvers.py --time-limit 8h --submission submission.json
  arcloom solve arc1/training -p library:rearc --folds")]
pub(crate) struct SolveArgs {
    /// Task sets
    #[arg(value_name = "SET", default_value = "embedded", num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// Solver files, folders or `library:` names whose programs are tried, may be repeated
    #[arg(long, short, value_name = "SPEC", num_args = 1..)]
    pub(crate) programs: Vec<String>,
    /// Processor time per task: 0.3s/task, 15s/task [default: 1s/task, or what `--time-limit` allows]
    #[arg(long, value_name = "TIME/task", value_parser = per_task)]
    pub(crate) budget: Option<Duration>,
    /// Then evolve for this long where nothing fits all demos [default: what the search leaves of a
    /// budget from 4s/task on]
    #[arg(long, value_name = "TIME/task", value_parser = per_task)]
    pub(crate) evolve: Option<Duration>,
    /// Keep what is found in this archive; the same command again goes on where it ended
    #[arg(long, short, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
    /// Only these tasks
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) ids: Vec<String>,
    /// Draw that many tasks at random
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Seed of the draw
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Use neither programs nor tables that come from the task at hand or its fold, one fifth of all
    #[arg(long)]
    pub(crate) folds: bool,
    /// Leave an ingredient out, to see what it brings; may be repeated
    #[arg(long, value_name = "INGREDIENT", value_delimiter = ',', value_parser = ablation())]
    pub(crate) without: Vec<Ablation>,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Stop after this long: 90s, 10m, 2h; all tasks are looked at briefly first
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Write two attempts for every test to this file; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) submission: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the summary only
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// List every task, also those for which nothing was found
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// What can be left out, by the names that the engine has for it.
fn ablation() -> impl TypedValueParser<Value = Ablation> {
    let names = PossibleValuesParser::new(Ablation::all().map(Ablation::name));
    names.try_map(|name| Ablation::named(&name).ok_or("is no ingredient"))
}

fn per_task(text: &str) -> Result<Duration, String> {
    duration(text.strip_suffix("/task").unwrap_or(text))
}
