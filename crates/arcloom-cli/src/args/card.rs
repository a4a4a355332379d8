//! The arguments of `arcloom fmt` and `card`, which read programs and run none.

use std::path::PathBuf;

use arcloom::Choice;

use super::common::{JsonArg, SeedArg};
use super::figure::FigureArgs;
use super::values::{positive, trimmed};

const AFTER_FMT: &str = "\
Comments and unused lines are not kept. Several files become one.\n\n\
Exit code: 0 done, 1 some functions did not load, or --check found a difference, 2 nothing was done.\n\n\
Examples:\n  \
  arcloom fmt solvers.py --inline\n  \
  arcloom fmt archive:archive.db --arc-dsl -o found.py";

/// `arcloom fmt`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_FMT)]
pub(crate) struct FmtArgs {
    /// Programs: file, folder, `library:NAME`, `archive:FILE`, an id, or `-`
    #[arg(required = true)]
    pub(crate) programs: Vec<String>,
    /// Nest calls; only values that are used twice get a line
    #[arg(long, conflicts_with = "arc_dsl")]
    pub(crate) inline: bool,
    /// Write a file that runs on the original arc-dsl
    #[arg(long)]
    pub(crate) arc_dsl: bool,
    /// Print nothing; exit with 1 if a file differs
    #[arg(long, conflicts_with = "output")]
    pub(crate) check: bool,
    /// Write to a file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const AFTER_CARD: &str = "\
Equal work is done once in the graph, which is called a batt. `arcloom run` evaluates it.\n\n\
Exit code: 0 done, 1 some functions did not load, 2 nothing was done.\n\n\
Examples:\n  \
  arcloom card library:embedded\n  \
  arcloom card solvers.py --count 32 --seed 7 --python batt.py\n  \
  arcloom card library:embedded -o batt.pdf\n  \
  arcloom card library:embedded --ids ring_largest,tally --text";

/// `arcloom card`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_CARD)]
pub(crate) struct CardArgs {
    /// Programs: file, folder, `library:NAME`, `archive:FILE`, an id, or `-`
    #[arg(required = true)]
    pub(crate) programs: Vec<String>,
    #[command(flatten)]
    pub(crate) choose: ChooseProgramsArgs,
    /// Print the merged graph, one line per step
    #[arg(long, conflicts_with = "json")]
    pub(crate) text: bool,
    /// Write the graph for Graphviz; `-` is standard output [default: none]
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Write one Python function `batt(S, I)`; `-` is standard output [default: none]
    ///
    /// It runs on the original arc-dsl.
    #[arg(long, value_name = "FILE")]
    pub(crate) python: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    /// Print the table of rewrite rules
    #[arg(long)]
    pub(crate) rules: bool,
    /// List every program
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// Which of the programs to take.
#[derive(Debug, clap::Args)]
#[command(mut_arg("seed", |arg| arg.requires("count")))]
pub(crate) struct ChooseProgramsArgs {
    /// Only the programs with these function or task names [default: all]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) ids: Vec<String>,
    /// Choose this many programs at random [default: all]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) count: Option<usize>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
}

impl ChooseProgramsArgs {
    /// What to take of a library.
    pub(crate) fn choice(&self) -> Choice {
        Choice { ids: self.ids.clone(), count: self.count, seed: self.seed.seed }
    }
}
