//! Frames of a sheet: trimming, squeezing, halves; and sheets that only tell a place or a size.

use crate::kernel::sheet::crop;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, map, read, side};
use crate::call::Outcome;
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_TRIM,
    &SHEET_SQUEEZE,
    &SHEET_MERGE_RUNS,
    &SHEET_HALF,
    &SHEET_INNER,
    &SHEET_UNDER,
    &SHEET_HOME,
    &SHEET_SPOT,
    &SHEET_BLANK,
    &SHEET_SOLID,
    &SHEET_MIDDLE,
];

/// The sheet cut down to the smallest frame around what is there. Fails on a blank sheet.
///
/// ```arc
/// sheet_trim((((0, 0, 0), (0, 1, 2)), (5, 5))) == (((1, 2),), (6, 6))
/// sheet_trim((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_trim(sheet: &Value) -> Outcome {
    map(sheet, crop::trim)
}

/// The sheet without the rows and columns in which nothing is, at the origin. Fails on a blank sheet.
///
/// ```arc
/// sheet_squeeze((((1, 0, 2), (0, 0, 0), (3, 0, 0)), (5, 5))) == (((1, 2), (3, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_squeeze(sheet: &Value) -> Outcome {
    map(sheet, crop::squeeze)
}

/// Of equal neighbouring rows and columns the first only, at the origin.
///
/// ```arc
/// sheet_merge_runs((((1, 1, 2), (1, 1, 2)), (5, 5))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_merge_runs(sheet: &Value) -> Outcome {
    map(sheet, crop::merge_runs)
}

/// The half that lies in a direction (UP, DOWN, LEFT or RIGHT), without a middle line. Fails when the
/// sheet is one line only.
///
/// ```arc
/// sheet_half((((1, 2, 3),), (0, 0)), RIGHT) == (((3,),), (0, 2))
/// sheet_half((((1,), (2,)), (0, 0)), UP) == (((1,),), (0, 0))
/// sheet_half((((1, 2, 3),), (0, 0)), UP) fails
/// sheet_half((((1, 2, 3),), (0, 0)), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
pub fn sheet_half(sheet: &Value, direction: (i64, i64)) -> Outcome {
    let half = match side(direction, 1)? {
        0 => 1,
        1 => 0,
        2 => 3,
        _ => 2,
    };
    map(sheet, |s, out| crop::half(s, half, out))
}

/// The sheet without its outer rows and columns. Fails when nothing is left.
///
/// ```arc
/// sheet_inner((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (4, 4))) == (((2,),), (5, 5))
/// sheet_inner((((1, 1), (1, 2)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_inner(sheet: &Value) -> Outcome {
    map(sheet, crop::inner)
}

/// What a picture shows where the sheet lies, see-through beyond its rim.
///
/// ```arc
/// sheet_under((((5, 5),), (1, 1)), (((1, 2), (3, 4)), (0, 0))) == (((4, 0),), (1, 1))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_under(sheet: &Value, picture: &Value) -> Outcome {
    let (sheet, picture) = (read(sheet, 0)?, read(picture, 1)?);
    made(|out| crop::under(&sheet, &picture, out))
}

/// The sheet moved to the origin.
///
/// ```arc
/// sheet_home((((1, 2),), (3, 4))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_home(sheet: &Value) -> Outcome {
    map(sheet, crop::home)
}

/// One cell of the most frequent colour at the sheet's place.
///
/// ```arc
/// sheet_spot((((1, 2), (0, 2)), (3, 4))) == (((2,),), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_spot(sheet: &Value) -> Outcome {
    map(sheet, crop::spot)
}

/// A blank sheet of the same size and place.
///
/// ```arc
/// sheet_blank((((1, 2),), (3, 4))) == (((0, 0),), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_blank(sheet: &Value) -> Outcome {
    map(sheet, |s, out| crop::blank(s, true, out))
}

/// A sheet of the same size and place, all in the most frequent colour.
///
/// ```arc
/// sheet_solid((((1, 2), (0, 2)), (3, 4))) == (((2, 2), (2, 2)), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_solid(sheet: &Value) -> Outcome {
    map(sheet, |s, out| crop::solid(s, true, out))
}

/// The middle of the sheet in colour 1: one cell, or two along sides of even length.
///
/// ```arc
/// sheet_middle((((1, 2, 3),), (3, 4))) == (((1,),), (3, 5))
/// sheet_middle((((1, 2, 3, 4),), (0, 0))) == (((1, 1),), (0, 1))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_middle(sheet: &Value) -> Outcome {
    map(sheet, crop::middle)
}
