//! Which sizes can be had, and what is drawn for each.

use arcloom::{Choice, ChooseError, Entry, Task, TaskSet};

/// What an experiment varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// The number of tasks.
    Tasks,
    /// The number of programs.
    Programs,
    /// The number of input grids.
    Grids,
}

impl Axis {
    /// Its name in reports: `tasks`, `programs`, `grids`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Axis::Tasks => "tasks",
            Axis::Programs => "programs",
            Axis::Grids => "grids",
        }
    }
}

/// The sizes of one experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// What is varied.
    pub(crate) axis: Axis,
    /// The sizes, ascending, never empty.
    pub(crate) sizes: Vec<usize>,
    /// True when all that were asked for are too large, and the one size is all there is.
    pub(crate) is_all: bool,
    /// Sizes that were asked for and are more than there is.
    pub(crate) left_out: Vec<usize>,
    /// How much there is.
    pub(crate) there: usize,
}

impl Sizes {
    pub(super) fn new(axis: Axis, wanted: &[usize], there: usize) -> Sizes {
        let mut wanted: Vec<usize> = wanted.iter().copied().filter(|&size| size > 0).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let (mut sizes, left_out): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|&size| size <= there);
        let is_all = sizes.is_empty();
        if is_all {
            sizes.push(there);
        }
        Sizes { axis, sizes, is_all, left_out, there }
    }
}

pub(super) fn draw_programs(
    programs: &[Entry],
    count: usize,
    seed: u64,
) -> Result<Vec<&Entry>, ChooseError> {
    let choice = Choice { count: Some(count), seed, ..Choice::default() };
    let chosen = choice.pick(programs, |entry| [entry.program.name.as_str()])?;
    Ok(chosen.into_iter().map(|n| &programs[n]).collect())
}

pub(super) fn draw_tasks(tasks: &TaskSet, count: usize, seed: u64) -> Result<TaskSet, ChooseError> {
    let choice = Choice { count: Some(count), seed, ..Choice::default() }.of_tasks();
    let chosen = choice.pick(&tasks.tasks, |task| [task.id.as_str()])?;
    let drawn = chosen.into_iter().map(|n| tasks.tasks[n].clone()).collect();
    Ok(TaskSet::new(tasks.name.clone(), drawn))
}

/// The smallest draw of tasks with that many inputs, without the inputs beyond that number.
pub(super) fn batch(tasks: &TaskSet, grids: usize, seed: u64) -> Result<TaskSet, ChooseError> {
    let inputs = |task: &Task| task.demos.len() + task.tests.len();
    let mut count = 1;
    let mut drawn = draw_tasks(tasks, count, seed)?;
    while drawn.tasks.iter().map(inputs).sum::<usize>() < grids {
        count += 1;
        drawn = draw_tasks(tasks, count, seed)?;
    }
    let mut left = grids;
    drawn.tasks.retain_mut(|task| {
        task.demos.truncate(left);
        left -= task.demos.len();
        task.tests.truncate(left);
        left -= task.tests.len();
        inputs(task) > 0
    });
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use arcloom::Catalog;

    use super::*;

    #[test]
    fn sizes_that_are_too_large_are_left_out() {
        let sizes = Sizes::new(Axis::Tasks, &[400, 32, 100, 32, 0], 100);
        assert!(!sizes.is_all);
        assert_eq!((sizes.sizes, sizes.left_out), (vec![32, 100], vec![400]));
        let sizes = Sizes::new(Axis::Tasks, &[32], 7);
        assert!(sizes.is_all);
        assert_eq!((sizes.sizes, sizes.left_out), (vec![7], vec![32]));
    }

    #[test]
    fn a_batch_has_just_as_many_grids() {
        let tasks = Catalog::open(None).resolve_tasks("embedded").unwrap();
        for grids in [1, 2, 7, 20, 100] {
            let drawn = batch(&tasks, grids, 3).unwrap();
            let inputs = drawn.tasks.iter().map(|task| task.demos.len() + task.tests.len());
            assert_eq!(inputs.sum::<usize>(), grids);
            assert_eq!(drawn, batch(&tasks, grids, 3).unwrap());
        }
        assert!(batch(&tasks, 1_000_000, 3).is_err());
    }

    #[test]
    fn larger_draws_hold_the_smaller() {
        let tasks = Catalog::open(None).resolve_tasks("embedded").unwrap();
        let (few, many) = (draw_tasks(&tasks, 5, 1).unwrap(), draw_tasks(&tasks, 20, 1).unwrap());
        assert!(few.tasks.iter().all(|task| many.tasks.contains(task)));
    }
}
