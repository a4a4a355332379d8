//! Calls that were made before on the same values.

use hashbrown::HashTable;

use crate::batt_plan::MEMO_ARGS;
use crate::table::ValueId;
use crate::worker::NodeSlot;

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

    /// Spreads the numbers over all bits. They are small, so that three multiplications do what a
    /// hasher for any data does in several times as many steps.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let [a, b, c, d, e] = self.0.map(u64::from);
        let fold = |n: u64, more: u64| {
            let wide = u128::from(n ^ more) * u128::from(SPREAD);
            (wide >> 64) as u64 ^ wide as u64
        };
        fold(fold(fold(a << 32 | b, 0), c << 32 | d), e)
    }
}

/// Outcomes of calls, by operation and arguments.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    calls: HashTable<(Key, NodeSlot)>,
}

impl Memo {
    /// The outcome of a call that was made before.
    #[inline]
    pub(crate) fn get(&self, hash: u64, key: &Key) -> Option<NodeSlot> {
        self.calls.find(hash, |(other, _)| other == key).map(|(_, slot)| *slot)
    }

    /// Remembers a call that was not made before.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, key: Key, slot: NodeSlot) {
        self.calls.insert_unique(hash, (key, slot), |(key, _)| key.hash());
    }

    /// Forgets everything; memory is kept for the next use.
    pub(crate) fn clear(&mut self) {
        self.calls.clear();
    }
}
