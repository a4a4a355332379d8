//! The size of a grid's palette is its number of colours.
//!
//! Exact on grids within bounds, of which neither fails. The grid fails as before.

use arcloom_ir::Node;

use super::{Rewrite, Rule};
use crate::draft::{Draft, call, called};

pub(super) const RULE: Rule =
    Rule { name: "count_colors", doc: "size(palette(g)) -> numcolors(g), for grids", rewrite };

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    if called(node)? != "size" {
        return None;
    }
    let ("palette", &[grid]) = draft.call(node.args[0])? else { return None };
    if !draft.fact(grid).kind.is_grid() {
        return None;
    }
    call("numcolors", &[grid]).map(Rewrite::Node)
}
