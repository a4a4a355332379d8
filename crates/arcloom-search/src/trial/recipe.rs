//! What was found as the parts of a plan: numbers of nodes and pieces become chains of steps.

use super::grown::Grown;
use crate::cases::{ArmSource, FoundCases};
use crate::compose::{Stack, StackLayer};
use crate::grow::ChainGrowth;
use crate::pieces::Tail;
use crate::plan::{CasePlan, Chain, Layer, PlanSize, Whole};
use crate::size::{self, Guess};

/// Where these sizes come from.
pub(super) fn size(growth: &ChainGrowth, guess: &Guess) -> PlanSize {
    match guess.from {
        size::From::Input => PlanSize::Input,
        size::From::Constant(size) => PlanSize::Constant(size),
        size::From::Sides(h, w) => {
            PlanSize::Sides([h, w].map(|s| (growth.chain(s.node), s.factor, s.margin)))
        }
    }
}

impl Grown<'_> {
    /// How a piece is made.
    pub(super) fn picture(&self, number: u32) -> (Chain, Tail) {
        let piece = &self.pieces.pieces[number as usize];
        (self.growth.chain(piece.node), piece.tail)
    }

    /// How several pieces are made.
    pub(super) fn pictures(&self, numbers: &[u32]) -> Vec<(Chain, Tail)> {
        numbers.iter().map(|&number| self.picture(number)).collect()
    }

    /// The layers of a stack.
    pub(super) fn layers(&self, stack: &Stack) -> Whole {
        let layer = |layer: &StackLayer| {
            let (chain, tail) = self.picture(layer.piece);
            Layer { chain, tail, laid: layer.laid }
        };
        Whole::Layers(stack.layers.iter().map(layer).collect())
    }

    /// A decision by cases.
    pub(super) fn case_plan(&self, found: &FoundCases) -> CasePlan {
        let mut wholes = found.arms.iter().map(|arm| match &arm.made {
            ArmSource::Stack(stack) => self.layers(stack),
            ArmSource::Constant(sheet) => Whole::Constant(sheet.clone()),
        });
        let cases = found.whens.iter().cloned().zip(&mut wholes).collect();
        let otherwise = Box::new(wholes.next().unwrap_or(Whole::Layers(Vec::new())));
        CasePlan { key: found.key.clone(), cases, otherwise }
    }
}
