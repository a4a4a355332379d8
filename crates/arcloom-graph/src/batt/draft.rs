//! A graph in the making: nodes, equal ones shared, with what is known about each.

use arcloom_dsl::Registry;
use arcloom_lang::{Builder, Node, NodeId, Op, program::is_step};
use arcloom_value::Value;

use crate::batt::facts::{Fact, NOTHING, fact};

/// The graph that rules look at and that programs are added to.
#[derive(Debug, Default)]
pub struct Draft {
    builder: Builder,
    facts: Vec<Fact>,
    /// True when nothing is to be known, because no rule will ask.
    plain: bool,
    steps: usize,
}

impl Draft {
    /// A draft that no rule will look at: nothing is known about its nodes.
    pub(crate) fn plain() -> Draft {
        Draft { plain: true, ..Draft::default() }
    }

    /// The node with this operation and these arguments, made when missing; no rule is applied.
    pub fn node(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        self.add(Node { op, args: args.iter().copied().collect() })
    }

    /// [`Draft::node`] for a node that is put together already.
    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        let before = self.builder.len();
        let id = self.builder.add(node);
        if id.index() == before {
            let node = self.builder.get(id);
            self.steps += usize::from(is_step(&node.op));
            if !self.plain {
                let fact = fact(node, &self.facts);
                self.facts.push(fact);
            }
        }
        id
    }

    /// The node of a constant.
    pub fn constant(&mut self, value: Value) -> NodeId {
        self.node(Op::Const(value), &[])
    }

    /// The id of this node, if it is there.
    pub fn find(&self, node: &Node) -> Option<NodeId> {
        self.builder.find(node)
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.builder.len()
    }

    /// Number of nodes that compute something.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// The node that was given this id.
    pub fn get(&self, id: NodeId) -> &Node {
        self.builder.get(id)
    }

    /// What is known about a node.
    pub fn fact(&self, id: NodeId) -> Fact {
        if self.plain { NOTHING } else { self.facts[id.index()] }
    }

    /// Name and arguments of the primitive that a node calls.
    pub fn call(&self, id: NodeId) -> Option<(&'static str, &[NodeId])> {
        let node = self.get(id);
        Some((called(node)?, &node.args))
    }

    /// True when at most one of these nodes can fail. Their order then does not show in failures: a
    /// node fails as the first of its arguments that fails.
    pub fn one_can_fail(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().filter(|id| !self.fact(**id).sure).count() < 2
    }

    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.builder.into_nodes()
    }
}

/// The name of the primitive that a node calls.
pub(crate) fn called(node: &Node) -> Option<&'static str> {
    match node.op {
        Op::Call(id) => Some(Registry::get().primitive(id).name),
        _ => None,
    }
}

/// The call of a primitive; `None` when this build has no such primitive.
pub(crate) fn call(name: &str, args: &[NodeId]) -> Option<Node> {
    let id = Registry::get().find(name)?;
    Some(Node { op: Op::Call(id), args: args.iter().copied().collect() })
}
