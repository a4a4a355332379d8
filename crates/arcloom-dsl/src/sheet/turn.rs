//! The symmetries of the square. A sheet keeps its top left corner.

use arcloom_macros::{primitive, step};
use arcloom_value::Value;

use super::{grid, picture, value};
use crate::call::{Caller, Outcome};
use crate::kernel::sheet::{Made, Sheet};
use crate::step::step_constant;

step_constant! {
    /// The seven ways to turn or mirror.
    pub enum Turn: &'static str {
        Right = "rot90",
        Half = "rot180",
        Left = "rot270",
        LeftRight = "vmirror",
        UpDown = "hmirror",
        Diagonal = "dmirror",
        Counter = "cmirror",
    }
}

/// The sheet with its grid put through a function, such as a rotation; the top left corner stays.
///
/// ```arc
/// sheet_turn((((1, 2),), (3, 4)), rot90) == (((1,), (2,)), (3, 4))
/// sheet_turn((((1, 2),), (3, 4)), vmirror) == (((2, 1),), (3, 4))
/// sheet_turn((((1, 2),), (3, 4)), shape) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Fn(Grid) -> Grid) -> Sheet", extra)]
pub fn sheet_turn(cx: &mut Caller, sheet: &Sheet, function: &Value) -> Outcome {
    let mut turned = picture(&cx.call1(function, &grid(sheet))?, 1)?;
    (turned.top, turned.left) = (sheet.top, sheet.left);
    Ok(value(&turned))
}

/// The sheet turned or mirrored.
#[step(place = 290, calls = [sheet_turn])]
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
    }
    Some(())
}

/// The sheet mirrored to its other side: left to right when its cells lean more to the left or right
/// than up or down, else upside down.
///
/// ```arc
/// sheet_balance((((1, 0, 0), (1, 0, 0)), (0, 0))) == (((0, 0, 1), (0, 0, 1)), (0, 0))
/// sheet_balance((((1, 1), (0, 0)), (0, 0))) == (((0, 0), (1, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 300)]
pub fn sheet_balance(sheet: &Sheet, out: &mut Sheet) -> Made {
    let way = if leans_sideways(sheet) { Turn::LeftRight } else { Turn::UpDown };
    turn(sheet, way, out)
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
