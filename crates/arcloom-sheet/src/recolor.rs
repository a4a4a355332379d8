//! Things recoloured by what they are: a table from a measure to a colour.

use crate::measure::Measure;
use crate::{Made, Sheet, color, list};

/// What becomes of a thing.
pub const SAME: u8 = 10;

/// A table from values to colours, [`SAME`] for things that stay as they are, 0 for things that go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    len: u8,
    entries: [(i16, u8); Table::MOST],
}

impl Table {
    /// Entries at most.
    pub const MOST: usize = 10;

    /// An empty table.
    pub const fn new() -> Table {
        Table { len: 0, entries: [(0, 0); Table::MOST] }
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
            None if usize::from(self.len) < Table::MOST => {
                self.entries[usize::from(self.len)] = (i16::try_from(value).ok()?, color);
                self.len += 1;
                Some(())
            }
            None => None,
        }
    }
}

impl Default for Table {
    fn default() -> Table {
        Table::new()
    }
}

/// The values of the sheets of a list: the measure itself or, ranked, the number of different values
/// that are larger.
pub fn values(list: &[Sheet], measure: Measure, ranked: bool) -> Vec<i32> {
    let values: Vec<i32> = list.iter().map(|s| measure.of(s)).collect();
    if !ranked {
        return values;
    }
    let mut distinct = values.clone();
    distinct.sort_unstable_by(|a, b| b.cmp(a));
    distinct.dedup();
    values.iter().map(|v| distinct.iter().take_while(|d| *d > v).count() as i32).collect()
}

/// All sheets of a list on one, each in the colour the table has for it; `None` when it has none.
pub fn recolor(
    list: &[Sheet],
    measure: Measure,
    ranked: bool,
    table: &Table,
    out: &mut Sheet,
) -> Made {
    let mut dyed: Vec<Sheet> = Vec::with_capacity(list.len());
    for (s, value) in list.iter().zip(values(list, measure, ranked)) {
        match table.get(value)? {
            SAME => dyed.push(s.clone()),
            0 => {}
            color => {
                let mut one = Sheet::default();
                color::dye(s, color, &mut one)?;
                dyed.push(one);
            }
        }
    }
    list::overlay(&dyed, out)
}
