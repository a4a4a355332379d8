//! Sheets: grids that know where they lie and in which 0 is transparent.
//!
//! A sheet is the pair `(grid, (row, column))`, a list of sheets a tuple of them. Cells are colours 0
//! to 9; no side is longer than 100 and no sheet has more than 4096 cells. What has no result fails;
//! [`list::map_sheets`] leaves such sheets out.
//!
//! Each file of the folder is a family: kernels, which are primitives by `#[primitive]` and steps of a search by
//! `#[step]`, with their Python definitions in the file of the same name beside it. `build.rs` finds them.

use crate::kernel::sheet::{MAX_SIDE, Made, Sheet};
use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{EvalError, Fault, FromValue, IntoValue, Outcome};
use crate::record::Primitive;
use crate::view;

include!(concat!(env!("OUT_DIR"), "/families.rs"));

/// The family's beginning and end: between grids and sheets.
pub(crate) static ALL: &[&Primitive] = &[&AS_SHEET, &SHEET_GRID];

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
pub fn sheet_grid(sheet: &Sheet) -> Value {
    grid(sheet)
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

impl IntoValue for Sheet {
    fn into_value(self) -> Value {
        value(&self)
    }
}

impl IntoValue for Vec<Sheet> {
    fn into_value(self) -> Value {
        list_value(&self)
    }
}

/// A colour.
impl FromValue for u8 {
    fn from_value(value: &Value, index: u8) -> Result<u8, EvalError> {
        color_of(i64::from_value(value, index)?, index)
    }
}

/// A length: no sheet is longer.
impl FromValue for usize {
    fn from_value(value: &Value, index: u8) -> Result<usize, EvalError> {
        let length = usize::try_from(i64::from_value(value, index)?).ok();
        length.filter(|n| *n <= MAX_SIDE).ok_or(Fault::Domain(index).into())
    }
}

/// The size of a canvas.
impl FromValue for (usize, usize) {
    fn from_value(value: &Value, index: u8) -> Result<(usize, usize), EvalError> {
        let (height, width) = value.as_pair().ok_or(Fault::Kind(index))?;
        let side = |n: i64| match usize::try_from(n) {
            Ok(n @ 1..=MAX_SIDE) => Ok(n),
            _ => Err(EvalError::from(Fault::Domain(index))),
        };
        Ok((side(height)?, side(width)?))
    }
}
