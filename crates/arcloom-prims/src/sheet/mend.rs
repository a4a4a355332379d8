//! See-through cells filled from what is seen elsewhere on the same sheet.

use arcloom_macros::primitive;
use arcloom_sheet::mend;
use arcloom_value::Value;

use super::{made, map, read};
use crate::call::{Caller, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&SHEET_MEND_PATCHES, &SHEET_MEND_PERIOD, &SHEET_MEND_SYMMETRY];

/// See-through cells filled so that every window of 3 x 3 is one that occurs somewhere, turned or
/// mirrored. Fails when some window has no match.
///
/// ```arc
/// sheet_mend_patches((((1, 1, 1, 1), (1, 1, 1, 0), (1, 1, 1, 1)), (0, 0))) == (((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)), (0, 0))
/// sheet_mend_patches((((1, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_mend_patches(sheet: &Value) -> Outcome {
    map(sheet, mend::from_patches)
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
/// middle. Fails when no axis explains a quarter of what is there.
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
