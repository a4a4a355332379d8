//! Objects recoloured by what they are: a table from a measure to a colour.

use crate::kernel::sheet::{Made, Sheet};
use crate::sheet::measure::Measure;
use crate::sheet::{color, list};

/// In place of a colour: the object stays as it is.
pub const SAME: u8 = 10;

/// A table from values to colours, [`SAME`] for objects that stay as they are, 0 for objects that go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorTable {
    len: u8,
    entries: [(i16, u8); ColorTable::MOST],
}

impl ColorTable {
    /// Entries at most.
    pub const MOST: usize = 10;

    /// An empty table.
    pub const fn new() -> ColorTable {
        ColorTable { len: 0, entries: [(0, 0); ColorTable::MOST] }
    }

    /// The entries, in the order in which they were added.
    pub fn entries(&self) -> &[(i16, u8)] {
        &self.entries[..usize::from(self.len)]
    }

    /// The colour for a value.
    pub fn get(&self, value: i32) -> Option<u8> {
        self.entries().iter().find(|(v, _)| i32::from(*v) == value).map(|(_, c)| *c)
    }

    /// Adds an entry; `None` when another one contradicts it or there is no room.
    pub fn learn(&mut self, value: i32, color: u8) -> Made {
        match self.get(value) {
            Some(known) => (known == color).then_some(()),
            None if usize::from(self.len) < ColorTable::MOST => {
                self.entries[usize::from(self.len)] = (i16::try_from(value).ok()?, color);
                self.len += 1;
                Some(())
            }
            None => None,
        }
    }
}

impl Default for ColorTable {
    fn default() -> ColorTable {
        ColorTable::new()
    }
}

/// The values of the sheets of a list: the measure itself or, ranked, its rank.
pub fn values(list: &[Sheet], measure: Measure, ranked: bool) -> Vec<i32> {
    let values: Vec<i32> = list.iter().map(|s| measure.of(s)).collect();
    if ranked { ranks(&values).into_iter().map(|rank| rank as i32).collect() } else { values }
}

/// For each value the number of different values that are larger.
pub fn ranks<T: Ord + Copy>(values: &[T]) -> Vec<usize> {
    let mut distinct = values.to_vec();
    distinct.sort_unstable_by(|a, b| b.cmp(a));
    distinct.dedup();
    values.iter().map(|v| distinct.partition_point(|d| d > v)).collect()
}

/// All sheets of a list on one, each in the colour the table has for it; `None` when it has none.
pub fn recolor(
    list: &[Sheet],
    measure: Measure,
    ranked: bool,
    table: &ColorTable,
    out: &mut Sheet,
) -> Made {
    let values = values(list, measure, ranked);
    let colors: Option<Vec<u8>> = values.into_iter().map(|v| table.get(v)).collect();
    paint(list, &colors?, out)
}

/// All sheets of a list on one, each in its colour; `None` when none is left.
pub fn paint(list: &[Sheet], colors: &[u8], out: &mut Sheet) -> Made {
    let mut dyed: Vec<Sheet> = Vec::with_capacity(list.len());
    for (s, &color) in list.iter().zip(colors) {
        match color {
            SAME => dyed.push(s.clone()),
            0 => {}
            color => {
                let mut one = Sheet::default();
                color::sheet_dye(s, color, &mut one)?;
                dyed.push(one);
            }
        }
    }
    list::overlaid(&dyed, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn ranks_count_larger_values_once() {
        assert_eq!(ranks(&[3, 9, 3, 1, 9]), [1, 0, 1, 2, 0]);
    }

    #[test]
    fn things_are_dyed_kept_and_dropped() {
        let mut list = [sheet(&["5"]), sheet(&["55"]), sheet(&["555"])];
        (list[1].top, list[2].top) = (1, 2);
        let mut table = ColorTable::new();
        for (value, color) in [(1, 0), (2, SAME), (3, 4)] {
            table.learn(value, color).expect("room");
        }
        let mut out = Sheet::default();
        recolor(&list, Measure::Area, false, &table, &mut out).expect("made");
        assert_eq!((out.top, out.cells()), (1, &[5, 5, 0, 4, 4, 4][..]));
        assert_eq!(recolor(&list[..1], Measure::Area, false, &table, &mut out), None);
        assert_eq!(recolor(&list, Measure::Area, true, &table, &mut out), None);
    }
}
