//! The arguments of `arcloom kaggle-bundle`.

use std::path::PathBuf;

/// `arcloom kaggle-bundle`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The folder holds the wheel of the Python package, the programs as one file, and a notebook that needs
no network. Upload it as a dataset, open the notebook, add the competition's data, submit.

Exit code: 0 written, 1 written, but some programs did not load, 2 nothing was written.

Examples:
  arcloom kaggle-bundle bundle -p library:rearc
  arcloom kaggle-bundle bundle -p archive:archive.db --wheel arcloom-0.1.0-cp310-abi3-linux.whl")]
pub(crate) struct KaggleBundleArgs {
    /// Where to write; the folder is made if it is not there
    pub(crate) folder: PathBuf,
    /// Solver files, folders, `library:` names, or `-`; may be repeated
    #[arg(long, short, value_name = "SPEC", default_value = "library:embedded", num_args = 1..)]
    pub(crate) programs: Vec<String>,
    /// The wheel of the Python package [default: made from the installed package, if this command is
    /// part of one]
    #[arg(long, value_name = "FILE")]
    pub(crate) wheel: Option<PathBuf>,
}
