//! The arguments of `arcloom bench`.

use std::path::PathBuf;

use crate::bench::BenchOptions;

use super::common::{CallBudgetArg, JsonArg, ProgramsArg, SeedArg, TasksArg};
use super::values::{positive, trimmed, up_to};

const AFTER: &str = "\
`sequential` runs the programs one after another; `N jobs` runs all of them merged into one graph, on N threads. With --device there is a row for each device and one for `auto`. All modes must give the same bytes before anything is timed. Sizes that an experiment does not vary stay at their smallest. docs/bench.md explains the columns.\n\n\
Exit code: 0 measured, 1 two modes differ, some programs did not load or it was stopped early, or with --never-slower a merged graph was slower, 2 nothing was measured.\n\n\
Examples:\n  \
  arcloom bench -p library:rearc -t arc1/training --program-counts 400 --task-counts 32 --batches 100\n  \
  arcloom bench -p library:rearc -t arc1/training --never-slower\n  \
  arcloom bench --quick\n  \
  arcloom bench -p library:rearc -t arc1/training --program-counts 32,100 --repeats 1\n  \
  arcloom bench -p library:rearc -t arc1/training --device --task-counts 400 --repeats 1\n  \
  arcloom bench -p library:rearc -t arc1/training --json -o bench.svg";

/// `arcloom bench`
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) programs: ProgramsArg,
    #[command(flatten)]
    pub(crate) tasks: TasksArg,
    /// Numbers of threads [default: 1,2,4,8]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = up_to::<1024>)]
    pub(crate) jobs_list: Vec<u16>,
    /// Numbers of tasks [default: 32,100,400]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = positive::<u32>)]
    pub(crate) task_counts: Vec<u32>,
    /// Numbers of programs [default: 32,100,400,800]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = positive::<u32>)]
    pub(crate) program_counts: Vec<u32>,
    /// Numbers of grids [default: 20,100,200,1000]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = positive::<u32>)]
    pub(crate) batches: Vec<u32>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    /// Repetitions of each measurement; the shortest counts [default: 3]
    #[arg(long, value_name = "N", value_parser = up_to::<1000>)]
    pub(crate) repeats: Option<u16>,
    #[command(flatten)]
    pub(crate) call_budget: CallBudgetArg,
    /// Exclude these programs, by function or task name [default: none]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) without: Vec<String>,
    /// Measure every device and `auto` too
    ///
    /// The CPU then uses all cores, unless --jobs-list says otherwise.
    #[arg(long)]
    pub(crate) device: bool,
    /// Check that the merged graph never loses to its programs alone
    ///
    /// 32 programs at 20, 100 and 200 grids and at 32, 100 and 400 tasks, each timed five times.
    #[arg(long, conflicts_with = "quick")]
    pub(crate) never_slower: bool,
    /// Use small sizes, timed once
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    /// Draw grids per second into an SVG file; `-` is standard output [default: none]
    #[arg(long, short, visible_alias = "svg", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw for a dark page
    #[arg(long, requires = "output")]
    pub(crate) dark: bool,
}

impl BenchArgs {
    /// What is to be compared; what was not typed has its default.
    pub(crate) fn options(&self) -> BenchOptions {
        let usual = match self.quick {
            false if self.never_slower => BenchOptions::never_slower(),
            false => BenchOptions::default(),
            true => BenchOptions {
                jobs: vec![1, 2],
                task_counts: vec![8, 16],
                program_counts: vec![8, 16],
                batches: vec![10, 20],
                repeats: 1,
                ..BenchOptions::default()
            },
        };
        let sizes = |typed: &[u32], usual: Vec<usize>| match typed {
            [] => usual,
            typed => typed.iter().map(|&size| size as usize).collect(),
        };
        BenchOptions {
            jobs: match self.jobs_list.as_slice() {
                [] if self.device => {
                    vec![std::thread::available_parallelism().map_or(1, |cores| cores.get())]
                }
                [] => usual.jobs,
                typed => typed.iter().map(|&jobs| jobs.into()).collect(),
            },
            task_counts: sizes(&self.task_counts, usual.task_counts),
            program_counts: sizes(&self.program_counts, usual.program_counts),
            batches: sizes(&self.batches, usual.batches),
            seed: self.seed.seed,
            repeats: self.repeats.map_or(usual.repeats, usize::from),
            budget: self.call_budget.call_budget.unwrap_or(usual.budget),
            devices: self.device,
            never_slower: self.never_slower,
        }
    }
}
