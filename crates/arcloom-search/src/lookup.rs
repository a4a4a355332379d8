//! Cell by cell: the output's colour read from a table by the colours that up to three pictures have
//! there. Where stacking needs a layer for each case, a table has an entry.

use arcloom_dsl::kernel::sheet::Sheet;

use crate::grow::ChainGrowth;
use crate::pieces::Pieces;

/// A table that explains every cell of every demo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Numbers of the pieces whose colours are looked up, up to three.
    pub pieces: Vec<u32>,
    /// Colours of the pieces in a cell, and the colour of the output there.
    pub table: Vec<(Vec<u8>, u8)>,
    /// What it costs.
    pub cost: u16,
}

/// Pieces that are looked up with each other in twos: of the first so many with all of the second.
const BASES: usize = 16;
const OTHERS: usize = 2500;
/// Pieces that are looked up in threes with the first one.
const THIRDS: usize = 130;
/// Tables that are returned at most.
const MOST: usize = 6;
/// Cells that speak for an entry, on average, at the least, with one, two and three pictures.
const SUPPORT: [usize; 3] = [2, 6, 6];

const UNSEEN: u8 = 255;

/// The cheapest tables that explain all demos and know every case of the tests.
pub fn lookups(
    growth: &ChainGrowth,
    pieces: &Pieces,
    targets: &[Sheet],
    work: &mut u64,
) -> Vec<Lookup> {
    let target: Vec<u8> = targets.iter().flat_map(|t| t.cells().iter().copied()).collect();
    let count = pieces.pieces.len().min(OTHERS);
    let pictures: Vec<Vec<u8>> =
        (0..count).map(|n| picture(growth, pieces, n).unwrap_or_default()).collect();
    let cells = pictures.iter().map(Vec::len).max().unwrap_or(0);
    *work += (count * cells) as u64 / 4;
    let usable: Vec<usize> = (0..count).filter(|&n| pictures[n].len() == cells).collect();

    let mut found: Vec<Lookup> = Vec::new();
    let mut offer = |numbers: &[usize], work: &mut u64| {
        let extra: u16 = numbers.iter().map(|&n| pieces.pieces[n].cost).sum();
        let dearest = if found.len() < MOST { u16::MAX } else { found[MOST - 1].cost };
        if extra + 5 >= dearest {
            return;
        }
        let columns: Vec<&[u8]> = numbers.iter().map(|&n| pictures[n].as_slice()).collect();
        let Some(table) = table(&columns, &target, work) else { return };
        let changes = table.iter().filter(|(key, color)| key[0] != *color).count() as u16;
        let cost = extra + 10 * numbers.len() as u16 - 5 + 2 * changes;
        let pieces = numbers.iter().map(|&n| n as u32).collect();
        let place = found.partition_point(|l| l.cost <= cost);
        found.insert(place, Lookup { pieces, table, cost });
        found.truncate(MOST);
    };
    for &only in &usable {
        offer(&[only], work);
    }
    for (k, &base) in usable.iter().take(BASES).enumerate() {
        for &other in &usable[k + 1..] {
            offer(&[base, other], work);
        }
    }
    if let Some(&base) = usable.first() {
        let near = &usable[1..usable.len().min(THIRDS)];
        for (k, &second) in near.iter().enumerate() {
            for &third in &near[k + 1..] {
                offer(&[base, second, third], work);
            }
        }
    }
    found
}

/// The table of these columns, when the demos agree on it and the tests need no other entry.
fn table(columns: &[&[u8]], target: &[u8], work: &mut u64) -> Option<Vec<(Vec<u8>, u8)>> {
    let mut table = [UNSEEN; 1000];
    let key = |cell: usize| columns.iter().fold(0, |k, c| k * 10 + usize::from(c[cell]));
    for (cell, &color) in target.iter().enumerate() {
        let entry = &mut table[key(cell)];
        if *entry == UNSEEN {
            *entry = color;
        } else if *entry != color {
            *work += cell as u64 / 4;
            return None;
        }
    }
    *work += columns[0].len() as u64 / 4;
    if (target.len()..columns[0].len()).any(|cell| table[key(cell)] == UNSEEN) {
        return None;
    }
    let entries = (0..1000).filter(|&k| table[k] != UNSEEN);
    let colors = |k: usize| match columns.len() {
        1 => vec![k as u8],
        2 => vec![(k / 10) as u8, (k % 10) as u8],
        _ => vec![(k / 100) as u8, (k / 10 % 10) as u8, (k % 10) as u8],
    };
    let entries: Vec<(Vec<u8>, u8)> = entries.map(|k| (colors(k), table[k])).collect();
    (entries.len() * SUPPORT[columns.len() - 1] <= target.len()).then_some(entries)
}

/// A piece on all inputs, one after the other.
fn picture(growth: &ChainGrowth, pieces: &Pieces, number: usize) -> Option<Vec<u8>> {
    let mut cells = Vec::new();
    pieces.on_all(growth, number, |sheet| cells.extend_from_slice(sheet.cells()))?;
    Some(cells)
}

/// The output on one input.
pub fn paint(
    growth: &ChainGrowth,
    pieces: &Pieces,
    lookup: &Lookup,
    input: usize,
) -> Option<Sheet> {
    let sheets = pieces.sheets(growth, &lookup.pieces, input)?;
    let mut out = Sheet::default();
    arcloom_dsl::kernel::sheet::lookup::lookup(&sheets, &lookup.table, &mut out)?;
    Some(out)
}
