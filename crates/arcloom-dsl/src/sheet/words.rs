//! The words that rules, trees and tables of found programs are written in.
//!
//! A word gives the numbers that `paint_by_rule`, `move_by_rule`, `decide_cells`, `grow_cells`, `lookup_cells` and
//! `recolor_by` take, so kernels see plain data and only texts have words. [`crate::words`] goes the other
//! way, from the numbers to the words.

use crate::kernel::sheet::beam::{Heading, Ray, RayColor, RayEnd, RaySource};
use crate::kernel::sheet::decide::{COPIES, FARTHEST, OUTSIDE};
use crate::kernel::sheet::overgrow::VISIBLE;
use crate::kernel::sheet::recolor::SAME;
use crate::kernel::sheet::rule::{Action, How};
use crate::kernel::sheet::shift::{self, Shift};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::color_of;
use super::way::{STEPS, SheetSide};
use crate::call::{EvalError, Fault, Outcome};
use crate::registry::Registry;
use crate::view;
use crate::words::{ASKED, SOURCES};

/// The sheet that a number stands for at most.
const LAST_SHEET: i64 = u8::MAX as i64 - COPIES;

/// A line of a rule for `paint_by_rule`, `move_by_rule` and `send_rays`: what becomes of the sheets for which a question holds.
///
/// Questions are `is_equal`, `is_at_least`, `is_below`, `is_largest`, `is_smallest`, `is_not_largest` and
/// `is_not_smallest`. For `paint_by_rule` the action is a colour, KEEP, VANISH, or a function that says from
/// where the colour is taken, such as `color_of_nearest`; for `move_by_rule` it is STAY, `move_by`,
/// `move_by_own_size`, `move_until_blocked`, MOVE_TO_STAYING, ALIGN_TOP_WITH_STAYING or
/// ALIGN_LEFT_WITH_STAYING; for `send_rays` it is `ray` or NO_RAY. Of the lines of a rule the first counts that holds.
///
/// ```arc
/// when(is_largest(sheet_area), RED) == (0, 3, 0, 2)
/// when(is_equal(sheet_main_color, GRAY), color_of_nearest) == (11, 0, 5, 14)
/// paint_by_rule(((((5, 5),), (0, 0)), (((3,),), (1, 0))), (9, 9), WHOLE, (when(is_largest(sheet_area), RED), otherwise(KEEP))) == (((2, 2), (3, 0)), (0, 0))
/// when(7, RED) fails
/// when(is_largest(sheet_area), sheet_area) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Tuple<Int>, Any) -> Tuple<Int>", extra)]
pub fn when(question: &Value, action: &Value) -> Outcome {
    if !question.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let parts: Vec<Value> = view::items(question, 0)?.take(4).collect();
    let [property, how, value] = &parts[..] else { return Err(Fault::Element.into()) };
    let number = |v: &Value| v.as_int().map(Value::Int).ok_or(Fault::Element);
    let action = Value::Int(action_of(action, 1)?);
    Ok(Value::tuple(vec![number(property)?, number(how)?, number(value)?, action]))
}

/// The last line of a rule: what becomes of the sheets for which no line before it holds. Actions are those
/// of `when`.
///
/// ```arc
/// otherwise(KEEP) == (10,)
/// move_by_rule(((((5, 5),), (0, 0)),), (4, 4), (otherwise(move_by(DOWN_RIGHT)),)) == (((5, 5),), (1, 1))
/// otherwise(()) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any) -> Tuple<Int>", extra)]
pub fn otherwise(action: &Value) -> Outcome {
    Ok(Value::tuple(vec![Value::Int(action_of(action, 0)?)]))
}

/// The number of an action: itself, or that of the function by which a colour is taken.
fn action_of(action: &Value, index: u8) -> Result<i64, EvalError> {
    match (action, action.as_int()) {
        (_, Some(n)) => Action::try_from(n).map(i64::from).map_err(|_| Fault::Domain(index).into()),
        (Value::Prim(id), _) => {
            let name = Registry::get().primitive(*id).name;
            let number = SOURCES.iter().position(|source| *source == name);
            Ok(i64::from(SAME) + 1 + number.ok_or(Fault::Domain(index))? as i64)
        }
        _ => Err(Fault::Kind(index).into()),
    }
}

/// A question about a property of a sheet.
fn question(property: &Value, how: How, value: i64) -> Outcome {
    let Value::Prim(id) = property else { return Err(Fault::Kind(0).into()) };
    let name = Registry::get().primitive(*id).name;
    let number = ASKED.iter().position(|asked| *asked == name).ok_or(Fault::Domain(0))?;
    let value = i16::try_from(value).map_err(|_| Fault::Domain(1))?;
    let numbers = [number as i64, how as i64, value.into()];
    Ok(Value::tuple(numbers.map(Value::Int).to_vec()))
}

/// The question whether a property of a sheet has this value.
///
/// Properties are `sheet_area`, `sheet_frame_area`, `sheet_numcolors`, `sheet_numpieces`, `sheet_numgaps`,
/// `sheet_numholes`, `sheet_numenclosures`, `sheet_top`, `sheet_left`, `sheet_height`, `sheet_width`, `sheet_longer_side`,
/// `sheet_symmetry`, `sheet_orientation`, `sheet_is_square`, `sheet_odd_area`, `sheet_odd_side`, `sheet_main_color`,
/// `borders_touched`, `others_same_form`, `others_same_form_turned`, `others_same_form_recolored`, `others_same_color`,
/// `others_touching`, `others_around` and `others_inside`.
///
/// ```arc
/// is_equal(sheet_main_color, GRAY) == (11, 0, 5)
/// is_equal(sheet_orientation, TALL) == (17, 0, 2)
/// is_equal(sheet_trim, 1) fails
/// is_equal(3, 1) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any, Int) -> Tuple<Int>", extra)]
pub fn is_equal(property: &Value, value: i64) -> Outcome {
    question(property, How::Is, value)
}

/// The question whether a property of a sheet, one of those of `is_equal`, has this value or a larger one.
///
/// ```arc
/// is_at_least(sheet_height, 3) == (9, 1, 3)
/// is_at_least(sheet_height, HUNDRED) == (9, 1, 100)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any, Int) -> Tuple<Int>", extra)]
pub fn is_at_least(property: &Value, value: i64) -> Outcome {
    question(property, How::AtLeast, value)
}

/// The question whether a property of a sheet, one of those of `is_equal`, has a smaller value.
///
/// ```arc
/// is_below(others_touching, 2) == (23, 2, 2)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any, Int) -> Tuple<Int>", extra)]
pub fn is_below(property: &Value, value: i64) -> Outcome {
    question(property, How::Below, value)
}

/// The question whether no other sheet of the list has a larger property, one of those of `is_equal`.
///
/// ```arc
/// is_largest(sheet_area) == (0, 3, 0)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any) -> Tuple<Int>", extra)]
pub fn is_largest(property: &Value) -> Outcome {
    question(property, How::Largest, 0)
}

/// The question whether another sheet of the list has a larger property, one of those of `is_equal`.
///
/// ```arc
/// is_not_largest(sheet_area) == (0, 4, 0)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any) -> Tuple<Int>", extra)]
pub fn is_not_largest(property: &Value) -> Outcome {
    question(property, How::NotLargest, 0)
}

/// The question whether no other sheet of the list has a smaller property, one of those of `is_equal`.
///
/// ```arc
/// is_smallest(sheet_top) == (6, 5, 0)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any) -> Tuple<Int>", extra)]
pub fn is_smallest(property: &Value) -> Outcome {
    question(property, How::Smallest, 0)
}

/// The question whether another sheet of the list has a smaller property, one of those of `is_equal`.
///
/// ```arc
/// is_not_smallest(sheet_top) == (6, 6, 0)
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any) -> Tuple<Int>", extra)]
pub fn is_not_smallest(property: &Value) -> Outcome {
    question(property, How::NotSmallest, 0)
}

/// What becomes of a sheet in `move_by_rule`: it goes RIGHT, LEFT, DOWN or UP until it meets the border of the
/// canvas or what lies on it.
///
/// ```arc
/// move_until_blocked(DOWN) == 3
/// move_until_blocked(UNITY) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Pair) -> Int", extra)]
pub fn move_until_blocked(direction: SheetSide) -> Result<i64, EvalError> {
    Ok(Shift::Until(direction as u8).number().into())
}

/// What becomes of a sheet in `move_by_rule`: it goes RIGHT, LEFT, DOWN or UP by its own width or height.
///
/// ```arc
/// move_by_own_size(RIGHT) == 5
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Pair) -> Int", extra)]
pub fn move_by_own_size(direction: SheetSide) -> Result<i64, EvalError> {
    Ok(Shift::BySize(direction as u8).number().into())
}

/// What becomes of a sheet in `move_by_rule`: it goes so many rows down and columns right, at most 7 each.
///
/// ```arc
/// move_by((1, -2)) == 137
/// move_by((8, 0)) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Pair) -> Int", extra)]
pub fn move_by(offset: (i64, i64)) -> Result<i64, EvalError> {
    let (down, right) = within(offset, shift::FARTHEST)?;
    Ok(Shift::By(down, right).number().into())
}

/// An offset, neither number of which may be farther from 0.
fn within(offset: (i64, i64), farthest: i8) -> Result<(i8, i8), EvalError> {
    let step = |n: i64| {
        let n = i8::try_from(n).ok().filter(|n| (-farthest..=farthest).contains(n));
        n.ok_or(Fault::Domain(0))
    };
    Ok((step(offset.0)?, step(offset.1)?))
}

/// What becomes of a sheet in `send_rays`: where it sends a ray, from which of its cells, in which colour, and where that
/// ends.
///
/// The heading is a direction such as RIGHT or UP_LEFT; several: LEFT_AND_RIGHT, UP_AND_DOWN, FOUR_SIDES, FOUR_CORNERS,
/// EIGHT_WAYS, LENGTHWISE, CROSSWISE; or what the sheet and the others say: TO_MARK, TO_HEAVY_SIDE, TO_NEAREST_RIM, TO_NEAREST,
/// TO_LARGEST, TO_SAME_COLOR, TO_TOUCHING, and each of them with FROM for the opposite. It starts from WHOLE_FRONT,
/// MIDDLE_OF_FRONT, ITS_CENTER or ITS_MARK; or the whole sheet is repeated: COPIES, COPIES_APART, COPIES_WITHIN. Its colour is a
/// colour, OWN_COLOR, ITS_RAREST_COLOR or COLOR_MET. It ends as UNDER_THINGS, OVER_THINGS, UNTIL_MET, ONLY_UNTIL_MET, BOUNCING,
/// TURNING_RIGHT, TURNING_LEFT, ONE_LONG, TWO_LONG, THREE_LONG, OWN_SIZE_LONG, OWN_AREA_LONG or ITS_COLORS_LONG say.
///
/// ```arc
/// ray(RIGHT, WHOLE_FRONT, OWN_COLOR, UNTIL_MET) == 3
/// ray(FROM_MARK, ITS_MARK, COLOR_MET, ITS_COLORS_LONG) == 18096
/// ray(TO_MARK, MIDDLE_OF_FRONT, RED, BOUNCING) == 16567
/// ray(HERE, WHOLE_FRONT, OWN_COLOR, UNTIL_MET) fails
/// ray(RIGHT, WHOLE_FRONT, OWN_COLOR, 13) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any, Int, Int, Int) -> Int", extra)]
pub fn ray(heading: &Value, source: i64, color: i64, end: i64) -> Result<i64, EvalError> {
    let heading = match heading.as_pair() {
        Some((down, right)) => {
            let is = |step: &(i32, i32)| (i64::from(step.0), i64::from(step.1)) == (down, right);
            STEPS.iter().position(is).ok_or(Fault::Domain(0))?
        }
        None => below(heading.as_int().ok_or(Fault::Kind(0))?, Heading::ALL.len(), 0)?,
    };
    let source = below(source, RaySource::ALL.len(), 1)?;
    let color = below(color, RayColor::ALL.len(), 2)?;
    let end = below(end, RayEnd::ALL.len(), 3)?;
    Ok(Ray::numbered([heading, source, color, end]).into())
}

/// Argument `index` as the number of one of so many.
fn below(number: i64, count: usize, index: u8) -> Result<usize, EvalError> {
    let number = usize::try_from(number).ok().filter(|n| *n < count);
    number.ok_or(Fault::Domain(index).into())
}

/// An entry of a table: the colour for a value. In `recolor_by` and `recolor_by_rank` the key is a number, and
/// KEEP and VANISH may stand for a colour; in `lookup_cells` it is a tuple with the colour that each of the
/// sheets has in a cell.
///
/// ```arc
/// case(3, RED) == (3, 2)
/// case(3, KEEP) == (3, -1)
/// case((RED, BLACK), BLUE) == ((2, 0), 1)
/// recolor_by(((((5, 5),), (0, 0)), (((5,),), (1, 0))), sheet_area, (case(1, GREEN), case(2, KEEP))) == (((5, 5), (3, 0)), (0, 0))
/// case(3, 11) fails
/// case(sheet_area, RED) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Any, Color) -> Tuple<Any>", extra)]
pub fn case(key: &Value, color: i64) -> Outcome {
    let color = if color == i64::from(SAME) { -1 } else { color_of(color, 1)?.into() };
    if key.as_int().is_none() && !key.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    Ok(Value::tuple2(key.clone(), Value::Int(color)))
}

/// What a tree for `decide_cells` says of a cell: the first of two trees where a question of `cell_is` holds,
/// else the second. A tree is another `if_cell`, a colour, or `color_in`.
///
/// ```arc
/// if_cell(cell_is(0, RIGHT, RED), ORANGE, color_in(0)) == (0, (0, 1), 2, 7, 10)
/// decide_cells(((((1, 2),), (3, 4)),), if_cell(cell_is(0, RIGHT, RED), ORANGE, color_in(0))) == (((7, 2),), (3, 4))
/// if_cell(4, RED, BLUE) fails
/// if_cell(cell_is(0, RIGHT, RED), sheet_area, BLUE) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Tuple<Any>, Any, Any) -> Tuple<Any>", extra)]
pub fn if_cell(question: &Value, yes: &Value, no: &Value) -> Outcome {
    for (tree, index) in [(yes, 1), (no, 2)] {
        if tree.as_int().is_none() && !tree.is_tuple() {
            return Err(Fault::Kind(index).into());
        }
    }
    let parts: Vec<Value> = view::items(question, 0)?.take(4).collect();
    let [sheet, offset, color] = &parts[..] else { return Err(Fault::Element.into()) };
    let parts = [sheet, offset, color, yes, no].map(Value::clone);
    Ok(Value::tuple(parts.to_vec()))
}

/// The question whether a sheet has a colour so many rows down and columns right of a cell. Sheets of the
/// list are counted from 0; the place is HERE, a direction such as LEFT, or a pair; OUTSIDE stands for what
/// lies outside of the sheet.
///
/// ```arc
/// cell_is(0, LEFT, RED) == (0, (0, -1), 2)
/// cell_is(1, (2, 3), OUTSIDE) == (1, (2, 3), 10)
/// cell_is(0, LEFT, ANY_COLOR) fails
/// cell_is(-1, LEFT, RED) fails
/// cell_is(0, (31, 0), RED) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Int, Pair, Color) -> Tuple<Any>", extra)]
pub fn cell_is(sheet: i64, offset: (i64, i64), color: i64) -> Outcome {
    let (down, right) = within(offset, FARTHEST)?;
    if !(0..=LAST_SHEET).contains(&sheet) || !(0..=i64::from(OUTSIDE)).contains(&color) {
        return Err(Fault::Domain(0).into());
    }
    let offset = Value::Pair(down.into(), right.into());
    Ok(Value::tuple(vec![Value::Int(sheet), offset, Value::Int(color)]))
}

/// In a tree for `decide_cells`: the colour that a sheet of the list has in the cell. Sheets are counted
/// from 0.
///
/// ```arc
/// color_in(0) == 10
/// color_in(-1) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Int) -> Int", extra)]
pub fn color_in(sheet: i64) -> Result<i64, EvalError> {
    if (0..=LAST_SHEET).contains(&sheet) {
        Ok(COPIES + sheet)
    } else {
        Err(Fault::Domain(0).into())
    }
}

/// A rule for `grow_cells`: cells of a colour are painted where all conditions, each one a `sees`, hold. They
/// are painted with a colour, or with what `color_at` says for the place of one of the conditions.
///
/// ```arc
/// repaint(BLACK, (sees(LEFT, ANY_COLOR),), color_at(LEFT)) == (0, (((0, -1), 11),), 10)
/// repaint(BLACK, (sees(UP, RED), sees(DOWN, RED)), BLUE) == (0, (((-1, 0), 2), ((1, 0), 2)), 1)
/// grow_cells((((2, 0, 0, 5, 0),), (3, 4)), (repaint(BLACK, (sees(LEFT, ANY_COLOR),), color_at(LEFT)),)) == (((2, 2, 2, 5, 5),), (3, 4))
/// repaint(BLACK, (sees(LEFT, RED),), color_at(RIGHT)) fails
/// repaint(BLACK, (sees(LEFT, OUTSIDE),), color_at(LEFT)) fails
/// repaint(BLACK, 3, RED) fails
/// repaint(KEEP, (sees(LEFT, RED),), RED) fails
/// ```
#[primitive(class = Rule, cost = Cells, sig = "(Color, Tuple<Any>, Any) -> Tuple<Any>", extra)]
pub fn repaint(own: i64, conditions: &Value, paint: &Value) -> Outcome {
    let own = color_of(own, 0)?;
    if !conditions.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    let paint = match (paint.as_int(), paint.is_tuple()) {
        (Some(color), _) => color_of(color, 2)?.into(),
        (None, false) => return Err(Fault::Kind(2).into()),
        (None, true) => {
            let mut number = None;
            for (k, condition) in view::items(conditions, 1)?.enumerate() {
                let (offset, color) = view::two(&condition)?;
                if number.is_none() && offset == *paint && color != Value::Int(OUTSIDE.into()) {
                    number = Some(k as i64);
                }
            }
            COPIES + number.ok_or(Fault::Domain(2))?
        }
    };
    Ok(Value::tuple(vec![Value::Int(own.into()), conditions.clone(), Value::Int(paint)]))
}

/// A condition of `repaint`: the cell so many rows down and columns right has this colour. The place is a
/// direction such as LEFT, or a pair; OUTSIDE stands for what lies outside of the sheet, ANY_COLOR for any
/// colour but 0.
///
/// ```arc
/// sees(LEFT, ANY_COLOR) == ((0, -1), 11)
/// sees((0, 31), RED) fails
/// sees(LEFT, 12) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Pair, Color) -> Tuple<Any>", extra)]
pub fn sees(offset: (i64, i64), color: i64) -> Outcome {
    let (down, right) = within(offset, FARTHEST)?;
    if !(0..=i64::from(VISIBLE)).contains(&color) {
        return Err(Fault::Domain(1).into());
    }
    Ok(Value::tuple2(Value::Pair(down.into(), right.into()), Value::Int(color)))
}

/// What `repaint` paints with: the colour of the cell so many rows down and columns right, which a condition
/// must be about.
///
/// ```arc
/// color_at(LEFT) == (0, -1)
/// color_at((0, 31)) fails
/// ```
#[primitive(class = Rule, cost = Scalar, sig = "(Pair) -> Pair", extra)]
pub fn color_at(offset: (i64, i64)) -> Result<(i64, i64), EvalError> {
    let (down, right) = within(offset, FARTHEST)?;
    Ok((down.into(), right.into()))
}
