//! Programs judged by the demo pairs of a task: what someone who writes programs by other means wants to
//! know about each of them.
//!
//! | file | what it does |
//! |---|---|
//! | `eval.rs` | texts to rows: programs judged, or what is wrong with the text |
//! | `eval/row.rs` | a row in detail and as JSON, the same for the command and for Python |
//!
//! Test answers are not looked at; the tests' outputs are given.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arcloom_dsl::Stop;
use arcloom_graph::view::grids;
use arcloom_graph::{DemoFit, Machine, Output, Outputs, Plan, TaskView};
use arcloom_lang::{Answer, Dropped, PlacedProgram, TextError};

use crate::engine::Engine;
use crate::library::Entry;

mod row;

pub use row::{EvalPair, StepFailure};

/// A program on one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// What it gives for each input.
    pub outputs: Outputs,
    /// How well that fits the demos.
    pub fit: DemoFit,
}

impl Evaluation {
    /// What the program gives for pair `n`, demos before tests.
    pub fn output(&self, n: usize) -> Option<&Output> {
        self.outputs.all().nth(n)
    }
}

/// What is to be judged.
#[derive(Debug, Clone)]
pub enum EvalSource {
    /// A text, as a person or a language model writes it.
    Text(String),
    /// A program that was read before.
    Program(Arc<Entry>),
}

/// What a text came to on a task.
#[derive(Debug, Clone)]
pub struct EvalRows {
    /// A row for each program of the text, at least one.
    pub rows: Vec<EvalRow>,
    /// What of the text was left out.
    pub dropped: Vec<Dropped>,
}

/// A program judged on a task, or why there is none.
#[derive(Debug, Clone)]
pub struct EvalRow {
    /// Name of its function; empty for lines without a `def`, and where there is no program.
    pub name: String,
    /// The program with what it gives, or what is wrong with the text.
    pub judged: Result<Judged, TextError>,
}

/// A program with what it gives on a task.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The program.
    pub entry: Arc<Entry>,
    /// For each node the line of the text that it is from; empty where there was no text.
    pub lines: Box<[u32]>,
    /// What it gives, and how well that fits.
    pub evaluation: Evaluation,
}

/// How many texts are judged between two reports of progress.
const CHUNK: usize = 64;

/// The one program of a text: a `def`, or straight lines without one. The error is for people.
pub fn one_program(name: &str, text: &str) -> Result<Entry, String> {
    arcloom_lang::one_program(name, text).map(|program| entry(program, name))
}

/// Straight lines are for no task.
fn entry(program: arcloom_lang::Program, file: &str) -> Entry {
    let is_snippet = program.name == "snippet";
    let entry = Entry::new(program, file);
    if is_snippet { Entry { task: String::new(), ..entry } } else { entry }
}

impl Engine {
    /// Evaluates a program on a task with a machine of this engine's.
    pub fn evaluate(&self, machine: &mut Machine, plan: &Plan, task: &TaskView) -> Evaluation {
        let outputs = machine.outputs(plan, task);
        let fit = task.fit(grids(&outputs.demos));
        Evaluation { outputs, fit }
    }

    /// Evaluates many programs, each on its own task, on all threads, results in their order.
    pub fn evaluate_all(&self, jobs: &[(&Entry, &TaskView)]) -> Vec<Evaluation> {
        self.map(jobs, |machine, (entry, task)| self.evaluate(machine, &entry.plan, task))
    }

    /// Reads a text and judges its programs on a task. Never fails: what is wrong is in the rows.
    pub fn judge(&self, machine: &mut Machine, source: &EvalSource, task: &TaskView) -> EvalRows {
        match source {
            EvalSource::Program(entry) => {
                let evaluation = self.evaluate(machine, &entry.plan, task);
                let name = entry.program.name.clone();
                let judged = Judged { entry: Arc::clone(entry), lines: Box::new([]), evaluation };
                EvalRows { rows: vec![EvalRow { name, judged: Ok(judged) }], dropped: Vec::new() }
            }
            EvalSource::Text(text) => {
                let answer = Answer::read(text);
                let rows = answer.readings.into_iter().map(|reading| {
                    let judged = reading.program.map(|PlacedProgram { program, lines }| {
                        let entry = entry(program, "text");
                        let evaluation = self.evaluate(machine, &entry.plan, task);
                        Judged { entry: Arc::new(entry), lines, evaluation }
                    });
                    EvalRow { name: reading.name, judged }
                });
                EvalRows { rows: rows.collect(), dropped: answer.dropped }
            }
        }
    }

    /// Judges many texts, each on a task, on all threads, results in their order; `None` for those that
    /// were not judged before the stop. `done` is told how many are done.
    pub fn judge_all(
        &self,
        jobs: &[(EvalSource, &TaskView)],
        stop: &Stop,
        done: &(dyn Fn(usize) + Sync),
    ) -> Vec<Option<EvalRows>> {
        let count = AtomicUsize::new(0);
        self.map(jobs, |machine, (source, task)| {
            if stop.is_due() {
                return None;
            }
            machine.watch(stop);
            let rows = self.judge(machine, source, task);
            let n = count.fetch_add(1, Ordering::Relaxed) + 1;
            if n.is_multiple_of(CHUNK) || n == jobs.len() {
                done(n);
            }
            // What was cut short is nobody's outcome.
            (!stop.is_set()).then_some(rows)
        })
    }

    /// Does `work` for every item on all threads, each with a machine; results in their order.
    pub fn for_each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Machine, &T) -> R + Sync,
    ) -> Vec<R> {
        self.map(items, work)
    }
}

#[cfg(test)]
mod tests;
