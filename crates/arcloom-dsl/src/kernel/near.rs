//! How near two sets of positions are to each other, by rows and columns.
//!
//! The `plain_` functions take lists of positions, work for any coordinates, and are what the ones
//! on bit rows are checked against.

use arcloom_value::{Frame, Patch, PatchBuf};
use smallvec::SmallVec;

use super::bits;
use super::mask::{Mask, Words, window};

/// Most pairs of positions that are compared one by one. Growing costs the same however few cells
/// there are.
const HANDFUL: usize = 400;

/// The steps between the boxes around two patches, and whether that is the steps between the patches
/// because both fill their boxes.
#[inline]
fn gap(a: &Frame, b: &Frame) -> (i64, bool) {
    let side = |low: i32, high: i32, from: i32, to: i32| {
        (i64::from(from) - i64::from(high)).max(i64::from(low) - i64::from(to)).max(0)
    };
    let steps =
        side(a.top, a.bottom(), b.top, b.bottom()) + side(a.left, a.right(), b.left, b.right());
    let full = |f: &Frame| f.layers == 1 && f.count == f.height * f.width;
    (steps, full(a) && full(b))
}

/// The steps from one patch to the other; `None` where only lists of their positions can tell.
pub fn apart(a: &Patch, b: &Patch) -> Option<i64> {
    let (least, exact) = gap(a.frame(), b.frame());
    if exact {
        return Some(least);
    }
    if a.len().saturating_mul(b.len()) <= HANDFUL {
        let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let (few, many) = (Places::of(few), Places::of(many));
        return Some(few.as_view().nearest(many.as_view(), least));
    }
    let (f, g) = (a.frame(), b.frame());
    let span = |low: i32, high: i32| i64::from(high) - i64::from(low) + 1;
    let rows = span(f.top.min(g.top), f.bottom().max(g.bottom()));
    let columns = span(f.left.min(g.left), f.right().max(g.right()));
    if !PatchBuf::fits(rows, columns, 1) {
        return None;
    }
    let (mut s, mut t) = (Words::new(), Words::new());
    distance(&Mask::new(a, &mut s), &Mask::new(b, &mut t), 64).map(|steps| steps as i64)
}

/// Positions, rows and columns apart from each other so that several are compared at once.
#[derive(Default)]
pub struct Places {
    rows: SmallVec<[i32; 64]>,
    columns: SmallVec<[i32; 64]>,
}

/// Some of them.
#[derive(Clone, Copy)]
pub struct PlacesView<'a> {
    rows: &'a [i32],
    columns: &'a [i32],
}

impl Places {
    /// Those of a patch.
    pub fn of(patch: &Patch) -> Places {
        let mut places = Places::default();
        places.add(patch);
        places
    }

    /// Adds those of a patch and says where they are.
    pub fn add(&mut self, patch: &Patch) -> std::ops::Range<usize> {
        let start = self.rows.len();
        self.rows.reserve(patch.len());
        self.columns.reserve(patch.len());
        bits::each_cell(patch, |_, i, j| {
            self.rows.push(i);
            self.columns.push(j);
        });
        start..self.rows.len()
    }

    /// All of them.
    pub fn as_view(&self) -> PlacesView<'_> {
        PlacesView { rows: &self.rows, columns: &self.columns }
    }

    /// Those in a range.
    pub fn part(&self, range: std::ops::Range<usize>) -> PlacesView<'_> {
        PlacesView { rows: &self.rows[range.clone()], columns: &self.columns[range] }
    }
}

impl PlacesView<'_> {
    /// The steps from the nearest of these to the nearest of the others, of which there should be
    /// more. Looking ends when `least` is reached.
    pub fn nearest(self, others: PlacesView<'_>, least: i64) -> i64 {
        let mut best = u32::MAX;
        for (&i, &j) in self.rows.iter().zip(self.columns) {
            let steps = others.rows.iter().zip(others.columns);
            let near = steps.map(|(&k, &l)| i.abs_diff(k) + j.abs_diff(l));
            best = best.min(near.fold(u32::MAX, u32::min));
            if i64::from(best) <= least {
                break;
            }
        }
        best.into()
    }
}

/// What the distances between all patches of one list and all of another are, ascending, each once;
/// and the sum of their [`distance_cost`], of which there must be enough. `None` when there is not,
/// or where only lists of positions can tell. Between a list and itself half of the pairs do.
pub fn all_apart(a: &[&Patch], b: &[&Patch], same: bool, left: u64) -> Option<(Vec<i64>, usize)> {
    let mut places = Places::default();
    let first: SmallVec<[_; 32]> = a.iter().map(|p| places.add(p)).collect();
    let second: SmallVec<[_; 32]> =
        if same { first.clone() } else { b.iter().map(|p| places.add(p)).collect() };
    // The distances found, as bits.
    let mut found = [0u64; 64];
    let mut work = 0usize;
    for (n, (p, here)) in a.iter().zip(&first).enumerate() {
        let f = p.frame();
        for (m, (q, there)) in b.iter().zip(&second).enumerate().skip(if same { n } else { 0 }) {
            let g = q.frame();
            let span = |low: i32, high: i32| u64::from(high.abs_diff(low)) + 1;
            let rows = span(f.top.min(g.top), f.bottom().max(g.bottom()));
            let columns = span(f.left.min(g.left), f.right().max(g.right()));
            let cost = distance_cost(p.len(), q.len(), rows * columns);
            work = work.checked_add(if same && m > n { 2 * cost } else { cost })?;
            if work as u64 > left {
                return None;
            }
            let (least, exact) = gap(f, g);
            let steps = if exact || (same && m == n) {
                least
            } else if p.len().saturating_mul(q.len()) <= HANDFUL {
                let (x, y) = (places.part(here.clone()), places.part(there.clone()));
                if p.len() <= q.len() { x.nearest(y, least) } else { y.nearest(x, least) }
            } else {
                apart(p, q)?
            };
            let steps = usize::try_from(steps).ok()?;
            *found.get_mut(steps / 64)? |= 1 << (steps % 64);
        }
    }
    let distances = (0..found.len() * 64).filter(|n| found[n / 64] >> (n % 64) & 1 == 1);
    Some((distances.map(|n| n as i64).collect(), work))
}

/// True when the nearest positions of both sets are exactly one step apart.
pub fn touch(a: &Mask<'_>, b: &Mask<'_>) -> bool {
    if a.left > b.left + b.width as i64 || b.left > a.left + a.width as i64 {
        return false;
    }
    let first = a.top.max(b.top - 1);
    let last = (a.top + a.height as i64 - 1).min(b.top + b.height as i64);
    let mut touching = false;
    for i in first..=last {
        let (above, here, below) = (b.row(i - 1), b.row(i), b.row(i + 1));
        let mut at = a.left - b.left;
        for &bits in a.row(i) {
            if bits & window(here, at) != 0 {
                return false;
            }
            let around =
                window(here, at - 1) | window(here, at + 1) | window(above, at) | window(below, at);
            touching |= bits & around != 0;
            at += 64;
        }
    }
    touching
}

/// True when both sets have a position in the same row.
pub fn share_row(a: &Mask<'_>, b: &Mask<'_>) -> bool {
    let first = a.top.max(b.top);
    let last = (a.top + a.height as i64).min(b.top + b.height as i64);
    let occupied = |mask: &Mask<'_>, i| mask.row(i).iter().any(|&bits| bits != 0);
    (first..last).any(|i| occupied(a, i) && occupied(b, i))
}

/// True when both sets have a position in the same column.
pub fn share_column(a: &Mask<'_>, b: &Mask<'_>) -> bool {
    if a.left >= b.left + b.width as i64 || b.left >= a.left + a.width as i64 {
        return false;
    }
    let (columns, others) = (a.columns(), b.columns());
    let offsets = (a.left - b.left..).step_by(64);
    columns.iter().zip(offsets).any(|(&bits, at)| bits & window(&others, at) != 0)
}

/// The steps from one set to the other, if at most `limit`. The window around both is looked at as
/// a whole, so it should not be much larger than they are.
pub fn distance(a: &Mask<'_>, b: &Mask<'_>, limit: usize) -> Option<usize> {
    let (top, left) = (a.top.min(b.top), a.left.min(b.left));
    let bottom = (a.top + a.height as i64).max(b.top + b.height as i64);
    let right = (a.left + a.width as i64).max(b.left + b.width as i64);
    let stride = ((right - left) as usize).div_ceil(64);
    let spread = |mask: &Mask<'_>| -> SmallVec<[u64; 64]> {
        (top..bottom)
            .flat_map(|i| (0..stride as i64).map(move |w| mask.bits(i, left + w * 64)))
            .collect()
    };
    let (mut grown, goal) = (spread(a), spread(b));
    // A shortest path never leaves the window, so what grows out of it need not be kept.
    for steps in 0..=limit {
        if grown.iter().zip(&goal).any(|(x, y)| x & y != 0) {
            return Some(steps);
        }
        if stride == 1 { grow_single(&mut grown) } else { grow(&mut grown, stride) }
    }
    None
}

/// Grows single-word rows by one step in the four directions.
fn grow_single(rows: &mut [u64]) {
    let mut above = 0;
    for i in 0..rows.len() {
        let (here, below) = (rows[i], rows.get(i + 1).copied().unwrap_or(0));
        rows[i] = here | here << 1 | here >> 1 | above | below;
        above = here;
    }
}

/// Grows rows of several words by one step in the four directions.
fn grow(rows: &mut SmallVec<[u64; 64]>, stride: usize) {
    let old = rows.clone();
    for (n, row) in rows.chunks_exact_mut(stride).enumerate() {
        let line = |n: usize| old.get(n * stride..(n + 1) * stride);
        let (above, below) = (n.checked_sub(1).and_then(line), line(n + 1));
        for (w, word) in row.iter_mut().enumerate() {
            let here = &old[n * stride..(n + 1) * stride];
            let from = |line: Option<&[u64]>| line.map_or(0, |line| line[w]);
            let sides = window(here, w as i64 * 64 - 1) | window(here, w as i64 * 64 + 1);
            *word |= sides | from(above) | from(below);
        }
    }
}

/// Units of work that [`plain_distance`] takes for sets of these sizes inside a box of this area.
pub fn distance_cost(a: usize, b: usize, area: u64) -> usize {
    let steps = (a as u64).saturating_mul(b as u64).min(area);
    usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(a).saturating_add(b)
}

/// The steps from one set to the other; `None` when one is empty or the distance leaves `i64`.
pub fn plain_distance(a: &[(i64, i64)], b: &[(i64, i64)]) -> Option<i64> {
    let all = || a.iter().chain(b);
    let (top, bottom) = (all().map(|p| p.0).min()?, all().map(|p| p.0).max()?);
    let (left, right) = (all().map(|p| p.1).min()?, all().map(|p| p.1).max()?);
    let side = |low: i64, high: i64| high.abs_diff(low).saturating_add(1);
    let area = side(top, bottom).saturating_mul(side(left, right));
    if (a.len() as u64).saturating_mul(b.len() as u64) <= area {
        let apart = |&(i, j): &(i64, i64), &(k, l): &(i64, i64)| {
            u128::from(i.abs_diff(k)) + u128::from(j.abs_diff(l))
        };
        let nearest = a.iter().flat_map(|p| b.iter().map(move |q| apart(p, q))).min()?;
        return i64::try_from(nearest).ok();
    }
    let (height, width) = (side(top, bottom) as usize, side(left, right) as usize);
    let at = |&(i, j): &(i64, i64)| (i - top) as usize * width + (j - left) as usize;
    let mut steps = vec![u32::MAX / 2; height * width];
    a.iter().for_each(|p| steps[at(p)] = 0);
    for n in 0..steps.len() {
        let above = n.checked_sub(width).map_or(u32::MAX / 2, |n| steps[n]);
        let before = if n % width == 0 { u32::MAX / 2 } else { steps[n - 1] };
        steps[n] = steps[n].min(above + 1).min(before + 1);
    }
    for n in (0..steps.len()).rev() {
        let below = steps.get(n + width).copied().unwrap_or(u32::MAX / 2);
        let after = if (n + 1) % width == 0 { u32::MAX / 2 } else { steps[n + 1] };
        steps[n] = steps[n].min(below + 1).min(after + 1);
    }
    b.iter().map(|p| i64::from(steps[at(p)])).min()
}

/// True when the nearest positions of `a`, moved by `by`, and of `b`, ascending, are one step apart.
pub fn plain_touch(a: &[(i64, i64)], by: (i64, i64), b: &[(i64, i64)]) -> bool {
    debug_assert!(b.is_sorted());
    let hit = |&(i, j): &(i64, i64), di: i64, dj: i64| {
        let (i, j) = (i.checked_add(by.0 + di), j.checked_add(by.1 + dj));
        i.zip(j).is_some_and(|at| b.binary_search(&at).is_ok())
    };
    !a.iter().any(|p| hit(p, 0, 0))
        && a.iter().any(|p| hit(p, -1, 0) || hit(p, 1, 0) || hit(p, 0, -1) || hit(p, 0, 1))
}

#[cfg(test)]
mod tests {
    use arcloom_value::Value;

    use super::*;
    use crate::kernel::mask::tests::Random;

    fn patch(random: &mut Random, spread: usize) -> Patch {
        let mut cell = || {
            let mut side = |n| random.below(n) as i64 - 3;
            (side(2), side(spread), side(spread))
        };
        let n = cell().1 + 4;
        let cells: Vec<_> = (0..n).map(|_| cell()).collect();
        let value = if random.below(2) == 0 {
            Value::object(&cells)
        } else {
            Value::indices(&cells.iter().map(|c| (c.1, c.2)).collect::<Vec<_>>())
        };
        match value {
            Value::Patch(patch) => patch,
            _ => panic!("these positions fit a patch"),
        }
    }

    fn places(patch: &Patch) -> Vec<(i64, i64)> {
        patch.positions().map(|(i, j)| (i.into(), j.into())).collect()
    }

    #[test]
    fn bit_rows_agree_with_lists_of_positions() {
        let mut random = Random(4);
        for round in 0..4000 {
            let spread = [4, 8, 30, 70, 150][round % 5];
            let (a, b) = (patch(&mut random, spread), patch(&mut random, spread));
            let (mut s, mut t) = (Words::new(), Words::new());
            let (ma, mb) = (Mask::new(&a, &mut s), Mask::new(&b, &mut t));
            let (pa, pb) = (places(&a), places(&b));
            let pairs = || pa.iter().flat_map(|p| pb.iter().map(move |q| (*p, *q)));
            let nearest =
                pairs().map(|(p, q)| (p.0 - q.0).abs() + (p.1 - q.1).abs()).min().unwrap();
            assert_eq!(plain_distance(&pa, &pb), Some(nearest));
            assert_eq!(distance(&ma, &mb, 1000), Some(nearest as usize));
            assert!(apart(&a, &b).is_none_or(|steps| steps == nearest));
            assert!(apart(&a, &b).is_some() || spread > 30);
            assert_eq!(distance(&ma, &mb, 2).is_some(), nearest <= 2);
            assert_eq!(touch(&ma, &mb), nearest == 1, "{a:?} {b:?}");
            assert_eq!(plain_touch(&pa, (0, 0), &pb), nearest == 1);
            assert_eq!(share_row(&ma, &mb), pairs().any(|(p, q)| p.0 == q.0));
            assert_eq!(share_column(&ma, &mb), pairs().any(|(p, q)| p.1 == q.1));
        }
    }

    #[test]
    fn crowded_sets_are_measured_over_their_box() {
        let mut random = Random(5);
        for _ in 0..200 {
            let mut list = |n: usize| -> Vec<(i64, i64)> {
                (0..n).map(|_| (random.below(12) as i64, random.below(9) as i64)).collect()
            };
            let (a, b) = (list(14), list(11));
            let apart = |p: &(i64, i64), q: &(i64, i64)| (p.0 - q.0).abs() + (p.1 - q.1).abs();
            let nearest = a.iter().flat_map(|p| b.iter().map(move |q| apart(p, q))).min();
            assert_eq!(plain_distance(&a, &b), nearest);
        }
    }
}
