//! What running a batt took, in numbers that do not depend on the machine or the clock.

/// Counts of one or more runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Inputs run.
    pub inputs: u64,
    /// Nodes looked at: every step of the batt once per input.
    pub nodes: u64,
    /// Nodes whose call was made.
    pub calls: u64,
    /// Nodes whose call had been made before on the same values.
    pub remembered: u64,
    /// Nodes that failed because an argument had.
    pub inherited: u64,
    /// Calls that failed, those over budget included.
    pub failed: u64,
    /// Calls that were stopped.
    pub over_budget: u64,
    /// Units of work spent by calls.
    pub work: u64,
}

impl std::ops::AddAssign for RunCounts {
    fn add_assign(&mut self, more: RunCounts) {
        self.inputs += more.inputs;
        self.nodes += more.nodes;
        self.calls += more.calls;
        self.remembered += more.remembered;
        self.inherited += more.inherited;
        self.failed += more.failed;
        self.over_budget += more.over_budget;
        self.work += more.work;
    }
}
