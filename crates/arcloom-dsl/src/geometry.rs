//! Mirrors and rotations of grids and patches.
//!
//! Quarter turns and the two diagonal mirrors cut ragged rows to the shortest.

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Grid, Patch, PatchBuf, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::mirror;
use crate::record::Primitive;
use crate::view::{self, Extent};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&ROT90, &ROT180, &ROT270, &HMIRROR, &VMIRROR, &DMIRROR, &CMIRROR];

/// A quarter turn of a grid, clockwise: the bottom row becomes the first column. A grid without
/// columns becomes the empty tuple.
///
/// ```arc
/// rot90(((1, 2), (3, 4))) == ((3, 1), (4, 2))
/// rot90(((1, 2, 3),)) == ((1,), (2,), (3,))
/// rot90(()) == ()
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn rot90(cx: &mut Caller, grid: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid {
        let mut cells = transposed_cells(g);
        cells.chunks_exact_mut(g.height()).for_each(<[i8]>::reverse);
        return Ok(Value::grid(g.width(), g.height(), &cells));
    }
    let mut rows = view::rows(grid, 0)?;
    rows.reverse();
    Ok(view::from_rows(zip(&rows)))
}

/// Half a turn of a grid. Rows may differ in length.
///
/// ```arc
/// rot180(((1, 2), (3, 4))) == ((4, 3), (2, 1))
/// rot180(((1, 2), (3,))) == ((3,), (2, 1))
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn rot180(cx: &mut Caller, grid: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid {
        let mut cells = CellBuf::from_slice(g.cells());
        cells.reverse();
        return Ok(Value::grid(g.height(), g.width(), &cells));
    }
    let mut rows = tuple_rows(grid, 0)?;
    rows.reverse();
    rows.iter_mut().for_each(|row| row.reverse());
    Ok(view::from_rows(rows))
}

/// A quarter turn of a grid, anticlockwise: the last column becomes the first row. A grid without
/// columns becomes the empty tuple.
///
/// ```arc
/// rot270(((1, 2), (3, 4))) == ((2, 4), (1, 3))
/// rot270(((), ())) == ()
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(Grid) -> Grid", toll = sorted)]
pub fn rot270(cx: &mut Caller, grid: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid {
        // Reversing all cells after a clockwise turn would do as well; this way each row of the
        // result is a column read downwards, the last one first.
        let (height, width) = (g.height(), g.width());
        let mut cells = CellBuf::from_elem(0, height * width);
        for (line, j) in cells.chunks_exact_mut(height).zip((0..width).rev()) {
            for (to, row) in line.iter_mut().zip(g.rows()) {
                *to = row[j];
            }
        }
        return Ok(Value::grid(width, height, &cells));
    }
    let mut columns = zip(&view::rows(grid, 0)?);
    columns.reverse();
    Ok(view::from_rows(columns))
}

/// Top and bottom exchanged: a tuple of anything reversed, a patch mirrored within its own extent.
/// An empty set fails, and so do positions whose parts are not both integers.
///
/// ```arc
/// hmirror(((1, 2), (3, 4))) == ((3, 4), (1, 2))
/// hmirror(frozenset({(0, 0), (1, 1), (1, 2)})) == frozenset({(1, 0), (0, 1), (0, 2)})
/// hmirror(frozenset({(5, (3, 7))})) == frozenset({(5, (3, 7))})
/// hmirror((1, 2, 3)) == (3, 2, 1)
/// hmirror(frozenset()) fails
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(a: Piece) -> a", toll = sorted)]
pub fn hmirror(cx: &mut Caller, piece: &Value) -> Outcome {
    cx.charge(weight(piece))?;
    match piece {
        Value::Grid(g) => {
            let mut cells = CellBuf::with_capacity(g.cells().len());
            g.rows().rev().for_each(|row| cells.extend_from_slice(row));
            Ok(Value::grid(g.height(), g.width(), &cells))
        }
        Value::Patch(p) => Ok(mirrored(p, true, false)),
        _ if piece.is_tuple() => {
            let mut items: Vec<Value> = view::items(piece, 0)?.collect();
            items.reverse();
            Ok(Value::tuple(items))
        }
        _ => map_places(piece, |e, i, j| (e.top + e.bottom - i, j)),
    }
}

/// Left and right exchanged: every row of a grid reversed, a patch mirrored within its own extent.
/// An empty set fails, and so do positions whose parts are not both integers.
///
/// ```arc
/// vmirror(((1, 2), (3, 4))) == ((2, 1), (4, 3))
/// vmirror(frozenset({(0, 0), (1, 1), (1, 2)})) == frozenset({(0, 2), (1, 1), (1, 0)})
/// vmirror(()) == ()
/// vmirror(frozenset()) fails
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(a: Piece) -> a", toll = sorted)]
pub fn vmirror(cx: &mut Caller, piece: &Value) -> Outcome {
    cx.charge(weight(piece))?;
    match piece {
        Value::Grid(g) => {
            let mut cells = CellBuf::from_slice(g.cells());
            cells.chunks_exact_mut(g.width()).for_each(<[i8]>::reverse);
            Ok(Value::grid(g.height(), g.width(), &cells))
        }
        Value::Patch(p) => Ok(mirrored(p, false, true)),
        _ if piece.is_tuple() => {
            let mut rows = tuple_rows(piece, 0)?;
            rows.iter_mut().for_each(|row| row.reverse());
            Ok(view::from_rows(rows))
        }
        _ => map_places(piece, |e, i, j| (i, e.left + e.right - j)),
    }
}

/// Rows and columns exchanged, so that the main diagonal stays; a patch keeps its upper left corner.
/// A grid without columns becomes the empty tuple; an empty set fails.
///
/// ```arc
/// dmirror(((1, 2, 3), (4, 5, 6))) == ((1, 4), (2, 5), (3, 6))
/// dmirror(frozenset({(2, 0), (2, 1), (2, 2)})) == frozenset({(2, 0), (3, 0), (4, 0)})
/// dmirror(()) == ()
/// dmirror(frozenset()) fails
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(a: Piece) -> a", toll = sorted)]
pub fn dmirror(cx: &mut Caller, piece: &Value) -> Outcome {
    cx.charge(weight(piece))?;
    match piece {
        Value::Grid(g) => Ok(Value::grid(g.width(), g.height(), &transposed_cells(g))),
        Value::Patch(p) if turned_fits(p) => Ok(transposed(p, false)),
        _ if piece.is_tuple() => Ok(view::from_rows(zip(&view::rows(piece, 0)?))),
        _ => map_places(piece, |e, i, j| (e.top + j - e.left, e.left + i - e.top)),
    }
}

/// Mirror along the other diagonal, which runs from the lower left to the upper right; a patch keeps
/// its upper left corner. A grid without columns becomes the empty tuple; an empty set fails.
///
/// ```arc
/// cmirror(((1, 2), (3, 4))) == ((4, 2), (3, 1))
/// cmirror(frozenset({(0, 0), (1, 0), (2, 0), (2, 1)})) == frozenset({(0, 0), (1, 0), (1, 1), (1, 2)})
/// cmirror(frozenset()) fails
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(a: Piece) -> a", toll = sorted)]
pub fn cmirror(cx: &mut Caller, piece: &Value) -> Outcome {
    cx.charge(weight(piece))?;
    match piece {
        Value::Grid(g) => {
            let mut cells = transposed_cells(g);
            cells.reverse();
            Ok(Value::grid(g.width(), g.height(), &cells))
        }
        Value::Patch(p) if turned_fits(p) => Ok(transposed(p, true)),
        _ if piece.is_tuple() => {
            let mut rows = tuple_rows(piece, 0)?;
            rows.reverse();
            rows.iter_mut().for_each(|row| row.reverse());
            Ok(view::from_rows(zip(&rows)))
        }
        _ => map_places(piece, |e, i, j| (e.top + e.right - j, e.left + e.bottom - i)),
    }
}

/// What copying a value costs, the same for every form of it: the elements, and for rows of a grid
/// the cells as well.
pub(crate) fn weight(value: &Value) -> usize {
    let row = |item: &Value| if item.is_tuple() { item.len().unwrap_or(0) } else { 0 };
    match value {
        Value::Grid(g) => g.cells().len() + g.height(),
        Value::Cell(..) => 4,
        Value::Tuple(seq) => seq.items().iter().map(|item| 1 + row(item)).sum(),
        _ => value.len().unwrap_or(0),
    }
}

/// The rows of a tuple of tuples, ragged or not; a set as a row fails, unlike in [`view::rows`].
pub(crate) fn tuple_rows(grid: &Value, index: u8) -> Result<Vec<Vec<Value>>, EvalError> {
    if !grid.is_tuple() {
        return Err(Fault::Kind(index).into());
    }
    view::items(grid, index)?.map(|row| tuple_row(&row)).collect()
}

/// The elements of a tuple.
pub(crate) fn tuple_row(row: &Value) -> Result<Vec<Value>, EvalError> {
    match row.iter() {
        Some(items) if row.is_tuple() => Ok(items.collect()),
        _ => Err(Fault::Element.into()),
    }
}

/// The columns of some rows, as far down as all of them reach.
fn zip(rows: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
    (0..width).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect()
}

fn transposed_cells(grid: &Grid) -> CellBuf {
    let mut cells = CellBuf::from_elem(0, grid.cells().len());
    mirror::transpose_cells(grid.cells(), grid.width(), &mut cells);
    cells
}

/// The patch mirrored within its extent.
fn mirrored(patch: &Patch, rows: bool, columns: bool) -> Value {
    let frame = patch.frame();
    // Mirrored about its own middle, a patch reaches the sides that it reached.
    Value::Patch(patch.rearranged(|layer| {
        if rows {
            mirror::reverse_rows(layer, frame.stride());
        }
        if columns {
            mirror::reverse_columns(layer, frame.stride(), frame.width as usize);
        }
    }))
}

/// True when the patch may still be built as bit rows after exchanging rows and columns.
fn turned_fits(patch: &Patch) -> bool {
    let frame = patch.frame();
    PatchBuf::fits(frame.width.into(), frame.height.into(), patch.layer_count())
}

/// The patch with rows and columns exchanged about its corner, then turned by half if asked to.
fn transposed(patch: &Patch, half_turn: bool) -> Value {
    let frame = patch.frame();
    let (height, width) = (frame.width as usize, frame.height as usize);
    let (top, left) = (frame.top.into(), frame.left.into());
    let mut buf = if frame.coloured {
        PatchBuf::object(top, left, height, width)
    } else {
        PatchBuf::indices(top, left, height, width)
    };
    let stride = buf.stride();
    for k in 0..patch.layer_count() {
        let layer = if frame.coloured { buf.color_mut(patch.color(k)) } else { buf.layer_mut(0) };
        mirror::transpose(patch.layer(k), frame.stride(), layer, stride);
        if half_turn {
            mirror::reverse_rows(layer, stride);
            mirror::reverse_columns(layer, stride, width);
        }
    }
    buf.into()
}

/// An extent in numbers wide enough for sums of coordinates.
struct Wide {
    top: i128,
    left: i128,
    bottom: i128,
    right: i128,
}

impl From<Extent> for Wide {
    fn from(e: Extent) -> Wide {
        let (top, left) = (e.top.into(), e.left.into());
        Wide { top, left, bottom: e.bottom.into(), right: e.right.into() }
    }
}

/// The set with every position moved; `place` is told the extent of the whole.
fn map_places(piece: &Value, place: impl Fn(&Wide, i128, i128) -> (i128, i128)) -> Outcome {
    let extent: Wide = view::extent(piece, 0)?.ok_or(Fault::Empty)?.into();
    let place = |i: i64, j: i64| -> Result<(i64, i64), EvalError> {
        let (i, j) = place(&extent, i.into(), j.into());
        let narrow = |n| i64::try_from(n).map_err(|_| Fault::Overflow);
        Ok((narrow(i)?, narrow(j)?))
    };
    if view::holds_cells(piece, 0)? {
        let cells: Result<Vec<Value>, EvalError> = view::cells(piece, 0)?
            .into_iter()
            .map(|(color, i, j)| place(i, j).map(|(i, j)| Value::tuple2(color, Value::pair(i, j))))
            .collect();
        return Ok(Value::set(cells?));
    }
    let places: Result<Vec<_>, EvalError> =
        view::positions(piece, 0)?.into_iter().map(|(i, j)| place(i, j)).collect();
    Ok(Value::indices(&places?))
}
