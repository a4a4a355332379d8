//! Cell by cell, again and again: rules that paint cells by what is near them, learned from the demos.
//!
//! A rule paints a cell of one colour if up to three cells near it have certain colours, and all rules are
//! applied until nothing changes: lines that grow until they meet something, trails, floods, patterns. Rules
//! are learned greedily. A rule is *safe* if it paints nothing wrong where objects stand and nothing at all once
//! every demo is done; of the safe ones, and of those that are safe turned and mirrored too, the one is taken
//! that in the end explains most cells for its price. Rules that can be learned from all demos but one and
//! then explain that one too are trusted more.

use std::cmp::Reverse;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::overgrow::{GrowRule, overgrow};

use self::field::{Field, Group};
use crate::grow::ChainGrowth;
use crate::pieces::{Pieces, Tail};

mod field;

/// Rules that explain every cell of every demo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overgrowth {
    /// The piece that is overgrown.
    pub piece: u32,
    pub rules: Vec<GrowRule>,
    pub cost: u16,
}

/// Pieces that rules may start from, and those among which they are chosen.
const BASES: usize = 3;
const OTHERS: usize = 2000;
/// Groups of rules at most.
const MOST_GROUPS: usize = 6;
/// Work for one set of rules at most; they are learned again without each demo.
const MOST_WORK: u64 = 6_000_000;
/// What a demo costs that is not explained by what the others teach.
const PER_DEMO: u16 = 30;
/// More expensive ones are hardly ever right on a training task.
const DEAREST: u16 = 100;

/// Rules for the input and for the pieces that are most like the outputs, unless they were tried before, as
/// long as there is less work done than `limit`.
pub fn overgrowths(
    growth: &ChainGrowth,
    pieces: &Pieces,
    targets: &[Sheet],
    tried: &mut Vec<(u32, Tail)>,
    limit: u64,
    work: &mut u64,
) -> Vec<Overgrowth> {
    let targets: Vec<&Sheet> = targets.iter().collect();
    let count = pieces.pieces.len().min(OTHERS);
    *work += (count * pieces.full.len()) as u64;
    let mut bases: Vec<usize> = (0..count).filter(|n| pieces.wrong_cells(*n) > 0).collect();
    bases.sort_by_cached_key(|n| (*n > 0, pieces.wrong_cells(*n), *n));
    let mut found = Vec::new();
    for base in bases.into_iter().take(BASES) {
        let piece = &pieces.pieces[base];
        if *work > limit {
            break;
        }
        if tried.contains(&(piece.node, piece.tail)) {
            continue;
        }
        tried.push((piece.node, piece.tail));
        let Some(sheets) = pieces.everywhere(growth, base) else { continue };
        let given: Vec<&Sheet> = sheets.iter().take(targets.len()).collect();
        let learned = learn(&given, &targets, work);
        let Some((rules, price)) = learned else { continue };
        let cost = 10 + piece.cost + price;
        if cost > DEAREST {
            continue;
        }
        let missed = (0..targets.len()).filter(|&demo| !foretold(&given, &targets, demo, work));
        let cost = cost + PER_DEMO * missed.count() as u16;
        if cost <= DEAREST {
            found.push(Overgrowth { piece: base as u32, rules, cost });
        }
    }
    found
}

/// The output on one input.
pub fn paint(
    growth: &ChainGrowth,
    pieces: &Pieces,
    found: &Overgrowth,
    input: usize,
) -> Option<Sheet> {
    let sheets = pieces.sheets(growth, &[found.piece], input)?;
    let mut out = Sheet::default();
    overgrow(sheets.first()?, &found.rules, &mut out)?;
    Some(out)
}

/// Whether the other demos teach rules that explain this one.
fn foretold(given: &[&Sheet], targets: &[&Sheet], demo: usize, work: &mut u64) -> bool {
    let others = |all: &[&'_ Sheet]| -> Vec<Sheet> {
        let kept = all.iter().enumerate().filter(|(k, _)| *k != demo);
        kept.map(|(_, s)| (*s).clone()).collect()
    };
    let (from, to) = (others(given), others(targets));
    let learned = learn(&from.iter().collect::<Vec<_>>(), &to.iter().collect::<Vec<_>>(), work);
    let mut out = Sheet::default();
    learned.is_some_and(|(rules, _)| {
        overgrow(given[demo], &rules, &mut out).is_some() && out.cells() == targets[demo].cells()
    })
}

/// Rules that make the targets of what is given, and their price.
fn learn(given: &[&Sheet], targets: &[&Sheet], work: &mut u64) -> Option<(Vec<GrowRule>, u16)> {
    let limit = *work + MOST_WORK;
    let mut groups: Vec<Group> = Vec::new();
    let mut states: Vec<Sheet> = given.iter().map(|s| (*s).clone()).collect();
    while open_cells(&states, targets) > 0 {
        let price: u16 = groups.iter().map(|g| g.price).sum();
        if groups.len() == MOST_GROUPS || price + 10 > DEAREST || *work > limit {
            return None;
        }
        let (group, after) = next(given, targets, &states, &groups, limit, work)?;
        groups.push(group);
        states = after;
    }
    // What came first may not be needed any more.
    for k in (0..groups.len()).rev() {
        let group = groups.remove(k);
        let done = simulate(given, targets, &groups, work)
            .is_some_and(|states| open_cells(&states, targets) == 0);
        if !done {
            groups.insert(k, group);
        }
    }
    let price = groups.iter().map(|g| g.price).sum();
    Some((groups.into_iter().flat_map(|g| g.rules).collect(), price))
}

fn open_cells(states: &[Sheet], targets: &[&Sheet]) -> usize {
    let open =
        |(s, t): (&Sheet, &&Sheet)| s.cells().iter().zip(t.cells()).filter(|(a, b)| a != b).count();
    states.iter().zip(targets).map(open).sum()
}

/// What the rules make of what is given; `None` when they paint a cell wrong.
fn simulate(
    given: &[&Sheet],
    targets: &[&Sheet],
    groups: &[Group],
    work: &mut u64,
) -> Option<Vec<Sheet>> {
    let rules: Vec<GrowRule> = groups.iter().flat_map(|g| g.rules.iter().cloned()).collect();
    let mut states = Vec::with_capacity(given.len());
    for (from, to) in given.iter().zip(targets) {
        let mut out = Sheet::default();
        *work += (from.cells().len() * (rules.len() + 2)) as u64 / 4;
        overgrow(from, &rules, &mut out)?;
        let cells = from.cells().iter().zip(to.cells()).zip(out.cells());
        if cells.into_iter().any(|((was, wanted), is)| is != was && is != wanted) {
            return None;
        }
        states.push(out);
    }
    Some(states)
}

/// The group that explains most for its price, and how objects stand with it.
fn next(
    given: &[&Sheet],
    targets: &[&Sheet],
    states: &[Sheet],
    groups: &[Group],
    limit: u64,
    work: &mut u64,
) -> Option<(Group, Vec<Sheet>)> {
    let open = open_cells(states, targets);
    let field = Field::new(given, targets, states);
    *work += field.work();
    let mut best: Option<(Reverse<usize>, u16, Group, Vec<Sheet>)> = None;
    let mut all = groups.to_vec();
    for conditions in 1..=3 {
        if conditions == 3 && best.is_some() {
            break;
        }
        for group in field.groups(conditions, limit, work) {
            all.push(group);
            let states = simulate(given, targets, &all, work);
            let Some(group) = all.pop() else { break };
            let Some(states) = states else { continue };
            // A cell that is painted early may stop a rule from going on.
            let gain = open.saturating_sub(open_cells(&states, targets));
            let score = Reverse(gain * 1000 / usize::from(group.price));
            if gain > 0 && best.as_ref().is_none_or(|b| (score, group.price) < (b.0, b.1)) {
                best = Some((score, group.price, group, states));
            }
        }
    }
    best.map(|(_, _, group, states)| (group, states))
}
