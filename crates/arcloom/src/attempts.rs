//! Which two answers to a test are handed in.
//!
//! First comes what its programs did on the demo pairs, then how many programs that have nothing to do
//! with each other give the same answer, then how short the shortest of them is.

use std::cmp::Reverse;
use std::fmt::Write as _;

use arcloom_value::Grid;

/// How many answers to a test count.
pub const ATTEMPTS: usize = 2;

/// What is handed in for a task: for each test up to two grids that differ, the better first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attempts(Vec<Vec<Grid>>);

/// A grid as JSON: a list of rows.
pub(crate) fn grid_text(grid: &Grid) -> String {
    let mut text = String::from("[");
    for (n, row) in grid.rows().enumerate() {
        let cells: Vec<String> = row.iter().map(i8::to_string).collect();
        let comma = if n == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}[{}]", cells.join(", "));
    }
    text.push(']');
    text
}

/// A grid as a list of rows.
pub(crate) fn grid_rows(grid: &Grid) -> Vec<Vec<i8>> {
    grid.rows().map(<[i8]>::to_vec).collect()
}

/// The grid of such a text; `None` when it is another text.
pub(crate) fn read_grid(text: &str) -> Option<Grid> {
    Grid::from_rows(&serde_json::from_str::<Vec<Vec<i8>>>(text).ok()?)
}

impl Attempts {
    /// From the texts of an archive; what is no grid is left out.
    pub(crate) fn from_texts(tests: &[Vec<String>]) -> Attempts {
        let grids = |texts: &Vec<String>| texts.iter().filter_map(|t| read_grid(t)).collect();
        Attempts::new(tests.iter().map(grids).collect())
    }

    /// For an archive.
    pub(crate) fn to_texts(&self) -> Vec<Vec<String>> {
        self.0.iter().map(|grids| grids.iter().map(grid_text).collect()).collect()
    }

    /// From the grids for each test; what is more than two of a test is dropped.
    pub fn new(mut tests: Vec<Vec<Grid>>) -> Attempts {
        tests.iter_mut().for_each(|grids| grids.truncate(ATTEMPTS));
        Attempts(tests)
    }

    /// The first two grids that differ for each test, from outputs for all tests, best first.
    pub fn first_of<'a>(
        tests: usize,
        outputs: impl Iterator<Item = &'a [Grid]> + Clone,
    ) -> Attempts {
        let of = |n: usize| {
            let mut grids: Vec<Grid> = Vec::new();
            for grid in outputs.clone().filter_map(|all| all.get(n)) {
                if grids.len() < ATTEMPTS && !grids.contains(grid) {
                    grids.push(grid.clone());
                }
            }
            grids
        };
        Attempts((0..tests).map(of).collect())
    }

    /// The grids for a test.
    pub fn of_test(&self, test: usize) -> &[Grid] {
        self.0.get(test).map_or(&[], Vec::as_slice)
    }

    /// The grids for each test.
    pub fn tests(&self) -> &[Vec<Grid>] {
        &self.0
    }

    /// The grids for each test, to be handed in.
    pub fn into_tests(self) -> Vec<Vec<Grid>> {
        self.0
    }
}

/// Most answers that are weighed; where more programs do equally well, none of them does well.
const MOST: usize = 64;

/// A program's answer to a test. `A` stands for the grid.
pub(crate) struct Vote<A, E> {
    pub(crate) answer: A,
    /// What it did on the demos; more is better.
    pub(crate) evidence: E,
    /// How many independent programs this one stands for.
    pub(crate) witnesses: u32,
    /// Number of its calls.
    pub(crate) size: u32,
}

/// The best answers that differ, best first, out of votes in falling order of evidence. Of answers that
/// are equal in all respects the one that was given first comes first.
pub(crate) fn best<A: PartialEq, E: Ord>(votes: impl Iterator<Item = Vote<A, E>>) -> Vec<A> {
    let mut answers: Vec<Vote<A, E>> = Vec::new();
    for vote in votes {
        let is_weaker = answers.last().is_some_and(|last| vote.evidence < last.evidence);
        if answers.len() >= ATTEMPTS && is_weaker {
            break;
        }
        match answers.iter().position(|known| known.answer == vote.answer) {
            Some(place) => {
                let known = &mut answers[place];
                // Weaker programs say nothing for a stronger one's answer.
                if known.evidence == vote.evidence {
                    known.witnesses += vote.witnesses;
                    known.size = known.size.min(vote.size);
                }
            }
            None if answers.len() < MOST => answers.push(vote),
            None => {}
        }
    }
    answers.sort_by(|a, b| {
        let rest = |vote: &Vote<A, E>| (Reverse(vote.witnesses), vote.size);
        b.evidence.cmp(&a.evidence).then_with(|| rest(a).cmp(&rest(b)))
    });
    answers.into_iter().take(ATTEMPTS).map(|vote| vote.answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(votes: &[(char, u32, u32)], expected: &str) {
        let mut votes = votes.to_vec();
        votes.sort_by_key(|vote| Reverse(vote.1));
        let votes = votes.iter().map(|&(answer, evidence, size)| Vote {
            answer,
            evidence,
            witnesses: 1,
            size,
        });
        assert_eq!(best(votes).into_iter().collect::<String>(), expected);
    }

    #[test]
    fn evidence_then_agreement_then_simplicity() {
        check(&[('a', 2, 1), ('b', 3, 9), ('c', 1, 1)], "ba");
        check(&[('a', 3, 1), ('b', 3, 9), ('b', 3, 8)], "ba");
        check(&[('a', 3, 5), ('b', 3, 4)], "ba");
        // Many weak programs do not outvote a strong one, nor help one.
        check(&[('a', 2, 1), ('a', 2, 1), ('a', 2, 1), ('b', 3, 9)], "ba");
        check(&[('a', 3, 5), ('a', 2, 1), ('a', 2, 1), ('b', 3, 4)], "ba");
        check(&[('a', 3, 5)], "a");
        check(&[], "");
    }
}
