//! How an answer is made from an input: what `program.rs` writes down.

use std::collections::BTreeSet;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::decide::Tree;
use arcloom_dsl::kernel::sheet::overgrow::GrowRule;
use arcloom_dsl::sheet::measure::Measure;

use crate::compose::Laid;
use crate::picture::{PictureId, Start};
use crate::pieces::Tail;
use crate::size::Size;
use crate::steps::Step;
use crate::view::View;

/// How an answer is made from an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
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
    Lookup(LookupTable),
    /// Pictures, and a tree of questions about them.
    Decided(Vec<(Chain, Tail)>, Tree),
    /// A picture, and the rules by which it is overgrown.
    Overgrown(Chain, Tail, Vec<GrowRule>),
    /// The same picture always.
    Constant(Sheet),
    /// One of several, by a property of the input.
    Cases(CasePlan),
}

/// Plans, and the property of the input that says which of them is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasePlan {
    pub key: Key,
    /// The values of the property for which a plan is taken.
    pub cases: Vec<(Vec<KeyValue>, Whole)>,
    /// What is taken for all other values.
    pub otherwise: Box<Whole>,
}

/// A property of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A measure of what a chain makes.
    Measure(Chain, Measure),
    /// The number of sheets in the list that a chain makes.
    Length(Chain),
    /// The cells of what a chain makes.
    Picture(Chain),
    /// The cells of what a chain makes, everything visible being 1.
    Shape(Chain),
    /// Whether what a chain makes has a colour, 1 or 0.
    Has(Chain, u8),
    /// Whether two chains make the same, 1 or 0.
    Same(Chain, Chain),
    /// Whether a number is above a threshold, 1 or 0.
    Above(Box<Key>, i32),
}

/// A value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyValue {
    Number(i32),
    Picture(Sheet),
}

impl Key {
    /// Whether its values are 1 and 0.
    pub fn is_truth(&self) -> bool {
        matches!(self, Key::Has(..) | Key::Same(..) | Key::Above(..))
    }

    fn chains(&self) -> Vec<&Chain> {
        match self {
            Key::Measure(chain, _) | Key::Length(chain) | Key::Has(chain, _) => vec![chain],
            Key::Picture(chain) | Key::Shape(chain) => vec![chain],
            Key::Same(one, other) => vec![one, other],
            Key::Above(number, _) => number.chains(),
        }
    }
}

impl Whole {
    fn chains(&self) -> Vec<&Chain> {
        let mut chains: Vec<&Chain> = Vec::new();
        match self {
            Whole::Layers(layers) => chains.extend(layers.iter().map(|layer| &layer.chain)),
            Whole::Lookup(LookupTable { pictures, .. }) | Whole::Decided(pictures, _) => {
                chains.extend(pictures.iter().map(|(chain, _)| chain));
            }
            Whole::Overgrown(chain, ..) => chains.push(chain),
            Whole::Constant(_) => {}
            Whole::Cases(CasePlan { key, cases, otherwise }) => {
                chains.extend(key.chains());
                chains.extend(cases.iter().flat_map(|(_, whole)| whole.chains()));
                chains.extend(otherwise.chains());
            }
        }
        chains
    }
}

/// Pictures and the table from their colours to the colour of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupTable {
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
}

/// Steps, and what they start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    pub start: Start,
    pub steps: Vec<Step>,
}

impl Recipe {
    /// All chains of the plan.
    pub fn chains(&self) -> Vec<&Chain> {
        let mut chains = self.whole.chains();
        if let PlanSize::Sides(sides) = &self.size {
            chains.extend(sides.iter().map(|(chain, _, _)| chain));
        }
        chains
    }

    /// The pictures it starts from.
    pub fn pictures(&self) -> BTreeSet<PictureId> {
        self.chains().into_iter().filter_map(|chain| chain.start.picture()).collect()
    }
}
