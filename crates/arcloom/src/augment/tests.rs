//! Pairs of the built-in tasks: healthy, new, in range, and the same every time.

use std::collections::BTreeSet;

use arcloom_graph::Stop;
use arcloom_tasks::{Catalog, Task, TaskSet};

use super::board::Board;
use super::recast::{Recast, TURNS, essence};
use super::{AugmentError, AugmentOptions};
use crate::engine::Engine;
use crate::library::Library;

fn built_in() -> (TaskSet, Library) {
    let catalog = Catalog::open(None);
    let tasks = catalog.resolve_tasks("embedded").unwrap();
    let names = ["library:embedded".to_owned()];
    (tasks, Library::load(&catalog, &names, &mut std::io::empty()).unwrap())
}

fn engine(threads: usize, general: bool) -> Engine {
    Engine::builder().threads(threads).general_form(general).build().unwrap()
}

#[test]
fn pairs_are_what_the_program_gives_and_in_the_range_of_the_demos() {
    let (tasks, library) = built_in();
    let engine = engine(1, false);
    let options = AugmentOptions { per_task: 30, ..AugmentOptions::default() };
    let (mut full, mut all) = (0, 0);
    for task in &tasks.tasks {
        let Some(entry) = library.find(&task.id) else { continue };
        all += 1;
        let made = engine.augment(entry, task, &options, &Stop::default()).unwrap();
        full += usize::from(made.pairs.len() == options.per_task);
        let inputs: BTreeSet<Vec<Vec<i8>>> = made
            .pairs
            .iter()
            .map(|made| made.pair.input.rows().map(<[i8]>::to_vec).collect())
            .collect();
        assert_eq!(inputs.len(), made.pairs.len(), "{}: an input twice", task.id);
        let new = made.pairs.iter().filter(|pair| pair.is_new).count();
        assert!(2 * new >= made.pairs.len(), "{}: {new} of {}", task.id, made.pairs.len());
        let demo_pairs = made.pairs.iter().map(|made| made.pair.clone()).collect();
        let seen = Task { id: task.id.clone(), demos: demo_pairs, tests: Vec::new() };
        let view = arcloom_graph::TaskView::of_pairs(&task.demos, &seen.demos);
        assert!(engine.machine().fits(&entry.plan, &view), "{}: an output of another", task.id);
        let colors =
            |grid: &arcloom_value::Grid| grid.cells().iter().copied().collect::<BTreeSet<i8>>();
        let usual: BTreeSet<i8> = task.demos.iter().flat_map(|pair| colors(&pair.input)).collect();
        let sides = |grid: &arcloom_value::Grid| [grid.height(), grid.width()];
        let most = task.demos.iter().flat_map(|pair| sides(&pair.input)).max();
        let mut boards = Board::default();
        let demos: Vec<u64> =
            task.demos.iter().map(|pair| essence(&Board::of(&pair.input), &mut boards)).collect();
        for made in &made.pairs {
            let input = &made.pair.input;
            assert_ne!(*input, made.pair.output);
            assert!(colors(input).is_subset(&usual), "{}: another colour", task.id);
            assert!(sides(input).into_iter().max() <= most, "{}: too large", task.id);
            let is_recast = demos.contains(&essence(&Board::of(input), &mut boards));
            assert_eq!(made.is_new, !is_recast, "{}", task.id);
            assert!(!task.demos.iter().any(|demo| demo.input == *input), "{}: a demo", task.id);
        }
    }
    assert!(2 * full > all, "{full} of {all} tasks have all pairs");
}

#[test]
fn pairs_depend_on_the_seed_alone() {
    let (tasks, library) = built_in();
    let jobs: Vec<_> = tasks
        .tasks
        .iter()
        .filter_map(|task| Some((library.find(&task.id)?, task)))
        .take(6)
        .collect();
    let options = AugmentOptions { per_task: 12, seed: 3, ..AugmentOptions::default() };
    let stop = Stop::default();
    let one = engine(1, false).augment_all(&jobs, &options, &stop);
    assert_eq!(one, engine(3, false).augment_all(&jobs, &options, &stop));
    assert_eq!(one, engine(1, true).augment_all(&jobs, &options, &stop), "general form");
    let other = AugmentOptions { seed: 4, ..options };
    assert_ne!(one, engine(1, false).augment_all(&jobs, &other, &stop));
}

#[test]
fn a_program_for_something_else_is_refused() {
    let (tasks, _) = built_in();
    let task = tasks.get("ring_largest").unwrap();
    let library =
        Library::from_text("other.py", "def solve_other(I):\n    O = vmirror(I)\n    return O\n");
    let made = engine(1, false).augment(
        &library.programs[0],
        task,
        &AugmentOptions::default(),
        &Stop::default(),
    );
    assert!(matches!(made, Err(AugmentError::Unfit { fits: 0, .. })), "{made:?}");
}

#[test]
fn a_recast_keeps_the_essence_and_a_change_does_not() {
    let board = Board { height: 2, width: 3, cells: vec![1, 2, 0, 0, 2, 2] };
    let (mut seen, mut memory) = (Board::default(), Board::default());
    let first = essence(&board, &mut memory);
    for turn in 0..TURNS {
        Recast { turn, ..Recast::exchange(1, 7) }.apply(&board, &mut seen);
        assert_eq!(essence(&seen, &mut memory), first, "turn {turn}");
    }
    let other = Board { cells: vec![1, 2, 0, 0, 2, 1], ..board };
    assert_ne!(essence(&other, &mut memory), first);
}
