//! How an answer is made from an input: what `program.rs` writes down.

use std::collections::BTreeSet;

use arcloom_sheet::decide::Tree;

use crate::compose::Laid;
use crate::pieces::Tail;
use crate::size::Size;
use crate::steps::Step;
use crate::view::View;

/// How an answer is made from an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the task is looked at.
    pub view: View,
    pub size: PlanSize,
    pub whole: Whole,
}

/// What the output is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Layers from the top; cells that none of them paints are 0.
    Layers(Vec<Layer>),
    /// Pictures, and a table from their colours in a cell to the output's.
    Lookup(Table),
    /// Pictures, and a tree of questions about them.
    Decided(Vec<(Chain, Tail)>, Tree),
    /// Two chains whose product it is, and whether it is dyed.
    Product(Chain, Chain, bool),
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
        match &self.whole {
            Whole::Layers(layers) => {
                for layer in layers {
                    chains.push(&layer.chain);
                    chains.extend(layer.mask.iter().map(|(chain, _, _)| chain));
                }
            }
            Whole::Lookup(Table { pictures, .. }) | Whole::Decided(pictures, _) => {
                chains.extend(pictures.iter().map(|(chain, _)| chain));
            }
            Whole::Product(large, small, _) => chains.extend([large, small]),
        }
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
