//! The arguments of `arcloom bench`.

use std::path::PathBuf;

use crate::bench::BenchOptions;

/// `arcloom bench`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Sequential is every program alone, one after another; N jobs is all programs woven into one graph, on
N threads. With --device there is a row for each device and one for `auto`. All modes must give the
same bytes before anything is timed. What is not varied has the smallest of its sizes. docs/bench.md
says what each column means.

Exit code: 0 measured, 1 two modes differ, some programs did not load or it was stopped early, 2
nothing was measured.

Examples:
  arcloom bench --programs library:embedded --tasks embedded --quick
  arcloom bench -p library:rearc -t arc1/training --program-counts 32,100 --repeats 1
  arcloom bench -p library:rearc -t arc1/training --device --task-counts 400 --repeats 1
  arcloom bench -p library:rearc -t arc1/training --json --svg bench.svg")]
pub(crate) struct BenchArgs {
    /// Solver files, folders, `library:` names, or `-`; may be repeated
    #[arg(long, short, value_name = "SPEC", required = true, num_args = 1..)]
    pub(crate) programs: Vec<String>,
    /// Task sets, may be repeated
    #[arg(long, short, value_name = "SET", default_value = "embedded", num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// Numbers of threads [default: 1,2,4,8]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs_list: Vec<u16>,
    /// Numbers of tasks [default: 32,100,400]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) task_counts: Vec<u32>,
    /// Numbers of programs [default: 32,100,400,800]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) program_counts: Vec<u32>,
    /// Numbers of grids [default: 20,100,200,1000]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batches: Vec<u32>,
    /// Seed of all draws
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How often everything is timed; the shortest time counts [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeats: Option<u16>,
    /// Work units one call may spend before it ends as over budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,
    /// Not these programs, by function or task name
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Also every device, and `auto`; threads are then all cores unless `--jobs-list` says otherwise
    #[arg(long)]
    pub(crate) device: bool,
    /// Small sizes, timed once: to see that it works
    #[arg(long)]
    pub(crate) quick: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw grids per second into an SVG file, or to standard output with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the SVG for a dark page
    #[arg(long, requires = "svg")]
    pub(crate) dark: bool,
}

impl BenchArgs {
    /// What is to be compared; what was not typed has its default.
    pub(crate) fn options(&self) -> BenchOptions {
        let usual = match self.quick {
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
            seed: self.seed,
            repeats: self.repeats.map_or(usual.repeats, usize::from),
            budget: self.budget.unwrap_or(usual.budget),
            devices: self.device,
        }
    }
}
