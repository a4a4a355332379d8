//! How an answer is made from an input: what `program.rs` writes down.

use std::collections::BTreeSet;

use crate::compose::Laid;
use crate::pieces::Tail;
use crate::size::Size;
use crate::steps::Step;

/// How an answer is made from an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whether colours are renamed by role before and back after.
    pub renamed: bool,
    pub size: PlanSize,
    /// Layers from the top; cells that none of them paints are 0.
    pub layers: Vec<Layer>,
    /// In place of layers: pictures, and a table from their colours in a cell to the output's.
    pub lookup: Option<Table>,
    /// In place of layers: two chains whose product it is, and whether it is dyed.
    pub product: Option<(Chain, Chain, bool)>,
}

/// Pictures and the table from their colours to the colour of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub pictures: Vec<(Chain, Tail)>,
    pub entries: Vec<(Vec<u8>, u8)>,
}

/// Where the size of the output comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanSize {
    /// The size of the input.
    Input,
    /// The same always.
    Constant(Size),
    /// Height and width: the side of what a chain makes of the input, times a factor, plus a margin.
    Sides([(Chain, i64, i64); 2]),
}

/// One layer: what a chain makes of the input, finished by the tail, embedded in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    pub chain: Chain,
    pub tail: Tail,
    pub laid: Laid,
    /// Laid only where another picture is visible, or (`false`) where it is see-through.
    pub mask: Option<(Chain, Tail, bool)>,
}

/// Steps, and what they start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// The input itself, or the picture of this number.
    pub picture: Option<u32>,
    pub steps: Vec<Step>,
}

impl Plan {
    /// All chains of the plan.
    pub fn chains(&self) -> Vec<&Chain> {
        let mut chains: Vec<&Chain> = Vec::new();
        for layer in &self.layers {
            chains.push(&layer.chain);
            chains.extend(layer.mask.iter().map(|(chain, _, _)| chain));
        }
        chains.extend(self.lookup.iter().flat_map(|t| &t.pictures).map(|(chain, _)| chain));
        chains.extend(self.product.iter().flat_map(|(large, small, _)| [large, small]));
        if let PlanSize::Sides(sides) = &self.size {
            chains.extend(sides.iter().map(|(chain, _, _)| chain));
        }
        chains
    }

    /// The pictures it starts from.
    pub fn pictures(&self) -> BTreeSet<u32> {
        self.chains().into_iter().filter_map(|chain| chain.picture).collect()
    }
}
