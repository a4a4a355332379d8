//! Rewrites that keep every outcome: the same value, or the same failure, on every input.
//!
//! A rule sees one new node, whose arguments have been rewritten already, and says what may stand
//! for it. To be exact a rule must not only give equal values: it must fail where the node failed,
//! with the same error, and must not change whether a step goes over its budget.

use arcloom_ir::{Builder, Node, NodeId};

mod identity;

/// One rewrite.
#[derive(Debug)]
pub struct Rule {
    /// Its name in reports.
    pub name: &'static str,
    /// What it does, one line: `identity(x) -> x`.
    pub doc: &'static str,
    /// What stands for a node, given the graph its arguments are in.
    pub rewrite: fn(&Builder, &Node) -> Option<Rewrite>,
}

/// What stands for a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// A node that is there already.
    Same(NodeId),
    /// Another node, to which the rules are applied again.
    Node(Node),
}

/// All rules, in the order they are tried.
pub static ALL: &[Rule] = &[identity::RULE];
