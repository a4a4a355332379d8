//! The arguments of `arcloom completions` and `arcloom man`.

use std::path::PathBuf;

const AFTER_COMPLETIONS: &str = "\
Examples:\n  \
  arcloom completions bash > ~/.local/share/bash-completion/completions/arcloom\n  \
  arcloom completions zsh > ~/.zfunc/_arcloom\n  \
  arcloom completions fish > ~/.config/fish/completions/arcloom.fish";

/// `arcloom completions`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

const AFTER_MAN: &str = "\
Examples:\n  \
  arcloom man solve | man -l -\n  \
  arcloom man -o ~/.local/share/man/man1";

/// `arcloom man`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_MAN)]
pub(crate) struct ManArgs {
    /// A command, such as `solve` or `archive list` [default: arcloom itself]
    #[arg(conflicts_with = "output")]
    pub(crate) command: Vec<String>,
    /// Write the pages of all commands to this folder [default: none]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}
