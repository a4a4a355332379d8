//! The upper left corner of all positions or cells of a grid is the origin.
//!
//! Exact on grids within bounds that cannot fail: there is at least one cell, and nothing is left
//! out that could have failed or gone over budget.

use arcloom_lang::Node;
use arcloom_value::Value;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "fold_corners",
    doc: "ulcorner(asobject(g)) -> (0, 0), for sure grids",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    if called(node)? != "ulcorner" {
        return None;
    }
    let whole = node.args[0];
    let ("asobject" | "asindices", &[grid]) = draft.call(whole)? else { return None };
    let fits = draft.fact(whole).sure && draft.fact(grid).kind.is_grid_of_ints();
    fits.then(|| Rewrite::Same(draft.constant(Value::Pair(0, 0))))
}
