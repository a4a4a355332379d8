//! Lists of sheets: doing something with each, sifting, picking one, overlaying and lining up.

use crate::kernel::sheet::list;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{axes, made, read_list};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::record::Primitive;
use crate::toll;
use crate::view;

/// What handing a sheet to a function takes.
const PER_SHEET: usize = 4;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &MAP_SHEETS,
    &KEEP_MOST_BY,
    &KEEP_LEAST_BY,
    &DROP_MOST_BY,
    &DROP_LEAST_BY,
    &PICK_UNIQUE_COLOR,
    &PICK_ODD,
    &PICK_ODD_FORM,
    &PICK_USUAL,
    &OVERLAY,
    &LINE_UP,
    &LINE_UP_IN_ORDER,
];

/// What a function makes of each sheet; sheets for which it fails are left out.
///
/// ```arc
/// map_sheets(((((1, 0),), (0, 0)), (((0,),), (3, 3))), sheet_trim) == ((((1,),), (0, 0)),)
/// map_sheets(((((0,),), (3, 3)),), sheet_trim) == ()
/// map_sheets(frozenset(), sheet_trim) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<Sheet>, Fn(Sheet) -> Sheet) -> Tuple<Sheet>", extra)]
pub fn map_sheets(cx: &mut Caller, sheets: &Value, function: &Value) -> Outcome {
    if !sheets.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let mut kept = Vec::new();
    for sheet in view::items(sheets, 0)? {
        cx.charge(PER_SHEET)?;
        match cx.call1(function, &sheet) {
            Ok(value) => kept.push(value),
            Err(error) if error.ends_the_step() => return Err(error),
            Err(_) => {}
        }
    }
    Ok(Value::tuple(kept))
}

/// The elements with the largest (or smallest) measure, or all the others.
fn sift(cx: &mut Caller, list: &Value, measure: &Value, largest: bool, others: bool) -> Outcome {
    if !list.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    cx.charge(toll::collecting(list.len().unwrap_or(0)))?;
    let items: Vec<Value> = view::items(list, 0)?.collect();
    let values: Vec<i64> = items
        .iter()
        .map(|s| cx.call1(measure, s)?.as_int().ok_or(Fault::Element.into()))
        .collect::<Result<_, EvalError>>()?;
    let extreme = if largest { values.iter().max() } else { values.iter().min() };
    let extreme = extreme.ok_or(Fault::Empty)?;
    let chosen = items.iter().zip(&values).filter(|(_, v)| (*v == extreme) != others);
    Ok(Value::tuple(chosen.map(|(s, _)| s.clone()).collect::<Vec<_>>()))
}

/// The elements whose measure is largest. Fails when there are none.
///
/// ```arc
/// keep_most_by(((1,), (1, 2), (3, 4)), size) == ((1, 2), (3, 4))
/// keep_most_by((), size) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn keep_most_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift(cx, list, measure, true, false)
}

/// The elements whose measure is smallest. Fails when there are none.
///
/// ```arc
/// keep_least_by(((1,), (1, 2), (3, 4)), size) == ((1,),)
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn keep_least_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift(cx, list, measure, false, false)
}

/// The elements whose measure is not the largest, which may be none. Fails on an empty tuple.
///
/// ```arc
/// drop_most_by(((1,), (1, 2), (3, 4)), size) == ((1,),)
/// drop_most_by(((1, 2), (3, 4)), size) == ()
/// drop_most_by((), size) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn drop_most_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift(cx, list, measure, true, true)
}

/// The elements whose measure is not the smallest, which may be none. Fails on an empty tuple.
///
/// ```arc
/// drop_least_by(((1,), (1, 2), (3, 4)), size) == ((1, 2), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn drop_least_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift(cx, list, measure, false, true)
}

/// The one sheet that has a colour no other has, 0 counted. Fails when there is not exactly one.
///
/// ```arc
/// pick_unique_color(((((1,),), (0, 0)), (((1, 2),), (1, 0)))) == (((1, 2),), (1, 0))
/// pick_unique_color(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn pick_unique_color(sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    made(|out| list::pick_unique_color(&sheets, out))
}

/// Pays for comparing every two sheets.
fn charge_pairs(cx: &mut Caller, sheets: &[crate::kernel::sheet::Sheet]) -> Result<(), EvalError> {
    let cells: usize = sheets.iter().map(|s| s.cells().len()).sum();
    cx.charge(sheets.len().saturating_mul(cells))
}

/// The one sheet whose grid no other has. Fails when there is not exactly one, or among more than 64.
///
/// ```arc
/// pick_odd(((((1,),), (0, 0)), (((2,),), (1, 0)), (((1,),), (2, 0)))) == (((2,),), (1, 0))
/// pick_odd(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn pick_odd(cx: &mut Caller, sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    charge_pairs(cx, &sheets)?;
    made(|out| list::pick_odd(&sheets, false, out))
}

/// The one sheet whose form, whatever the colours, no other has. Fails when there is not exactly one,
/// or among more than 64.
///
/// ```arc
/// pick_odd_form(((((1, 1),), (0, 0)), (((2, 2),), (1, 0)), (((1, 0),), (2, 0)))) == (((1, 0),), (2, 0))
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn pick_odd_form(cx: &mut Caller, sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    charge_pairs(cx, &sheets)?;
    made(|out| list::pick_odd(&sheets, true, out))
}

/// A sheet with the grid that occurs most often, the first of them. Fails when none occurs twice, or
/// among more than 64.
///
/// ```arc
/// pick_usual(((((2,),), (1, 0)), (((1,),), (0, 0)), (((1,),), (2, 0)))) == (((1,),), (0, 0))
/// pick_usual(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn pick_usual(cx: &mut Caller, sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    charge_pairs(cx, &sheets)?;
    made(|out| list::pick_usual(&sheets, out))
}

/// All sheets on one, where they lie, those with fewer cells on top. Without any, a blank cell at the
/// origin.
///
/// ```arc
/// overlay(((((5,),), (0, 1)), (((1, 1, 1),), (0, 0)))) == (((1, 5, 1),), (0, 0))
/// overlay(()) == (((0,),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn overlay(sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    if sheets.is_empty() {
        return Ok(Value::tuple2(Value::grid(1, 1, &[0]), Value::pair(0, 0)));
    }
    made(|out| list::overlay(&sheets, out))
}

/// The sheets set side by side (RIGHT) or one below the other (DOWN), from the smallest frame to the
/// largest.
///
/// ```arc
/// line_up(((((1, 1),), (0, 0)), (((2,),), (5, 5))), RIGHT) == (((2, 1, 1),), (5, 5))
/// line_up(((((1, 1),), (0, 0)), (((2,),), (5, 5))), DOWN) == (((2, 0), (1, 1)), (5, 5))
/// line_up(((((1, 1),), (0, 0)),), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>, Pair) -> Sheet", extra)]
pub fn line_up(sheets: &Value, direction: (i64, i64)) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    let down = match axes(direction, 1)? {
        (true, true) => return Err(Fault::Domain(1).into()),
        (down, _) => down,
    };
    made(|out| list::line_up(&sheets, down, out))
}

/// The sheets set side by side in the order in which they lie, along the direction in which they are
/// spread.
///
/// ```arc
/// line_up_in_order(((((2,),), (0, 5)), (((1,),), (0, 0)))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn line_up_in_order(sheets: &Value) -> Outcome {
    let sheets = read_list(sheets, 0)?;
    made(|out| list::line_up_in_order(&sheets, out))
}
