//! The arguments of `arcloom config`.

use std::ffi::OsString;

/// `arcloom config`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Settings are the long options of the commands. In a file they stand in the table of their command, and
those of all commands at the top; what is printed here is such a file:

  [evolve]
  children = 512
  tasks = [\"arc1/training\"]

What was typed wins, then the environment, then the file, then the default. A flag that a file sets is
taken back with =false. Paths are relative to where the command is started.

Examples:
  arcloom config --print > mine.toml
  arcloom --config mine.toml config --print evolve --seed 7
  arcloom --config mine.toml evolve")]
pub(crate) struct ConfigArgs {
    /// Print every setting, its value and where that is from (also without this)
    #[arg(long)]
    pub(crate) print: bool,
    /// Print JSON instead of a file
    #[arg(long)]
    pub(crate) json: bool,
    /// A command, with options as they would be typed; all commands when left out
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) words: Vec<OsString>,
}
