//! `add`, `multiply` and `equality` with their arguments in one order: the older node first.
//!
//! Exact for `equality` of anything: it compares both ways alike, for no work. Exact for `add` and
//! `multiply` when one argument is a bounded integer, or both are numbers: matching parts are added or
//! multiplied in the same order, anything else fails alike, and repeating a tuple costs the same on
//! either side. Pairs that meet other tuples are left alone, `add` joins the parts of those. The
//! arguments change places, so at most one of them may be able to fail.
//!
//! Unions and intersections stay as they are: Python walks their results in an order that depends on
//! which side came first.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "sort_arguments",
    doc: "add(x, 2) -> add(2, x); also multiply, equality",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let name = called(node)?;
    let &[a, b] = &node.args[..] else { return None };
    let kinds = [draft.fact(a).kind, draft.fact(b).kind];
    let fits = match name {
        "equality" => true,
        "add" | "multiply" => {
            kinds.iter().any(|kind| kind.is_int()) || kinds.iter().all(|kind| kind.is_number())
        }
        _ => false,
    };
    if !fits || a <= b || !draft.one_can_fail(&[a, b]) {
        return None;
    }
    Some(Rewrite::Node(Node { op: node.op.clone(), args: [b, a].into_iter().collect() }))
}
