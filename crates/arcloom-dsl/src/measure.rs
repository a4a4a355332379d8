//! Sizes of grids and patches, and what can be said about them at a glance.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{EvalError, Fault, Outcome};
use crate::position::{leftmost, lowermost, rightmost, uppermost};
use crate::record::Primitive;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&HEIGHT, &WIDTH, &SHAPE, &PORTRAIT, &SQUARE, &VLINE, &HLINE];

/// Rows of a grid, or rows a patch reaches over; 0 if it is empty.
///
/// A tuple is measured as a grid even when it is a list of positions.
///
/// ```arc
/// height(((1, 2, 3), (4, 5, 6))) == 2
/// height(frozenset({(0, 5), (3, 5)})) == 4
/// height(frozenset()) == 0
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Piece) -> Int")]
pub fn height(piece: &Value) -> Result<i64, EvalError> {
    match piece {
        Value::Grid(grid) => Ok(grid.height() as i64),
        Value::Patch(patch) => Ok(patch.frame().height.into()),
        _ => match view::len(piece, 0)? {
            n if n == 0 || piece.is_tuple() => Ok(n as i64),
            _ => reach(&uppermost(piece)?, &lowermost(piece)?),
        },
    }
}

/// Columns of a grid, or columns a patch reaches over; 0 if it is empty.
///
/// A tuple is measured by its first row.
///
/// ```arc
/// width(((1, 2, 3), (4, 5, 6))) == 3
/// width(frozenset({(0, 5), (3, 5)})) == 1
/// width(()) == 0
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Piece) -> Int")]
pub fn width(piece: &Value) -> Result<i64, EvalError> {
    match piece {
        Value::Grid(grid) => Ok(grid.width() as i64),
        Value::Patch(patch) => Ok(patch.frame().width.into()),
        _ => match view::len(piece, 0)? {
            0 => Ok(0),
            _ if piece.is_tuple() => first_row(piece),
            _ => reach(&leftmost(piece)?, &rightmost(piece)?),
        },
    }
}

/// Height and width of a grid or patch; `(0, 0)` if it is empty.
///
/// ```arc
/// shape(((1, 2, 3), (4, 5, 6))) == (2, 3)
/// shape(frozenset({(0, 5), (3, 5)})) == (4, 1)
/// shape(()) == (0, 0)
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Piece) -> Pair")]
pub fn shape(piece: &Value) -> Outcome {
    Ok(Value::pair(height(piece)?, width(piece)?))
}

/// Whether a grid or patch is higher than it is wide.
///
/// ```arc
/// portrait(((1,), (2,))) == T
/// portrait(((1, 2), (3, 4))) == F
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Piece) -> Bool")]
pub fn portrait(piece: &Value) -> Result<bool, EvalError> {
    Ok(height(piece)? > width(piece)?)
}

/// Whether a grid is as high as wide, or a patch fills such a box entirely.
///
/// The empty set counts as one, the empty tuple fails.
///
/// ```arc
/// square(((1, 2), (3, 4))) == T
/// square(frozenset({(0, 0), (1, 1)})) == F
/// square(frozenset()) == T
/// square(()) fails
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Piece) -> Bool")]
pub fn square(piece: &Value) -> Result<bool, EvalError> {
    let len = view::len(piece, 0)? as i64;
    if piece.is_tuple() {
        return Ok(len == first_row(piece)?);
    }
    let (height, width) = (height(piece)?, width(piece)?);
    Ok(height == width && height.checked_mul(width) == Some(len))
}

/// Whether a patch is a vertical line without gaps; a single cell is one.
///
/// ```arc
/// vline(frozenset({(1, 4), (2, 4), (3, 4)})) == T
/// vline(frozenset({(1, 4), (3, 4)})) == F
/// vline(frozenset()) == F
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Patch) -> Bool")]
pub fn vline(patch: &Value) -> Result<bool, EvalError> {
    Ok(height(patch)? == view::len(patch, 0)? as i64 && width(patch)? == 1)
}

/// Whether a patch is a horizontal line without gaps; a single cell is one.
///
/// ```arc
/// hline(frozenset({(1, 4), (1, 5)})) == T
/// hline(frozenset({(1, 4), (2, 4)})) == F
/// hline(frozenset()) == F
/// ```
#[primitive(class = Measure, cost = Frame, sig = "(Patch) -> Bool")]
pub fn hline(patch: &Value) -> Result<bool, EvalError> {
    Ok(width(patch)? == view::len(patch, 0)? as i64 && height(patch)? == 1)
}

/// The length of the first row of a tuple of rows.
pub(crate) fn first_row(grid: &Value) -> Result<i64, EvalError> {
    if let Value::Grid(grid) = grid {
        return Ok(grid.width() as i64);
    }
    let row = grid.item(0).ok_or(Fault::Range)?;
    Ok(row.len().ok_or(Fault::Element)? as i64)
}

/// Steps from the first to the last, both counted.
fn reach(first: &Value, last: &Value) -> Result<i64, EvalError> {
    let (first, last) = first.as_int().zip(last.as_int()).ok_or(Fault::Element)?;
    Ok(last.checked_sub(first).and_then(|n| n.checked_add(1)).ok_or(Fault::Overflow)?)
}
