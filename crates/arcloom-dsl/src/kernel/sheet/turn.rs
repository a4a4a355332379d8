//! The symmetries of the square. A sheet keeps its top left corner.

use crate::kernel::sheet::{Made, Sheet};

/// The seven ways to turn or mirror, and an eighth that mirrors across the axis on which the cells
/// are less balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Right,
    Half,
    Left,
    LeftRight,
    UpDown,
    Diagonal,
    Counter,
    Balance,
}

impl Turn {
    /// All of them with their names.
    pub const ALL: [(Turn, &'static str); 8] = [
        (Turn::Right, "right"),
        (Turn::Half, "half"),
        (Turn::Left, "left"),
        (Turn::LeftRight, "left_right"),
        (Turn::UpDown, "up_down"),
        (Turn::Diagonal, "diagonal"),
        (Turn::Counter, "counter"),
        (Turn::Balance, "balance"),
    ];
}

/// The sheet turned or mirrored.
pub fn turn(s: &Sheet, turn: Turn, out: &mut Sheet) -> Made {
    let (h, w) = s.size();
    (out.top, out.left) = s.place();
    out.cells.clear();
    let swapped = matches!(turn, Turn::Right | Turn::Left | Turn::Diagonal | Turn::Counter);
    (out.height, out.width) = if swapped { (w, h) } else { (h, w) };
    let cells = &mut out.cells;
    match turn {
        Turn::Half => cells.extend(s.cells.iter().rev()),
        Turn::LeftRight => (0..h).for_each(|i| cells.extend(s.row(i).iter().rev())),
        Turn::UpDown => (0..h).rev().for_each(|i| cells.extend(s.row(i))),
        Turn::Right => (0..w).for_each(|j| cells.extend((0..h).rev().map(|i| s.at(i, j)))),
        Turn::Left => (0..w).rev().for_each(|j| cells.extend((0..h).map(|i| s.at(i, j)))),
        Turn::Diagonal => (0..w).for_each(|j| cells.extend((0..h).map(|i| s.at(i, j)))),
        Turn::Counter => {
            (0..w).rev().for_each(|j| cells.extend((0..h).rev().map(|i| s.at(i, j))));
        }
        Turn::Balance => {
            let way = if leans_sideways(s) { Turn::LeftRight } else { Turn::UpDown };
            return self::turn(s, way, out);
        }
    }
    Some(())
}

/// Whether the cells lean more to the left or right than up or down.
fn leans_sideways(s: &Sheet) -> bool {
    let (mut count, mut down, mut across) = (0i64, 0i64, 0i64);
    for i in 0..s.height {
        for (j, _) in s.row(i).iter().enumerate().filter(|(_, c)| **c != 0) {
            count += 1;
            down += i as i64;
            across += j as i64;
        }
    }
    let across = (2 * across - (s.width as i64 - 1) * count).abs();
    let down = (2 * down - (s.height as i64 - 1) * count).abs();
    across >= down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn four_right_turns_are_none() {
        let start = sheet(&["12.", "345"]);
        let (mut a, mut b) = (start.clone(), Sheet::default());
        for _ in 0..4 {
            turn(&a, Turn::Right, &mut b).expect("a turn");
            std::mem::swap(&mut a, &mut b);
        }
        assert_eq!(a, start);
        turn(&start, Turn::Right, &mut b).expect("a turn");
        assert_eq!(b, sheet(&["31", "42", "5."]));
        turn(&start, Turn::Counter, &mut b).expect("a turn");
        assert_eq!(b, sheet(&["5.", "42", "31"]));
    }
}
