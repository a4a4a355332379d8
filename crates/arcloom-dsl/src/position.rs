//! Where patches are: corners, centres, moving them, and how two of them lie to each other.

use arcloom_macros::primitive;
use arcloom_value::patch::MAX_COORD;
use arcloom_value::{Patch, PatchBuf, Seq, Value};
use smallvec::SmallVec;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::figure;
use crate::kernel::mask::{Mask, Words};
use crate::kernel::near;
use crate::measure::{first_row, height, width};
use crate::order::less;
use crate::record::Primitive;
use crate::toll;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &ULCORNER,
    &URCORNER,
    &LLCORNER,
    &LRCORNER,
    &CORNERS,
    &UPPERMOST,
    &LOWERMOST,
    &LEFTMOST,
    &RIGHTMOST,
    &CENTER,
    &CENTEROFMASS,
    &POSITION,
    &INDEX,
    &ASINDICES,
    &TOINDICES,
    &SHIFT,
    &NORMALIZE,
    &HMATCHING,
    &VMATCHING,
    &MANHATTAN,
    &ADJACENT,
    &BORDERING,
    &GRAVITATE,
];

/// Most steps that `gravitate` goes.
pub(crate) const MAX_STEPS: i64 = 42;

/// First row and first column of a patch; `()` if it is empty.
///
/// ```arc
/// ulcorner(frozenset({(1, 4), (3, 2)})) == (1, 2)
/// ulcorner(frozenset()) == ()
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Pair")]
pub fn ulcorner(patch: &Value) -> Outcome {
    corner(patch, End::First, End::First)
}

/// First row and last column of a patch; `()` if it is empty.
///
/// ```arc
/// urcorner(frozenset({(1, 2), (3, 4)})) == (1, 4)
/// urcorner(frozenset()) == ()
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Pair")]
pub fn urcorner(patch: &Value) -> Outcome {
    corner(patch, End::First, End::Last)
}

/// Last row and first column of a patch; `()` if it is empty.
///
/// ```arc
/// llcorner(frozenset({(1, 2), (3, 4)})) == (3, 2)
/// llcorner(frozenset()) == ()
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Pair")]
pub fn llcorner(patch: &Value) -> Outcome {
    corner(patch, End::Last, End::First)
}

/// Last row and last column of a patch; `()` if it is empty.
///
/// ```arc
/// lrcorner(frozenset({(1, 4), (3, 2)})) == (3, 4)
/// lrcorner(frozenset()) == ()
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Pair")]
pub fn lrcorner(patch: &Value) -> Outcome {
    corner(patch, End::Last, End::Last)
}

/// The corners of the box around a patch: four positions, or fewer if the box is thin. Those of
/// the empty set are `()` alone.
///
/// ```arc
/// corners(frozenset({(1, 2), (3, 4)})) == frozenset({(1, 2), (1, 4), (3, 2), (3, 4)})
/// corners(frozenset({(1, 2)})) == frozenset({(1, 2)})
/// corners(frozenset()) == frozenset({()})
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn corners(cx: &mut Caller, patch: &Value) -> Outcome {
    cx.pay(toll::framed, [patch])?;
    cx.pay(toll::all_but_patches, [patch])?;
    if let Value::Patch(patch) = patch {
        let frame = patch.frame();
        let (bottom, right) = (frame.height as usize - 1, frame.width as usize - 1);
        let (top, left) = (frame.top.into(), frame.left.into());
        let mut buf = PatchBuf::indices(top, left, bottom + 1, right + 1);
        for (row, col) in [(0, 0), (0, right), (bottom, 0), (bottom, right)] {
            buf.set(row, col);
        }
        return Ok(buf.into());
    }
    Ok(Value::set(vec![ulcorner(patch)?, urcorner(patch)?, llcorner(patch)?, lrcorner(patch)?]))
}

/// First row of a patch; an empty one fails.
///
/// ```arc
/// uppermost(frozenset({(1, 4), (3, 2)})) == 1
/// uppermost(frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Int")]
pub fn uppermost(patch: &Value) -> Outcome {
    match view::plain_extent(patch) {
        Some(extent) => Ok(Value::Int(extent.top)),
        None => extreme(rows_of(patch, 0)?, End::First),
    }
}

/// Last row of a patch; an empty one fails.
///
/// ```arc
/// lowermost(frozenset({(1, 4), (3, 2)})) == 3
/// lowermost(frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Int")]
pub fn lowermost(patch: &Value) -> Outcome {
    match view::plain_extent(patch) {
        Some(extent) => Ok(Value::Int(extent.bottom)),
        None => extreme(rows_of(patch, 0)?, End::Last),
    }
}

/// First column of a patch; an empty one fails.
///
/// ```arc
/// leftmost(frozenset({(1, 4), (3, 2)})) == 2
/// leftmost(frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Int")]
pub fn leftmost(patch: &Value) -> Outcome {
    match view::plain_extent(patch) {
        Some(extent) => Ok(Value::Int(extent.left)),
        None => extreme(columns_of(patch, 0)?, End::First),
    }
}

/// Last column of a patch; an empty one fails.
///
/// ```arc
/// rightmost(frozenset({(1, 4), (3, 2)})) == 4
/// rightmost(frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Int")]
pub fn rightmost(patch: &Value) -> Outcome {
    match view::plain_extent(patch) {
        Some(extent) => Ok(Value::Int(extent.right)),
        None => extreme(columns_of(patch, 0)?, End::Last),
    }
}

/// The middle of the box around a patch, the lower right one of several; an empty patch fails.
///
/// ```arc
/// center(frozenset({(0, 0), (2, 4)})) == (1, 2)
/// center(frozenset({(0, 0), (1, 1)})) == (1, 1)
/// center(frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch) -> Pair")]
pub fn center(patch: &Value) -> Result<(i64, i64), EvalError> {
    if let Value::Patch(patch) = patch {
        return Ok(middle(patch));
    }
    let first = |end: Value| end.as_int().ok_or(Fault::Element);
    let (top, left) = (first(uppermost(patch)?)?, first(leftmost(patch)?)?);
    let row = top.checked_add(height(patch)? / 2).ok_or(Fault::Overflow)?;
    let column = left.checked_add(width(patch)? / 2).ok_or(Fault::Overflow)?;
    Ok((row, column))
}

/// The sums of the rows and of the columns of all positions, divided by the number of cells and
/// rounded down; `()` if the patch is empty.
///
/// ```arc
/// centerofmass(frozenset({(0, 0), (0, 1), (2, 5)})) == (0, 2)
/// centerofmass(frozenset({(-1, 0), (0, 0)})) == (-1, 0)
/// centerofmass(frozenset()) == ()
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch) -> Pair", toll = all_but_patches)]
pub fn centerofmass(cx: &mut Caller, patch: &Value) -> Outcome {
    cx.pay(toll::framed, [patch])?;
    if let Value::Patch(patch) = patch {
        return Ok(balance(patch));
    }
    let columns = zipped(patch)?;
    let len = view::len(patch, 0)? as i128;
    let means: Result<Vec<Value>, EvalError> = columns
        .iter()
        .map(|column| {
            let mut sum = 0;
            for n in column {
                sum += i128::from(n.as_int().ok_or(Fault::Element)?);
            }
            Ok(Value::Int(i64::try_from(sum.div_euclid(len)).map_err(|_| Fault::Overflow)?))
        })
        .collect();
    Ok(Value::tuple(means?))
}

/// The direction from the centre of `a` to that of `b`, as one of the eight unit steps; `(0, -1)`
/// if the centres are the same. An empty patch fails.
///
/// ```arc
/// position(frozenset({(0, 0)}), frozenset({(5, 7)})) == (1, 1)
/// position(frozenset({(5, 3)}), frozenset({(1, 3)})) == (-1, 0)
/// position(frozenset({(5, 3)}), frozenset({(5, 3)})) == (0, -1)
/// position(frozenset({(5, 3)}), frozenset()) fails
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch, Patch) -> Pair")]
pub fn position(a: &Value, b: &Value) -> Result<(i64, i64), EvalError> {
    let place = |patch: &Value, index| match patch {
        Value::Patch(patch) => Ok(middle(patch)),
        _ => center(&view::toindices(patch, index)?),
    };
    let ((ia, ja), (ib, jb)) = (place(a, 0)?, place(b, 1)?);
    let toward = |from: i64, to: i64| if from < to { 1 } else { -1 };
    Ok(match (ia == ib, ja == jb) {
        (true, _) => (0, toward(ja, jb)),
        (false, true) => (toward(ia, ib), 0),
        (false, false) => (toward(ia, ib), toward(ja, jb)),
    })
}

/// The colour at a position of a grid; `None` outside of it, so also for negative positions.
///
/// ```arc
/// index(((1, 2), (3, 4)), (1, 0)) == 3
/// equality(index(((1, 2), (3, 4)), (2, 0)), index(((1, 2), (3, 4)), (0, -1))) == T
/// index((), (0, 0)) fails
/// ```
#[primitive(class = Position, cost = Scalar, sig = "(Grid, Pair) -> Color")]
pub fn index(grid: &Value, loc: &Value) -> Outcome {
    if let (Value::Grid(grid), &Value::Pair(i, j)) = (grid, loc) {
        let cell = grid.get(i.into(), j.into());
        return Ok(cell.map_or(Value::None, |c| Value::Int(c.into())));
    }
    let (i, j) = view::two(loc)?;
    if !grid.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let (height, width) = (view::len(grid, 0)? as i64, first_row(grid)?);
    let i = i.as_int().ok_or(Fault::Kind(1))?;
    // The column is looked at only when the row is inside.
    if !(0..height).contains(&i) {
        return Ok(Value::None);
    }
    let j = j.as_int().ok_or(Fault::Kind(1))?;
    if !(0..width).contains(&j) {
        return Ok(Value::None);
    }
    if !loc.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    let row = grid.item(i as usize).ok_or(Fault::Range)?;
    row.item(j as usize).ok_or(Fault::Range.into())
}

/// All positions of a grid; a ragged one is taken to be as wide as its first row.
///
/// ```arc
/// asindices(((7, 7), (7, 7))) == frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
/// asindices(()) == frozenset()
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Grid) -> Indices")]
pub fn asindices(cx: &mut Caller, grid: &Value) -> Outcome {
    let height = view::len(grid, 0)? as i64;
    if height == 0 {
        return Ok(Value::empty_set());
    }
    if !grid.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let width = first_row(grid)?;
    cx.charge(figure::area(height, width))?;
    Ok(figure::rectangle(0, 0, height, width))
}

/// The positions of a patch, colours left out.
///
/// What holds positions already is returned as it is, a tuple staying a tuple. The first element
/// decides between positions and cells.
///
/// ```arc
/// toindices(frozenset({(3, (0, 1)), (5, (0, 1)), (5, (2, 2))})) == frozenset({(0, 1), (2, 2)})
/// toindices(((0, 1), (0, 1))) == ((0, 1), (0, 1))
/// toindices(()) == frozenset()
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch) -> Indices", order, toll = all_but_patches)]
pub fn toindices(cx: &mut Caller, patch: &Value) -> Outcome {
    cx.charge(view::len(patch, 0)?)?;
    view::toindices(patch, 0)
}

/// The patch moved by so many rows and columns, always as a set. An empty patch is returned as it
/// is.
///
/// Coordinates must be integers: those that are tuples fail instead of being joined.
///
/// ```arc
/// shift(frozenset({(0, 0), (1, 2)}), (1, -1)) == frozenset({(1, -1), (2, 1)})
/// shift(frozenset({(3, (0, 0))}), (2, 2)) == frozenset({(3, (2, 2))})
/// shift((), (2, 2)) == ()
/// ```
#[primitive(class = Position, cost = Cells, sig = "(a: Patch, Pair) -> a", toll = all_but_patches)]
pub fn shift(cx: &mut Caller, patch: &Value, directions: &Value) -> Outcome {
    let len = view::len(patch, 0)?;
    if len == 0 {
        return Ok(patch.clone());
    }
    cx.charge(len)?;
    moved(patch, view::two_ints(directions)?)
}

/// The patch moved so that its first row and column are 0, always as a set. An empty patch is
/// returned as it is.
///
/// ```arc
/// normalize(frozenset({(3, 4), (5, 2)})) == frozenset({(0, 2), (2, 0)})
/// normalize(frozenset()) == frozenset()
/// ```
#[primitive(class = Position, cost = Cells, sig = "(a: Patch) -> a", toll = sorted)]
pub fn normalize(cx: &mut Caller, patch: &Value) -> Outcome {
    let len = view::len(patch, 0)?;
    if len == 0 {
        return Ok(patch.clone());
    }
    cx.charge(len)?;
    let back =
        |end: Value| end.as_int().ok_or(Fault::Element)?.checked_neg().ok_or(Fault::Overflow);
    moved(patch, (back(uppermost(patch)?)?, back(leftmost(patch)?)?))
}

/// Whether some row holds cells of both patches; never if one is empty.
///
/// ```arc
/// hmatching(frozenset({(0, 0), (2, 0)}), frozenset({(2, 9)})) == T
/// hmatching(frozenset({(0, 0), (2, 0)}), frozenset({(1, 0)})) == F
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch, Patch) -> Bool", toll = none)]
pub fn hmatching(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::overlap, [a, b])?;
    match masks(a, b, near::share_row) {
        Some(shared) => Ok(shared),
        None => Ok(have_common(rows_of(a, 0)?, rows_of(b, 1)?)),
    }
}

/// Whether some column holds cells of both patches; never if one is empty.
///
/// ```arc
/// vmatching(frozenset({(0, 0), (0, 2)}), frozenset({(9, 2)})) == T
/// vmatching(frozenset({(0, 0), (0, 2)}), frozenset({(0, 1)})) == F
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch, Patch) -> Bool", toll = none)]
pub fn vmatching(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::overlap, [a, b])?;
    share_column(a, b)
}

/// True when the two have a column in common.
fn share_column(a: &Value, b: &Value) -> Result<bool, EvalError> {
    match masks(a, b, near::share_column) {
        Some(shared) => Ok(shared),
        None => Ok(have_common(columns_of(a, 0)?, columns_of(b, 1)?)),
    }
}

/// The fewest horizontal and vertical steps from a cell of `a` to one of `b`, 0 if they overlap. An
/// empty patch fails.
///
/// ```arc
/// manhattan(frozenset({(0, 0), (4, 4)}), frozenset({(2, 5)})) == 3
/// manhattan(frozenset({(0, 0)}), frozenset({(0, 0), (9, 9)})) == 0
/// manhattan(frozenset({(0, 0)}), frozenset()) fails
/// ```
#[primitive(class = Position, cost = Pairs, sig = "(Patch, Patch) -> Int", toll = all_but_patches)]
pub fn manhattan(cx: &mut Caller, a: &Value, b: &Value) -> Result<i64, EvalError> {
    let spans =
        (view::extent(a, 0)?.ok_or(Fault::Empty)?, view::extent(b, 1)?.ok_or(Fault::Empty)?);
    let span = |low: i64, high: i64| high.abs_diff(low).saturating_add(1);
    let rows = span(spans.0.top.min(spans.1.top), spans.0.bottom.max(spans.1.bottom));
    let columns = span(spans.0.left.min(spans.1.left), spans.0.right.max(spans.1.right));
    let lens = (view::len(a, 0)?, view::len(b, 1)?);
    cx.charge(near::distance_cost(lens.0, lens.1, rows.saturating_mul(columns)))?;
    if let (Value::Patch(p), Value::Patch(q)) = (a, b)
        && let Some(steps) = near::apart(p, q)
    {
        return Ok(steps);
    }
    let (a, b) = (view::positions(a, 0)?, view::positions(b, 1)?);
    near::plain_distance(&a, &b).ok_or(Fault::Overflow.into())
}

/// What [`manhattan`] gives for every patch of one list with every one of another, as a set, and what
/// the calls charge; `None` where there is not so much left or the plain calls are to be made.
pub(crate) fn distances(a: &Value, b: &Value, left: u64) -> Option<(Value, usize)> {
    fn patches(value: &Value) -> Option<SmallVec<[&Patch; 32]>> {
        let (Value::Tuple(seq) | Value::Set(seq)) = value else { return None };
        if seq.len() == 0 || seq.product().is_some() {
            return None;
        }
        let patch = |item: &'_ Value| matches!(item, Value::Patch(_));
        seq.items().iter().all(patch).then(|| {
            let items = seq.items().iter();
            items
                .filter_map(|item| if let Value::Patch(p) = item { Some(p) } else { None })
                .collect()
        })
    }
    let (x, y) = (patches(a)?, patches(b)?);
    let same = x.len() == y.len() && x.iter().zip(&y).all(|(p, q)| p.same_block(q));
    let (found, work) = near::all_apart(&x, &y, same, left)?;
    let numbers: Vec<Value> = found.into_iter().map(Value::Int).collect();
    Some((Value::Set(Seq::new(numbers)), work))
}

/// Whether two patches lie side by side without overlapping: their nearest cells share an edge. An
/// empty patch fails.
///
/// ```arc
/// adjacent(frozenset({(0, 0)}), frozenset({(0, 1), (5, 5)})) == T
/// adjacent(frozenset({(0, 0)}), frozenset({(1, 1)})) == F
/// adjacent(frozenset({(0, 0)}), frozenset({(0, 0), (0, 1)})) == F
/// adjacent(frozenset(), frozenset({(0, 0)})) fails
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch, Patch) -> Bool", toll = sorted)]
pub fn adjacent(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    cx.charge(view::len(a, 0)?.saturating_add(view::len(b, 1)?))?;
    if let Some(touching) = masks(a, b, near::touch) {
        return Ok(touching);
    }
    let (a, b) = (view::positions(a, 0)?, sorted_positions(b, 1)?);
    if a.is_empty() || b.is_empty() {
        return Err(Fault::Empty.into());
    }
    Ok(near::plain_touch(&a, (0, 0), &b))
}

/// Whether a patch reaches the first or last row or column of a grid; an empty patch fails.
///
/// ```arc
/// bordering(frozenset({(0, 1)}), ((1, 2, 3), (4, 5, 6), (7, 8, 9))) == T
/// bordering(frozenset({(1, 1)}), ((1, 2, 3), (4, 5, 6), (7, 8, 9))) == F
/// ```
#[primitive(class = Position, cost = Frame, sig = "(Patch, Grid) -> Bool", toll = none)]
pub fn bordering(cx: &mut Caller, patch: &Value, grid: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::all_but_patches, [patch])?;
    if let (Value::Patch(patch), Value::Grid(grid)) = (patch, grid) {
        let frame = patch.frame();
        return Ok(frame.top == 0
            || frame.left == 0
            || i64::from(frame.bottom()) == grid.height() as i64 - 1
            || i64::from(frame.right()) == grid.width() as i64 - 1);
    }
    let zero = Value::Int(0);
    // The tests stop at the first that holds, so that an odd grid may go unnoticed.
    Ok(uppermost(patch)? == zero
        || leftmost(patch)? == zero
        || lowermost(patch)? == Value::Int(view::len(grid, 1)? as i64 - 1)
        || rightmost(patch)? == Value::Int(grid_width(grid)? - 1))
}

/// How far `source` moves, straight towards `destination`, until the two are adjacent.
///
/// It moves vertically if the patches share a column, otherwise horizontally, and gives up after 42
/// steps. An empty patch fails.
///
/// ```arc
/// gravitate(frozenset({(0, 0)}), frozenset({(4, 0)})) == (3, 0)
/// gravitate(frozenset({(0, 9)}), frozenset({(0, 0), (0, 1)})) == (0, -7)
/// gravitate(frozenset({(0, 0)}), frozenset({(5, 5)})) == (0, 42)
/// gravitate(frozenset({(0, 0)}), frozenset()) fails
/// ```
#[primitive(class = Position, cost = Cells, sig = "(Patch, Patch) -> Pair", toll = sorted)]
pub fn gravitate(
    cx: &mut Caller,
    source: &Value,
    destination: &Value,
) -> Result<(i64, i64), EvalError> {
    let (from, to) = (center(source)?, center(destination)?);
    let steps = view::len(source, 0)?.saturating_mul(MAX_STEPS as usize);
    cx.charge(steps.saturating_add(view::len(destination, 1)?))?;
    cx.pay(toll::seeking, [source, destination])?;
    let (i, j) = if share_column(source, destination)? {
        (if from.0 < to.0 { 1 } else { -1 }, 0)
    } else {
        (0, if from.1 < to.1 { 1 } else { -1 })
    };
    let stop = |touching: &dyn Fn(i64) -> bool| (0..MAX_STEPS).find(|&n| touching(n));
    let steps = match masks(source, destination, |a, b| {
        stop(&|n| near::touch(&Mask { top: a.top + i * n, left: a.left + j * n, ..*a }, b))
    }) {
        Some(steps) => steps,
        None => {
            let (a, b) = (view::positions(source, 0)?, sorted_positions(destination, 1)?);
            stop(&|n| near::plain_touch(&a, (i * n, j * n), &b))
        }
    };
    let steps = steps.unwrap_or(MAX_STEPS);
    Ok((i * steps, j * steps))
}

/// Which end of a row or column is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// The least or greatest of some values in Python's order, the first of equal ones.
fn extreme(values: Vec<Value>, end: End) -> Outcome {
    let mut values = values.into_iter();
    let mut best = values.next().ok_or(Fault::Empty)?;
    for value in values {
        let better = match end {
            End::First => less(&value, &best)?,
            End::Last => less(&best, &value)?,
        };
        if better {
            best = value;
        }
    }
    Ok(best)
}

/// A corner of the box around a patch.
fn corner(patch: &Value, row: End, column: End) -> Outcome {
    if let Some(extent) = view::plain_extent(patch) {
        let i = if row == End::First { extent.top } else { extent.bottom };
        let j = if column == End::First { extent.left } else { extent.right };
        return Ok(Value::pair(i, j));
    }
    let columns = zipped(patch)?;
    // Like arc-dsl, the two corners with equal ends take positions of any length, the others pairs.
    if row != column && columns.len() > 2 {
        return Err(Fault::Parts.into());
    }
    let ends = columns.into_iter().enumerate();
    let parts: Result<Vec<Value>, EvalError> =
        ends.map(|(n, values)| extreme(values, if n == 0 { row } else { column })).collect();
    Ok(Value::tuple(parts?))
}

/// The positions turned into columns: first parts, second parts and so on, up to the shortest one.
fn zipped(patch: &Value) -> Result<Vec<Vec<Value>>, EvalError> {
    let indices = view::toindices(patch, 0)?;
    let mut columns: Option<Vec<Vec<Value>>> = None;
    for at in view::items(&indices, 0)? {
        let parts: SmallVec<[Value; 4]> = at.iter().ok_or(Fault::Element)?.collect();
        match &mut columns {
            None => columns = Some(parts.into_iter().map(|part| vec![part]).collect()),
            Some(columns) => {
                columns.truncate(parts.len());
                columns.iter_mut().zip(parts).for_each(|(column, part)| column.push(part));
            }
        }
    }
    Ok(columns.unwrap_or_default())
}

/// The rows of all positions.
fn rows_of(patch: &Value, index: u8) -> Result<Vec<Value>, EvalError> {
    let indices = view::toindices(patch, index)?;
    view::items(&indices, index)?.map(|at| Ok(view::two(&at)?.0)).collect()
}

/// The columns of all positions.
fn columns_of(patch: &Value, index: u8) -> Result<Vec<Value>, EvalError> {
    let indices = view::toindices(patch, index)?;
    view::items(&indices, index)?.map(|at| Ok(view::two(&at)?.1)).collect()
}

/// True when some value is in both lists.
fn have_common(a: Vec<Value>, mut b: Vec<Value>) -> bool {
    b.sort_unstable();
    a.iter().any(|value| b.binary_search(value).is_ok())
}

/// The positions of a patch, ascending.
fn sorted_positions(patch: &Value, index: u8) -> Result<Vec<(i64, i64)>, EvalError> {
    let mut places = view::positions(patch, index)?;
    places.sort_unstable();
    Ok(places)
}

/// Looks at the bit rows of two patches, if both are in fast form.
#[inline]
fn masks<R>(a: &Value, b: &Value, look: impl FnOnce(&Mask<'_>, &Mask<'_>) -> R) -> Option<R> {
    let listed;
    let (a, b) = match (a, b) {
        (Value::Patch(a), Value::Patch(b)) => (a, b),
        // A tuple of positions has the rows and columns, and the distances, of the set of them.
        (Value::Patch(a), Value::Grid(_)) => {
            listed = view::listed(b)?;
            (a, &listed)
        }
        _ => return None,
    };
    let (mut scratch_a, mut scratch_b) = (Words::new(), Words::new());
    Some(look(&Mask::new(a, &mut scratch_a), &Mask::new(b, &mut scratch_b)))
}

/// The middle of the box around a patch.
#[inline]
fn middle(patch: &Patch) -> (i64, i64) {
    let frame = patch.frame();
    let (i, j) = (i64::from(frame.top), i64::from(frame.left));
    (i + i64::from(frame.height / 2), j + i64::from(frame.width / 2))
}

/// The means of the rows and columns of a patch.
fn balance(patch: &Patch) -> Value {
    let mut scratch = Words::new();
    let mask = Mask::new(patch, &mut scratch);
    let (mut positions, mut rows, mut columns) = (0, 0, 0);
    for (i, row) in (0..).zip(mask.words.chunks_exact(mask.stride())) {
        for (start, &bits) in (0..).step_by(64).zip(row) {
            let n = i64::from(bits.count_ones());
            positions += n;
            rows += i * n;
            columns += start * n + places_sum(bits);
        }
    }
    let len = patch.len() as i64;
    Value::pair(
        (rows + mask.top * positions).div_euclid(len),
        (columns + mask.left * positions).div_euclid(len),
    )
}

/// The sum of the places of the bits that are set.
fn places_sum(bits: u64) -> i64 {
    // Bit `k` of a place counts 2^k, and every mask selects the places that have it.
    const PLACES: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    (0..).zip(PLACES).map(|(k, mask)| i64::from((bits & mask).count_ones()) << k).sum()
}

/// The patch, not an empty one, moved by so many rows and columns.
fn moved(patch: &Value, (di, dj): (i64, i64)) -> Outcome {
    let listed;
    let fast = match patch {
        Value::Patch(p) => {
            if (di, dj) == (0, 0) {
                return Ok(patch.clone());
            }
            Some(p)
        }
        // What is moved is a set, so that the elements of a tuple may be made one first.
        _ => {
            listed = view::listed(patch);
            listed.as_ref()
        }
    };
    if let Some(p) = fast {
        let near = |from: i32, by: i64| {
            i64::from(from).checked_add(by).filter(|n| (-MAX_COORD..MAX_COORD).contains(n))
        };
        let corner = near(p.frame().top, di).zip(near(p.frame().left, dj));
        if let Some(patch) = corner.and_then(|(top, left)| p.at(top, left)) {
            return Ok(Value::Patch(patch));
        }
    }
    let place = |at: &Value| -> Outcome {
        let (i, j) = view::two_ints(at)?;
        let to = i.checked_add(di).zip(j.checked_add(dj));
        Ok(to.map(|(i, j)| Value::pair(i, j)).ok_or(Fault::Overflow)?)
    };
    let coloured = view::holds_cells(patch, 0)?;
    let items: Result<Vec<Value>, EvalError> = view::items(patch, 0)?
        .map(|item| {
            if !coloured {
                return place(&item);
            }
            let (value, at) = view::two(&item)?;
            Ok(Value::tuple2(value, place(&at)?))
        })
        .collect();
    Ok(Value::set(items?))
}

/// The length of the first row of a grid in any form.
fn grid_width(grid: &Value) -> Result<i64, EvalError> {
    if grid.is_tuple() { first_row(grid) } else { Err(Fault::Kind(1).into()) }
}
