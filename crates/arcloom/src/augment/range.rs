//! What the demos have in common, as ranges of numbers.

/// How far a number may leave what the demos show. Where it is the same on all of them, it stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Any value, if the demos differ.
    Any,
    /// From the least of the demos to the greatest.
    Range,
    /// Half as far again beyond both; what never was 0 does not become 0.
    Wide,
}

/// How far pairs may leave what the demos show. A maker begins with the first and goes on to the next where
/// next to nothing is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strictness {
    /// No further than freedoms say, made of the same small parts.
    Strict,
    /// With as many new small parts as the demo that has most of them.
    Parts,
}

/// A number over the demos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    low: i32,
    high: i32,
    freedom: Freedom,
}

impl Range {
    /// Of a number that was not seen yet.
    pub(super) const fn new(freedom: Freedom) -> Range {
        Range { low: i32::MAX, high: i32::MIN, freedom }
    }

    pub(super) fn see(&mut self, n: i32) {
        self.low = self.low.min(n);
        self.high = self.high.max(n);
    }

    pub(super) fn admits(&self, n: i32) -> bool {
        if self.low >= self.high {
            return n == self.low || self.low > self.high;
        }
        match self.freedom {
            Freedom::Any => true,
            Freedom::Range => (self.low..=self.high).contains(&n),
            Freedom::Wide => {
                let more = (self.high - self.low) / 2 + 1;
                let low = if self.low > 0 { (self.low - more).max(1) } else { self.low - more };
                (low..=self.high + more).contains(&n)
            }
        }
    }
}
