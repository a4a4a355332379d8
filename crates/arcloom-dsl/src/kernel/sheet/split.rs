//! One sheet into a list of sheets, each where it lies.

use crate::kernel::sheet::crop::part;
use crate::kernel::sheet::measure::{around, beside, colors};
use crate::kernel::sheet::{Made, Sheet, canvas};

/// How a sheet is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Along a separating colour.
    Cut,
    /// One sheet per colour, each with the whole frame.
    Colors,
    /// Cells of one colour that touch by their sides, trimmed.
    Blobs,
    /// Cells of any colour that touch, diagonals included, trimmed.
    Things,
    Rows,
    Columns,
    /// Rectangles whose four corners are marked by brackets.
    Marked,
    /// Blobs after they fell: right, left, down, up.
    Fall(u8),
}

impl Split {
    /// All of them with their names.
    pub const ALL: [(Split, &'static str); 11] = [
        (Split::Cut, "cut"),
        (Split::Colors, "colors"),
        (Split::Blobs, "blobs"),
        (Split::Things, "things"),
        (Split::Rows, "rows"),
        (Split::Columns, "columns"),
        (Split::Marked, "marked"),
        (Split::Fall(0), "fall_right"),
        (Split::Fall(1), "fall_left"),
        (Split::Fall(2), "fall_down"),
        (Split::Fall(3), "fall_up"),
    ];
}

/// The parts of a sheet; `None` when there are none.
pub fn split(s: &Sheet, how: Split, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    match how {
        Split::Cut => cut(s, out),
        Split::Colors => by_color(s, out),
        Split::Blobs => parts(s, out, |c| c != 0, |a, b| a == b, false),
        Split::Things => parts(s, out, |c| c != 0, |_, _| true, true),
        Split::Rows => {
            for i in 0..s.height {
                let mut row = Sheet::default();
                part(s, (i, 0), (1, s.width), &mut row)?;
                out.push(row);
            }
        }
        Split::Columns => {
            for j in 0..s.width {
                let mut column = Sheet::default();
                part(s, (0, j), (s.height, 1), &mut column)?;
                out.push(column);
            }
        }
        Split::Marked => marked(s, out),
        Split::Fall(way) => fall(s, way, out),
    }
    (!out.is_empty()).then_some(())
}

fn by_color(s: &Sheet, out: &mut Vec<Sheet>) {
    let mask = colors(s);
    for color in (1..10u8).filter(|c| mask >> c & 1 == 1) {
        let mut one = Sheet::default();
        if crate::kernel::sheet::color::keep(s, color, &mut one).is_some() {
            out.push(one);
        }
    }
}

/// Connected cells for which `is` holds, neighbours joined where `joins` says so.
fn parts(
    s: &Sheet,
    out: &mut Vec<Sheet>,
    is: impl Fn(u8) -> bool,
    joins: impl Fn(u8, u8) -> bool,
    diagonal: bool,
) {
    let mut done = vec![false; s.cells.len()];
    let mut members = Vec::new();
    for start in 0..done.len() {
        if done[start] || !is(s.cells[start]) {
            continue;
        }
        members.clear();
        members.push(start);
        done[start] = true;
        let mut next = 0;
        while next < members.len() {
            let at = members[next];
            next += 1;
            let mut visit = |to: usize| {
                let (a, b) = (s.cells[at], s.cells[to]);
                if !done[to] && is(b) && joins(a, b) {
                    done[to] = true;
                    members.push(to);
                }
            };
            if diagonal { around(s, at, &mut visit) } else { beside(s, at, &mut visit) }
        }
        out.push(gather(s, &members));
    }
}

/// The given cells of a sheet in the smallest frame around them.
fn gather(s: &Sheet, members: &[usize]) -> Sheet {
    let (mut north, mut south, mut west, mut east) = (usize::MAX, 0, usize::MAX, 0);
    for &at in members {
        let (i, j) = (at / s.width, at % s.width);
        (north, south) = (north.min(i), south.max(i));
        (west, east) = (west.min(j), east.max(j));
    }
    let (height, width) = (south - north + 1, east - west + 1);
    let mut cells = vec![0; height * width];
    for &at in members {
        cells[(at / s.width - north) * width + at % s.width - west] = s.cells[at];
    }
    Sheet { top: s.top + north as i32, left: s.left + west as i32, height, width, cells }
}

/// The parts left when the separating colour is taken away; see-through cells belong to parts.
fn cut(s: &Sheet, out: &mut Vec<Sheet>) {
    let Some(color) = separator(s) else { return };
    parts(s, out, |c| c != color, |_, _| true, true);
}

/// The colour that cuts the sheet into parts, none of them shut in, the smallest as large as can be.
/// It touches two opposite sides.
fn separator(s: &Sheet) -> Option<u8> {
    let mask = colors(s);
    let (h, w) = s.size();
    let mut best: Option<(usize, u8)> = None;
    for color in (0..10u8).filter(|c| mask >> c & 1 == 1) {
        let row = |i: usize| s.row(i).contains(&color);
        let column = |j: usize| (0..h).any(|i| s.at(i, j) == color);
        if !(row(0) && row(h - 1) || column(0) && column(w - 1)) {
            continue;
        }
        // Cells of the colour that are connected with the rim.
        let mut edge = vec![false; s.cells.len()];
        let mut stack: Vec<usize> = Vec::new();
        for (at, mark) in edge.iter_mut().enumerate() {
            let (i, j) = (at / w, at % w);
            if (i == 0 || j == 0 || i + 1 == h || j + 1 == w) && s.cells[at] == color {
                *mark = true;
                stack.push(at);
            }
        }
        while let Some(at) = stack.pop() {
            around(s, at, |to| {
                if !edge[to] && s.cells[to] == color {
                    edge[to] = true;
                    stack.push(to);
                }
            });
        }
        let mut done = vec![false; s.cells.len()];
        let (mut smallest, mut count, mut shut_in) = (usize::MAX, 0, false);
        for start in 0..done.len() {
            if done[start] || s.cells[start] == color {
                continue;
            }
            let (mut size, mut open) = (0, false);
            done[start] = true;
            stack.push(start);
            while let Some(at) = stack.pop() {
                size += 1;
                around(s, at, |to| {
                    if s.cells[to] == color {
                        open |= edge[to];
                    } else if !done[to] {
                        done[to] = true;
                        stack.push(to);
                    }
                });
            }
            count += 1;
            smallest = smallest.min(size);
            shut_in |= !open;
        }
        if count >= 2 && !shut_in && best.is_none_or(|(size, _)| smallest > size) {
            best = Some((smallest, color));
        }
    }
    best.map(|(_, color)| color)
}

/// Rectangles with an angle of one colour at each corner: what is inside, 0 filled by a fresh colour.
fn marked(s: &Sheet, out: &mut Vec<Sheet>) {
    let (h, w) = s.size();
    // Whether the two by two cells at (i, j) are an angle of `color` open at `corner`.
    let angle = |i: usize, j: usize, corner: usize, color: u8| {
        (0..4).all(|d| (s.at(i + d / 2, j + d % 2) == color) == (d != 3 - corner))
    };
    for i in 0..h.saturating_sub(1) {
        for j in 0..w.saturating_sub(1) {
            let color = s.at(i, j);
            if color == 0 || !angle(i, j, 0, color) {
                continue;
            }
            for right in j + 2..w.saturating_sub(1) {
                if !angle(i, right, 1, color) {
                    continue;
                }
                for low in i + 2..h.saturating_sub(1) {
                    if angle(low, j, 2, color) && angle(low, right, 3, color) {
                        let mut inside = Sheet::default();
                        let size = (low - i, right - j);
                        if part(s, (i + 1, j + 1), size, &mut inside).is_some() {
                            inside.cells.iter_mut().filter(|c| **c == 0).for_each(|c| *c = 2);
                            out.push(inside);
                        }
                    }
                }
            }
        }
    }
}

/// The blobs moved right, left, down or up until they meet the rim or what fell before them.
fn fall(s: &Sheet, way: u8, out: &mut Vec<Sheet>) {
    let (di, dj) = [(0, 1), (0, -1), (1, 0), (-1, 0)][usize::from(way & 3)];
    parts(s, out, |c| c != 0, |a, b| a == b, false);
    out.sort_by_key(|p| {
        let (south, east) = (p.top + p.height as i32, p.left + p.width as i32);
        match way & 3 {
            0 => -east,
            1 => p.left,
            2 => -south,
            _ => p.top,
        }
    });
    let mut ground = Sheet::default();
    ground.blank_like(s);
    for p in out.iter_mut() {
        let free = |p: &Sheet, ground: &Sheet| {
            (0..p.height).all(|i| {
                (0..p.width).all(|j| {
                    let (gi, gj) = (p.top - s.top + i as i32, p.left - s.left + j as i32);
                    let inside = gi >= 0 && gj >= 0 && gi < s.height as i32 && gj < s.width as i32;
                    p.at(i, j) == 0 || inside && ground.get(gi, gj) == 0
                })
            })
        };
        loop {
            (p.top, p.left) = (p.top + di, p.left + dj);
            if !free(p, &ground) {
                (p.top, p.left) = (p.top - di, p.left - dj);
                break;
            }
        }
        canvas::lay(p, &mut ground, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    fn parts_of(rows: &[&str], how: Split) -> Vec<(i32, i32, usize, usize)> {
        let mut out = Vec::new();
        split(&sheet(rows), how, &mut out);
        out.iter().map(|p| (p.top, p.left, p.height, p.width)).collect()
    }

    #[test]
    fn ways_to_split() {
        assert_eq!(parts_of(&["1.2", "1.2"], Split::Blobs), [(0, 0, 2, 1), (0, 2, 2, 1)]);
        assert_eq!(parts_of(&["1..", ".2."], Split::Things), [(0, 0, 2, 2)]);
        assert_eq!(parts_of(&["1.52.", "1.52."], Split::Cut), [(0, 0, 2, 2), (0, 3, 2, 2)]);
        assert_eq!(parts_of(&["12", "21"], Split::Colors), [(0, 0, 2, 2), (0, 0, 2, 2)]);
        assert_eq!(parts_of(&["1.", ".."], Split::Fall(2)), [(1, 0, 1, 1)]);
        let frame = ["33..33", "3....3", "......", "3....3", "33..33"];
        assert_eq!(parts_of(&frame, Split::Marked), [(1, 1, 3, 4)]);
    }
}
