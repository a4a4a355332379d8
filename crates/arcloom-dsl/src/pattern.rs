//! Repetition: where an object occurs, and how a pattern repeats.

use arcloom_macros::primitive;
use arcloom_value::{Patch, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::{occurrences as kernel, period};
use crate::record::Primitive;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&OCCURRENCES, &HPERIOD, &VPERIOD];

/// The places at which an object occurs in a grid: where its upper left corner would lie.
///
/// The empty object occurs everywhere, one place past the last row and column included. An object
/// larger than the grid occurs nowhere; otherwise positions instead of cells fail, and so does a
/// grid without rows.
///
/// ```arc
/// occurrences(((1, 2, 1), (2, 2, 2)), frozenset({(2, (5, 5)), (2, (6, 5))})) == frozenset({(0, 1)})
/// occurrences(((1, 1, 1),), frozenset({(1, (0, 0)), (1, (0, 2))})) == frozenset({(0, 0)})
/// occurrences(((1,),), frozenset()) == frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
/// occurrences(((1,),), frozenset({(0, 0)})) fails
/// ```
#[primitive(class = Pattern, cost = Cells, sig = "(Grid, Object) -> Indices")]
pub fn occurrences(cx: &mut Caller, grid: &Value, obj: &Value) -> Outcome {
    let (Value::Grid(grid), Value::Patch(object)) = (grid, obj) else {
        return occurrences_in_rows(cx, grid, obj);
    };
    let frame = object.frame();
    let down = (grid.height() + 1).saturating_sub(frame.height as usize);
    let right = (grid.width() + 1).saturating_sub(frame.width as usize);
    cx.charge(grid.cells().len() + work(object.len(), down * right))?;
    if down == 0 || right == 0 {
        return Ok(Value::empty_set());
    }
    if !object.is_object() {
        return Err(Fault::Element.into());
    }
    Ok(kernel::places(grid, object))
}

/// Units of work for trying an object of this size at so many places or distances: a word of cells
/// or of places counts as one.
fn work(size: usize, tries: usize) -> usize {
    (size / 64).saturating_mul(tries).saturating_add(size)
}

/// The same for any rows and any cells, tried place by place.
fn occurrences_in_rows(cx: &mut Caller, grid: &Value, obj: &Value) -> Outcome {
    let first = grid.item(0).ok_or(if grid.is_tuple() { Fault::Range } else { Fault::Kind(0) })?;
    let (height, width) = (view::len(grid, 0)?, first.len().ok_or(Fault::Element)?);
    let size = view::len(obj, 1)?;
    let rows: Vec<Value> = view::items(grid, 0)?.collect();
    // Anything without an upper left corner fails here even when it is not looked for.
    let extent = view::extent(obj, 1)?;
    let cells =
        if size > 0 && view::holds_cells(obj, 1)? { Some(view::cells(obj, 1)?) } else { None };
    let (tall, wide) = match (extent, obj.item(0)) {
        // Tuples are measured like grids.
        (Some(_), Some(first)) => (size as i64, first.len().ok_or(Fault::Element)? as i64),
        (Some(extent), None) => {
            (side(extent.top, extent.bottom)?, side(extent.left, extent.right)?)
        }
        (None, _) => (0, 0),
    };
    let (cells_in_grid, height, width) =
        (height.saturating_mul(width), height as i64, width as i64);
    let (down, right) = ((height - tall + 1).max(0), (width - wide + 1).max(0));
    let tries = down.saturating_mul(right) as usize;
    // The empty object occurs at more places than the grid has cells.
    cx.charge(cells_in_grid.max(tries).saturating_add(work(size, tries)))?;
    if down == 0 || right == 0 {
        return Ok(Value::empty_set());
    }
    let (top, left, cells) = match (extent, cells) {
        (None, _) => (0, 0, Vec::new()),
        (Some(extent), Some(cells)) => (extent.top, extent.left, cells),
        (Some(_), None) => return Err(Fault::Element.into()),
    };
    let mut places = Vec::new();
    for i in 0..down {
        for j in 0..right {
            let mut occurs = true;
            for (value, a, b) in &cells {
                let (a, b) = (a - top + i, b - left + j);
                if !(0..height).contains(&a) || !(0..width).contains(&b) {
                    occurs = false;
                    break;
                }
                let row = &rows[a as usize];
                if !row.is_tuple() {
                    return Err(Fault::Element.into());
                }
                if row.item(b as usize).ok_or(Fault::Range)? != *value {
                    occurs = false;
                    break;
                }
            }
            if occurs {
                places.push((i, j));
            }
        }
    }
    Ok(Value::indices(&places))
}

/// The smallest distance at which an object repeats from left to right; its width when it does not.
///
/// Every cell at that distance or beyond must find its like that far to its left; cells that are
/// missing never object. The empty object gives 0; positions instead of cells fail when they are
/// more than one column wide.
///
/// ```arc
/// hperiod(frozenset({(1, (0, 0)), (2, (0, 1)), (1, (0, 2))})) == 2
/// hperiod(frozenset({(1, (0, 0)), (2, (0, 1)), (3, (0, 2))})) == 3
/// hperiod(frozenset()) == 0
/// hperiod(frozenset({(0, 0), (0, 1)})) fails
/// ```
#[primitive(class = Pattern, cost = Cells, sig = "(Object) -> Int")]
pub fn hperiod(cx: &mut Caller, obj: &Value) -> Result<i64, EvalError> {
    match obj {
        Value::Patch(patch) => patch_period(cx, patch, patch.frame().width, period::horizontal),
        _ => period_of_cells(cx, obj, false),
    }
}

/// The smallest distance at which an object repeats from top to bottom; its height when it does not.
///
/// Every cell at that distance or beyond must find its like that far above it; cells that are
/// missing never object. The empty object gives 0; positions instead of cells fail when they are
/// more than one row high.
///
/// ```arc
/// vperiod(frozenset({(1, (0, 0)), (2, (1, 0)), (1, (2, 0))})) == 2
/// vperiod(frozenset({(1, (0, 0)), (1, (0, 1))})) == 1
/// vperiod(frozenset()) == 0
/// ```
#[primitive(class = Pattern, cost = Cells, sig = "(Object) -> Int")]
pub fn vperiod(cx: &mut Caller, obj: &Value) -> Result<i64, EvalError> {
    match obj {
        Value::Patch(patch) => patch_period(cx, patch, patch.frame().height, period::vertical),
        _ => period_of_cells(cx, obj, true),
    }
}

fn patch_period(
    cx: &mut Caller,
    patch: &Patch,
    side: u32,
    period: fn(&Patch) -> Option<usize>,
) -> Result<i64, EvalError> {
    if side == 1 {
        return Ok(1);
    }
    if !patch.is_object() {
        return Err(Fault::Element.into());
    }
    cx.charge(work(patch.len(), side as usize))?;
    Ok(period(patch).map_or(side.into(), |p| p as i64))
}

/// The same for cells in any form and with any values.
fn period_of_cells(cx: &mut Caller, obj: &Value, vertical: bool) -> Result<i64, EvalError> {
    let Some(extent) = view::extent(obj, 0)? else { return Ok(0) };
    let (start, end) =
        if vertical { (extent.top, extent.bottom) } else { (extent.left, extent.right) };
    let side = side(start, end)?;
    let cells = view::holds_cells(obj, 0)?.then(|| view::cells(obj, 0)).transpose()?;
    if side == 1 {
        return Ok(1);
    }
    let cells = cells.ok_or(Fault::Element)?;
    cx.charge(work(cells.len(), side as usize))?;
    // Value, place across, place along.
    let turn = |(v, i, j)| if vertical { (v, j, i - start) } else { (v, i, j - start) };
    let mut cells: Vec<(Value, i64, i64)> = cells.into_iter().map(turn).collect();
    cells.sort_unstable();
    let Some(farthest) = cells.iter().find(|cell| cell.2 == side - 1) else {
        return Ok(side);
    };
    let likes = cells.iter().filter(|cell| (&cell.0, cell.1) == (&farthest.0, farthest.1));
    let mut periods: Vec<i64> = likes.map(|like| farthest.2 - like.2).filter(|&p| p > 0).collect();
    periods.sort_unstable();
    let fits = |p: i64| {
        cells.iter().all(|(v, across, along)| {
            let like = (v, *across, along - p);
            like.2 < 0 || cells.binary_search_by(|c| (&c.0, c.1, c.2).cmp(&like)).is_ok()
        })
    };
    Ok(periods.into_iter().find(|&p| fits(p)).unwrap_or(side))
}

/// Number of rows or columns from the first to the last.
fn side(first: i64, last: i64) -> Result<i64, EvalError> {
    last.checked_sub(first).and_then(|n| n.checked_add(1)).ok_or(Fault::Overflow.into())
}
