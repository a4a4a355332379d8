//! Answers that are no stacks: tables, trees, rules that paint cells, decisions by cases. Each
//! family is asked when it is not left out and what the ones before it found is not good enough.

use super::grown::Grown;
use super::stacks::Stacked;
use crate::cases::{self, Arm};
use crate::decide;
use crate::lookup;
use crate::overgrow;
use crate::pieces::Tail;
use crate::plan::{LookupTable, Whole};
use crate::task::{SOLID, SearchAnswer};
use crate::without::SearchPart;

/// Where an answer up to this cost fits all demos, rules that paint cells are not looked for.
const SURE: u16 = 40;

impl Grown<'_> {
    /// The answers that stacks are, and those of the other families as long as so much work is not done.
    /// `overgrown` has the pieces that rules were learned for.
    pub(super) fn wholes(
        &self,
        stacked: Stacked,
        overgrown: &mut Vec<(u32, Tail)>,
        limit: u64,
        work: &mut u64,
    ) -> Vec<SearchAnswer> {
        let has_time = |work: &u64| *work < limit;
        let Stacked { mut answers, arms } = stacked;
        if !self.without.leaves_out(SearchPart::Tables) && has_time(work) {
            answers.extend(self.lookups(work));
        }
        if !self.without.leaves_out(SearchPart::Trees) && has_time(work) {
            answers.extend(self.decisions(work));
        }
        let fits_up_to = |answers: &[SearchAnswer], cost: u16| {
            answers.iter().any(|a| a.fits == self.demos() && a.cost.0 <= cost)
        };
        let is_open = !fits_up_to(&answers, SURE) && has_time(work);
        if !self.without.leaves_out(SearchPart::Growth) && is_open {
            answers.extend(self.overgrowths(overgrown, limit, work));
        }
        let is_open = !fits_up_to(&answers, SOLID) && has_time(work);
        if !self.without.leaves_out(SearchPart::Cases) && is_open {
            answers.extend(self.cases(arms, work));
        }
        answers
    }

    fn lookups(&self, work: &mut u64) -> Vec<SearchAnswer> {
        let Grown { growth, pieces, .. } = *self;
        let answer = |found: lookup::Lookup| {
            let cost = (found.cost, found.pieces.len());
            let pictures = self.pictures(&found.pieces);
            let whole = Whole::Lookup(LookupTable { pictures, entries: found.table.clone() });
            self.exact(cost, whole, |k| lookup::paint(growth, pieces, &found, k))
        };
        let found = lookup::lookups(growth, pieces, self.targets, work);
        found.into_iter().filter_map(answer).collect()
    }

    fn decisions(&self, work: &mut u64) -> Vec<SearchAnswer> {
        let Grown { growth, pieces, .. } = *self;
        let answer = |found: decide::Decision| {
            let cost = (found.cost, found.pieces.len());
            let whole = Whole::Decided(self.pictures(&found.pieces), found.tree.clone());
            self.exact(cost, whole, |k| decide::paint(growth, pieces, &found, k))
        };
        let found = decide::decisions(growth, pieces, self.targets, work);
        found.into_iter().filter_map(answer).collect()
    }

    fn overgrowths(
        &self,
        tried: &mut Vec<(u32, Tail)>,
        limit: u64,
        work: &mut u64,
    ) -> Vec<SearchAnswer> {
        let Grown { growth, pieces, .. } = *self;
        let answer = |found: overgrow::Overgrowth| {
            let (chain, tail) = self.picture(found.piece);
            let whole = Whole::Overgrown(chain, tail, found.rules.clone());
            self.exact((found.cost, 1), whole, |k| overgrow::paint(growth, pieces, &found, k))
        };
        let found = overgrow::overgrowths(growth, pieces, self.targets, tried, limit, work);
        found.into_iter().filter_map(answer).collect()
    }

    fn cases(&self, arms: Vec<Arm>, work: &mut u64) -> Vec<SearchAnswer> {
        let Grown { growth, pieces, .. } = *self;
        let answer = |found: cases::FoundCases| {
            let cost = (found.cost, found.arms.len());
            let whole = Whole::Cases(self.case_plan(&found));
            self.exact(cost, whole, |k| cases::paint(growth, pieces, &found, k))
        };
        let found = cases::cases(growth, self.targets, arms, work);
        found.into_iter().filter_map(answer).collect()
    }
}
