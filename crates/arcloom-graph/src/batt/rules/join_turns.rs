//! Two mirrors or rotations of a grid are one, or none.
//!
//! Exact on grids within bounds: a rectangle is turned without a failure and for one unit per cell,
//! whatever its cells are, and turning it does not change how much it holds. On patches it would not
//! be: those fail when they are empty. The argument fails as before.

use arcloom_lang::Node;

use super::{Rewrite, RewriteRule};
use crate::batt::draft::{Draft, call, called};

pub(super) const RULE: RewriteRule =
    RewriteRule { name: "join_turns", doc: "hmirror(vmirror(g)) -> rot180(g), for grids", rewrite };

/// Where the corners of the result come from: upper left, upper right, lower left, lower right.
type Corners = [usize; 4];

const NONE: Corners = [0, 1, 2, 3];

const TURNS: &[(&str, Corners)] = &[
    ("hmirror", [2, 3, 0, 1]),
    ("vmirror", [1, 0, 3, 2]),
    ("dmirror", [0, 2, 1, 3]),
    ("cmirror", [3, 1, 2, 0]),
    ("rot90", [2, 0, 3, 1]),
    ("rot180", [3, 2, 1, 0]),
    ("rot270", [1, 3, 0, 2]),
];

fn turn(name: &str) -> Option<Corners> {
    TURNS.iter().find(|(turn, _)| *turn == name).map(|(_, corners)| *corners)
}

fn rewrite(draft: &mut Draft, node: &Node) -> Option<Rewrite> {
    let outer = turn(called(node)?)?;
    let (name, &[grid]) = draft.call(node.args[0])? else { return None };
    let inner = turn(name)?;
    if !draft.fact(grid).kind.is_grid_of_ints() {
        return None;
    }
    let both = outer.map(|corner| inner[corner]);
    if both == NONE {
        return Some(Rewrite::Same(grid));
    }
    let (name, _) = TURNS.iter().find(|(_, corners)| *corners == both)?;
    call(name, &[grid]).map(Rewrite::Node)
}
