//! The finished graph.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_lang::program::is_step;
use arcloom_lang::{Node, NodeId, Program, slice};

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

    /// The names of the programs, a number added to those that another one has already.
    pub fn labels(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.roots.iter().map(|root| root.name.as_str()).collect();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        let label = |root: &'_ Root| {
            let uses = uses.entry(names.get(root.name.as_str())?).or_default();
            *uses += 1;
            let mut label = root.name.clone();
            while *uses > 1 {
                label = format!("{}_{uses}", root.name);
                if !names.contains(label.as_str()) {
                    break;
                }
                *uses += 1;
            }
            Some(label)
        };
        self.roots.iter().filter_map(label).collect()
    }

    /// The program that ends in a node, cut out of the graph.
    pub fn slice(&self, node: NodeId, name: impl Into<String>) -> Program {
        slice(&self.nodes, name.into(), node).0
    }

    /// Number of calls of the program that ends in each node.
    pub fn sizes(&self) -> Vec<u32> {
        let mut seen = vec![u32::MAX; self.nodes.len()];
        let mut stack = Vec::new();
        let mut size = |n: usize| {
            let mut calls = 0;
            stack.push(n);
            while let Some(at) = stack.pop() {
                if std::mem::replace(&mut seen[at], n as u32) != n as u32 {
                    calls += u32::from(is_step(&self.nodes[at].op));
                    stack.extend(self.nodes[at].args.iter().map(|arg| arg.index()));
                }
            }
            calls
        };
        (0..self.nodes.len()).map(&mut size).collect()
    }

    /// The programs, by position among the roots, that compute this node on the way to their result.
    pub fn users(&self, node: NodeId) -> Vec<usize> {
        let mut above = vec![false; self.nodes.len()];
        above[node.index()] = true;
        for n in node.index() + 1..self.nodes.len() {
            above[n] = self.nodes[n].args.iter().any(|arg| above[arg.index()]);
        }
        let users = self.roots.iter().enumerate().filter(|(_, root)| above[root.node.index()]);
        users.map(|(n, _)| n).collect()
    }
}
