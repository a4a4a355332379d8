//! Python's `<`, which is not the order of [`Value`]: it is partial and may fail.
//!
//! Integers compare; tuples compare at the first differing element and fail when unlike kinds meet
//! there; sets compare by strict inclusion and never fail; `None` and functions fail.

use arcloom_value::Value;

use crate::call::{EvalError, Fault};
use crate::kernel::bits;

/// Python's `a < b`.
pub fn less(a: &Value, b: &Value) -> Result<bool, EvalError> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a < b),
        (Value::Pair(a, b), Value::Pair(c, d)) => Ok((a, b) < (c, d)),
        (Value::Grid(a), Value::Grid(b)) => Ok(a.rows().lt(b.rows())),
        (Value::Tuple(a), Value::Tuple(b)) => {
            match a.items().iter().zip(b.items()).find(|(x, y)| x != y) {
                Some((x, y)) => less(x, y),
                None => Ok(a.len() < b.len()),
            }
        }
        _ if a.is_tuple() && b.is_tuple() => {
            let (mut xs, mut ys) = (a.iter().into_iter().flatten(), b.iter().into_iter().flatten());
            loop {
                match (xs.next(), ys.next()) {
                    (Some(x), Some(y)) if x == y => {}
                    (Some(x), Some(y)) => return less(&x, &y),
                    (None, Some(_)) => return Ok(true),
                    (_, None) => return Ok(false),
                }
            }
        }
        (Value::Patch(p), Value::Patch(q)) if p.is_object() == q.is_object() => Ok(p.len()
            < q.len()
            && match bits::count_common(p, q) {
                Some(common) => common == p.len(),
                None => is_subset(a, b),
            }),
        _ if a.is_set() && b.is_set() => Ok(a.len() < b.len() && is_subset(a, b)),
        _ => Err(Fault::Order.into()),
    }
}

/// True when every element of the set `a` is in the set `b`.
pub fn is_subset(a: &Value, b: &Value) -> bool {
    let (mut xs, mut ys) = (a.iter().into_iter().flatten(), b.iter().into_iter().flatten());
    // Both walk upwards, so one pass over each is enough.
    xs.all(|x| ys.any(|y| x == y))
}

/// True when `value` is an element of the container.
pub fn contains(container: &Value, value: &Value) -> Result<bool, EvalError> {
    match container {
        Value::Patch(patch) if patch.is_object() => Ok(value
            .as_cell()
            .is_some_and(|(c, i, j)| i8::try_from(c).is_ok_and(|c| patch.has_cell(c, i, j)))),
        Value::Patch(patch) => Ok(value.as_pair().is_some_and(|(i, j)| patch.covers(i, j))),
        Value::Set(seq) => Ok(seq.items().binary_search(value).is_ok()),
        Value::Tuple(seq) => Ok(seq.items().contains(value)),
        _ => Ok(container.iter().ok_or(Fault::Kind(1))?.any(|item| item == *value)),
    }
}
