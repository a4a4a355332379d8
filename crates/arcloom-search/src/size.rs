//! The size of the output, before anything is known of its cells.

use crate::grow::Growth;
use crate::steps::Item;

/// Height and width.
pub type Size = (usize, usize);

/// Output sizes for all inputs (those of the demos as given) that the demos speak for, best first.
///
/// A guess is the size of something the search made, times a factor, plus a margin; or a constant.
pub fn guesses(growth: &Growth, demos: &[Size], most: usize) -> Vec<Vec<Size>> {
    let inputs = growth.inputs();
    let mut seeds: Vec<(Vec<Size>, u32)> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut order: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    order.sort_by_key(|&n| growth.nodes[n as usize].cost);
    for node in order {
        if growth.nodes[node as usize].is_list {
            continue;
        }
        let sizes: Vec<Size> = (0..inputs)
            .map(|i| match growth.item(node, i) {
                Item::One(s) => (s.height(), s.width()),
                Item::Many(_) => (0, 0),
            })
            .collect();
        if seen.insert(sizes.clone()) {
            seeds.push((sizes, seeds.len() as u32 + 1));
        }
        if seeds.len() >= 400 {
            break;
        }
    }
    // By height and width apart: the affine map of a side that fits the demos, if any.
    let mut found: Vec<(u32, Vec<Size>)> = Vec::new();
    let offer = |found: &mut Vec<(u32, Vec<Size>)>, cost: u32, sizes: Vec<Size>| {
        let fits = sizes.iter().zip(demos).all(|(a, b)| a == b);
        let legal = sizes.iter().all(|s| (1..=30).contains(&s.0) && (1..=30).contains(&s.1));
        if fits && legal {
            found.push((cost, sizes));
        }
    };
    if demos.windows(2).all(|w| w[0] == w[1]) && demos.len() > 1 {
        offer(&mut found, 2, vec![demos[0]; inputs]);
    }
    for (sizes, rank) in &seeds {
        let side = |pick: fn(&Size) -> usize| affine(sizes, demos, pick);
        if let (Some((a, b, x)), Some((c, d, y))) = (side(|s| s.0), side(|s| s.1)) {
            let image = |s: &Size| {
                let h = (s.0 as i64 * a + b).max(0) as usize;
                let w = (s.1 as i64 * c + d).max(0) as usize;
                (h, w)
            };
            offer(&mut found, rank * x * y, sizes.iter().map(image).collect());
        }
    }
    // Height from one thing, width from another.
    if found.is_empty() {
        let mut heights: Option<(u32, Vec<usize>)> = None;
        let mut widths: Option<(u32, Vec<usize>)> = None;
        for (sizes, rank) in &seeds {
            let best = |slot: &mut Option<(u32, Vec<usize>)>, pick: fn(&Size) -> usize| {
                if let Some((a, b, x)) = affine(sizes, demos, pick)
                    && slot.as_ref().is_none_or(|(cost, _)| rank * x < *cost)
                {
                    let image = |s: &Size| (pick(s) as i64 * a + b).max(0) as usize;
                    *slot = Some((rank * x, sizes.iter().map(image).collect()));
                }
            };
            best(&mut heights, |s| s.0);
            best(&mut widths, |s| s.1);
        }
        if let (Some((x, h)), Some((y, w))) = (heights, widths) {
            offer(&mut found, 10 * x * y, h.into_iter().zip(w).collect());
        }
    }
    found.sort();
    let mut guesses: Vec<Vec<Size>> = Vec::new();
    for (_, sizes) in found {
        if guesses.len() < most && !guesses.contains(&sizes) {
            guesses.push(sizes);
        }
    }
    guesses
}

/// Factor, margin and price of the simplest map that takes one side to the side of every output.
fn affine(sizes: &[Size], demos: &[Size], pick: fn(&Size) -> usize) -> Option<(i64, i64, u32)> {
    let pairs = || sizes.iter().zip(demos).map(|(s, d)| (pick(s) as i64, pick(d) as i64));
    let mut best: Option<(i64, i64, u32)> = None;
    for a in 1..=5i64 {
        for b in [0i64, -1, 1, -2, 2, -3, 3] {
            let price = a as u32 * (b.unsigned_abs() as u32 + 1);
            if best.is_none_or(|(_, _, p)| price < p) && pairs().all(|(s, d)| s * a + b == d) {
                best = Some((a, b, price));
            }
        }
    }
    best
}
