//! Shapes on a sheet: holes, outlines, halos, frames.

use arcloom_macros::primitive;
use arcloom_sheet::shape;
use arcloom_value::Value;

use super::{color_of, map};
use crate::call::Outcome;
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&SHEET_FILLED, &SHEET_HOLES, &SHEET_OUTLINE, &SHEET_CORE, &SHEET_HALO, &SHEET_FRAMED];

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
pub fn sheet_outline(sheet: &Value) -> Outcome {
    map(sheet, shape::outline)
}

/// The cells that are not on the outer outline.
///
/// ```arc
/// sheet_core((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (0, 0))) == (((0, 0, 0), (0, 2, 0), (0, 0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_core(sheet: &Value) -> Outcome {
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
