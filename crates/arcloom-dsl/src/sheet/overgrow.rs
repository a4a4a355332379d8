//! Cell by cell, again and again: rules that paint a cell by what is near it, until nothing changes.

use crate::kernel::sheet::decide::{FARTHEST, OUTSIDE};
use crate::kernel::sheet::overgrow::{COPIES, GrowRule, Near, Paint, VISIBLE, overgrow};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{color_of, made, read};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::view;

/// The sheet painted by rules, all cells at once, until nothing changes. Each rule is a `repaint`. Of the rules for a
/// cell the first counts, and no cell is painted twice.
///
/// Words are names for numbers, which may stand in their place: a `repaint` is `(own, conditions, paint)`, a condition
/// `((down, right), color)`; 10 is OUTSIDE, 11 ANY_COLOR; as paint, 10 and more is the colour of the cell of condition 0 and
/// so on.
///
/// ```arc
/// grow_cells((((2, 0, 0, 5, 0),), (3, 4)), (repaint(BLACK, (sees(LEFT, ANY_COLOR),), color_at(LEFT)),)) == (((2, 2, 2, 5, 5),), (3, 4))
/// grow_cells((((2, 0, 0, 5, 0),), (3, 4)), ((0, (((0, -1), 11),), 10),)) == (((2, 2, 2, 5, 5),), (3, 4))
/// grow_cells((((0, 0, 1),), (0, 0)), ((0, (((0, 1), 1),), 2), (0, (((0, 1), 2),), 1))) == (((1, 2, 1),), (0, 0))
/// grow_cells((((0, 1),), (0, 0)), ()) == (((0, 1),), (0, 0))
/// grow_cells((((0, 1),), (0, 0)), ((0, (((0, 1), 12),), 2),)) fails
/// grow_cells((((0, 1),), (0, 0)), ((0, (((0, 1), 1),), 11),)) fails
/// grow_cells((((0, 1),), (0, 0)), ((0, (((0, 1), 1),)),)) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Tuple<Any>) -> Sheet", extra)]
pub fn grow_cells(cx: &mut Caller, sheet: &Value, rules: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    if !rules.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    cx.charge(view::len(rules, 1)?)?;
    let rules: Vec<GrowRule> =
        view::items(rules, 1)?.map(|rule| read_rule(&rule)).collect::<Result<_, _>>()?;
    let conditions: usize = rules.iter().map(|rule| rule.near.len()).sum();
    // A cell is looked at once, and once more for each condition when a cell is painted.
    let looks = s.cells().len().saturating_mul(conditions + 1);
    cx.charge(looks.saturating_mul(conditions + rules.len()))?;
    made(|out| overgrow(&s, &rules, out))
}

/// What a rule consists of: its own colour, conditions, paint.
const PARTS: usize = 3;

fn read_rule(value: &Value) -> Result<GrowRule, EvalError> {
    if !value.is_tuple() {
        return Err(Fault::Element.into());
    }
    // Rows of a grid may stand where rules are meant.
    if view::len(value, 1)? != PARTS {
        return Err(Fault::Element.into());
    }
    let parts: Vec<Value> = view::items(value, 1)?.collect();
    let [own, conditions, paint] = &parts[..] else { return Err(Fault::Element.into()) };
    if !conditions.is_tuple() {
        return Err(Fault::Element.into());
    }
    let near: Vec<Near> =
        view::items(conditions, 1)?.map(|c| read_near(&c)).collect::<Result<_, _>>()?;
    let paint = match paint.as_int().ok_or(Fault::Element)? {
        color if color < COPIES => Paint::Color(color_of(color, 1)?),
        copied => {
            let number = usize::try_from(copied - COPIES).map_err(|_| Fault::Range)?;
            let from = near.get(number).ok_or(Fault::Range)?;
            if from.color == OUTSIDE {
                return Err(Fault::Element.into());
            }
            Paint::Copy(number)
        }
    };
    Ok(GrowRule { own: color_of(own.as_int().ok_or(Fault::Element)?, 1)?, near, paint })
}

fn read_near(value: &Value) -> Result<Near, EvalError> {
    let (by, color) = view::two(value)?;
    let (down, right) = view::two(&by)?;
    let step = |v: &Value| {
        let n = v.as_int().and_then(|n| i8::try_from(n).ok());
        n.filter(|n| (-FARTHEST..=FARTHEST).contains(n)).ok_or(Fault::Element)
    };
    let color = color.as_int().and_then(|n| u8::try_from(n).ok());
    let color = color.filter(|c| *c <= VISIBLE).ok_or(Fault::Element)?;
    Ok(Near { by: (step(&down)?, step(&right)?), color })
}
