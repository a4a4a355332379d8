//! What the questions of rules ask of a sheet, and the colours that a sheet may take from others of its list.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::kin::{self, Kin};
use crate::kernel::sheet::property::Property;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::rule::canvas_side;
use super::{read, read_list};
use crate::call::{Caller, EvalError, Fault};

/// A property of a sheet alone.
fn own(sheet: &Value, property: Property) -> Result<i64, EvalError> {
    let value = property.alone(&read(sheet, 0)?, (0, 0));
    Ok(value.ok_or(Fault::Domain(0))?.into())
}

/// A list, and the place of a sheet in it; at its end where it has no such sheet.
fn among(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<(Vec<Sheet>, usize), EvalError> {
    let (s, mut list) = (read(sheet, 0)?, read_list(sheets, 1)?);
    let cells: usize = list.iter().map(|s| s.cells().len()).sum();
    cx.charge((cells + s.cells().len()).saturating_mul(list.len() + 1))?;
    let place = list.iter().position(|other| *other == s).unwrap_or_else(|| {
        list.push(s);
        list.len() - 1
    });
    Ok((list, place))
}

/// How many others of the list count.
fn others(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
    property: Property,
) -> Result<i64, EvalError> {
    let (list, k) = among(cx, sheet, sheets)?;
    let counts = property.relation().ok_or(Fault::Domain(0))?;
    let others = list.iter().enumerate().filter(|(m, _)| *m != k);
    Ok(others.filter(|(_, other)| counts(&list[k], other)).count() as i64)
}

/// The colour that a sheet takes from its list, 0 when there is none.
fn taken(cx: &mut Caller, sheet: &Value, sheets: &Value, from: Kin) -> Result<i64, EvalError> {
    let (list, k) = among(cx, sheet, sheets)?;
    Ok(kin::colors(&list, from)[k].unwrap_or(0).into())
}

/// The colour of the largest or the smallest of a list, 0 when there is none.
fn extreme(sheets: &Value, which: Kin) -> Result<i64, EvalError> {
    let colors = kin::colors(&read_list(sheets, 0)?, which);
    Ok(colors.first().copied().flatten().unwrap_or(0).into())
}

/// The most frequent colour other than 0, the smallest of several; 0 when there is none.
///
/// ```arc
/// sheet_main_color((((1, 2, 2),), (0, 0))) == 2
/// sheet_main_color((((0,),), (0, 0))) == 0
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_main_color(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::Color)
}

/// The least frequent colour other than 0, the smallest of several; 0 when there is none.
///
/// ```arc
/// sheet_rarest_color((((1, 2, 2),), (0, 0))) == 1
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_rarest_color(sheet: &Value) -> Result<i64, EvalError> {
    let s = read(sheet, 0)?;
    Ok(kin::colors(&[s], Kin::Least)[0].unwrap_or(0).into())
}

/// Whether a sheet is as high as wide.
///
/// ```arc
/// sheet_is_square((((1, 2), (0, 0)), (0, 0))) == T
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Bool", extra)]
pub fn sheet_is_square(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::Square)
}

/// Whether the number of cells that are there is odd.
///
/// ```arc
/// sheet_odd_area((((1, 0), (2, 3)), (0, 0))) == T
/// sheet_odd_area((((1, 0), (2, 0)), (0, 0))) == F
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Bool", extra)]
pub fn sheet_odd_area(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::OddArea)
}

/// Whether the shorter side of a sheet is odd.
///
/// ```arc
/// sheet_odd_side((((1, 2),), (0, 0))) == T
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Bool", extra)]
pub fn sheet_odd_side(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::OddSide)
}

/// The number of rows or of columns, whichever is larger.
///
/// ```arc
/// sheet_longer_side((((1, 2, 3),), (0, 0))) == 3
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_longer_side(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::Length)
}

/// Whether a sheet is wider than high (WIDE), as high as wide (SQUARE) or higher than wide (TALL).
///
/// ```arc
/// sheet_orientation((((1, 2),), (0, 0))) == WIDE
/// sheet_orientation((((1,), (2,)), (0, 0))) == TALL
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_orientation(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::Upright)
}

/// The number of enclosed parts.
///
/// ```arc
/// sheet_numenclosures((((1, 1, 1, 1, 1), (1, 0, 1, 0, 1), (1, 1, 1, 1, 1)), (0, 0))) == 2
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numenclosures(sheet: &Value) -> Result<i64, EvalError> {
    own(sheet, Property::HoleParts)
}

/// The number of sides that a sheet touches of a canvas of the given size at the origin.
///
/// ```arc
/// borders_touched((((1, 2),), (0, 0)), (5, 5)) == 2
/// borders_touched((((1, 2),), (0, 0)), (1, 2)) == 4
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Sheet, Pair) -> Int", extra)]
pub fn borders_touched(sheet: &Value, size: (i64, i64)) -> Result<i64, EvalError> {
    let canvas = (canvas_side(size.0, 1)?, canvas_side(size.1, 1)?);
    let value = Property::Border.alone(&read(sheet, 0)?, canvas);
    Ok(value.ok_or(Fault::Domain(0))?.into())
}

/// The number of others of a list that have the form of a sheet, whatever their colours.
///
/// ```arc
/// others_same_form((((5,),), (0, 0)), ((((5,),), (0, 0)), (((3,),), (2, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_same_form(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Alike)
}

/// The number of others of a list that have the form of a sheet once they are turned or mirrored.
///
/// ```arc
/// others_same_form_turned((((5, 5),), (0, 0)), ((((5, 5),), (0, 0)), (((3,), (3,)), (2, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_same_form_turned(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Turned)
}

/// The number of others of a list that have the colour of a sheet.
///
/// ```arc
/// others_same_color((((5,),), (0, 0)), ((((5,),), (0, 0)), (((5, 5),), (2, 0)), (((3,),), (4, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_same_color(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::SameColor)
}

/// The number of others of a list that have the form of a sheet in another colour.
///
/// ```arc
/// others_same_form_recolored((((5,),), (0, 0)), ((((5,),), (0, 0)), (((5,),), (2, 0)), (((3,),), (4, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_same_form_recolored(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Twins)
}

/// The number of others of a list that a sheet touches, diagonals included.
///
/// ```arc
/// others_touching((((5,),), (0, 0)), ((((5,),), (0, 0)), (((3,),), (1, 1)), (((3,),), (4, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_touching(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Touching)
}

/// The number of others of a list in whose frame a sheet lies.
///
/// ```arc
/// others_around((((5,),), (1, 1)), ((((5,),), (1, 1)), (((3, 3, 3), (3, 0, 3), (3, 3, 3)), (0, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_around(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Inside)
}

/// The number of others of a list that lie in the frame of a sheet.
///
/// ```arc
/// others_inside((((3, 3, 3), (3, 0, 3), (3, 3, 3)), (0, 0)), ((((5,),), (1, 1)), (((3, 3, 3), (3, 0, 3), (3, 3, 3)), (0, 0)))) == 1
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn others_inside(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    others(cx, sheet, sheets, Property::Around)
}

/// The colour of the one of a list that a sheet touches along most sides of cells. Only those of
/// another colour count; 0 when there is none.
///
/// ```arc
/// color_of_touching((((5,),), (0, 0)), ((((5,),), (0, 0)), (((3,),), (1, 0)), (((4,),), (0, 3)))) == 3
/// color_of_touching((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_touching(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::Touching)
}

/// The colour of the nearest of a list. Only those of another colour count; 0 when there is none.
///
/// ```arc
/// color_of_nearest((((5,),), (0, 0)), ((((3,),), (4, 0)), (((4,),), (0, 3)))) == 4
/// color_of_nearest((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_nearest(cx: &mut Caller, sheet: &Value, sheets: &Value) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::Nearest)
}

/// The colour of the nearest of a list that lies in one of the rows of a sheet. Only those of another
/// colour count; 0 when there is none.
///
/// ```arc
/// color_of_nearest_in_row((((5,),), (0, 0)), ((((3,),), (2, 0)), (((4,),), (0, 3)))) == 4
/// color_of_nearest_in_row((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_nearest_in_row(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::InRow)
}

/// The colour of the nearest of a list that lies in one of the columns of a sheet. Only those of
/// another colour count; 0 when there is none.
///
/// ```arc
/// color_of_nearest_in_column((((5,),), (0, 0)), ((((3,),), (4, 0)), (((4,),), (0, 3)))) == 3
/// color_of_nearest_in_column((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_nearest_in_column(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::InColumn)
}

/// The colour of the largest of a list that lies in the frame of a sheet. Only those of another colour
/// count; 0 when there is none.
///
/// ```arc
/// color_of_largest_inside((((3, 3, 3), (3, 0, 3), (3, 3, 3)), (0, 0)), ((((5,),), (1, 1)), (((4, 4),), (7, 7)))) == 5
/// color_of_largest_inside((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_largest_inside(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::Inside)
}

/// The colour of the smallest of a list in whose frame a sheet lies. Only those of another colour
/// count; 0 when there is none.
///
/// ```arc
/// color_of_smallest_around((((5,),), (1, 1)), ((((5,),), (1, 1)), (((3, 3, 3), (3, 0, 3), (3, 3, 3)), (0, 0)))) == 3
/// color_of_smallest_around((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_smallest_around(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::Around)
}

/// The colour of the first of a list that has the form of a sheet. Only those of another colour count;
/// 0 when there is none.
///
/// ```arc
/// color_of_same_form((((5,),), (0, 0)), ((((3, 3),), (4, 0)), (((4,),), (0, 3)))) == 4
/// color_of_same_form((((5,),), (0, 0)), ()) == 0
/// ```
#[primitive(class = Rule, cost = Pairs, sig = "(Sheet, Tuple<Sheet>) -> Int", extra)]
pub fn color_of_same_form(
    cx: &mut Caller,
    sheet: &Value,
    sheets: &Value,
) -> Result<i64, EvalError> {
    taken(cx, sheet, sheets, Kin::Twin)
}

/// The colour of the largest of a list, the first of several; 0 when there is none.
///
/// ```arc
/// color_of_largest(((((5,),), (0, 0)), (((3, 3),), (4, 0)))) == 3
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Tuple<Sheet>) -> Int", extra)]
pub fn color_of_largest(sheets: &Value) -> Result<i64, EvalError> {
    extreme(sheets, Kin::Largest)
}

/// The colour of the smallest of a list, the first of several; 0 when there is none.
///
/// ```arc
/// color_of_smallest(((((5,),), (0, 0)), (((3, 3),), (4, 0)))) == 5
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Tuple<Sheet>) -> Int", extra)]
pub fn color_of_smallest(sheets: &Value) -> Result<i64, EvalError> {
    extreme(sheets, Kin::Smallest)
}
