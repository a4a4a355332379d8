//! What is stored, as plain data.
//!
//! Programs and tasks are named by what they are: the hash of their content. Numbers of rows stay
//! inside the file, so records can go from one archive to another; only runs have a number of the
//! archive they are in.

use std::fmt;

use arcloom_lang::{Form, Program, ProgramId, load_file, text};
use arcloom_tasks::{Behaviour, TaskId};

use crate::error::{Result, StoreError};
use crate::prune::Prune;

/// A run of this archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunNumber(pub i64);

/// The name under which every stored text defines its program. The real one is beside it, so that
/// equal programs have equal texts.
pub const TEXT_NAME: &str = "solve";

/// A program, and where it is from. Of two records with one id the first that is stored counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRecord {
    /// Identity by content.
    pub id: ProgramId,
    /// Name of its function.
    pub name: String,
    /// Straight lines, as the function `solve`.
    pub text: String,
    /// Number of calls.
    pub size: u64,
    /// What it costs to run, in the units of whoever made it.
    pub cost: u64,
    /// The run that made it; `None` for programs from files.
    pub run: Option<RunNumber>,
    /// The generation of that run.
    pub generation: Option<u64>,
    /// What made it out of its parents.
    pub operator: Option<String>,
    /// The file or library it is from, or [`ProgramRecord::EVOLVED`].
    pub source: String,
    /// When it was stored, in seconds since 1970.
    pub added: i64,
    /// The programs it was made from, in the operator's order.
    pub parents: Vec<ProgramId>,
}

impl ProgramRecord {
    /// The source of programs that evolution made.
    pub const EVOLVED: &'static str = "evolved";
    /// The source of programs that the search made.
    pub const SEARCH: &'static str = "search";
    /// The source of programs that are a part of one of a library.
    pub const TRANSFER: &'static str = "transfer";

    /// Where it is from.
    pub fn origin(&self) -> Origin<'_> {
        match (self.source.as_str(), self.generation) {
            (ProgramRecord::EVOLVED, generation) => {
                Origin::Evolution { generation, by: self.operator.as_deref() }
            }
            (ProgramRecord::SEARCH, _) => Origin::Search,
            (ProgramRecord::TRANSFER, _) => Origin::Transfer,
            (file, _) => Origin::File(file),
        }
    }

    /// The record of a program without parents.
    pub fn new(program: &Program, source: &str) -> ProgramRecord {
        let mut plain = program.clone();
        plain.name = TEXT_NAME.to_owned();
        ProgramRecord {
            id: program.id(),
            name: program.name.clone(),
            text: text::print(&plain, Form::Straight),
            size: program.size() as u64,
            cost: 0,
            run: None,
            generation: None,
            operator: None,
            source: source.to_owned(),
            added: 0,
            parents: Vec::new(),
        }
    }

    /// The program, under its name. An error when the text is not the program of the id.
    pub fn program(&self) -> Result<Program> {
        let wrong = |problem: String| StoreError::Program { id: self.id.to_string(), problem };
        let mut loaded = load_file(&self.text);
        if let Some(error) = loaded.errors.first() {
            return Err(wrong(format!("its text does not load: {}", error.kind)));
        }
        let (Some(mut program), true) = (loaded.programs.pop(), loaded.programs.is_empty()) else {
            return Err(wrong("its text is not one program".to_owned()));
        };
        let found = program.id();
        if found != self.id {
            return Err(wrong(format!("its text is that of program {found}")));
        }
        program.name.clone_from(&self.name);
        Ok(program)
    }
}

/// Where a program is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A file or library.
    File(&'a str),
    /// A part of a library's program.
    Transfer,
    /// The search.
    Search,
    /// Evolution.
    Evolution {
        /// The generation it came up in.
        generation: Option<u64>,
        /// The operator or proposer that made it.
        by: Option<&'a str>,
    },
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(file) => f.write_str(file),
            Origin::Transfer => f.write_str("transfer"),
            Origin::Search => f.write_str("search"),
            Origin::Evolution { generation, by } => {
                f.write_str("evolution")?;
                if let Some(generation) = generation {
                    write!(f, ", generation {generation}")?;
                }
                by.map_or(Ok(()), |by| write!(f, ", by {by}"))
            }
        }
    }
}

/// What is handed in for a task. Whether it is right is nobody's to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingRecord {
    /// The task.
    pub task: TaskId,
    /// Number of demo pairs.
    pub demos: u32,
    /// Demo pairs that the best of what is handed in fits.
    pub fits: u32,
    /// Its similarity on the demos, in thousandths.
    pub similarity: u32,
    /// Where the first attempt is from, for people.
    pub origin: String,
    /// The program of the first attempt.
    pub program: Option<ProgramId>,
    /// For each test up to two grids as JSON, the better first.
    pub attempts: Vec<Vec<String>>,
}

/// A task that results refer to. The grids are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRecord {
    /// Identity by content.
    pub id: TaskId,
    /// What people call it, such as `00d62c1b`.
    pub name: String,
    /// The set it was taken from.
    pub set: String,
}

/// How a program does on the demo pairs of a task. Test answers are never looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRecord {
    /// The program.
    pub program: ProgramId,
    /// The task.
    pub task: TaskId,
    /// For each demo pair `1` when it fits, `0` when not, in the order of the task's file.
    pub pairs: String,
    /// How near it is on the demos, in thousandths.
    pub similarity: u32,
    /// What it took to run it on all inputs.
    pub work: u64,
    /// What it does on all inputs, test inputs included.
    pub behaviour: Behaviour,
    /// Whether it held on what was kept back from the search; `None` where nothing was kept back.
    pub validated: Option<bool>,
}

impl ResultRecord {
    /// Number of demo pairs.
    pub fn demos(&self) -> usize {
        self.pairs.len()
    }

    /// Number of demo pairs it solves.
    pub fn solved(&self) -> usize {
        self.pairs.bytes().filter(|&b| b == b'1').count()
    }

    /// True when it solves all of them.
    pub fn is_solved(&self) -> bool {
        !self.pairs.is_empty() && self.solved() == self.demos()
    }
}

/// What a differ says about a program on a task that has a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreRecord {
    /// The program.
    pub program: ProgramId,
    /// The task.
    pub task: TaskId,
    /// Name of the differ.
    pub differ: String,
    /// From 0 to 1000.
    pub score: u32,
}

/// The grid a program gives for a test input, for a result that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionRecord {
    /// The program.
    pub program: ProgramId,
    /// The task.
    pub task: TaskId,
    /// Which test input, from 0.
    pub test: u32,
    /// The grid as JSON: a list of rows.
    pub grid: String,
}

/// What is known about programs, as it is added together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Records {
    /// Programs; those that are there already are passed over.
    pub programs: Vec<ProgramRecord>,
    /// Tasks, likewise.
    pub tasks: Vec<TaskRecord>,
    /// Results of programs and tasks that are there or in this list.
    pub results: Vec<ResultRecord>,
    /// Scores of results that are there or in this list.
    pub scores: Vec<ScoreRecord>,
    /// Predictions of results that are there or in this list.
    pub predictions: Vec<PredictionRecord>,
    /// What is handed in for tasks that are there or in this list, in place of what was before.
    pub standings: Vec<StandingRecord>,
    /// What runs that are there hand in for tasks that are there or in this list.
    pub run_tasks: Vec<RunTaskRecord>,
}

/// What one run hands in for a task, with everything that it might have handed in.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTaskRecord {
    /// The run.
    pub run: RunNumber,
    /// What it hands in.
    pub standing: StandingRecord,
    /// All proposals by rank, as a JSON list.
    pub proposals: String,
    /// What it took, where that is known; what is stored stays where it is not.
    pub seconds: Option<f64>,
}

/// What a run is a run of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunKind {
    /// `evolve`: generations.
    #[default]
    Evolve,
    /// `solve`: tasks, one after the other.
    Solve,
    /// Evolution as a part of another run, which hands in for it.
    Part,
}

impl RunKind {
    /// The word in the file.
    pub fn name(self) -> &'static str {
        match self {
            RunKind::Evolve => "evolve",
            RunKind::Solve => "solve",
            RunKind::Part => "part",
        }
    }

    pub(crate) fn by_name(name: &str) -> RunKind {
        match name {
            "solve" => RunKind::Solve,
            "part" => RunKind::Part,
            _ => RunKind::Evolve,
        }
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Under way, or killed: [`Archive::is_alive`](crate::Archive::is_alive) tells which.
    Running,
    /// Stopped by its user: to be resumed.
    Stopped,
    /// Its time was up: to be resumed.
    TimeUp,
    /// Came to its end.
    Finished,
}

impl RunState {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::TimeUp => "time up",
            RunState::Finished => "finished",
        }
    }

    /// The columns `state` and `ended`. A run that was stopped goes on as one that was killed does.
    pub(crate) fn columns(self) -> (&'static str, Option<&'static str>) {
        match self {
            RunState::Running => ("running", None),
            RunState::Stopped => ("running", Some("stopped")),
            RunState::TimeUp => ("running", Some("time")),
            RunState::Finished => ("finished", None),
        }
    }

    pub(crate) fn of_columns(state: &str, ended: Option<&str>) -> RunState {
        match (state, ended) {
            ("finished", _) => RunState::Finished,
            (_, Some("stopped")) => RunState::Stopped,
            (_, Some("time")) => RunState::TimeUp,
            _ => RunState::Running,
        }
    }
}

/// A run that is to begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRun {
    /// What it is a run of.
    pub kind: RunKind,
    /// What people call its tasks and programs, as a JSON object; nothing depends on it.
    pub about: String,
    /// The seed of everything random.
    pub seed: u64,
    /// The whole configuration, as a JSON object in a fixed order of keys.
    pub config: String,
    /// The version of arcloom.
    pub version: String,
    /// When, in seconds since 1970.
    pub started: i64,
}

/// A run that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// Its number in this archive.
    pub number: RunNumber,
    /// What it is a run of.
    pub kind: RunKind,
    /// What people call its tasks and programs, as a JSON object.
    pub about: String,
    /// The process that last worked on it.
    pub process: Option<u32>,
    /// Its identity in all archives: the hash of seed, configuration, version and `repeat`.
    pub id: [u8; 32],
    /// How many runs with the same seed, configuration and version were there before.
    pub repeat: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// The whole configuration as JSON.
    pub config: String,
    /// The version of arcloom.
    pub version: String,
    /// When it began, in seconds since 1970.
    pub started: i64,
    /// Generations that are stored; the next one has this number.
    pub generations: u64,
    /// How far it is.
    pub state: RunState,
    /// What the run needs besides its populations to go on, in a form of its own.
    pub checkpoint: Vec<u8>,
}

/// One generation in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationRecord {
    /// The run.
    pub run: RunNumber,
    /// Which generation, from 0.
    pub number: u64,
    /// Programs evaluated on tasks in it.
    pub evaluations: u64,
    /// Programs that were not in the archive before.
    pub new_programs: u64,
    /// Tasks solved so far.
    pub solved: u64,
    /// More figures, as a JSON object.
    pub stats: String,
    /// When it was done, in seconds since 1970.
    pub finished: i64,
    /// Bytes of memory that the process took then, where the system tells.
    pub memory: Option<u64>,
}

/// How an operator did, from the run's beginning to the end of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorRecord {
    /// Name of the operator.
    pub operator: String,
    /// Times it was used.
    pub applied: u64,
    /// Times that gave a valid program.
    pub valid: u64,
    /// Times that gave one not seen before.
    pub new: u64,
    /// Times that gave one better than its parents.
    pub improving: u64,
}

/// The programs that are alive for one task on one island, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopulationRecord {
    /// The task.
    pub task: TaskId,
    /// The island.
    pub island: u32,
    /// The programs, in order.
    pub members: Vec<ProgramId>,
    /// What the island needs besides its members to go on, in a form of its own.
    pub state: Vec<u8>,
}

/// Something that was computed and may be needed again.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheRecord {
    /// Everything the value depends on, hashed.
    pub key: Vec<u8>,
    /// The value.
    pub value: Vec<u8>,
    /// What it took to compute.
    pub seconds: f64,
    /// How often it was used.
    pub hits: u64,
}

/// Everything of one generation; stored as a whole or not at all.
#[derive(Debug, Clone)]
pub struct GenerationBatch {
    /// Its figures. The number must be the run's next one.
    pub figures: GenerationRecord,
    /// Programs and results that came up in it.
    pub records: Records,
    /// Operators, cumulative.
    pub operators: Vec<OperatorRecord>,
    /// Populations that changed; each replaces the stored one of its task and island.
    pub populations: Vec<PopulationRecord>,
    /// What the run needs to go on after this generation.
    pub checkpoint: Vec<u8>,
    /// How far the run is.
    pub state: RunState,
    /// Prunes in the same transaction, so that an interruption cannot come between.
    pub prune: Option<Prune>,
}
