//! Calls that were made before on the same values.

use std::hash::BuildHasher;

use arcloom_value::FixedHasher;
use hashbrown::HashTable;

use crate::batt_plan::MEMO_ARGS;
use crate::table::ValueId;
use crate::worker::Slot;

/// An operation and the numbers of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key([u32; MEMO_ARGS + 1]);

impl Key {
    #[inline]
    pub(crate) fn new(operation: u32, args: &[ValueId]) -> Key {
        let mut key = [u32::MAX; MEMO_ARGS + 1];
        key[0] = operation;
        for (place, arg) in key[1..].iter_mut().zip(args) {
            *place = arg.place();
        }
        Key(key)
    }

    #[inline]
    fn hash(&self) -> u64 {
        FixedHasher.hash_one(self.0)
    }
}

/// Outcomes of calls, by operation and arguments.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    calls: HashTable<(Key, Slot)>,
}

impl Memo {
    /// The outcome of a call that was made before.
    #[inline]
    pub(crate) fn get(&self, key: &Key) -> Option<Slot> {
        self.calls.find(key.hash(), |(other, _)| other == key).map(|(_, slot)| *slot)
    }

    /// Remembers a call that was not made before.
    #[inline]
    pub(crate) fn insert(&mut self, key: Key, slot: Slot) {
        self.calls.insert_unique(key.hash(), (key, slot), |(key, _)| key.hash());
    }

    /// Forgets everything; memory is kept for the next use.
    pub(crate) fn clear(&mut self) {
        self.calls.clear();
    }
}
