//! A program made ready to run.
//!
//! Each node has a slot of the same number. Slots of constants are filled once; so are those of
//! calls whose arguments are all constants, which is how nearly every `compose`, `fork` or `rbind`
//! is built before the first input is seen. A call that fails or is not cheap is left for run time,
//! where it fails as it would have.

use arcloom_ir::{Node, NodeId, Op, Program};
use arcloom_prims::Caller;
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
    Lambda(arcloom_ir::node::Body),
}

impl Plan {
    /// Makes a program ready.
    pub fn new(program: &Program) -> Plan {
        let mut plan = Plan {
            known: Vec::with_capacity(program.nodes().len()),
            steps: Vec::new(),
            input: None,
            samples: None,
            expected: None,
            output: program.output().0,
        };
        let mut caller = Caller::new(FOLD_BUDGET);
        for (n, node) in program.nodes().iter().enumerate() {
            let slot = n as u32;
            let known = plan.fold(node, &mut caller);
            if known.is_none() {
                let action = match &node.op {
                    Op::Call(id) => Some(Action::Call(*id)),
                    Op::Apply => Some(Action::Apply),
                    Op::Tuple => Some(Action::Tuple),
                    Op::Set => Some(Action::Set),
                    Op::Lambda(body) => Some(Action::Lambda(body.clone())),
                    Op::Input => {
                        plan.input = Some(slot);
                        None
                    }
                    Op::Samples => {
                        plan.samples = Some(slot);
                        None
                    }
                    Op::Expected => {
                        plan.expected = Some(slot);
                        None
                    }
                    Op::Const(_) | Op::Param(_) => None,
                };
                if let Some(action) = action {
                    let args = node.args.iter().map(|arg| arg.0).collect();
                    plan.steps.push(Step { slot, action, args });
                }
            }
            plan.known.push(known);
        }
        plan
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

    /// The node's value, if it does not depend on any input.
    fn fold(&self, node: &Node, caller: &mut Caller) -> Option<Value> {
        if let Op::Const(value) = &node.op {
            return Some(value.clone());
        }
        if matches!(node.op, Op::Input | Op::Samples | Op::Expected | Op::Param(_)) {
            return None;
        }
        let args: Option<SmallVec<[&Value; 4]>> =
            node.args.iter().map(|arg| self.known[arg.index()].as_ref()).collect();
        let args = args?;
        let owned = || args.iter().map(|v| (*v).clone()).collect::<Vec<_>>();
        caller.reset();
        match &node.op {
            Op::Call(id) => caller.call_prim(*id, &args).ok(),
            Op::Apply => caller.call(args[0], &args[1..]).ok(),
            Op::Tuple => caller.admit(Value::tuple(owned())).ok(),
            Op::Set => caller.admit(Value::set(owned())).ok(),
            Op::Lambda(body) => {
                let captures = owned().into();
                caller.admit(Value::closure(Closure::Lambda(body.0.clone(), captures))).ok()
            }
            _ => None,
        }
    }
}
