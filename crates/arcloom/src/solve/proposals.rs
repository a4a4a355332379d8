//! Proposals of one task: who makes them, and which come first.

use arcloom_lang::{Program, load_file};

use super::{Ingredient, Proposal};

/// What a demo that is missed adds to the doubt about a program, as in the search.
const MISSED: i32 = 60;

/// What a second program with the same outputs takes from the doubt.
const AGREED: i32 = 40;

/// What one by the same ingredient takes from it.
const AGREED_NEAR: i32 = 5;

/// Doubt about what comes from elsewhere than the search, whose answers bring their own: its least, and what
/// each one before it adds.
const ELSEWHERE: i32 = 20;
const AFTER: i32 = 10;

/// How little a program of the library or of evolution is to be trusted, the `place`th of its kind. The
/// weights here are from training tasks.
pub(super) fn doubt(missed: usize, place: usize) -> i32 {
    ELSEWHERE + MISSED * missed as i32 + AFTER * place as i32
}

/// The table of a task's proposals.
#[derive(Default)]
pub(super) struct Proposals {
    all: Vec<Proposal>,
}

impl Proposals {
    /// Adds a proposal, or its voice to one with the same outputs.
    pub(super) fn add(&mut self, new: Proposal) {
        match self.all.iter_mut().find(|known| known.outputs == new.outputs) {
            Some(known) => {
                // Searches in several frames share most of what they stand on.
                let is_near = new.sources.iter().all(|source| known.sources.contains(source));
                let agreed = if is_near { AGREED_NEAR } else { AGREED };
                if new.fits > known.fits {
                    (known.fits, known.program) = (new.fits, new.program);
                }
                if !is_near {
                    known.sources.extend(new.sources);
                }
                known.doubt = known.doubt.min(new.doubt) - agreed;
            }
            None => self.all.push(new),
        }
    }

    /// Adds proposals that say nothing for each other: programs of one library share what they are made of.
    pub(super) fn add_apart(&mut self, new: Vec<Proposal>) {
        self.all.extend(new);
    }

    /// True when one of them fits so many demos.
    pub(super) fn fit(&self, demos: usize) -> bool {
        self.all.iter().any(|proposal| proposal.fits >= demos)
    }

    /// The programs that were made for this task, and by whom: those of the library are known anyway.
    pub(super) fn found_here(&self) -> Vec<(Program, Ingredient)> {
        let found = self.all.iter().filter_map(|proposal| {
            let by = *proposal.sources.iter().find(|by| **by != Ingredient::Transfer)?;
            let program = load_file(proposal.program.as_ref()?).programs.pop()?;
            Some((program, by))
        });
        found.collect()
    }

    /// All of them, the least doubtful first; but what frames alone propose is not the first attempt where
    /// something else fits all of so many demos.
    fn ranked(mut self, demos: usize) -> Vec<Proposal> {
        self.all.sort_by_key(|p| (p.doubt, p.sources[0]));
        let is_plain = |p: &Proposal| p.fits == demos && p.sources != [Ingredient::Frames];
        if let Some(plain) = self.all.iter().position(is_plain) {
            let ahead = self.all[..plain].iter().position(|p| p.sources == [Ingredient::Frames]);
            if let Some(ahead) = ahead {
                self.all[ahead..=plain].rotate_right(1);
            }
        }
        self.all
    }

    /// The first of them: three, and as many as it takes to have two attempts at every test.
    pub(super) fn best(self, demos: usize) -> Vec<Proposal> {
        let mut all = self.ranked(demos);
        all.truncate(needed(&all));
        all
    }
}

/// How many proposals are kept of these.
fn needed(proposals: &[Proposal]) -> usize {
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
    fn frames_alone_are_not_first_where_something_else_fits() {
        let of = |sources: &[Ingredient], output: i8, fits: usize, doubt: i32| Proposal {
            sources: sources.to_vec(),
            fits,
            doubt,
            ..proposal(&[output])
        };
        let outputs = |plain: Proposal| -> Vec<i32> {
            let mut all = Proposals::default();
            all.add(of(&[Ingredient::Frames], 1, 2, -50));
            all.add(of(&[Ingredient::Frames], 2, 2, -40));
            all.add(plain);
            all.ranked(2).iter().map(|p| p.doubt).collect()
        };
        assert_eq!(outputs(of(&[Ingredient::Search], 3, 2, 70)), [70, -50, -40]);
        assert_eq!(outputs(of(&[Ingredient::Search], 3, 1, 70)), [-50, -40, 70]);
        // Both have the same outputs: one proposal, less doubtful than either.
        assert_eq!(outputs(of(&[Ingredient::Search], 2, 2, 70)), [-80, -50]);
        // Frames that agree with each other say less.
        assert_eq!(outputs(of(&[Ingredient::Frames], 2, 2, 70)), [-50, -45]);
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
