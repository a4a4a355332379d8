//! The arguments of `arcloom kaggle-bundle`.

use std::path::PathBuf;
use std::time::Duration;

use super::common::ProgramsArg;
use super::values::duration;

const AFTER: &str = "\
The folder holds the wheel of the Python package, the programs as one file, and a notebook that needs no network. Upload it as a dataset, open the notebook, add the competition's data, submit.\n\n\
Exit code: 0 written, 1 written, but some programs did not load, 2 nothing was written.\n\n\
Examples:\n  \
  arcloom kaggle-bundle bundle -p library:rearc\n  \
  arcloom kaggle-bundle bundle -p archive:archive.db --wheel arcloom-0.1.0-cp310-abi3-linux_x86_64.whl";

/// `arcloom kaggle-bundle`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct KaggleBundleArgs {
    /// The folder to write; created if it does not exist
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    /// Wheel of the Python package [default: the installed package's]
    #[arg(long, value_name = "FILE")]
    pub(crate) wheel: Option<PathBuf>,
    /// Time limit of a submission, such as 8h
    ///
    /// The notebook leaves half an hour of it unused. 12 hours is what the ARC Prize 2026 gives for ARC-AGI-2.
    #[arg(long, value_name = "TIME", default_value = "12h", value_parser = duration)]
    pub(crate) time_limit: Duration,
}
