//! What the search does natively and what its programs do is the same.

mod support;

use arcloom_corpus::Catalog;
use arcloom_exec::Plan as Ready;
use arcloom_search::program;
use arcloom_search::steps::{self, Bounds, Canvas, Item, Scratch, Step};
use arcloom_search::task::Effort;
use arcloom_sheet::Sheet;
use arcloom_value::Value;
use proptest::prelude::*;

/// Sheets with few colours, much of them blank, so that every step has something to do.
fn sheets() -> impl Strategy<Value = Sheet> {
    let cells = |(h, w): (usize, usize)| {
        let cell = prop_oneof![3 => Just(0u8), 2 => 1u8..4, 1 => 0u8..10];
        (Just((h, w)), prop::collection::vec(cell, h * w), -3i32..4, -3i32..4)
    };
    (1usize..7, 1usize..7).prop_flat_map(cells).prop_map(|((h, w), cells, top, left)| {
        let mut s = Sheet::new(h, w, cells).expect("a rectangle");
        (s.top, s.left) = (top, left);
        s
    })
}

/// Steps that need no canvas, the ones the search does not take yet included.
fn every_step() -> Vec<Step> {
    let mut all = steps::all(!0);
    all.extend([Step::Dye(4), Step::Keep(0), Step::Framed(7)]);
    all
}

/// Does a step both ways and compares, failures included.
fn same(step: Step, item: &Item, canvas: (usize, usize)) {
    let is_list = matches!(item, Item::Many(_));
    let bounds = Bounds { input: canvas, output: Some(canvas), cells: usize::MAX / 8 };
    let mut scratch = Scratch::default();
    let native = step.apply(item, &bounds, &mut scratch).map(|()| {
        support::value_of(&match scratch.is_list {
            true => Item::Many(scratch.many.clone()),
            false => Item::One(scratch.one.clone()),
        })
    });
    let program = program::chain(&[step], is_list, canvas, "solve").expect("a program");
    let found = support::run(&Ready::new(&program), &Value::None, &support::value_of(item));
    match (&native, &found) {
        (Some(native), Ok(found)) => assert_eq!(native, found, "{step:?} on {item:?}"),
        (None, Err(_)) => {}
        _ => panic!("{step:?} on {item:?}: {native:?}, but {found:?}"),
    }
}

fn takes_list(step: Step) -> bool {
    step.joins() || step.sifts()
}

proptest! {
    #[test]
    fn every_step_is_its_primitive_on_a_sheet(s in sheets(), h in 1usize..9, w in 1usize..9) {
        let steps = every_step().into_iter().filter(|&s| !takes_list(s));
        for step in steps.chain(steps::onto(Canvas::Input)).chain(steps::onto(Canvas::Output)) {
            same(step, &Item::One(s.clone()), (h, w));
        }
    }

    #[test]
    fn every_step_is_its_primitive_on_a_list(list in prop::collection::vec(sheets(), 0..5)) {
        // The primitive makes a blank cell of no sheets, as the end of a chain needs it.
        let is_blank = |s: &Step| list.is_empty() && *s == Step::Overlay;
        for step in every_step().into_iter().filter(|s| !s.splits() && !is_blank(s)) {
            same(step, &Item::Many(list.clone()), (3, 3));
        }
    }
}

#[test]
fn answers_to_embedded_tasks_are_programs() {
    let tasks = Catalog::open(None).resolve_tasks("embedded").expect("built in");
    let effort = Effort { bound: 20, grow: 4_000_000, stack: 400_000, pieces: 2_000 };
    let (mut checked, mut whole) = (0, 0);
    for task in &tasks.tasks {
        let Some(problem) = support::problem(task) else { continue };
        let answers = support::answers(&problem, &effort);
        for answer in answers.iter().take(10) {
            let name = format!("solve_{}", task.id);
            let proven = support::proven(&problem, answer, &name);
            assert!(proven.is_ok(), "{}", proven.unwrap_err());
            checked += 1;
            whole += usize::from(answer.fits == problem.demos.len());
        }
    }
    assert!(checked >= 20 && whole >= 3, "only {checked} programs, {whole} of them for all demos");
}
