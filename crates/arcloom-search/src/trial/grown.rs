//! What a task has grown to in a stage: all that answers are made of.

use arcloom_dsl::kernel::sheet::Sheet;

use crate::grow::ChainGrowth;
use crate::pieces::Pieces;
use crate::plan::{PlanSize, Recipe, Whole};
use crate::task::{Problem, SearchAnswer};
use crate::view::View;
use crate::without::Without;

/// What a task has grown to.
#[derive(Clone, Copy)]
pub(super) struct Grown<'a> {
    pub(super) problem: &'a Problem,
    pub(super) without: &'a Without,
    pub(super) growth: &'a ChainGrowth,
    pub(super) pieces: &'a Pieces,
    /// Where the sizes of the outputs come from.
    pub(super) size: &'a PlanSize,
    /// The outputs of the demos.
    pub(super) targets: &'a [Sheet],
}

impl Grown<'_> {
    pub(super) fn demos(&self) -> usize {
        self.problem.demos.len()
    }

    /// The numbers of the tests among the inputs.
    pub(super) fn tests(&self) -> std::ops::Range<usize> {
        self.demos()..self.demos() + self.problem.tests.len()
    }

    /// The plan that makes this.
    pub(super) fn recipe(&self, whole: Whole) -> Recipe {
        Recipe { view: View::default(), size: self.size.clone(), whole }
    }

    /// An answer that fits all demos, made by `paint` on each input.
    pub(super) fn exact(
        &self,
        cost: (u16, usize),
        whole: Whole,
        paint: impl Fn(usize) -> Option<Sheet>,
    ) -> Option<SearchAnswer> {
        Some(SearchAnswer {
            fits: self.demos(),
            cost,
            outputs: self.tests().map(paint).collect::<Option<_>>()?,
            plan: self.recipe(whole),
            voices: vec![cost.0],
        })
    }
}
