//! Cell by cell: a tree of questions about the colours near a cell.

use crate::kernel::sheet::{Made, Sheet};

/// The colour of what lies outside of a sheet, as questions see it.
pub const OUTSIDE: u8 = 10;

/// Leaves are written as numbers: colours as they are, from this one on the sheets whose colour it is.
pub const COPIES: i64 = 10;

/// How many rows and columns a question may look away.
pub const FARTHEST: i8 = 30;

/// What the colour of a cell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// This one.
    Color(u8),
    /// The one that the sheet of this number has there.
    Same(usize),
    /// It depends.
    Ask(CellQuestion, Box<Tree>, Box<Tree>),
}

/// Whether a cell near a cell has a colour: if so the first tree of [`Tree::Ask`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellQuestion {
    /// The sheet that is looked at.
    pub sheet: usize,
    /// Rows down and columns right.
    pub by: (i8, i8),
    pub color: u8,
}

/// The sheet that has in every cell what the tree says, where the first of the sheets lies. `None` when
/// there are no sheets, they differ in size, or the tree speaks of one that is not there.
pub fn decide(sheets: &[Sheet], tree: &Tree, out: &mut Sheet) -> Made {
    let first = sheets.first()?;
    if sheets.iter().any(|s| s.size() != first.size()) {
        return None;
    }
    out.blank_like(first);
    let width = first.width.max(1);
    for at in 0..out.cells.len() {
        out.cells[at] = color(sheets, tree, (at / width) as i32, (at % width) as i32)?;
    }
    Some(())
}

fn color(sheets: &[Sheet], mut tree: &Tree, i: i32, j: i32) -> Option<u8> {
    loop {
        match tree {
            Tree::Color(color) => return Some(*color),
            Tree::Same(number) => return Some(near(sheets.get(*number)?, i, j, (0, 0))),
            Tree::Ask(question, yes, no) => {
                let there = near(sheets.get(question.sheet)?, i, j, question.by);
                tree = if there == question.color { yes } else { no };
            }
        }
    }
}

/// The colour so far from a cell, counted within the sheet.
pub fn near(s: &Sheet, i: i32, j: i32, by: (i8, i8)) -> u8 {
    let (i, j) = (i + i32::from(by.0), j + i32::from(by.1));
    let inside = (0..s.height as i32).contains(&i) && (0..s.width as i32).contains(&j);
    if inside { s.at(i as usize, j as usize) } else { OUTSIDE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn cells_are_decided_by_their_neighbours() {
        let ask = |by, color, yes, no| {
            Tree::Ask(CellQuestion { sheet: 0, by, color }, Box::new(yes), Box::new(no))
        };
        let right = ask((0, 1), 2, Tree::Color(3), Tree::Same(1));
        let tree = ask((1, 0), OUTSIDE, right, Tree::Color(5));
        let sheets = [sheet(&["..", ".2"]), sheet(&["44", "47"])];
        let mut out = Sheet::default();
        decide(&sheets, &tree, &mut out).expect("made");
        assert_eq!(out, sheet(&["55", "37"]));
        assert_eq!(decide(&sheets[..1], &tree, &mut out), None);
        assert_eq!(decide(&[sheet(&["1"]), sheet(&["12"])], &tree, &mut out), None);
        assert_eq!(decide(&[], &tree, &mut out), None);
    }
}
