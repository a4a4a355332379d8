//! Proposals of one task: who makes them, and which come first.

use super::Proposal;

/// What a demo that is missed adds to the doubt about a program, as in the search.
const MISSED: i32 = 60;

/// What a second program with the same outputs takes from the doubt.
const AGREED: i32 = 40;

/// Doubt about what comes from elsewhere than the search, whose answers bring their own: its least, and what
/// each one before it adds.
const ELSEWHERE: i32 = 20;
const AFTER: i32 = 10;

/// How little a program of the library, of terms or of evolution is to be trusted, the `place`th of its kind. The
/// weights here are from training tasks.
pub(super) fn doubt(missed: usize, place: usize) -> i32 {
    ELSEWHERE + MISSED * missed as i32 + AFTER * place as i32
}

/// Adds a proposal, or its voice to one with the same outputs.
pub(super) fn propose(proposals: &mut Vec<Proposal>, new: Proposal) {
    match proposals.iter_mut().find(|p| p.outputs == new.outputs) {
        Some(known) => {
            if new.fits > known.fits {
                (known.fits, known.program) = (new.fits, new.program);
            }
            known.sources.extend(new.sources);
            known.doubt = known.doubt.min(new.doubt) - AGREED;
        }
        None => proposals.push(new),
    }
}

/// The least doubtful first.
pub(super) fn rank(proposals: &mut [Proposal]) {
    proposals.sort_by_key(|p| (p.doubt, p.sources[0]));
}

/// How many of the first proposals are kept: three, and as many as it takes to have two attempts at every test.
pub(super) fn needed(proposals: &[Proposal]) -> usize {
    let Some(first) = proposals.first() else { return 0 };
    let second = |n: usize| proposals.iter().position(|p| p.outputs[n] != first.outputs[n]);
    let last = (0..first.outputs.len()).filter_map(second).max().unwrap_or(0);
    3.max(last + 1)
}

#[cfg(test)]
mod tests {
    use arcloom_value::Grid;

    use super::*;

    fn proposal(outputs: &[i8]) -> Proposal {
        let grid = |&c: &i8| Grid::new(1, 1, &[c]).unwrap();
        let outputs = outputs.iter().map(grid).collect();
        Proposal { outputs, fits: 1, sources: Vec::new(), doubt: 0, program: None }
    }

    #[test]
    fn as_many_are_kept_as_attempts_need() {
        let all: Vec<Proposal> =
            [[1, 2], [1, 3], [1, 4], [5, 2], [6, 7]].iter().map(|o| proposal(o)).collect();
        assert_eq!(needed(&all), 4);
        assert_eq!(needed(&all[..3]), 3);
        assert_eq!(needed(&[]), 0);
    }
}
