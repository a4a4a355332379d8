//! Values by number: equal values have one number, so comparing is comparing numbers.

use std::hash::BuildHasher;

use arcloom_value::{FixedHasher, Value};
use hashbrown::HashTable;

/// The number of a value in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// Distinct values, numbered in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Table {
    values: Vec<Value>,
    hashes: Vec<u64>,
    index: HashTable<u32>,
}

/// The hash that tables find values by.
#[inline]
pub(crate) fn hash(value: &Value) -> u64 {
    FixedHasher.hash_one(value)
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
        &self.values[id.0 as usize]
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
        self.index.find(hash, is_same).map(|&n| ValueId(n))
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
        ValueId(n)
    }

    /// Forgets everything; memory is kept for the next use.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.hashes.clear();
        self.index.clear();
    }
}
