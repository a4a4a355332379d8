//! Many values at once: merging a whole list of containers, and all tuples of two.
//!
//! Lists of patches or grids are put together by words and bytes; the outcome and what is charged
//! are those of the plain way, element by element.

use arcloom_value::{CellBuf, Grid, Patch, Seq, Value};

use super::tuple_of;
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::bits;

/// The elements of all parts, as a set or else as a tuple. Of a set some parts may have been left out
/// because they are there already; their elements are paid for.
pub(crate) fn merged(cx: &mut Caller, as_set: bool, parts: &[Value], left_out: usize) -> Outcome {
    let mut total = left_out;
    for part in parts {
        total = total.saturating_add(part.len().ok_or(Fault::Element)?);
    }
    cx.charge(total)?;
    if as_set && let Some(value) = united(parts) {
        return Ok(value);
    }
    if !as_set && let Some(value) = stacked(cx, parts)? {
        return Ok(value);
    }
    if !as_set && let Some(value) = listed(cx, parts, total)? {
        return Ok(value);
    }
    let mut items = Vec::with_capacity(total);
    items.extend(parts.iter().filter_map(Value::iter).flatten());
    if as_set { Ok(Value::set(items)) } else { tuple_of(cx, items) }
}

/// The union of the parts if all are patches of one kind or empty.
fn united(parts: &[Value]) -> Option<Value> {
    let mut kind = None;
    for part in parts {
        match part {
            Value::Patch(p) if *kind.get_or_insert(p.is_object()) == p.is_object() => {}
            _ if part.is_empty() => {}
            _ => return None,
        }
    }
    bits::unite(parts.iter().filter_map(|part| match part {
        Value::Patch(p) => Some(p),
        _ => None,
    }))
}

/// The elements one after the other if all parts are patches of one kind or empty, so many in all.
/// They are tuples of two, which is what making a tuple of them is charged by.
fn listed(cx: &mut Caller, parts: &[Value], total: usize) -> Result<Option<Value>, EvalError> {
    let mut kind = None;
    let mut small = true;
    for part in parts {
        match part {
            Value::Patch(p) if *kind.get_or_insert(p.is_object()) == p.is_object() => {
                small &= is_small(p);
            }
            _ if part.is_empty() => {}
            _ => return Ok(None),
        }
    }
    let Some(coloured) = kind else { return Ok(None) };
    if !coloured && !small {
        return Ok(None);
    }
    cx.charge(total.saturating_mul(2))?;
    let patches = parts.iter().filter_map(|part| match part {
        Value::Patch(p) => Some(p),
        _ => None,
    });
    if coloured {
        let mut items = Vec::with_capacity(total);
        patches.for_each(|p| bits::push_items(p, &mut items));
        let Some(each) = items.first().map(Value::bulk) else { return Ok(None) };
        return Ok(Some(Value::Tuple(Seq::alike(items.into_iter(), each))));
    }
    let mut cells = CellBuf::with_capacity(2 * total);
    patches.for_each(|p| bits::each_cell(p, |_, i, j| cells.extend([i as i8, j as i8])));
    Ok(Some(Value::grid(total, 2, &cells)))
}

/// True when all coordinates of a patch are small enough for the cells of a grid.
pub(super) fn is_small(patch: &Patch) -> bool {
    let frame = patch.frame();
    let ends = [frame.top, frame.left, frame.bottom(), frame.right()];
    ends.iter().all(|&n| i8::try_from(n).is_ok())
}

/// The grids one above the other if all are grids of one width.
fn stacked(cx: &mut Caller, parts: &[Value]) -> Result<Option<Value>, EvalError> {
    let Some(Value::Grid(first)) = parts.first() else { return Ok(None) };
    let mut cells = CellBuf::new();
    for part in parts {
        match part {
            Value::Grid(g) if g.width() == first.width() => {
                cx.charge(g.cells().len())?;
                cells.extend_from_slice(g.cells());
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(Value::grid(cells.len() / first.width(), first.width(), &cells)))
}

/// All tuples of an element of each of two patches, if these are of one form: of two cells, or of two
/// positions that make a grid. Tuples of ascending parts come ascending.
pub(super) fn tuples_of(a: &Patch, b: &Patch) -> Option<Value> {
    let count = a.len().checked_mul(b.len())?;
    match (a.is_object(), b.is_object()) {
        (true, true) => {
            let items = |patch: &Patch| {
                let mut items = Vec::with_capacity(patch.len());
                bits::push_items(patch, &mut items);
                items
            };
            let (firsts, seconds) = (items(a), items(b));
            Some(set_of_tuples(count, &firsts, &seconds, |x, y| {
                Value::tuple2(x.clone(), y.clone())
            }))
        }
        (false, false) if is_small(a) && is_small(b) => {
            let places = |patch: &Patch| {
                let mut places = Vec::with_capacity(patch.len());
                bits::each_cell(patch, |_, i, j| places.push([i as i8, j as i8]));
                places
            };
            let (firsts, seconds) = (places(a), places(b));
            Some(set_of_tuples(count, &firsts, &seconds, |&[i, j], &[k, l]| {
                Value::Grid(Grid::two_by_two([i, j, k, l]))
            }))
        }
        _ => None,
    }
}

/// The set of the tuples, all of one bulk and ascending, of each of these with each of those.
#[inline]
fn set_of_tuples<T>(count: usize, a: &[T], b: &[T], tuple: impl Fn(&T, &T) -> Value) -> Value {
    let (Some(x), Some(y)) = (a.first(), b.first()) else { return Value::empty_set() };
    let each = tuple(x, y).bulk();
    let (mut first, mut second) = (0, 0);
    let tuples = (0..count).map(|_| {
        let value = tuple(&a[first], &b[second]);
        second += 1;
        if second == b.len() {
            (first, second) = (first + 1, 0);
        }
        value
    });
    Value::Set(Seq::alike(tuples, each))
}
