//! Rules for the things of a list: lines of questions, and what becomes of the things they hold for.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::property::Property;
use crate::kernel::sheet::rule::{
    ACTIONS, Action, How, ObjectPart, ObjectQuestion, ObjectRule, paint,
};
use crate::kernel::sheet::shift::{self, Shift};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read_list};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::toll;
use crate::view;

/// Parts of all sheets of a list on one, each coloured as a rule says; those with fewer cells are on top.
/// Fails when nothing is left.
///
/// A rule is a tuple of lines `(property, how, value, action)` and at its end one `(action,)`: the first
/// line that holds for a sheet counts.
///
/// Parts: 0 the sheet itself, 1 what it encloses, 2 what is see-through in its frame, 3 the cells around it,
/// 4 what is not on its outline.
///
/// Properties: 0 cells that are there, 1 cells of the frame, 2 colours, 3 pieces, 4 gaps, 5 enclosed cells, 6 top
/// row, 7 left column, 8 symmetry, 9 height, 10 width, 11 most frequent colour, 12 sides of a canvas of the given size
/// that it touches, 13 whether it is as high as wide, 14 whether its number of cells is odd, 15 whether its
/// shorter side is odd, 16 longer side, 17 wider than high (0), square (1) or higher than wide (2), 18
/// enclosed parts, 19 others of its form, 20 others of its form however they are turned, 21 others of its
/// colour, 22 others of its form in another colour, 23 others that it touches, 24 others in whose frame it
/// lies, 25 others that lie in its frame.
///
/// How: 0 is the value, 1 is at least the value, 2 is below it, 3 is the largest of the list, 4 is not, 5 is the
/// smallest, 6 is not.
///
/// Actions: 0 it is left out, 1 to 9 this colour, 10 as it is, and the colour of: 11 its most frequent cells, 12 its
/// least frequent cells, 13 the sheet that it touches along most sides of cells, 14 the nearest, 15 the nearest in
/// its rows, 16 the nearest in its columns, 17 the largest in its frame, 18 the smallest in whose frame it lies,
/// 19 one of its form, 20 the largest of all, 21 the smallest of all. From 13 to 19 only those of another
/// colour count; where there is none a sheet is left as it is.
///
/// ```arc
/// paint_by_rule(((((5, 5),), (0, 0)), (((3,),), (1, 0))), (9, 9), 0, ((0, 3, 0, 21), (10,))) == (((3, 3), (3, 0)), (0, 0))
/// paint_by_rule(((((5, 0),), (0, 0)), (((3,),), (1, 0))), (9, 9), 2, ((11, 0, 5, 2), (0,))) == (((0, 2),), (0, 0))
/// paint_by_rule(((((5, 5),), (0, 0)),), (9, 9), 0, ((12, 1, 2, 0), (10,))) fails
/// paint_by_rule(((((5, 5),), (0, 0)),), (9, 9), 0, ((12, 1, 2, 22), (10,))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Pair, Int, Tuple<Any>) -> Sheet", extra)]
pub fn paint_by_rule(
    cx: &mut Caller,
    sheets: &Value,
    size: (i64, i64),
    part: i64,
    rule: &Value,
) -> Outcome {
    let list = read_list(sheets, 0)?;
    let canvas = (canvas_side(size.0)?, canvas_side(size.1)?);
    let part = pick(part, &ObjectPart::ALL)?;
    cx.pay(toll::all_but_patches, [rule])?;
    let rule = read_rule(rule, 3, part, |n| usize::from(n) < ACTIONS)?;
    charge(cx, &list, &rule)?;
    made(|out| paint(&list, canvas, &rule, out))
}

/// All sheets of a list on one after they moved as a rule says; those with fewer cells are on top. Fails when
/// there are none.
///
/// A rule is what `paint_by_rule` takes, but an action is a move: 0 none, 1 to 4 right, left, down or up until it meets the
/// rim of a canvas of the given size or what lies on it, 5 to 8 right, left, down or up by its own width or
/// height, 9 straight to the first sheet that stays until they touch, 10 and 11 to the top row or left
/// column of that sheet, 12 + 15 (down + 7) + right + 7 by a constant.
///
/// ```arc
/// move_by_rule(((((5, 5),), (0, 0)), (((3,),), (2, 0))), (4, 4), ((0, 3, 0, 3), (0,))) == (((5, 5), (3, 0)), (1, 0))
/// move_by_rule(((((5, 5),), (0, 0)),), (4, 4), ((5,),)) == (((5, 5),), (0, 2))
/// move_by_rule(((((5, 5),), (0, 0)),), (4, 4), ((140,),)) == (((5, 5),), (1, 1))
/// move_by_rule((), (4, 4), ((0,),)) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Pair, Tuple<Any>) -> Sheet", extra)]
pub fn move_by_rule(cx: &mut Caller, sheets: &Value, size: (i64, i64), rule: &Value) -> Outcome {
    let list = read_list(sheets, 0)?;
    let canvas = (canvas_side(size.0)?, canvas_side(size.1)?);
    cx.pay(toll::all_but_patches, [rule])?;
    let rule = read_rule(rule, 2, ObjectPart::Whole, |n| Shift::of(n).is_some())?;
    charge(cx, &list, &rule)?;
    made(|out| shift::paint(&list, canvas, &rule, out))
}

fn canvas_side(n: i64) -> Result<usize, EvalError> {
    usize::try_from(n).ok().filter(|n| *n <= 100).ok_or(Fault::Domain(1).into())
}

/// What moves and grows must not leave the places where sheets may lie.
const FARTHEST: u32 = (1 << 20) - 200;

/// Every line may compare every sheet with every other one.
fn charge(cx: &mut Caller, list: &[Sheet], rule: &ObjectRule) -> Result<(), EvalError> {
    let far = |n: i32| n.unsigned_abs() > FARTHEST;
    if list.iter().any(|s| far(s.top) || far(s.left)) {
        return Err(Fault::Domain(0).into());
    }
    let cells: usize = list.iter().map(|s| s.cells().len()).sum();
    cx.charge(cells.saturating_mul(list.len() + 100).saturating_mul(rule.lines().len() + 1))
}

fn pick<T: Copy>(number: i64, all: &[T]) -> Result<T, EvalError> {
    let found = usize::try_from(number).ok().and_then(|n| all.get(n));
    found.copied().ok_or(Fault::Range.into())
}

fn read_rule(
    value: &Value,
    index: u8,
    part: ObjectPart,
    is_action: impl Fn(Action) -> bool,
) -> Result<ObjectRule, EvalError> {
    if !value.is_tuple() {
        return Err(Fault::Kind(index).into());
    }
    let mut lines: Vec<Vec<i64>> = Vec::new();
    for line in view::items(value, index)? {
        let numbers = view::items(&line, index)?.map(|n| n.as_int().ok_or(Fault::Element));
        lines.push(numbers.collect::<Result<_, _>>()?);
    }
    let action = |n: i64| match u8::try_from(n) {
        Ok(action) if is_action(action) => Ok(action),
        _ => Err(EvalError::from(Fault::Range)),
    };
    let Some((last, lines)) = lines.split_last() else { return Err(Fault::Empty.into()) };
    let [last] = last[..] else { return Err(Fault::Element.into()) };
    let mut rule = ObjectRule::new(part, action(last)?);
    for line in lines {
        let [property, how, value, then] = line[..] else { return Err(Fault::Element.into()) };
        let value = i16::try_from(value).map_err(|_| Fault::Range)?;
        let (property, how) = (pick(property, &Property::ALL)?, pick(how, &How::ALL)?);
        rule.push(ObjectQuestion { property, how, value }, action(then)?).ok_or(Fault::Range)?;
    }
    Ok(rule)
}
