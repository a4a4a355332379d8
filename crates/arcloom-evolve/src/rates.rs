//! How often each operator is chosen, learnt from how it did.
//!
//! Counting and choosing are apart: every thread keeps a [`Tally`], tallies are added up between
//! generations, and only then [`Rates::adapt`] changes the shares. Sums do not depend on the order,
//! and all arithmetic is in integers, so runs repeat on any number of threads.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::operators::ALL;

/// How one operator did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OperatorCount {
    /// Tried.
    pub applied: u64,
    /// A well-typed child came of it.
    pub valid: u64,
    /// The child was not known before.
    pub new: u64,
    /// The child was better than its parent.
    pub improving: u64,
}

impl OperatorCount {
    /// Adds another count.
    pub fn add(&mut self, other: &OperatorCount) {
        let mut other = *other;
        self.fields().into_iter().zip(other.fields()).for_each(|(mine, theirs)| *mine += *theirs);
    }

    fn fields(&mut self) -> [&mut u64; 4] {
        [&mut self.applied, &mut self.valid, &mut self.new, &mut self.improving]
    }
}

/// What happened in a generation, by operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally(Vec<OperatorCount>);

impl Default for Tally {
    fn default() -> Tally {
        Tally(vec![OperatorCount::default(); ALL.len()])
    }
}

impl Tally {
    /// A tally with these counts, in the order of the operators; what is missing is 0.
    pub fn from_counts(counts: impl IntoIterator<Item = OperatorCount>) -> Tally {
        let mut tally = Tally::default();
        tally.0.iter_mut().zip(counts).for_each(|(mine, count)| *mine = count);
        tally
    }

    /// The counts, in the order of the operators.
    pub fn counts(&self) -> &[OperatorCount] {
        &self.0
    }

    /// An operator was tried.
    pub fn applied(&mut self, operator: usize, valid: bool) {
        if let Some(count) = self.0.get_mut(operator) {
            count.applied += 1;
            count.valid += u64::from(valid);
        }
    }

    /// An operator's child turned out to be new, or better than its parent, or both.
    pub fn outcome(&mut self, operator: usize, new: bool, improving: bool) {
        if let Some(count) = self.0.get_mut(operator) {
            count.new += u64::from(new);
            count.improving += u64::from(improving);
        }
    }

    /// Adds another tally, such as another thread's.
    pub fn add(&mut self, other: &Tally) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.add(theirs);
        }
    }
}

/// The share of each operator.
#[derive(Debug, Clone)]
pub struct Rates {
    /// Recent counts: older generations weigh less and less.
    memory: Vec<OperatorCount>,
    /// Shares in [`WHOLE`]ths; they add up to it or a little less.
    shares: Vec<u64>,
}

/// All shares together.
const WHOLE: u64 = 1_000_000;
/// Part of the whole that is shared out evenly whatever happens, so that no operator dies out: what
/// helps changes as a population gets nearer.
const EVEN_PARTS: u64 = 4;
/// What an improvement weighs against a child that is merely new.
const IMPROVEMENT: u64 = 50;
/// Tries that every operator is credited with before it has made any, and what came of them.
const PRIOR: OperatorCount = OperatorCount { applied: 40, valid: 20, new: 20, improving: 1 };

impl Default for Rates {
    /// Even shares.
    fn default() -> Rates {
        let mut rates =
            Rates { memory: vec![OperatorCount::default(); ALL.len()], shares: Vec::new() };
        rates.share_out();
        rates
    }
}

impl Rates {
    /// Rates that remember these counts, to go on from where others were.
    pub fn from_memory(memory: impl IntoIterator<Item = OperatorCount>) -> Rates {
        let mut rates = Rates { memory: Tally::from_counts(memory).0, shares: Vec::new() };
        rates.share_out();
        rates
    }

    /// What the shares depend on.
    pub fn memory(&self) -> &[OperatorCount] {
        &self.memory
    }

    /// The share of each operator, in millionths.
    pub fn shares(&self) -> &[u64] {
        &self.shares
    }

    /// Learns from a generation. What was learnt before counts half.
    pub fn adapt(&mut self, generation: &Tally) {
        for (count, fresh) in self.memory.iter_mut().zip(&generation.0) {
            let mut fresh = *fresh;
            count.fields().into_iter().zip(fresh.fields()).for_each(|(m, f)| *m = *m / 2 + *f);
        }
        self.share_out();
    }

    fn share_out(&mut self) {
        // What a try is worth, in thousandths: tries cost alike, whether a child comes of them or not.
        let worth = |count: &OperatorCount| {
            let gain = (count.improving + PRIOR.improving) * IMPROVEMENT + count.new + PRIOR.new;
            1000 * gain / (count.applied + PRIOR.applied)
        };
        let worths: Vec<u64> = self.memory.iter().map(worth).collect();
        let sum = worths.iter().sum::<u64>().max(1);
        let even = WHOLE / EVEN_PARTS / worths.len().max(1) as u64;
        let open = WHOLE - WHOLE / EVEN_PARTS;
        self.shares = worths.iter().map(|worth| even + open * worth / sum).collect();
    }

    /// The place of an operator, drawn by the shares.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> usize {
        let sum = self.shares.iter().sum::<u64>().max(1);
        let mut left = rng.next_u64() % sum;
        let taken = self.shares.iter().position(|&share| match left.checked_sub(share) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        taken.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn what_improves_is_drawn_more_and_nothing_dies() {
        let mut rates = Rates::default();
        let even = rates.shares()[0];
        assert!(rates.shares().iter().all(|&s| s == even));
        let mut tally = Tally::default();
        for n in 0..ALL.len() {
            for k in 0..1000 {
                tally.applied(n, true);
                tally.outcome(n, k % 2 == 0, n == 3 && k % 10 == 0);
            }
        }
        for _ in 0..50 {
            rates.adapt(&tally);
        }
        assert!(rates.shares()[3] > 4 * even);
        assert!(rates.shares().iter().all(|&s| s >= WHOLE / EVEN_PARTS / ALL.len() as u64));
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let drawn = (0..1000).filter(|_| rates.draw(&mut rng) == 3).count();
        assert!(drawn > 150, "{drawn}");
        // Forgotten when it stops to help.
        for _ in 0..50 {
            rates.adapt(&Tally::default());
        }
        assert_eq!(rates.shares()[3], rates.shares()[0]);
    }

    #[test]
    fn tallies_add_up_in_any_order() {
        let (mut a, mut b) = (Tally::default(), Tally::default());
        a.applied(1, true);
        b.applied(1, false);
        b.outcome(1, true, true);
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.add(&b);
        ba.add(&a);
        assert_eq!(ab, ba);
        assert_eq!(ab.counts()[1], OperatorCount { applied: 2, valid: 1, new: 1, improving: 1 });
    }
}
