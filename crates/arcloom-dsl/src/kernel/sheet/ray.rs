//! Colours on the move: smearing along rays, connecting equal colours, spreading into the open.

use std::collections::VecDeque;

use crate::kernel::sheet::measure::{beside, majority};
use crate::kernel::sheet::{Made, Sheet};

/// Steps (down, right) of the eight directions, the diagonals last.
pub const STEPS: [(i32, i32); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// Sets of directions, one bit for each of right, left, down, up, and the diagonals.
pub const SMEARS: [(u8, &str); 15] = [
    (0b0000_0001, "right"),
    (0b0000_0010, "left"),
    (0b0000_0100, "down"),
    (0b0000_1000, "up"),
    (0b0000_0011, "sideways"),
    (0b0000_1100, "up_down"),
    (0b0000_1111, "cross"),
    (0b0001_0000, "down_right"),
    (0b0010_0000, "up_left"),
    (0b0100_0000, "up_right"),
    (0b1000_0000, "down_left"),
    (0b0011_0000, "diagonal"),
    (0b1100_0000, "counter"),
    (0b1111_0000, "saltire"),
    (0b1111_1111, "star"),
];

/// Each colour drawn on along the directions of the set until another one is met.
pub fn smear(s: &Sheet, directions: u8, out: &mut Sheet) -> Made {
    out.copy_from(s);
    let (h, w) = (s.height as i32, s.width as i32);
    for (bit, &(di, dj)) in STEPS.iter().enumerate() {
        if directions >> bit & 1 == 0 {
            continue;
        }
        let mut line = |mut i: i32, mut j: i32| {
            let mut color = 0;
            while i >= 0 && j >= 0 && i < h && j < w {
                let at = (i * w + j) as usize;
                if s.cells[at] != 0 {
                    color = s.cells[at];
                }
                if color != 0 {
                    out.cells[at] = color;
                }
                (i, j) = (i + di, j + dj);
            }
        };
        // Every line starts where a step back would leave the sheet.
        if di != 0 {
            let i = if di > 0 { 0 } else { h - 1 };
            (0..w).for_each(|j| line(i, j));
        }
        if dj != 0 {
            let j = if dj > 0 { 0 } else { w - 1 };
            let rows = match di {
                0 => 0..h,
                1 => 1..h,
                _ => 0..h - 1,
            };
            rows.for_each(|i| line(i, j));
        }
    }
    Some(())
}

/// The segments between equal colours with nothing between them: in rows (0), columns (1), both (2).
pub fn connect(s: &Sheet, way: u8, out: &mut Sheet) -> Made {
    out.blank_like(s);
    let (h, w) = s.size();
    if way != 1 {
        (0..h).for_each(|i| segments(s, out, i * w, 1, w));
    }
    if way != 0 {
        (0..w).for_each(|j| segments(s, out, j, w, h));
    }
    Some(())
}

fn segments(s: &Sheet, out: &mut Sheet, start: usize, step: usize, count: usize) {
    let mut last: Option<(usize, u8)> = None;
    for k in 0..count {
        let color = s.cells[start + k * step];
        if color == 0 {
            continue;
        }
        if let Some((from, before)) = last
            && before == color
        {
            (from + 1..k).for_each(|m| out.cells[start + m * step] = color);
        }
        last = Some((k, color));
    }
}

/// Colours flood what is see-through, all at the same pace; the most frequent one stays when asked.
pub fn spread(s: &Sheet, hold_majority: bool, out: &mut Sheet) -> Made {
    out.copy_from(s);
    let held = if hold_majority { majority(s) } else { 0 };
    let sources = (0..s.cells.len()).filter(|&at| s.cells[at] != 0 && s.cells[at] != held);
    let mut queue: VecDeque<usize> = sources.collect();
    while let Some(at) = queue.pop_front() {
        let color = out.cells[at];
        beside(s, at, |next| {
            if out.cells[next] == 0 {
                out.cells[next] = color;
                queue.push_back(next);
            }
        });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn smears_reach_every_line() {
        let s = sheet(&["1..", "...", "..2"]);
        let mut out = Sheet::default();
        smear(&s, 0b0000_0001, &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "...", "..2"]));
        smear(&sheet(&["..3", "...", "..."]), 0b1000_0000, &mut out).expect("made");
        assert_eq!(out, sheet(&["..3", ".3.", "3.."]));
        smear(&sheet(&["...", "...", "4.."]), 0b0100_0000, &mut out).expect("made");
        assert_eq!(out, sheet(&["..4", ".4.", "4.."]));
        smear(&sheet(&["...", ".5.", "..."]), 0b1111_1111, &mut out).expect("made");
        assert_eq!(out, sheet(&["555", "555", "555"]));
    }

    #[test]
    fn equal_colors_are_connected() {
        let mut out = Sheet::default();
        connect(&sheet(&["1..1", "2...", "1..2"]), 2, &mut out).expect("made");
        assert_eq!(out, sheet(&[".11.", "....", "...."]));
    }
}
