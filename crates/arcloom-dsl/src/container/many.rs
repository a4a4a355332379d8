//! Many values at once: merging a whole list of containers.
//!
//! Lists of patches or grids are put together by words and bytes; the outcome and what is charged
//! are those of the plain way, element by element.

use arcloom_value::{CellBuf, Patch, Seq, Value};

use super::{ordered, set_of, tuple_of};
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
    if as_set && alike(parts) {
        let patches = || patches(parts);
        if let Some(value) = bits::unite(patches()) {
            return Ok(value);
        }
        if let Some(items) = bits::unite_far(patches()) {
            let count = patches().map(Patch::len).sum();
            return ordered(cx, Value::Set(Seq::new(items)), count);
        }
    }
    if !as_set && let Some(value) = stacked(cx, parts)? {
        return Ok(value);
    }
    if !as_set && let Some(value) = listed(cx, parts, total)? {
        return Ok(value);
    }
    if !as_set && !cx.affords(cells_of_rows(parts)) {
        return Err(Fault::Budget.into());
    }
    if !as_set && let Some(value) = ragged(cx, parts)? {
        return Ok(value);
    }
    let mut items = Vec::with_capacity(total);
    items.extend(parts.iter().filter_map(Value::iter).flatten());
    if as_set { set_of(cx, items) } else { tuple_of(cx, items) }
}

/// True when all parts are patches of one kind or empty.
fn alike(parts: &[Value]) -> bool {
    let mut kind = None;
    parts.iter().all(|part| match part {
        Value::Patch(p) => *kind.get_or_insert(p.is_object()) == p.is_object(),
        _ => part.is_empty(),
    })
}

/// The parts that are patches.
fn patches(parts: &[Value]) -> impl Iterator<Item = &Patch> + Clone {
    parts.iter().filter_map(|part| if let Value::Patch(patch) = part { Some(patch) } else { None })
}

/// The elements one after the other if all parts are patches of one kind or empty, so many in all.
/// They are tuples of two, which is what making a tuple of them is charged by.
fn listed(cx: &mut Caller, parts: &[Value], total: usize) -> Result<Option<Value>, EvalError> {
    let Some(first) = patches(parts).next().filter(|_| alike(parts)) else { return Ok(None) };
    let coloured = first.is_object();
    if !coloured && !patches(parts).all(Patch::is_small) {
        return Ok(None);
    }
    cx.charge(total.saturating_mul(2))?;
    let patches = patches(parts);
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

/// What a tuple of the rows of these parts is charged by, if they are grids: rows are not made where
/// they cannot be paid for. 0 for other parts.
fn cells_of_rows(parts: &[Value]) -> usize {
    let cells = |sum: usize, part: &Value| match part {
        Value::Grid(g) => Some(sum.saturating_add(g.cells().len())),
        _ => None,
    };
    parts.iter().try_fold(0, cells).unwrap_or(0)
}

/// The grids one above the other if all are grids of one width.
fn stacked(cx: &mut Caller, parts: &[Value]) -> Result<Option<Value>, EvalError> {
    let Some(Value::Grid(first)) = parts.first() else { return Ok(None) };
    let mut cells = CellBuf::new();
    if cx.affords(cells_of_rows(parts)) {
        cells.reserve(cells_of_rows(parts));
    }
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

/// The rows of many large grids of unlike widths, which are paid for and left unmade.
fn ragged(cx: &mut Caller, parts: &[Value]) -> Result<Option<Value>, EvalError> {
    if !cx.takes_fast_forms() {
        return Ok(None);
    }
    let grid = |part: &Value| if let Value::Grid(g) = part { Some(g.clone()) } else { None };
    let Some(grids) = parts.iter().map(grid).collect() else { return Ok(None) };
    let Some(rows) = Value::ragged(grids) else { return Ok(None) };
    cx.charge(cells_of_rows(parts))?;
    Ok(Some(rows))
}
