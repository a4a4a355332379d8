//! Programs written by someone outside: a person's function, or a language model behind one.
//!
//! Proposers are asked between generations for tasks that are not solved. One that is quick is asked in turn;
//! the others are asked on threads of their own, at most so many at once, and what they write is taken in
//! by the generation after it came, so that nobody waits for them. Only the last generation waits.
//!
//! What they give is read as any text of a language model is; what loads joins the populations and must earn
//! its place there. A proposer learns what became of its last texts. One that fails, or whose text does not
//! load, is counted and does not end the run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arcloom_lang::{Answer, Form, Program, TextError, function_name, text};
use arcloom_tasks::{Task, TestPair};

use super::exchange::Exchange;
use super::member::{Member, MemberOrigin};
use super::{Evolution, EvolutionState, EvolveTask};
use crate::mutate::Finding;
use crate::rates::OperatorCount;

/// How often the last generation looks whether it should stop while it waits.
const BREATH: Duration = Duration::from_millis(50);
/// Most programs so far that a proposer is shown, unless told otherwise.
const SHOWN: usize = 8;

/// Someone who writes programs for a task.
pub trait Proposer: Send + Sync {
    /// Name in the archive and in messages.
    fn name(&self) -> &'static str;
    /// Texts of programs. What went wrong on the way is told in words for people, each time once; what
    /// was written all the same still counts.
    fn propose(&self, asked: &Asked, fault: &mut dyn FnMut(String)) -> Vec<String>;
    /// True for one that is asked in turn, because it does not make anybody wait.
    fn is_quick(&self) -> bool {
        false
    }
}

/// What a proposer is told.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The task, without the expected outputs of its tests.
    pub task: Arc<Task>,
    /// The generation that is about to be bred.
    pub generation: u64,
    /// The best programs so far, best first.
    pub best: Vec<Attempt>,
    /// What became of the texts that this proposer gave for this task when it was last asked.
    pub last: Vec<Reply>,
}

/// A program that was tried on a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Its text.
    pub text: String,
    /// For each demo `1` when it is right, else `0`.
    pub pairs: String,
    /// How near it is on the demos, in thousandths.
    pub similarity: u32,
    /// What differs say of its outputs, a few.
    pub findings: Vec<Finding>,
    /// Demos, from 0, for which it gives no grid, and why.
    pub errors: Vec<(usize, String)>,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text as it was given.
    pub text: String,
    /// What became of it, for each program in it.
    pub fate: Fate,
}

/// What became of a program of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It is no program.
    Rejected(TextError),
    /// The population has it already.
    Known,
    /// It was tried; `is_kept` when it is among the best.
    Tried {
        /// How it did.
        attempt: Attempt,
        /// Whether it has a place in the population.
        is_kept: bool,
    },
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
    pub proposers: Vec<Arc<dyn Proposer>>,
    /// When, and how many at once.
    pub asking: Asking,
    /// Islands elsewhere.
    pub exchange: Option<Box<dyn Exchange>>,
    faults: Mutex<Vec<ProposerFault>>,
}

/// When proposers are asked, and what they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// Generations between two questions to a proposer for a task; 0 counts as 1.
    pub every: u64,
    /// Most programs so far that a proposer is shown.
    pub shown: usize,
    /// Most questions that wait for an answer at the same time; with 0 everyone is asked in turn, and the
    /// run repeats if they do.
    pub at_once: usize,
}

impl Default for Asking {
    fn default() -> Asking {
        Asking { every: 1, shown: SHOWN, at_once: 8 }
    }
}

impl Helpers {
    /// These, asked like this.
    pub fn new(proposers: Vec<Arc<dyn Proposer>>, asking: Asking) -> Helpers {
        Helpers { proposers, asking, exchange: None, faults: Mutex::default() }
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

/// Proposer and task, by place.
type Question = (usize, usize);

/// An answer that came.
struct Answered {
    question: Question,
    texts: Vec<String>,
    faults: Vec<String>,
}

/// Questions to proposers, and what came of them.
pub(super) struct Desk {
    send: Sender<Answered>,
    receive: Receiver<Answered>,
    /// Asked and not answered.
    open: BTreeSet<Question>,
    /// The generation that each was last asked in.
    asked: BTreeMap<Question, u64>,
    replies: BTreeMap<Question, Vec<Reply>>,
    /// Tasks without the expected outputs of their tests.
    tasks: BTreeMap<usize, Arc<Task>>,
}

impl Default for Desk {
    fn default() -> Desk {
        let (send, receive) = channel();
        Desk {
            send,
            receive,
            open: BTreeSet::new(),
            asked: BTreeMap::new(),
            replies: BTreeMap::new(),
            tasks: BTreeMap::new(),
        }
    }
}

impl Evolution<'_> {
    /// Asks for programs for the tasks that are not solved, and takes in what came since the last generation.
    /// Gives the programs that were taken in, by task.
    pub(super) fn ask(
        &self,
        tasks: &[EvolveTask<'_>],
        state: &mut EvolutionState,
        desk: &mut Desk,
    ) -> Vec<Guest> {
        let mut guests = Vec::new();
        let (helpers, at_once) = (self.helpers, self.helpers.asking.at_once);
        if helpers.proposers.is_empty() {
            return guests;
        }
        for question in self
            .due(tasks, state, desk)
            .into_iter()
            .filter(|&(proposer, _)| self.is_in_turn(proposer))
        {
            if self.stop.is_due() {
                return guests;
            }
            let (proposer, task) = question;
            if state.solver(task).is_some() {
                continue;
            }
            let asked = self.question(question, tasks, state, desk);
            let mut faults = Vec::new();
            let texts =
                helpers.proposers[proposer].propose(&asked, &mut |fault| faults.push(fault));
            self.answer(Answered { question, texts, faults }, tasks, state, desk, &mut guests);
        }
        let is_last = self.config.generations == Some(state.generation);
        loop {
            while let Ok(answered) = desk.receive.try_recv() {
                self.answer(answered, tasks, state, desk, &mut guests);
            }
            let mut due = self.due(tasks, state, desk);
            due.retain(|&(proposer, _)| !self.is_in_turn(proposer));
            // Who waited longest is first.
            due.sort_by_key(|question| (desk.asked.get(question).copied(), question.1, question.0));
            for question in due.into_iter().take(at_once.saturating_sub(desk.open.len())) {
                self.send(question, tasks, state, desk);
            }
            if !is_last || desk.open.is_empty() || self.stop.is_due() {
                return guests;
            }
            if let Ok(answered) = desk.receive.recv_timeout(BREATH) {
                self.answer(answered, tasks, state, desk, &mut guests);
            }
        }
    }

    /// Whether a proposer is asked in turn rather than on a thread.
    fn is_in_turn(&self, proposer: usize) -> bool {
        self.helpers.asking.at_once == 0 || self.helpers.proposers[proposer].is_quick()
    }

    /// Questions that may be put now: task by task, and to the proposers of a task in their order.
    fn due(&self, tasks: &[EvolveTask<'_>], state: &EvolutionState, desk: &Desk) -> Vec<Question> {
        let every = self.helpers.asking.every.max(1);
        let is_due = |question: &Question| {
            let is_time = match desk.asked.get(question) {
                // A run that goes on asks when it would have asked.
                _ if self.is_in_turn(question.0) => {
                    state.generation.saturating_sub(1).is_multiple_of(every)
                        && desk.asked.get(question) != Some(&state.generation)
                }
                Some(last) => state.generation >= last + every,
                None => true,
            };
            is_time && !desk.open.contains(question)
        };
        let open = (0..tasks.len()).filter(|&task| state.solver(task).is_none());
        let proposers = self.helpers.proposers.len();
        let questions = open.flat_map(|task| (0..proposers).map(move |proposer| (proposer, task)));
        questions.filter(is_due).collect()
    }

    fn question(
        &self,
        question: Question,
        tasks: &[EvolveTask<'_>],
        state: &EvolutionState,
        desk: &mut Desk,
    ) -> Asked {
        let (_, n) = question;
        let hidden = || {
            let mut task = tasks[n].task.clone();
            task.tests.iter_mut().for_each(TestPair::hide_expected);
            Arc::new(task)
        };
        let task = Arc::clone(desk.tasks.entry(n).or_insert_with(hidden));
        desk.asked.insert(question, state.generation);
        let best = state.islands[0][n].members().iter().take(self.helpers.asking.shown);
        let best = best.map(|member| attempt(member)).collect();
        let last = desk.replies.remove(&question).unwrap_or_default();
        Asked { task, generation: state.generation, best, last }
    }

    /// Asks on a thread, which may outlive the run.
    fn send(
        &self,
        question: Question,
        tasks: &[EvolveTask<'_>],
        state: &EvolutionState,
        desk: &mut Desk,
    ) {
        let asked = self.question(question, tasks, state, desk);
        let proposer = Arc::clone(&self.helpers.proposers[question.0]);
        let send = desk.send.clone();
        let name = proposer.name();
        let ask = move || {
            let mut faults = Vec::new();
            let texts = proposer.propose(&asked, &mut |fault| faults.push(fault));
            // Nobody listens any more once the run is over.
            let _ = send.send(Answered { question, texts, faults });
        };
        match std::thread::Builder::new().name("arcloom proposer".to_string()).spawn(ask) {
            Ok(_) => {
                desk.open.insert(question);
            }
            Err(error) => self.helpers.fault(name, format!("no thread to ask on: {error}")),
        }
    }

    /// Takes an answer in.
    fn answer(
        &self,
        answered: Answered,
        tasks: &[EvolveTask<'_>],
        state: &mut EvolutionState,
        desk: &mut Desk,
        guests: &mut Vec<Guest>,
    ) {
        let Answered { question, texts, faults } = answered;
        let name = self.helpers.proposers[question.0].name();
        desk.open.remove(&question);
        faults.into_iter().for_each(|fault| self.helpers.fault(name, fault));
        let task = (question.1, &tasks[question.1]);
        let mut replies = Vec::new();
        let best = |state: &EvolutionState| {
            let best = state.islands.iter().filter_map(|i| i[question.1].members().first());
            best.map(|member| (member.fitness.fits, member.fitness.similarity)).max()
        };
        for given in texts {
            for reading in Answer::read(&given).readings {
                let mut count = OperatorCount { applied: 1, ..OperatorCount::default() };
                let fate = match reading.program {
                    Err(error) => {
                        self.helpers.fault(name, error.render(name));
                        Fate::Rejected(error)
                    }
                    Ok(placed) => {
                        count.valid = 1;
                        let before = best(state);
                        let (fate, guest) = self.take_in(placed.program, task, name, state);
                        count.new = u64::from(fate != Fate::Known);
                        count.improving = u64::from(best(state) > before);
                        guests.extend(guest);
                        fate
                    }
                };
                state.proposed.entry(name).or_default().add(&count);
                replies.push(Reply { text: given.clone(), fate });
            }
        }
        desk.replies.insert(question, replies);
    }

    /// Takes a program from outside into every island's population of a task. Nobody comes of one that is
    /// there already, or has no place.
    pub(super) fn take_in(
        &self,
        mut program: Program,
        (n, task): (usize, &EvolveTask<'_>),
        by: &'static str,
        state: &mut EvolutionState,
    ) -> (Fate, Option<Guest>) {
        program.name = function_name(&task.task.id);
        let id = program.id();
        let has = |state: &EvolutionState| state.islands.iter().any(|island| island[n].has(id));
        if has(state) {
            return (Fate::Known, None);
        }
        let made = MemberOrigin::bred(state.generation, Some(by), Vec::new());
        let member = Arc::new(Member::new(program, made, task, self.machine()));
        // What a machine made that was told to stop is nobody's outcome.
        if self.stop.is_set() {
            return (Fate::Known, None);
        }
        for island in &mut state.islands {
            island[n].welcome(Arc::clone(&member), self.config.population);
        }
        let is_kept = has(state);
        (Fate::Tried { attempt: attempt(&member), is_kept }, is_kept.then_some((n, member)))
    }
}

/// Most findings of a program that are told.
const FINDINGS: usize = 8;

fn attempt(member: &Member) -> Attempt {
    let errors = member.demos.iter().enumerate();
    Attempt {
        text: text::print(member.program(), Form::Straight),
        pairs: member.fit.marks(),
        similarity: member.fitness.similarity,
        findings: member.findings.iter().take(FINDINGS).cloned().collect(),
        errors: errors
            .filter_map(|(n, output)| Some((n, output.as_ref().err()?.to_string())))
            .collect(),
    }
}
