//! A task as evolution sees it.

use arcloom_graph::{Machine, OwnDiffer, TaskInputs, TaskView};
use arcloom_tasks::{Pair, Task, TaskId};
use arcloom_value::Grid;

use crate::facts::TaskFacts;

/// A task that programs are bred for. There is no expected output of a test in it.
pub struct EvolveTask<'a> {
    /// The task.
    pub task: &'a Task,
    /// Its identity.
    pub id: TaskId,
    /// The task as programs see it.
    pub view: TaskView,
    /// What the demo pairs say.
    pub(super) facts: TaskFacts,
    /// What children are run on.
    pub(super) demos: TaskInputs,
    /// What a solver must stand besides the demos.
    pub(super) more: &'a [Pair],
    /// Who judges candidates besides the built-in differs.
    differs: &'a [OwnDiffer],
}

impl<'a> EvolveTask<'a> {
    /// A task, and further pairs of it that a solver must stand.
    pub(super) fn new(
        task: &'a Task,
        more: &'a [Pair],
        differs: &'a [OwnDiffer],
    ) -> EvolveTask<'a> {
        let view = TaskView::new(task);
        let pairs = task.demos.iter().map(|pair| (pair.input.clone(), pair.output.clone()));
        let facts = TaskFacts::new(&pairs.collect::<Vec<_>>());
        let (id, demos) = (task.visible_id(), view.given_demos());
        EvolveTask { task, id, view, facts, demos, more, differs }
    }

    /// How near a grid is for one demo, in thousandths, given what the built-in differs say: their mean with
    /// each of the user's. A differ that fails says 0.
    pub(super) fn near(&self, demo: usize, grid: &Grid, native: u32, machine: &mut Machine) -> u32 {
        let mut said = native;
        for differ in self.differs {
            said += differ.judge(machine, &self.view, demo, grid).map_or(0, |(score, _)| score);
        }
        said / (self.differs.len() as u32 + 1)
    }

    /// Whether anybody but the built-in differs judges.
    pub(super) fn has_differs(&self) -> bool {
        !self.differs.is_empty()
    }

    /// Input grids, demos before tests.
    pub(super) fn grids(&self) -> impl Iterator<Item = &Grid> {
        let demos = self.task.demos.iter().map(|pair| &pair.input);
        demos.chain(self.task.tests.iter().map(|test| &test.input))
    }
}
