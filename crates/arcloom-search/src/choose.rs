//! Rules by which one object of several is chosen, learned from the demos: the output is that object.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::rule::{Action, KEPT, ObjectPart};
use arcloom_dsl::sheet::{crop, measure};

use crate::grow::ChainGrowth;
use crate::recolor::lists;
use crate::steps::{Item, Step};
use crate::things::{self, Known};

/// Work for all rules of a task, about.
const MOST_WORK: u64 = 10_000_000;

/// What becomes of an object: it is the one, or it goes.
const CHOSEN: Action = KEPT;
const LEFT_OUT: Action = 0;

/// Adds to a growth, for every list, the objects that the shortest rules choose.
pub fn add_rules(growth: &mut ChainGrowth, targets: &[Sheet], work: &mut u64) {
    let limit = *work + MOST_WORK;
    for node in lists(growth) {
        if *work > limit {
            return;
        }
        let Some(known) = chosen(growth, node, targets, work) else { continue };
        let mut rules = known.rules(growth, node, ObjectPart::Whole, work);
        rules.retain(|(rule, _)| {
            (0..growth.inputs()).all(|k| {
                let Item::Many(list) = growth.item(node, k) else { return false };
                let actions = rule.actions(list, growth.pools[k].bounds.input());
                actions.iter().filter(|a| **a == CHOSEN).count() == 1
            })
        });
        things::attach(growth, node, rules, Step::Rule);
    }
}

/// Which objects are to be chosen; `None` when a demo shows none of them.
fn chosen(growth: &ChainGrowth, node: u32, targets: &[Sheet], work: &mut u64) -> Option<Known> {
    let order = vec![(CHOSEN, 0), (LEFT_OUT, 0)];
    Known::new(growth, node, targets.len(), order, CHOSEN, |k, list, _| {
        let input = &growth.pools[k].bounds.picture;
        *work += list.iter().map(|s| s.cells().len() as u64).sum::<u64>();
        let shown: Vec<bool> = list.iter().map(|s| is_shown(s, input, &targets[k])).collect();
        // Of several objects that explain the output any may be the one.
        let several = shown.iter().filter(|s| **s).count() > 1;
        let explained = |&shown: &bool| vec![shown, !shown || several];
        shown.contains(&true).then(|| shown.iter().map(explained).collect())
    })
}

/// Whether an output is an object, what the input shows in its place, or its colour.
fn is_shown(thing: &Sheet, input: &Sheet, target: &Sheet) -> bool {
    let is = |s: &Sheet| {
        (s.height(), s.width()) == (target.height(), target.width()) && s.cells() == target.cells()
    };
    let mut under = Sheet::default();
    let color = measure::majority(thing);
    is(thing)
        || crop::sheet_under(thing, input, &mut under).is_some() && is(&under)
        || target.cells().iter().all(|c| *c == color)
}
