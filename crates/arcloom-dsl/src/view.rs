//! Reading arguments in whatever form they come: containers, rows of a grid, cells of a patch.
//!
//! These are the general paths. A primitive that is hot matches the fast forms first and comes here
//! only for what they do not cover: ragged rows, tuples used as patches, pairs of positions.

use arcloom_value::value::Items;
use arcloom_value::{Frame, Grid, Patch, Value};

use crate::call::{EvalError, Fault};

/// The elements of a container.
#[inline]
pub fn items(value: &Value, index: u8) -> Result<Items<'_>, EvalError> {
    value.iter().ok_or(Fault::Kind(index).into())
}

/// The number of elements of a container.
#[inline]
pub fn len(value: &Value, index: u8) -> Result<usize, EvalError> {
    value.len().ok_or(Fault::Kind(index).into())
}

/// The first element of a container, in its order.
pub fn first(value: &Value, index: u8) -> Result<Value, EvalError> {
    items(value, index)?.next().ok_or(Fault::Empty.into())
}

/// The two parts of a tuple of exactly two elements.
pub fn two(value: &Value) -> Result<(Value, Value), EvalError> {
    let mut parts = value.iter().ok_or(Fault::Element)?;
    match (parts.next(), parts.next(), parts.next()) {
        (Some(a), Some(b), None) => Ok((a, b)),
        _ => Err(Fault::Parts.into()),
    }
}

/// Two integers, unpacked as Python unpacks a tuple.
#[inline]
pub fn two_ints(value: &Value) -> Result<(i64, i64), EvalError> {
    match value {
        &Value::Pair(a, b) => Ok((a.into(), b.into())),
        _ => {
            let (a, b) = two(value)?;
            Ok((a.as_int().ok_or(Fault::Element)?, b.as_int().ok_or(Fault::Element)?))
        }
    }
}

/// The first two integers of a tuple of two or more, as `t[0]` and `t[1]` reach them.
#[inline]
pub fn leading_ints(value: &Value, index: u8) -> Result<(i64, i64), EvalError> {
    match value {
        &Value::Pair(a, b) => Ok((a.into(), b.into())),
        // Rows are no integers.
        Value::Grid(_) => Err(Fault::Element.into()),
        _ if value.is_tuple() => {
            let part = |n| value.item(n).ok_or(Fault::Range)?.as_int().ok_or(Fault::Element);
            Ok((part(0)?, part(1)?))
        }
        _ => Err(Fault::Kind(index).into()),
    }
}

/// The rows of a tuple of rows, ragged or not. A row may be any container.
pub fn rows(grid: &Value, index: u8) -> Result<Vec<Vec<Value>>, EvalError> {
    if !grid.is_tuple() {
        return Err(Fault::Kind(index).into());
    }
    items(grid, index)?.map(|row| Ok(row.iter().ok_or(Fault::Element)?.collect())).collect()
}

/// The grid with these rows, in canonical form.
pub fn from_rows(rows: Vec<Vec<Value>>) -> Value {
    let rows: Vec<Value> = rows.into_iter().map(Value::tuple).collect();
    Value::tuple(rows)
}

/// True when the patch holds cells: its first element's second part is a tuple.
pub fn holds_cells(patch: &Value, index: u8) -> Result<bool, EvalError> {
    match patch {
        Value::Patch(patch) => Ok(patch.is_object()),
        _ => match items(patch, index)?.next() {
            None => Ok(false),
            Some(element) => match &element {
                Value::Pair(..) => Ok(false),
                Value::Cell(..) => Ok(true),
                _ if element.is_tuple() => Ok(element.item(1).ok_or(Fault::Range)?.is_tuple()),
                _ => Err(Fault::Element.into()),
            },
        },
    }
}

/// The positions of a patch as a container: `toindices`.
pub fn toindices(patch: &Value, index: u8) -> Result<Value, EvalError> {
    match patch {
        Value::Patch(p) if p.is_object() => Ok(Value::Patch(p.places())),
        Value::Patch(_) => Ok(patch.clone()),
        _ if len(patch, index)? == 0 => Ok(Value::empty_set()),
        _ if holds_cells(patch, index)? => {
            if let Value::Tuple(seq) | Value::Set(seq) = patch
                && let Some(places) =
                    seq.items().iter().map(place_of_cell).collect::<Option<Vec<_>>>()
            {
                return Ok(Value::indices(&places));
            }
            let places: Result<Vec<Value>, EvalError> =
                items(patch, index)?.map(|cell| Ok(two(&cell)?.1)).collect();
            Ok(Value::set(places?))
        }
        _ => Ok(patch.clone()),
    }
}

/// The position of a cell in fast form.
#[inline]
fn place_of_cell(cell: &Value) -> Option<(i64, i64)> {
    if let &Value::Cell(_, i, j) = cell { Some((i.into(), j.into())) } else { None }
}

/// The positions that the rows of a grid of two columns are.
#[inline]
pub fn listed_places(
    grid: &Grid,
) -> Option<impl ExactSizeIterator<Item = (i64, i64)> + Clone + '_> {
    (grid.width() == 2).then(|| grid.rows().map(|row| (row[0].into(), row[1].into())))
}

/// The set of the elements of a tuple of positions or of cells, if it has a fast form.
pub fn listed(tuple: &Value) -> Option<Patch> {
    let set = match tuple {
        Value::Grid(grid) => Value::indices(&listed_places(grid)?.collect::<Vec<_>>()),
        Value::Tuple(seq) => match seq.items().first()? {
            Value::Pair(..) => {
                let places = seq.items().iter().map(|item| match *item {
                    Value::Pair(i, j) => Some((i.into(), j.into())),
                    _ => None,
                });
                Value::indices(&places.collect::<Option<Vec<_>>>()?)
            }
            Value::Cell(..) => {
                let cells = seq.items().iter().map(|item| match *item {
                    Value::Cell(c, i, j) => Some((c.into(), i.into(), j.into())),
                    _ => None,
                });
                Value::object(&cells.collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        },
        _ => return None,
    };
    if let Value::Patch(patch) = set { Some(patch) } else { None }
}

/// The distinct positions of a patch (of a tuple of positions: all of them), in order.
pub fn positions(patch: &Value, index: u8) -> Result<Vec<(i64, i64)>, EvalError> {
    if let Value::Grid(grid) = patch
        && let Some(places) = listed_places(grid)
    {
        return Ok(places.collect());
    }
    match patch {
        Value::Patch(p) => Ok(p.positions().map(|(i, j)| (i.into(), j.into())).collect()),
        _ => items(&toindices(patch, index)?, index)?.map(|at| two_ints(&at)).collect(),
    }
}

/// The cells of an object in order: any value as colour, then row and column.
pub fn cells(object: &Value, index: u8) -> Result<Vec<(Value, i64, i64)>, EvalError> {
    items(object, index)?
        .map(|cell| {
            let (color, at) = two(&cell)?;
            let (i, j) = two_ints(&at)?;
            Ok((color, i, j))
        })
        .collect()
}

/// First and last occupied row and column of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// First row.
    pub top: i64,
    /// First column.
    pub left: i64,
    /// Last row.
    pub bottom: i64,
    /// Last column.
    pub right: i64,
}

impl From<&Frame> for Extent {
    #[inline]
    fn from(frame: &Frame) -> Extent {
        Extent {
            top: frame.top.into(),
            left: frame.left.into(),
            bottom: frame.bottom().into(),
            right: frame.right().into(),
        }
    }
}

/// The extent of a patch or of a list of positions or cells in fast form, without making anything.
#[inline]
pub fn plain_extent(patch: &Value) -> Option<Extent> {
    if let Value::Patch(p) = patch { Some(p.frame().into()) } else { listed_extent(patch) }
}

fn listed_extent(patch: &Value) -> Option<Extent> {
    let around = |mut places: &mut dyn Iterator<Item = Option<(i64, i64)>>| -> Option<Extent> {
        let (i, j) = places.next()??;
        let mut e = Extent { top: i, left: j, bottom: i, right: j };
        for place in &mut places {
            let (i, j) = place?;
            (e.top, e.bottom) = (e.top.min(i), e.bottom.max(i));
            (e.left, e.right) = (e.left.min(j), e.right.max(j));
        }
        Some(e)
    };
    match patch {
        Value::Grid(grid) => around(&mut listed_places(grid)?.map(Some)),
        Value::Tuple(seq) | Value::Set(seq) => match seq.items().first()? {
            Value::Pair(..) => around(&mut seq.items().iter().map(|item| match *item {
                Value::Pair(i, j) => Some((i.into(), j.into())),
                _ => None,
            })),
            Value::Cell(..) => around(&mut seq.items().iter().map(place_of_cell)),
            _ => None,
        },
        _ => None,
    }
}

/// The extent of a patch; an empty one has none.
#[inline]
pub fn extent(patch: &Value, index: u8) -> Result<Option<Extent>, EvalError> {
    match plain_extent(patch) {
        Some(extent) => Ok(Some(extent)),
        None => {
            let places = positions(patch, index)?;
            let rows = places.iter().map(|p| p.0);
            let columns = places.iter().map(|p| p.1);
            Ok(match (rows.clone().min(), columns.clone().min(), rows.max(), columns.max()) {
                (Some(top), Some(left), Some(bottom), Some(right)) => {
                    Some(Extent { top, left, bottom, right })
                }
                _ => None,
            })
        }
    }
}
