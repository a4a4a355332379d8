//! What an ingredient of `solve` is: what it needs, what it gives and what it costs.
//!
//! An ingredient is one file with a [`Finder`]: what it knows before it sees a task. For each task it
//! begins a [`Hunt`], which takes from the [`Desk`] of the task what the ingredients before it have left
//! there, and leaves its own: pictures for others to start from, and proposals. `solve` walks a list of
//! them, stage by stage, each stage with several times the effort of the one before.
//!
//! An ingredient may also look at a task that it makes of the one at hand: it begins a search of its own
//! (`search::SearchRun`) on the pairs it made, with a part of each stage's effort, and puts the programs
//! that this gives on the desk once they are programs on the task's own inputs. Nothing is
//! a proposal before its text, read back, gives the same outputs.

use arcloom_search::task::Effort;

use super::Ingredient;
use super::desk::Desk;

/// An ingredient, with what it knows before it sees a task.
pub(super) trait Finder: Sync {
    /// Which one it is: the origin of its proposals.
    fn ingredient(&self) -> Ingredient;

    /// Begins on a task; `None` when it has nothing to do there.
    fn begin<'a>(&'a self, desk: &Desk<'a>) -> Option<Box<dyn Hunt<'a> + 'a>>;
}

/// An ingredient at work on one task.
pub(super) trait Hunt<'a> {
    /// Goes on as far as the effort says, with the pictures that are on the desk, and leaves its own there.
    fn further(&mut self, desk: &mut Desk<'a>, effort: &Effort);

    /// Goes on when the stages are over and nothing fits all demos; so many seconds are left of the task's budget.
    fn beyond(&mut self, _desk: &mut Desk<'a>, _seconds: f64) {}

    /// Whether it has what others leave of the stages.
    fn is_after_search(&self) -> bool {
        false
    }

    /// Whether it found something that fits all demos, and a further stage is hardly worth it.
    fn is_settled(&self) -> bool;

    /// Puts what it found on the desk. Those that stand on what others found are asked first.
    fn propose(&mut self, desk: &mut Desk<'a>);

    /// Goes on from what all have proposed, where none of it fits all demos; `spent` is what all did so far.
    fn conclude(&mut self, _desk: &mut Desk<'a>, _spent: &Spent) {}

    /// What it did so far.
    fn spent(&self) -> Spent {
        Spent::default()
    }
}

/// What ingredients did on a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Work, in nanoseconds by the scale.
    pub(super) work: u64,
    /// Bytes held at the most.
    pub(super) bytes: usize,
    /// Chains of steps that were built.
    pub(super) chains: usize,
}

impl std::iter::Sum for Spent {
    fn sum<I: Iterator<Item = Spent>>(all: I) -> Spent {
        all.fold(Spent::default(), |sum, one| Spent {
            work: sum.work + one.work,
            bytes: sum.bytes + one.bytes,
            chains: sum.chains + one.chains,
        })
    }
}
