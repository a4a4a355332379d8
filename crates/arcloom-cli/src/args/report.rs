//! The arguments of `arcloom report`.

use std::path::PathBuf;

use super::common::{JobsArg, TasksArg};
use super::values::bytes;

const AFTER: &str = "\
The page is one file that opens from disk and prints: no network, no script. It shows the expected outputs of tests where they are known.\n\n\
Exit code: 0 written, 2 nothing was written.\n\n\
Examples:\n  \
  arcloom report archive.db -o report.html\n  \
  arcloom report monday.db -t arc1/training -o monday.html";

/// `arcloom report`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER, mut_arg("tasks", |arg| arg.help("Where to find the tasks; repeatable [default: the sets they came from]")))]
pub(crate) struct ReportArgs {
    /// The archive
    #[arg(default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    /// The page to write; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Size limit of the page; tasks beyond it have no pictures
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "4.5MB")]
    pub(crate) max_size: u64,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
}
