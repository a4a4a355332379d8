//! The command line as plain data: what was typed, with types, before anything is opened or read.
//!
//! Options that several commands have are declared once, in `args/common.rs`; what is typed as a number, a
//! time or a size is read by `args/values.rs`. Help texts are wrapped by the terminal's width alone: a
//! paragraph is one line of its string.

use std::path::PathBuf;
use std::str::FromStr;

use arcloom::draw::{ColorChoice, Palette};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) mod archive;
pub(crate) mod ask;
pub(crate) mod augment;
pub(crate) mod bench;
pub(crate) mod card;
pub(crate) mod check;
pub(crate) mod common;
pub(crate) mod config;
pub(crate) mod data;
pub(crate) mod dsl;
pub(crate) mod eval;
pub(crate) mod evolve;
pub(crate) mod figure;
pub(crate) mod kaggle_bundle;
pub(crate) mod manual;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod submit;
pub(crate) mod trace;
pub(crate) mod values;

const AFTER: &str = "\
Without a command, arcloom solves some built-in tasks and says what to type next.\n\n\
Programs are solver files in Python syntax: a file, a folder, `-` for standard input, a library such as `library:embedded`, or an archive as `archive:FILE`. One program of them is `FILE.py:NAME`, `library:NAME:ID`, `archive:FILE:ID`, or its name or id alone.\n\n\
Tasks are a task set such as `embedded` or `arc1/training`, a file, a folder, SET/ID, or an id alone, which is looked up in all sets. `arcloom data list` lists the names, `arcloom data pull` downloads the public sets.\n\n\
Exit code: 0 done, 1 done but not everything is right, 2 nothing was done.";

/// What `--version` prints: the version, the commit and the platform it was built for.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("ARCLOOM_COMMIT"),
    ", ",
    env!("ARCLOOM_TARGET"),
    ")"
);

/// Everything that was typed.
#[derive(Debug, Parser)]
#[command(
    name = "arcloom",
    version = VERSION,
    about = "Solve, run and evolve ARC-AGI programs",
    after_long_help = AFTER,
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
    /// When to use colours
    ///
    /// `auto` uses them on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorArg,
    /// Colours of cells
    #[arg(long, global = true, default_value = "classic", value_name = "NAME", value_parser = palettes())]
    pub(crate) palette: Palette,
    /// Data folder [default: ~/.local/share/arcloom]
    ///
    /// It holds downloaded task sets and registered names. ARCLOOM_DATA_DIR and XDG_DATA_HOME change the default.
    #[arg(
        long = "data-dir",
        visible_alias = "dir",
        global = true,
        value_name = "DIR",
        env = "ARCLOOM_DATA_DIR",
        hide_env = true
    )]
    pub(crate) data_dir: Option<PathBuf>,
    /// Settings file (TOML) [default: arcloom.toml in the working folder]
    ///
    /// Command-line options take precedence over it. `arcloom config` shows every setting.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore arcloom.toml in the working folder
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
    // Whether the settings file is one that nobody named.
    #[arg(skip)]
    pub(crate) picked_up: bool,
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
    /// Solve tasks: try programs and search for new ones
    Solve(solve::SolveArgs),
    /// Draw a task or a program, or list a set
    Show(show::ShowArgs),
    /// Run programs on their tasks and judge them
    Check(check::CheckArgs),
    /// Draw the value of every step of a program
    Trace(trace::TraceArgs),
    /// Try all programs and all their steps on all tasks
    Run(run::RunArgs),
    /// Evolve programs until tasks are solved
    Evolve(evolve::EvolveArgs),
    /// Ask which of the programs that fit is meant
    Ask(ask::AskArgs),
    /// Make new pairs for tasks that have a program
    Augment(augment::AugmentArgs),
    /// Judge programs as they arrive, one JSON line each
    Eval(eval::EvalArgs),
    /// Write two attempts for every test of a challenges file
    Submit(submit::SubmitArgs),
    /// Score a submission against the expected outputs
    Score(submit::ScoreArgs),
    /// Explore tasks, programs and runs in the browser
    Serve(serve::ServeArgs),
    /// Write a report of an archive as one HTML page
    Report(report::ReportArgs),
    /// Inspect, merge, prune and export archives of programs
    Archive(archive::ArchiveArgs),
    /// Download, list and register task sets and libraries
    Data(data::DataArgs),
    /// Look up the functions of the language
    Dsl(dsl::DslArgs),
    /// Print programs in a normal form
    Fmt(card::FmtArgs),
    /// Merge programs into one graph
    Card(card::CardArgs),
    /// Benchmark separate programs against the merged graph
    Bench(bench::BenchArgs),
    /// List devices that can evaluate programs
    Devices(dsl::DevicesArgs),
    /// Write a folder that runs on Kaggle offline
    KaggleBundle(kaggle_bundle::KaggleBundleArgs),
    /// Show every setting, its value and its origin
    Config(config::ConfigArgs),
    /// Print completions for a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page of a command, or write all
    Man(manual::ManArgs),
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
mod tests;
