//! Adding programs to a graph.

use arcloom_lang::{Node, NodeId, Program};
use arcloom_value::FixedMap;

use crate::batt::draft::Draft;
use crate::batt::graph::{Batt, Root};
use crate::batt::rules::{self, Rewrite, RewriteRule};

/// Merges programs into a [`Batt`].
#[derive(Debug)]
pub struct BattBuilder {
    draft: Draft,
    /// What stands for nodes that were rewritten before.
    rewritten: FixedMap<Node, NodeId>,
    roots: Vec<Root>,
    rules: &'static [RewriteRule],
    fired: Vec<usize>,
}

impl Default for BattBuilder {
    fn default() -> BattBuilder {
        BattBuilder::with_rules(rules::ALL)
    }
}

impl BattBuilder {
    /// A builder that uses these rules only.
    pub fn with_rules(rules: &'static [RewriteRule]) -> BattBuilder {
        let fired = vec![0; rules.len()];
        let draft = if rules.is_empty() { Draft::plain() } else { Draft::default() };
        let rewritten = FixedMap::default();
        BattBuilder { draft, rewritten, roots: Vec::new(), rules, fired }
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

    /// Number of nodes so far, those included that rules have left without a user.
    pub fn nodes(&self) -> usize {
        self.draft.len()
    }

    /// Number of calls so far: [`BattBuilder::nodes`] without constants and inputs.
    pub fn steps(&self) -> usize {
        self.draft.steps()
    }

    /// How many different nodes each rule has rewritten so far.
    pub fn fired(&self) -> impl Iterator<Item = (&'static RewriteRule, usize)> {
        self.rules.iter().zip(self.fired.iter().copied())
    }

    /// The graph, without the nodes that rewriting left unused.
    pub fn finish(self) -> Batt {
        let nodes = self.draft.into_nodes();
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

    /// The node that stands for this one after all rules. What is in the graph is there because no
    /// rule had anything to say about it.
    fn node(&mut self, node: Node) -> NodeId {
        if self.rules.is_empty() {
            return self.draft.add(node);
        }
        if let Some(id) = self.draft.find(&node) {
            return id;
        }
        if let Some(&id) = self.rewritten.get(&node) {
            return id;
        }
        let mut new = node.clone();
        let id = 'again: loop {
            for (n, rule) in self.rules.iter().enumerate() {
                match (rule.rewrite)(&mut self.draft, &new) {
                    None => {}
                    Some(Rewrite::Same(id)) => {
                        self.fired[n] += 1;
                        break 'again id;
                    }
                    Some(Rewrite::Node(better)) => {
                        self.fired[n] += 1;
                        new = better;
                        continue 'again;
                    }
                }
            }
            break self.draft.add(new.clone());
        };
        if new != node || self.draft.get(id) != &node {
            self.rewritten.insert(node, id);
        }
        id
    }
}
