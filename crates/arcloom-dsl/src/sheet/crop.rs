//! Frames of a sheet: trimming, squeezing, halves; and sheets that only tell a place or a size.

use arcloom_macros::{primitive, step};

use super::canvas;
use super::measure::majority;
use super::way::SheetSide;
use crate::kernel::sheet::{Made, Sheet};

/// The sheet cut down to the smallest frame around what is there. Fails on a blank sheet.
///
/// ```arc
/// sheet_trim((((0, 0, 0), (0, 1, 2)), (5, 5))) == (((1, 2),), (6, 6))
/// sheet_trim((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 80)]
pub fn sheet_trim(sheet: &Sheet, out: &mut Sheet) -> Made {
    let seen = |row: &[u8]| row.iter().any(|&c| c != 0);
    let first = (0..sheet.height).find(|&i| seen(sheet.row(i)))?;
    let last = (0..sheet.height).rev().find(|&i| seen(sheet.row(i)))?;
    let (mut west, mut east) = (sheet.width, 0);
    for i in first..=last {
        let row = sheet.row(i);
        if let Some(j) = row.iter().position(|&c| c != 0) {
            west = west.min(j);
        }
        if let Some(j) = row.iter().rposition(|&c| c != 0) {
            east = east.max(j);
        }
    }
    part(sheet, (first, west), (last - first + 1, east - west + 1), out)
}

/// The sheet without the rows and columns in which nothing is, at the origin. Fails on a blank sheet.
///
/// ```arc
/// sheet_squeeze((((1, 0, 2), (0, 0, 0), (3, 0, 0)), (5, 5))) == (((1, 2), (3, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 90)]
pub fn sheet_squeeze(sheet: &Sheet, out: &mut Sheet) -> Made {
    let rows = (0..sheet.height).filter(|&i| sheet.row(i).iter().any(|&c| c != 0));
    let columns = (0..sheet.width).filter(|&j| (0..sheet.height).any(|i| sheet.at(i, j) != 0));
    pick(sheet, rows.collect(), columns.collect(), out)
}

/// Of equal neighbouring rows and columns the first only, at the origin.
///
/// ```arc
/// sheet_merge_runs((((1, 1, 2), (1, 1, 2)), (5, 5))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 100)]
pub fn sheet_merge_runs(sheet: &Sheet, out: &mut Sheet) -> Made {
    let rows = (0..sheet.height).filter(|&i| i == 0 || sheet.row(i) != sheet.row(i - 1));
    let same = |j: usize| (0..sheet.height).all(|i| sheet.at(i, j) == sheet.at(i, j - 1));
    let columns = (0..sheet.width).filter(|&j| j == 0 || !same(j));
    pick(sheet, rows.collect(), columns.collect(), out)
}

/// The half that lies in a direction (UP, DOWN, LEFT or RIGHT), without a middle line. Fails when the
/// sheet is one line only.
///
/// ```arc
/// sheet_half((((1, 2, 3),), (0, 0)), RIGHT) == (((3,),), (0, 2))
/// sheet_half((((1,), (2,)), (0, 0)), UP) == (((1,),), (0, 0))
/// sheet_half((((1, 2, 3),), (0, 0)), UP) fails
/// sheet_half((((1, 2, 3),), (0, 0)), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
#[step(place = 280, constants = [[SheetSide::Left, SheetSide::Right, SheetSide::Up, SheetSide::Down]])]
pub fn sheet_half(sheet: &Sheet, direction: SheetSide, out: &mut Sheet) -> Made {
    let (h, w) = (sheet.height / 2, sheet.width / 2);
    match direction {
        SheetSide::Right => part(sheet, (0, sheet.width - w), (sheet.height, w), out),
        SheetSide::Left => part(sheet, (0, 0), (sheet.height, w), out),
        SheetSide::Down => part(sheet, (sheet.height - h, 0), (h, sheet.width), out),
        SheetSide::Up => part(sheet, (0, 0), (h, sheet.width), out),
    }
}

/// The sheet without its outer rows and columns. Fails when nothing is left.
///
/// ```arc
/// sheet_inner((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (4, 4))) == (((2,),), (5, 5))
/// sheet_inner((((1, 1), (1, 2)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 250)]
pub fn sheet_inner(sheet: &Sheet, out: &mut Sheet) -> Made {
    part(sheet, (1, 1), (sheet.height.saturating_sub(2), sheet.width.saturating_sub(2)), out)
}

/// What a picture shows where the sheet lies, transparent beyond its border.
///
/// ```arc
/// sheet_under((((5, 5),), (1, 1)), (((1, 2), (3, 4)), (0, 0))) == (((4, 0),), (1, 1))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
#[step(place = 540)]
pub fn sheet_under(sheet: &Sheet, picture: &Sheet, out: &mut Sheet) -> Made {
    out.blank_like(sheet);
    canvas::lay_on(picture, out, true);
    Some(())
}

/// The sheet moved to the origin.
///
/// ```arc
/// sheet_home((((1, 2),), (3, 4))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 110)]
pub fn sheet_home(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.copy_from(sheet);
    (out.top, out.left) = (0, 0);
    Some(())
}

/// One cell of the most frequent colour at the sheet's place.
///
/// ```arc
/// sheet_spot((((1, 2), (0, 2)), (3, 4))) == (((2,),), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 120)]
pub fn sheet_spot(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill(sheet.place(), (1, 1), majority(sheet))
}

/// One cell of the most frequent colour at the origin.
#[step(place = 130, calls = [sheet_spot, sheet_home])]
pub fn spot_at_home(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill((0, 0), (1, 1), majority(sheet))
}

/// A blank sheet of the same size and place.
///
/// ```arc
/// sheet_blank((((1, 2),), (3, 4))) == (((0, 0),), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 160)]
pub fn sheet_blank(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill(sheet.place(), sheet.size(), 0)
}

/// A blank sheet of the same size at the origin.
#[step(place = 150, calls = [sheet_blank, sheet_home])]
pub fn blank_at_home(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill((0, 0), sheet.size(), 0)
}

/// A sheet of the same size and place, all in the most frequent colour.
///
/// ```arc
/// sheet_solid((((1, 2), (0, 2)), (3, 4))) == (((2, 2), (2, 2)), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 180)]
pub fn sheet_solid(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill(sheet.place(), sheet.size(), majority(sheet))
}

/// A sheet of the same size at the origin, all in the most frequent colour.
#[step(place = 170, calls = [sheet_solid, sheet_home])]
pub fn solid_at_home(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.fill((0, 0), sheet.size(), majority(sheet))
}

/// The middle of the sheet in colour 1: one cell, or two along sides of even length.
///
/// ```arc
/// sheet_middle((((1, 2, 3),), (3, 4))) == (((1,),), (3, 5))
/// sheet_middle((((1, 2, 3, 4),), (0, 0))) == (((1, 1),), (0, 1))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 140)]
pub fn sheet_middle(sheet: &Sheet, out: &mut Sheet) -> Made {
    let size = (2 - sheet.height % 2, 2 - sheet.width % 2);
    let place = (
        sheet.top + ((sheet.height - size.0) / 2) as i32,
        sheet.left + ((sheet.width - size.1) / 2) as i32,
    );
    out.fill(place, size, 1)
}

/// The part of `size` whose top left cell is at `corner`, where it lies.
pub(crate) fn part(
    s: &Sheet,
    corner: (usize, usize),
    size: (usize, usize),
    out: &mut Sheet,
) -> Made {
    if size.0 == 0 || size.1 == 0 {
        return None;
    }
    (out.top, out.left) = (s.top + corner.0 as i32, s.left + corner.1 as i32);
    (out.height, out.width) = size;
    out.cells.clear();
    for i in corner.0..corner.0 + size.0 {
        out.cells.extend_from_slice(&s.row(i)[corner.1..corner.1 + size.1]);
    }
    Some(())
}

fn pick(s: &Sheet, rows: Vec<usize>, columns: Vec<usize>, out: &mut Sheet) -> Made {
    if rows.is_empty() || columns.is_empty() {
        return None;
    }
    (out.top, out.left) = (0, 0);
    (out.height, out.width) = (rows.len(), columns.len());
    out.cells.clear();
    for &i in &rows {
        let row = s.row(i);
        out.cells.extend(columns.iter().map(|&j| row[j]));
    }
    Some(())
}
