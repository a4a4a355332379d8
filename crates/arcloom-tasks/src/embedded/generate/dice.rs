//! Seeded choices for the generators.
//!
//! Ranges and shuffles are spelled out over the raw stream instead of borrowed from a library of
//! distributions: the committed tasks then depend on the cipher alone, which never changes.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::grid::Grid;

/// A stream of choices that depends on nothing but a name.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice for one task: adding or changing another task leaves these alone.
    pub(super) fn named(name: &str) -> Dice {
        // FNV-1a, 64 bits.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut key = [0; 32];
        key[..8].copy_from_slice(&hash.to_le_bytes());
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn range(&mut self, low: usize, high: usize) -> usize {
        debug_assert!(low <= high);
        let span = (high - low + 1) as u64;
        low + ((u64::from(self.0.next_u32()) * span) >> 32) as usize
    }

    /// True `percent` times in a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.range(0, 99) < percent
    }

    /// One of the items.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.range(0, items.len() - 1)]
    }

    /// The items in random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.range(0, last));
        }
    }

    /// Different colours other than black and those to avoid.
    pub(super) fn colors(&mut self, count: usize, avoid: &[u8]) -> Vec<u8> {
        let mut colors: Vec<u8> = (1..=9).filter(|color| !avoid.contains(color)).collect();
        self.shuffle(&mut colors);
        colors.truncate(count);
        colors
    }

    /// One colour other than black and those to avoid.
    pub(super) fn color(&mut self, avoid: &[u8]) -> u8 {
        self.colors(1, avoid)[0]
    }

    /// A background: black two times in three.
    pub(super) fn background(&mut self, avoid: &[u8]) -> u8 {
        if self.chance(67) { 0 } else { self.color(avoid) }
    }

    /// A grid of independent cells.
    pub(super) fn noise(&mut self, height: usize, width: usize, palette: &[u8]) -> Grid {
        (0..height).map(|_| (0..width).map(|_| self.pick(palette)).collect()).collect()
    }
}
