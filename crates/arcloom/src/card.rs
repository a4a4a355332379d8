//! Many programs carded into one batt, with what that saved.

use arcloom_graph::Limits;
use arcloom_graph::batt::{Batt, BattBuilder, NameCount, RewriteRule, Stats};
use arcloom_lang::{NodeId, text};

use crate::library::Entry;

/// A batt and the figures about it.
#[derive(Debug, Clone)]
pub struct Carded {
    /// The graph.
    pub batt: Batt,
    /// All rules with the number of different nodes that each rewrote.
    pub fired: Vec<(&'static RewriteRule, usize)>,
    /// Nodes of all programs, each on its own.
    pub before: NameCount,
    /// Nodes after equal ones were merged, before any rule.
    pub merged: NameCount,
    /// Figures about the graph.
    pub stats: Stats,
}

impl Carded {
    /// A node as an expression of the inputs; lines before it, if there are any, end in `;`.
    pub fn expression(&self, node: NodeId) -> String {
        text::one_line(&self.batt.slice(node, "x")).replacen("return ", "", 1)
    }
}

/// Cards programs into one batt. Every program's outcome, failures included, stays what it is alone within
/// these limits.
pub fn card<'a>(limits: Limits, programs: impl IntoIterator<Item = &'a Entry>) -> Carded {
    let mut plain = BattBuilder::with_rules(&[]);
    let mut builder = limits.batt_builder();
    let mut before = NameCount::default();
    for entry in programs {
        let own = NameCount::of(entry.program.nodes());
        before.steps += own.steps;
        before.constants += own.constants;
        before.inputs += own.inputs;
        plain.add(&entry.program, entry.task.as_str());
        builder.add(&entry.program, entry.task.as_str());
    }
    let fired = builder.fired().collect();
    let batt = builder.finish();
    let merged = NameCount::of(plain.finish().nodes());
    let stats = Stats::new(&batt);
    Carded { batt, fired, before, merged, stats }
}
