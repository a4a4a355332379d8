//! What came of `solve`: proposals of a task, and all tasks.

use std::ops::AddAssign;
use std::time::Duration;

use arcloom_graph::{Plan, TaskView};
use arcloom_lang::load_file;
use arcloom_tasks::{Task, TaskSet};
use arcloom_value::Grid;

use crate::attempts::Attempts;
use crate::engine::Engine;
use crate::standing::Standing;
use crate::verdict::Verdict;

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ingredient {
    /// A program of the library, or a part of one.
    Transfer,
    /// Enumeration and composition of sheets.
    Search,
    /// Mutation of what the others have.
    Evolution,
    /// The search in other frames and over parts.
    Frames,
}

impl Ingredient {
    /// All of them, in the order in which a task goes past them.
    pub const ALL: [Ingredient; 4] =
        [Ingredient::Transfer, Ingredient::Search, Ingredient::Frames, Ingredient::Evolution];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Ingredient::Transfer => "transfer",
            Ingredient::Search => "search",
            Ingredient::Frames => "frames",
            Ingredient::Evolution => "evolution",
        }
    }

    /// Several of them, in the order in which they came.
    pub fn names(all: &[Ingredient]) -> String {
        let names: Vec<&str> = all.iter().map(|ingredient| ingredient.name()).collect();
        names.join("+")
    }
}

/// Outputs for all tests of a task.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// One grid per test.
    pub outputs: Vec<Grid>,
    /// Demos that come out right.
    pub fits: usize,
    /// Who proposes it, in the order in which they did.
    pub sources: Vec<Ingredient>,
    /// How little it is to be trusted.
    pub doubt: i32,
    /// The program, as text.
    pub program: Option<String>,
}

/// One task.
#[derive(Debug, Clone)]
pub struct SolveTask {
    /// The task.
    pub id: String,
    /// Number of demo pairs.
    pub demos: usize,
    /// The best proposals, best first; the first two are the attempts.
    pub proposals: Vec<Proposal>,
    /// Chains of steps that the search built.
    pub chains: usize,
    /// Work that was done, in nanoseconds by the scale.
    pub work: u64,
    /// Processor time that it took, without that of evolution; `None` where it was remembered or the system
    /// does not say.
    pub cpu: Option<Duration>,
    /// Bytes that were held at the most.
    pub bytes: usize,
    /// Answers that were dropped because their program does something else.
    pub unprintable: usize,
}

impl SolveTask {
    /// Demos that some proposal fits, the most of all.
    pub fn fits(&self) -> usize {
        self.proposals.iter().map(|p| p.fits).max().unwrap_or(0)
    }

    /// True when some proposal fits all demos.
    pub fn is_fit(&self) -> bool {
        self.fits() == self.demos
    }

    /// What is handed in.
    pub fn attempts(&self) -> Attempts {
        let tests = self.proposals.first().map_or(0, |p| p.outputs.len());
        Attempts::first_of(tests, self.proposals.iter().map(|p| p.outputs.as_slice()))
    }

    /// What is handed in, with what is known of it.
    pub(super) fn standing(&self, engine: &Engine, task: &Task) -> Standing {
        let first = self.proposals.first();
        let origin = first.map_or_else(String::new, |p| Ingredient::names(&p.sources));
        let load = |text: &String| load_file(text).programs.pop();
        let program = first.and_then(|p| p.program.as_ref()).and_then(load);
        let similarity = program.as_ref().map_or(0, |program| {
            let plan = Plan::new(program);
            engine.evaluate(&mut engine.machine(), &plan, &TaskView::new(task)).fit.similarity()
        });
        Standing {
            task: task.visible_id(),
            name: task.id.clone(),
            demos: self.demos,
            fits: self.fits(),
            similarity,
            origin,
            program: program.map(|program| program.id()),
            attempts: self.attempts(),
        }
    }

    /// How far the task is by that, for reports.
    pub fn verdict(&self, task: &Task) -> Verdict {
        Verdict::of_attempts(task, self.fits(), &self.attempts())
    }
}

/// What earlier runs had left in the archive for this one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KnownStats {
    /// Tasks that were not solved again.
    pub hits: usize,
    /// Tasks that were looked for and not found.
    pub misses: usize,
    /// Processor time that solving the hits took when it was done.
    pub saved: Duration,
    /// What looking took, proofs included.
    pub spent: Duration,
}

impl AddAssign for KnownStats {
    fn add_assign(&mut self, more: KnownStats) {
        self.hits += more.hits;
        self.misses += more.misses;
        self.saved += more.saved;
        self.spent += more.spent;
    }
}

/// All tasks.
#[derive(Debug)]
pub struct SolveReport {
    /// By id.
    pub tasks: Vec<SolveTask>,
    /// Tasks that have no answer because the run was stopped.
    pub unfinished: usize,
    /// Tasks that have the answers of the first look because the run was stopped.
    pub brief: usize,
    /// True when the archive could not be written any more and lacks what was found after that.
    pub unstored: bool,
    /// What earlier runs had left.
    pub known: KnownStats,
}

impl SolveReport {
    /// Tasks for which something fits all demos.
    pub fn fits(&self) -> usize {
        self.tasks.iter().filter(|t| t.is_fit()).count()
    }

    /// Answers whose programs do something else; they are no proposals.
    pub fn unprintable(&self) -> usize {
        self.tasks.iter().map(|t| t.unprintable).sum()
    }

    /// How far each of the tasks is, for reports.
    pub fn verdicts(&self, tasks: &TaskSet) -> Vec<Verdict> {
        self.tasks.iter().filter_map(|t| Some(t.verdict(tasks.get(&t.id)?))).collect()
    }
}
