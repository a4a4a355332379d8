//! What can be counted on a sheet: the measures by which lists are sifted, and bars that show a count.

use crate::kernel::sheet::crop;
use crate::kernel::sheet::measure::Measure;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{axes, made, read};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SHEET_AREA,
    &SHEET_FRAME_AREA,
    &SHEET_NUMCOLORS,
    &SHEET_NUMPIECES,
    &SHEET_NUMGAPS,
    &SHEET_NUMHOLES,
    &SHEET_TOP,
    &SHEET_LEFT,
    &SHEET_SYMMETRY,
    &SHEET_HEIGHT,
    &SHEET_WIDTH,
    &SHEET_BAR,
];

fn measure(sheet: &Value, measure: Measure) -> Result<i64, EvalError> {
    Ok(measure.of(&read(sheet, 0)?).into())
}

/// The number of cells that are there.
///
/// ```arc
/// sheet_area((((1, 0), (2, 2)), (0, 0))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_area(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Area)
}

/// The number of cells, see-through ones included.
///
/// ```arc
/// sheet_frame_area((((1, 0), (2, 2)), (0, 0))) == 4
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_frame_area(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Frame)
}

/// The number of colours, 0 not counted.
///
/// ```arc
/// sheet_numcolors((((1, 0), (2, 2)), (0, 0))) == 2
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numcolors(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Colors)
}

/// The number of connected pieces, diagonals included, whatever their colours.
///
/// ```arc
/// sheet_numpieces((((1, 0, 3), (0, 0, 0), (0, 4, 0)), (0, 0))) == 3
/// sheet_numpieces((((1, 0), (0, 2)), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numpieces(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Pieces)
}

/// The number of see-through cells within the smallest frame around what is there.
///
/// ```arc
/// sheet_numgaps((((1, 0, 1, 0),), (0, 0))) == 1
/// sheet_numgaps((((0, 0),), (0, 0))) == 0
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numgaps(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Gaps)
}

/// The number of cells that are enclosed.
///
/// ```arc
/// sheet_numholes((((0, 1, 0), (1, 0, 1), (0, 1, 0)), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numholes(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Holes)
}

/// The row in which a sheet begins.
///
/// ```arc
/// sheet_top((((1, 0),), (3, 4))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_top(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Top)
}

/// The column in which a sheet begins.
///
/// ```arc
/// sheet_left((((1, 0),), (3, 4))) == 4
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_left(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Left)
}

/// In how many of the two axes, upright and level, a sheet is symmetric.
///
/// ```arc
/// sheet_symmetry((((1, 2, 1),), (0, 0))) == 2
/// sheet_symmetry((((1, 2, 3),), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_symmetry(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Symmetry)
}

/// The number of rows of a sheet.
///
/// ```arc
/// sheet_height((((1, 2, 3),), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_height(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Height)
}

/// The number of columns of a sheet.
///
/// ```arc
/// sheet_width((((1, 2, 3),), (0, 0))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_width(sheet: &Value) -> Result<i64, EvalError> {
    measure(sheet, Measure::Width)
}

/// A measure of the sheet drawn at the origin in the most frequent colour: a row of that many cells for
/// RIGHT, a column for DOWN, a square for UNITY. Fails when the measure is 0.
///
/// ```arc
/// sheet_bar((((3, 0), (3, 4)), (5, 5)), sheet_area, RIGHT) == (((3, 3, 3),), (0, 0))
/// sheet_bar((((3, 0), (3, 4)), (5, 5)), sheet_numcolors, UNITY) == (((3, 3), (3, 3)), (0, 0))
/// sheet_bar((((0, 0),), (0, 0)), sheet_area, RIGHT) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Fn(Sheet) -> Int, Pair) -> Sheet", extra)]
pub fn sheet_bar(
    cx: &mut Caller,
    sheet: &Value,
    measure: &Value,
    direction: (i64, i64),
) -> Outcome {
    let s = read(sheet, 0)?;
    let (down, right) = axes(direction, 2)?;
    let length = cx.call1(measure, sheet)?.as_int().ok_or(Fault::Element)?;
    let length = match usize::try_from(length) {
        Ok(n @ 1..=crate::kernel::sheet::MAX_SIDE) => n,
        _ => return Err(Fault::Empty.into()),
    };
    let size = (if down { length } else { 1 }, if right { length } else { 1 });
    made(|out| crop::plain(&s, size, out))
}
