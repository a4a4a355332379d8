//! The arguments of `arcloom show`.

use super::common::JsonArg;
use super::figure::{CellArgs, FigureArgs};

const AFTER: &str = "\
A task is drawn, a set is listed. A program is printed with its origin, a library or an archive is listed.\n\n\
Examples:\n  \
  arcloom show\n  \
  arcloom show ring_largest\n  \
  arcloom show arc2/training\n  \
  arcloom show 00d62c1b -o task.pdf\n  \
  arcloom show archive:archive.db";

/// `arcloom show`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct ShowArgs {
    /// A task, a set, a program, a library or `archive:FILE` [default: embedded]
    #[arg(value_name = "TASK")]
    pub(crate) spec: Option<String>,
    /// Draw the expected outputs of tests too
    #[arg(long)]
    pub(crate) answers: bool,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
}
