//! One task at work: what is known of it, and what was found so far.

use arcloom_graph::view::grids;
use arcloom_graph::{Plan, TaskView};
use arcloom_lang::{Form, Program, function_name, load_file, text};
use arcloom_tasks::{GridLimits, Task};
use arcloom_value::Grid;

use super::pictures::Pictures;
use super::proposals::Proposals;
use super::{Ingredient, Proposal};
use crate::engine::Engine;
use crate::run::TaskRun;
use crate::timing::group;

/// Most tests that ingredients look at. What they find is run on the others, so that a task with hundreds of
/// tests takes no more memory than one with a few.
pub(super) const MOST_TESTS: usize = 12;

/// A task at work.
pub(super) struct Desk<'a> {
    engine: &'a Engine,
    pub(super) task: &'a Task,
    pub(super) view: TaskView,
    /// What the library did on it.
    pub(super) run: Option<&'a TaskRun>,
    /// Grids that chains may start from.
    pub(super) pictures: Pictures<'a>,
    pub(super) proposals: Proposals,
    /// Nanoseconds, by the scale, that the ingredient at work may have taken in the end.
    pub(super) most: u64,
    /// Whether an ingredient found something that is hardly worth a further look.
    pub(super) is_settled: bool,
    /// Answers that were dropped because their program does something else.
    pub(super) unprintable: usize,
}

/// A program that was found, and what it is said to do.
pub(super) struct Found {
    /// A program on the task's own inputs.
    pub(super) program: Program,
    /// One grid for each test that ingredients look at.
    pub(super) outputs: Vec<Grid>,
    /// Demos that come out right, or more.
    pub(super) fits: usize,
    /// How little it is to be trusted.
    pub(super) doubt: i32,
}

impl<'a> Desk<'a> {
    pub(super) fn new(engine: &'a Engine, task: &'a Task, run: Option<&'a TaskRun>) -> Desk<'a> {
        Desk {
            engine,
            task,
            view: TaskView::new(task),
            run,
            pictures: Pictures::new(task.demos.len() + MOST_TESTS),
            proposals: Proposals::default(),
            most: u64::MAX,
            is_settled: false,
            unprintable: 0,
        }
    }

    /// The name of a program for the task.
    pub(super) fn name(&self) -> String {
        function_name(&self.task.id)
    }

    /// Makes what was found a proposal; it is counted where it has no program, or one that does something else.
    pub(super) fn propose(&mut self, by: Ingredient, found: Option<Found>) {
        match found.and_then(|found| proven(self.engine, &self.view, by, found)) {
            Some(proposal) => self.proposals.add(proposal),
            None => self.unprintable += 1,
        }
    }
}

/// A proposal; `None` unless the program, read back from its text, gives these outputs and is right on as
/// many demos.
pub(super) fn proven(
    engine: &Engine,
    task: &TaskView,
    by: Ingredient,
    found: Found,
) -> Option<Proposal> {
    let _proof = group("proofs");
    let Found { program, outputs, fits, doubt } = found;
    let program = text::print(&program, Form::Straight);
    let loaded = load_file(&program);
    let [read] = &loaded.programs[..] else { return None };
    let found = engine.machine().outputs(&Plan::new(read), task);
    let right = task.exact(grids(&found.demos)).filter(|right| *right).count();
    let all = found.test_grids()?;
    let (seen, unseen) = all.split_at_checked(outputs.len())?;
    let same = seen == outputs && unseen.iter().all(|grid| GridLimits::ARC.allow(grid));
    let (sources, program) = (vec![by], Some(program));
    let enough = same && right >= fits;
    enough.then_some(Proposal { outputs: all, fits: right, sources, doubt, program })
}
