//! Holes, outlines, halos, frames, blocks, rooms.

use std::cmp::Reverse;

use crate::kernel::sheet::measure::{around, beside, majority};
use crate::kernel::sheet::{Made, Sheet};

/// Marks of the cells that are see-through and connected with the rim.
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

/// What is there and what it encloses, in the most frequent colour.
pub fn filled(s: &Sheet, out: &mut Sheet) -> Made {
    let (seen, color) = (outside(s, false), majority(s));
    out.place_like(s);
    out.cells.clear();
    out.cells.extend(seen.iter().map(|&o| if o { 0 } else { color }));
    Some(())
}

/// Only what is enclosed, in the most frequent colour.
pub fn holes(s: &Sheet, out: &mut Sheet) -> Made {
    let (seen, color) = (outside(s, false), majority(s));
    out.place_like(s);
    out.cells.clear();
    let cells = s.cells.iter().zip(&seen);
    out.cells.extend(cells.map(|(&c, &o)| if o || c != 0 { 0 } else { color }));
    Some(())
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

/// Cells on the outer outline: those that touch the rim or the outside, diagonals included.
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

/// The cells on the outer outline.
pub fn outline(s: &Sheet, out: &mut Sheet) -> Made {
    let marks = outline_marks(s);
    out.place_like(s);
    out.cells.clear();
    out.cells.extend(s.cells.iter().zip(marks).map(|(&c, m)| if m { c } else { 0 }));
    Some(())
}

/// The cells that are not on the outer outline.
pub fn core(s: &Sheet, out: &mut Sheet) -> Made {
    let marks = outline_marks(s);
    out.place_like(s);
    out.cells.clear();
    out.cells.extend(s.cells.iter().zip(marks).map(|(&c, m)| if m { 0 } else { c }));
    Some(())
}

/// The see-through cells that touch something, diagonals included, coloured 1.
pub fn halo(s: &Sheet, out: &mut Sheet) -> Made {
    out.blank_like(s);
    for at in 0..s.cells.len() {
        if s.cells[at] == 0 {
            let mut near = false;
            around(s, at, |next| near |= s.cells[next] != 0);
            out.cells[at] = u8::from(near);
        }
    }
    Some(())
}

/// A frame one cell wide around the sheet, in `color`, or the most frequent colour for 0.
pub fn framed(s: &Sheet, color: u8, out: &mut Sheet) -> Made {
    let color = if color == 0 { majority(s) } else { color };
    out.fill((s.top - 1, s.left - 1), (s.height + 2, s.width + 2), color)?;
    for i in 0..s.height {
        let start = (i + 1) * out.width + 1;
        out.cells[start..start + s.width].copy_from_slice(s.row(i));
    }
    Some(())
}

/// The cells that lie in a full square of `side` by `side` cells.
pub fn blocks(s: &Sheet, side: usize, out: &mut Sheet) -> Made {
    if side == 0 {
        return None;
    }
    out.blank_like(s);
    for i in 0..(s.height + 1).saturating_sub(side) {
        for j in 0..(s.width + 1).saturating_sub(side) {
            let columns = j..j + side;
            if (i..i + side).all(|row| s.row(row)[columns.clone()].iter().all(|&c| c != 0)) {
                for row in i..i + side {
                    let span = row * s.width + j..row * s.width + j + side;
                    out.cells[span.clone()].copy_from_slice(&s.cells[span]);
                }
            }
        }
    }
    Some(())
}

/// The largest full rectangle alone: of several the topmost, then the leftmost, then the widest. `None` when
/// nothing is there.
pub fn room(s: &Sheet, out: &mut Sheet) -> Made {
    let mut best: Option<(Reverse<usize>, usize, usize, usize)> = None;
    let mut tall = vec![0; s.width];
    for bottom in 0..s.height {
        for (height, &cell) in tall.iter_mut().zip(s.row(bottom)) {
            *height = if cell == 0 { 0 } else { *height + 1 };
        }
        for left in 0..s.width {
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
    out.blank_like(s);
    for row in top..top + height {
        let span = row * s.width + left..row * s.width + left + area / height;
        out.cells[span.clone()].copy_from_slice(&s.cells[span]);
    }
    Some(())
}
