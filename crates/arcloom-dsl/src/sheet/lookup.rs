//! Cell by cell: a table from the colours of several sheets to one colour.

use crate::kernel::sheet::lookup;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{color_of, made, read_list};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::view;

/// The sheet that has in every cell the colour that a table has for the colours of the sheets there,
/// whatever their places; it lies where the first lies. Entries are `case((a, b), color)`, or `((a, b), color)`. Fails when
/// the table lacks a case, and when the sheets differ in size.
///
/// ```arc
/// lookup_cells(((((1, 2),), (3, 4)), (((0, 2),), (0, 0))), (case((BLUE, BLACK), ORANGE), case((RED, RED), BLACK))) == (((7, 0),), (3, 4))
/// lookup_cells(((((1, 2),), (3, 4)), (((0, 2),), (0, 0))), (((1, 0), 7), ((2, 2), 0))) == (((7, 0),), (3, 4))
/// lookup_cells(((((1, 2),), (0, 0)),), (((1,), 2), ((2,), 1))) == (((2, 1),), (0, 0))
/// lookup_cells(((((1, 2),), (0, 0)), (((0, 2),), (0, 0))), (((1, 0), 7),)) fails
/// lookup_cells(((((1, 2),), (0, 0)), (((0,),), (0, 0))), (((1, 0), 7),)) fails
/// lookup_cells(((((1,),), (0, 0)), (((0,),), (0, 0))), (((1, 0), 10),)) fails
/// lookup_cells((), ()) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Tuple<Tuple<Any>>) -> Sheet", extra)]
pub fn lookup_cells(cx: &mut Caller, sheets: &Value, table: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    if !table.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    let mut entries: Vec<(Vec<u8>, u8)> = Vec::new();
    for entry in view::items(table, 1)? {
        let (key, color) = view::two(&entry)?;
        let key: Result<Vec<u8>, EvalError> =
            view::items(&key, 1)?.map(|c| color_of(c.as_int().ok_or(Fault::Element)?, 1)).collect();
        entries.push((key?, color_of(color.as_int().ok_or(Fault::Element)?, 1)?));
    }
    let cells = sheets.first().map_or(0, |s| s.cells().len());
    cx.charge(cells.saturating_mul(entries.len()))?;
    made(|out| lookup::lookup(&sheets, &entries, out))
}
