//! What a batt may take on a task: time turned into work, so that results do not depend on the machine.
//!
//! A call that is made counts a number of units beside its work. The numbers are processor time on one core
//! of 2024, measured with two libraries of 400 programs on training tasks: a unit takes 1.0 to 3.4 nanoseconds there.

use crate::counts::RunCounts;
use crate::limits::Limits;
use crate::view::TaskInputs;

/// Units that a call counts beside its work.
const CALL: u64 = 160;
/// What a unit takes, in picoseconds.
const UNIT: u64 = 2_500;
/// No call may take more than one part in so many of what an input may, where that is less than calls may
/// take anyway.
const PART_OF_A_CALL: u64 = 8;
/// A call may take so many units however little an input may.
const LEAST_CALL: u64 = 20_000;

/// What a batt may take on all inputs of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    nanos: u64,
}

impl Allowance {
    /// So many nanoseconds of processor time.
    pub fn nanos(nanos: u64) -> Allowance {
        Allowance { nanos }
    }

    /// In nanoseconds.
    pub fn as_nanos(self) -> u64 {
        self.nanos
    }

    /// The units that each input of a task may take.
    pub(crate) fn units(self, task: &TaskInputs) -> u64 {
        self.nanos.saturating_mul(1_000) / UNIT / task.inputs.len().max(1) as u64
    }

    /// What a call may take of so many units.
    pub(crate) fn limits(limits: Limits, units: u64) -> Limits {
        limits.at_most((units / PART_OF_A_CALL).max(LEAST_CALL))
    }
}

impl RunCounts {
    /// Units of work, what making the calls takes included.
    pub fn units(&self) -> u64 {
        self.work.saturating_add(self.calls.saturating_mul(CALL))
    }
}
