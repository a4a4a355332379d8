//! First, last and number of elements are those of the set a tuple was made from.
//!
//! Exact on sets within bounds: making the tuple cannot fail and takes one unit per element, and the
//! tuple has the set's order, whichever that is. An empty set fails in the same primitive.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "drop_totuple",
    doc: "first(totuple(s)) -> first(s), for sets; also last and size",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let name = called(node)?;
    if !matches!(name, "first" | "last" | "size") {
        return None;
    }
    let ("totuple", &[set]) = draft.call(node.args[0])? else { return None };
    if !draft.fact(set).kind.is_set() {
        return None;
    }
    call(name, &[set]).map(Rewrite::Node)
}
