//! `rows`, `columns`: the colours of each row and of each column, whatever their order in it.
//!
//! Rows are compared with the row of the same number, from the top, columns from the left.

use crate::kernel::count::ColorCounts;
use arcloom_value::{Grid, Value};
use smallvec::SmallVec;

use crate::differ::all::overlap;
use crate::differ::pair::{Comparison, Side};
use crate::differ::palette::slot;

/// How often each colour occurs in each row and each column.
pub(crate) struct Profile {
    pub(crate) rows: Tally,
    pub(crate) columns: Tally,
}

/// How often each colour occurs in each line. Colours are numbered as in the side's list.
pub(crate) struct Tally {
    counts: Vec<u32>,
    colors: usize,
}

impl Tally {
    fn new(lines: usize, colors: usize) -> Tally {
        Tally { counts: vec![0; lines * colors], colors }
    }

    /// The lines in order, each with a number per colour.
    pub(crate) fn lines(&self) -> std::slice::ChunksExact<'_, u32> {
        // A grid has a cell, so there is a colour.
        self.counts.chunks_exact(self.colors.max(1))
    }
}

impl Profile {
    pub(crate) fn new(grid: &Grid, colors: &ColorCounts) -> Profile {
        let k = colors.len();
        let mut slots = [0u8; 256];
        for (n, &(c, _)) in (0..).zip(colors) {
            slots[usize::from(c as u8)] = n;
        }
        let (mut rows, mut columns) = (Tally::new(grid.height(), k), Tally::new(grid.width(), k));
        for (row, cells) in rows.counts.chunks_exact_mut(k.max(1)).zip(grid.rows()) {
            for (column, &c) in columns.counts.chunks_exact_mut(k.max(1)).zip(cells) {
                let slot = usize::from(slots[usize::from(c as u8)]);
                row[slot] += 1;
                column[slot] += 1;
            }
        }
        Profile { rows, columns }
    }
}

pub(crate) fn measure_rows(pair: &Comparison) -> u16 {
    measure(pair, |side| &side.profile().rows)
}

pub(crate) fn measure_columns(pair: &Comparison) -> u16 {
    measure(pair, |side| &side.profile().columns)
}

pub(crate) fn look_rows(pair: &Comparison) -> Option<Value> {
    look(pair, |side| &side.profile().rows)
}

pub(crate) fn look_columns(pair: &Comparison) -> Option<Value> {
    look(pair, |side| &side.profile().columns)
}

fn measure(pair: &Comparison, tally: fn(&Side) -> &Tally) -> u16 {
    if !pair.fits() {
        return 0;
    }
    let shared = shared(pair);
    let (a, b) = (tally(&pair.candidate), tally(pair.expected));
    let common = a.lines().zip(b.lines()).map(|(a, b)| common(a, b, &shared)).sum();
    overlap(common, pair.candidate.area(), pair.expected.area())
}

/// The number of the expected line that is furthest off, the first of several.
fn look(pair: &Comparison, tally: fn(&Side) -> &Tally) -> Option<Value> {
    if !pair.fits() {
        return None;
    }
    let shared = shared(pair);
    let mut found = tally(&pair.candidate).lines();
    let mut worst = (0, None);
    for (k, wanted) in (0..).zip(tally(pair.expected).lines()) {
        let found = found.next().unwrap_or(&[]);
        let cells: u32 = wanted.iter().chain(found).sum();
        let common = if found.is_empty() { 0 } else { common(found, wanted, &shared) };
        let gap = cells as usize - 2 * common;
        if gap > worst.0 {
            worst = (gap, Some(Value::Int(k)));
        }
    }
    worst.1
}

/// The colours of both sides, as their numbers in the one list and in the other.
fn shared(pair: &Comparison) -> SmallVec<[(usize, usize); 12]> {
    let (a, b) = (&pair.candidate.colors, &pair.expected.colors);
    (0..).zip(a).filter_map(|(k, &(c, _))| Some((k, slot(b, c)?))).collect()
}

/// How many cells of two lines can be paired by colour.
fn common(a: &[u32], b: &[u32], shared: &[(usize, usize)]) -> usize {
    shared.iter().map(|&(x, y)| a[x].min(b[y]) as usize).sum()
}
