//! The arguments of `arcloom trace`.

use super::PairArg;
use super::figure::{CellArgs, FigureArgs};

const AFTER: &str = "\
The last step is compared with the expected output; wrong cells are marked.\n\n\
Exit code: 0 the output is the expected one, 1 it is not, 2 nothing was run.\n\n\
Examples:\n  \
  arcloom trace ring_largest\n  \
  arcloom trace solvers.py:solve_67a3c6ac -t 67a3c6ac --pair test:1\n  \
  arcloom trace archive:archive.db:3f2a91 --against ring_largest\n  \
  arcloom trace -e 'x1 = rot90(I); O = hmirror(x1)' -t ring_largest -o trace.svg";

/// `arcloom trace`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct TraceArgs {
    /// A program: its name or id, FILE.py, FILE.py:NAME, `archive:FILE:ID`
    #[arg(required_unless_present = "expr", conflicts_with = "expr")]
    pub(crate) program: Option<String>,
    /// Task: id, SET/ID or file [default: the program's own task]
    #[arg(long = "tasks", short = 't', visible_alias = "task", value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Lines of a program, instead of one from a file [default: none]
    #[arg(long, short, value_name = "LINES")]
    pub(crate) expr: Option<String>,
    /// Another program: show where the two part [default: none]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) against: Option<String>,
    /// Pair: K, demo:K or test:K [default: the first wrong one]
    ///
    /// Pairs are counted from 1, demos before tests. Without a wrong pair, the first demo is drawn.
    #[arg(long, value_name = "PAIR")]
    pub(crate) pair: Option<PairArg>,
    #[command(flatten)]
    pub(crate) figure: FigureArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
}
