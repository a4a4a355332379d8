//! `objects4`, `objects8`, `figures4`, `figures8`, `forms`: which objects there are, wherever they lie.
//!
//! An object is known by a 64-bit key of its cells relative to its box. The keys are made from the
//! runs of the grid, without building the objects; only a finding is built. Should two objects ever
//! share a key, a score is too high by one object, and [`crate::differ::total`] still knows equal grids.

use crate::kernel::components::{self, Labels, Run, Runs};
use arcloom_value::{Grid, Value};

use crate::differ::all::overlap;
use crate::differ::pair::{Comparison, Side};

/// What counts as one object, and when two are equal.
#[derive(Clone, Copy)]
pub(crate) struct Notion {
    /// Its list in [`Parts`].
    at: usize,
    one_color: bool,
    diagonal: bool,
    /// False when objects of different colours are equal if only their positions are.
    colored: bool,
}

pub(crate) const OBJECTS4: Notion =
    Notion { at: 0, one_color: true, diagonal: false, colored: true };
pub(crate) const OBJECTS8: Notion =
    Notion { at: 1, one_color: true, diagonal: true, colored: true };
pub(crate) const FIGURES4: Notion =
    Notion { at: 3, one_color: false, diagonal: false, colored: true };
pub(crate) const FIGURES8: Notion =
    Notion { at: 4, one_color: false, diagonal: true, colored: true };
/// The same objects as [`OBJECTS8`], and next to it so that they are found once.
pub(crate) const FORMS: Notion = Notion { at: 2, one_color: true, diagonal: true, colored: false };

/// In the order of their lists.
const NOTIONS: [Notion; 5] = [OBJECTS4, OBJECTS8, FORMS, FIGURES4, FIGURES8];

/// One object: what it is and where. Sorted by what it is, then by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    /// Its cells, wherever they lie.
    pub(crate) key: u64,
    pub(crate) top: u32,
    pub(crate) left: u32,
    /// Its number in reading order of first cells.
    number: u32,
}

/// The objects of a grid for every notion.
pub(crate) struct Parts([Vec<Part>; 5]);

impl Parts {
    pub(crate) fn new(grid: &Grid, background: Option<i8>) -> Parts {
        let mut runs = Runs::new();
        components::find_runs(grid.cells(), grid.width(), background, &mut runs);
        let mut labels = Labels::new();
        let mut connected = (false, false);
        Parts(NOTIONS.map(|notion| {
            let how = (notion.one_color, notion.diagonal);
            if labels.of_runs().is_empty() || connected != how {
                labels.clear();
                components::connect(&runs, notion.one_color, notion.diagonal, &mut labels);
                connected = how;
            }
            parts(&runs, &labels, notion)
        }))
    }

    /// The objects of this notion, ascending.
    pub(crate) fn of(&self, notion: Notion) -> &[Part] {
        &self.0[notion.at]
    }
}

/// The objects made of these runs, ascending.
fn parts(runs: &[Run], labels: &Labels, notion: Notion) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::with_capacity(labels.parts());
    // Parts are numbered in reading order, so a new number is the next one, and the first run of a
    // part lies in its top row.
    for (run, &label) in runs.iter().zip(labels.of_runs()) {
        match parts.get_mut(label as usize) {
            Some(part) => part.left = part.left.min(run.start),
            None => {
                parts.push(Part { key: SEED, top: run.row, left: run.start, number: label });
            }
        }
    }
    // The runs of a part in reading order are the same for equal parts: neighbours in a row have
    // different colours, or they would be one run.
    for (run, &label) in runs.iter().zip(labels.of_runs()) {
        let part = &mut parts[label as usize];
        let color = if notion.colored { run.color as u8 } else { 0 };
        let word = u64::from(run.row - part.top) << 48
            | u64::from(run.start - part.left) << 32
            | u64::from(run.end - run.start) << 16
            | u64::from(color);
        part.key = mix(part.key, word);
    }
    parts.sort_unstable();
    parts
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// Takes one more word into a key. Multiplying and folding the halves stirs every bit; a table's
/// hasher would do as well, but costs more for single words.
fn mix(key: u64, word: u64) -> u64 {
    let wide = u128::from(key ^ word) * 0x9e37_79b9_7f4a_7c15;
    (wide as u64 ^ (wide >> 64) as u64).wrapping_add(SEED)
}

pub(crate) fn measure(pair: &Comparison, notion: Notion) -> u16 {
    if !pair.fits() {
        return 0;
    }
    let (found, wanted) = (pair.candidate.parts().of(notion), pair.expected.parts().of(notion));
    // Each object serves once.
    let (mut common, mut rest) = (0, wanted);
    for part in found {
        while rest.first().is_some_and(|other| other.key < part.key) {
            rest = &rest[1..];
        }
        if rest.first().is_some_and(|other| other.key == part.key) {
            rest = &rest[1..];
            common += 1;
        }
    }
    overlap(common, found.len(), wanted.len())
}

/// The first missing object in reading order. Where there are some equal ones but too few, one that
/// lies where the candidate has none.
pub(crate) fn look(pair: &Comparison, notion: Notion) -> Option<Value> {
    if !pair.fits() {
        return None;
    }
    let (found, wanted) = (pair.candidate.parts().of(notion), pair.expected.parts().of(notion));
    let mut missing: Option<u32> = None;
    for wanted in wanted.chunk_by(|a, b| a.key == b.key) {
        let found = equal(found, wanted[0].key);
        if found.len() < wanted.len() {
            let first = beyond(wanted, found).map(|part| part.number).min();
            missing = missing.into_iter().chain(first).min();
        }
    }
    object(pair.expected, notion, missing?)
}

/// Those of the ascending parts that have this key.
pub(crate) fn equal(parts: &[Part], key: u64) -> &[Part] {
    let start = parts.partition_point(|p| p.key < key);
    let end = parts.partition_point(|p| p.key <= key);
    &parts[start..end]
}

/// Those of the first parts whose place is not one of the second ones. All have one key.
pub(crate) fn beyond<'p>(
    these: &'p [Part],
    those: &'p [Part],
) -> impl Iterator<Item = &'p Part> + Clone {
    let place = |p: &Part| (p.top, p.left);
    these.iter().filter(move |p| those.binary_search_by_key(&place(p), place).is_err())
}

/// Object `number` of a side, where it lies: with its colours if the notion looks at them.
fn object(side: &Side, notion: Notion, number: u32) -> Option<Value> {
    let (mut runs, mut labels) = (Runs::new(), Labels::new());
    components::find_runs(side.grid.cells(), side.grid.width(), side.background, &mut runs);
    components::connect(&runs, notion.one_color, notion.diagonal, &mut labels);
    let cells = runs.iter().zip(labels.of_runs()).filter(|&(_, &label)| label == number).flat_map(
        |(run, _)| (run.start..run.end).map(|j| (run.color.into(), run.row.into(), j.into())),
    );
    let cells: Vec<(i64, i64, i64)> = cells.collect();
    if cells.is_empty() {
        return None;
    }
    Some(if notion.colored {
        Value::object(&cells)
    } else {
        Value::indices(&cells.iter().map(|&(_, i, j)| (i, j)).collect::<Vec<_>>())
    })
}
