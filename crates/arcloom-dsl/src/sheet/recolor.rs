//! Objects recoloured by what they are: a table from a measure to a colour.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::recolor::{self, SAME};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::view;

/// The sheets of a list with their measures.
fn measured(
    cx: &mut Caller,
    sheets: &Value,
    measure: &Value,
) -> Result<(Vec<Sheet>, Vec<i64>), EvalError> {
    if !sheets.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let (mut list, mut values) = (Vec::new(), Vec::new());
    for sheet in view::items(sheets, 0)? {
        list.push(read(&sheet, 0)?);
        values.push(cx.call1(measure, &sheet)?.as_int().ok_or(Fault::Element)?);
    }
    Ok((list, values))
}

/// The sheets in the colours that a table has for their values.
fn colored(cx: &mut Caller, list: &[Sheet], values: &[i64], table: &Value) -> Outcome {
    if !table.is_tuple() {
        return Err(Fault::Kind(2).into());
    }
    let mut entries: Vec<(i64, u8)> = Vec::new();
    for entry in view::items(table, 2)? {
        let (value, color) = view::two_ints(&entry)?;
        let color = match color {
            -1 => SAME,
            0..=9 => color as u8,
            _ => return Err(Fault::Domain(2).into()),
        };
        entries.push((value, color));
    }
    cx.charge(values.len().saturating_mul(entries.len()))?;
    let color = |value: &i64| entries.iter().find(|(v, _)| v == value).map(|(_, color)| *color);
    let colors: Option<Vec<u8>> = values.iter().map(color).collect();
    let colors = colors.ok_or(Fault::Domain(2))?;
    made(|out| recolor::paint(list, &colors, out))
}

/// All sheets on one, where they lie, each in the colour that a table has for its measure. Entries are
/// `case(value, color)`, with KEEP and VANISH in place of a colour, or `(value, color)`, where -1 is KEEP and 0 VANISH. Those
/// with fewer cells are on top. Fails when a value is not in the table, or nothing is left.
///
/// ```arc
/// recolor_by(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, (case(1, GREEN), case(2, KEEP))) == (((5, 5), (3, 0)), (0, 0))
/// recolor_by(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, ((1, 3), (2, -1))) == (((5, 5), (3, 0)), (0, 0))
/// recolor_by(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, ((1, 0), (2, 7))) == (((7, 7),), (0, 0))
/// recolor_by(((((5, 5),), (0, 0)),), sheet_area, ((1, 3),)) fails
/// recolor_by(((((5, 5),), (0, 0)),), sheet_area, ((2, 0),)) fails
/// recolor_by(((((5, 5),), (0, 0)),), sheet_area, ((2, 10),)) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<Sheet>, Fn(Sheet) -> Int, Tuple<Pair>) -> Sheet", extra, toll = all)]
pub fn recolor_by(cx: &mut Caller, sheets: &Value, measure: &Value, table: &Value) -> Outcome {
    let (list, values) = measured(cx, sheets, measure)?;
    colored(cx, &list, &values, table)
}

/// The same by rank: 0 for the sheets with the largest measure, 1 for those with the next smaller one,
/// and so on. Entries of the table are `case(rank, color)`, or `(rank, color)`.
///
/// ```arc
/// recolor_by_rank(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, ((0, 3), (1, -1))) == (((3, 3), (5, 0)), (0, 0))
/// recolor_by_rank(((((5,),), (0, 0)), (((5,),), (1, 0))), sheet_area, ((0, 3),)) == (((3,), (3,)), (0, 0))
/// recolor_by_rank(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, ((0, 3),)) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<Sheet>, Fn(Sheet) -> Int, Tuple<Pair>) -> Sheet", extra, toll = all)]
pub fn recolor_by_rank(cx: &mut Caller, sheets: &Value, measure: &Value, table: &Value) -> Outcome {
    let (list, values) = measured(cx, sheets, measure)?;
    let ranks: Vec<i64> = recolor::ranks(&values).into_iter().map(|rank| rank as i64).collect();
    colored(cx, &list, &ranks, table)
}
