//! A program made ready to run.
//!
//! Each node has a slot of the same number. Slots of constants are filled once; so are those of
//! calls whose arguments are all constants, which is how nearly every `compose`, `fork` or `rbind`
//! is built before the first input is seen. A call that fails or is not cheap is left for run time,
//! where it fails as it would have.

use arcloom_dsl::{Caller, Outcome};
use arcloom_lang::{Node, NodeId, Op, Program};
use arcloom_value::{Closure, PrimId, Value};
use smallvec::SmallVec;

/// Most work a call may take to be made in advance.
const FOLD_BUDGET: u64 = 10_000;

/// A program made ready to run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Values known in advance, by slot; the others are `None`.
    pub(crate) known: Vec<Option<Value>>,
    /// What is left to do, in order.
    pub(crate) steps: Vec<Step>,
    /// Slots of the inputs.
    pub(crate) input: Option<u32>,
    pub(crate) samples: Option<u32>,
    pub(crate) expected: Option<u32>,
    /// Slot of the result.
    pub(crate) output: u32,
}

/// One call left to do.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) slot: u32,
    pub(crate) action: Action,
    pub(crate) args: SmallVec<[u32; 4]>,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Call(PrimId),
    Apply,
    Tuple,
    Set,
    Lambda(arcloom_lang::node::LambdaBody),
}

impl Plan {
    /// Makes a program ready.
    pub fn new(program: &Program) -> Plan {
        let nodes = program.nodes();
        let place = |op: &Op| nodes.iter().position(|node| node.op == *op).map(|n| n as u32);
        let known = fold(nodes);
        let steps = nodes.iter().zip(&known).enumerate().filter(|(_, (_, value))| value.is_none());
        Plan {
            steps: steps
                .filter_map(|(n, (node, _))| {
                    let args = node.args.iter().map(|arg| arg.0).collect();
                    Some(Step { slot: n as u32, action: Action::of(&node.op)?, args })
                })
                .collect(),
            input: place(&Op::Input),
            samples: place(&Op::Samples),
            expected: place(&Op::Expected),
            output: program.output().0,
            known,
        }
    }

    /// Number of slots: one per node of the program.
    pub fn slots(&self) -> usize {
        self.known.len()
    }

    /// Number of calls left to do per input.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// True when the node's value is known before any input is.
    pub fn is_known(&self, node: NodeId) -> bool {
        self.known[node.index()].is_some()
    }
}

impl Action {
    /// What is left to do for a node whose value is not known in advance.
    pub(crate) fn of(op: &Op) -> Option<Action> {
        match op {
            Op::Call(id) => Some(Action::Call(*id)),
            Op::Apply => Some(Action::Apply),
            Op::Tuple => Some(Action::Tuple),
            Op::Set => Some(Action::Set),
            Op::Lambda(body) => Some(Action::Lambda(body.clone())),
            Op::Const(_) | Op::Param(_) | Op::Input | Op::Samples | Op::Expected => None,
        }
    }

    /// Does it.
    #[inline]
    pub(crate) fn act(&self, caller: &mut Caller, args: &[&Value]) -> Outcome {
        let owned = || args.iter().map(|v| (*v).clone()).collect::<Vec<_>>();
        match self {
            Action::Call(id) => caller.call_prim(*id, args),
            Action::Apply => caller.call(args[0], &args[1..]),
            Action::Tuple => caller.admit(Value::tuple(owned())),
            Action::Set => caller.admit(Value::set(owned())),
            Action::Lambda(body) => {
                let captures = owned().into();
                caller.admit(Value::closure(Closure::Lambda(body.0.clone(), captures)))
            }
        }
    }
}

/// Values known before any input is, by node: constants, and calls of known values that succeed and
/// are cheap.
pub(crate) fn fold(nodes: &[Node]) -> Vec<Option<Value>> {
    let mut caller = Caller::new(FOLD_BUDGET);
    let mut known: Vec<Option<Value>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let value = match (&node.op, Action::of(&node.op)) {
            (Op::Const(value), _) => Some(value.clone()),
            (_, Some(action)) => {
                let args: Option<SmallVec<[&Value; 4]>> =
                    node.args.iter().map(|arg| known[arg.index()].as_ref()).collect();
                args.and_then(|args| {
                    caller.reset();
                    action.act(&mut caller, &args).ok()
                })
            }
            _ => None,
        };
        known.push(value);
    }
    known
}
