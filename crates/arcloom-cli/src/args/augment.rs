//! The arguments of `arcloom augment`.

use std::path::PathBuf;

use super::common::{ChooseTasksArgs, JobsArg, JsonArg, ProgramsArg, QuietArg, SeedArg};
use super::values::positive;

const AFTER: &str = "\
Inputs are made from those of the demos: turned, mirrored and recoloured where the program treats that alike, and with objects moved, added, removed, exchanged or reshaped, cells dealt anew, rows and columns repeated or left out. The program gives the outputs. A pair is kept when its grids look like those of the demos and every step of the program comes to a value like those on the demos. Test pairs are not looked at. At least half of the pairs are more than a symmetry or a recolouring of a demo.\n\n\
A file whose name ends in .jsonl gets one pair per line, any other one tasks in ARC's format with the pairs under \"train\"; `-` prints JSON lines.\n\n\
Exit code: 0 every task has all its pairs, 1 some have fewer or no program that fits, 2 nothing was made.\n\n\
Examples:\n  \
  arcloom augment ring_largest\n  \
  arcloom augment arc1/training -p library:rearc --per-task 1000 -o pairs.jsonl\n  \
  arcloom augment task.json -p solver.py --per-task 20 -o more.json";

/// `arcloom augment`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct AugmentArgs {
    /// Tasks: sets, files, folders, SET/ID or ids [default: the programs' tasks, or embedded]
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: Vec<String>,
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    /// Pairs to make for each task
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = positive::<usize>)]
    pub(crate) per_task: usize,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    /// Write the pairs, as ARC JSON or JSON lines; `-` is standard output [default: none]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choose: ChooseTasksArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}
