//! Evolution with the engine: a library's best programs to begin with, generations in the archive, and
//! the outputs that are handed in. The loop itself is `arcloom-evolve`; what callers need of it is here.
//!
//! | file | what it does |
//! |---|---|
//! | `evolve/journal.rs` | generations into the archive, and a run out of it again |
//! | `evolve/hand_in.rs` | which outputs of the members are handed in |

use arcloom_evolve::{Evolution, Founder, Founders, MadeFrom, Parent};
use arcloom_graph::Stop;
use arcloom_lang::Program;
use arcloom_store::{RunState, StoreError};
use arcloom_tasks::TaskSet;

use crate::archive::Storage;
use crate::engine::Engine;
use crate::library::Entry;
use crate::run::{RunOptions, TaskRun};
use crate::standing::Standing;
use crate::timing::span;

mod hand_in;
mod journal;

pub use arcloom_evolve::{
    Asked, Asking, Attempt, EvolveConfig, Exchange, Fate, Finding, Fitness, Folder, Helpers,
    Nearest, OperatorCount, OperatorRow, Progress, Proposer, ProposerFault, Reply, Ring,
    Validation, validate,
};

use journal::ArchiveJournal;

/// What is evolved, and how.
#[derive(Clone, Copy)]
pub struct EvolveRequest<'a> {
    /// The programs that generation 0 is made of.
    pub library: &'a [Entry],
    /// The tasks.
    pub tasks: &'a TaskSet,
    /// Settings.
    pub config: &'a EvolveConfig,
    /// Who else makes programs.
    pub helpers: Option<&'a Helpers>,
}

impl<'a> EvolveRequest<'a> {
    /// Evolution on its own.
    pub fn new(
        library: &'a [Entry],
        tasks: &'a TaskSet,
        config: &'a EvolveConfig,
    ) -> EvolveRequest<'a> {
        EvolveRequest { library, tasks, config, helpers: None }
    }

    /// With others who write programs too.
    pub fn with_helpers(self, helpers: &'a Helpers) -> EvolveRequest<'a> {
        EvolveRequest { helpers: Some(helpers), ..self }
    }
}

/// A task that was not solved by what was there, and is now.
#[derive(Debug, Clone)]
pub struct NewSolver {
    /// The task.
    pub task: String,
    /// The program, validated.
    pub program: Program,
    /// The generation it came up in.
    pub generation: u64,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct EvolveReport {
    /// Generations that are done, generation 0 included.
    pub generations: u64,
    /// Generations that were there when this process began.
    pub resumed_at: u64,
    /// Tasks solved by what was there, and now.
    pub solved: (usize, usize),
    /// Tasks solved since generation 0, in the order of the set.
    pub found: Vec<NewSolver>,
    /// For each task, in the order of the set, what is handed in.
    pub standings: Vec<Standing>,
    /// Distinct programs evaluated by this process.
    pub evaluations: u64,
    /// The last generation's figures.
    pub last: Option<Progress>,
    /// True when the run was stopped from outside.
    pub stopped: bool,
    /// True when the archive could not be written any more and the last generations are not in it.
    pub unstored: bool,
}

/// Who ended a run that did not come to its end: its user, or the clock.
pub(crate) fn ended_by(stop: &Stop) -> RunState {
    if stop.is_set() { RunState::Stopped } else { RunState::TimeUp }
}

impl Engine {
    /// Evolves programs for tasks, starting from a library, until the configuration or `stop` says so.
    /// A run with the same seed, settings, library and tasks that is in the archive goes on.
    pub fn evolve<'a>(
        &self,
        request: &EvolveRequest<'_>,
        archive: impl Into<Storage<'a>>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<EvolveReport, StoreError> {
        let EvolveRequest { library, tasks, config, helpers } = *request;
        let _entered = self.functions().enter();
        let alone = Helpers::default();
        let library_stage = span("library");
        let donors: Vec<Parent> =
            library.iter().map(|entry| Parent::new(entry.program.clone())).collect();
        let helpers = helpers.unwrap_or(&alone);
        let run = Evolution { workers: self.workers(), config, donors: &donors, helpers, stop };
        let mut journal = ArchiveJournal::open(self, request, archive.into())?;
        drop(library_stage);
        let founders = || self.founders(request, stop);
        let evolved = run.run(&tasks.tasks, founders, &mut journal, progress)?;
        if evolved.stopped {
            journal.stopped(ended_by(stop))?;
        }
        let _stage = span("hand in");
        let state = &evolved.state;
        let found = evolved.tasks.iter().enumerate().filter_map(|(n, task)| {
            let member = state.solver(n).filter(|member| member.made.generation > 0)?;
            let (program, generation) = (member.program().clone(), member.made.generation);
            Some(NewSolver { task: task.task.id.clone(), program, generation })
        });
        let standings = evolved.tasks.iter().enumerate();
        Ok(EvolveReport {
            generations: state.generation,
            resumed_at: evolved.resumed_at,
            solved: (state.solved_at_start, state.solved()),
            found: found.collect(),
            standings: standings
                .map(|(n, task)| hand_in::standing(task, state.members(n)))
                .collect(),
            evaluations: evolved.evaluations,
            last: evolved.last,
            stopped: evolved.stopped,
            unstored: journal.is_unstored(),
        })
    }

    /// The best programs of a library on every task; nothing when stopped.
    fn founders(&self, request: &EvolveRequest<'_>, stop: &Stop) -> Option<Founders> {
        let EvolveRequest { library, tasks, config, .. } = *request;
        let batt = self.merge(library);
        let options =
            RunOptions { kept: config.population, device: self.device(), ..RunOptions::default() };
        let runs = self.run_then(&batt, &tasks.tasks, &options, stop, |_, run, _| run);
        let runs: Vec<TaskRun> = runs.into_iter().collect::<Option<_>>()?;
        let inputs: u64 = runs.iter().map(|run| run.counts.inputs).sum();
        let of_task = |run: TaskRun| {
            let founder = |best: crate::run::Candidate| {
                let file = best.roots.first().map(|root| library[*root].file.clone());
                Founder {
                    program: best.program,
                    from: file.map_or(MadeFrom::Transfer, MadeFrom::File),
                }
            };
            run.best.into_iter().map(founder).collect()
        };
        Some(Founders {
            evaluations: inputs * library.len() as u64 / tasks.tasks.len().max(1) as u64,
            of_tasks: runs.into_iter().map(of_task).collect(),
        })
    }
}
