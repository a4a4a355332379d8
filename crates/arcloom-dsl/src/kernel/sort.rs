//! A stable sort whose comparison may fail, or may not be an order at all.
//!
//! Python compares sets by inclusion, and what a sort makes of such keys depends on which pairs it
//! compares. Up to 63 elements this makes the comparisons of CPython's `list.sort`, so even then
//! the outcome is the same; longer lists agree whenever the keys are truly ordered.

/// Lists shorter than this are sorted as one run, as CPython does.
const ONE_RUN: usize = 64;
/// Length of the runs that longer lists are merged from.
const RUN: usize = 32;

/// Sorts by `less`, equal elements keeping their places, and stops at its first failure.
pub fn sort<T: Copy, E>(
    items: &mut Vec<T>,
    mut less: impl FnMut(T, T) -> Result<bool, E>,
) -> Result<(), E> {
    if items.len() < ONE_RUN {
        return insert_all(items, &mut less);
    }
    for run in items.chunks_mut(RUN) {
        insert_all(run, &mut less)?;
    }
    let mut width = RUN;
    while width < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (&[a, ..], &[b, ..]) = (left, right) {
                if less(b, a)? {
                    merged.push(b);
                    right = &right[1..];
                } else {
                    merged.push(a);
                    left = &left[1..];
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        *items = merged;
        width *= 2;
    }
    Ok(())
}

/// Keeps the leading run, turned around if it falls, and inserts the rest by bisection.
fn insert_all<T: Copy, E>(
    items: &mut [T],
    less: &mut impl FnMut(T, T) -> Result<bool, E>,
) -> Result<(), E> {
    if items.len() < 2 {
        return Ok(());
    }
    let falling = less(items[1], items[0])?;
    let mut run = 2;
    while run < items.len() && less(items[run], items[run - 1])? == falling {
        run += 1;
    }
    if falling {
        items[..run].reverse();
    }
    for n in run..items.len() {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if less(items[n], items[middle])? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        items[low..=n].rotate_right(1);
    }
    Ok(())
}

/// The places of these keys in ascending order, equal ones in theirs. Keys that lie close together,
/// distances and sizes do, are counted instead of compared.
pub fn places(keys: &[i64]) -> Vec<u32> {
    let (low, high) = keys.iter().fold((i64::MAX, i64::MIN), |(l, h), &k| (l.min(k), h.max(k)));
    let span = high.wrapping_sub(low) as u64;
    if keys.is_empty() || span > 2 * keys.len() as u64 + 16 {
        let mut places: Vec<u32> = (0..keys.len() as u32).collect();
        places.sort_by_key(|&n| keys[n as usize]);
        return places;
    }
    // Where the next place with a key goes.
    let mut next = vec![0u32; span as usize + 1];
    keys.iter().for_each(|&key| next[(key - low) as usize] += 1);
    let mut before = 0;
    for slot in &mut next {
        before += std::mem::replace(slot, before);
    }
    let mut places = vec![0; keys.len()];
    for (n, &key) in keys.iter().enumerate() {
        let slot = &mut next[(key - low) as usize];
        places[*slot as usize] = n as u32;
        *slot += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_stable_sort() {
        let mut seed = 3u64;
        for len in (0..40).chain([100, 1000]) {
            for spread in [1, 10, 100, 100_000, u64::MAX] {
                let keys: Vec<i64> = (0..len)
                    .map(|_| {
                        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(99991);
                        (((seed ^ seed >> 29) % spread) as i64).wrapping_sub((spread / 2) as i64)
                    })
                    .collect();
                let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
                expected.sort_by_key(|&n| keys[n as usize]);
                assert_eq!(places(&keys), expected);
            }
        }
        let far = [i64::MAX, i64::MIN, 0];
        assert_eq!(places(&far), [1, 2, 0]);
    }

    #[test]
    fn agrees_with_the_stable_sort_of_the_standard_library() {
        let mut seed = 7u64;
        for len in (0..70).chain([95, 96, 97, 128, 200, 1000]) {
            for spread in [2, 10, 1000] {
                let mut items: Vec<(u64, usize)> = (0..len)
                    .map(|n| {
                        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(99991);
                        ((seed >> 40) % spread, n)
                    })
                    .collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| item.0);
                sort(&mut items, |a, b| Ok::<bool, ()>(a.0 < b.0)).unwrap();
                assert_eq!(items, expected);
            }
        }
    }

    #[test]
    fn a_failing_comparison_stops_it() {
        let mut items = vec![3, 1, 2];
        assert_eq!(sort(&mut items, |_, _| Err::<bool, _>("no")), Err("no"));
        assert_eq!(sort(&mut vec![1], |_, _| Err::<bool, _>("no")), Ok(()));
    }
}
