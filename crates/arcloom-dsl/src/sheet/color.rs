//! Colours of a sheet: keep, erase, invert, recolour.

use crate::kernel::sheet::color;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{color_of, map};
use crate::call::Outcome;
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_KEEP,
    &SHEET_ERASE,
    &SHEET_DYE,
    &SHEET_INVERT,
    &SHEET_KEEP_MOST,
    &SHEET_KEEP_LEAST,
    &SHEET_ERASE_MOST,
    &SHEET_SWAP_GROUND,
];

/// The cells of one colour; the others become see-through.
///
/// ```arc
/// sheet_keep((((1, 2), (0, 2)), (0, 0)), 2) == (((0, 2), (0, 2)), (0, 0))
/// sheet_keep((((1, 2),), (0, 0)), 10) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
pub fn sheet_keep(sheet: &Value, color: i64) -> Outcome {
    let color = color_of(color, 1)?;
    map(sheet, |s, out| color::keep(s, color, out))
}

/// The sheet without the cells of one colour, which become see-through.
///
/// ```arc
/// sheet_erase((((1, 2), (0, 2)), (0, 0)), 2) == (((1, 0), (0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
pub fn sheet_erase(sheet: &Value, color: i64) -> Outcome {
    let color = color_of(color, 1)?;
    map(sheet, |s, out| color::erase(s, color, out))
}

/// The sheet with everything that is there in one colour.
///
/// ```arc
/// sheet_dye((((1, 2), (0, 2)), (0, 0)), 5) == (((5, 5), (0, 5)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
pub fn sheet_dye(sheet: &Value, color: i64) -> Outcome {
    let color = color_of(color, 1)?;
    map(sheet, |s, out| color::dye(s, color, out))
}

/// What is there becomes see-through, the rest gets the smallest colour that does not occur.
///
/// ```arc
/// sheet_invert((((1, 0), (0, 3)), (0, 0))) == (((0, 2), (2, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_invert(sheet: &Value) -> Outcome {
    map(sheet, color::invert)
}

/// The cells of the most frequent colour, the smallest of several.
///
/// ```arc
/// sheet_keep_most((((1, 2), (0, 2)), (0, 0))) == (((0, 2), (0, 2)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_keep_most(sheet: &Value) -> Outcome {
    map(sheet, color::keep_most)
}

/// The cells of the least frequent colour, the smallest of several. Fails on a blank sheet.
///
/// ```arc
/// sheet_keep_least((((1, 2), (0, 2)), (0, 0))) == (((1, 0), (0, 0)), (0, 0))
/// sheet_keep_least((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_keep_least(sheet: &Value) -> Outcome {
    map(sheet, color::keep_least)
}

/// All but the cells of the most frequent colour.
///
/// ```arc
/// sheet_erase_most((((1, 2), (0, 2)), (0, 0))) == (((1, 0), (0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_erase_most(sheet: &Value) -> Outcome {
    map(sheet, color::erase_most)
}

/// The most frequent colour and 0 change places. Fails when 0 is as frequent.
///
/// ```arc
/// sheet_swap_ground((((2, 2), (0, 1)), (0, 0))) == (((0, 0), (2, 1)), (0, 0))
/// sheet_swap_ground((((0, 0), (0, 1)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_swap_ground(sheet: &Value) -> Outcome {
    map(sheet, color::swap_ground)
}
