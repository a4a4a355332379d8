//! Where a generator takes its decisions from: a seeded stream, or the bytes of a fuzzer.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of decisions.
pub trait Chooser {
    /// A number below `n`; 0 when `n` is 0.
    fn below(&mut self, n: usize) -> usize;

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>
    where
        Self: Sized,
    {
        items.get(self.below(items.len()))
    }
}

/// Decisions from a seed: the same seed, the same decisions.
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl Chooser for Seeded {
    fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.0.next_u64() % n as u64) as usize }
    }
}

/// Decisions from bytes, two each; 0 when they run out.
pub struct Bytes<'a>(pub &'a [u8]);

impl Chooser for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((two, rest)) = self.0.split_first_chunk::<2>() else { return 0 };
        self.0 = rest;
        if n == 0 { 0 } else { usize::from(u16::from_le_bytes(*two)) % n }
    }
}
