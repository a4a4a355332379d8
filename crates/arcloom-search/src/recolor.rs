//! Rules for objects, learned from the demos: which measure of an object tells its colour in the output.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::recolor::{self, ColorTable, SAME};
use arcloom_dsl::sheet::measure;
use arcloom_dsl::sheet::measure::Measure;

use crate::grow::ChainGrowth;
use crate::steps::{Item, Step};

/// Chains that end in a list are looked at up to this cost, and so many of them.
const DEAREST: u16 = 24;
const LISTS: usize = 40;
/// Longer lists are not looked at.
pub(crate) const LONGEST: usize = 60;
/// What a rule adds to the cost of its list.
const PRICE: u16 = 10;

/// Adds to a growth, for every list and measure that tell the colours of objects, the recoloured objects.
pub fn add_rules(growth: &mut ChainGrowth, targets: &[Sheet], work: &mut u64) {
    for node in lists(growth) {
        let Some(colors) = colors(growth, node, targets) else { continue };
        for &measure in Measure::ALL {
            for ranked in [false, true] {
                *work += 500;
                let Some(table) = learn(growth, node, &colors, measure, ranked) else { continue };
                let sheets = (0..growth.inputs()).map(|k| match growth.item(node, k) {
                    Item::Many(l) => {
                        let mut out = Sheet::default();
                        recolor::recolor(l, measure, ranked, &table, &mut out).map(|()| out)
                    }
                    Item::One(_) => None,
                });
                if let Some(sheets) = sheets.collect::<Option<Vec<Sheet>>>() {
                    growth.attach(node, Step::Recolor(measure, ranked, table), sheets, PRICE);
                }
            }
        }
    }
}

/// The lists that are looked at, cheapest first.
pub(crate) fn lists(growth: &ChainGrowth) -> Vec<u32> {
    let mut lists: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    lists.retain(|&n| growth.nodes[n as usize].is_list && growth.nodes[n as usize].cost <= DEAREST);
    lists.sort_by_key(|&n| growth.nodes[n as usize].cost);
    lists.truncate(LISTS);
    lists
}

/// For every object of every demo the colour it has in the output; `None` when some object has several,
/// or every object stays as it is.
fn colors(growth: &ChainGrowth, node: u32, targets: &[Sheet]) -> Option<Vec<Vec<u8>>> {
    let mut changed = false;
    let mut all = Vec::new();
    for (k, target) in targets.iter().enumerate() {
        let Item::Many(list) = growth.item(node, k) else { return None };
        if list.len() > LONGEST {
            return None;
        }
        let mut colors = Vec::new();
        for thing in list {
            let color = color(thing, target)?;
            changed |= color != SAME;
            colors.push(color);
        }
        all.push(colors);
    }
    changed.then_some(all)
}

fn color(thing: &Sheet, target: &Sheet) -> Option<u8> {
    let (mut same, mut uniform) = (true, None);
    for i in 0..thing.height() {
        for (j, &own) in thing.row(i).iter().enumerate().filter(|(_, c)| **c != 0) {
            let there = target.get(thing.top + i as i32, thing.left + j as i32);
            same &= there == own;
            match uniform {
                None => uniform = Some(there),
                Some(color) if color == there => {}
                Some(_) => uniform = Some(u8::MAX),
            }
        }
    }
    if same { Some(SAME) } else { uniform.filter(|c| *c != u8::MAX) }
}

/// The table from values to colours, when the demos agree on one that knows all objects of the tests.
fn learn(
    growth: &ChainGrowth,
    node: u32,
    colors: &[Vec<u8>],
    measure: Measure,
    ranked: bool,
) -> Option<ColorTable> {
    let mut table = ColorTable::new();
    for k in 0..growth.inputs() {
        let Item::Many(list) = growth.item(node, k) else { return None };
        if list.len() > LONGEST {
            return None;
        }
        let values = recolor::values(list, measure, ranked);
        match colors.get(k) {
            Some(colors) => {
                for (&value, &color) in values.iter().zip(colors) {
                    table.learn(value, color)?;
                }
            }
            None => {
                if values.iter().any(|&v| table.get(v).is_none()) {
                    return None;
                }
            }
        }
    }
    Some(table)
}

/// Whether recoloured objects can be the output: inputs and outputs have the same size, and every output
/// shows something.
pub fn may_help(inputs: &[&Sheet], targets: &[Sheet]) -> bool {
    let same_size = |(a, b): (&&Sheet, &Sheet)| (a.height(), a.width()) == (b.height(), b.width());
    inputs.iter().zip(targets).all(same_size) && targets.iter().all(|t| measure::area(t) > 0)
}
