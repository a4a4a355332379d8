//! Cases: some demos come out by one plan, the others by another, and a property of the whole input says
//! by which.
//!
//! A plan is a stack that fits some of the demos, or a picture that is the output of several of them. A
//! property has a value on every input: a measure of what a cheap chain makes, its shape, whether it has a
//! colour, whether two chains make the same. Demos of one value go together, and every test has a value
//! that the demos know, or lies on one side of a threshold.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::sheet::color;
use arcloom_dsl::sheet::measure::Measure;

use crate::compose::{OPEN, Stack};
use crate::grow::ChainGrowth;
use crate::pieces::Pieces;
use crate::plan::{Key, KeyValue};
use crate::steps::Item;

/// What may be done in a case.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The demos that come out, one bit each.
    pub fits: u32,
    pub cost: u16,
    pub made: ArmSource,
}

impl Arm {
    fn is_stack(&self) -> bool {
        matches!(self.made, ArmSource::Stack(_))
    }
}

/// How an arm makes its picture.
#[derive(Clone, Debug)]
pub enum ArmSource {
    Stack(Stack),
    Constant(Sheet),
}

/// Arms and what says which of them is taken.
#[derive(Clone, Debug)]
pub struct FoundCases {
    pub key: Key,
    /// The values of the key for which all arms but the last are taken.
    pub whens: Vec<Vec<KeyValue>>,
    pub arms: Vec<Arm>,
    /// For every input the number of its arm.
    pub taken: Vec<usize>,
    pub cost: u16,
}

/// Chains that are looked at: so many that make one sheet, and so many that make a list.
const SHEETS: usize = 150;
const LISTS: usize = 30;
/// Chains that are compared with each other.
const COMPARED: usize = 40;
/// Sheets with more cells are no values.
const LARGEST: usize = 100;
/// Arms with different sets of demos.
const MOST_ARMS: usize = 64;
/// Ways to give groups of demos to arms that are looked at for one property.
const MOST_COVERS: usize = 2_000;
/// Answers at most.
const MOST_FOUND: usize = 8;
/// What a decision costs besides its key and its arms.
const PRICE: u16 = 10;
/// What a picture costs that is the output of several demos, and of one demo.
const CONSTANT: u16 = 5;
const LONE_CONSTANT: u16 = 15;
/// What it costs besides that an arm is a stack: some property always parts a few demos. On training tasks
/// one of four such decisions is right, while all between pictures are.
const STACKS: u16 = 100;
/// What a demo costs that is the only one with its value.
const ALONE: u16 = 10;
/// What the kinds of keys cost besides their chains.
const PER_KEY: u16 = 5;
/// More expensive decisions are not kept.
const DEAREST: u16 = 160;

/// A property on all inputs.
struct Property {
    key: Key,
    cost: u16,
    /// For every input the number of its value.
    labels: Vec<u16>,
    /// The values by number.
    values: Vec<KeyValue>,
}

/// Decisions that explain all demos, the cheapest first.
pub fn cases(
    growth: &ChainGrowth,
    targets: &[Sheet],
    stacks: Vec<Arm>,
    work: &mut u64,
) -> Vec<FoundCases> {
    let arms = arms(targets, stacks);
    if arms.len() < 2
        || arms.iter().fold(0, |m, a| m | a.fits).count_ones() as usize != targets.len()
    {
        return Vec::new();
    }
    let mut found: Vec<FoundCases> = Vec::new();
    for property in properties(growth, targets.len(), work) {
        found.extend(cover(&property, &arms, targets.len(), work));
    }
    found.sort_by_key(|c| (c.cost, c.arms.len()));
    found.truncate(MOST_FOUND);
    found
}

/// The output on one input.
pub fn paint(
    growth: &ChainGrowth,
    pieces: &Pieces,
    found: &FoundCases,
    input: usize,
) -> Option<Sheet> {
    match &found.arms[found.taken[input]].made {
        ArmSource::Constant(sheet) => Some(sheet.clone()),
        ArmSource::Stack(stack) => {
            let ((height, width), mut cells) = pieces.paint(growth, stack, input)?;
            cells.iter_mut().filter(|c| **c == OPEN).for_each(|c| *c = 0);
            Sheet::new(height, width, cells)
        }
    }
}

/// The cheapest arm for each set of demos, and the outputs themselves where all have one size.
fn arms(targets: &[Sheet], stacks: Vec<Arm>) -> Vec<Arm> {
    let all = (1u32 << targets.len()) - 1;
    let mut best: BTreeMap<(bool, u32), Arm> = BTreeMap::new();
    for arm in stacks.into_iter().filter(|a| a.fits != all && a.fits.count_ones() > 1) {
        let known = best.entry((false, arm.fits)).or_insert_with(|| arm.clone());
        if arm.cost < known.cost {
            *known = arm;
        }
    }
    let size = |s: &Sheet| (s.height(), s.width());
    if targets.iter().all(|t| size(t) == size(&targets[0])) {
        let same = |t: &Sheet| {
            let equal = targets.iter().enumerate().filter(|(_, o)| o.cells() == t.cells());
            equal.fold(0u32, |m, (k, _)| m | 1 << k)
        };
        let distinct =
            targets.iter().enumerate().filter(|(k, t)| same(t).trailing_zeros() as usize == *k);
        let distinct: Vec<(u32, &Sheet)> = distinct.map(|(_, t)| (same(t), t)).collect();
        // A picture for one demo means something only where most outputs come again.
        let few = 3 * distinct.len() <= 2 * targets.len() && distinct.len() + 2 <= targets.len();
        for (fits, target) in distinct {
            let lone = fits.count_ones() == 1;
            if fits != all && (few || !lone) {
                let cost = if lone { LONE_CONSTANT } else { CONSTANT };
                let made = ArmSource::Constant(target.clone());
                best.insert((true, fits), Arm { fits, cost, made });
            }
        }
    }
    let mut arms: Vec<Arm> = best.into_values().collect();
    arms.sort_by_key(|a| a.cost);
    arms.truncate(MOST_ARMS);
    arms
}

/// The properties of the inputs that differ, the cheapest of those that are the same.
fn properties(growth: &ChainGrowth, demos: usize, work: &mut u64) -> Vec<Property> {
    let mut order: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    order.sort_by_key(|&n| growth.nodes[n as usize].cost);
    let of_kind = |list: bool, most: usize| {
        order.iter().copied().filter(move |&n| growth.nodes[n as usize].is_list == list).take(most)
    };
    let mut best: BTreeMap<Vec<u16>, Property> = BTreeMap::new();
    let mut offer = |property: Property| {
        let known_tests =
            property.labels[demos..].iter().all(|l| property.labels[..demos].contains(l));
        let differs = property.labels[..demos].iter().any(|l| *l != property.labels[0]);
        if known_tests
            && differs
            && best.get(&property.labels).is_none_or(|b| property.cost < b.cost)
        {
            best.insert(property.labels.clone(), property);
        }
    };
    let sheets: Vec<u32> = of_kind(false, SHEETS).collect();
    for &node in &sheets {
        let own = growth.nodes[node as usize].cost + PER_KEY;
        let Some(values) = sheets_of(growth, node) else { continue };
        let cells: usize = values.iter().map(|s| s.cells().len()).sum();
        *work += 12 * cells as u64;
        for &by in Measure::ALL {
            let numbers: Vec<i32> = values.iter().map(|s| by.of(s)).collect();
            by_numbers(Key::Measure(growth.chain(node), by), own, &numbers, demos, &mut offer);
        }
        for c in 0..10u8 {
            let numbers: Vec<i32> =
                values.iter().map(|s| i32::from(s.cells().contains(&c))).collect();
            by_numbers(Key::Has(growth.chain(node), c), own, &numbers, demos, &mut offer);
        }
        if values.iter().all(|s| s.cells().len() <= LARGEST) {
            let mut shape = Sheet::default();
            let shapes =
                values.iter().map(|s| color::sheet_dye(s, 1, &mut shape).map(|()| bare(&shape)));
            if let Some(shapes) = shapes.collect() {
                offer(by_sheets(Key::Shape(growth.chain(node)), own + PER_KEY, shapes));
            }
            let pictures = values.iter().map(|s| bare(s)).collect();
            offer(by_sheets(Key::Picture(growth.chain(node)), own, pictures));
        }
    }
    for node in of_kind(true, LISTS) {
        let length = |k| match growth.item(node, k) {
            Item::Many(list) => list.len() as i32,
            Item::One(_) => 1,
        };
        let numbers: Vec<i32> = (0..growth.inputs()).map(length).collect();
        let own = growth.nodes[node as usize].cost + PER_KEY;
        by_numbers(Key::Length(growth.chain(node)), own, &numbers, demos, &mut offer);
    }
    let compared = &sheets[..sheets.len().min(COMPARED)];
    for (at, &one) in compared.iter().enumerate() {
        for &other in &compared[at + 1..] {
            let (a, b) = (growth.ids(one), growth.ids(other));
            let numbers: Vec<i32> = a.iter().zip(b).map(|(a, b)| i32::from(a == b)).collect();
            if numbers.iter().all(|n| *n == numbers[0]) {
                continue;
            }
            let own = growth.nodes[one as usize].cost + growth.nodes[other as usize].cost + PER_KEY;
            let key = Key::Same(growth.chain(one), growth.chain(other));
            by_numbers(key, own, &numbers, demos, &mut offer);
        }
    }
    *work += (compared.len() * compared.len() * growth.inputs()) as u64;
    best.into_values().collect()
}

fn sheets_of(growth: &ChainGrowth, node: u32) -> Option<Vec<&Sheet>> {
    let sheet = |k| match growth.item(node, k) {
        Item::One(s) => Some(s),
        Item::Many(_) => None,
    };
    (0..growth.inputs()).map(sheet).collect()
}

/// A sheet wherever it lies.
fn bare(s: &Sheet) -> Sheet {
    let mut bare = s.clone();
    (bare.top, bare.left) = (0, 0);
    bare
}

/// The number of each value, and the values by number.
fn numbered<V: PartialEq>(all: Vec<V>) -> (Vec<u16>, Vec<V>) {
    let mut values: Vec<V> = Vec::new();
    let mut labels = Vec::new();
    for value in all {
        let known = values.iter().position(|v| *v == value);
        labels.push(known.unwrap_or(values.len()) as u16);
        if known.is_none() {
            values.push(value);
        }
    }
    (labels, values)
}

fn by_sheets(key: Key, cost: u16, sheets: Vec<Sheet>) -> Property {
    let (labels, values) = numbered(sheets);
    let values = values.into_iter().map(KeyValue::Picture).collect();
    Property { key, cost, labels, values }
}

/// Offers a number by its values and by thresholds between those of the demos.
fn by_numbers(
    key: Key,
    cost: u16,
    numbers: &[i32],
    demos: usize,
    offer: &mut impl FnMut(Property),
) {
    let mut sorted = numbers[..demos].to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < 2 {
        return;
    }
    if sorted.len() > 2 {
        for pair in sorted.windows(2) {
            if numbers.iter().any(|n| (pair[0] + 1..pair[1]).contains(n)) {
                continue;
            }
            let (labels, sides) = numbered(numbers.iter().map(|n| *n > pair[0]).collect());
            let values = sides.into_iter().map(|above| KeyValue::Number(above.into())).collect();
            let key = Key::Above(Box::new(key.clone()), pair[0]);
            offer(Property { key, cost: cost + PER_KEY, labels, values });
        }
    }
    let (labels, values) = numbered(numbers.to_vec());
    let values = values.into_iter().map(KeyValue::Number).collect();
    offer(Property { key, cost, labels, values });
}

/// A search for the cheapest arms for groups of demos.
struct Cover<'a> {
    groups: Vec<u32>,
    arms: &'a [Arm],
    /// For every group the number of its arm, as far as they are given.
    given: Vec<usize>,
    best: Option<(u16, Vec<usize>)>,
    left: usize,
}

impl Cover<'_> {
    /// Gives the groups from `self.given.len()` on to arms; `cost` is that of the arms so far.
    fn go(&mut self, cost: u16) {
        let Some(&group) = self.groups.get(self.given.len()) else {
            let better = self.best.as_ref().is_none_or(|(least, _)| cost < *least);
            if better && self.is_sound() {
                self.best = Some((cost, self.given.clone()));
            }
            return;
        };
        for (number, arm) in self.arms.iter().enumerate() {
            if arm.fits & group != group || self.left == 0 {
                continue;
            }
            self.left -= 1;
            let has_stack = self.given.iter().any(|&n| self.arms[n].is_stack());
            let mut more = if self.given.contains(&number) { 0 } else { arm.cost };
            if arm.is_stack() && !has_stack {
                more += STACKS;
            }
            let total = cost.saturating_add(more);
            let dearest = self.best.as_ref().map_or(DEAREST + 1, |(least, _)| *least);
            if total >= dearest {
                continue;
            }
            self.given.push(number);
            self.go(total);
            self.given.pop();
        }
    }

    /// Whether there is something to decide, and every stack is for two demos or more: for one alone it
    /// explains nothing.
    fn is_sound(&self) -> bool {
        let of = |arm: usize| self.groups.iter().zip(&self.given).filter(move |(_, a)| **a == arm);
        let demos = |arm: usize| of(arm).map(|(group, _)| group.count_ones()).sum::<u32>();
        self.given.iter().any(|arm| *arm != self.given[0])
            && self.given.iter().all(|&arm| !self.arms[arm].is_stack() || demos(arm) > 1)
    }
}

/// The cheapest way to give the values of a property to arms.
fn cover(property: &Property, arms: &[Arm], demos: usize, work: &mut u64) -> Option<FoundCases> {
    let labels = &property.labels;
    let group = |label: usize| {
        let own = labels[..demos].iter().enumerate().filter(|(_, l)| usize::from(**l) == label);
        own.fold(0u32, |m, (k, _)| m | 1 << k)
    };
    let groups: Vec<u32> = (0..property.values.len()).map(group).collect();
    let alone = groups.iter().filter(|g| g.count_ones() == 1).count() as u16;
    let own = PRICE + property.cost + ALONE * alone;
    let mut cover = Cover { groups, arms, given: Vec::new(), best: None, left: MOST_COVERS };
    cover.go(own);
    *work += (MOST_COVERS - cover.left) as u64;
    let (cost, given) = cover.best?;
    let (order, used) = numbered(given);
    let taken: Vec<usize> = labels.iter().map(|&l| usize::from(order[usize::from(l)])).collect();
    let mut whens = vec![Vec::new(); used.len()];
    for (value, &arm) in property.values.iter().zip(&order) {
        whens[usize::from(arm)].push(value.clone());
    }
    whens.pop();
    Some(FoundCases {
        key: property.key.clone(),
        whens,
        arms: used.into_iter().map(|number| arms[number].clone()).collect(),
        taken,
        cost,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_of_stacks_counts_when_arms_are_chosen() {
        let constant = |fits, cost| {
            let made = ArmSource::Constant(Sheet::new(1, 1, vec![1]).unwrap());
            Arm { fits, cost, made }
        };
        let stack = ArmSource::Stack(Stack { layers: Vec::new(), cost: 12 });
        let mut arms = vec![Arm { fits: 0b01100, cost: 12, made: stack }];
        arms.extend([constant(0b00011, 5), constant(0b00100, 15), constant(0b11000, 5)]);
        let key = Key::Length(crate::plan::Chain::default());
        let values = (0..3).map(KeyValue::Number).collect();
        let property = Property { key, cost: 0, labels: vec![0, 0, 1, 2, 2, 1], values };
        let found = cover(&property, &arms, 5, &mut 0).expect("pictures alone");
        assert_eq!(found.arms.len(), 3);
        assert!(found.arms.iter().all(|arm| !arm.is_stack()));
        assert_eq!((found.cost, found.taken), (PRICE + ALONE + 25, vec![0, 0, 1, 2, 2, 1]));
    }
}
