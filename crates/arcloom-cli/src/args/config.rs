//! The arguments of `arcloom config`.

use std::ffi::OsString;

use super::common::JsonArg;

const AFTER: &str = "\
Settings are the long options of the commands. In a settings file, each command has a table, and global options come first. The output of this command is such a file:\n\n  \
  [evolve]\n  \
  children = 512\n  \
  tasks = [\"arc1/training\"]\n\n\
The file is named with --config, or is arcloom.toml in the working folder. The latter may not set output files, the data folder or who may connect to the viewer. Command-line options take precedence, then the environment, then the file, then the default. `--FLAG=false` turns off a flag that the file sets. Paths are relative to the working folder.\n\n\
Examples:\n  \
  arcloom config --print > mine.toml\n  \
  arcloom --config mine.toml config --print evolve --seed 7\n  \
  arcloom --config mine.toml evolve";

/// `arcloom config`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct ConfigArgs {
    /// Print every setting, its value and its origin (the default)
    #[arg(long)]
    pub(crate) print: bool,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    /// A command with its options [default: all commands]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) words: Vec<OsString>,
}
