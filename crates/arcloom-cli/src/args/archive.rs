//! The arguments of `arcloom archive`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};

use super::common::{CallBudgetArg, JobsArg, JsonArg, TasksArg};
use super::figure::FigureArgs;
use super::values::{bytes, duration, positive, whole};

const AFTER: &str = "\
An archive is one SQLite file; docs/archive.md describes it for other tools. Any number of processes may read it while one writes.\n\n\
Exit code: 0 done, 1 something is not right, or `diff` found a difference, 2 nothing was done.\n\n\
Examples:\n  \
  arcloom archive import library:embedded -t embedded\n  \
  arcloom archive list --solved\n  \
  arcloom archive lineage 3f2a91 -o lineage.svg\n  \
  arcloom archive curves -o curves.pdf\n  \
  arcloom archive -a all.db merge monday.db tuesday.db";

/// `arcloom archive`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct ArchiveArgs {
    /// The archive
    #[arg(long, short, global = true, value_name = "FILE", default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    #[command(subcommand)]
    pub(crate) command: ArchiveCommand,
}

/// What to do with an archive.
#[derive(Debug, Subcommand)]
pub(crate) enum ArchiveCommand {
    /// Show archive statistics
    Stats {
        /// Add the table of tasks
        #[arg(long)]
        tasks: bool,
        #[command(flatten)]
        json: JsonArg,
    },
    /// List programs with their best result
    List {
        #[command(flatten)]
        filter: FilterArgs,
        /// List the tasks that nothing fits, with the nearest program
        #[arg(long, conflicts_with_all = ["solved", "best", "task"])]
        unsolved: bool,
        /// Most rows that are listed
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = positive::<usize>)]
        limit: usize,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Print a program, its origin and its results
    Show {
        /// Beginning of its id, or its function or task name
        program: String,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Draw what a program was made from
    Lineage {
        /// Beginning of its id, or its function or task name
        program: String,
        /// Draw what was made from it instead
        #[arg(long)]
        descendants: bool,
        /// Most steps to follow
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive::<usize>)]
        depth: usize,
        #[command(flatten)]
        figure: FigureArgs,
    },
    /// Draw runs: tasks that fit, speed, yield of operators
    Curves {
        /// Runs by number [default: all]
        runs: Vec<i64>,
        /// Draw over seconds instead of generations
        #[arg(long)]
        by_time: bool,
        #[command(flatten)]
        figure: FigureArgs,
    },
    /// Write programs to a file
    Export {
        /// Format of the file
        ///
        /// `python` runs on the original arc-dsl, `jsonl` has everything about the programs, `stitch` is for Stitch.
        #[arg(long, short, value_enum, default_value = "python")]
        format: FormatArg,
        #[command(flatten)]
        filter: FilterArgs,
        /// The file to write [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Add programs from files, libraries or exported lines
    #[command(mut_arg("tasks", |arg| arg.help("Run each program on its task of these sets; repeatable [default: none]")))]
    Import {
        /// Programs: file, folder, `library:NAME`, `-`, or a .jsonl file
        #[arg(required = true)]
        sources: Vec<String>,
        #[command(flatten)]
        tasks: TasksArg,
        #[command(flatten)]
        jobs: JobsArg,
    },
    /// Add the content of other archives
    ///
    /// It also copies an archive that is being written.
    Merge {
        /// The other archives, which stay as they are
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Keep each task's best and most different programs
    ///
    /// The programs that they were made from are kept too.
    Prune {
        /// Best programs that are kept per task
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize>)]
        best: usize,
        /// Most different programs that are kept per task
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize>)]
        different: usize,
        /// Drop what the kept programs were made from
        #[arg(long)]
        no_lineage: bool,
        /// Prune until the file is at most this large, such as 20MB [default: no limit]
        #[arg(long, value_name = "SIZE", value_parser = bytes)]
        max_size: Option<u64>,
        /// Drop cached values instead, and nothing else
        #[arg(long, conflicts_with_all = ["best", "different", "no_lineage", "max_size"])]
        cache: bool,
        /// With --cache: only values that nobody has used for so long, such as 8h [default: all]
        #[arg(long, value_name = "TIME", value_parser = duration, requires = "cache")]
        unused_for: Option<Duration>,
    },
    /// Check the file, every program and every result
    #[command(mut_arg("tasks", |arg| arg.help("Where to find the tasks; repeatable [default: the sets they came from]")))]
    Verify {
        #[command(flatten)]
        tasks: TasksArg,
        #[command(flatten)]
        jobs: JobsArg,
        #[command(flatten)]
        call_budget: CallBudgetArg,
    },
    /// Show the first difference between two archives, ignoring timestamps
    Diff {
        /// One archive
        first: PathBuf,
        /// Another one
        second: PathBuf,
    },
}

/// Which programs to take.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only programs with a result on this task [default: all]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only programs that fit all demos of a task
    #[arg(long)]
    pub(crate) solved: bool,
    /// Best programs that are taken per task [default: all]
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    pub(crate) best: Option<usize>,
}

/// A form of exported programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    // For the original arc-dsl.
    Python,
    // Everything about programs, to be imported again.
    Jsonl,
    // For Stitch.
    Stitch,
}
