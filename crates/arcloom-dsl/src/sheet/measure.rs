//! What can be counted on a sheet: the measures by which lists are sifted, and bars that show a count.

use arcloom_macros::{primitive, step};
use arcloom_value::Value;

use super::crop::sheet_trim;
use super::shape::sheet_holes;
use super::value;
use super::way::Axes;
use crate::call::{Caller, Fault, Outcome};
use crate::kernel::sheet::{MAX_SIDE, Made, Sheet};
use crate::step::step_constant;

step_constant! {
    /// By what the sheets of a list are compared.
    pub enum Measure: &'static str {
        Area = "sheet_area",
        Frame = "sheet_frame_area",
        Colors = "sheet_numcolors",
        Pieces = "sheet_numpieces",
        /// Cells of the trimmed frame in which nothing is.
        Gaps = "sheet_numgaps",
        Holes = "sheet_numholes",
        Top = "sheet_top",
        Left = "sheet_left",
        /// Symmetric in none, one or both of the axes.
        Symmetry = "sheet_symmetry",
        Height = "sheet_height",
        Width = "sheet_width",
    }
}

impl Measure {
    /// The measure of one sheet.
    pub fn of(self, s: &Sheet) -> i32 {
        match self {
            Measure::Area => area(s) as i32,
            Measure::Frame => (s.height * s.width) as i32,
            Measure::Colors => (colors(s) & !1).count_ones() as i32,
            Measure::Pieces => pieces(s) as i32,
            Measure::Gaps => {
                let mut trimmed = Sheet::default();
                match sheet_trim(s, &mut trimmed) {
                    Some(()) => (trimmed.cells.len() - area(&trimmed)) as i32,
                    None => 0,
                }
            }
            Measure::Holes => {
                let mut holes = Sheet::default();
                sheet_holes(s, &mut holes).map_or(0, |()| area(&holes) as i32)
            }
            Measure::Top => s.top,
            Measure::Left => s.left,
            Measure::Symmetry => {
                let rows = (0..s.height).all(|i| s.row(i) == s.row(s.height - 1 - i));
                let columns = (0..s.height).all(|i| s.row(i).iter().eq(s.row(i).iter().rev()));
                i32::from(rows) + i32::from(columns)
            }
            Measure::Height => s.height as i32,
            Measure::Width => s.width as i32,
        }
    }
}

/// The number of cells that are there.
///
/// ```arc
/// sheet_area((((1, 0), (2, 2)), (0, 0))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_area(sheet: &Sheet) -> i64 {
    Measure::Area.of(sheet).into()
}

/// The number of cells, transparent ones included.
///
/// ```arc
/// sheet_frame_area((((1, 0), (2, 2)), (0, 0))) == 4
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_frame_area(sheet: &Sheet) -> i64 {
    Measure::Frame.of(sheet).into()
}

/// The number of colours, 0 not counted.
///
/// ```arc
/// sheet_numcolors((((1, 0), (2, 2)), (0, 0))) == 2
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numcolors(sheet: &Sheet) -> i64 {
    Measure::Colors.of(sheet).into()
}

/// The number of connected pieces, diagonals included, whatever their colours.
///
/// ```arc
/// sheet_numpieces((((1, 0, 3), (0, 0, 0), (0, 4, 0)), (0, 0))) == 3
/// sheet_numpieces((((1, 0), (0, 2)), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numpieces(sheet: &Sheet) -> i64 {
    Measure::Pieces.of(sheet).into()
}

/// The number of transparent cells within the smallest frame around what is there.
///
/// ```arc
/// sheet_numgaps((((1, 0, 1, 0),), (0, 0))) == 1
/// sheet_numgaps((((0, 0),), (0, 0))) == 0
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numgaps(sheet: &Sheet) -> i64 {
    Measure::Gaps.of(sheet).into()
}

/// The number of cells that are enclosed.
///
/// ```arc
/// sheet_numholes((((0, 1, 0), (1, 0, 1), (0, 1, 0)), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_numholes(sheet: &Sheet) -> i64 {
    Measure::Holes.of(sheet).into()
}

/// The row in which a sheet begins.
///
/// ```arc
/// sheet_top((((1, 0),), (3, 4))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_top(sheet: &Sheet) -> i64 {
    Measure::Top.of(sheet).into()
}

/// The column in which a sheet begins.
///
/// ```arc
/// sheet_left((((1, 0),), (3, 4))) == 4
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_left(sheet: &Sheet) -> i64 {
    Measure::Left.of(sheet).into()
}

/// In how many of the two axes, upright and level, a sheet is symmetric.
///
/// ```arc
/// sheet_symmetry((((1, 2, 1),), (0, 0))) == 2
/// sheet_symmetry((((1, 2, 3),), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_symmetry(sheet: &Sheet) -> i64 {
    Measure::Symmetry.of(sheet).into()
}

/// The number of rows of a sheet.
///
/// ```arc
/// sheet_height((((1, 2, 3),), (0, 0))) == 1
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_height(sheet: &Sheet) -> i64 {
    Measure::Height.of(sheet).into()
}

/// The number of columns of a sheet.
///
/// ```arc
/// sheet_width((((1, 2, 3),), (0, 0))) == 3
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Int", extra)]
pub fn sheet_width(sheet: &Sheet) -> i64 {
    Measure::Width.of(sheet).into()
}

/// A measure of the sheet drawn at the origin in the most frequent colour: a row of that many cells for
/// RIGHT, a column for DOWN, a square for UNITY. Fails when the measure is 0.
///
/// ```arc
/// sheet_bar((((3, 0), (3, 4)), (5, 5)), sheet_area, RIGHT) == (((3, 3, 3),), (0, 0))
/// sheet_bar((((3, 0), (3, 4)), (5, 5)), sheet_numcolors, UNITY) == (((3, 3), (3, 3)), (0, 0))
/// sheet_bar((((0, 0),), (0, 0)), sheet_area, RIGHT) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Fn(Sheet) -> Int, Pair) -> Sheet", extra)]
pub fn sheet_bar(cx: &mut Caller, sheet: &Sheet, measure: &Value, direction: Axes) -> Outcome {
    let length = cx.call1(measure, &value(sheet))?.as_int().ok_or(Fault::Element)?;
    let length = match usize::try_from(length) {
        Ok(n @ 1..=MAX_SIDE) => n,
        _ => return Err(Fault::Empty.into()),
    };
    let mut out = Sheet::default();
    drawn(sheet, length, direction, &mut out).ok_or(Fault::Empty)?;
    Ok(value(&out))
}

/// A number drawn at the origin in the most frequent colour of a sheet.
fn drawn(sheet: &Sheet, length: usize, direction: Axes, out: &mut Sheet) -> Made {
    let size = match direction {
        Axes::Right => (1, length),
        Axes::Down => (length, 1),
        Axes::Both => (length, length),
    };
    out.fill((0, 0), size, majority(sheet))
}

/// A measure of the sheet drawn.
#[step(place = 310, calls = [sheet_bar], constants = [
    [Measure::Area, Measure::Colors, Measure::Pieces],
    [Axes::Both, Axes::Right, Axes::Down],
])]
pub fn bar(sheet: &Sheet, measure: Measure, direction: Axes, out: &mut Sheet) -> Made {
    drawn(sheet, measure.of(sheet) as usize, direction, out)
}

/// The colours that occur, one bit each, 0 included.
#[inline]
pub fn colors(s: &Sheet) -> u32 {
    s.cells.iter().fold(0, |mask, &c| mask | 1 << c)
}

/// The most frequent colour other than 0, the smallest of several; 0 when there is none.
pub fn majority(s: &Sheet) -> u8 {
    let mut counts = [0u32; 16];
    s.cells.iter().for_each(|&c| counts[usize::from(c & 15)] += 1);
    let best = (1..10u8).rev().max_by_key(|&c| counts[usize::from(c)]);
    best.filter(|&c| counts[usize::from(c)] > 0).unwrap_or(0)
}

/// Number of cells that are there.
#[inline]
pub fn area(s: &Sheet) -> usize {
    s.cells.iter().filter(|&&c| c != 0).count()
}

/// Number of connected pieces, diagonals included, whatever their colours.
pub fn pieces(s: &Sheet) -> usize {
    let mut left = s.cells.clone();
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..left.len() {
        if left[start] == 0 {
            continue;
        }
        count += 1;
        left[start] = 0;
        stack.push(start);
        while let Some(at) = stack.pop() {
            around(s, at, |next| {
                if left[next] != 0 {
                    left[next] = 0;
                    stack.push(next);
                }
            });
        }
    }
    count
}

/// Calls `f` with each of the up to eight neighbours of a cell.
#[inline]
pub(crate) fn around(s: &Sheet, at: usize, mut f: impl FnMut(usize)) {
    let (i, j) = (at / s.width, at % s.width);
    let columns = j.saturating_sub(1)..(j + 2).min(s.width);
    for row in i.saturating_sub(1)..(i + 2).min(s.height) {
        for column in columns.clone() {
            if (row, column) != (i, j) {
                f(row * s.width + column);
            }
        }
    }
}

/// Calls `f` with each of the up to four neighbours of a cell.
#[inline]
pub(crate) fn beside(s: &Sheet, at: usize, mut f: impl FnMut(usize)) {
    let (i, j) = (at / s.width, at % s.width);
    if i > 0 {
        f(at - s.width);
    }
    if i + 1 < s.height {
        f(at + s.width);
    }
    if j > 0 {
        f(at - 1);
    }
    if j + 1 < s.width {
        f(at + 1);
    }
}
