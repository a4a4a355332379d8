//! `position`: how near each colour lies to where it should.
//!
//! Rows and columns are looked at one after the other. For each colour but the background, the cells
//! of the candidate travel along the axis to where the expected ones are, on the shortest way there
//! is, as shares of their number: how many there are is what `colors` counts. A whole way is the side
//! of the expected grid, so that the length of the candidate's own side does not matter.

use std::collections::BTreeMap;

use crate::kernel::count::ColorCounts;
use arcloom_value::Value;

use crate::differ::all::PERFECT;
use crate::differ::objects::{OBJECTS8, beyond, equal};
use crate::differ::pair::Comparison;
use crate::differ::palette::slot;
use crate::differ::profile::Tally;

/// Parts of a way, finer than the score so that several ways can be added up.
const WHOLE_WAY: u64 = 1_000_000;
/// Most ways between equal objects that vote on a shift: dots by the dozen say nothing.
const MOST_VOTES: usize = 64;

pub(crate) fn measure(pair: &Comparison) -> u16 {
    if !pair.fits() {
        return 0;
    }
    let (a, b) = (&pair.candidate, pair.expected);
    let foreground = |counts: &ColorCounts| -> u64 {
        counts.iter().filter(|&&(c, _)| Some(c) != b.background).map(|&(_, n)| u64::from(n)).sum()
    };
    // A colour weighs as many cells as the side has that has more of it: the cells of both, less the
    // smaller number where both have it. One that only one side has is nowhere near.
    let mut weight = foreground(&a.colors) + foreground(&b.colors);
    let mut near = 0;
    for (x, &(color, found)) in a.colors.iter().enumerate() {
        let Some(y) = slot(&b.colors, color).filter(|_| Some(color) != b.background) else {
            continue;
        };
        let wanted = b.colors[y].1;
        weight -= u64::from(found.min(wanted));
        let way = |a: &Tally, b: &Tally, side: usize| {
            way(a.lines().map(|line| line[x]), b.lines().map(|line| line[y]), side)
        };
        let (found_at, wanted_at) = (a.profile(), b.profile());
        let ways = way(&found_at.rows, &wanted_at.rows, b.grid.height())
            + way(&found_at.columns, &wanted_at.columns, b.grid.width());
        near += u64::from(found.max(wanted)) * (2 * WHOLE_WAY - ways);
    }
    // Cells are at most 2^15 in all, so nothing here overflows.
    (near * u64::from(PERFECT)).checked_div(weight * 2 * WHOLE_WAY).map_or(PERFECT, |s| s as u16)
}

/// The mean way that the first cells travel to become the second ones, in millionths of the side,
/// rounded up so that only no way is none. Both have cells; the shorter list goes on with zeros.
fn way(
    found: impl ExactSizeIterator<Item = u32> + Clone,
    wanted: impl ExactSizeIterator<Item = u32> + Clone,
    side: usize,
) -> u64 {
    let all = |cells: u32| u64::from(cells);
    let (total_found, total_wanted): (u64, u64) =
        (found.clone().map(all).sum(), wanted.clone().map(all).sum());
    let lines = found.len().max(wanted.len());
    let pad = || std::iter::repeat(0);
    let (mut before_found, mut before_wanted, mut way) = (0, 0, 0);
    // What has come too early or too late by the end of a line crosses to the next one.
    for (found, wanted) in found.chain(pad()).zip(wanted.chain(pad())).take(lines) {
        before_found += u64::from(found) * total_wanted;
        before_wanted += u64::from(wanted) * total_found;
        way += before_found.abs_diff(before_wanted);
    }
    let whole = total_found * total_wanted * (side as u64).saturating_sub(1).max(1);
    (way * WHOLE_WAY).div_ceil(whole.max(1)).min(WHOLE_WAY)
}

/// The shift that most misplaced objects share: objects of one colour that have an equal one in the
/// expected grid, but not there. Of several the shortest.
pub(crate) fn look(pair: &Comparison) -> Option<Value> {
    if !pair.fits() {
        return None;
    }
    let (found, wanted) = (pair.candidate.parts().of(OBJECTS8), pair.expected.parts().of(OBJECTS8));
    let mut votes: BTreeMap<(i64, i64), u32> = BTreeMap::new();
    for found in found.chunk_by(|a, b| a.key == b.key) {
        let wanted = equal(wanted, found[0].key);
        let (from, to) = (beyond(found, wanted), beyond(wanted, found));
        if from.clone().count() * to.clone().count() > MOST_VOTES {
            continue;
        }
        for (from, to) in from.flat_map(|from| to.clone().map(move |to| (from, to))) {
            let shift = |from: u32, to: u32| i64::from(to) - i64::from(from);
            *votes.entry((shift(from.top, to.top), shift(from.left, to.left))).or_default() += 1;
        }
    }
    let length = |(i, j): (i64, i64)| i.abs() + j.abs();
    let best = votes.into_iter().max_by_key(|&(by, n)| (n, -length(by), by))?;
    Some(Value::pair(best.0.0, best.0.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(found: &[u32], wanted: &[u32], side: usize) -> u64 {
        way(found.iter().copied(), wanted.iter().copied(), side)
    }

    #[test]
    fn a_way_is_the_distance_travelled() {
        assert_eq!(ways(&[0, 1, 0], &[0, 5, 0], 3), 0);
        assert_eq!(ways(&[1, 0, 0], &[0, 0, 7], 3), WHOLE_WAY);
        assert_eq!(ways(&[1, 0, 0], &[0, 1, 0], 3), WHOLE_WAY / 2);
        assert_eq!(ways(&[1, 1, 0], &[1, 0, 1], 3), WHOLE_WAY / 4);
        // Further away than the side is long counts as the whole way.
        assert_eq!(ways(&[0, 0, 0, 0, 1], &[1, 0], 2), WHOLE_WAY);
        assert_eq!(ways(&[1], &[0, 1], 1), WHOLE_WAY);
    }

    #[test]
    fn a_step_of_one_cell_toward_its_goal_shortens_the_way() {
        // Equally many cells: the n-th from the top goes to the n-th place from the top.
        let mut state = 5u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        for _ in 0..500 {
            let n = 1 + below(8);
            let draw = |below: &mut dyn FnMut(usize) -> usize| {
                let mut places: Vec<usize> = (0..n).map(|_| below(10)).collect();
                places.sort_unstable();
                places
            };
            let (mut found, wanted) = (draw(&mut below), draw(&mut below));
            let tally = |places: &[usize]| {
                let mut lines = [0; 10];
                places.iter().for_each(|&p| lines[p] += 1);
                lines
            };
            let before = ways(&tally(&found), &tally(&wanted), 10);
            let Some(k) = (0..n).find(|&k| found[k] != wanted[k]) else {
                assert_eq!(before, 0);
                continue;
            };
            found[k] = if found[k] < wanted[k] { found[k] + 1 } else { found[k] - 1 };
            assert!(ways(&tally(&found), &tally(&wanted), 10) < before);
        }
    }
}
