//! The finished graph.

use arcloom_ir::{Node, NodeId, Program, slice};

/// Many programs as one graph.
#[derive(Debug, Clone, Default)]
pub struct Batt {
    pub(crate) nodes: Vec<Node>,
    pub(crate) roots: Vec<Root>,
}

/// Where a program ended up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Name of the program, e.g. `solve_67a3c6ac`.
    pub name: String,
    /// The task it was written for.
    pub task: String,
    /// The node of its result. Programs that compute the same thing share it.
    pub node: NodeId,
    /// Number of calls it has alone.
    pub size: usize,
}

impl Batt {
    /// The nodes, arguments before users.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One root per program, in the order they were added.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The program that ends in a node, cut out of the graph.
    pub fn slice(&self, node: NodeId, name: impl Into<String>) -> Program {
        slice(&self.nodes, name.into(), node).0
    }
}
