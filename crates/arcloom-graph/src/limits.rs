//! What a call may cost, and in which form it gets its values.

use std::num::NonZeroU64;

use arcloom_dsl::Caller;

use crate::batt::BattBuilder;
use crate::batt::facts::LEAST_BUDGET;
use crate::machine::Machine;

/// The limits that programs run under. Whoever runs a program or merges programs into a batt takes them
/// from the engine, whose builder checks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    call_budget: NonZeroU64,
    general: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        let budget = NonZeroU64::new(Caller::DEFAULT_BUDGET).unwrap_or(NonZeroU64::MIN);
        Limits { call_budget: budget, general: false }
    }
}

impl Limits {
    /// This many units of work per call, the calls that it makes included; `None` for a budget of 0.
    pub fn new(call_budget: u64) -> Option<Limits> {
        Some(Limits { call_budget: NonZeroU64::new(call_budget)?, general: false })
    }

    /// Hands primitives values in general form only. Outcomes are the same, much more slowly.
    pub fn general_form(self, general: bool) -> Limits {
        Limits { general, ..self }
    }

    /// The same, but a call may spend no more than so many units.
    pub(crate) fn at_most(self, call_budget: u64) -> Limits {
        let least = NonZeroU64::new(call_budget).unwrap_or(NonZeroU64::MIN);
        Limits { call_budget: self.call_budget.min(least), ..self }
    }

    /// Units of work that a call may spend.
    pub fn call_budget(&self) -> u64 {
        self.call_budget.get()
    }

    /// True when values are handed to primitives in general form.
    pub fn is_general(&self) -> bool {
        self.general
    }

    /// Calls primitives within these limits.
    pub fn caller(&self) -> Caller {
        let budget = self.call_budget();
        if self.general { Caller::general(budget) } else { Caller::new(budget) }
    }

    /// Runs programs within these limits.
    pub fn machine(&self) -> Machine {
        Machine::new(self.caller())
    }

    /// Merges programs that are to run within these limits: with rewrite rules where the rules are exact,
    /// as the programs are below that budget.
    pub fn batt_builder(&self) -> BattBuilder {
        if self.call_budget() < LEAST_BUDGET {
            BattBuilder::with_rules(&[])
        } else {
            BattBuilder::default()
        }
    }
}
