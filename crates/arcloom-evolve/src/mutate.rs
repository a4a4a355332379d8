//! One mutation: an operator is drawn, tried, and its child checked.

use arcloom_dsl::differ::{Comparison, PERFECT};
use arcloom_lang::{Program, verify};
use arcloom_value::Value;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::facts::TaskFacts;
use crate::making::Making;
use crate::operators;
use crate::parent::Parent;
use crate::rates::{Rates, Tally};

/// Most calls of a child, unless its parent has more.
pub const MAX_CALLS: usize = 60;
/// Operators that are tried before a mutation is given up.
const TRIES: usize = 12;

/// A way to make a program from another.
pub struct Operator {
    /// What reports call it.
    pub name: &'static str,
    /// One sentence: what it changes.
    pub doc: &'static str,
    /// Edits the draft; nothing when the operator does not apply or a draw led nowhere.
    pub(crate) apply: fn(&mut Making<'_>) -> Option<()>,
}

/// Where other programs come from: a population, a library.
pub trait Donors {
    /// Another program.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<&Parent>;
}

impl Donors for Vec<Parent> {
    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<&Parent> {
        let n = self.len().max(1) as u64;
        self.get((rng.next_u64() % n) as usize)
    }
}

/// What a differ found wrong with the parent's answer to a demo pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The differ's name.
    pub differ: &'static str,
    /// Which demo pair.
    pub demo: usize,
    /// The differ's finding.
    pub value: Value,
}

impl Finding {
    /// All findings of the built-in differs on a candidate for this demo pair.
    pub fn all(demo: usize, pair: &Comparison<'_>) -> Vec<Finding> {
        let judged = arcloom_dsl::differ::ALL.iter().map(|differ| (differ, differ.judge(pair)));
        judged
            .filter(|(_, judgement)| judgement.score < PERFECT)
            .filter_map(|(differ, judgement)| {
                Some(Finding { differ: differ.name, demo, value: judgement.finding? })
            })
            .collect()
    }
}

/// What mutation is given.
pub struct Context<'a> {
    /// The program to start from.
    pub parent: &'a Parent,
    /// Other programs to take parts from.
    pub donors: &'a dyn Donors,
    /// What the task's demo pairs say.
    pub facts: &'a TaskFacts,
    /// What is wrong with the parent's answers on this task.
    pub findings: &'a [Finding],
}

impl Operator {
    /// A child by this operator, if one comes of it: well formed, well typed, other than the parent,
    /// and not too long. The same state of `rng` gives the same child.
    pub fn child(&self, context: &Context<'_>, rng: &mut ChaCha8Rng) -> Option<Program> {
        let parent = context.parent;
        let mut making = Making::new(context, rng);
        (self.apply)(&mut making)?;
        let child = making.draft.finish(&parent.program().name)?;
        let program = &child.program;
        if program == parent.program() || program.size() > MAX_CALLS.max(parent.size()) {
            return None;
        }
        debug_assert_eq!(verify::verify(program), Ok(()), "{}", self.name);
        parent.admits(&child).then_some(child.program)
    }
}

/// A child of the parent and the place of its operator in [`operators::ALL`]. `tally` counts what
/// was tried; the caller adds which children were new and which improved.
pub fn mutate(
    context: &Context<'_>,
    rng: &mut ChaCha8Rng,
    rates: &Rates,
    tally: &mut Tally,
) -> Option<(usize, Program)> {
    for _ in 0..TRIES {
        let n = rates.draw(rng);
        let child = operators::ALL.get(n)?.child(context, rng);
        tally.applied(n, child.is_some());
        if let Some(child) = child {
            return Some((n, child));
        }
    }
    None
}
