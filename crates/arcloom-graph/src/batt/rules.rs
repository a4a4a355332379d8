//! Rewrites that keep every outcome: the same value, or the same failure, on every input.
//!
//! A rule sees one new node, whose arguments have been rewritten already, and says what may stand
//! for it. To be exact a rule must not only give equal values: it must fail where the node failed,
//! with the same error, and must not change whether a step goes over its budget. It must also hold
//! whatever order sets are walked in, because a batt can be written as Python, whose order differs.
//!
//! A node fails as the first of its arguments that fails. So a rule may exchange arguments only if at
//! most one of them can fail, and drop only such as cannot. What cannot fail, and what kind of value
//! a node gives if it gives one, is in [`crate::batt::facts`]; the bounds there are what keeps budgets out
//! of the matter, for every budget of at least [`crate::batt::facts::LEAST_BUDGET`].

use arcloom_lang::{Node, NodeId};

use crate::batt::draft::Draft;

mod drop_identity;
mod drop_totuple;
mod fill_canvas;
mod fold_constants;
mod fold_corners;
mod join_steps;
mod join_turns;
mod measure_source;
mod replace_filled;
mod sort_arguments;

/// One rewrite.
#[derive(Debug)]
pub struct RewriteRule {
    /// Its name in reports: that of its file.
    pub name: &'static str,
    /// What it does, one line: `identity(x) -> x`.
    pub doc: &'static str,
    /// What stands for a node, given the graph its arguments are in.
    pub rewrite: fn(&mut Draft, &Node) -> Option<Rewrite>,
}

/// What stands for a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// A node that is there already.
    Same(NodeId),
    /// Another node, to which the rules are applied again.
    Node(Node),
}

/// All rules, in the order they are tried. Each makes a node smaller or leaves fewer of its kind, so
/// that rewriting ends. Constants come early: what they fold needs no other rule. Sorting comes last,
/// so that the patterns of the others need to be written down in one order only where it matters.
pub static ALL: &[RewriteRule] = &[
    drop_identity::RULE,
    fold_constants::RULE,
    fold_corners::RULE,
    join_turns::RULE,
    join_steps::RULE,
    measure_source::RULE,
    drop_totuple::RULE,
    replace_filled::RULE,
    fill_canvas::RULE,
    sort_arguments::RULE,
];
