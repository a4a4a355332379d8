//! The ranking: demo pairs solved, then similarity, then size.
//!
//! Differs cost more than running does, so they see only the groups that are best by the share of
//! right cells. Everything else keeps that order, behind those.

use std::cmp::Reverse;
use std::sync::Arc;

use arcloom_graph::{Column, Stop};
use arcloom_lang::{NodeId, Program};
use arcloom_value::{FixedMap, Grid, Value};

use super::differs::{Bench, DifferFault};
use super::group::{Group, Grouped};
use super::score::Scores;
use super::{PreparedBatt, RunOptions};

/// A distinct candidate with its program.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The node of the batt.
    pub node: NodeId,
    /// The cheapest program with this behaviour.
    pub program: Program,
    /// Number of its calls.
    pub size: usize,
    /// Demo pairs it solves.
    pub solved: usize,
    /// Its similarity on the demos, in thousandths; `None` where it does not fit and no differ was asked.
    pub similarity: Option<u32>,
    /// What each differ says.
    pub scores: Vec<DifferScore>,
    /// Nodes of the batt that do the same.
    pub members: usize,
    /// Programs, by position among the roots, that do the same.
    pub roots: Vec<usize>,
    /// Where no whole program does the same: programs that compute this on the way.
    pub within: Vec<usize>,
    /// Its answers to the tests.
    pub predictions: Vec<Option<Grid>>,
}

/// What a differ says about a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferScore {
    /// Name of the differ.
    pub differ: String,
    /// Mean over the demos, from 0 to 1000.
    pub score: u32,
    /// What it found on the first demo where it found something.
    pub finding: Option<Value>,
}

/// Groups in order, best first.
pub(super) struct Ranked<'g> {
    pub(super) order: Vec<Place<'g>>,
    pub(super) faults: Vec<DifferFault>,
}

/// A group and what it is worth.
pub(super) struct Place<'g> {
    pub(super) group: &'g Group,
    pub(super) solved: usize,
    pub(super) similarity: u32,
    /// Of the reported candidates only.
    pub(super) scores: Vec<DifferScore>,
    pub(super) size: u32,
}

impl Place<'_> {
    fn key(&self) -> impl Ord + use<> {
        (Reverse(self.solved), Reverse(self.similarity), self.size, self.group.node)
    }
}

/// The groups by the share of right cells, best first.
pub(super) fn order<'g>(
    prepared: &PreparedBatt<'_>,
    columns: &[Arc<Column>],
    scores: &Scores,
    grouped: &'g Grouped,
) -> Vec<Place<'g>> {
    let place = |group: &'g Group| Place {
        group,
        solved: scores.solved(columns, group.node),
        similarity: scores.near(columns, group.node),
        scores: Vec::new(),
        size: prepared.sizes[group.node],
    };
    let mut order: Vec<Place<'g>> = grouped.groups.iter().map(place).collect();
    order.sort_by_cached_key(Place::key);
    order
}

/// Groups in that order, the first of them judged; `None` when stopped.
pub(super) fn rank<'g>(
    columns: &[Arc<Column>],
    mut order: Vec<Place<'g>>,
    mut bench: Bench<'_>,
    options: &RunOptions,
    stop: &Stop,
) -> Option<Ranked<'g>> {
    if !options.differs.is_empty() {
        let judged = options.judged.min(order.len());
        let mut said = FixedMap::default();
        bench.watch(stop);
        for place in &mut order[..judged] {
            if stop.is_due() {
                return None;
            }
            let (similarity, scores) = bench.judge(columns, place.group.node);
            if stop.is_set() {
                return None;
            }
            place.similarity = similarity;
            said.insert(place.group.node, scores);
        }
        order[..judged].sort_by_cached_key(Place::key);
        for place in order.iter_mut().take(options.kept.min(judged)) {
            let node = place.group.node;
            if let Some(scores) = said.get(&node) {
                place.scores = bench.explain(columns, node, scores);
            }
        }
    }
    Some(Ranked { order, faults: bench.into_faults() })
}
