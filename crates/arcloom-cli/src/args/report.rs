//! The arguments of `arcloom report`.

use std::path::PathBuf;

/// `arcloom report`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is one file that opens from disk and prints: no network, no script. It shows the
expected outputs of tests where they are known, to say which outputs are right.

Exit code: 0 done, 2 nothing done.

Examples:
  arcloom report archive.db -o report.html
  arcloom report monday.db -t arc1/training -o monday.html")]
pub(crate) struct ReportArgs {
    /// The archive
    #[arg(default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    /// The page to write, to standard output with `-`
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,
    /// Where to look for the tasks, may be repeated [default: the sets they were taken from]
    #[arg(long, short, value_name = "SET")]
    pub(crate) tasks: Vec<String>,
    /// Leave pictures out of further tasks when the page would become larger: 500kB, 4MB
    #[arg(long, value_name = "SIZE", value_parser = super::archive::bytes, default_value = "4.5MB")]
    pub(crate) max_size: u64,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}
