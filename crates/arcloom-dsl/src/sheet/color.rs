//! Colours of a sheet: keep, erase, invert, recolour.

use arcloom_macros::{primitive, step};

use super::measure::{colors, majority};
use crate::kernel::sheet::{Made, Sheet};

/// The cells of one colour; the others become transparent.
///
/// ```arc
/// sheet_keep((((1, 2), (0, 2)), (0, 0)), 2) == (((0, 2), (0, 2)), (0, 0))
/// sheet_keep((((1, 2),), (0, 0)), 10) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
#[step(place = 20)]
pub fn sheet_keep(sheet: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(sheet, out, |c| if c == color { c } else { 0 })
}

/// The sheet without the cells of one colour, which become transparent.
///
/// ```arc
/// sheet_erase((((1, 2), (0, 2)), (0, 0)), 2) == (((1, 0), (0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
#[step(place = 30)]
pub fn sheet_erase(sheet: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(sheet, out, |c| if c == color { 0 } else { c })
}

/// The sheet with everything that is there in one colour.
///
/// ```arc
/// sheet_dye((((1, 2), (0, 2)), (0, 0)), 5) == (((5, 5), (0, 5)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
#[step(at_end)]
pub fn sheet_dye(sheet: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(sheet, out, |c| if c == 0 { 0 } else { color })
}

/// What is there becomes transparent, the rest gets the smallest colour that does not occur.
///
/// ```arc
/// sheet_invert((((1, 0), (0, 3)), (0, 0))) == (((0, 2), (2, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 10)]
pub fn sheet_invert(sheet: &Sheet, out: &mut Sheet) -> Made {
    let seen = colors(sheet) | 1;
    let fresh = (1..10).find(|c| seen >> c & 1 == 0).unwrap_or(1);
    map(sheet, out, |c| if c == 0 { fresh } else { 0 })
}

/// The cells of the most frequent colour, the smallest of several.
///
/// ```arc
/// sheet_keep_most((((1, 2), (0, 2)), (0, 0))) == (((0, 2), (0, 2)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 40)]
pub fn sheet_keep_most(sheet: &Sheet, out: &mut Sheet) -> Made {
    sheet_keep(sheet, majority(sheet), out)
}

/// The cells of the least frequent colour, the smallest of several. Fails on a blank sheet.
///
/// ```arc
/// sheet_keep_least((((1, 2), (0, 2)), (0, 0))) == (((1, 0), (0, 0)), (0, 0))
/// sheet_keep_least((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 50)]
pub fn sheet_keep_least(sheet: &Sheet, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 256];
    sheet.cells.iter().for_each(|&c| counts[usize::from(c)] += 1);
    let color = (1..10u8).filter(|&c| counts[usize::from(c)] > 0);
    let color = color.min_by_key(|&c| counts[usize::from(c)])?;
    sheet_keep(sheet, color, out)
}

/// All but the cells of the most frequent colour.
///
/// ```arc
/// sheet_erase_most((((1, 2), (0, 2)), (0, 0))) == (((1, 0), (0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 60)]
pub fn sheet_erase_most(sheet: &Sheet, out: &mut Sheet) -> Made {
    sheet_erase(sheet, majority(sheet), out)
}

/// The most frequent colour and 0 change places. Fails when 0 is as frequent.
///
/// ```arc
/// sheet_swap_ground((((2, 2), (0, 1)), (0, 0))) == (((0, 0), (2, 1)), (0, 0))
/// sheet_swap_ground((((0, 0), (0, 1)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 70)]
pub fn sheet_swap_ground(sheet: &Sheet, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 10];
    sheet.cells.iter().for_each(|&c| counts[usize::from(c.min(9))] += 1);
    let ground = (0..10u8).rev().max_by_key(|&c| counts[usize::from(c)])?;
    if ground == 0 {
        return None;
    }
    map(sheet, out, |c| {
        if c == ground {
            0
        } else if c == 0 {
            ground
        } else {
            c
        }
    })
}

#[inline]
fn map(s: &Sheet, out: &mut Sheet, f: impl Fn(u8) -> u8) -> Made {
    out.place_like(s);
    out.cells.clear();
    out.cells.extend(s.cells.iter().map(|&c| f(c)));
    Some(())
}
