//! The arguments of `arcloom run`.

use std::path::PathBuf;
use std::time::Duration;

use arcloom::DeviceChoice;
use clap::ValueEnum;

/// `arcloom run`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every program and every grid on the way to its result is tried on every task. Demo pairs decide what
is best; expected outputs of tests, where known, only say in the report whether that is right.

Exit code: 0 all tasks were run, 1 the run was stopped early or some programs did not load, 2 nothing
was run.

Examples:
  arcloom run --programs library:embedded --tasks embedded
  arcloom run -p solvers.py -t arc1/training --program-count 32 --seed 7 --count 50 --timing
  arcloom run -p library:rearc -t arc2/training --time-limit 5m --json")]
pub(crate) struct RunArgs {
    /// Solver files, folders, `library:` names, or `-`; may be repeated
    #[arg(long, short, value_name = "SPEC", required = true, num_args = 1..)]
    pub(crate) programs: Vec<String>,
    /// Task sets, may be repeated
    #[arg(long, short, value_name = "SET", default_value = "embedded", num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// Only these tasks
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) ids: Vec<String>,
    /// Draw that many tasks at random
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Only these programs, by function or task name
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) program_ids: Vec<String>,
    /// Draw that many programs at random
    #[arg(long, value_name = "N")]
    pub(crate) program_count: Option<usize>,
    /// Seed of both draws
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Not these programs, by function or task name
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Which differs rank what is not right: `native`, or `none` for right cells alone
    #[arg(long, value_enum, default_value = "native", value_name = "KIND")]
    pub(crate) differs: DiffersArg,
    /// File of programs `differ(S, I, C)` that also judge, may be repeated
    #[arg(long = "differ", value_name = "FILE")]
    pub(crate) user_differs: Vec<String>,
    /// Distinct candidates per task that differs judge
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) judged: usize,
    /// Distinct candidates per task that are reported
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) kept: usize,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Work units one call may spend before it ends as over budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget: Option<u64>,
    /// Stop after this long and report what is finished: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Who evaluates: `cpu`, `gpu` for all devices, `gpu:N` for one (see `arcloom devices`), `auto` for
    /// whoever is faster on a probe. Results are the same
    #[arg(long, value_name = "WHO", default_value = "cpu")]
    pub(crate) device: DeviceChoice,
    /// Archive to take from what earlier runs of these programs computed, and to leave it in
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) cache: Option<PathBuf>,
    /// Add the time by stage and by primitive
    #[arg(long)]
    pub(crate) timing: bool,
    /// Write what every thread did when, for Perfetto or chrome://tracing; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the summary only
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// List every task, and notes about the source
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// Which differs are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffersArg {
    // The built-in ones.
    Native,
    // Right cells alone.
    None,
}

/// A time such as `90s`, `1.5m`, `2h` or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(place) => text.split_at(place),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("no unit `{unit}`; write a time as in 90s, 10m or 2h")),
    };
    let wrong = || "write a time as in 90s, 10m or 2h".to_string();
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("90s"), Ok(90.0));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("2h"), Ok(7200.0));
        assert_eq!(seconds("7"), Ok(7.0));
        assert!(seconds("5 days").is_err() && seconds("-1s").is_err() && seconds("").is_err());
    }
}
