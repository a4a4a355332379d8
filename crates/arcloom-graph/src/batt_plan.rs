//! A batt made ready to run.
//!
//! Like a [`Plan`](crate::Plan), with two differences: there are many results, and values known in
//! advance are already in a table, because everything a batt computes is found by number there.

use crate::batt::Batt;
use arcloom_dsl::{CostClass, Registry};
use arcloom_lang::{NodeId, Op};
use arcloom_value::Value;
use smallvec::SmallVec;

use crate::plan::{Action, fold};
use crate::table::{Table, ValueId};

/// A batt made ready to run.
#[derive(Debug)]
pub struct BattPlan {
    /// Values known in advance.
    pub(crate) base: Table,
    /// Which of them each node has; nodes that are still to be computed have none.
    pub(crate) known: Vec<Option<ValueId>>,
    /// Calls that depend on `S` alone, in order.
    pub(crate) task_steps: Vec<BattStep>,
    /// All other calls, in order.
    pub(crate) input_steps: Vec<BattStep>,
    pub(crate) input: Option<u32>,
    pub(crate) samples: Option<u32>,
    pub(crate) expected: Option<u32>,
}

/// One call left to do.
#[derive(Debug, Clone)]
pub(crate) struct BattStep {
    pub(crate) slot: u32,
    /// Number of the operation where calls with equal values are worth remembering.
    pub(crate) memo: Option<u32>,
    pub(crate) action: Action,
    pub(crate) args: SmallVec<[u32; 4]>,
    /// Arguments that no later call needs.
    pub(crate) last_uses: SmallVec<[u32; 2]>,
}

/// Most arguments of a call that is remembered.
pub(crate) const MEMO_ARGS: usize = 4;

impl BattPlan {
    /// Makes a batt ready.
    pub fn new(batt: &Batt) -> BattPlan {
        let nodes = batt.nodes();
        let place = |op: &Op| nodes.iter().position(|node| node.op == *op).map(|n| n as u32);
        let mut base = Table::default();
        let known: Vec<Option<ValueId>> =
            fold(nodes).into_iter().map(|value| value.map(|v| base.insert(v))).collect();
        let mut plan = BattPlan {
            base,
            task_steps: Vec::new(),
            input_steps: Vec::new(),
            input: place(&Op::Input),
            samples: place(&Op::Samples),
            expected: place(&Op::Expected),
            known: Vec::new(),
        };
        // Whether a node depends on `S` and on nothing else that is given.
        let mut of_task: Vec<bool> = Vec::with_capacity(nodes.len());
        for (n, node) in nodes.iter().enumerate() {
            let is_fixed = |arg: &NodeId| of_task[arg.index()] || known[arg.index()].is_some();
            let task = match &node.op {
                Op::Samples => true,
                Op::Input | Op::Expected => false,
                _ => known[n].is_none() && node.args.iter().all(is_fixed),
            };
            of_task.push(task);
            if known[n].is_some() {
                continue;
            }
            let Some(action) = Action::of(&node.op) else { continue };
            let memo = memo_number(&action).filter(|_| node.args.len() <= MEMO_ARGS);
            let args = node.args.iter().map(|arg| arg.0).collect();
            let step = BattStep { slot: n as u32, memo, action, args, last_uses: SmallVec::new() };
            if task { plan.task_steps.push(step) } else { plan.input_steps.push(step) }
        }
        plan.known = known;
        plan.find_last_uses(batt);
        plan
    }

    /// Notes for each call of an input which of its arguments it is the last to need. Results of
    /// programs are needed to the end.
    fn find_last_uses(&mut self, batt: &Batt) {
        let mut needed = vec![false; self.known.len()];
        batt.roots().iter().for_each(|root| needed[root.node.index()] = true);
        for step in self.input_steps.iter_mut().rev() {
            for &arg in &step.args {
                if !std::mem::replace(&mut needed[arg as usize], true) {
                    step.last_uses.push(arg);
                }
            }
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.known.len()
    }

    /// Number of calls left to do per input.
    pub fn steps(&self) -> usize {
        self.input_steps.len()
    }

    /// Number of calls left to do per task, because they depend on its demo pairs alone.
    pub fn steps_per_task(&self) -> usize {
        self.task_steps.len()
    }

    /// The value of a node that depends on nothing.
    pub fn known(&self, node: NodeId) -> Option<&Value> {
        self.known[node.index()].map(|id| self.base.get(id))
    }
}

/// Number of an operation whose calls are worth remembering. A call whose cost does not grow with its
/// arguments is made again in less time than it is looked up.
fn memo_number(action: &Action) -> Option<u32> {
    match action {
        Action::Call(id) => {
            (Registry::get().primitive(*id).cost != CostClass::Scalar).then_some(u32::from(id.0))
        }
        Action::Apply => Some(u32::MAX),
        Action::Tuple | Action::Set | Action::Lambda(_) => None,
    }
}
