//! Answers that are stacks of pieces: for all demos, and for some of them.

use arcloom_dsl::Stop;
use arcloom_dsl::kernel::sheet::Sheet;

use super::grown::Grown;
use crate::cases::{Arm, ArmSource};
use crate::compose::{MOST_LAYERS, OPEN, Stack, StackAim};
use crate::task::SearchAnswer;
use crate::without::SearchPart;

/// What a stack costs more that leaves cells open.
const OPEN_CELLS: u16 = 5;
/// All sets of demos are tried where there are no more demos than this.
const FEW_DEMOS: usize = 5;

/// Stacks as answers.
#[derive(Default)]
pub(super) struct Stacked {
    pub(super) answers: Vec<SearchAnswer>,
    /// What each of them fits.
    pub(super) arms: Vec<Arm>,
}

impl Grown<'_> {
    /// Stacks for all demos and for some; looking for them takes about `effort`.
    pub(super) fn stacks(&self, effort: u64, stop: &Stop, work: &mut u64) -> Stacked {
        let limit = *work + effort;
        let mut found = Stacked::default();
        for &piece in &self.pieces.exact {
            self.add(&Stack::of(piece, self.pieces), &mut found);
        }
        for aim in self.aims() {
            if *work > limit || stop.is_due() {
                return found;
            }
            if let Some(stack) = self.pieces.stack(&aim, work) {
                self.add(&stack, &mut found);
            }
        }
        found
    }

    /// A stack for all demos.
    fn aim(&self) -> StackAim {
        let layers = if self.without.leaves_out(SearchPart::Stacks) { 1 } else { MOST_LAYERS };
        let fit = (1 << self.demos()) - 1;
        StackAim { fit, care: 0, bound: 0, layers }
    }

    /// What stacks are to fit, the largest sets of demos first, of cheap pieces first.
    fn aims(&self) -> impl Iterator<Item = StackAim> {
        let demos = self.demos();
        let every = self.aim();
        let mut sets: Vec<u32> = (1..1u32 << demos.min(FEW_DEMOS)).collect();
        if demos > FEW_DEMOS {
            sets.push(every.fit);
        }
        if self.without.leaves_out(SearchPart::Subsets) {
            sets = vec![every.fit];
        }
        sets.sort_by_key(|s| std::cmp::Reverse(s.count_ones()));
        let mut bounds: Vec<u16> =
            self.pieces.pieces.iter().map(|p| p.cost / 10 * 10 + 9).collect();
        bounds.dedup();
        sets.into_iter().flat_map(move |fit| {
            let aims = bounds.iter().flat_map(move |&bound| {
                let cared = (0..demos).filter(move |d| fit >> d & 1 == 1);
                cared.map(move |care| StackAim { fit, care, bound, ..every })
            });
            aims.collect::<Vec<StackAim>>()
        })
    }

    /// Adds what a stack gives, if it fits some demo.
    fn add(&self, stack: &Stack, found: &mut Stacked) -> Option<()> {
        let mut fits = 0u32;
        for (k, target) in self.targets.iter().enumerate() {
            let (_, cells) = self.pieces.paint(self.growth, stack, k)?;
            fits |= u32::from(cells == target.cells()) << k;
        }
        if fits == 0 {
            return None;
        }
        let mut outputs = Vec::new();
        let mut open = false;
        for k in self.tests() {
            let ((height, width), mut cells) = self.pieces.paint(self.growth, stack, k)?;
            open |= cells.contains(&OPEN);
            cells.iter_mut().filter(|c| **c == OPEN).for_each(|c| *c = 0);
            outputs.push(Sheet::new(height, width, cells)?);
        }
        let cost = stack.cost + if open { OPEN_CELLS } else { 0 };
        found.arms.push(Arm { fits, cost, made: ArmSource::Stack(stack.clone()) });
        found.answers.push(SearchAnswer {
            fits: fits.count_ones() as usize,
            cost: (cost, stack.layers.len()),
            outputs,
            plan: self.recipe(self.layers(stack)),
            voices: vec![cost],
        });
        Some(())
    }
}
