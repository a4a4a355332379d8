//! Sheets: grids that know where they lie and in which 0 is see-through.
//!
//! A sheet is the pair `(grid, (row, column))`, a list of sheets a tuple of them. Cells are colours 0
//! to 9; no side is longer than 100 and no sheet has more than 4096 cells. The algorithms are those of
//! `arcloom-dsl`, one file here for each there. What has no result fails; [`list::map_sheets`] leaves
//! such sheets out.

use crate::kernel::sheet::{Made, Sheet};
use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::record::Primitive;
use crate::view;

pub mod around;
pub mod ask;
pub mod canvas;
pub mod color;
pub mod crop;
pub mod decide;
pub mod list;
pub mod lookup;
pub mod measure;
pub mod mend;
pub mod met;
pub mod overgrow;
pub mod product;
pub mod ray;
pub mod recolor;
pub mod roles;
pub mod rule;
pub mod shape;
pub mod split;
pub mod stamp;
pub mod words;

/// The family's beginning and end: between grids and sheets.
pub(crate) static ALL: &[&Primitive] = &[&AS_SHEET, &SHEET_GRID, &SHEET_TURN, &SHEET_BALANCE];

/// How far from the origin a sheet may lie.
const MAX_PLACE: i64 = 1 << 20;

/// The grid as a sheet at the origin. Fails unless all cells are colours 0 to 9.
///
/// ```arc
/// as_sheet(((1, 0), (0, 2))) == (((1, 0), (0, 2)), (0, 0))
/// as_sheet(((1, 10),)) fails
/// as_sheet(()) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid) -> Sheet", extra)]
pub fn as_sheet(grid: &Value) -> Outcome {
    picture(grid, 0).map(|s| value(&s))
}

/// The grid of a sheet, wherever it lies.
///
/// ```arc
/// sheet_grid((((1, 0),), (3, 4))) == ((1, 0),)
/// sheet_grid(((1, 0),)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Grid", extra)]
pub fn sheet_grid(sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    Ok(grid(&s))
}

/// The sheet with its grid put through a function, such as a rotation; the top left corner stays.
///
/// ```arc
/// sheet_turn((((1, 2),), (3, 4)), rot90) == (((1,), (2,)), (3, 4))
/// sheet_turn((((1, 2),), (3, 4)), vmirror) == (((2, 1),), (3, 4))
/// sheet_turn((((1, 2),), (3, 4)), shape) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Fn(Grid) -> Grid) -> Sheet", extra)]
pub fn sheet_turn(cx: &mut Caller, sheet: &Value, function: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    let mut turned = picture(&cx.call1(function, &grid(&s))?, 1)?;
    (turned.top, turned.left) = (s.top, s.left);
    Ok(value(&turned))
}

/// The sheet mirrored to its other side: left to right when its cells lean more to the left or right
/// than up or down, else upside down.
///
/// ```arc
/// sheet_balance((((1, 0, 0), (1, 0, 0)), (0, 0))) == (((0, 0, 1), (0, 0, 1)), (0, 0))
/// sheet_balance((((1, 1), (0, 0)), (0, 0))) == (((0, 0), (1, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_balance(sheet: &Value) -> Outcome {
    map(sheet, |s, out| {
        crate::kernel::sheet::turn::turn(s, crate::kernel::sheet::turn::Turn::Balance, out)
    })
}

/// Argument `index` as a sheet.
pub(crate) fn read(sheet: &Value, index: u8) -> Result<Sheet, EvalError> {
    if !sheet.is_tuple() {
        return Err(Fault::Kind(index).into());
    }
    let (grid, place) = view::two(sheet)?;
    let (top, left) = place.as_pair().ok_or(Fault::Kind(index))?;
    let mut s = picture(&grid, index)?;
    let near = |n: i64| if n.abs() <= MAX_PLACE { Ok(n as i32) } else { Err(Fault::Domain(index)) };
    (s.top, s.left) = (near(top)?, near(left)?);
    Ok(s)
}

/// A grid as a sheet at the origin.
pub(crate) fn picture(grid: &Value, index: u8) -> Result<Sheet, EvalError> {
    let color = |n: i64| match u8::try_from(n) {
        Ok(c @ 0..=9) => Ok(c),
        _ => Err(EvalError::from(Fault::Domain(index))),
    };
    let (height, width, cells) = if let Value::Grid(g) = grid {
        let cells: Result<Vec<u8>, EvalError> =
            g.cells().iter().map(|&c| color(c.into())).collect();
        (g.height(), g.width(), cells?)
    } else {
        let rows = view::rows(grid, index)?;
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width) {
            return Err(Fault::Kind(index).into());
        }
        let cell = |v: &Value| color(v.as_int().ok_or(Fault::Element)?);
        let cells: Result<Vec<u8>, EvalError> = rows.iter().flatten().map(cell).collect();
        (rows.len(), width, cells?)
    };
    Sheet::new(height, width, cells).ok_or(Fault::Domain(index).into())
}

/// Argument `index` as a list of sheets.
pub(crate) fn read_list(sheets: &Value, index: u8) -> Result<Vec<Sheet>, EvalError> {
    if !sheets.is_tuple() {
        return Err(Fault::Kind(index).into());
    }
    view::items(sheets, index)?.map(|s| read(&s, index)).collect()
}

/// The cells of a sheet as a grid.
pub fn grid(s: &Sheet) -> Value {
    let cells: Vec<i8> = s.cells().iter().map(|&c| c as i8).collect();
    Value::grid(s.height(), s.width(), &cells)
}

/// The sheet as the DSL sees it.
pub fn value(s: &Sheet) -> Value {
    Value::tuple2(grid(s), Value::pair(s.top.into(), s.left.into()))
}

/// The list of sheets as the DSL sees it.
pub fn list_value(list: &[Sheet]) -> Value {
    Value::tuple(list.iter().map(value).collect::<Vec<_>>())
}

/// What a transformation makes of a sheet.
fn map(sheet: &Value, f: impl FnOnce(&Sheet, &mut Sheet) -> Made) -> Outcome {
    let s = read(sheet, 0)?;
    made(|out| f(&s, out))
}

/// What a transformation writes, if it does.
fn made(f: impl FnOnce(&mut Sheet) -> Made) -> Outcome {
    let mut out = Sheet::default();
    f(&mut out).ok_or(Fault::Empty)?;
    Ok(value(&out))
}

/// Argument `index` as a colour.
fn color_of(color: i64, index: u8) -> Result<u8, EvalError> {
    match u8::try_from(color) {
        Ok(c @ 0..=9) => Ok(c),
        _ => Err(Fault::Domain(index).into()),
    }
}

/// Whether a direction goes along columns and whether along rows. Fails when it does neither.
fn axes(direction: (i64, i64), index: u8) -> Result<(bool, bool), EvalError> {
    match (direction.0 != 0, direction.1 != 0) {
        (false, false) => Err(Fault::Domain(index).into()),
        axes => Ok(axes),
    }
}

/// The number of a direction among right, left, down, up.
fn side(direction: (i64, i64), index: u8) -> Result<u8, EvalError> {
    match direction {
        (0, 1) => Ok(0),
        (0, -1) => Ok(1),
        (1, 0) => Ok(2),
        (-1, 0) => Ok(3),
        _ => Err(Fault::Domain(index).into()),
    }
}
