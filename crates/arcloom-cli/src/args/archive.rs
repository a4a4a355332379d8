//! The arguments of `arcloom archive`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::figure::FigureArgs;

/// `arcloom archive`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An archive is one SQLite file; `docs/archive.md` describes it for other tools. Any number of processes
may read one while one writes it.

Exit code: 0 done, 1 something was not right or (`diff`) not the same, 2 nothing done.

Examples:
  arcloom archive import library:embedded --tasks embedded
  arcloom archive list --solved
  arcloom archive lineage 3f2a91 -o lineage.svg
  arcloom archive curves -o curves.pdf
  arcloom archive -a all.db merge monday.db tuesday.db")]
pub(crate) struct ArchiveArgs {
    /// The archive
    #[arg(long, short, global = true, value_name = "FILE", default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    #[command(subcommand)]
    pub(crate) command: ArchiveCommand,
}

/// What to do with an archive.
#[derive(Debug, Subcommand)]
pub(crate) enum ArchiveCommand {
    /// Say how much of what there is
    Stats {
        /// Add the table of tasks
        #[arg(long)]
        tasks: bool,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// List programs with their best result
    List {
        #[command(flatten)]
        filter: FilterArgs,
        /// List at most that many
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Print a program, where it is from and how it does
    Show {
        /// The beginning of its id, or its function or task name
        program: String,
    },
    /// Draw what a program was made from
    Lineage {
        /// The beginning of its id, or its function or task name
        program: String,
        /// Draw what was made from it instead
        #[arg(long)]
        descendants: bool,
        /// Go at most that many steps
        #[arg(long, value_name = "N", default_value_t = 20)]
        depth: usize,
        #[command(flatten)]
        figure: FigureArgs,
    },
    /// Draw runs over their generations: tasks that fit, speed, what operators gave
    Curves {
        /// Runs by number; all when left out
        runs: Vec<i64>,
        /// Draw them over seconds instead of generations
        #[arg(long)]
        by_time: bool,
        #[command(flatten)]
        figure: FigureArgs,
    },
    /// Write programs as a file
    Export {
        /// A Python file for the original arc-dsl, JSON lines with results, or Stitch's JSON
        #[arg(long, short, value_enum, default_value = "python")]
        format: FormatArg,
        #[command(flatten)]
        filter: FilterArgs,
        /// Write to a file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Add programs from solver files, libraries or exported JSON lines
    Import {
        /// Solver files, folders, `library:` names, `-`, or .jsonl files
        #[arg(required = true)]
        sources: Vec<String>,
        /// Run each program on its own task of these sets and store the results
        #[arg(long, short, value_name = "SET")]
        tasks: Vec<String>,
        /// Worker threads [default: one per core]
        #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
    },
    /// Take over what other archives have; also copies an archive while it is being written
    Merge {
        /// The other archives, which stay as they are
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Keep the best and the most different programs of each task, and what they were made from
    Prune {
        /// Best programs per task
        #[arg(long, value_name = "N", default_value_t = 50)]
        best: usize,
        /// Most different programs per task, besides these
        #[arg(long, value_name = "N", default_value_t = 50)]
        different: usize,
        /// Also drop what kept programs were made from
        #[arg(long)]
        no_lineage: bool,
        /// Prune harder until the file is no larger: 500kB, 20MB, 2GB
        #[arg(long, value_name = "SIZE", value_parser = bytes)]
        max_size: Option<u64>,
    },
    /// Check the file, every program's text, and every result by running it again
    Verify {
        /// Where to look for the tasks, may be repeated [default: the sets they were taken from]
        #[arg(long, short, value_name = "SET")]
        tasks: Vec<String>,
        /// Worker threads [default: one per core]
        #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
        /// Work units one call may spend, as in the run that made the results
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        budget: Option<u64>,
    },
    /// Say in what two archives differ first, times apart
    Diff {
        /// One archive
        first: PathBuf,
        /// Another one
        second: PathBuf,
    },
}

/// Which programs to take.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only programs with a result on this task
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only programs that solve all demo pairs of a task
    #[arg(long)]
    pub(crate) solved: bool,
    /// Only that many per task, the best ones
    #[arg(long, value_name = "N")]
    pub(crate) best: Option<usize>,
}

/// A form of exported programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    // For the original arc-dsl.
    Python,
    // Everything about programs, to be imported again.
    Jsonl,
    // For Stitch.
    Stitch,
}

/// A size such as `500kB`, `20MB`, `2GB` or a number of bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a size as in 500kB, 20MB or 2GB".to_owned();
    let place = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(place);
    let scale: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    if number.is_finite() && number >= 0.0 { Ok((number * scale) as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("500kB"), Ok(500_000));
        assert_eq!(bytes("1.5 MB"), Ok(1_500_000));
        assert_eq!(bytes("2G"), Ok(2_000_000_000));
        assert_eq!(bytes("77"), Ok(77));
        assert!(bytes("-1").is_err() && bytes("lots").is_err() && bytes("1 TiB").is_err());
    }
}
