//! Filling the places of one colour replaces that colour.
//!
//! Exact on grids within bounds and a colour that is a bounded integer: nothing of this fails, the
//! result holds no more than the grid, and the work is a few units per cell. The colours change
//! places, so at most one of them may be able to fail.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "replace_filled",
    doc: "fill(g, c, ofcolor(g, d)) -> replace(g, d, c), for grids",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    if called(node)? != "fill" {
        return None;
    }
    let &[grid, new, places] = &node.args[..] else { return None };
    let ("ofcolor", &[from, old]) = draft.call(places)? else { return None };
    let fits = from == grid
        && draft.fact(grid).kind.is_grid_of_ints()
        && draft.fact(new).kind.is_int()
        && draft.one_can_fail(&[new, old]);
    if !fits {
        return None;
    }
    call("replace", &[grid, old, new]).map(Rewrite::Node)
}
