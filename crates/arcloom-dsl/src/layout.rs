//! Cutting grids up and joining them.
//!
//! Cuts follow Python's slices: what lies past the edge is left off, and negative numbers count from
//! the end.

use std::ops::Range;

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Grid, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::geometry::{tuple_row, weight};
use crate::kernel::slice::slice_range;
use crate::record::Primitive;
use crate::{order, view};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &CANVAS,
    &CROP,
    &SUBGRID,
    &TRIM,
    &TOPHALF,
    &BOTTOMHALF,
    &LEFTHALF,
    &RIGHTHALF,
    &HSPLIT,
    &VSPLIT,
    &HCONCAT,
    &VCONCAT,
    &CELLWISE,
    &COMPRESS,
];

/// A grid of these dimensions (rows, columns) filled with one value. Negative sides act as 0.
///
/// ```arc
/// canvas(3, (2, 2)) == ((3, 3), (3, 3))
/// canvas(1, (0, 3)) == ()
/// canvas(1, (3, 0)) == ((), (), ())
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Color, Pair) -> Grid")]
pub fn canvas(cx: &mut Caller, value: &Value, dimensions: &Value) -> Outcome {
    let side = |k| part(dimensions, k, 1).map(|n| usize::try_from(n.max(0)).unwrap_or(usize::MAX));
    let height = side(0)?;
    if height == 0 {
        return Ok(Value::empty_tuple());
    }
    let width = side(1)?;
    cx.charge(height.saturating_mul(width.saturating_add(1)))?;
    if let Some(color) = small(value) {
        return Ok(Value::grid(height, width, &CellBuf::from_elem(color, height * width)));
    }
    Ok(Value::tuple(vec![Value::tuple(vec![value.clone(); width]); height]))
}

/// The part of a grid that begins at `start` and has the dimensions `dims`, both (row, column).
/// What lies past the edge is left off; a negative start or extent counts from the end.
///
/// ```arc
/// crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (1, 1), (2, 2)) == ((5, 6), (8, 9))
/// crop(((1, 2), (3, 4)), (1, 1), (5, 5)) == ((4,),)
/// crop(((1, 2), (3, 4)), (0, 0), (2, -1)) == ((1,), (3,))
/// crop(((1, 2), (3, 4)), (0, 2), (2, 1)) == ((), ())
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Pair, Pair) -> Grid", toll = sorted)]
pub fn crop(cx: &mut Caller, grid: &Value, start: &Value, dims: &Value) -> Outcome {
    let rows = (part(start, 0, 1)?, part(dims, 0, 2)?);
    cut(cx, grid, rows, || Ok((part(start, 1, 1)?, part(dims, 1, 2)?)))
}

/// The smallest part of a grid that holds the patch. A patch given as a tuple is measured as a grid:
/// as many rows as it has elements, as many columns as its first element has parts. An empty patch
/// fails.
///
/// ```arc
/// subgrid(frozenset({(0, 1), (1, 2)}), ((1, 2, 3), (4, 5, 6))) == ((2, 3), (5, 6))
/// subgrid(((1, 0), (0, 0), (0, 1)), ((1, 2, 3), (4, 5, 6))) == ((1, 2), (4, 5))
/// subgrid(frozenset(), ((1, 2), (3, 4))) fails
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Patch, Grid) -> Grid", toll = sorted)]
pub fn subgrid(cx: &mut Caller, patch: &Value, grid: &Value) -> Outcome {
    if patch.is_tuple() {
        let first = view::first(patch, 0)?;
        let (height, width) = (view::len(patch, 0)?, view::len(&first, 0)?);
        cx.charge(weight(patch))?;
        let corner = column_minima(&view::toindices(patch, 0)?)?;
        let start = |k: usize| corner.get(k).and_then(Value::as_int).ok_or(Fault::Element);
        return cut(cx, grid, (start(0)?, height as i64), || Ok((start(1)?, width as i64)));
    }
    let e = view::extent(patch, 0)?.ok_or(Fault::Empty)?;
    let extent = |from: i64, to: i64| to.saturating_sub(from).saturating_add(1);
    cut(cx, grid, (e.top, extent(e.top, e.bottom)), || Ok((e.left, extent(e.left, e.right))))
}

/// A grid without its outermost rows and columns; two or fewer rows leave the empty tuple.
///
/// ```arc
/// trim(((1, 2, 3), (4, 5, 6), (7, 8, 9))) == ((5,),)
/// trim(((1, 2), (3, 4))) == ()
/// trim(((1,), (2,), (3,))) == ((),)
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn trim(cx: &mut Caller, grid: &Value) -> Outcome {
    // From place 1 to place -1 in both directions.
    cut(cx, grid, (1, -2), || Ok((1, -2)))
}

/// The upper half of a grid, or the first half of any tuple; a middle row is left out.
///
/// ```arc
/// tophalf(((1, 2), (3, 4), (5, 6))) == ((1, 2),)
/// tophalf(((1, 2),)) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn tophalf(cx: &mut Caller, grid: &Value) -> Outcome {
    let n = view::len(grid, 0)?;
    take_items(cx, grid, 0..n / 2)
}

/// The lower half of a grid, or the last half of any tuple; a middle row is left out.
///
/// ```arc
/// bottomhalf(((1, 2), (3, 4), (5, 6))) == ((5, 6),)
/// bottomhalf(((1, 2),)) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn bottomhalf(cx: &mut Caller, grid: &Value) -> Outcome {
    let n = view::len(grid, 0)?;
    take_items(cx, grid, n / 2 + n % 2..n)
}

/// The left half of a grid; a middle column is left out. A single column leaves the empty tuple.
///
/// ```arc
/// lefthalf(((1, 2, 3), (4, 5, 6))) == ((1,), (4,))
/// lefthalf(((1,), (2,))) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn lefthalf(cx: &mut Caller, grid: &Value) -> Outcome {
    take_columns(cx, grid, |n| 0..n / 2)
}

/// The right half of a grid; a middle column is left out. A single column leaves the empty tuple.
///
/// ```arc
/// righthalf(((1, 2, 3), (4, 5, 6))) == ((3,), (6,))
/// righthalf(((1,), (2,))) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn righthalf(cx: &mut Caller, grid: &Value) -> Outcome {
    take_columns(cx, grid, |n| n / 2 + n % 2..n)
}

/// A grid cut into `n` equal parts side by side. If the width is not a multiple of `n`, one column
/// is skipped between the parts. `n` of 0 fails, a negative one gives the empty tuple.
///
/// ```arc
/// hsplit(((1, 2), (3, 4)), 2) == (((1,), (3,)), ((2,), (4,)))
/// hsplit(((1, 5, 2), (3, 5, 4)), 2) == (((1,), (3,)), ((2,), (4,)))
/// hsplit(((1, 2),), 3) == (((),), ((),), ((),))
/// hsplit(((1, 2),), 0) fails
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Int) -> Tuple<Grid>", toll = sorted)]
pub fn hsplit(cx: &mut Caller, grid: &Value, n: i64) -> Outcome {
    let (height, width) = first_row_shape(grid)?;
    let Some(Parts { n, size, step }) = Parts::new(width, n)? else {
        return Ok(Value::empty_tuple());
    };
    cx.charge(n.saturating_mul(height))?;
    let part = |k: usize| (k as i64 * step as i64, size as i64);
    let parts: Result<Vec<Value>, EvalError> =
        (0..n).map(|k| cut(cx, grid, (0, height as i64), || Ok(part(k)))).collect();
    Ok(Value::tuple(parts?))
}

/// A grid cut into `n` equal parts on top of each other. If the height is not a multiple of `n`, one
/// row is skipped between the parts. `n` of 0 fails, a negative one gives the empty tuple.
///
/// ```arc
/// vsplit(((1, 2), (3, 4)), 2) == (((1, 2),), ((3, 4),))
/// vsplit(((1, 2), (5, 5), (3, 4)), 2) == (((1, 2),), ((3, 4),))
/// vsplit(((1, 2), (3, 4)), NEG_ONE) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Int) -> Tuple<Grid>", toll = sorted)]
pub fn vsplit(cx: &mut Caller, grid: &Value, n: i64) -> Outcome {
    let (height, width) = first_row_shape(grid)?;
    let Some(Parts { n, size, step }) = Parts::new(height, n)? else {
        return Ok(Value::empty_tuple());
    };
    cx.charge(n)?;
    let part = |k: usize| (k as i64 * step as i64, size as i64);
    let parts: Result<Vec<Value>, EvalError> =
        (0..n).map(|k| cut(cx, grid, part(k), || Ok((0, width as i64)))).collect();
    Ok(Value::tuple(parts?))
}

/// Two grids side by side, as many rows as the lower of them has. Of two tuples of integers the
/// elements are added; a tuple beside anything else fails.
///
/// ```arc
/// hconcat(((1,), (2,)), ((3, 4), (5, 6))) == ((1, 3, 4), (2, 5, 6))
/// hconcat(((1,), (2,)), ((3,),)) == ((1, 3),)
/// hconcat(((1,), (2,)), ()) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Grid) -> Grid", toll = sorted)]
pub fn hconcat(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    if let (Value::Grid(a), Value::Grid(b)) = (a, b) {
        let (height, width) = (a.height().min(b.height()), a.width() + b.width());
        cx.charge(height * (width + 1))?;
        let mut cells = CellBuf::with_capacity(height * width);
        for (left, right) in a.rows().zip(b.rows()) {
            cells.extend_from_slice(left);
            cells.extend_from_slice(right);
        }
        return Ok(Value::grid(height, width, &cells));
    }
    let mut rows = Vec::new();
    for (left, right) in view::items(a, 0)?.zip(view::items(b, 1)?) {
        cx.charge(1)?;
        rows.push(match (&left, &right) {
            (&Value::Int(left), &Value::Int(right)) => {
                Value::Int(left.checked_add(right).ok_or(Fault::Overflow)?)
            }
            _ => {
                let mut row = tuple_row(&left)?;
                row.extend(tuple_row(&right)?);
                cx.charge(row.len())?;
                Value::tuple(row)
            }
        });
    }
    Ok(Value::tuple(rows))
}

/// The first grid on top of the second; joins any two tuples. Widths may differ. Anything but two
/// tuples fails, also two integers, which Python would add.
///
/// ```arc
/// vconcat(((1, 2),), ((3, 4),)) == ((1, 2), (3, 4))
/// vconcat(((1, 2),), ((3,),)) == ((1, 2), (3,))
/// vconcat((), ((1, 2),)) == ((1, 2),)
/// vconcat(1, 2) fails
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Grid) -> Grid", toll = sorted)]
pub fn vconcat(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    cx.charge(weight(a) + weight(b))?;
    match (a, b) {
        (Value::Grid(a), Value::Grid(b)) if a.width() == b.width() => {
            let mut cells = CellBuf::with_capacity(a.cells().len() + b.cells().len());
            cells.extend_from_slice(a.cells());
            cells.extend_from_slice(b.cells());
            Ok(Value::grid(a.height() + b.height(), a.width(), &cells))
        }
        _ => {
            for (value, index) in [(a, 0), (b, 1)] {
                if !value.is_tuple() {
                    return Err(Fault::Kind(index).into());
                }
            }
            match (a.is_empty(), b.is_empty()) {
                (true, _) => return Ok(b.clone()),
                (_, true) => return Ok(a.clone()),
                _ => {}
            }
            let items: Vec<Value> = view::items(a, 0)?.chain(view::items(b, 1)?).collect();
            Ok(Value::tuple(items))
        }
    }
}

/// The cells that two grids agree on, `fallback` elsewhere; the result has the size of `a`. A `b`
/// that is smaller fails, as does an empty `a`.
///
/// ```arc
/// cellwise(((1, 2), (3, 4)), ((1, 0), (3, 0)), 9) == ((1, 9), (3, 9))
/// cellwise(((1,),), ((1, 2), (3, 4)), 0) == ((1,),)
/// cellwise(((1, 2), (3, 4)), ((1, 2),), 0) fails
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid, Grid, Color) -> Grid", toll = sorted)]
pub fn cellwise(cx: &mut Caller, a: &Value, b: &Value, fallback: &Value) -> Outcome {
    cx.charge(weight(a))?;
    if let (Value::Grid(a), Value::Grid(b), Some(fallback)) = (a, b, small(fallback)) {
        let (height, width) = (a.height(), a.width());
        if b.height() < height || b.width() < width {
            return Err(Fault::Range.into());
        }
        let mut cells = CellBuf::from_slice(a.cells());
        for (row, other) in cells.chunks_exact_mut(width).zip(b.rows()) {
            for (cell, &other) in row.iter_mut().zip(other) {
                *cell = if *cell == other { other } else { fallback };
            }
        }
        return Ok(Value::grid(height, width, &cells));
    }
    let (height, width) = first_row_shape(a)?;
    let mut rows = Vec::with_capacity(height);
    for i in 0..height {
        let mut row = Vec::with_capacity(width);
        if width > 0 {
            let left = a.item(i).ok_or(Fault::Range)?;
            let right = b.item(i).ok_or(Fault::Range)?;
            for j in 0..width {
                let cell = left.item(j).ok_or(Fault::Range)?;
                let other = right.item(j).ok_or(Fault::Range)?;
                row.push(if cell == other { cell } else { fallback.clone() });
            }
        }
        rows.push(row);
    }
    Ok(view::from_rows(rows))
}

/// A grid without the rows and columns that have one colour only. Nothing may be left of it. A set
/// fails.
///
/// ```arc
/// compress(((1, 5, 2), (5, 5, 5), (3, 5, 4))) == ((1, 2), (3, 4))
/// compress(((1, 2),)) == ((),)
/// compress(((1, 1),)) == ()
/// ```
#[primitive(class = Layout, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn compress(cx: &mut Caller, grid: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid {
        return Ok(compress_cells(g));
    }
    let rows = view::rows(grid, 0)?;
    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
    let uniform = |mut cells: std::slice::Iter<'_, Value>| {
        cells.next().is_some_and(|first| cells.all(|cell| cell == first))
    };
    let dropped: Vec<bool> =
        (0..width).map(|j| rows.iter().all(|row| row[j] == rows[0][j])).collect();
    let kept = |row: &Vec<Value>| -> Vec<Value> {
        let cells = row.iter().enumerate();
        cells
            .filter(|&(j, _)| dropped.get(j) != Some(&true))
            .map(|(_, cell)| cell.clone())
            .collect()
    };
    Ok(view::from_rows(rows.iter().filter(|row| !uniform(row.iter())).map(kept).collect()))
}

fn compress_cells(grid: &Grid) -> Value {
    let first = grid.row(0);
    let mut differs = CellBuf::from_elem(0, grid.width());
    for row in grid.rows().skip(1) {
        for ((differs, cell), above) in differs.iter_mut().zip(row).zip(first) {
            *differs |= cell ^ above;
        }
    }
    let width = differs.iter().filter(|&&d| d != 0).count();
    let mut cells = CellBuf::with_capacity(grid.cells().len());
    let mut height = 0;
    for row in grid.rows().filter(|row| row.iter().any(|&cell| cell != row[0])) {
        height += 1;
        let kept = row.iter().zip(&differs).filter(|&(_, &differs)| differs != 0);
        cells.extend(kept.map(|(&cell, _)| cell));
    }
    Value::grid(height, width, &cells)
}

/// The value as a cell of a grid in fast form.
#[inline]
pub(crate) fn small(value: &Value) -> Option<i8> {
    i8::try_from(value.as_int()?).ok()
}

/// Number of rows, and number of cells in the first one; the empty tuple fails.
#[inline]
pub(crate) fn first_row_shape(grid: &Value) -> Result<(usize, usize), EvalError> {
    if let Value::Grid(g) = grid {
        return Ok((g.height(), g.width()));
    }
    let first = grid.item(0).ok_or(Fault::Empty)?;
    Ok((view::len(grid, 0)?, first.len().ok_or(Fault::Element)?))
}

/// Integer `k` of a tuple.
#[inline]
fn part(value: &Value, k: usize, index: u8) -> Result<i64, EvalError> {
    match *value {
        Value::Pair(a, b) => Ok(if k == 0 { a.into() } else { b.into() }),
        _ if value.is_tuple() => {
            Ok(value.item(k).ok_or(Fault::Range)?.as_int().ok_or(Fault::Element)?)
        }
        _ => Err(Fault::Kind(index).into()),
    }
}

/// The least element of every column, as far as all rows of the container reach.
fn column_minima(rows: &Value) -> Result<Vec<Value>, EvalError> {
    let mut rows = view::items(rows, 0)?
        .map(|row| Ok(row.iter().ok_or(Fault::Element)?.collect()))
        .collect::<Result<Vec<Vec<Value>>, EvalError>>()?
        .into_iter();
    let mut least = rows.next().ok_or(Fault::Empty)?;
    let rest: Vec<Vec<Value>> = rows.collect();
    least.truncate(rest.iter().map(Vec::len).min().unwrap_or(usize::MAX));
    for row in rest {
        for (least, cell) in least.iter_mut().zip(row) {
            if order::less(&cell, least)? {
                *least = cell;
            }
        }
    }
    Ok(least)
}

/// The rows and columns that begin at a place and have an extent; the columns are asked for only if
/// there are rows.
fn cut(
    cx: &mut Caller,
    grid: &Value,
    rows: (i64, i64),
    columns: impl FnOnce() -> Result<(i64, i64), EvalError>,
) -> Outcome {
    let range =
        |(start, extent): (i64, i64), n| slice_range(start, start.saturating_add(extent), n);
    if !grid.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let rows = range(rows, view::len(grid, 0)?);
    if rows.is_empty() {
        return Ok(Value::empty_tuple());
    }
    let columns = columns()?;
    if let Value::Grid(g) = grid {
        let columns = range(columns, g.width());
        cx.charge(rows.len() * (columns.len() + 1))?;
        return Ok(cut_cells(g, rows, columns));
    }
    let mut out = Vec::with_capacity(rows.len());
    for row in view::items(grid, 0)?.skip(rows.start).take(rows.len()) {
        let row = tuple_row(&row)?;
        let columns = range(columns, row.len());
        cx.charge(columns.len() + 1)?;
        out.push(Value::tuple(row[columns].to_vec()));
    }
    Ok(Value::tuple(out))
}

fn cut_cells(grid: &Grid, rows: Range<usize>, columns: Range<usize>) -> Value {
    let (height, width) = (rows.len(), columns.len());
    if height == grid.height() && width == grid.width() {
        return Value::Grid(grid.clone());
    }
    let mut cells = CellBuf::with_capacity(height * width);
    for row in grid.rows().skip(rows.start).take(height) {
        cells.extend_from_slice(&row[columns.clone()]);
    }
    Value::grid(height, width, &cells)
}

/// These elements of a tuple.
fn take_items(cx: &mut Caller, tuple: &Value, range: Range<usize>) -> Outcome {
    match tuple {
        Value::Grid(g) => {
            cx.charge(range.len() * (g.width() + 1))?;
            Ok(cut_cells(g, range, 0..g.width()))
        }
        _ if tuple.is_tuple() => {
            let items: Vec<Value> =
                view::items(tuple, 0)?.skip(range.start).take(range.len()).collect();
            let taken = Value::tuple(items);
            cx.charge(weight(&taken))?;
            Ok(taken)
        }
        _ => Err(Fault::Kind(0).into()),
    }
}

/// The columns that `range` picks, given how many columns all rows have; none leave no rows either.
fn take_columns(cx: &mut Caller, grid: &Value, range: impl Fn(usize) -> Range<usize>) -> Outcome {
    if let Value::Grid(g) = grid {
        let columns = range(g.width());
        if columns.is_empty() {
            return Ok(Value::empty_tuple());
        }
        cx.charge(g.height() * (columns.len() + 1))?;
        return Ok(cut_cells(g, 0..g.height(), columns));
    }
    let rows = view::rows(grid, 0)?;
    let columns = range(rows.iter().map(Vec::len).min().unwrap_or(0));
    if columns.is_empty() {
        return Ok(Value::empty_tuple());
    }
    cx.charge(rows.len() * (columns.len() + 1))?;
    Ok(view::from_rows(rows.into_iter().map(|row| row[columns.clone()].to_vec()).collect()))
}

/// How a side is cut into equal parts.
struct Parts {
    n: usize,
    size: usize,
    /// From the beginning of one part to that of the next.
    step: usize,
}

impl Parts {
    /// `None` when a negative number of parts is asked for.
    fn new(side: usize, n: i64) -> Result<Option<Parts>, EvalError> {
        match usize::try_from(n) {
            Ok(0) => Err(Fault::Zero.into()),
            Ok(n) => {
                let size = side / n;
                Ok(Some(Parts { n, size, step: size + usize::from(!side.is_multiple_of(n)) }))
            }
            Err(_) => Ok(None),
        }
    }
}
