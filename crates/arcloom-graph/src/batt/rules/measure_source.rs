//! The size of a grid that was made from another grid of that size is the size of the other one.
//!
//! Turns keep or exchange the sides; `replace`, `fill` and their kind keep them; all positions or all
//! cells of a grid reach as far as the grid. Exact because the grid left out cannot fail, or fails as
//! its one argument does, and because measures of bounded grids and sets neither fail nor take work
//! worth counting.

use arcloom_lang::{Node, NodeId};

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule = RewriteRule {
    name: "measure_source",
    doc: "height(asobject(g)) -> height(g), width(dmirror(g)) -> height(g), for grids",
    rewrite,
};

/// How a grid relates to the one it was made from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// As high and as wide.
    Same,
    /// As high as the other is wide.
    Turned,
    /// Its positions or cells.
    Lifted,
}

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let measure = called(node)?;
    if !matches!(measure, "height" | "width" | "shape" | "portrait" | "square" | "asindices") {
        return None;
    }
    let (made, grid) = source(draft, node.args[0])?;
    let measure = match (made, measure) {
        (Made::Turned, "height") => "width",
        (Made::Turned, "width") => "height",
        (Made::Turned, "square") => "square",
        (Made::Turned, _) | (Made::Lifted, "asindices") => return None,
        (_, measure) => measure,
    };
    call(measure, &[grid]).map(Rewrite::Node)
}

/// The grid that a node was made from.
fn source(draft: &Draft, id: NodeId) -> Option<(Made, NodeId)> {
    let (name, args) = draft.call(id)?;
    let grid = *args.first()?;
    if !draft.fact(grid).kind.is_grid_of_ints() {
        return None;
    }
    let made = match name {
        "hmirror" | "vmirror" | "rot180" => Made::Same,
        "dmirror" | "cmirror" | "rot90" | "rot270" => Made::Turned,
        "asindices" | "asobject" => Made::Lifted,
        "replace" | "switch" | "fill" | "underfill" | "cover" if draft.fact(id).sure => Made::Same,
        _ => return None,
    };
    Some((made, grid))
}
