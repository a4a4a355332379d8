//! One sheet into a list of sheets, each where it lies. All fail when there is no part.

use crate::kernel::sheet::split::{self, Split};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{list_value, read, side};
use crate::call::{Caller, Fault, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SPLIT_CUT,
    &SPLIT_COLORS,
    &SPLIT_BLOBS,
    &SPLIT_THINGS,
    &SPLIT_ROWS,
    &SPLIT_COLUMNS,
    &SPLIT_MARKED,
    &SPLIT_FALLEN,
];

fn parts(cx: &mut Caller, sheet: &Value, how: Split) -> Outcome {
    let s = read(sheet, 0)?;
    cx.charge(3 * s.cells().len())?;
    let mut out = Vec::new();
    split::split(&s, how, &mut out).ok_or(Fault::Empty)?;
    Ok(list_value(&out))
}

/// The parts into which a separating colour cuts the sheet: one that touches two opposite sides and
/// shuts no part in, the one whose smallest part is largest.
///
/// ```arc
/// split_cut((((1, 0, 5, 2, 0), (1, 0, 5, 0, 0)), (0, 0))) == ((((1, 0), (1, 0)), (0, 0)), (((2, 0), (0, 0)), (0, 3)))
/// split_cut((((1, 1),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_cut(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Cut)
}

/// One sheet per colour, each with the whole frame, smaller colours first.
///
/// ```arc
/// split_colors((((2, 1),), (0, 0))) == ((((0, 1),), (0, 0)), (((2, 0),), (0, 0)))
/// split_colors((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_colors(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Colors)
}

/// Cells of one colour that touch by their sides, each group in the smallest frame.
///
/// ```arc
/// split_blobs((((2, 2, 0, 1),), (0, 0))) == ((((2, 2),), (0, 0)), (((1,),), (0, 3)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_blobs(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Blobs)
}

/// Cells of any colour that touch, diagonals included, each group in the smallest frame.
///
/// ```arc
/// split_things((((2, 0, 0), (0, 1, 0)), (0, 0))) == ((((2, 0), (0, 1)), (0, 0)),)
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_things(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Things)
}

/// The rows of a sheet.
///
/// ```arc
/// split_rows((((2, 0), (0, 1)), (5, 5))) == ((((2, 0),), (5, 5)), (((0, 1),), (6, 5)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_rows(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Rows)
}

/// The columns of a sheet.
///
/// ```arc
/// split_columns((((2, 0), (0, 1)), (5, 5))) == ((((2,), (0,)), (5, 5)), (((0,), (1,)), (5, 6)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_columns(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Columns)
}

/// The insides of rectangles whose four corners are marked by angles of one colour, 0 replaced by 2.
///
/// ```arc
/// split_marked((((3, 3, 0, 3, 3), (3, 0, 0, 0, 3), (0, 0, 0, 0, 0), (3, 0, 0, 0, 3), (3, 3, 0, 3, 3)), (0, 0))) == ((((2, 2, 2), (2, 2, 2), (2, 2, 2)), (1, 1)),)
/// split_marked((((3, 3), (3, 3)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Tuple<Sheet>", extra)]
pub fn split_marked(cx: &mut Caller, sheet: &Value) -> Outcome {
    parts(cx, sheet, Split::Marked)
}

/// The blobs after they fell in a direction (UP, DOWN, LEFT or RIGHT) until they met the rim or what
/// fell before them.
///
/// ```arc
/// split_fallen((((2,), (0,), (1,)), (0, 0)), DOWN) == ((((1,),), (2, 0)), (((2,),), (1, 0)))
/// split_fallen((((2,),), (0, 0)), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Tuple<Sheet>", extra)]
pub fn split_fallen(cx: &mut Caller, sheet: &Value, direction: (i64, i64)) -> Outcome {
    parts(cx, sheet, Split::Fall(side(direction, 1)?))
}
