//! Rules for the objects of a list: lines of questions, and what becomes of the objects they hold for.

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
/// A rule is a tuple of lines, each a `when`, and at its end an `otherwise`: of the lines the first counts that
/// holds for a sheet. The part is WHOLE, HOLES, GAPS, HALO or CORE. The size is that of the canvas whose sides
/// `borders_touched` counts. A sheet that takes its colour from another one is left as it is where there is none.
///
/// Words are names for numbers, which may stand in their place. A line is `(property, how, value, action)`, the last one
/// `(action,)`. Properties are counted from 0: `sheet_area`, `sheet_frame_area`, `sheet_numcolors`, `sheet_numpieces`,
/// `sheet_numgaps`, `sheet_numholes`, `sheet_top`, `sheet_left`, `sheet_symmetry`, `sheet_height`, `sheet_width`,
/// `sheet_main_color`, `borders_touched`, `sheet_is_square`, `sheet_odd_area`, `sheet_odd_side`, `sheet_longer_side`,
/// `sheet_orientation`, `sheet_numenclosures`, `others_same_form`, `others_same_form_turned`, `others_same_color`,
/// `others_same_form_recolored`, `others_touching`, `others_around`, `others_inside`. How: 0 is the value, 1 at least, 2 below,
/// 3 the largest of the list, 4 not, 5 the smallest, 6 not. Actions: 0 VANISH, 1 to 9 a colour, 10 KEEP, and from 11 on
/// `sheet_main_color`, `sheet_rarest_color`, `color_of_touching`, `color_of_nearest`, `color_of_nearest_in_row`,
/// `color_of_nearest_in_column`, `color_of_largest_inside`, `color_of_smallest_around`, `color_of_same_form`, `color_of_largest`,
/// `color_of_smallest`.
///
/// ```arc
/// paint_by_rule(((((5, 5),), (0, 0)), (((3,),), (1, 0))), (9, 9), WHOLE, (when(is_largest(sheet_area), color_of_smallest), otherwise(KEEP))) == (((3, 3), (3, 0)), (0, 0))
/// paint_by_rule(((((5, 0),), (0, 0)), (((3,),), (1, 0))), (9, 9), GAPS, (when(is_equal(sheet_main_color, GRAY), RED), otherwise(VANISH))) == (((0, 2),), (0, 0))
/// paint_by_rule(((((5, 5),), (0, 0)), (((3,),), (1, 0))), (9, 9), 0, ((0, 3, 0, 21), (10,))) == (((3, 3), (3, 0)), (0, 0))
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
    let canvas = (canvas_side(size.0, 1)?, canvas_side(size.1, 1)?);
    let part = pick(part, &ObjectPart::ALL)?;
    cx.pay(toll::all_but_patches, [rule])?;
    let rule = read_rule(rule, 3, part, |n| usize::from(n) < ACTIONS)?;
    charge(cx, &list, &rule)?;
    made(|out| paint(&list, canvas, &rule, out))
}

/// All sheets of a list on one after they moved as a rule says; those with fewer cells are on top. Fails when
/// there are none.
///
/// A rule is what `paint_by_rule` takes, but actions are moves: STAY, `move_until_blocked`, `move_by_own_size`, `move_by`,
/// MOVE_TO_STAYING, ALIGN_TOP_WITH_STAYING, ALIGN_LEFT_WITH_STAYING. Sheets move within a canvas of the given size.
///
/// As numbers: 0 STAY, 1 to 4 until blocked right, left, down or up, 5 to 8 by the own size in the same order, 9 to
/// 11 the moves by the first sheet that stays, 12 + 15 (down + 7) + right + 7 by a constant.
///
/// ```arc
/// move_by_rule(((((5, 5),), (0, 0)), (((3,),), (2, 0))), (4, 4), (when(is_largest(sheet_area), move_until_blocked(DOWN)), otherwise(STAY))) == (((5, 5), (3, 0)), (1, 0))
/// move_by_rule(((((5, 5),), (0, 0)), (((3,),), (2, 0))), (4, 4), ((0, 3, 0, 3), (0,))) == (((5, 5), (3, 0)), (1, 0))
/// move_by_rule(((((5, 5),), (0, 0)),), (4, 4), ((5,),)) == (((5, 5),), (0, 2))
/// move_by_rule(((((5, 5),), (0, 0)),), (4, 4), ((140,),)) == (((5, 5),), (1, 1))
/// move_by_rule((), (4, 4), ((0,),)) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>, Pair, Tuple<Any>) -> Sheet", extra)]
pub fn move_by_rule(cx: &mut Caller, sheets: &Value, size: (i64, i64), rule: &Value) -> Outcome {
    let list = read_list(sheets, 0)?;
    let canvas = (canvas_side(size.0, 1)?, canvas_side(size.1, 1)?);
    cx.pay(toll::all_but_patches, [rule])?;
    let rule = read_rule(rule, 2, ObjectPart::Whole, |n| Shift::of(n).is_some())?;
    charge(cx, &list, &rule)?;
    made(|out| shift::paint(&list, canvas, &rule, out))
}

/// A side of the canvas that argument `index` gives.
pub(super) fn canvas_side(n: i64, index: u8) -> Result<usize, EvalError> {
    usize::try_from(n).ok().filter(|n| *n <= 100).ok_or(Fault::Domain(index).into())
}

/// What moves and grows must not leave the places where sheets may lie.
const FARTHEST: u32 = (1 << 20) - 200;

/// Every line may compare every sheet with every other one.
pub(super) fn charge(cx: &mut Caller, list: &[Sheet], rule: &ObjectRule) -> Result<(), EvalError> {
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

/// A rule of either primitive, to ask which of its lines hold.
pub(super) fn any_rule(value: &Value) -> Result<ObjectRule, EvalError> {
    read_rule(value, 0, ObjectPart::Whole, |_| true)
}

pub(super) fn read_rule(
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
    let action = |n: i64| match Action::try_from(n) {
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
