//! Adding programs to a graph.

use arcloom_ir::{Builder, Node, NodeId, Program};

use crate::graph::{Batt, Root};
use crate::rules::{self, Rewrite, Rule};

/// Merges programs into a [`Batt`].
#[derive(Debug)]
pub struct Weaver {
    builder: Builder,
    roots: Vec<Root>,
    rules: &'static [Rule],
    fired: Vec<usize>,
}

impl Default for Weaver {
    fn default() -> Weaver {
        Weaver::with_rules(rules::ALL)
    }
}

impl Weaver {
    /// A weaver that uses these rules only.
    pub fn with_rules(rules: &'static [Rule]) -> Weaver {
        let fired = vec![0; rules.len()];
        Weaver { builder: Builder::default(), roots: Vec::new(), rules, fired }
    }

    /// Adds a program that was written for `task`; gives the node of its result.
    pub fn add(&mut self, program: &Program, task: impl Into<String>) -> NodeId {
        let mut place: Vec<NodeId> = Vec::with_capacity(program.nodes().len());
        for node in program.nodes() {
            let args = node.args.iter().map(|arg| place[arg.index()]).collect();
            place.push(self.node(Node { op: node.op.clone(), args }));
        }
        let node = place[program.output().index()];
        let name = program.name.clone();
        self.roots.push(Root { name, task: task.into(), node, size: program.size() });
        node
    }

    /// How often each rule fired so far.
    pub fn fired(&self) -> impl Iterator<Item = (&'static Rule, usize)> {
        self.rules.iter().zip(self.fired.iter().copied())
    }

    /// The graph, without the nodes that rewriting left unused.
    pub fn finish(self) -> Batt {
        let nodes = self.builder.into_nodes();
        let mut used = vec![false; nodes.len()];
        for root in &self.roots {
            used[root.node.index()] = true;
        }
        for (n, node) in nodes.iter().enumerate().rev() {
            if used[n] {
                node.args.iter().for_each(|arg| used[arg.index()] = true);
            }
        }
        let mut place = vec![NodeId(0); nodes.len()];
        let mut kept: Vec<Node> = Vec::new();
        for (n, mut node) in nodes.into_iter().enumerate().filter(|(n, _)| used[*n]) {
            node.args.iter_mut().for_each(|arg| *arg = place[arg.index()]);
            place[n] = NodeId(kept.len() as u32);
            kept.push(node);
        }
        let mut roots = self.roots;
        roots.iter_mut().for_each(|root| root.node = place[root.node.index()]);
        Batt { nodes: kept, roots }
    }

    /// The node that stands for this one after all rules.
    fn node(&mut self, mut node: Node) -> NodeId {
        'again: loop {
            for (n, rule) in self.rules.iter().enumerate() {
                match (rule.rewrite)(&self.builder, &node) {
                    None => {}
                    Some(Rewrite::Same(id)) => {
                        self.fired[n] += 1;
                        return id;
                    }
                    Some(Rewrite::Node(better)) => {
                        self.fired[n] += 1;
                        node = better;
                        continue 'again;
                    }
                }
            }
            return self.builder.node(node.op, &node.args);
        }
    }
}
