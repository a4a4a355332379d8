//! The arguments of `arcloom dsl` and `arcloom devices`.

use super::common::{JobsArg, JsonArg};

const AFTER_DSL: &str = "\
Examples:\n  \
  arcloom dsl\n  \
  arcloom dsl objects\n  \
  arcloom dsl THREE --json";

/// `arcloom dsl`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_DSL)]
pub(crate) struct DslArgs {
    /// A function, a constant or a family [default: all]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const AFTER_DEVICES: &str = "\
Lists the devices of the CUDA driver and of OpenCL, if these libraries are installed. Each is measured on the built-in programs: the time of a batch, the time of one program on one grid, and the number of runs from which it is faster than the CPU with all threads.\n\n\
Examples:\n  \
  arcloom devices\n  \
  arcloom devices --list --json";

/// `arcloom devices`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_DEVICES)]
pub(crate) struct DevicesArgs {
    /// List only, without measuring
    #[arg(long)]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}
