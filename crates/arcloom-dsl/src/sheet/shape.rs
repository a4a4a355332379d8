//! Shapes on a sheet: holes, outlines, halos, frames, blocks, rooms.

use crate::kernel::sheet::shape;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{color_of, made, map, read};
use crate::call::{Caller, Fault, Outcome};
use crate::record::Primitive;
use crate::toll;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_FILLED,
    &SHEET_HOLES,
    &SHEET_OUTLINE,
    &SHEET_CORE,
    &SHEET_HALO,
    &SHEET_FRAMED,
    &SHEET_BLOCKS,
    &SHEET_ROOM,
];

/// What is there and what it encloses, in the most frequent colour. Diagonals close a shape.
///
/// ```arc
/// sheet_filled((((0, 1, 0), (1, 0, 2), (0, 1, 0)), (0, 0))) == (((0, 1, 0), (1, 1, 1), (0, 1, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_filled(sheet: &Value) -> Outcome {
    map(sheet, shape::filled)
}

/// What is enclosed, alone, in the most frequent colour. Diagonals close a shape.
///
/// ```arc
/// sheet_holes((((0, 1, 0), (1, 0, 2), (0, 1, 0)), (0, 0))) == (((0, 0, 0), (0, 1, 0), (0, 0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_holes(sheet: &Value) -> Outcome {
    map(sheet, shape::holes)
}

/// The cells of the outer outline: those on the rim and those that touch the outside.
///
/// ```arc
/// sheet_outline((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (0, 0))) == (((1, 1, 1), (1, 0, 1), (1, 1, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_outline(cx: &mut Caller, sheet: &Value) -> Outcome {
    cx.pay(toll::all, [sheet])?;
    map(sheet, shape::outline)
}

/// The cells that are not on the outer outline.
///
/// ```arc
/// sheet_core((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (0, 0))) == (((0, 0, 0), (0, 2, 0), (0, 0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_core(cx: &mut Caller, sheet: &Value) -> Outcome {
    cx.pay(toll::all, [sheet])?;
    map(sheet, shape::core)
}

/// The see-through cells that touch something, diagonals included, in colour 1.
///
/// ```arc
/// sheet_halo((((5, 0, 0), (0, 0, 0)), (0, 0))) == (((0, 1, 0), (1, 1, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_halo(sheet: &Value) -> Outcome {
    map(sheet, shape::halo)
}

/// The sheet with a frame one cell wide around it, in `color`, or in the most frequent colour for 0.
///
/// ```arc
/// sheet_framed((((5,),), (3, 4)), 1) == (((1, 1, 1), (1, 5, 1), (1, 1, 1)), (2, 3))
/// sheet_framed((((5,),), (3, 4)), 0) == (((5, 5, 5), (5, 5, 5), (5, 5, 5)), (2, 3))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
pub fn sheet_framed(sheet: &Value, color: i64) -> Outcome {
    let color = color_of(color, 1)?;
    map(sheet, |s, out| shape::framed(s, color, out))
}

/// The cells that lie in a full square of `side` by `side` cells.
///
/// ```arc
/// sheet_blocks((((1, 2, 0), (3, 4, 5)), (0, 0)), 2) == (((1, 2, 0), (3, 4, 0)), (0, 0))
/// sheet_blocks((((1, 0),), (0, 0)), 3) == (((0, 0),), (0, 0))
/// sheet_blocks((((1, 0),), (0, 0)), 0) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Int) -> Sheet", extra)]
pub fn sheet_blocks(cx: &mut Caller, sheet: &Value, side: i64) -> Outcome {
    let side = usize::try_from(side).ok().filter(|s| (1..=100).contains(s)).ok_or(Fault::Range)?;
    let sheet = read(sheet, 0)?;
    cx.charge(sheet.cells().len().saturating_mul(side * side))?;
    made(|out| shape::blocks(&sheet, side, out))
}

/// The largest full rectangle alone: of several the topmost, then the leftmost, then the widest. Fails
/// when nothing is there.
///
/// ```arc
/// sheet_room((((1, 0, 2), (3, 4, 5)), (7, 7))) == (((0, 0, 0), (3, 4, 5)), (7, 7))
/// sheet_room((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_room(cx: &mut Caller, sheet: &Value) -> Outcome {
    let sheet = read(sheet, 0)?;
    cx.charge(sheet.cells().len().saturating_mul(sheet.width()))?;
    made(|out| shape::room(&sheet, out))
}
