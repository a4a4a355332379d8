//! Outputs that are pictures of pictures: which of the search's sheets is the large one, which the small.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::product::product;

use crate::grow::ChainGrowth;
use crate::size::Size;
use crate::steps::Item;

/// Two chains whose product is the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureProduct {
    pub large: u32,
    pub small: u32,
    /// Whether copies take the colour of the large one's cells.
    pub dyed: bool,
    pub cost: u16,
}

/// Chains that are tried.
const CHAINS: usize = 400;
/// Products that are returned at most.
const MOST: usize = 3;

/// The cheapest products that give every demo output.
pub fn products(growth: &ChainGrowth, targets: &[Sheet], work: &mut u64) -> Vec<PictureProduct> {
    let sizes: Vec<Size> = targets.iter().map(|t| (t.height(), t.width())).collect();
    let mut chains: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    chains.retain(|&n| {
        !growth.nodes[n as usize].is_list
            && (0..targets.len()).all(|k| {
                one(growth, n, k).is_some_and(|s| {
                    sizes[k].0.is_multiple_of(s.height()) && sizes[k].1.is_multiple_of(s.width())
                })
            })
    });
    chains.sort_by_key(|&n| growth.nodes[n as usize].cost);
    chains.truncate(CHAINS);

    let mut found: Vec<PictureProduct> = Vec::new();
    let mut out = Sheet::default();
    for &large in &chains {
        for &small in &chains {
            let fits = (0..targets.len()).all(|k| {
                let sides = one(growth, large, k).zip(one(growth, small, k));
                sides.is_some_and(|(a, b)| {
                    (a.height() * b.height(), a.width() * b.width()) == sizes[k]
                        && a.cells().len() > 1
                        && b.cells().len() > 1
                })
            });
            if !fits {
                continue;
            }
            let cost = growth.nodes[large as usize].cost + growth.nodes[small as usize].cost + 15;
            for dyed in [false, true] {
                let mut gives = |k: usize, out: &mut Sheet| {
                    *work += sizes[k].0 as u64;
                    let (Some(a), Some(b)) = (one(growth, large, k), one(growth, small, k)) else {
                        return false;
                    };
                    product(a, b, dyed, out).is_some() && out.cells() == targets[k].cells()
                };
                if (0..targets.len()).all(|k| gives(k, &mut out)) {
                    found.push(PictureProduct { large, small, dyed, cost });
                }
            }
        }
    }
    found.sort_by_key(|p| p.cost);
    found.truncate(MOST);
    found
}

/// The output on one input.
pub fn paint(growth: &ChainGrowth, found: &PictureProduct, input: usize) -> Option<Sheet> {
    let mut out = Sheet::default();
    let (large, small) = (one(growth, found.large, input)?, one(growth, found.small, input)?);
    product(large, small, found.dyed, &mut out)?;
    Some(out)
}

fn one(growth: &ChainGrowth, node: u32, input: usize) -> Option<&Sheet> {
    match growth.item(node, input) {
        Item::One(s) => Some(s),
        Item::Many(_) => None,
    }
}
