//! Python's slices.

use std::ops::Range;

/// The places that `[start:stop]` takes of `len` elements: negative numbers count from the end, and
/// whatever lies outside is cut off.
#[inline]
pub fn slice_range(start: i64, stop: i64, len: usize) -> Range<usize> {
    let place = |at: i64| {
        let steps = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
        if at < 0 { len.saturating_sub(steps) } else { steps.min(len) }
    };
    let start = place(start);
    start..place(stop).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_ends_count_from_the_back() {
        assert_eq!(slice_range(1, -1, 5), 1..4);
        assert_eq!(slice_range(-2, 5, 5), 3..5);
        assert_eq!(slice_range(-9, -4, 5), 0..1);
        assert_eq!(slice_range(-1, 2, 5), 4..4);
    }

    #[test]
    fn far_ends_are_cut_off() {
        assert_eq!(slice_range(3, i64::MAX, 5), 3..5);
        assert_eq!(slice_range(i64::MAX, i64::MAX, 5), 5..5);
        assert_eq!(slice_range(i64::MIN, i64::MAX, 5), 0..5);
        assert_eq!(slice_range(0, 0, 0), 0..0);
    }
}
