//! Sheets onto a canvas of a given size at the origin, and onto each other.

use crate::kernel::sheet::{Made, Sheet, canvas, stack};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_EMBED,
    &SHEET_WRAP,
    &SHEET_STRETCH,
    &SHEET_TILE,
    &SHEET_MIRROR,
    &SHEET_LAY,
    &SHEET_MASK,
    &SHEET_MASK_OUT,
];

/// A transformation onto a canvas.
fn onto(
    cx: &mut Caller,
    sheet: &Value,
    size: (i64, i64),
    f: impl FnOnce(&Sheet, (usize, usize), &mut Sheet) -> Made,
) -> Outcome {
    let s = read(sheet, 0)?;
    let side = |n: i64| match usize::try_from(n) {
        Ok(n @ 1..=crate::kernel::sheet::MAX_SIDE) => Ok(n),
        _ => Err(EvalError::from(Fault::Domain(1))),
    };
    let size = (side(size.0)?, side(size.1)?);
    cx.charge(size.0 * size.1)?;
    made(|out| f(&s, size, out))
}

/// Cells between copies.
fn gap_of(gap: i64) -> Result<usize, EvalError> {
    match usize::try_from(gap) {
        Ok(gap @ 0..=crate::kernel::sheet::MAX_SIDE) => Ok(gap),
        _ => Err(Fault::Domain(2).into()),
    }
}

/// What of the sheet lies on a canvas of this size at the origin, where it lies.
///
/// ```arc
/// sheet_embed((((1, 2), (3, 4)), (1, -1)), (2, 2)) == (((0, 0), (2, 0)), (0, 0))
/// sheet_embed((((1,),), (0, 0)), (0, 2)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
pub fn sheet_embed(cx: &mut Caller, sheet: &Value, size: (i64, i64)) -> Outcome {
    onto(cx, sheet, size, canvas::embed)
}

/// The sheet's cells as a line that goes on in the next column or row where the canvas ends.
///
/// ```arc
/// sheet_wrap((((1, 2, 3, 4),), (0, 0)), (2, 2)) == (((1, 2), (3, 4)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
pub fn sheet_wrap(cx: &mut Caller, sheet: &Value, size: (i64, i64)) -> Outcome {
    onto(cx, sheet, size, canvas::wrap)
}

/// The sheet stretched or shrunk to this size; each cell takes the colour that covers most of it.
///
/// ```arc
/// sheet_stretch((((1, 2),), (0, 0)), (2, 4)) == (((1, 1, 2, 2), (1, 1, 2, 2)), (0, 0))
/// sheet_stretch((((1, 1, 2),), (0, 0)), (1, 2)) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
pub fn sheet_stretch(cx: &mut Caller, sheet: &Value, size: (i64, i64)) -> Outcome {
    onto(cx, sheet, size, canvas::stretch)
}

/// The sheet repeated over a canvas of this size from where it lies, `gap` cells apart.
///
/// ```arc
/// sheet_tile((((1, 2),), (0, 0)), (2, 3), 0) == (((1, 2, 1), (1, 2, 1)), (0, 0))
/// sheet_tile((((1,),), (0, 0)), (1, 3), 1) == (((1, 0, 1),), (0, 0))
/// sheet_tile((((1,),), (0, 0)), (1, 3), -1) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair, Int) -> Sheet", extra)]
pub fn sheet_tile(cx: &mut Caller, sheet: &Value, size: (i64, i64), gap: i64) -> Outcome {
    let gap = gap_of(gap)?;
    onto(cx, sheet, size, |s, size, out| canvas::tile(s, size, gap, out))
}

/// The sheet repeated over a canvas of this size, every second copy mirrored, `gap` cells apart.
///
/// ```arc
/// sheet_mirror((((1, 2),), (0, 0)), (1, 5), 0) == (((1, 2, 2, 1, 1),), (0, 0))
/// sheet_mirror((((1, 2),), (0, 0)), (1, 5), 1) == (((1, 2, 0, 2, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair, Int) -> Sheet", extra)]
pub fn sheet_mirror(cx: &mut Caller, sheet: &Value, size: (i64, i64), gap: i64) -> Outcome {
    let gap = gap_of(gap)?;
    onto(cx, sheet, size, |s, size, out| canvas::mirror(s, size, gap, out))
}

/// One sheet laid over another, each where it lies; the result has the frame of the lower one.
///
/// ```arc
/// sheet_lay((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((1, 2, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_lay(under: &Value, over: &Value) -> Outcome {
    let (under, over) = (read(under, 0)?, read(over, 1)?);
    made(|out| stack::lay(&under, &over, out))
}

/// The cells of a sheet on which the mask shows something; the others become see-through.
///
/// ```arc
/// sheet_mask((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((0, 1, 0),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_mask(sheet: &Value, mask: &Value) -> Outcome {
    let (s, mask) = (read(sheet, 0)?, read(mask, 1)?);
    made(|out| stack::mask(&s, &mask, out))
}

/// The cells of a sheet on which the mask shows nothing; the others become see-through.
///
/// ```arc
/// sheet_mask_out((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((1, 0, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_mask_out(sheet: &Value, mask: &Value) -> Outcome {
    let (s, mask) = (read(sheet, 0)?, read(mask, 1)?);
    made(|out| stack::mask_out(&s, &mask, out))
}
