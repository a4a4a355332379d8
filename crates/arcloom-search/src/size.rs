//! The size of the output, before anything is known of its cells.

use std::collections::BTreeSet;

use crate::grow::ChainGrowth;
use crate::steps::Item;

/// Height and width.
pub type Size = (usize, usize);

/// Where an output's size comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The size of the input.
    Input,
    /// The same size always.
    Constant(Size),
    /// Height and width each from a side of something the search made.
    Sides(Side, Side),
}

/// A side of a node's sheet, times a factor, plus a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    pub node: u32,
    pub factor: i64,
    pub margin: i64,
}

/// Output sizes for all inputs, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    pub sizes: Vec<Size>,
    pub from: From,
}

/// Guesses that agree with every demo, best first.
pub fn guesses(growth: &ChainGrowth, demos: &[Size], most: usize) -> Vec<Guess> {
    let inputs = growth.inputs();
    let seeds = seeds(growth, 400);
    let mut found: Vec<(u32, Guess)> = Vec::new();
    let offer = |found: &mut Vec<(u32, Guess)>, price: u32, guess: Guess| {
        let fits = guess.sizes.iter().zip(demos).all(|(a, b)| a == b);
        let legal = guess.sizes.iter().all(|s| (1..=30).contains(&s.0) && (1..=30).contains(&s.1));
        if fits && legal {
            found.push((price, guess));
        }
    };
    if demos.len() > 1 && demos.windows(2).all(|w| w[0] == w[1]) {
        let guess = Guess { sizes: vec![demos[0]; inputs], from: From::Constant(demos[0]) };
        offer(&mut found, 2, guess);
    }
    // The cheapest sides alone, for when no one object has both.
    let mut heights: Option<(u32, Side, &[Size])> = None;
    let mut widths: Option<(u32, Side, &[Size])> = None;
    for (rank, (node, sizes)) in (1..).zip(&seeds) {
        let height = affine(*node, sizes, demos, |s| s.0);
        let width = affine(*node, sizes, demos, |s| s.1);
        if let (Some((x, h)), Some((y, w))) = (height, width) {
            let sizes = sizes.iter().map(|s| (h.of(s.0), w.of(s.1))).collect();
            offer(&mut found, rank * x * y, Guess { sizes, from: From::Sides(h, w) });
        }
        for (side, best) in [(height, &mut heights), (width, &mut widths)] {
            if let Some((price, side)) = side
                && best.is_none_or(|(p, _, _)| rank * price < p)
            {
                *best = Some((rank * price, side, sizes));
            }
        }
    }
    if let (true, Some((x, h, tall)), Some((y, w, wide))) = (found.is_empty(), heights, widths) {
        let sizes = tall.iter().zip(wide).map(|(t, v)| (h.of(t.0), w.of(v.1))).collect();
        offer(&mut found, 10 * x * y, Guess { sizes, from: From::Sides(h, w) });
    }
    found.sort_by_key(|(price, _)| *price);
    let mut guesses: Vec<Guess> = Vec::new();
    for (_, guess) in found {
        if guesses.len() < most && !guesses.iter().any(|g| g.sizes == guess.sizes) {
            guesses.push(guess);
        }
    }
    guesses
}

/// The distinct sizes of single sheets, cheapest first.
fn seeds(growth: &ChainGrowth, most: usize) -> Vec<(u32, Vec<Size>)> {
    let mut order: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    order.retain(|&n| !growth.nodes[n as usize].is_list);
    order.sort_by_key(|&n| growth.nodes[n as usize].cost);
    let mut seeds: Vec<(u32, Vec<Size>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for node in order {
        let size = |input: usize| match growth.item(node, input) {
            Item::One(s) => (s.height(), s.width()),
            Item::Many(_) => (0, 0),
        };
        let sizes: Vec<Size> = (0..growth.inputs()).map(size).collect();
        if seen.insert(sizes.clone()) {
            seeds.push((node, sizes));
        }
        if seeds.len() >= most {
            break;
        }
    }
    seeds
}

impl Side {
    fn of(self, side: usize) -> usize {
        (side as i64 * self.factor + self.margin).max(0) as usize
    }
}

/// The simplest map that takes one side to that side of every output, with its price.
fn affine(
    node: u32,
    sizes: &[Size],
    demos: &[Size],
    pick: fn(&Size) -> usize,
) -> Option<(u32, Side)> {
    let mut best: Option<(u32, Side)> = None;
    for factor in 1..=5i64 {
        for margin in [0i64, -1, 1, -2, 2, -3, 3] {
            let price = factor as u32 * (margin.unsigned_abs() as u32 + 1);
            let side = Side { node, factor, margin };
            if best.is_none_or(|(p, _)| price < p)
                && sizes.iter().zip(demos).all(|(s, d)| side.of(pick(s)) == pick(d))
            {
                best = Some((price, side));
            }
        }
    }
    best
}
