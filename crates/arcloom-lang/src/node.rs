//! One node of a program: an operation and the nodes it takes its arguments from.

use arcloom_value::{Code, PrimId, Value};
use smallvec::SmallVec;
use triomphe::Arc;

/// A node of one program; arguments always come before the nodes that use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Position in the program's list of nodes.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// The input grid `I`.
    Input,
    /// The task's demo pairs `S`.
    Samples,
    /// `C`: `None` for solvers, the expected grid for differs.
    Expected,
    /// A value known when the program is read, a named primitive included.
    Const(Value),
    /// A parameter or captured variable of an inner function. Only while lowering: a finished
    /// program has none.
    Param(u16),
    /// Call of a primitive with the arguments.
    Call(PrimId),
    /// Call of the first argument with the others.
    Apply,
    /// A tuple of the arguments.
    Tuple,
    /// A set of the arguments.
    Set,
    /// A `lambda` or helper function that captures the arguments.
    Lambda(LambdaBody),
}

/// The body of a function value, compared by content.
#[derive(Debug, Clone)]
pub struct LambdaBody(pub Arc<Code>);

impl LambdaBody {
    fn as_value(&self) -> Value {
        Value::closure(arcloom_value::Closure::Lambda(self.0.clone(), Box::new([])))
    }
}

impl PartialEq for LambdaBody {
    fn eq(&self, other: &LambdaBody) -> bool {
        self.as_value() == other.as_value()
    }
}

impl Eq for LambdaBody {}

impl std::hash::Hash for LambdaBody {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_value().hash(state);
    }
}

/// An operation with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// Where its arguments come from.
    pub args: SmallVec<[NodeId; 4]>,
}
