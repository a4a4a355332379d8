//! A call of constants is a constant: `multiply(2, 6)` is 12.
//!
//! Exact because the call is made here, by the primitive itself; one that fails, or takes more than a
//! small budget, is left alone and fails or pays when the program runs. Only integers and tuples are
//! folded: a function has to stay as it is written to be printed, and a set that is written down may
//! be walked by Python in another order than the same set as the call builds it.

use arcloom_dsl::Caller;
use arcloom_lang::{Node, NodeId, Op};
use arcloom_value::Value;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::Draft;

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "fold_constants",
    doc: "multiply(2, 6) -> 12, and any call of data",
    rewrite,
};

/// Most work a call may take; no budget that facts allow is smaller.
const BUDGET: u64 = 1_000;
/// Most integers in the result, so that programs stay as readable as they were.
const MAX_PARTS: usize = 4;

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let args: Vec<&Value> =
        node.args.iter().map(|&arg| constant(draft, arg)).collect::<Option<_>>()?;
    let value = match &node.op {
        Op::Call(prim) => Caller::new(BUDGET).call_prim(*prim, &args).ok()?,
        Op::Tuple => Value::tuple(args.into_iter().cloned().collect::<Vec<_>>()),
        _ => return None,
    };
    (parts(&value)? <= MAX_PARTS).then(|| Rewrite::Same(draft.constant(value)))
}

/// The value of a constant that is data.
fn constant(draft: &Draft, id: NodeId) -> Option<&Value> {
    match &draft.get(id).op {
        Op::Const(value) => parts(value).map(|_| value),
        _ => None,
    }
}

/// Number of integers in tuples of integers; `None` when something else is in there.
fn parts(value: &Value) -> Option<usize> {
    if value.as_int().is_some() {
        return Some(1);
    }
    if !value.is_tuple() {
        return None;
    }
    value.iter()?.map(|item| parts(&item)).sum()
}
