//! Values by input: every distinct value once, every step on it once.

use std::hash::{BuildHasher, Hasher};

use arcloom_dsl::kernel::sheet::{Made, Sheet};
use arcloom_value::{FixedHasher, FixedMap};

use crate::steps::{Bounds, Item, Scratch, Step};

/// A value of one input, by number.
pub type ItemId = u32;

const UNKNOWN: u32 = u32::MAX;
const FAILED: u32 = u32::MAX - 1;

/// The distinct values of one input and where steps led from them.
pub struct Pool {
    items: Vec<Item>,
    index: FixedMap<u64, ItemId>,
    /// For an item on which steps were tried: where its row in `table` starts.
    rows: Vec<u32>,
    table: Vec<u32>,
    steps: usize,
    pub bounds: Bounds,
    /// What the items hold besides themselves.
    bytes: usize,
}

impl Pool {
    /// An empty pool for up to `steps` steps.
    pub fn new(bounds: Bounds, steps: usize) -> Pool {
        Pool {
            items: Vec::new(),
            index: FixedMap::default(),
            rows: Vec::new(),
            table: Vec::new(),
            steps,
            bounds,
            bytes: 0,
        }
    }

    /// The value with this number.
    #[inline]
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id as usize]
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no value yet.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> usize {
        let index = self.index.capacity() * (size_of::<(u64, ItemId)>() + 1);
        let words = self.rows.capacity() + self.table.capacity();
        self.bytes + self.items.capacity() * size_of::<Item>() + index + words * size_of::<u32>()
    }

    /// Adds a value.
    pub fn add(&mut self, sheet: Sheet) -> ItemId {
        let mut scratch = Scratch { one: sheet, ..Scratch::default() };
        self.keep(&mut scratch)
    }

    /// Where `step` (number `number`) leads from a value; `work` grows by what it cost to find out.
    pub fn child(
        &mut self,
        id: ItemId,
        step: &Step,
        number: usize,
        scratch: &mut Scratch,
        work: &mut u64,
    ) -> Option<ItemId> {
        let mut row = self.rows[id as usize];
        if row == UNKNOWN {
            row = self.table.len() as u32;
            self.rows[id as usize] = row;
            self.table.resize(self.table.len() + self.steps, UNKNOWN);
        }
        let slot = row as usize + number;
        match self.table[slot] {
            FAILED => return None,
            UNKNOWN => {}
            known => return Some(known),
        }
        let item = &self.items[id as usize];
        let cells =
            if step.is_of_input() { self.bounds.picture.cells().len() } else { cells_of(item) };
        *work += (16 + cells as u64) * if step.is_slow() { 20 } else { 1 };
        let made: Made = step.apply(item, &self.bounds, scratch);
        let child = made.map(|()| self.keep(scratch));
        self.table[slot] = child.unwrap_or(FAILED);
        child
    }

    fn keep(&mut self, scratch: &mut Scratch) -> ItemId {
        let hash = hash(scratch);
        if let Some(&id) = self.index.get(&hash) {
            return id;
        }
        let id = self.items.len() as ItemId;
        self.index.insert(hash, id);
        let item = if scratch.is_list {
            Item::Many(scratch.many.clone())
        } else {
            Item::One(scratch.one.clone())
        };
        self.bytes += bytes_of(&item);
        self.items.push(item);
        self.rows.push(UNKNOWN);
        id
    }
}

fn cells_of(item: &Item) -> usize {
    match item {
        Item::One(s) => s.cells().len(),
        Item::Many(l) => l.iter().map(|s| s.cells().len() + 8).sum(),
    }
}

/// What an item holds besides itself, as allocators hand it out.
fn bytes_of(item: &Item) -> usize {
    let cells = |sheet: &Sheet| sheet.cells().len().next_multiple_of(16);
    match item {
        Item::One(sheet) => cells(sheet),
        Item::Many(list) => list.iter().map(|s| cells(s) + size_of::<Sheet>()).sum(),
    }
}

fn hash(scratch: &Scratch) -> u64 {
    let mut hasher = FixedHasher.build_hasher();
    if scratch.is_list {
        hasher.write_u8(1);
        scratch.many.iter().for_each(|s| hash_sheet(s, &mut hasher));
    } else {
        hash_sheet(&scratch.one, &mut hasher);
    }
    hasher.finish()
}

#[inline]
pub(crate) fn hash_sheet(s: &Sheet, hasher: &mut impl Hasher) {
    let size = (s.height() as u64) << 32 | s.width() as u64;
    hasher.write_u64(size);
    hasher.write_u64((s.top as u32 as u64) << 32 | s.left as u32 as u64);
    hasher.write(s.cells());
}
