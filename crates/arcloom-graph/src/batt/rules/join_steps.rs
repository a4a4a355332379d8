//! One more and one less: two of them are a sum, a difference or nothing.
//!
//! Exact on bounded integers and pairs of them: neither form fails on those, and none overflows. The
//! argument fails as before.

use arcloom_lang::Node;
use arcloom_value::Value;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "join_steps",
    doc: "increment(increment(n)) -> add(n, 2), decrement(increment(n)) -> n",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let outer = called(node)?;
    if !matches!(outer, "increment" | "decrement") {
        return None;
    }
    let (inner, &[number]) = draft.call(node.args[0])? else { return None };
    if !draft.fact(number).kind.is_number() {
        return None;
    }
    let name = match (outer, inner) {
        ("increment", "decrement") | ("decrement", "increment") => {
            return Some(Rewrite::Same(number));
        }
        ("increment", "increment") => "add",
        ("decrement", "decrement") => "subtract",
        _ => return None,
    };
    let two = draft.constant(Value::Int(2));
    call(name, &[number, two]).map(Rewrite::Node)
}
