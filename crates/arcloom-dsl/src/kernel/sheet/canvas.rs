//! Onto a canvas of a given size at the origin: embed, wrap, stretch, tile, mirror.

use crate::kernel::sheet::{Made, Sheet};

/// What of the sheet lies on the canvas, where it lies.
pub fn embed(s: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    lay(s, out, true);
    Some(())
}

/// Lays `s` on `out` where it falls; see-through cells count only when `opaque`.
#[inline]
pub(crate) fn lay(s: &Sheet, out: &mut Sheet, opaque: bool) {
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

/// The sheet's cells as a line that goes on in the next column or row when the canvas ends.
pub fn wrap(s: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    for i in 0..s.height {
        for j in 0..s.width {
            let (mut i2, mut j2) = (i, j);
            j2 += i2 / size.0 * s.width;
            i2 %= size.0;
            i2 += j2 / size.1 * s.height;
            j2 %= size.1;
            if i2 < size.0 {
                out.cells[i2 * size.1 + j2] = s.at(i, j);
            }
        }
    }
    Some(())
}

/// Stretched or shrunk to the canvas; each cell takes the colour that covers most of it.
pub fn stretch(s: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (h, w) = s.size();
    if size.0.is_multiple_of(h) && size.1.is_multiple_of(w) {
        let (fh, fw) = (size.0 / h, size.1 / w);
        for i in 0..size.0 {
            for j in 0..size.1 {
                out.cells[i * size.1 + j] = s.at(i / fh, j / fw);
            }
        }
        return Some(());
    }
    let mut totals = [0u64; 10];
    s.cells.iter().for_each(|&c| totals[usize::from(c)] += 1);
    for i in 0..size.0 {
        for j in 0..size.1 {
            // In units of 1/(height of canvas) rows and 1/(width of canvas) columns.
            let mut cover = [0u64; 10];
            for y in i * h / size.0..((i + 1) * h).div_ceil(size.0) {
                let tall = ((y + 1) * size.0).min((i + 1) * h) - (y * size.0).max(i * h);
                for x in j * w / size.1..((j + 1) * w).div_ceil(size.1) {
                    let wide = ((x + 1) * size.1).min((j + 1) * w) - (x * size.1).max(j * w);
                    cover[usize::from(s.at(y, x))] += (tall * wide) as u64;
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

/// Repeated over the canvas from where it lies, `gap` cells apart.
pub fn tile(s: &Sheet, size: (usize, usize), gap: usize, out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (rows, columns) = (s.height + gap, s.width + gap);
    let from = |start: i32, period: usize| (-start).rem_euclid(period as i32) as usize;
    let (i0, j0) = (from(s.top, rows), from(s.left, columns));
    for i in 0..size.0 {
        let si = (i0 + i) % rows;
        if si >= s.height {
            continue;
        }
        for j in 0..size.1 {
            let sj = (j0 + j) % columns;
            if sj < s.width {
                out.cells[i * size.1 + j] = s.at(si, sj);
            }
        }
    }
    Some(())
}

/// Repeated over the canvas, every second copy mirrored, `gap` cells apart.
pub fn mirror(s: &Sheet, size: (usize, usize), gap: usize, out: &mut Sheet) -> Made {
    out.fill((0, 0), size, 0)?;
    let (rows, columns) = (s.height + gap, s.width + gap);
    let from = |start: i32, period: usize| (-start).rem_euclid(2 * period as i32) as usize;
    let (i0, j0) = (from(s.top, rows), from(s.left, columns));
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
        let Some(si) = fold(i0 + i, rows, s.height) else { continue };
        for j in 0..size.1 {
            if let Some(sj) = fold(j0 + j, columns, s.width) {
                out.cells[i * size.1 + j] = s.at(si, sj);
            }
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
        tile(&s, (3, 5), 0, &mut out).expect("made");
        assert_eq!(out, sheet(&["12121", "3.3.3", "12121"]));
        tile(&s, (3, 5), 1, &mut out).expect("made");
        assert_eq!(out, sheet(&["12.12", "3..3.", "....."]));
        mirror(&s, (4, 4), 0, &mut out).expect("made");
        assert_eq!(out, sheet(&["1221", "3..3", "3..3", "1221"]));
        stretch(&s, (4, 4), &mut out).expect("made");
        assert_eq!(out, sheet(&["1122", "1122", "33..", "33.."]));
        stretch(&sheet(&["112", "112", "334"]), (2, 2), &mut out).expect("made");
        assert_eq!(out, sheet(&["12", "34"]));
        wrap(&sheet(&["123456"]), (2, 3), &mut out).expect("made");
        assert_eq!(out, sheet(&["123", "456"]));
    }
}
