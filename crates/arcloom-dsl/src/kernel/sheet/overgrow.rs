//! Cell by cell, again and again: rules that paint a cell by what is near it, until nothing changes.

use crate::kernel::sheet::decide::{OUTSIDE, near};
use crate::kernel::sheet::{Made, Sheet};

/// As the colour of a condition: any colour but 0, inside of the sheet.
pub const VISIBLE: u8 = 11;

/// What a rule paints is written as a number: colours as they are, from this one on the conditions whose
/// cell's colour it is.
pub const COPIES: i64 = 10;

/// A cell of the colour `own` for which all conditions hold is painted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GrowRule {
    pub own: u8,
    pub near: Vec<Near>,
    pub paint: Paint,
}

/// The cell so many rows down and columns right has this colour; [`OUTSIDE`] and [`VISIBLE`] are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    pub by: (i8, i8),
    pub color: u8,
}

/// What a cell is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    Color(u8),
    /// The colour of the cell that the condition of this number speaks of.
    Copy(usize),
}

impl GrowRule {
    /// What the rule paints the cell with, if anything; what would leave it as it is does not count.
    fn paints(&self, s: &Sheet, i: i32, j: i32) -> Option<u8> {
        let holds = |near_by: &Near| {
            let there = near(s, i, j, near_by.by);
            there == near_by.color || near_by.color == VISIBLE && there != 0 && there != OUTSIDE
        };
        if near(s, i, j, (0, 0)) != self.own || !self.near.iter().all(holds) {
            return None;
        }
        let color = match self.paint {
            Paint::Color(color) => color,
            Paint::Copy(number) => near(s, i, j, self.near.get(number)?.by),
        };
        (color != self.own && color < OUTSIDE).then_some(color)
    }
}

/// The sheet painted by the rules until nothing changes. All cells are looked at before any is painted; of the
/// rules for a cell the first counts, and a cell that was painted is not painted again.
pub fn overgrow(s: &Sheet, rules: &[GrowRule], out: &mut Sheet) -> Made {
    out.copy_from(s);
    let (height, width) = (s.height as i32, s.width as i32);
    let mut reach: Vec<(i8, i8)> = rules.iter().flat_map(|r| &r.near).map(|n| n.by).collect();
    reach.sort_unstable();
    reach.dedup();
    let mut painted = vec![false; s.cells.len()];
    let mut looked = vec![0usize; s.cells.len()];
    let mut look: Vec<usize> = (0..s.cells.len()).collect();
    let mut changes: Vec<(usize, u8)> = Vec::new();
    // Every round but the last paints a cell, and after the first only cells near a new one are looked at.
    for round in 1.. {
        changes.clear();
        for &at in look.iter().filter(|&&at| !painted[at]) {
            let (i, j) = (at as i32 / width, at as i32 % width);
            let color = rules.iter().find_map(|rule| rule.paints(out, i, j));
            changes.extend(color.map(|color| (at, color)));
        }
        if changes.is_empty() {
            break;
        }
        look.clear();
        for &(at, color) in &changes {
            (out.cells[at], painted[at]) = (color, true);
        }
        for &(at, _) in &changes {
            for by in &reach {
                let i = at as i32 / width - i32::from(by.0);
                let j = at as i32 % width - i32::from(by.1);
                if (0..height).contains(&i) && (0..width).contains(&j) {
                    let seen = &mut looked[(i * width + j) as usize];
                    if *seen != round {
                        *seen = round;
                        look.push((i * width + j) as usize);
                    }
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    fn rule(own: u8, near: &[((i8, i8), u8)], paint: Paint) -> GrowRule {
        let near = near.iter().map(|&(by, color)| Near { by, color }).collect();
        GrowRule { own, near, paint }
    }

    #[test]
    fn lines_grow_until_they_meet_something() {
        let right = rule(0, &[((0, -1), VISIBLE)], Paint::Copy(0));
        let mut out = Sheet::default();
        overgrow(&sheet(&["2..5.", "....."]), std::slice::from_ref(&right), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["22255", "....."]));
        // At the border a line turns.
        let down = rule(0, &[((-1, 0), 5), ((0, 1), OUTSIDE)], Paint::Color(3));
        overgrow(&sheet(&["2..5.", "....."]), &[right, down], &mut out).expect("made");
        assert_eq!(out, sheet(&["22255", "....3"]));
    }

    #[test]
    fn a_painted_cell_stays_and_the_first_rule_counts() {
        let there = rule(1, &[], Paint::Color(2));
        let back = rule(2, &[], Paint::Color(1));
        let never = rule(1, &[], Paint::Color(7));
        let mut out = Sheet::default();
        overgrow(&sheet(&["12"]), &[there, back, never], &mut out).expect("made");
        assert_eq!(out, sheet(&["21"]));
        // What cannot be copied is not painted.
        let outside = rule(1, &[((0, 1), OUTSIDE)], Paint::Copy(0));
        overgrow(&sheet(&["1"]), &[outside, rule(1, &[], Paint::Copy(4))], &mut out).expect("made");
        assert_eq!(out, sheet(&["1"]));
    }

    #[test]
    fn looking_at_changed_places_only_misses_nothing() {
        // Against all cells in every round.
        let rules = [
            rule(0, &[((-1, -1), VISIBLE), ((0, 2), 0)], Paint::Copy(0)),
            rule(0, &[((0, 2), 3)], Paint::Color(4)),
            rule(4, &[((-2, 0), OUTSIDE), ((1, 0), 2)], Paint::Color(3)),
        ];
        for seed in 0..200usize {
            let cell = |at: usize| [0, 0, 0, 2, 3, 0, 4][(at * at * 3 + at * seed + seed / 3) % 7];
            let start = Sheet::new(6, 7, (0..42).map(cell).collect()).expect("a rectangle");
            let mut slow = start.clone();
            loop {
                let before = slow.clone();
                for at in (0..42).filter(|&at| before.cells[at] == start.cells[at]) {
                    let (i, j) = (at as i32 / 7, at as i32 % 7);
                    let color = rules.iter().find_map(|rule| rule.paints(&before, i, j));
                    slow.cells[at] = color.unwrap_or(slow.cells[at]);
                }
                if slow == before {
                    break;
                }
            }
            let mut fast = Sheet::default();
            overgrow(&start, &rules, &mut fast).expect("made");
            assert_eq!(fast, slow, "{start:?}");
        }
    }
}
