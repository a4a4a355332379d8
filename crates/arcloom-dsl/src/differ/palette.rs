//! `palette_extra`, `palette_missing`, `colors`: which colours there are, and how many cells of each.

use crate::kernel::count::ColorCounts;
use arcloom_value::Value;

use crate::differ::all::{overlap, share};
use crate::differ::pair::Comparison;

pub(crate) fn measure_extra(pair: &Comparison) -> u16 {
    share(shared(pair).count(), pair.candidate.colors.len())
}

pub(crate) fn look_extra(pair: &Comparison) -> Option<Value> {
    commonest_beyond(&pair.candidate.colors, &pair.expected.colors)
}

pub(crate) fn measure_missing(pair: &Comparison) -> u16 {
    share(shared(pair).count(), pair.expected.colors.len())
}

pub(crate) fn look_missing(pair: &Comparison) -> Option<Value> {
    commonest_beyond(&pair.expected.colors, &pair.candidate.colors)
}

pub(crate) fn measure_counts(pair: &Comparison) -> u16 {
    let common = shared(pair).map(|(_, a, b)| a.min(b) as usize).sum();
    overlap(common, pair.candidate.area(), pair.expected.area())
}

/// The colour with the largest gap, the smallest colour of several, and expected minus found.
pub(crate) fn look_counts(pair: &Comparison) -> Option<Value> {
    let (a, b) = (&pair.candidate.colors, &pair.expected.colors);
    let gap = |c: i8| i64::from(number(b, c)) - i64::from(number(a, c));
    let all = a.iter().chain(b).map(|&(c, _)| (c, gap(c)));
    let (color, gap) = all.max_by_key(|&(c, gap)| (gap.abs(), -i16::from(c)))?;
    (gap != 0).then(|| Value::pair(color.into(), gap))
}

/// The colours that both have, with the number of cells in candidate and expected grid.
fn shared<'p>(pair: &'p Comparison) -> impl Iterator<Item = (i8, u32, u32)> + 'p {
    let (a, b) = (&pair.candidate.colors, &pair.expected.colors);
    a.iter().map(|&(c, n)| (c, n, number(b, c))).filter(|&(.., n)| n > 0)
}

/// The number of cells of this colour.
fn number(counts: &ColorCounts, color: i8) -> u32 {
    slot(counts, color).map_or(0, |k| counts[k].1)
}

/// Where this colour stands in the list.
pub(crate) fn slot(counts: &ColorCounts, color: i8) -> Option<usize> {
    counts.binary_search_by_key(&color, |&(c, _)| c).ok()
}

/// The most frequent colour that only the first list has, the smallest of several.
fn commonest_beyond(these: &ColorCounts, those: &ColorCounts) -> Option<Value> {
    let beyond = these.iter().filter(|&&(c, _)| slot(those, c).is_none());
    let best = beyond.max_by_key(|&&(c, n)| (n, -i16::from(c)))?;
    Some(Value::Int(best.0.into()))
}
