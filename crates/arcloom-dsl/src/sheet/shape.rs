//! Shapes on a sheet: holes, outlines, halos, frames, blocks, rooms.

use std::cmp::Reverse;

use arcloom_macros::{primitive, step};

use super::measure::{around, beside, majority};
use crate::kernel::sheet::{Made, Sheet};

/// What is there and what it encloses, in the most frequent colour. Diagonals close a shape.
///
/// ```arc
/// sheet_filled((((0, 1, 0), (1, 0, 2), (0, 1, 0)), (0, 0))) == (((0, 1, 0), (1, 1, 1), (0, 1, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 190)]
pub fn sheet_filled(sheet: &Sheet, out: &mut Sheet) -> Made {
    let (seen, color) = (outside(sheet, false), majority(sheet));
    out.place_like(sheet);
    out.cells.clear();
    out.cells.extend(seen.iter().map(|&o| if o { 0 } else { color }));
    Some(())
}

/// What is enclosed, alone, in the most frequent colour. Diagonals close a shape.
///
/// ```arc
/// sheet_holes((((0, 1, 0), (1, 0, 2), (0, 1, 0)), (0, 0))) == (((0, 0, 0), (0, 1, 0), (0, 0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 200)]
pub fn sheet_holes(sheet: &Sheet, out: &mut Sheet) -> Made {
    let (seen, color) = (outside(sheet, false), majority(sheet));
    out.place_like(sheet);
    out.cells.clear();
    let cells = sheet.cells.iter().zip(&seen);
    out.cells.extend(cells.map(|(&c, &o)| if o || c != 0 { 0 } else { color }));
    Some(())
}

/// The cells of the outer outline: those on the border and those that touch the outside.
///
/// ```arc
/// sheet_outline((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (0, 0))) == (((1, 1, 1), (1, 0, 1), (1, 1, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra, toll = twice)]
#[step(place = 210)]
pub fn sheet_outline(sheet: &Sheet, out: &mut Sheet) -> Made {
    let marks = outline_marks(sheet);
    out.place_like(sheet);
    out.cells.clear();
    out.cells.extend(sheet.cells.iter().zip(marks).map(|(&c, m)| if m { c } else { 0 }));
    Some(())
}

/// The cells that are not on the outer outline.
///
/// ```arc
/// sheet_core((((1, 1, 1), (1, 2, 1), (1, 1, 1)), (0, 0))) == (((0, 0, 0), (0, 2, 0), (0, 0, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra, toll = twice)]
#[step(place = 220)]
pub fn sheet_core(sheet: &Sheet, out: &mut Sheet) -> Made {
    let marks = outline_marks(sheet);
    out.place_like(sheet);
    out.cells.clear();
    out.cells.extend(sheet.cells.iter().zip(marks).map(|(&c, m)| if m { 0 } else { c }));
    Some(())
}

/// The transparent cells that touch something, diagonals included, in colour 1.
///
/// ```arc
/// sheet_halo((((5, 0, 0), (0, 0, 0)), (0, 0))) == (((0, 1, 0), (1, 1, 0)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 230)]
pub fn sheet_halo(sheet: &Sheet, out: &mut Sheet) -> Made {
    out.blank_like(sheet);
    for at in 0..sheet.cells.len() {
        if sheet.cells[at] == 0 {
            let mut near = false;
            around(sheet, at, |next| near |= sheet.cells[next] != 0);
            out.cells[at] = u8::from(near);
        }
    }
    Some(())
}

/// The sheet with a frame one cell wide around it, in `color`, or in the most frequent colour for 0.
///
/// ```arc
/// sheet_framed((((5,),), (3, 4)), 1) == (((1, 1, 1), (1, 5, 1), (1, 1, 1)), (2, 3))
/// sheet_framed((((5,),), (3, 4)), 0) == (((5, 5, 5), (5, 5, 5), (5, 5, 5)), (2, 3))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Color) -> Sheet", extra)]
#[step(place = 240, constants = [[0, 1]])]
pub fn sheet_framed(sheet: &Sheet, color: u8, out: &mut Sheet) -> Made {
    let color = if color == 0 { majority(sheet) } else { color };
    out.fill((sheet.top - 1, sheet.left - 1), (sheet.height + 2, sheet.width + 2), color)?;
    for i in 0..sheet.height {
        let start = (i + 1) * out.width + 1;
        out.cells[start..start + sheet.width].copy_from_slice(sheet.row(i));
    }
    Some(())
}

/// The cells that lie in a full square of `side` by `side` cells.
///
/// ```arc
/// sheet_blocks((((1, 2, 0), (3, 4, 5)), (0, 0)), 2) == (((1, 2, 0), (3, 4, 0)), (0, 0))
/// sheet_blocks((((1, 0),), (0, 0)), 3) == (((0, 0),), (0, 0))
/// sheet_blocks((((1, 0),), (0, 0)), 0) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Int) -> Sheet", extra, charge = sheet.cells().len().saturating_mul(side * side))]
#[step(place = 260, constants = [[2, 3]])]
pub fn sheet_blocks(sheet: &Sheet, side: usize, out: &mut Sheet) -> Made {
    if side == 0 {
        return None;
    }
    out.blank_like(sheet);
    for i in 0..(sheet.height + 1).saturating_sub(side) {
        for j in 0..(sheet.width + 1).saturating_sub(side) {
            let columns = j..j + side;
            if (i..i + side).all(|row| sheet.row(row)[columns.clone()].iter().all(|&c| c != 0)) {
                for row in i..i + side {
                    let span = row * sheet.width + j..row * sheet.width + j + side;
                    out.cells[span.clone()].copy_from_slice(&sheet.cells[span]);
                }
            }
        }
    }
    Some(())
}

/// The largest full rectangle alone: of several the topmost, then the leftmost, then the widest. Fails
/// when nothing is there.
///
/// ```arc
/// sheet_room((((1, 0, 2), (3, 4, 5)), (7, 7))) == (((0, 0, 0), (3, 4, 5)), (7, 7))
/// sheet_room((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra, charge = sheet.cells().len().saturating_mul(sheet.width()))]
#[step(place = 270)]
pub fn sheet_room(sheet: &Sheet, out: &mut Sheet) -> Made {
    let mut best: Option<(Reverse<usize>, usize, usize, usize)> = None;
    let mut tall = vec![0; sheet.width];
    for bottom in 0..sheet.height {
        for (height, &cell) in tall.iter_mut().zip(sheet.row(bottom)) {
            *height = if cell == 0 { 0 } else { *height + 1 };
        }
        for left in 0..sheet.width {
            let mut height = usize::MAX;
            for (right, &there) in tall.iter().enumerate().skip(left) {
                height = height.min(there);
                if height == 0 {
                    break;
                }
                let area = height * (right + 1 - left);
                let found = (Reverse(area), bottom + 1 - height, left, height);
                best = Some(best.map_or(found, |b| b.min(found)));
            }
        }
    }
    let (Reverse(area), top, left, height) = best?;
    out.blank_like(sheet);
    for row in top..top + height {
        let span = row * sheet.width + left..row * sheet.width + left + area / height;
        out.cells[span.clone()].copy_from_slice(&sheet.cells[span]);
    }
    Some(())
}

/// Marks of the cells that are transparent and connected with the border.
fn outside(s: &Sheet, diagonal: bool) -> Vec<bool> {
    let mut seen = vec![false; s.cells.len()];
    let mut stack = Vec::new();
    let (h, w) = s.size();
    let rim = (0..w)
        .flat_map(|j| [j, (h - 1) * w + j])
        .chain((0..h).flat_map(|i| [i * w, i * w + w - 1]));
    for at in rim {
        if s.cells[at] == 0 && !seen[at] {
            seen[at] = true;
            stack.push(at);
        }
    }
    while let Some(at) = stack.pop() {
        let mut visit = |next: usize| {
            if s.cells[next] == 0 && !seen[next] {
                seen[next] = true;
                stack.push(next);
            }
        };
        if diagonal { around(s, at, &mut visit) } else { beside(s, at, &mut visit) }
    }
    seen
}

/// Number of enclosed parts.
pub fn hole_parts(s: &Sheet) -> usize {
    let mut seen = outside(s, false);
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..seen.len() {
        if seen[start] || s.cells[start] != 0 {
            continue;
        }
        count += 1;
        seen[start] = true;
        stack.push(start);
        while let Some(at) = stack.pop() {
            beside(s, at, |next| {
                if s.cells[next] == 0 && !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            });
        }
    }
    count
}

/// Cells on the outer outline: those that touch the border or the outside, diagonals included.
fn outline_marks(s: &Sheet) -> Vec<bool> {
    let seen = outside(s, true);
    let (h, w) = s.size();
    let mut marks = vec![false; s.cells.len()];
    for (at, mark) in marks.iter_mut().enumerate() {
        let (i, j) = (at / w, at % w);
        let mut edge = i == 0 || j == 0 || i + 1 == h || j + 1 == w;
        around(s, at, |next| edge |= seen[next]);
        *mark = edge && s.cells[at] != 0;
    }
    marks
}
