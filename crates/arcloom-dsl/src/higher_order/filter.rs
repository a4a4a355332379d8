//! The elements of a patch that meet a condition, by the cheapest way to know which do:
//!
//! | way | when |
//! |---|---|
//! | [`by_part`] | the condition reads one part of an element: one call per colour, row or column |
//! | [`by_number`] | the condition is laid out on numbers: all elements at once |
//! | [`recalled`] | the costly half of the condition was called in an earlier loop of the step |
//! | [`one_by_one`] | otherwise |
//!
//! The outcome is that of the last one.

use arcloom_value::{Patch, Value};

use crate::call::{Caller, EvalError, Outcome};
use crate::flat::Repeated;
use crate::kernel::bits;
use crate::memo::Recalled;
use crate::shapes::{Part, projection};

/// What a way gives; `None` where it is not one.
type Kept = Result<Option<Value>, EvalError>;

/// The elements of a patch that meet a condition.
pub(super) fn filter_patch(cx: &mut Caller, patch: &Patch, function: &Value) -> Outcome {
    // The position of a cell is as good as the cell.
    let part = projection(cx.registry().known(), function)
        .filter(|part| *part == Part::First || !patch.is_object());
    if let Some(part) = part {
        return by_part(cx, patch, function, part);
    }
    let whole = Value::Patch(patch.clone());
    let mut condition = Repeated::new(cx, function, &whole);
    if let Some(kept) = by_number(cx, patch, &mut condition, &whole)? {
        condition.end(cx);
        return Ok(kept);
    }
    if !condition.is_laid_out()
        && let Some(kept) = recalled(cx, patch, function)?
    {
        return Ok(kept);
    }
    let kept = one_by_one(cx, patch, &mut condition)?;
    condition.end(cx);
    Ok(kept)
}

fn by_part(cx: &mut Caller, patch: &Patch, function: &Value, part: Part) -> Outcome {
    let (top, left) = (patch.frame().top, patch.frame().left);
    cx.charge(patch.len())?;
    let mut test =
        |item: Value| -> Result<bool, EvalError> { Ok(cx.call1(function, &item)?.is_true()) };
    match (part, patch.is_object()) {
        (Part::First, true) => bits::keep_layers(patch, |c| test(Value::Cell(c.into(), top, left))),
        (Part::First, false) => bits::keep_rows(patch, |i| test(Value::Pair(i, left))),
        (Part::Last, _) => bits::keep_columns(patch, |j| test(Value::Pair(top, j))),
    }
}

fn by_number(cx: &mut Caller, patch: &Patch, condition: &mut Repeated<'_>, whole: &Value) -> Kept {
    let Some(numbers) = condition.numbers(cx, whole)? else { return Ok(None) };
    let mut met = numbers.iter().map(|&n| n != 0);
    bits::keep_cells(patch, |_, _, _| Ok(met.next().unwrap_or(false))).map(Some)
}

fn recalled(cx: &mut Caller, patch: &Patch, function: &Value) -> Kept {
    let Some(mut recalled) = Recalled::new(cx, function, patch) else { return Ok(None) };
    let kept = keep(patch, |item| Ok(recalled.call(cx, item)?.is_true()))?;
    recalled.end(cx);
    Ok(Some(kept))
}

fn one_by_one(cx: &mut Caller, patch: &Patch, condition: &mut Repeated<'_>) -> Outcome {
    keep(patch, |item| Ok(condition.call(cx, item)?.is_true()))
}

/// The elements that `test` says yes to.
#[inline]
fn keep(patch: &Patch, mut test: impl FnMut(&Value) -> Result<bool, EvalError>) -> Outcome {
    if patch.is_object() {
        bits::keep_cells(patch, |c, i, j| test(&Value::Cell(c.into(), i, j)))
    } else {
        bits::keep_cells(patch, |_, i, j| test(&Value::Pair(i, j)))
    }
}
