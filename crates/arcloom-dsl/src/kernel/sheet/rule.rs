//! Rules for the objects of a list: lines of questions, and what becomes of the objects they hold for.

use crate::kernel::sheet::kin::{self, Kin};
use crate::kernel::sheet::property::{self, Property};
use crate::kernel::sheet::recolor::{SAME, ranks};
use crate::kernel::sheet::{Made, Sheet};
use crate::sheet::measure::majority;
use crate::sheet::{list, shape};

/// What is painted of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectPart {
    /// Itself.
    Whole,
    /// What it encloses.
    Holes,
    /// What is transparent in its frame.
    Gaps,
    /// The cells around it.
    Halo,
    /// What is not on its outline.
    Core,
}

impl ObjectPart {
    /// All of them; programs say their number.
    pub const ALL: [ObjectPart; 5] = [
        ObjectPart::Whole,
        ObjectPart::Holes,
        ObjectPart::Gaps,
        ObjectPart::Halo,
        ObjectPart::Core,
    ];

    /// The part of an object; what is not its own cells in its most frequent colour.
    pub fn of(self, s: &Sheet, out: &mut Sheet) -> Made {
        match self {
            ObjectPart::Whole => {
                out.copy_from(s);
                Some(())
            }
            ObjectPart::Holes => shape::sheet_holes(s, out),
            ObjectPart::Gaps => {
                let color = majority(s);
                out.place_like(s);
                out.cells.clear();
                out.cells.extend(s.cells.iter().map(|&c| if c == 0 { color } else { 0 }));
                Some(())
            }
            ObjectPart::Halo => {
                let mut wide = Sheet::default();
                let size = (s.height + 2, s.width + 2);
                wide.fill((s.top - 1, s.left - 1), size, 0)?;
                for i in 0..s.height {
                    let start = (i + 1) * size.1 + 1;
                    wide.cells[start..start + s.width].copy_from_slice(s.row(i));
                }
                shape::sheet_halo(&wide, out)?;
                let color = majority(s);
                out.cells.iter_mut().filter(|c| **c != 0).for_each(|c| *c = color);
                Some(())
            }
            ObjectPart::Core => shape::sheet_core(s, out),
        }
    }
}

/// How a property is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Is,
    AtLeast,
    Below,
    /// The largest of the list, or not.
    Largest,
    NotLargest,
    /// The smallest of the list, or not.
    Smallest,
    NotSmallest,
}

impl How {
    /// All of them; programs say their number.
    pub const ALL: [How; 7] = [
        How::Is,
        How::AtLeast,
        How::Below,
        How::Largest,
        How::NotLargest,
        How::Smallest,
        How::NotSmallest,
    ];
}

/// A question about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectQuestion {
    pub property: Property,
    pub how: How,
    pub value: i16,
}

impl ObjectQuestion {
    /// Whether it holds, for all objects of a list with these values of its property.
    pub fn holds(self, values: &[i32]) -> Vec<bool> {
        let value = i32::from(self.value);
        let ranked = |last: bool| {
            let ranks = ranks(values);
            let wanted = if last { ranks.iter().copied().max().unwrap_or(0) } else { 0 };
            ranks.into_iter().map(move |r| r == wanted).collect::<Vec<bool>>()
        };
        let not = |held: Vec<bool>| held.into_iter().map(|h| !h).collect();
        match self.how {
            How::Is => values.iter().map(|v| *v == value).collect(),
            How::AtLeast => values.iter().map(|v| *v >= value).collect(),
            How::Below => values.iter().map(|v| *v < value).collect(),
            How::Largest => ranked(false),
            How::NotLargest => not(ranked(false)),
            How::Smallest => ranked(true),
            How::NotSmallest => not(ranked(true)),
        }
    }
}

/// What becomes of an object: its colour, 0 when it goes, [`SAME`] when it stays as it is, beyond that the
/// number of a [`Kin`] from which it takes its colour. Without such a kin it stays as it is. For moves it is the number of
/// a [`Shift`](super::shift::Shift), for rays that of a [`Ray`](super::beam::Ray).
pub type Action = u16;

/// [`SAME`] as an action.
pub const KEPT: Action = SAME as Action;

/// Actions that there are.
pub const ACTIONS: usize = SAME as usize + 1 + Kin::ALL.len();

/// Lines of questions: of the first line that holds for an object the action counts, else the last action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRule {
    pub part: ObjectPart,
    len: u8,
    lines: [(ObjectQuestion, Action); ObjectRule::MOST],
    pub last: Action,
}

impl ObjectRule {
    /// Lines at most.
    pub const MOST: usize = 4;

    /// A rule without lines.
    pub fn new(part: ObjectPart, last: Action) -> ObjectRule {
        let none = ObjectQuestion { property: Property::Color, how: How::Is, value: 0 };
        ObjectRule { part, len: 0, lines: [(none, KEPT); ObjectRule::MOST], last }
    }

    /// The lines.
    pub fn lines(&self) -> &[(ObjectQuestion, Action)] {
        &self.lines[..usize::from(self.len)]
    }

    /// Adds a line; `None` when there is no room.
    pub fn push(&mut self, question: ObjectQuestion, action: Action) -> Made {
        *self.lines.get_mut(usize::from(self.len))? = (question, action);
        self.len += 1;
        Some(())
    }

    /// For every object of a list the number of the first line that holds for it; the number of lines where
    /// none does.
    pub fn lines_met(&self, list: &[Sheet], canvas: (usize, usize)) -> Vec<usize> {
        let mut met = vec![self.lines().len(); list.len()];
        for (number, (question, _)) in self.lines().iter().enumerate() {
            let values = property::values(list, question.property, canvas);
            for (first, holds) in met.iter_mut().zip(question.holds(&values)) {
                if holds {
                    *first = number.min(*first);
                }
            }
        }
        met
    }

    /// The action for every object of a list.
    pub fn actions(&self, list: &[Sheet], canvas: (usize, usize)) -> Vec<Action> {
        let action = |number: usize| self.lines().get(number).map_or(self.last, |line| line.1);
        self.lines_met(list, canvas).into_iter().map(action).collect()
    }
}

/// The parts of all objects of a list on one sheet, each as the rule says; those with fewer cells are on
/// top. `None` when nothing is left or an action is none.
pub fn paint(list: &[Sheet], canvas: (usize, usize), rule: &ObjectRule, out: &mut Sheet) -> Made {
    let actions = rule.actions(list, canvas);
    let mut painted: Vec<Sheet> = Vec::with_capacity(list.len());
    let mut kin: Vec<Option<Vec<Option<u8>>>> = vec![None; Kin::ALL.len()];
    for (k, (s, &action)) in list.iter().zip(&actions).enumerate() {
        if action == 0 {
            continue;
        }
        let color = match action {
            1..=9 => Some(action as u8),
            KEPT => None,
            _ => {
                let number = usize::from(action - KEPT - 1);
                let which = *Kin::ALL.get(number)?;
                kin[number].get_or_insert_with(|| kin::colors(list, which))[k]
            }
        };
        let (mut part, mut dyed) = (Sheet::default(), Sheet::default());
        rule.part.of(s, &mut part)?;
        kin::dyed(&part, color, &mut dyed)?;
        painted.push(dyed);
    }
    list::overlaid(&painted, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;
    use crate::sheet::split::split_blobs;

    #[test]
    fn the_first_line_that_holds_counts() {
        let mut list = Vec::new();
        let picture = sheet(&["111.7", "1.1..", "111.2", "....2"]);
        split_blobs(&picture, &mut list).expect("things");
        let mut rule = ObjectRule::new(ObjectPart::Whole, KEPT);
        let largest = ObjectQuestion { property: Property::ALL[0], how: How::Largest, value: 0 };
        let upright = ObjectQuestion { property: Property::Upright, how: How::Is, value: 2 };
        rule.push(largest, KEPT + 1 + Kin::Smallest as Action).expect("room");
        rule.push(upright, 0).expect("room");
        let mut out = Sheet::default();
        paint(&list, (4, 5), &rule, &mut out).expect("made");
        assert_eq!(out, sheet(&["777.7", "7.7..", "777.."]));
        let mut rule = ObjectRule::new(ObjectPart::Holes, 4);
        rule.push(ObjectQuestion { property: Property::HoleParts, how: How::Is, value: 0 }, 0)
            .expect("room");
        paint(&list, (4, 5), &rule, &mut out).expect("made");
        assert_eq!(out, sheet(&["...", ".4.", "..."]));
    }
}
