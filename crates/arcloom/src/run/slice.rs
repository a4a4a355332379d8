//! The best programs cut out of the graph, and the answers they give.

use std::sync::Arc;

use arcloom_graph::{Column, TaskView};
use arcloom_lang::{NodeId, function_name};
use arcloom_tasks::Task;

use super::differs::DifferKind;
use super::judge::{Candidate, Place, Ranked};
use super::score::PERFECT;
use super::{PreparedBatt, RunOptions};
use crate::attempts::{self, Attempts, Vote};

/// The first candidates with their programs.
pub(super) fn cut(
    prepared: &PreparedBatt<'_>,
    columns: &[Arc<Column>],
    task: &Task,
    view: &TaskView,
    ranked: &Ranked<'_>,
    options: &RunOptions,
) -> Vec<Candidate> {
    let (demos, tests) = columns.split_at(task.demos.len());
    // Differs of the user's are a measure of their own.
    let similarity = |n: usize, place: &Place<'_>| match options.differs.kind() {
        DifferKind::None => (place.solved == task.demos.len()).then_some(PERFECT),
        DifferKind::Native if n < options.judged => Some(place.similarity),
        _ => {
            let grids = demos.iter().map(|demo| demo.grid(place.group.node));
            Some(view.fit(grids).similarity())
        }
    };
    let cut = |(n, place): (usize, &Place<'_>)| {
        let (group, node) = (place.group, NodeId(place.group.node as u32));
        let program = prepared.batt.slice(node, function_name(&task.id));
        Candidate {
            node,
            size: program.size(),
            program,
            solved: place.solved,
            similarity: similarity(n, place),
            scores: place.scores.clone(),
            members: group.members,
            within: if group.roots.is_empty() { prepared.batt.users(node) } else { Vec::new() },
            roots: group.roots.clone(),
            predictions: tests.iter().map(|test| test.grid(group.node).cloned()).collect(),
        }
    };
    ranked.order.iter().take(options.kept).enumerate().map(cut).collect()
}

/// For each test the best answers that differ, each as a node that gives it.
pub(super) fn attempts(
    tests: &[Arc<Column>],
    ranked: &Ranked<'_>,
    judged: usize,
) -> Vec<Vec<usize>> {
    let best = |test: &Arc<Column>| {
        let votes = ranked.order.iter().enumerate().filter_map(|(n, place)| {
            let answer = test.codes[place.group.node].grid()?;
            let witnesses = place.group.witnesses();
            // What differs have looked at comes before the rest, whose similarity is another measure.
            let evidence = (n < judged, place.solved, place.similarity);
            Some(Vote { answer, evidence, witnesses, size: place.size })
        });
        let best = attempts::best(votes.filter(|vote| test.is_plain(vote.answer)));
        let gives = |answer: &usize| {
            let mut nodes = ranked.order.iter().map(|place| place.group.node);
            nodes.find(|&node| test.codes[node].grid() == Some(*answer))
        };
        best.iter().filter_map(gives).collect()
    };
    tests.iter().map(best).collect()
}

/// The grids of these answers.
pub(super) fn answers(tests: &[Arc<Column>], attempts: &[Vec<usize>]) -> Attempts {
    let grids = |(test, nodes): (&Arc<Column>, &Vec<usize>)| {
        nodes.iter().filter_map(|&node| test.grid(node).cloned()).collect()
    };
    Attempts::new(tests.iter().zip(attempts).map(grids).collect())
}
