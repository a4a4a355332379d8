//! Colours of a sheet on the move: smearing, connecting, spreading.

use std::collections::VecDeque;

use arcloom_macros::{primitive, step};

use super::measure::{beside, majority};
use super::way::{Axes, Directions, STEPS};
use crate::kernel::sheet::{Made, Sheet};

/// Each colour drawn on along the directions until another one is met. Where rays cross, those that go
/// right lie lowest, then left, down, up, and the diagonals.
///
/// ```arc
/// sheet_smear((((1, 0, 0), (0, 2, 0)), (0, 0)), initset(RIGHT)) == (((1, 1, 1), (0, 2, 2)), (0, 0))
/// sheet_smear((((0, 0, 0), (0, 5, 0)), (0, 0)), neighbors(ORIGIN)) == (((5, 5, 5), (5, 5, 5)), (0, 0))
/// sheet_smear((((1, 0),), (0, 0)), initset(ORIGIN)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Container<Pair>) -> Sheet", extra)]
#[step(place = 320)]
pub fn sheet_smear(sheet: &Sheet, directions: Directions, out: &mut Sheet) -> Made {
    out.copy_from(sheet);
    let (h, w) = (sheet.height as i32, sheet.width as i32);
    for (bit, &(di, dj)) in STEPS.iter().enumerate() {
        if directions.0 >> bit & 1 == 0 {
            continue;
        }
        let mut line = |mut i: i32, mut j: i32| {
            let mut color = 0;
            while i >= 0 && j >= 0 && i < h && j < w {
                let at = (i * w + j) as usize;
                if sheet.cells[at] != 0 {
                    color = sheet.cells[at];
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

/// The segments between equal colours with nothing between them: in rows for RIGHT, in columns for
/// DOWN, in both for UNITY.
///
/// ```arc
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), RIGHT) == (((0, 3, 3, 0),), (0, 0))
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), DOWN) == (((0, 0, 0, 0),), (0, 0))
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), ORIGIN) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
#[step(place = 330)]
pub fn sheet_connect(sheet: &Sheet, direction: Axes, out: &mut Sheet) -> Made {
    out.blank_like(sheet);
    let (h, w) = sheet.size();
    if direction != Axes::Down {
        (0..h).for_each(|i| segments(sheet, out, i * w, 1, w));
    }
    if direction != Axes::Right {
        (0..w).for_each(|j| segments(sheet, out, j, w, h));
    }
    Some(())
}

/// Colours flood what is transparent, all at the same pace; with `hold` the most frequent one stays.
///
/// ```arc
/// sheet_spread((((1, 0, 0, 2),), (0, 0)), F) == (((1, 1, 2, 2),), (0, 0))
/// sheet_spread((((1, 0, 0, 2),), (0, 0)), T) == (((1, 2, 2, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Bool) -> Sheet", extra)]
#[step(place = 340)]
pub fn sheet_spread(sheet: &Sheet, hold: bool, out: &mut Sheet) -> Made {
    out.copy_from(sheet);
    let held = if hold { majority(sheet) } else { 0 };
    let sources =
        (0..sheet.cells.len()).filter(|&at| sheet.cells[at] != 0 && sheet.cells[at] != held);
    let mut queue: VecDeque<usize> = sources.collect();
    while let Some(at) = queue.pop_front() {
        let color = out.cells[at];
        beside(sheet, at, |next| {
            if out.cells[next] == 0 {
                out.cells[next] = color;
                queue.push_back(next);
            }
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn smears_reach_every_line() {
        let s = sheet(&["1..", "...", "..2"]);
        let mut out = Sheet::default();
        sheet_smear(&s, Directions(0b0000_0001), &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "...", "..2"]));
        sheet_smear(&sheet(&["..3", "...", "..."]), Directions(0b1000_0000), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["..3", ".3.", "3.."]));
        sheet_smear(&sheet(&["...", "...", "4.."]), Directions(0b0100_0000), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["..4", ".4.", "4.."]));
        sheet_smear(&sheet(&["...", ".5.", "..."]), Directions(0b1111_1111), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["555", "555", "555"]));
    }

    #[test]
    fn equal_colors_are_connected() {
        let mut out = Sheet::default();
        sheet_connect(&sheet(&["1..1", "2...", "1..2"]), Axes::Both, &mut out).expect("made");
        assert_eq!(out, sheet(&[".11.", "....", "...."]));
    }
}
