//! The arguments of `arcloom submit` and `arcloom score`.

use std::path::PathBuf;
use std::time::Duration;

use super::run::duration;

/// `arcloom submit`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every task and every test gets two different attempts; where programs have none, and for tasks that are
malformed, small blank grids stand in, so that the file is always complete.

Exit code: 0 written, 1 written, but the run was stopped early, some programs did not load or tasks were
malformed, 2 nothing was written.

Examples:
  arcloom submit -p library:rearc -t arc-agi_test_challenges.json -o submission.json
  arcloom submit -p library:rearc -p mine.py -t arc2/evaluation --time-limit 10m")]
pub(crate) struct SubmitArgs {
    /// Solver files, folders, `library:` names, or `-`; may be repeated
    #[arg(long, short, value_name = "SPEC", required = true, num_args = 1..)]
    pub(crate) programs: Vec<String>,
    /// A challenges file, or any task set
    #[arg(long, short, value_name = "SET", required = true, num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// Where to write; `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "submission.json")]
    pub(crate) output: PathBuf,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Stop after this long and write what is found: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `arcloom score`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file must have every task of the set, every test in order, and both attempts of each.

Exit code: 0 judged, 2 the file or the set is not right.

Example:
  arcloom score submission.json --tasks arc2/evaluation")]
pub(crate) struct ScoreArgs {
    /// The submission
    pub(crate) submission: PathBuf,
    /// A task set with answers, or a challenges file with its solutions beside it
    #[arg(long, short, value_name = "SET", required = true, num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
