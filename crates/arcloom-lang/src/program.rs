//! A program: a list of nodes in canonical order and the one that is its result.
//!
//! Canonical order is the order in which a walk from the result, arguments first and from left to
//! right, leaves the nodes. It depends on the graph alone, so two texts that compute the same thing
//! in the same way give equal programs, and printing and parsing again changes nothing.

use std::fmt;
use std::hash::BuildHasher;

use arcloom_value::{FixedHasher, FixedMap};
use hashbrown::HashTable;

use crate::node::{Node, NodeId, Op};

/// A solver as a graph.
#[derive(Debug, Clone)]
pub struct Program {
    /// Name of the function it was read from, e.g. `solve_67a3c6ac`.
    pub name: String,
    nodes: Vec<Node>,
}

/// Content identity of a program: a hash of its canonical text, with primitives by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub [u8; 32]);

impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Program {
    /// Equal graphs; names do not count.
    fn eq(&self, other: &Program) -> bool {
        self.nodes == other.nodes
    }
}

impl Eq for Program {}

/// The name of a program for a task: `solve_` and the task's id, with `_` for what a name cannot have.
pub fn function_name(task: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("solve_{}", task.chars().map(allowed).collect::<String>())
}

impl Program {
    /// The nodes, arguments before users; the last one is the result.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of the result.
    pub fn output(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Number of calls: the usual measure of a program's size.
    pub fn size(&self) -> usize {
        self.nodes.iter().filter(|n| is_step(&n.op)).count()
    }

    /// True when the program looks at the demo pairs.
    pub fn reads_samples(&self) -> bool {
        self.nodes.iter().any(|n| n.op == Op::Samples)
    }

    /// The task this program is for, by its name: what follows `solve_` or `verify_`, without the twelve hex
    /// digits by which an archive tells programs of one task apart.
    pub fn task(&self) -> &str {
        let name = self.name.as_str();
        let prefixes = ["solve_", "verify_", "differ_"];
        let task = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let is_id = |text: &str| text.len() == 12 && text.bytes().all(|b| b.is_ascii_hexdigit());
        match task.rsplit_once('_') {
            Some((task, id)) if is_id(id) && !task.is_empty() => task,
            _ => task,
        }
    }

    /// Identity by content.
    pub fn id(&self) -> ProgramId {
        ProgramId(blake3::hash(crate::text::canonical(self).as_bytes()).into())
    }

    /// How many other nodes use each node.
    pub fn uses(&self) -> Vec<u32> {
        uses(&self.nodes)
    }
}

/// How often each node is an argument of another one.
pub fn uses(nodes: &[Node]) -> Vec<u32> {
    let mut uses = vec![0; nodes.len()];
    for arg in nodes.iter().flat_map(|n| &n.args) {
        uses[arg.index()] += 1;
    }
    uses
}

/// True for nodes that compute something when the program runs.
pub fn is_step(op: &Op) -> bool {
    matches!(op, Op::Call(_) | Op::Apply | Op::Tuple | Op::Set | Op::Lambda(_))
}

/// Puts a program together; equal nodes are shared.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    hashes: Vec<u64>,
    /// Nodes by their hashes.
    index: HashTable<NodeId>,
}

impl Builder {
    /// A builder with room for so many nodes.
    pub fn with_capacity(nodes: usize) -> Builder {
        Builder {
            nodes: Vec::with_capacity(nodes),
            hashes: Vec::with_capacity(nodes),
            index: HashTable::with_capacity(nodes),
        }
    }

    /// The node with this operation and these arguments, made when missing.
    pub fn node(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        self.add(Node { op, args: args.iter().copied().collect() })
    }

    /// The id of a node that is equal to this one, which is put in when there is none.
    pub fn add(&mut self, node: Node) -> NodeId {
        let hash = FixedHasher.hash_one(&node);
        if let Some(id) = self.find_hashed(hash, &node) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.index.insert_unique(hash, id, |id| hashes[id.index()]);
        id
    }

    /// The id of this node, if it is there.
    pub fn find(&self, node: &Node) -> Option<NodeId> {
        self.find_hashed(FixedHasher.hash_one(node), node)
    }

    fn find_hashed(&self, hash: u64, node: &Node) -> Option<NodeId> {
        let is_same =
            |id: &NodeId| self.hashes[id.index()] == hash && self.nodes[id.index()] == *node;
        self.index.find(hash, is_same).copied()
    }

    /// The node that was given this id.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Number of nodes so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The program that ends in `output`, in canonical order and without unused nodes.
    pub fn finish(&self, name: String, output: NodeId) -> Program {
        self.finish_with_origin(name, output).0
    }

    /// [`Builder::finish`], with the builder's id of every node of the program.
    pub fn finish_with_origin(&self, name: String, output: NodeId) -> (Program, Vec<NodeId>) {
        slice(&self.nodes, name, output)
    }

    /// The program of everything that was built, for a builder that was filled on one walk from the
    /// result, arguments first and from left to right: that is the canonical order already.
    pub fn into_program(self, name: String) -> Program {
        Program { name, nodes: self.nodes }
    }

    /// Everything that was built, arguments before users.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }
}

/// The program that ends in `output`, cut out of a larger graph, in canonical order; with the id
/// that each of its nodes has there.
pub fn slice(graph: &[Node], name: String, output: NodeId) -> (Program, Vec<NodeId>) {
    let mut origin = Vec::new();
    let mut place: FixedMap<NodeId, NodeId> = FixedMap::default();
    let mut nodes = Vec::new();
    // An explicit stack: programs of any length and depth are walked.
    let mut stack = vec![(output, 0)];
    while let Some((id, next)) = stack.pop() {
        let node = &graph[id.index()];
        if place.contains_key(&id) {
            continue;
        }
        match node.args.get(next) {
            Some(&arg) => {
                stack.push((id, next + 1));
                if !place.contains_key(&arg) {
                    stack.push((arg, 0));
                }
            }
            None => {
                place.insert(id, NodeId(nodes.len() as u32));
                let args = node.args.iter().filter_map(|arg| place.get(arg).copied()).collect();
                nodes.push(Node { op: node.op.clone(), args });
                origin.push(id);
            }
        }
    }
    (Program { name, nodes }, origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_is_in_the_name() {
        let task =
            |name: &str| Program { name: name.to_owned(), nodes: Vec::new() }.task().to_owned();
        assert_eq!(task("solve_67a3c6ac"), "67a3c6ac");
        assert_eq!(task("verify_ring_largest"), "ring_largest");
        assert_eq!(task("solve_ring_largest_5739fa967886"), "ring_largest");
        assert_eq!(task("solve_5739fa967886"), "5739fa967886");
        assert_eq!(task("other"), "other");
    }
}
