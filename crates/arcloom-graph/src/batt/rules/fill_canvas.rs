//! A grid filled entirely is a canvas of its shape.
//!
//! Exact on grids within bounds and a colour that is a bounded integer: nothing of this fails, and
//! the work is a few units per cell. Grid and colour change places, so at most one may be able to
//! fail.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "fill_canvas",
    doc: "fill(g, c, asindices(g)) -> canvas(c, shape(g)), for grids",
    rewrite,
};

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    if called(node)? != "fill" {
        return None;
    }
    let &[grid, color, places] = &node.args[..] else { return None };
    let ("asindices", &[whole]) = draft.call(places)? else { return None };
    let fits = whole == grid
        && draft.fact(grid).kind.is_grid_of_ints()
        && draft.fact(color).kind.is_int()
        && draft.one_can_fail(&[grid, color]);
    if !fits {
        return None;
    }
    let shape = call("shape", &[grid])?;
    let shape = draft.node(shape.op, &shape.args);
    call("canvas", &[color, shape]).map(Rewrite::Node)
}
