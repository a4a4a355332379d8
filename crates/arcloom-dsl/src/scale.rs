//! Enlarging and shrinking by whole factors.
//!
//! Factors below 0 act as 0 when enlarging. The result is paid for before it is made.

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Patch, PatchBuf, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::geometry::weight;
use crate::kernel::expand;
use crate::record::Primitive;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&UPSCALE, &HUPSCALE, &VUPSCALE, &DOWNSCALE];

/// A grid or object with every cell made `factor` x `factor` cells; an object keeps its upper left
/// corner. Factor 0 gives the empty tuple or set, a set of positions fails.
///
/// ```arc
/// upscale(((1, 2),), 2) == ((1, 1, 2, 2), (1, 1, 2, 2))
/// upscale(frozenset({(3, (1, 1))}), 2) == frozenset({(3, (1, 1)), (3, (1, 2)), (3, (2, 1)), (3, (2, 2))})
/// upscale(((1, 2),), 0) == ()
/// upscale(frozenset({(1, 1)}), 2) fails
/// ```
#[primitive(class = Scale, cost = Cells, sig = "(a: Element, Int) -> a", toll = sorted)]
pub fn upscale(cx: &mut Caller, element: &Value, factor: &Value) -> Outcome {
    if element.is_empty() {
        return Ok(element.clone());
    }
    let times = || factor.as_int().map(count).ok_or(EvalError::from(Fault::Kind(1)));
    let square = |cells: usize, times: usize| cells.saturating_mul(times).saturating_mul(times);
    match element {
        Value::Grid(g) => {
            let times = times()?;
            cx.charge(square(weight(element), times))?;
            if times == 0 {
                return Ok(Value::empty_tuple());
            }
            let (height, width) = (g.height() * times, g.width() * times);
            let mut out = CellBuf::from_elem(0, height * width);
            for (block, row) in out.chunks_exact_mut(width * times).zip(g.rows()) {
                let (first, others) = block.split_at_mut(width);
                widen(row, times, first);
                others.chunks_exact_mut(width).for_each(|copy| copy.copy_from_slice(first));
            }
            Ok(Value::grid(height, width, &out))
        }
        _ if element.is_tuple() => {
            let rows = view::rows(element, 0)?;
            let times = times()?;
            cx.charge(square(rows_weight(&rows), times))?;
            let mut out = Vec::new();
            for row in rows {
                let wide = Value::tuple(repeat_each(row, times));
                out.extend(std::iter::repeat_n(wide, times));
            }
            Ok(Value::tuple(out))
        }
        _ if element.is_set() => {
            let times = times()?;
            cx.charge(square(weight(element), times))?;
            upscale_object(element, times)
        }
        _ => Err(Fault::Kind(0).into()),
    }
}

/// A grid with every column repeated `factor` times; factor 0 leaves empty rows.
///
/// ```arc
/// hupscale(((1, 2), (3, 4)), 2) == ((1, 1, 2, 2), (3, 3, 4, 4))
/// hupscale(((1, 2), (3, 4)), 0) == ((), ())
/// ```
#[primitive(class = Scale, cost = Cells, sig = "(Grid, Int) -> Grid", toll = sorted)]
pub fn hupscale(cx: &mut Caller, grid: &Value, factor: &Value) -> Outcome {
    if let (Value::Grid(g), &Value::Int(factor)) = (grid, factor) {
        let times = count(factor);
        cx.charge(weight(grid).saturating_mul(times))?;
        let mut out = CellBuf::from_elem(0, g.cells().len() * times);
        widen(g.cells(), times, &mut out);
        return Ok(Value::grid(g.height(), g.width() * times, &out));
    }
    let rows = any_rows(grid)?;
    // Nothing to repeat: the factor is never looked at.
    let times = match factor.as_int() {
        Some(factor) => count(factor),
        None if rows.iter().all(Vec::is_empty) => 0,
        None => return Err(Fault::Kind(1).into()),
    };
    cx.charge(rows_weight(&rows).saturating_mul(times))?;
    Ok(view::from_rows(rows.into_iter().map(|row| repeat_each(row, times)).collect()))
}

/// A grid with every row repeated `factor` times; works on any container and gives a tuple.
///
/// ```arc
/// vupscale(((1, 2), (3, 4)), 2) == ((1, 2), (1, 2), (3, 4), (3, 4))
/// vupscale(((1, 2), (3, 4)), NEG_ONE) == ()
/// ```
#[primitive(class = Scale, cost = Cells, sig = "(Grid, Int) -> Grid", toll = sorted)]
pub fn vupscale(cx: &mut Caller, grid: &Value, factor: &Value) -> Outcome {
    let items = view::items(grid, 0)?;
    if view::len(grid, 0)? == 0 {
        return Ok(Value::empty_tuple());
    }
    let times = count(factor.as_int().ok_or(Fault::Kind(1))?);
    cx.charge(weight(grid).saturating_mul(times))?;
    if let Value::Grid(g) = grid {
        let mut out = CellBuf::with_capacity(g.cells().len() * times);
        for row in g.rows() {
            (0..times).for_each(|_| out.extend_from_slice(row));
        }
        return Ok(Value::grid(g.height() * times, g.width(), &out));
    }
    Ok(Value::tuple(repeat_each(items.collect(), times)))
}

/// Every `factor`-th row and column of a grid, the first ones included; the sign of the factor does
/// not matter. Factor 0, the empty tuple and a row too short for the first row's columns fail.
///
/// ```arc
/// downscale(((1, 1, 2), (1, 1, 2), (3, 3, 4)), 2) == ((1, 2), (3, 4))
/// downscale(((1, 2), (3, 4)), 0) fails
/// ```
#[primitive(class = Scale, cost = Cells, sig = "(Grid, Int) -> Grid", toll = sorted)]
pub fn downscale(cx: &mut Caller, grid: &Value, factor: i64) -> Outcome {
    let step = usize::try_from(factor.unsigned_abs()).unwrap_or(usize::MAX);
    if step == 0 {
        return Err(Fault::Zero.into());
    }
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid {
        let (height, width) = (g.height().div_ceil(step), g.width().div_ceil(step));
        let mut out = CellBuf::from_elem(0, height * width);
        for (line, row) in out.chunks_exact_mut(width).zip(g.rows().step_by(step)) {
            for (to, &cell) in line.iter_mut().zip(row.iter().step_by(step)) {
                *to = cell;
            }
        }
        return Ok(Value::grid(height, width, &out));
    }
    let first = grid.item(0).ok_or(Fault::Empty)?;
    let width = view::len(&first, 0)?;
    let rows: Result<Vec<Value>, EvalError> = view::items(grid, 0)?
        .map(|row| {
            let cells = (0..width).step_by(step).map(|j| row.item(j).ok_or(Fault::Range.into()));
            let cells: Result<Vec<Value>, EvalError> = cells.collect();
            Ok(Value::tuple(cells?))
        })
        .collect();
    Ok(Value::tuple(rows?.into_iter().step_by(step).collect::<Vec<_>>()))
}

/// How often something is repeated for this factor.
fn count(factor: i64) -> usize {
    usize::try_from(factor.max(0)).unwrap_or(usize::MAX)
}

/// The rows of any container of containers.
fn any_rows(grid: &Value) -> Result<Vec<Vec<Value>>, EvalError> {
    view::items(grid, 0)?.map(|row| Ok(row.iter().ok_or(Fault::Element)?.collect())).collect()
}

/// [`weight`] of these rows.
fn rows_weight(rows: &[Vec<Value>]) -> usize {
    rows.iter().map(|row| row.len() + 1).sum()
}

fn repeat_each(items: Vec<Value>, times: usize) -> Vec<Value> {
    items.into_iter().flat_map(|item| std::iter::repeat_n(item, times)).collect()
}

/// Writes every cell `times` times.
fn widen(cells: &[i8], times: usize, out: &mut [i8]) {
    match times {
        0 => {}
        2 => widen_by::<2>(cells, out),
        3 => widen_by::<3>(cells, out),
        _ => {
            for (place, &cell) in out.chunks_exact_mut(times).zip(cells) {
                place.fill(cell);
            }
        }
    }
}

/// [`widen`] by a factor known beforehand: filling two or three bytes is not worth a call.
fn widen_by<const N: usize>(cells: &[i8], out: &mut [i8]) {
    for (place, &cell) in out.as_chunks_mut::<N>().0.iter_mut().zip(cells) {
        *place = [cell; N];
    }
}

/// The object enlarged; what it costs has been paid for.
fn upscale_object(object: &Value, times: usize) -> Outcome {
    match object {
        Value::Patch(p) if !p.is_object() => return Err(Fault::Element.into()),
        Value::Patch(p) => {
            if let Some(value) = enlarged(p, times) {
                return Ok(value);
            }
        }
        _ => {}
    }
    let corner = view::extent(object, 0)?.ok_or(Fault::Empty)?;
    let cells = view::cells(object, 0)?;
    let place = |from: i64, at: i64, step: usize| -> Option<i64> {
        let times = i64::try_from(times).ok()?;
        at.checked_sub(from)?.checked_mul(times)?.checked_add(step as i64)?.checked_add(from)
    };
    let mut out = Vec::with_capacity(cells.len() * times * times);
    for (color, i, j) in cells {
        for di in 0..times {
            let i = place(corner.top, i, di).ok_or(Fault::Overflow)?;
            for dj in 0..times {
                let j = place(corner.left, j, dj).ok_or(Fault::Overflow)?;
                out.push(Value::tuple2(color.clone(), Value::pair(i, j)));
            }
        }
    }
    Ok(Value::set(out))
}

/// The object enlarged as bit rows; `None` when it does not fit.
fn enlarged(object: &Patch, times: usize) -> Option<Value> {
    let frame = object.frame();
    let height = (frame.height as usize).checked_mul(times)?;
    let width = (frame.width as usize).checked_mul(times)?;
    let sides = (i64::try_from(height).ok()?, i64::try_from(width).ok()?);
    if times == 0 || !PatchBuf::fits(sides.0, sides.1, object.layer_count()) {
        return None;
    }
    let mut buf = PatchBuf::object(frame.top.into(), frame.left.into(), height, width);
    let stride = buf.stride();
    for k in 0..object.layer_count() {
        let layer = buf.color_mut(object.color(k));
        expand::enlarge(object.layer(k), frame.stride(), times, layer, stride);
    }
    Some(buf.into())
}
