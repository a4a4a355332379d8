//! Counting equal elements, and finding the first of each.

/// The smallest of the elements that occur most often, or least often; `None` for an empty list.
pub fn by_count<T: Ord>(mut items: Vec<T>, most: bool) -> Option<T> {
    items.sort_unstable();
    let mut best: Option<(usize, usize)> = None;
    let mut start = 0;
    while start < items.len() {
        let count = items[start..].iter().take_while(|item| **item == items[start]).count();
        let better = best.is_none_or(|(_, n)| if most { count > n } else { count < n });
        if better {
            best = Some((start, count));
        }
        start += count;
    }
    best.map(|(at, _)| items.swap_remove(at))
}

/// Places of the elements that equal none before them, ascending.
pub fn first_places<T: Ord>(items: &[T]) -> Vec<usize> {
    // Up to here comparing all pairs beats sorting.
    if items.len() <= 12 {
        return (0..items.len()).filter(|&n| !items[..n].contains(&items[n])).collect();
    }
    let mut places: Vec<usize> = (0..items.len()).collect();
    places.sort_by(|&a, &b| items[a].cmp(&items[b]));
    places.dedup_by(|later, earlier| items[*later] == items[*earlier]);
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_smallest() {
        assert_eq!(by_count(vec![3, 1, 3, 1, 2], true), Some(1));
        assert_eq!(by_count(vec![3, 1, 3, 1, 2, 0], false), Some(0));
        assert_eq!(by_count::<i64>(vec![], true), None);
    }

    #[test]
    fn long_lists_agree_with_comparing_all_pairs() {
        let mut seed = 5u64;
        for len in 0..60 {
            let items: Vec<u64> = (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(99991);
                    (seed >> 40) % 20
                })
                .collect();
            let plain: Vec<usize> =
                (0..items.len()).filter(|&n| !items[..n].contains(&items[n])).collect();
            assert_eq!(first_places(&items), plain);
        }
    }
}
