//! Frames: trimming, squeezing, halves; and sheets that only tell a place or a size.

use crate::kernel::sheet::measure::majority;
use crate::kernel::sheet::{Made, Sheet, canvas};

/// Cut down to the smallest frame around what is there.
pub fn trim(s: &Sheet, out: &mut Sheet) -> Made {
    let seen = |row: &[u8]| row.iter().any(|&c| c != 0);
    let first = (0..s.height).find(|&i| seen(s.row(i)))?;
    let last = (0..s.height).rev().find(|&i| seen(s.row(i)))?;
    let (mut west, mut east) = (s.width, 0);
    for i in first..=last {
        let row = s.row(i);
        if let Some(j) = row.iter().position(|&c| c != 0) {
            west = west.min(j);
        }
        if let Some(j) = row.iter().rposition(|&c| c != 0) {
            east = east.max(j);
        }
    }
    part(s, (first, west), (last - first + 1, east - west + 1), out)
}

/// Without the rows and columns in which nothing is; at the origin.
pub fn squeeze(s: &Sheet, out: &mut Sheet) -> Made {
    let rows = (0..s.height).filter(|&i| s.row(i).iter().any(|&c| c != 0));
    let columns = (0..s.width).filter(|&j| (0..s.height).any(|i| s.at(i, j) != 0));
    pick(s, rows.collect(), columns.collect(), out)
}

/// Of equal neighbouring rows and columns the first only; at the origin.
pub fn merge_runs(s: &Sheet, out: &mut Sheet) -> Made {
    let rows = (0..s.height).filter(|&i| i == 0 || s.row(i) != s.row(i - 1));
    let same = |j: usize| (0..s.height).all(|i| s.at(i, j) == s.at(i, j - 1));
    let columns = (0..s.width).filter(|&j| j == 0 || !same(j));
    pick(s, rows.collect(), columns.collect(), out)
}

/// The left, right, upper or lower half, without a middle line.
pub fn half(s: &Sheet, side: u8, out: &mut Sheet) -> Made {
    let (h, w) = (s.height / 2, s.width / 2);
    match side {
        0 => part(s, (0, 0), (s.height, w), out),
        1 => part(s, (0, s.width - w), (s.height, w), out),
        2 => part(s, (0, 0), (h, s.width), out),
        3 => part(s, (s.height - h, 0), (h, s.width), out),
        _ => None,
    }
}

/// Without its outer rows and columns.
pub fn inner(s: &Sheet, out: &mut Sheet) -> Made {
    part(s, (1, 1), (s.height.saturating_sub(2), s.width.saturating_sub(2)), out)
}

/// What a picture shows where the sheet lies, see-through beyond its rim.
pub fn under(s: &Sheet, picture: &Sheet, out: &mut Sheet) -> Made {
    out.blank_like(s);
    canvas::lay(picture, out, true);
    Some(())
}

/// Moved to the origin.
pub fn home(s: &Sheet, out: &mut Sheet) -> Made {
    out.copy_from(s);
    (out.top, out.left) = (0, 0);
    Some(())
}

/// One cell of the most frequent colour at the sheet's place.
pub fn spot(s: &Sheet, out: &mut Sheet) -> Made {
    out.fill(s.place(), (1, 1), majority(s))
}

/// One cell of the most frequent colour at the origin.
pub fn tint(s: &Sheet, out: &mut Sheet) -> Made {
    out.fill((0, 0), (1, 1), majority(s))
}

/// A blank sheet of the same size, in place or at the origin.
pub fn blank(s: &Sheet, in_place: bool, out: &mut Sheet) -> Made {
    out.fill(if in_place { s.place() } else { (0, 0) }, s.size(), 0)
}

/// The whole frame in the most frequent colour, in place or at the origin.
pub fn solid(s: &Sheet, in_place: bool, out: &mut Sheet) -> Made {
    out.fill(if in_place { s.place() } else { (0, 0) }, s.size(), majority(s))
}

/// The middle: one cell, or two along sides of even length, coloured 1.
pub fn middle(s: &Sheet, out: &mut Sheet) -> Made {
    let size = (2 - s.height % 2, 2 - s.width % 2);
    let place =
        (s.top + ((s.height - size.0) / 2) as i32, s.left + ((s.width - size.1) / 2) as i32);
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

/// A sheet of the given size at the origin, all in the most frequent colour of `s`.
pub fn plain(s: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    out.fill((0, 0), size, majority(s))
}
