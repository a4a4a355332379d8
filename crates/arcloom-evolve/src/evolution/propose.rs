//! Programs written by someone outside: a person's function, or a language model behind one.
//!
//! Proposers are asked between generations, once per unsolved task. What they give is read as any
//! program is; what loads joins the populations and must earn its place there. A proposer that fails,
//! or whose text does not load, is counted and does not end the run.

use std::sync::{Arc, Mutex, PoisonError};

use arcloom_lang::{Form, Program, function_name, one_program, text};
use arcloom_tasks::Task;

use super::exchange::Exchange;
use super::member::{Member, MemberOrigin};
use super::{Evolution, EvolutionState, EvolveTask};

/// Someone who writes programs for a task.
pub trait Proposer: Send + Sync {
    /// Name in the archive and in messages.
    fn name(&self) -> &'static str;
    /// Texts of programs. What went wrong on the way is told in words for people, each time once; what
    /// was written all the same still counts.
    fn propose(&self, asked: &Asked<'_>, fault: &mut dyn FnMut(String)) -> Vec<String>;
}

/// What a proposer is told. Test answers are not among it.
pub struct Asked<'a> {
    /// The task; whoever passes it on takes the test answers out.
    pub task: &'a Task,
    /// The generation that is about to be bred.
    pub generation: u64,
    /// The best programs so far, best first.
    pub best: Vec<Attempt>,
}

/// A program that was tried on a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its text.
    pub text: String,
    /// For each demo `1` when it is right, else `0`.
    pub pairs: String,
    /// How near it is on the demos, in thousandths.
    pub similarity: u32,
    /// What is wrong with it, for people.
    pub failures: Vec<String>,
}

/// Someone from outside that failed: a proposer, or an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposerFault {
    /// Its name.
    pub name: String,
    /// How often that happened.
    pub times: u64,
    /// Why, the first time.
    pub reason: String,
}

/// Who else makes programs in a run.
#[derive(Default)]
pub struct Helpers {
    /// They are asked in this order.
    pub proposers: Vec<Box<dyn Proposer>>,
    /// Generations between two rounds of asking; 0 counts as 1.
    pub every: u64,
    /// Most programs so far that a proposer is shown; 0 counts as 8.
    pub shown: usize,
    /// Islands elsewhere.
    pub exchange: Option<Box<dyn Exchange>>,
    faults: Mutex<Vec<ProposerFault>>,
}

impl Helpers {
    /// These, asked every so many generations.
    pub fn new(proposers: Vec<Box<dyn Proposer>>, every: u64, shown: usize) -> Helpers {
        Helpers { proposers, every, shown, exchange: None, faults: Mutex::default() }
    }

    /// With islands elsewhere.
    pub fn with_exchange(mut self, exchange: Option<Box<dyn Exchange>>) -> Helpers {
        self.exchange = exchange;
        self
    }

    /// What went wrong so far, by proposer.
    pub fn faults(&self) -> Vec<ProposerFault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts something that went wrong.
    pub fn fault(&self, name: &str, reason: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        match faults.iter_mut().find(|fault| fault.name == name) {
            Some(fault) => fault.times += 1,
            None => faults.push(ProposerFault { name: name.to_string(), times: 1, reason }),
        }
    }
}

/// A program from outside that was taken in, and for which task. It is stored even if it is gone again
/// at the end of the generation: it may have children by then.
pub type Guest = (usize, Arc<Member>);

impl Evolution<'_> {
    /// Asks for programs for the tasks that are not solved; gives those that were taken in, by task.
    pub(super) fn ask(&self, tasks: &[EvolveTask<'_>], state: &mut EvolutionState) -> Vec<Guest> {
        let mut guests = Vec::new();
        let helpers = self.helpers;
        let due = state.generation.saturating_sub(1).is_multiple_of(helpers.every.max(1));
        if helpers.proposers.is_empty() || !due {
            return guests;
        }
        let shown = if helpers.shown == 0 { 8 } else { helpers.shown };
        for (n, task) in tasks.iter().enumerate() {
            if state.solver(n).is_some() {
                continue;
            }
            let best = state.islands[0][n].members().iter().take(shown);
            let best = best.map(|member| attempt(member)).collect();
            let asked = Asked { task: task.task, generation: state.generation, best };
            for proposer in &helpers.proposers {
                let mut fault = |reason| helpers.fault(proposer.name(), reason);
                for text in proposer.propose(&asked, &mut fault) {
                    match one_program(proposer.name(), &text) {
                        Ok(program) => {
                            guests.extend(self.take_in(program, (n, task), proposer.name(), state));
                        }
                        Err(reason) => fault(reason),
                    }
                }
            }
        }
        guests
    }

    /// Takes a program from outside into every island's population of a task; `None` where it is not
    /// wanted, or there already.
    pub(super) fn take_in(
        &self,
        mut program: Program,
        (n, task): (usize, &EvolveTask<'_>),
        by: &'static str,
        state: &mut EvolutionState,
    ) -> Option<Guest> {
        program.name = function_name(&task.task.id);
        let id = program.id();
        let has = |state: &EvolutionState| state.islands.iter().any(|island| island[n].has(id));
        if has(state) {
            return None;
        }
        let made = MemberOrigin::bred(state.generation, Some(by), Vec::new());
        let member = Arc::new(Member::new(program, made, task, self.workers.machine()));
        for island in &mut state.islands {
            island[n].welcome(Arc::clone(&member), self.config.population);
        }
        has(state).then_some((n, member))
    }
}

fn attempt(member: &Member) -> Attempt {
    let wrong = member.findings.iter().map(|finding| format!("{finding:?}")).take(8);
    Attempt {
        text: text::print(member.program(), Form::Straight),
        pairs: member.fit.marks(),
        similarity: member.fitness.similarity,
        failures: wrong.collect(),
    }
}
