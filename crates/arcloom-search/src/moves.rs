//! Rules by which objects move, learned from the demos.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::rule::{Action, ObjectPart};
use arcloom_dsl::kernel::sheet::shift::{FARTHEST, Shift, moved};

use crate::grow::ChainGrowth;
use crate::recolor::{LONGEST, lists};
use crate::steps::{Item, Step};
use crate::things::{Known, MOST_WORK};

/// Constant moves that are looked at.
const CONSTANTS: usize = 12;

/// Adds to a growth, for every list, what the shortest rules for moves make of its objects.
pub fn add_rules(growth: &mut ChainGrowth, targets: &[Sheet], work: &mut u64) {
    let limit = *work + MOST_WORK;
    for node in lists(growth) {
        if *work > limit {
            return;
        }
        if let Some(known) = moves(growth, node, targets, work) {
            known.attach(growth, node, ObjectPart::Whole, Step::Move, work);
        }
    }
}

/// Whether objects that move can be the output: it has as many cells of each colour as the input.
pub fn may_help(inputs: &[&Sheet], targets: &[Sheet]) -> bool {
    let counts = |s: &Sheet| {
        let mut counts = [0u32; 16];
        s.cells().iter().for_each(|&c| counts[usize::from(c & 15)] += 1);
        counts
    };
    let mut pairs = inputs.iter().zip(targets);
    let moved = |(input, target): (&&Sheet, &Sheet)| counts(input) == counts(target);
    pairs.all(moved) && inputs.iter().zip(targets).any(|(i, t)| i.cells() != t.cells())
}

/// The shifts that explain where objects are in the outputs.
fn moves(growth: &ChainGrowth, node: u32, targets: &[Sheet], work: &mut u64) -> Option<Known> {
    let mut shifts: Vec<Shift> = Shift::NAMED.to_vec();
    shifts.extend(constants(growth, node, targets, work)?);
    let order: Vec<(Action, u16)> =
        shifts.iter().map(|s| (s.number(), 2 * u16::from(*s != Shift::Stays))).collect();
    Known::new(growth, node, targets.len(), order, Shift::Stays.number(), |k, list, _| {
        let target = &targets[k];
        let canvas = (target.height(), target.width());
        let stays: Vec<bool> = list.iter().map(|s| lies(s, target)).collect();
        let mut explained = vec![Vec::new(); list.len()];
        for &shift in &shifts {
            *work += list.iter().map(|s| s.cells().len() as u64 + 8).sum::<u64>();
            // Objects that stay do, the others move.
            let all: Vec<Shift> =
                stays.iter().map(|stays| if *stays { Shift::Stays } else { shift }).collect();
            let after = moved(list, canvas, &all)?;
            for (m, is) in explained.iter_mut().enumerate() {
                is.push(match stays[m] {
                    true => shift == Shift::Stays,
                    false => shift != Shift::Stays && lies(&after[m], target),
                });
            }
        }
        Some(explained)
    })
}

/// The constant moves that explain objects which do not stay, each of an object with few of them; those with the
/// least numbers when there are many.
fn constants(
    growth: &ChainGrowth,
    node: u32,
    targets: &[Sheet],
    work: &mut u64,
) -> Option<Vec<Shift>> {
    let mut found = Vec::new();
    for (k, target) in targets.iter().enumerate() {
        let Item::Many(list) = growth.item(node, k) else { return None };
        if list.len() > LONGEST {
            return None;
        }
        for thing in list.iter().filter(|s| !lies(s, target)) {
            let start = found.len();
            let mut copy = thing.clone();
            let by = || -FARTHEST..=FARTHEST;
            *work += 225 + thing.cells().len() as u64;
            for (down, right) in by().flat_map(|i| by().map(move |j| (i, j))) {
                copy.top = thing.top + i32::from(down);
                copy.left = thing.left + i32::from(right);
                if lies(&copy, target) {
                    found.push(Shift::By(down, right));
                }
            }
            if found.len() - start <= CONSTANTS / 2 {
                found.sort_by_key(|s| s.number());
                found.dedup();
            } else {
                found.truncate(start);
            }
            if found.len() > CONSTANTS {
                found.truncate(CONSTANTS);
                return Some(found);
            }
        }
    }
    Some(found)
}

/// Whether an object is there in a picture.
fn lies(thing: &Sheet, picture: &Sheet) -> bool {
    (0..thing.height()).all(|i| {
        let (row, top) = (thing.row(i), thing.top + i as i32);
        (0..).zip(row).all(|(j, &c)| c == 0 || picture.get(top, thing.left + j) == c)
    })
}
