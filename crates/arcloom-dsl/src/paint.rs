//! Writing into grids, and lifting objects out of them.
//!
//! Positions outside the grid are skipped. The size of a grid is that of its first row: a shorter row
//! fails where a position in it is asked for.

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Grid, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::color::mostcolor;
use crate::container::set_of;
use crate::geometry::weight;
use crate::kernel::cells::{self, Block};
use crate::kernel::count::most_color;
use crate::layout::{first_row_shape, small};
use crate::record::Primitive;
use crate::toll;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&FILL, &PAINT, &UNDERFILL, &UNDERPAINT, &COVER, &MOVE, &TOOBJECT, &ASOBJECT];

/// A grid with `value`, which may be anything, written at all positions of the patch.
///
/// ```arc
/// fill(((0, 0), (0, 0)), 3, frozenset({(0, 1), (5, 5)})) == ((0, 3), (0, 0))
/// fill(((0, 0), (0, 0)), 3, frozenset({(7, (1, 1))})) == ((0, 0), (0, 3))
/// fill(((0, 0),), 3, frozenset()) == ((0, 0),)
/// fill((), 3, frozenset()) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Color, Patch) -> Grid", toll = sorted)]
pub fn fill(cx: &mut Caller, grid: &Value, value: &Value, patch: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if changes_nothing(grid, patch) {
        return Ok(grid.clone());
    }
    if let (Value::Grid(g), Some(color)) = (grid, small(value)) {
        return write(g, |block| match patch {
            Value::Patch(p) => {
                block.fill(p, color);
                Ok(())
            }
            _ => each_position(patch, block.shape(), |i, j| {
                block.cells[i * block.width + j] = color;
                Ok(())
            }),
        });
    }
    let (shape, mut rows) = (first_row_shape(grid)?, view::rows(grid, 0)?);
    each_position(patch, shape, |i, j| {
        *rows[i].get_mut(j).ok_or(Fault::Range)? = value.clone();
        Ok(())
    })?;
    Ok(view::from_rows(rows))
}

/// A grid with the cells of an object written into it. Where two colours share a place the larger
/// one stays, in an object given as a tuple the later one.
///
/// ```arc
/// paint(((0, 0), (0, 0)), frozenset({(3, (0, 1)), (4, (9, 9))})) == ((0, 3), (0, 0))
/// paint(((0, 0),), frozenset({(3, (0, 1)), (4, (0, 1))})) == ((0, 4),)
/// paint(((0, 0),), frozenset({(0, 1)})) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Object) -> Grid", order, toll = sorted)]
pub fn paint(cx: &mut Caller, grid: &Value, obj: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if changes_nothing(grid, obj) {
        return Ok(grid.clone());
    }
    if let (Value::Grid(g), Value::Patch(p)) = (grid, obj) {
        if !p.is_object() {
            return Err(Fault::Element.into());
        }
        return write(g, |block| {
            block.paint(p, (0, 0));
            Ok(())
        });
    }
    if let (Value::Grid(g), Value::Tuple(seq)) = (grid, obj)
        && let Some(painted) = paint_list(g, seq.items(), |_| true)
    {
        return Ok(painted);
    }
    let (shape, mut rows) = (first_row_shape(grid)?, view::rows(grid, 0)?);
    each_cell(obj, shape, |color, i, j| {
        *rows[i].get_mut(j).ok_or(Fault::Range)? = color;
        Ok(())
    })?;
    Ok(view::from_rows(rows))
}

/// A grid with `value` written at those positions of the patch that hold the grid's most frequent
/// colour (the smallest of equally common ones). A grid without cells fails.
///
/// ```arc
/// underfill(((0, 0), (0, 1)), 3, frozenset({(0, 1), (1, 1)})) == ((0, 3), (0, 1))
/// underfill(((), ()), 3, frozenset()) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Color, Patch) -> Grid", order, toll = sorted)]
pub fn underfill(cx: &mut Caller, grid: &Value, value: &Value, patch: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if changes_nothing(grid, patch) {
        return Ok(grid.clone());
    }
    if let (Value::Grid(g), Some(color)) = (grid, small(value)) {
        let below = most_color(g.cells()).ok_or(Fault::Empty)?;
        return write(g, |block| match patch {
            Value::Patch(p) => {
                block.underfill(p, color, below);
                Ok(())
            }
            _ => each_position(patch, block.shape(), |i, j| {
                let cell = &mut block.cells[i * block.width + j];
                *cell = if *cell == below { color } else { *cell };
                Ok(())
            }),
        });
    }
    let (shape, mut rows) = (first_row_shape(grid)?, view::rows(grid, 0)?);
    let below = mostcolor(grid)?;
    each_position(patch, shape, |i, j| {
        let cell = rows[i].get_mut(j).ok_or(Fault::Range)?;
        if *cell == below {
            *cell = value.clone();
        }
        Ok(())
    })?;
    Ok(view::from_rows(rows))
}

/// A grid with those cells of an object written into it that find the grid's most frequent colour (the
/// smallest of equally common ones). Where two colours share a place the smaller one stays, unless
/// it is the most frequent colour itself. A grid without cells fails.
///
/// ```arc
/// underpaint(((0, 0), (0, 1)), frozenset({(3, (0, 1)), (3, (1, 1))})) == ((0, 3), (0, 1))
/// underpaint(((0, 0),), frozenset({(3, (0, 1)), (4, (0, 1))})) == ((0, 3),)
/// underpaint(((0, 0),), frozenset({(0, (0, 1)), (4, (0, 1))})) == ((0, 4),)
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Object) -> Grid", order, toll = sorted)]
pub fn underpaint(cx: &mut Caller, grid: &Value, obj: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if changes_nothing(grid, obj) {
        return Ok(grid.clone());
    }
    if let (Value::Grid(g), Value::Patch(p)) = (grid, obj) {
        if !p.is_object() {
            return Err(Fault::Element.into());
        }
        let below = most_color(g.cells()).ok_or(Fault::Empty)?;
        return write(g, |block| {
            block.underpaint(p, below);
            Ok(())
        });
    }
    if let (Value::Grid(g), Value::Tuple(seq)) = (grid, obj) {
        let below = most_color(g.cells()).ok_or(Fault::Empty)?;
        if let Some(painted) = paint_list(g, seq.items(), |cell| cell == below) {
            return Ok(painted);
        }
    }
    let (shape, mut rows) = (first_row_shape(grid)?, view::rows(grid, 0)?);
    let below = mostcolor(grid)?;
    each_cell(obj, shape, |color, i, j| {
        let cell = rows[i].get_mut(j).ok_or(Fault::Range)?;
        if *cell == below {
            *cell = color;
        }
        Ok(())
    })?;
    Ok(view::from_rows(rows))
}

/// A grid with the patch erased: its positions get the grid's most frequent colour (the smallest of
/// equally common ones). A grid without cells fails.
///
/// ```arc
/// cover(((0, 0), (0, 1)), frozenset({(1, (1, 1))})) == ((0, 0), (0, 0))
/// cover(((), ()), frozenset()) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Patch) -> Grid", order, toll = sorted)]
pub fn cover(cx: &mut Caller, grid: &Value, patch: &Value) -> Outcome {
    if let (Value::Grid(g), Value::Patch(p)) = (grid, patch) {
        cx.charge(weight(grid))?;
        let below = most_color(g.cells()).ok_or(Fault::Empty)?;
        return write(g, |block| {
            block.fill(p, below);
            Ok(())
        });
    }
    let below = mostcolor(grid)?;
    fill(cx, grid, &below, &view::toindices(patch, 1)?)
}

/// A grid with an object erased and painted anew at its place plus `offset`. The object's own place
/// gets the grid's most frequent colour (the smallest of equally common ones). Coordinates and offsets
/// that are not integers fail, also outside the grid.
///
/// ```arc
/// move(((0, 0), (0, 1)), frozenset({(1, (1, 1))}), UP) == ((0, 1), (0, 0))
/// move(((0, 0), (0, 1)), frozenset({(1, (1, 1))}), (5, 5)) == ((0, 0), (0, 0))
/// move(((0, 0), (0, 1)), frozenset({(1, 1)}), UP) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid, Object, Pair) -> Grid", order, toll = sorted)]
pub fn r#move(cx: &mut Caller, grid: &Value, obj: &Value, offset: &Value) -> Outcome {
    if let (Value::Grid(g), Value::Patch(p), &Value::Pair(di, dj)) = (grid, obj, offset) {
        if !p.is_object() {
            return Err(Fault::Element.into());
        }
        cx.charge(2 * weight(grid))?;
        let below = most_color(g.cells()).ok_or(Fault::Empty)?;
        return write(g, |block| {
            block.fill(p, below);
            block.paint(p, (di.into(), dj.into()));
            Ok(())
        });
    }
    let covered = cover(cx, grid, obj)?;
    if view::len(obj, 1)? == 0 {
        return paint(cx, &covered, obj);
    }
    let (di, dj) = view::two_ints(offset)?;
    // A coordinate that leaves the integers is outside the grid at either end.
    let mut moved: Vec<(Value, i64, i64)> = view::cells(obj, 1)?
        .into_iter()
        .map(|(color, i, j)| (color, i.saturating_add(di), j.saturating_add(dj)))
        .collect();
    // Moving makes a set of a tuple, so that the order of writing changes.
    moved.sort_unstable();
    cx.charge(weight(&covered))?;
    let (shape, mut rows) = (first_row_shape(&covered)?, view::rows(&covered, 0)?);
    for (color, i, j) in moved {
        if let Some((i, j)) = inside(i, || Ok(j), shape)? {
            *rows[i].get_mut(j).ok_or(Fault::Range)? = color;
        }
    }
    Ok(view::from_rows(rows))
}

/// The cells that a grid has at the positions of a patch, as an object.
///
/// ```arc
/// toobject(frozenset({(0, 1), (1, 1), (2, 2)}), ((1, 2), (3, 4))) == frozenset({(2, (0, 1)), (4, (1, 1))})
/// toobject(frozenset(), ((1, 2), (3, 4))) == frozenset()
/// toobject(frozenset(), ()) fails
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Patch, Grid) -> Object", toll = none)]
pub fn toobject(cx: &mut Caller, patch: &Value, grid: &Value) -> Outcome {
    cx.pay(toll::all_but_patches, [patch])?;
    cx.charge(patch.len().unwrap_or(0))?;
    if let (Value::Patch(p), Value::Grid(g)) = (patch, grid)
        && let Some(lifted) = cells::lift(g, Some(p))
    {
        return Ok(lifted);
    }
    let shape = first_row_shape(grid)?;
    let mut lifted = Vec::new();
    each_position(patch, shape, |i, j| {
        let color = match grid {
            Value::Grid(g) => g.get(i as i64, j as i64).map(|c| Value::Int(c.into())),
            _ => grid.item(i).and_then(|row| row.item(j)),
        };
        let at = Value::pair(i as i64, j as i64);
        lifted.push(Value::tuple2(color.ok_or(Fault::Range)?, at));
        Ok(())
    })?;
    set_of(cx, lifted)
}

/// All cells of a grid as an object; rows may differ in length. The empty tuple gives the empty set.
///
/// ```arc
/// asobject(((1, 2), (3,))) == frozenset({(1, (0, 0)), (2, (0, 1)), (3, (1, 0))})
/// asobject(()) == frozenset()
/// ```
#[primitive(class = Paint, cost = Cells, sig = "(Grid) -> Object", toll = sorted)]
pub fn asobject(cx: &mut Caller, grid: &Value) -> Outcome {
    cx.charge(weight(grid))?;
    if let Value::Grid(g) = grid
        && let Some(lifted) = cells::lift(g, None)
    {
        return Ok(lifted);
    }
    let mut lifted = Vec::new();
    for (i, row) in view::items(grid, 0)?.enumerate() {
        for (j, color) in row.iter().ok_or(Fault::Element)?.enumerate() {
            lifted.push(Value::tuple2(color, Value::pair(i as i64, j as i64)));
        }
    }
    set_of(cx, lifted)
}

/// True for nothing to write and a grid that is in the form a grid has after writing.
#[inline]
fn changes_nothing(grid: &Value, patch: &Value) -> bool {
    patch.is_empty() && matches!(grid, Value::Grid(_))
}

/// A copy of the grid with something written into it.
#[inline]
fn write(grid: &Grid, change: impl FnOnce(&mut Block<'_>) -> Result<(), EvalError>) -> Outcome {
    let (height, width) = (grid.height(), grid.width());
    let mut cells = CellBuf::new();
    cells.extend_from_slice(grid.cells());
    change(&mut Block { cells: &mut cells, width })?;
    Ok(Value::grid(height, width, &cells))
}

/// The grid with these cells written into it one after the other, each where `over` agrees to what
/// it finds; `None` unless all are cells in fast form whose colours a grid can hold.
fn paint_list(grid: &Grid, list: &[Value], over: impl Fn(i8) -> bool) -> Option<Value> {
    let (height, width) = (grid.height(), grid.width());
    let mut cells = CellBuf::new();
    cells.extend_from_slice(grid.cells());
    for item in list {
        let &Value::Cell(color, i, j) = item else { return None };
        let color = i8::try_from(color).ok()?;
        if let Some((i, j)) = within(i, j, (height, width)) {
            let cell = &mut cells[i * width + j];
            *cell = if over(*cell) { color } else { *cell };
        }
    }
    Some(Value::grid(height, width, &cells))
}

/// Row and column as places in a grid of this size. The column is asked for only if the row is in it.
#[inline]
fn inside(
    i: i64,
    j: impl FnOnce() -> Result<i64, EvalError>,
    (height, width): (usize, usize),
) -> Result<Option<(usize, usize)>, EvalError> {
    let place = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
    let Some(i) = place(i, height) else { return Ok(None) };
    Ok(place(j()?, width).map(|j| (i, j)))
}

/// [`inside`] for a position in any form.
#[inline]
fn inside_at(at: &Value, shape: (usize, usize)) -> Result<Option<(usize, usize)>, EvalError> {
    if let &Value::Pair(i, j) = at {
        return Ok(within(i, j, shape));
    }
    let (i, j) = view::two(at)?;
    let int = |n: &Value| n.as_int().ok_or(EvalError::from(Fault::Element));
    inside(int(&i)?, || int(&j), shape)
}

/// The position, if it lies in a grid of this size.
#[inline]
fn within(i: i32, j: i32, (height, width): (usize, usize)) -> Option<(usize, usize)> {
    let (i, j) = (usize::try_from(i).ok()?, usize::try_from(j).ok()?);
    (i < height && j < width).then_some((i, j))
}

/// Visits the positions of a patch that lie in a grid of this size.
fn each_position(
    patch: &Value,
    shape: (usize, usize),
    mut visit: impl FnMut(usize, usize) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    if let Value::Grid(list) = patch
        && let Some(places) = view::listed_places(list)
    {
        for (i, j) in places {
            if let Some((i, j)) = within(i as i32, j as i32, shape) {
                visit(i, j)?;
            }
        }
        return Ok(());
    }
    for at in view::items(&view::toindices(patch, 0)?, 0)? {
        if let Some((i, j)) = inside_at(&at, shape)? {
            visit(i, j)?;
        }
    }
    Ok(())
}

/// Visits the cells of an object that lie in a grid of this size, in order.
fn each_cell(
    object: &Value,
    shape: (usize, usize),
    mut visit: impl FnMut(Value, usize, usize) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    if let Value::Tuple(seq) | Value::Set(seq) = object {
        for cell in seq.items() {
            if let &Value::Cell(color, i, j) = cell {
                if let Some((i, j)) = within(i, j, shape) {
                    visit(Value::Int(color.into()), i, j)?;
                }
                continue;
            }
            let (color, at) = view::two(cell)?;
            if let Some((i, j)) = inside_at(&at, shape)? {
                visit(color, i, j)?;
            }
        }
        return Ok(());
    }
    for cell in view::items(object, 1)? {
        let (color, at) = view::two(&cell)?;
        if let Some((i, j)) = inside_at(&at, shape)? {
            visit(color, i, j)?;
        }
    }
    Ok(())
}
