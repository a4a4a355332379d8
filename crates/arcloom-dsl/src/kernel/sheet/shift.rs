//! The objects of a list moved: each as a rule says.

use crate::kernel::sheet::kin::contact;
use crate::kernel::sheet::rule::{Action, ObjectRule};
use crate::kernel::sheet::{MAX_SIDE, Made, Sheet};
use crate::sheet::way::STEPS;
use crate::sheet::{canvas, list};

/// How an object moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Stays,
    /// To the [`SheetSide`](crate::sheet::way::SheetSide) of this number until it meets the border or something.
    Until(u8),
    /// To the side of this number by its own width or height.
    BySize(u8),
    /// Straight to the first object that stays, until they touch.
    ToFirst,
    /// Until its top row, or left column, is that of the first object that stays.
    TopOfFirst,
    LeftOfFirst,
    /// So many rows down and columns right.
    By(i8, i8),
}

/// How far an object moves by a constant.
pub const FARTHEST: i8 = 7;
const SPAN: Action = 2 * FARTHEST as Action + 1;
/// The number of the first constant move.
const CONSTANTS: Action = 12;

impl Shift {
    /// Those that are no constants.
    pub const NAMED: [Shift; CONSTANTS as usize] = [
        Shift::Stays,
        Shift::Until(0),
        Shift::Until(1),
        Shift::Until(2),
        Shift::Until(3),
        Shift::BySize(0),
        Shift::BySize(1),
        Shift::BySize(2),
        Shift::BySize(3),
        Shift::ToFirst,
        Shift::TopOfFirst,
        Shift::LeftOfFirst,
    ];

    /// Its number as an action of a rule.
    pub fn number(self) -> Action {
        match self {
            Shift::By(down, right) => {
                let at = |n: i8| (n.clamp(-FARTHEST, FARTHEST) + FARTHEST) as Action;
                CONSTANTS + at(down) * SPAN + at(right)
            }
            named => Shift::NAMED.iter().position(|s| *s == named).unwrap_or(0) as Action,
        }
    }

    /// The one of a number.
    pub fn of(number: Action) -> Option<Shift> {
        let Some(constant) = number.checked_sub(CONSTANTS) else {
            return Shift::NAMED.get(usize::from(number)).copied();
        };
        let at = |n: Action| n as i8 - FARTHEST;
        (constant < SPAN * SPAN).then(|| Shift::By(at(constant / SPAN), at(constant % SPAN)))
    }
}

/// The objects of a list after they moved.
pub fn moved(list: &[Sheet], canvas: (usize, usize), shifts: &[Shift]) -> Option<Vec<Sheet>> {
    let mut ground = Sheet::default();
    ground.fill((0, 0), canvas, 0)?;
    let mut out = list.to_vec();
    let first = shifts.iter().position(|s| *s == Shift::Stays).map(|k| &list[k]);
    let mut falling = Vec::new();
    for (k, (thing, shift)) in out.iter_mut().zip(shifts).enumerate() {
        match shift {
            Shift::Until(way) => {
                let (di, dj) = STEPS[usize::from(way & 3)];
                let (south, east) =
                    (thing.top + thing.height as i32, thing.left + thing.width as i32);
                let ahead = [-east, thing.left, -south, thing.top][usize::from(way & 3)];
                falling.push((ahead, k, (di, dj)));
                continue;
            }
            Shift::BySize(way) => {
                let (di, dj) = STEPS[usize::from(way & 3)];
                thing.top += di * thing.height as i32;
                thing.left += dj * thing.width as i32;
            }
            Shift::ToFirst => {
                if let Some(first) = first {
                    approach(thing, first);
                }
            }
            Shift::TopOfFirst => thing.top = first.map_or(thing.top, |f| f.top),
            Shift::LeftOfFirst => thing.left = first.map_or(thing.left, |f| f.left),
            Shift::By(down, right) => {
                thing.top += i32::from(*down);
                thing.left += i32::from(*right);
            }
            Shift::Stays => {}
        }
        canvas::lay_on(thing, &mut ground, false);
    }
    falling.sort_unstable();
    for (_, k, (di, dj)) in falling {
        let thing = &mut out[k];
        for _ in 0..MAX_SIDE {
            if !is_free(thing, (di, dj), &ground) {
                break;
            }
            (thing.top, thing.left) = (thing.top + di, thing.left + dj);
        }
        canvas::lay_on(thing, &mut ground, false);
    }
    Some(out)
}

/// Whether an object can go one step further on a background.
fn is_free(thing: &Sheet, (di, dj): (i32, i32), ground: &Sheet) -> bool {
    let (h, w) = (ground.height as i32, ground.width as i32);
    (0..thing.height).all(|i| {
        thing.row(i).iter().enumerate().all(|(j, &c)| {
            let (y, x) = (thing.top + i as i32 + di, thing.left + j as i32 + dj);
            c == 0 || (0..h).contains(&y) && (0..w).contains(&x) && ground.get(y, x) == 0
        })
    })
}

/// Moves an object straight to another one until they touch, if it can.
fn approach(thing: &mut Sheet, other: &Sheet) {
    let end = |s: &Sheet| (s.top + s.height as i32, s.left + s.width as i32);
    let in_rows = thing.top < end(other).0 && other.top < end(thing).0;
    let in_columns = thing.left < end(other).1 && other.left < end(thing).1;
    let (di, dj) = match (in_rows, in_columns) {
        (true, false) => (0, (other.left - thing.left).signum()),
        (false, true) => ((other.top - thing.top).signum(), 0),
        _ => return,
    };
    let start = (thing.top, thing.left);
    for _ in 0..MAX_SIDE {
        if contact(thing, other, false) > 0 {
            return;
        }
        (thing.top, thing.left) = (thing.top + di, thing.left + dj);
    }
    (thing.top, thing.left) = start;
}

/// All objects of a list on one sheet after they moved as a rule says; its actions are numbers of
/// [`Shift`]s. Those with fewer cells are on top.
pub fn paint(list: &[Sheet], canvas: (usize, usize), rule: &ObjectRule, out: &mut Sheet) -> Made {
    let actions = rule.actions(list, canvas);
    let shifts: Option<Vec<Shift>> = actions.into_iter().map(Shift::of).collect();
    list::overlaid(&moved(list, canvas, &shifts?)?, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;
    use crate::sheet::split::split_blobs;

    #[test]
    fn things_move_until_they_meet_something() {
        let mut list = Vec::new();
        let picture = sheet(&["1.3..", ".....", ".....", "2222."]);
        split_blobs(&picture, &mut list).expect("things");
        let places = |shifts: [Shift; 3]| {
            let things = moved(&list, (4, 5), &shifts).expect("moved");
            things.iter().map(|s| (s.top, s.left)).collect::<Vec<_>>()
        };
        let falls = [Shift::Until(2), Shift::ToFirst, Shift::Stays];
        assert_eq!(places(falls), [(2, 0), (2, 2), (3, 0)]);
        let right = [Shift::Until(0), Shift::Until(0), Shift::BySize(3)];
        assert_eq!(places(right), [(0, 3), (0, 4), (2, 0)]);
        let aside = [Shift::By(-1, 2), Shift::TopOfFirst, Shift::Stays];
        assert_eq!(places(aside), [(-1, 2), (3, 2), (3, 0)]);
    }

    #[test]
    fn every_shift_has_its_number() {
        for number in 0..=999 {
            assert!(Shift::of(number).is_none_or(|s| s.number() == number));
        }
        assert_eq!(Shift::of(Shift::By(-7, 7).number()), Some(Shift::By(-7, 7)));
        assert_eq!(Shift::of(Shift::By(7, 7).number()), Some(Shift::By(7, 7)));
    }
}
