//! See-through cells filled from what is seen elsewhere on the same sheet.

use crate::kernel::sheet::{Sheet, mend};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read, value};
use crate::call::{Caller, Fault, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_MEND_PATCHES,
    &SHEET_MEND_PERIOD,
    &SHEET_MEND_SYMMETRY,
    &SHEET_MEND_SHIFTS,
    &SHEET_HEAL,
];

/// See-through cells filled so that every window of 3 x 3 is one that occurs somewhere, turned or
/// mirrored. Fails when some window has no match.
///
/// ```arc
/// sheet_mend_patches((((1, 1, 1, 1), (1, 1, 1, 0), (1, 1, 1, 1)), (0, 0))) == (((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)), (0, 0))
/// sheet_mend_patches((((1, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_mend_patches(cx: &mut Caller, sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    // Every place is a patch that others may be completed from.
    cx.charge(8 * s.cells().len())?;
    made(|out| mend::from_patches(&s, out))
}

/// See-through cells filled from the smallest tile that repeats without a contradiction. Fails when
/// there is none.
///
/// ```arc
/// sheet_mend_period((((1, 2, 0, 2),), (0, 0))) == (((1, 2, 1, 2),), (0, 0))
/// sheet_mend_period((((1, 2, 3, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_mend_period(cx: &mut Caller, sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    cx.charge((s.height() + s.width()) * s.cells().len())?;
    made(|out| mend::from_period(&s, out))
}

/// See-through cells filled from the mirror images in the axes that fit best, which may lie off the
/// middle, and in the diagonals. Fails when no axis explains a quarter of all cells.
///
/// ```arc
/// sheet_mend_symmetry((((1, 2, 2, 0), (3, 4, 4, 3)), (0, 0))) == (((1, 2, 2, 1), (3, 4, 4, 3)), (0, 0))
/// sheet_mend_symmetry((((1, 2), (3, 0)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_mend_symmetry(cx: &mut Caller, sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    cx.charge((s.height() + s.width()) * s.cells().len())?;
    made(|out| mend::from_symmetry(&s, out))
}

/// See-through cells filled from the fewest colours that follow each other along every row, each row beginning as many
/// colours further on, without a contradiction. Fails when there are none, and where rows need not be shifted.
///
/// ```arc
/// sheet_mend_shifts((((1, 2, 0, 0), (0, 0, 1, 2), (0, 0, 0, 0), (0, 0, 0, 0)), (0, 0))) fails
/// sheet_mend_shifts((((1, 0, 0, 0), (0, 0, 2, 1), (0, 0, 0, 0), (0, 0, 0, 0)), (0, 0))) == (((1, 2, 1, 2), (2, 1, 2, 1), (1, 2, 1, 2), (2, 1, 2, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_mend_shifts(cx: &mut Caller, sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    let side = s.height().max(s.width()) / 2;
    cx.charge(side * side / 2 * s.cells().len())?;
    made(|out| mend::from_shifts(&s, out))
}

/// The picture with what `function` finds in place of the cells under `mask`, such as `sheet_mend_symmetry`; only
/// the frame around these unless `whole`. 0 is a colour here like any other: `function` sees one that is not there
/// in its place. What it leaves open is 0. Fails when nothing lies under the mask, or every colour is there.
///
/// ```arc
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, T) == (((0, 2, 2, 0), (3, 4, 4, 3)), (0, 0))
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, F) == (((0,),), (0, 3))
/// sheet_heal((((9,),), (5, 5)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, F) fails
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_spot, T) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Sheet, Fn(Sheet) -> Sheet, Bool) -> Sheet", extra)]
pub fn sheet_heal(
    cx: &mut Caller,
    mask: &Value,
    picture: &Value,
    function: &Value,
    whole: bool,
) -> Outcome {
    let (mask, picture) = (read(mask, 0)?, read(picture, 1)?);
    let mut failed = None;
    let mut out = Sheet::default();
    let mended = |torn: &Sheet, out: &mut Sheet| {
        let made = cx.call1(function, &value(torn)).and_then(|made| read(&made, 2));
        made.map(|made| *out = made).map_err(|error| failed = Some(error)).ok()
    };
    let made = mend::heal(&mask, &picture, mended, whole, &mut out);
    match (made, failed) {
        (Some(()), _) => Ok(value(&out)),
        (None, Some(error)) => Err(error),
        (None, None) => Err(Fault::Empty.into()),
    }
}
