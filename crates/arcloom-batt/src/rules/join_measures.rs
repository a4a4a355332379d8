//! Height and width of a grid as a pair are its shape.
//!
//! Exact on grids within bounds, which all three measure without a failure or work worth counting.
//! The grid fails as before: it is the only argument of all three.

use arcloom_ir::Node;

use super::{Rewrite, Rule};
use crate::draft::{Draft, call, called};

pub(super) const RULE: Rule = Rule {
    name: "join_measures",
    doc: "astuple(height(g), width(g)) -> shape(g), for grids",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    if called(node)? != "astuple" {
        return None;
    }
    match (draft.call(node.args[0])?, draft.call(node.args[1])?) {
        (("height", &[a]), ("width", &[b])) if a == b && draft.fact(a).kind.is_grid() => {
            call("shape", &[a]).map(Rewrite::Node)
        }
        _ => None,
    }
}
