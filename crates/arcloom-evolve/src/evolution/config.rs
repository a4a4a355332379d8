//! Settings of a run.

use arcloom_graph::OwnDiffer;
use arcloom_lang::ProgramId;
use arcloom_tasks::{MorePairs, Task, TaskId};

/// More tasks than runs have.
const MOST_TASKS: usize = 10_000;

/// What a run is to do. What programs come up depends on all of it but when the run ends and how the
/// archive is pruned; a run is known by the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvolveConfig {
    /// Seed of everything random.
    pub seed: u64,
    /// Last generation, counted from 0, which is the library alone; `None` to go on until stopped.
    pub generations: Option<u64>,
    /// Work after which no further generation is begun, that of the library not counted.
    pub work: Option<u64>,
    /// Children per task, island and generation.
    pub children: usize,
    /// Most members of a population.
    pub population: usize,
    /// Populations per task that rarely meet.
    pub islands: usize,
    /// Generations between their meetings.
    pub migrate_every: u64,
    /// Generations that a solved task is still bred for, each time a better solver is found.
    pub polish: u64,
    /// End when every task is solved.
    pub stop_when_solved: bool,
    /// Pairs that a program must also solve before it is called a solver. They enter nothing else.
    pub more_pairs: MorePairs,
    /// Differs of the user's: how near a candidate is, is the mean of what the built-in ones say and what each
    /// of these says.
    pub differs: Vec<OwnDiffer>,
    /// Generations between two prunings of the archive; 0 for never.
    pub prune_every: u64,
    /// Size in bytes that the archive is kept below, by pruning harder.
    pub archive_limit: Option<u64>,
    /// Whether the archive keeps what this run hands in.
    pub hands_in: bool,
}

impl Default for EvolveConfig {
    fn default() -> EvolveConfig {
        EvolveConfig {
            seed: 0,
            generations: None,
            work: None,
            children: 256,
            population: 32,
            islands: 1,
            migrate_every: 10,
            polish: 12,
            stop_when_solved: true,
            more_pairs: MorePairs::default(),
            differs: Vec::new(),
            prune_every: 50,
            archive_limit: None,
            hands_in: true,
        }
    }
}

impl EvolveConfig {
    /// Whether a run that has done all before this generation with so much work is at its end.
    pub(super) fn is_over(&self, generation: u64, work: u64) -> bool {
        self.generations.is_some_and(|last| generation > last)
            || self.work.is_some_and(|most| work >= most && generation > 0)
    }

    /// Everything that results depend on, as a JSON object: settings, programs and tasks.
    pub fn identity(
        &self,
        library: impl Iterator<Item = ProgramId>,
        tasks: &[Task],
        budget: u64,
    ) -> String {
        let mut programs = blake3::Hasher::new();
        library.for_each(|program| {
            programs.update(&program.0);
        });
        let mut all = blake3::Hasher::new();
        tasks.iter().for_each(|task| {
            all.update(&task.visible_id().0);
        });
        let mut more = blake3::Hasher::new();
        for task in tasks {
            let pairs = self.more_pairs.of(&task.id);
            more.update(&(pairs.len() as u64).to_le_bytes());
            pairs.iter().for_each(|pair| {
                more.update(&pair.content_id().0);
            });
        }
        // Runs without them are known by what they were known by before.
        let mut own = String::new();
        if !self.differs.is_empty() {
            let mut hasher = blake3::Hasher::new();
            self.differs.iter().for_each(|differ| _ = hasher.update(&differ.id.0));
            own = format!(", \"differs\": \"{}\"", hasher.finalize().to_hex());
        }
        format!(
            "{{\"children\": {}, \"population\": {}, \"islands\": {}, \"migrate_every\": {}, \
             \"polish\": {}, \"budget\": {budget}, \"library\": \"{}\", \"tasks\": \"{}\", \
             \"more_pairs\": \"{}\"{own}}}",
            self.children,
            self.population,
            self.islands,
            self.migrate_every,
            self.polish,
            programs.finalize().to_hex(),
            all.finalize().to_hex(),
            more.finalize().to_hex()
        )
    }

    /// Whether `more_pairs` of an identity says that there were no further pairs for any task.
    pub fn kept_nothing_back(more_pairs: &str) -> bool {
        let mut none = blake3::Hasher::new();
        (0..=MOST_TASKS).any(|_| {
            let is_it = none.finalize().to_hex().as_str() == more_pairs;
            none.update(&0u64.to_le_bytes());
            is_it
        })
    }

    /// The seed of one population in one generation.
    pub(super) fn stream(&self, generation: u64, island: usize, task: TaskId) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"arcloom colony 1\0").update(&self.seed.to_le_bytes());
        hasher.update(&generation.to_le_bytes()).update(&(island as u64).to_le_bytes());
        *hasher.update(&task.0).finalize().as_bytes()
    }
}
