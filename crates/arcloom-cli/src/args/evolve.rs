//! The arguments of `arcloom evolve`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use arcloom::corpus::MorePairs;
use arcloom::evolve::EvolveConfig;

use super::archive::bytes;
use super::run::duration;

/// `arcloom evolve`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Generation 0 is the library alone: every program and every grid on the way, on every task. From then
on programs are bred for the tasks that are not solved. Each generation is stored as a whole; the same
command goes on where it was stopped, by Ctrl-C, by a signal or by the machine.

With --submission, an archive that cannot be written any more does not end the run: a warning says so,
and the submission is written at the end. A malformed task gets blank attempts in it.

Exit code: 0 the budget was used up or every task is solved, 1 stopped early, some programs did not
load, tasks were malformed, or the archive is not complete, 2 nothing was run.

Examples:
  arcloom evolve -p library:embedded -t embedded --budget 20s
  arcloom evolve -p library:rearc -t arc1/training --count 100 --withhold --budget 10m -a mine.db
  arcloom evolve -p library:rearc -t challenges.json --budget 9h --submission submission.json")]
pub(crate) struct EvolveArgs {
    /// Programs to start from: files, folders, `library:` names, or `-`; may be repeated
    #[arg(
        long,
        short,
        visible_alias = "library",
        value_name = "SPEC",
        default_value = "library:embedded",
        num_args = 1..
    )]
    pub(crate) programs: Vec<String>,
    /// Task sets, may be repeated
    #[arg(long, short, value_name = "SET", default_value = "embedded", num_args = 1..)]
    pub(crate) tasks: Vec<String>,
    /// The archive; made when missing
    #[arg(long, short, value_name = "FILE", default_value = "archive.db")]
    pub(crate) archive: PathBuf,
    /// How long: 60s, 10m, 9h, or a number of generations as in 50g
    #[arg(long, short, value_name = "HOW", default_value = "60s")]
    pub(crate) budget: Budget,
    /// Seed of everything random, draws included
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only these tasks
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub(crate) ids: Vec<String>,
    /// Draw that many tasks at random
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Leave out the programs that were written for these tasks
    #[arg(long)]
    pub(crate) withhold: bool,
    /// Children per task, island and generation
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().children)]
    pub(crate) children: usize,
    /// Most programs alive per task and island
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().population)]
    pub(crate) population: usize,
    /// Populations per task that rarely meet
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) islands: u16,
    /// Generations between two meetings
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().migrate_every, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) migrate_every: u64,
    /// Generations in which a shorter program is still looked for after a solver was found
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().polish)]
    pub(crate) polish: u64,
    /// Go on when every task is solved
    #[arg(long)]
    pub(crate) go_on: bool,
    /// Further pairs that a program must solve before it is called a solver: JSON, a list of pairs by
    /// task id
    #[arg(long, value_name = "FILE")]
    pub(crate) more_pairs: Option<PathBuf>,
    /// Generations between two prunings of the archive, 0 for none
    #[arg(long, value_name = "N", default_value_t = EvolveConfig::default().prune_every)]
    pub(crate) prune_every: u64,
    /// Keep the archive below this size by pruning harder: 20MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) archive_limit: Option<u64>,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Work units one call may spend before it ends as over budget
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) call_budget: u64,
    /// Write Kaggle's file with the best answers at the end; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) submission: Option<PathBuf>,
    /// Print one JSON object per generation, and one at the end
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl EvolveArgs {
    /// What the run is to do. Every field is named, so that a new one needs an option.
    pub(crate) fn config(&self, more_pairs: MorePairs) -> EvolveConfig {
        EvolveConfig {
            hands_in: true,
            seed: self.seed,
            generations: match self.budget {
                Budget::Generations(most) => Some(most),
                Budget::Time(_) => None,
            },
            // How `solve` bounds its share.
            work: None,
            children: self.children,
            population: self.population.max(1),
            islands: self.islands.into(),
            migrate_every: self.migrate_every,
            polish: self.polish,
            stop_when_solved: !self.go_on,
            more_pairs,
            prune_every: self.prune_every,
            archive_limit: self.archive_limit,
        }
    }
}

/// How long a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// This long, to the end of a generation.
    Time(Duration),
    /// To this generation.
    Generations(u64),
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let number = text
            .strip_suffix("generations")
            .or_else(|| text.strip_suffix("generation"))
            .or_else(|| text.strip_suffix('g'));
        match number {
            Some(number) => number.trim().parse().map(Budget::Generations).map_err(|_| {
                format!("`{text}` is not a number of generations; write 50g, or a time as in 10m")
            }),
            None => duration(text).map(Budget::Time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_times_or_generations() {
        assert_eq!("50g".parse(), Ok(Budget::Generations(50)));
        assert_eq!("3 generations".parse(), Ok(Budget::Generations(3)));
        assert_eq!("10m".parse(), Ok(Budget::Time(Duration::from_secs(600))));
        assert!("many".parse::<Budget>().is_err() && "xg".parse::<Budget>().is_err());
    }
}
