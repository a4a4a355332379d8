//! Values by number: equal values have one number, so comparing is comparing numbers. Values put in
//! apart are the exception.

use std::hash::{BuildHasher, Hash, Hasher};

use arcloom_value::{FixedHasher, Value};
use hashbrown::HashTable;

/// The number of a value in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);

impl ValueId {
    /// Set in numbers of values that only one node has.
    const APART: u32 = 1 << 31;

    /// The number of the value at a place.
    #[inline]
    pub(crate) fn new(place: u32) -> ValueId {
        ValueId(place)
    }

    /// The same place, as that of a value that only one node has.
    #[inline]
    pub(crate) fn apart(self) -> ValueId {
        ValueId(self.0 | ValueId::APART)
    }

    /// True when only one node has the value.
    #[inline]
    pub(crate) fn is_apart(self) -> bool {
        self.0 & ValueId::APART != 0
    }

    /// Where the value is.
    #[inline]
    pub(crate) fn place(self) -> u32 {
        self.0 & !ValueId::APART
    }
}

/// Distinct values, numbered in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Table {
    values: Vec<Value>,
    hashes: Vec<u64>,
    index: HashTable<u32>,
}

/// The hash that tables find values by. Of a long tuple or set, or a large grid, it looks at the ends
/// only: that tells nearly all of them apart, and comparing settles the rest.
#[inline]
pub(crate) fn hash(value: &Value) -> u64 {
    let mut hasher = FixedHasher.build_hasher();
    mix(value, &mut hasher);
    hasher.finish()
}

/// Elements at either end of a tuple or set that its hash looks at.
const LOOKED_AT: usize = 3;

/// Cells at either end of a large grid that its hash looks at.
const CELLS_LOOKED_AT: usize = 1 << 10;

fn mix(value: &Value, hasher: &mut impl Hasher) {
    match value {
        Value::Tuple(seq) | Value::Set(seq) if seq.items().len() > 2 * LOOKED_AT => {
            let items = seq.items();
            hasher.write_u64((items.len() as u64) << 1 | u64::from(value.is_set()));
            let ends = items[..LOOKED_AT].iter().chain(&items[items.len() - LOOKED_AT..]);
            ends.for_each(|item| mix(item, hasher));
        }
        Value::Grid(grid) if grid.cells().len() > 2 * CELLS_LOOKED_AT => {
            let cells = grid.cells();
            hasher.write_u64((grid.height() as u64) << 32 | grid.width() as u64);
            cells[..CELLS_LOOKED_AT].hash(hasher);
            cells[cells.len() - CELLS_LOOKED_AT..].hash(hasher);
        }
        _ => value.hash(hasher),
    }
}

impl Table {
    /// Number of values.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.values.len() as u32
    }

    /// The value with this number.
    #[inline]
    pub(crate) fn get(&self, id: ValueId) -> &Value {
        &self.values[id.place() as usize]
    }

    /// All values, by number.
    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    /// The number of a value that is there.
    #[inline]
    pub(crate) fn find(&self, hash: u64, value: &Value) -> Option<ValueId> {
        let is_same =
            |&n: &u32| self.hashes[n as usize] == hash && self.values[n as usize] == *value;
        self.index.find(hash, is_same).map(|&n| ValueId::new(n))
    }

    /// The number of a value, which is put in when missing.
    pub(crate) fn insert(&mut self, value: Value) -> ValueId {
        let hash = hash(&value);
        match self.find(hash, &value) {
            Some(id) => id,
            None => self.push(hash, value),
        }
    }

    /// Puts in a value that is not there yet.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64, value: Value) -> ValueId {
        let n = self.values.len() as u32;
        self.values.push(value);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.index.insert_unique(hash, n, |&n| hashes[n as usize]);
        ValueId::new(n)
    }

    /// Puts in a value that will not be found again, whether or not there is an equal one.
    pub(crate) fn push_apart(&mut self, value: Value) -> ValueId {
        self.values.push(value);
        self.hashes.push(0);
        ValueId::new(self.values.len() as u32 - 1)
    }

    /// Drops a value that nobody will ask for again.
    pub(crate) fn forget(&mut self, id: ValueId) {
        self.values[id.place() as usize] = Value::None;
    }

    /// Forgets everything; memory is kept for the next use.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.hashes.clear();
        self.index.clear();
    }
}
