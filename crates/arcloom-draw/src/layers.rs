//! Where the boxes of a graph stand: in layers, arguments before users, with few crossings.
//!
//! The usual four steps. A box goes one layer after the last of those it comes from; a line that
//! skips layers passes through *bends*, one in each; layers are sorted by turns so that every box
//! comes near the middle of its neighbours; then places are found that keep that order and some room
//! between boxes, each as near to its neighbours as that allows. Everything is counted in a fixed
//! order, so equal graphs look equal.
//!
//! Layers follow each other along the *main* axis; the boxes of one layer stand along the *cross*
//! axis. Whoever draws decides which of them is horizontal.

use crate::canvas::Px;

/// A box to be placed.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// Extent along the main axis.
    pub(crate) main: Px,
    /// Extent along the cross axis.
    pub(crate) cross: Px,
    /// The boxes it comes from, by position; all before its own.
    pub(crate) from: Vec<usize>,
}

/// Room to keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gaps {
    /// Between two layers.
    pub(crate) layers: Px,
    /// Between two boxes of a layer.
    pub(crate) boxes: Px,
    /// Between a line and its neighbours in a layer.
    pub(crate) lines: Px,
}

/// A place: along the main axis, then along the cross axis.
pub(crate) type Place = (Px, Px);

/// Boxes with their places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// The first corner of each box.
    pub(crate) places: Vec<Place>,
    /// Lines, ordered by where they end and then by argument.
    pub(crate) lines: Vec<Line>,
    /// Extent of everything.
    pub(crate) extent: Place,
}

/// A line from one box to another.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Points from the end of one box over all bends to the start of the other; at least two.
    pub(crate) points: Vec<Place>,
}

/// Turns of sorting layers, and of finding places.
const TURNS: usize = 12;

/// A box or a bend.
struct Spot {
    layer: usize,
    extent: Px,
    /// Neighbours one layer before and one after.
    near: [Vec<usize>; 2],
    is_bend: bool,
}

/// Places boxes. `from` may name only boxes before their own; other names are passed over.
pub(crate) fn layout(slots: &[Slot], gaps: Gaps) -> Layout {
    let layers = layers_of(slots);
    let count = layers.iter().max().map_or(0, |last| last + 1);
    let mut spots: Vec<Spot> = slots
        .iter()
        .zip(&layers)
        .map(|(slot, &layer)| Spot {
            layer,
            extent: slot.cross,
            near: [Vec::new(), Vec::new()],
            is_bend: false,
        })
        .collect();
    let chains = chains(slots, &layers, &mut spots);
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (n, spot) in spots.iter().enumerate() {
        order[spot.layer].push(n);
    }
    sort_layers(&mut order, &spots);
    let cross = places(&order, &spots, gaps);

    let thickness = |layer: usize| {
        let boxes = order[layer].iter().filter(|&&n| n < slots.len());
        boxes.map(|&n| slots[n].main).max().unwrap_or(0)
    };
    let thick: Vec<Px> = (0..count).map(thickness).collect();
    let mut starts: Vec<Px> = Vec::with_capacity(count);
    let mut at = 0;
    for size in &thick {
        starts.push(at);
        at += size + gaps.layers;
    }
    let middle = |n: usize| cross[n] + spots[n].extent / 2;
    let line = |(from, to, bends): &(usize, usize, Vec<usize>)| {
        let mut points = vec![(starts[layers[*from]] + slots[*from].main, middle(*from))];
        for &bend in bends {
            let start = starts[spots[bend].layer];
            points.push((start, middle(bend)));
            points.push((start + thick[spots[bend].layer], middle(bend)));
        }
        points.push((starts[layers[*to]], middle(*to)));
        Line { from: *from, to: *to, points }
    };
    let ends = (0..spots.len()).map(|n| cross[n] + spots[n].extent);
    Layout {
        places: (0..slots.len()).map(|n| (starts[layers[n]], cross[n])).collect(),
        lines: chains.iter().map(line).collect(),
        extent: ((at - gaps.layers).max(0), ends.max().unwrap_or(0)),
    }
}

/// One after the last it comes from; those that come from nothing stand just before their first
/// user, so that lines stay short.
fn layers_of(slots: &[Slot]) -> Vec<usize> {
    let mut layers = vec![0; slots.len()];
    let mut first_use = vec![usize::MAX; slots.len()];
    for (n, slot) in slots.iter().enumerate() {
        let before = slot.from.iter().filter(|&&arg| arg < n);
        layers[n] = before.clone().map(|&arg| layers[arg] + 1).max().unwrap_or(0);
        for &arg in before {
            first_use[arg] = first_use[arg].min(layers[n]);
        }
    }
    for (n, slot) in slots.iter().enumerate() {
        if !slot.from.iter().any(|&arg| arg < n) && first_use[n] != usize::MAX {
            layers[n] = first_use[n] - 1;
        }
    }
    layers
}

/// Every line with its bends, which become spots.
fn chains(
    slots: &[Slot],
    layers: &[usize],
    spots: &mut Vec<Spot>,
) -> Vec<(usize, usize, Vec<usize>)> {
    let mut chains = Vec::new();
    for (to, slot) in slots.iter().enumerate() {
        let mut from: Vec<usize> = slot.from.iter().copied().filter(|&arg| arg < to).collect();
        from.sort_unstable();
        from.dedup();
        for from in from {
            let mut bends = Vec::new();
            let mut last = from;
            for layer in layers[from] + 1..layers[to] {
                let bend = spots.len();
                let near = [vec![last], Vec::new()];
                spots.push(Spot { layer, extent: 0, near, is_bend: true });
                spots[last].near[1].push(bend);
                bends.push(bend);
                last = bend;
            }
            spots[last].near[1].push(to);
            spots[to].near[0].push(last);
            chains.push((from, to, bends));
        }
    }
    chains
}

/// Sorts each layer by the mean rank of its neighbours in the layer before, then after, by turns;
/// keeps the order with the fewest crossings that came up.
fn sort_layers(order: &mut [Vec<usize>], spots: &[Spot]) {
    let mut rank = vec![0_usize; spots.len()];
    let note = |layer: &[usize], rank: &mut [usize]| {
        layer.iter().enumerate().for_each(|(k, &n)| rank[n] = k);
    };
    order.iter().for_each(|layer| note(layer, &mut rank));
    let mut best: Option<(u64, Vec<Vec<usize>>)> = None;
    for turn in 0..TURNS {
        let side = turn % 2;
        let mut at: Vec<usize> = (0..order.len()).collect();
        if side == 1 {
            at.reverse();
        }
        for layer in at {
            let key = |n: usize| {
                let near = &spots[n].near[side];
                let sum: usize = near.iter().map(|&m| rank[m]).sum();
                // Who has nobody there stays where it is.
                if near.is_empty() { rank[n] as f64 } else { sum as f64 / near.len() as f64 }
            };
            let mut keyed: Vec<(f64, usize)> = order[layer].iter().map(|&n| (key(n), n)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(rank[a.1].cmp(&rank[b.1])));
            order[layer] = keyed.into_iter().map(|(_, n)| n).collect();
            note(&order[layer], &mut rank);
        }
        let crossings = order.iter().map(|layer| crossings(layer, spots, &rank)).sum();
        if best.as_ref().is_none_or(|(fewest, _)| crossings < *fewest) {
            best = Some((crossings, order.to_vec()));
        }
    }
    if let Some((_, found)) = best {
        order.clone_from_slice(&found);
    }
}

/// Crossings between a layer and the next, counted with a tree of sums.
fn crossings(layer: &[usize], spots: &[Spot], rank: &[usize]) -> u64 {
    let mut ends = Vec::new();
    for &n in layer {
        let mut next: Vec<usize> = spots[n].near[1].iter().map(|&m| rank[m]).collect();
        next.sort_unstable();
        ends.extend(next);
    }
    let size = ends.iter().max().map_or(0, |last| last + 1);
    let mut sums = vec![0_u64; size + 1];
    let mut total = 0;
    for (seen, &end) in ends.iter().enumerate() {
        let mut not_above = 0;
        let mut k = end + 1;
        while k > 0 {
            not_above += sums[k];
            k &= k - 1;
        }
        total += seen as u64 - not_above;
        k = end + 1;
        while k <= size {
            sums[k] += 1;
            k += k & k.wrapping_neg();
        }
    }
    total
}

/// Places along the cross axis: by turns each layer's spots go to the mean of their neighbours, as
/// far as order and gaps allow.
fn places(order: &[Vec<usize>], spots: &[Spot], gaps: Gaps) -> Vec<Px> {
    let gap = |a: usize, b: usize| match (spots[a].is_bend, spots[b].is_bend) {
        (false, false) => gaps.boxes,
        _ => gaps.lines,
    };
    // Middles while they are moved about.
    let mut middle = vec![0.0_f64; spots.len()];
    let apart =
        |a: usize, b: usize| (spots[a].extent + spots[b].extent) as f64 / 2.0 + gap(a, b) as f64;
    for layer in order {
        let mut at = 0.0;
        for (k, &n) in layer.iter().enumerate() {
            at += k.checked_sub(1).map_or(0.0, |before| apart(layer[before], n));
            middle[n] = at;
        }
        let half = at / 2.0;
        layer.iter().for_each(|&n| middle[n] -= half);
    }
    for turn in 0..2 * TURNS {
        let side = turn % 2;
        let mut at: Vec<usize> = (0..order.len()).collect();
        if side == 1 {
            at.reverse();
        }
        // The last turns look both ways, so that neither side is favoured.
        let both = turn >= 2 * TURNS - 4;
        for layer in at {
            let wish = |n: usize| {
                let sides: &[usize] = if both { &[0, 1] } else { &[side] };
                let near = sides.iter().flat_map(|&side| &spots[n].near[side]);
                let (sum, count, bends) = near.fold((0.0, 0, 0), |(sum, count, bends), &m| {
                    let bends = bends + usize::from(spots[m].is_bend);
                    (sum + middle[m], count + 1, bends)
                });
                match count {
                    0 => (middle[n], 0.1),
                    // Long lines are straightened first.
                    _ if spots[n].is_bend && bends > 0 => (sum / count as f64, 8.0),
                    _ => (sum / count as f64, 1.0 + count as f64 / 4.0),
                }
            };
            let wishes: Vec<(f64, f64)> = order[layer].iter().map(|&n| wish(n)).collect();
            let steps: Vec<f64> =
                order[layer].windows(2).map(|pair| apart(pair[0], pair[1])).collect();
            for (&n, at) in order[layer].iter().zip(keep_apart(&wishes, &steps)) {
                middle[n] = at;
            }
        }
    }
    let mut corner: Vec<Px> =
        (0..spots.len()).map(|n| (middle[n].round() as Px) - spots[n].extent / 2).collect();
    // Whole pixels, with the gaps that rounding took away given back.
    for layer in order {
        let mut free = Px::MIN;
        for (k, &n) in layer.iter().enumerate() {
            if k > 0 {
                free += gap(layer[k - 1], n);
            }
            corner[n] = (corner[n].div_euclid(100) * 100).max(free);
            free = (corner[n] + spots[n].extent + 99).div_euclid(100) * 100;
        }
    }
    let first = corner.iter().min().copied().unwrap_or(0);
    corner.iter_mut().for_each(|at| *at -= first);
    corner
}

/// The places nearest to the wished ones (a place and how much it weighs), by the sum of squares,
/// with at least `steps` between neighbours: neighbours that would be too close become a block that
/// goes to the mean of its wishes.
fn keep_apart(wishes: &[(f64, f64)], steps: &[f64]) -> Vec<f64> {
    struct Block {
        sum: f64,
        weight: f64,
        count: usize,
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(wishes.len());
    for (k, &(wish, weight)) in wishes.iter().enumerate() {
        offset += k.checked_sub(1).map_or(0.0, |before| steps[before]);
        offsets.push(offset);
        let mut block = Block { sum: (wish - offset) * weight, weight, count: 1 };
        while let Some(last) = blocks.pop() {
            if last.sum / last.weight <= block.sum / block.weight {
                blocks.push(last);
                break;
            }
            block.sum += last.sum;
            block.weight += last.weight;
            block.count += last.count;
        }
        blocks.push(block);
    }
    let bases = blocks.iter().flat_map(|b| std::iter::repeat_n(b.sum / b.weight, b.count));
    bases.zip(offsets).map(|(base, offset)| base + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::px;

    const GAPS: Gaps = Gaps { layers: px(30), boxes: px(10), lines: px(6) };

    /// A graph whose boxes come from those named; sizes differ.
    fn graph(from: &[&[usize]]) -> Vec<Slot> {
        let slot = |(n, from): (usize, &&[usize])| Slot {
            main: px(20 + 7 * (n as i64 % 3)),
            cross: px(15 + 5 * (n as i64 % 4)),
            from: from.to_vec(),
        };
        from.iter().enumerate().map(slot).collect()
    }

    /// A graph of `n` boxes, from a little generator of numbers.
    fn random(n: usize, mut seed: u64) -> Vec<Slot> {
        let mut next = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 33) as usize % most.max(1)
        };
        let from: Vec<Vec<usize>> = (0..n)
            .map(|k| if k == 0 { vec![] } else { (0..next(4)).map(|_| next(k)).collect() })
            .collect();
        graph(&from.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// No two boxes overlap, all lie in the extent, and lines only go on.
    #[track_caller]
    fn check(slots: &[Slot]) -> Layout {
        let found = layout(slots, GAPS);
        let ends = |n: usize| {
            let (main, cross) = found.places[n];
            (main + slots[n].main, cross + slots[n].cross)
        };
        for a in 0..slots.len() {
            let (main, cross) = found.places[a];
            assert!(main >= 0 && cross >= 0 && main % 100 == 0 && cross % 100 == 0);
            assert!(ends(a).0 <= found.extent.0 && ends(a).1 <= found.extent.1);
            for b in 0..a {
                let other = found.places[b];
                let apart = main >= ends(b).0
                    || other.0 >= ends(a).0
                    || cross >= ends(b).1
                    || other.1 >= ends(a).1;
                assert!(apart, "{b} and {a} overlap");
            }
        }
        for line in &found.lines {
            assert!(line.points.len() >= 2 && line.points.is_sorted_by(|a, b| a.0 <= b.0));
            assert!(found.places[line.from].0 < found.places[line.to].0);
        }
        found
    }

    #[test]
    fn boxes_of_any_graph_stay_apart() {
        for seed in 0..20 {
            check(&random(60, seed));
        }
        check(&random(500, 7));
        check(&[]);
        check(&graph(&[&[]]));
    }

    #[test]
    fn a_chain_is_straight() {
        let found = check(&graph(&[&[], &[0], &[1], &[2]]));
        let middles: Vec<Px> = found.lines.iter().flat_map(|l| &l.points).map(|p| p.1).collect();
        assert!(middles.iter().all(|at| at.abs_diff(middles[0]) <= 400), "{middles:?}");
    }

    #[test]
    fn crossings_that_can_be_avoided_are() {
        // Two pairs that a layer in order of number would cross.
        let found = check(&graph(&[&[], &[], &[1], &[0]]));
        let before = found.places[0].1 < found.places[1].1;
        assert_eq!(before, found.places[3].1 < found.places[2].1);
    }

    #[test]
    fn what_comes_from_nothing_stands_before_its_first_user() {
        let slots = graph(&[&[], &[0], &[1], &[], &[2, 3]]);
        check(&slots);
        assert_eq!(layers_of(&slots), [0, 1, 2, 2, 3]);
    }

    #[test]
    fn names_that_do_not_fit_are_passed_over() {
        let found = check(&graph(&[&[0, 1, 99], &[0, 0]]));
        assert_eq!(found.lines.len(), 1);
    }

    #[test]
    fn neighbours_that_wish_for_one_place_share_it() {
        let found = keep_apart(&[(0.0, 1.0), (0.0, 1.0), (100.0, 1.0)], &[10.0, 10.0]);
        assert_eq!(found, [-5.0, 5.0, 100.0]);
    }
}
