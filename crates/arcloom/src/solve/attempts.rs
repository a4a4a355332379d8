//! Proposals of one task: who makes them, which come first, and whether they are right.

use arcloom_corpus::Task;
use arcloom_value::Grid;

use super::{Proposal, Source};
use crate::run::Solved;

/// Adds a proposal, or its voice to one with the same outputs.
pub(super) fn propose(proposals: &mut Vec<Proposal>, new: Proposal) {
    match proposals.iter_mut().find(|p| p.outputs == new.outputs) {
        Some(known) => {
            if new.fits > known.fits {
                (known.fits, known.program) = (new.fits, new.program);
            }
            known.sources.extend(new.sources);
        }
        None => proposals.push(new),
    }
}

/// What fits all demos first, then what more than one source says. Sources take turns, so that one of
/// them does not have both attempts.
pub(super) fn rank(proposals: &mut Vec<Proposal>, demos: usize) {
    let mut turn = [0usize; 4];
    let mut keyed: Vec<((usize, usize, usize, usize), Proposal)> = Vec::new();
    for proposal in proposals.drain(..) {
        let first = proposal.sources[0];
        let place = turn[first as usize];
        turn[first as usize] += 1;
        let open = demos - proposal.fits;
        // A part that fits only some demos is worth more when the search was made to fit them.
        let source = match (open, first) {
            (0, Source::Transfer) | (1.., Source::Search) => 0,
            _ => 1,
        };
        let alone = usize::from(proposal.sources.len() < 2);
        keyed.push(((open, alone, place, source), proposal));
    }
    keyed.sort_by_key(|(key, _)| *key);
    proposals.extend(keyed.into_iter().map(|(_, p)| p));
}

/// Whether the attempts are right: for reports only.
pub(super) fn judge(task: &Task, proposals: &[Proposal]) -> Solved {
    if task.tests.iter().any(|t| t.output.is_none()) {
        return Solved::Unknown;
    }
    let right = task.tests.iter().enumerate().all(|(n, test)| {
        let mut attempts: Vec<&Grid> = Vec::new();
        for grid in proposals.iter().map(|p| &p.outputs[n]) {
            if attempts.len() < 2 && !attempts.contains(&grid) {
                attempts.push(grid);
            }
        }
        attempts.iter().any(|grid| Some(*grid) == test.output.as_ref())
    });
    if right { Solved::Yes } else { Solved::No }
}
