//! Who judges candidates: native differs and programs `differ(S, I, C)` of the user's.

use arcloom_corpus::Pair;
use arcloom_exec::{Inputs, Machine};
use arcloom_value::{Grid, Value};

use super::judge::Score;
use super::score::PERFECT;
use crate::library::Entry;

/// A choice of differs.
#[derive(Debug, Clone, Default)]
pub struct Differs {
    native: bool,
    user: Vec<Entry>,
}

impl Differs {
    /// Only exact scoring: ranked by the share of right cells.
    pub fn none() -> Differs {
        Differs::default()
    }

    /// The built-in ones.
    pub fn native() -> Differs {
        Differs { native: true, user: Vec::new() }
    }

    /// Also these programs: `I` is the candidate's grid and `C` the expected one, and the result is a
    /// score from 0 to 1000 or a tuple of the score and what was found.
    pub fn with_programs(mut self, programs: Vec<Entry>) -> Differs {
        self.user.extend(programs);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.native && self.user.is_empty()
    }
}

/// A differ that did not judge.
pub(super) struct Fault {
    pub(super) name: String,
    pub(super) times: usize,
    pub(super) reason: String,
}

/// The differs, with what they need of one task.
pub(super) struct Bench<'a> {
    differs: &'a Differs,
    demos: &'a [Pair],
    samples: &'a Value,
    machine: Machine,
    faults: Vec<Option<(usize, String)>>,
}
