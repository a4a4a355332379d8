//! One sheet into a list of sheets, each where it lies. All fail when there is no part.

use arcloom_macros::{primitive, step};

use super::canvas;
use super::color::sheet_keep;
use super::crop::part;
use super::measure::{around, beside, colors};
use super::way::SheetSide;
use crate::kernel::sheet::{Made, Sheet};

/// The parts into which a separating colour cuts the sheet: one that touches two opposite sides and
/// shuts no part in, the one whose smallest part is largest.
///
/// ```arc
/// split_cut((((1, 0, 5, 2, 0), (1, 0, 5, 0, 0)), (0, 0))) == ((((1, 0), (1, 0)), (0, 0)), (((2, 0), (0, 0)), (0, 3)))
/// split_cut((((1, 1),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 350)]
pub fn split_cut(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    let color = separator(sheet)?;
    parts(sheet, out, |c| c != color, |_, _| true, true)
}

/// One sheet per colour, each with the whole frame, smaller colours first.
///
/// ```arc
/// split_colors((((2, 1),), (0, 0))) == ((((0, 1),), (0, 0)), (((2, 0),), (0, 0)))
/// split_colors((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 360)]
pub fn split_colors(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    let mask = colors(sheet);
    for color in (1..10u8).filter(|c| mask >> c & 1 == 1) {
        let mut one = Sheet::default();
        sheet_keep(sheet, color, &mut one)?;
        out.push(one);
    }
    some(out)
}

/// Cells of one colour that touch by their sides, each group in the smallest frame.
///
/// ```arc
/// split_blobs((((2, 2, 0, 1),), (0, 0))) == ((((2, 2),), (0, 0)), (((1,),), (0, 3)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 370)]
pub fn split_blobs(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    parts(sheet, out, |c| c != 0, |a, b| a == b, false)
}

/// Cells of any colour that touch, diagonals included, each group in the smallest frame.
///
/// ```arc
/// split_things((((2, 0, 0), (0, 1, 0)), (0, 0))) == ((((2, 0), (0, 1)), (0, 0)),)
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 380)]
pub fn split_things(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    parts(sheet, out, |c| c != 0, |_, _| true, true)
}

/// The rows of a sheet.
///
/// ```arc
/// split_rows((((2, 0), (0, 1)), (5, 5))) == ((((2, 0),), (5, 5)), (((0, 1),), (6, 5)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 390)]
pub fn split_rows(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    for i in 0..sheet.height {
        let mut row = Sheet::default();
        part(sheet, (i, 0), (1, sheet.width), &mut row)?;
        out.push(row);
    }
    some(out)
}

/// The columns of a sheet.
///
/// ```arc
/// split_columns((((2, 0), (0, 1)), (5, 5))) == ((((2,), (0,)), (5, 5)), (((0,), (1,)), (5, 6)))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 400)]
pub fn split_columns(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    for j in 0..sheet.width {
        let mut column = Sheet::default();
        part(sheet, (0, j), (sheet.height, 1), &mut column)?;
        out.push(column);
    }
    some(out)
}

/// The insides of rectangles whose four corners are marked by angles of one colour, 0 replaced by 2.
///
/// ```arc
/// split_marked((((3, 3, 0, 3, 3), (3, 0, 0, 0, 3), (0, 0, 0, 0, 0), (3, 0, 0, 0, 3), (3, 3, 0, 3, 3)), (0, 0))) == ((((2, 2, 2), (2, 2, 2), (2, 2, 2)), (1, 1)),)
/// split_marked((((3, 3), (3, 3)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 410)]
pub fn split_marked(sheet: &Sheet, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    marked(sheet, out);
    some(out)
}

/// The blobs after they fell in a direction (UP, DOWN, LEFT or RIGHT) until they met the border or what
/// fell before them.
///
/// ```arc
/// split_fallen((((2,), (0,), (1,)), (0, 0)), DOWN) == ((((1,),), (2, 0)), (((2,),), (1, 0)))
/// split_fallen((((2,),), (0, 0)), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Tuple<Sheet>", extra, charge = 3 * sheet.cells().len())]
#[step(place = 420)]
pub fn split_fallen(sheet: &Sheet, direction: SheetSide, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    split_blobs(sheet, out)?;
    fall(sheet, direction, out);
    some(out)
}

/// A list that is not empty.
fn some(out: &[Sheet]) -> Made {
    (!out.is_empty()).then_some(())
}

/// Connected cells for which `is` holds, neighbours joined where `joins` says so.
fn parts(
    s: &Sheet,
    out: &mut Vec<Sheet>,
    is: impl Fn(u8) -> bool,
    joins: impl Fn(u8, u8) -> bool,
    diagonal: bool,
) -> Made {
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
    some(out)
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
        // Cells of the colour that are connected with the border.
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

/// Moves the blobs until they meet the border or what fell before them.
fn fall(s: &Sheet, direction: SheetSide, out: &mut [Sheet]) {
    let (di, dj) = direction.value();
    out.sort_by_key(|p| {
        let (south, east) = (p.top + p.height as i32, p.left + p.width as i32);
        match direction {
            SheetSide::Right => -east,
            SheetSide::Left => p.left,
            SheetSide::Down => -south,
            SheetSide::Up => p.top,
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
        canvas::lay_on(p, &mut ground, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    fn parts_of(
        rows: &[&str],
        split: fn(&Sheet, &mut Vec<Sheet>) -> Made,
    ) -> Vec<(i32, i32, usize, usize)> {
        let mut out = Vec::new();
        split(&sheet(rows), &mut out);
        out.iter().map(|p| (p.top, p.left, p.height, p.width)).collect()
    }

    #[test]
    fn ways_to_split() {
        assert_eq!(parts_of(&["1.2", "1.2"], split_blobs), [(0, 0, 2, 1), (0, 2, 2, 1)]);
        assert_eq!(parts_of(&["1..", ".2."], split_things), [(0, 0, 2, 2)]);
        assert_eq!(parts_of(&["1.52.", "1.52."], split_cut), [(0, 0, 2, 2), (0, 3, 2, 2)]);
        assert_eq!(parts_of(&["12", "21"], split_colors), [(0, 0, 2, 2), (0, 0, 2, 2)]);
        assert_eq!(
            parts_of(&["1.", ".."], |s, out| split_fallen(s, SheetSide::Down, out)),
            [(1, 0, 1, 1)]
        );
        let frame = ["33..33", "3....3", "......", "3....3", "33..33"];
        assert_eq!(parts_of(&frame, split_marked), [(1, 1, 3, 4)]);
    }
}
