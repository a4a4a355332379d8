//! Sheets onto a canvas of a given size at the origin, and onto each other.

use arcloom_macros::{primitive, step};

use crate::kernel::sheet::{Made, Sheet};

/// What of the sheet lies on a canvas of this size at the origin, where it lies.
///
/// ```arc
/// sheet_embed((((1, 2), (3, 4)), (1, -1)), (2, 2)) == (((0, 0), (2, 0)), (0, 0))
/// sheet_embed((((1,),), (0, 0)), (0, 2)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 620, alone)]
pub fn sheet_embed(sheet: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    lay_on(sheet, out, true);
    Some(())
}

/// The sheet's cells as a line that goes on in the next column or row where the canvas ends.
///
/// ```arc
/// sheet_wrap((((1, 2, 3, 4),), (0, 0)), (2, 2)) == (((1, 2), (3, 4)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 620, alone)]
pub fn sheet_wrap(sheet: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    for i in 0..sheet.height {
        for j in 0..sheet.width {
            let (mut i2, mut j2) = (i, j);
            j2 += i2 / size.0 * sheet.width;
            i2 %= size.0;
            i2 += j2 / size.1 * sheet.height;
            j2 %= size.1;
            if i2 < size.0 {
                out.cells[i2 * size.1 + j2] = sheet.at(i, j);
            }
        }
    }
    Some(())
}

/// The sheet stretched or shrunk to this size; each cell takes the colour that covers most of it.
///
/// ```arc
/// sheet_stretch((((1, 2),), (0, 0)), (2, 4)) == (((1, 1, 2, 2), (1, 1, 2, 2)), (0, 0))
/// sheet_stretch((((1, 1, 2),), (0, 0)), (1, 2)) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 620, alone)]
pub fn sheet_stretch(sheet: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (h, w) = sheet.size();
    if size.0.is_multiple_of(h) && size.1.is_multiple_of(w) {
        let (fh, fw) = (size.0 / h, size.1 / w);
        for i in 0..size.0 {
            for j in 0..size.1 {
                out.cells[i * size.1 + j] = sheet.at(i / fh, j / fw);
            }
        }
        return Some(());
    }
    let mut totals = [0u64; 10];
    sheet.cells.iter().for_each(|&c| totals[usize::from(c)] += 1);
    for i in 0..size.0 {
        for j in 0..size.1 {
            // In units of 1/(height of canvas) rows and 1/(width of canvas) columns.
            let mut cover = [0u64; 10];
            for y in i * h / size.0..((i + 1) * h).div_ceil(size.0) {
                let tall = ((y + 1) * size.0).min((i + 1) * h) - (y * size.0).max(i * h);
                for x in j * w / size.1..((j + 1) * w).div_ceil(size.1) {
                    let wide = ((x + 1) * size.1).min((j + 1) * w) - (x * size.1).max(j * w);
                    cover[usize::from(sheet.at(y, x))] += (tall * wide) as u64;
                }
            }
            let best = (0..10u8).rev().max_by_key(|&c| {
                (
                    cover[usize::from(c)],
                    totals[usize::from(c)] * u64::from(cover[usize::from(c)] > 0),
                )
            });
            out.cells[i * size.1 + j] = best.unwrap_or(0);
        }
    }
    Some(())
}

/// The sheet repeated over a canvas of this size from where it lies, `gap` cells apart.
///
/// ```arc
/// sheet_tile((((1, 2),), (0, 0)), (2, 3), 0) == (((1, 2, 1), (1, 2, 1)), (0, 0))
/// sheet_tile((((1,),), (0, 0)), (1, 3), 1) == (((1, 0, 1),), (0, 0))
/// sheet_tile((((1,),), (0, 0)), (1, 3), -1) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair, Int) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 620, alone, constants = [_, [0, 1]])]
pub fn sheet_tile(sheet: &Sheet, size: (usize, usize), gap: usize, out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (rows, columns) = (sheet.height + gap, sheet.width + gap);
    let from = |start: i32, period: usize| (-start).rem_euclid(period as i32) as usize;
    let (i0, j0) = (from(sheet.top, rows), from(sheet.left, columns));
    for i in 0..size.0 {
        let si = (i0 + i) % rows;
        if si >= sheet.height {
            continue;
        }
        for j in 0..size.1 {
            let sj = (j0 + j) % columns;
            if sj < sheet.width {
                out.cells[i * size.1 + j] = sheet.at(si, sj);
            }
        }
    }
    Some(())
}

/// The sheet repeated over a canvas of this size, every second copy mirrored, `gap` cells apart.
///
/// ```arc
/// sheet_mirror((((1, 2),), (0, 0)), (1, 5), 0) == (((1, 2, 2, 1, 1),), (0, 0))
/// sheet_mirror((((1, 2),), (0, 0)), (1, 5), 1) == (((1, 2, 0, 2, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair, Int) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 620, alone, constants = [_, [0, 1]])]
pub fn sheet_mirror(sheet: &Sheet, size: (usize, usize), gap: usize, out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (rows, columns) = (sheet.height + gap, sheet.width + gap);
    let from = |start: i32, period: usize| (-start).rem_euclid(2 * period as i32) as usize;
    let (i0, j0) = (from(sheet.top, rows), from(sheet.left, columns));
    let fold = |k: usize, period: usize, side: usize| {
        let k = k % (2 * period);
        if k < side {
            Some(k)
        } else if k >= period && k < period + side {
            Some(period + side - 1 - k)
        } else {
            None
        }
    };
    for i in 0..size.0 {
        let Some(si) = fold(i0 + i, rows, sheet.height) else { continue };
        for j in 0..size.1 {
            if let Some(sj) = fold(j0 + j, columns, sheet.width) {
                out.cells[i * size.1 + j] = sheet.at(si, sj);
            }
        }
    }
    Some(())
}

/// Lays `s` on `out` where it falls; transparent cells count only when `opaque`.
#[inline]
pub(crate) fn lay_on(s: &Sheet, out: &mut Sheet, opaque: bool) {
    let (di, dj) = (s.top - out.top, s.left - out.left);
    let west = (-dj).max(0);
    let east = (out.width as i32 - dj).min(s.width as i32);
    if west >= east {
        return;
    }
    let north = (-di).max(0);
    let south = (out.height as i32 - di).min(s.height as i32);
    for i in north..south {
        let from = &s.row(i as usize)[west as usize..east as usize];
        let start = (i + di) as usize * out.width + (west + dj) as usize;
        let to = &mut out.cells[start..start + from.len()];
        if opaque {
            to.copy_from_slice(from);
        } else {
            to.iter_mut().zip(from).filter(|(_, c)| **c != 0).for_each(|(t, c)| *t = *c);
        }
    }
}

/// One sheet laid over another, each where it lies; the result has the frame of the lower one.
///
/// ```arc
/// sheet_lay((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((1, 2, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_lay(under: &Sheet, over: &Sheet, out: &mut Sheet) -> Made {
    out.copy_from(under);
    lay_on(over, out, false);
    Some(())
}

/// The cells of a sheet on which the mask shows something; the others become transparent.
///
/// ```arc
/// sheet_mask((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((0, 1, 0),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_mask(sheet: &Sheet, mask: &Sheet, out: &mut Sheet) -> Made {
    masked(sheet, mask, true, out)
}

/// The cells of a sheet on which the mask shows nothing; the others become transparent.
///
/// ```arc
/// sheet_mask_out((((1, 1, 1),), (0, 0)), (((2, 0, 3),), (0, 1))) == (((1, 0, 1),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet) -> Sheet", extra)]
pub fn sheet_mask_out(sheet: &Sheet, mask: &Sheet, out: &mut Sheet) -> Made {
    masked(sheet, mask, false, out)
}

fn masked(s: &Sheet, mask: &Sheet, within: bool, out: &mut Sheet) -> Made {
    out.copy_from(s);
    let (di, dj) = (s.top - mask.top, s.left - mask.left);
    for (at, cell) in out.cells.iter_mut().enumerate() {
        let (i, j) = ((at / s.width) as i32, (at % s.width) as i32);
        if (mask.get(i + di, j + dj) != 0) != within {
            *cell = 0;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn canvases() {
        let s = sheet(&["12", "3."]);
        let mut out = Sheet::default();
        sheet_tile(&s, (3, 5), 0, &mut out).expect("made");
        assert_eq!(out, sheet(&["12121", "3.3.3", "12121"]));
        sheet_tile(&s, (3, 5), 1, &mut out).expect("made");
        assert_eq!(out, sheet(&["12.12", "3..3.", "....."]));
        sheet_mirror(&s, (4, 4), 0, &mut out).expect("made");
        assert_eq!(out, sheet(&["1221", "3..3", "3..3", "1221"]));
        sheet_stretch(&s, (4, 4), &mut out).expect("made");
        assert_eq!(out, sheet(&["1122", "1122", "33..", "33.."]));
        sheet_stretch(&sheet(&["112", "112", "334"]), (2, 2), &mut out).expect("made");
        assert_eq!(out, sheet(&["12", "34"]));
        sheet_wrap(&sheet(&["123456"]), (2, 3), &mut out).expect("made");
        assert_eq!(out, sheet(&["123", "456"]));
    }
    #[test]
    fn what_is_not_covered_stays_or_goes() {
        let under = sheet(&["111", "111"]);
        let mut over = sheet(&["2.", "22"]);
        (over.top, over.left) = (1, 1);
        let mut out = Sheet::default();
        sheet_lay(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "121"]));
        sheet_mask(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["...", ".1."]));
        sheet_mask_out(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "1.1"]));
    }
}
