//! What a task within frames does natively and what its programs do is the same.

mod support;

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::sheet;
use arcloom_graph::Plan;
use arcloom_lang::{Form, Program, load_file, load_snippet, text};
use arcloom_search::frame::{FramedTask, Outline, TaskFrame};
use arcloom_search::program;
use arcloom_search::task::{Effort, Problem};
use arcloom_value::Value;
use proptest::prelude::*;

fn outline(mixed: bool, diagonal: bool, margin: u8) -> TaskFrame {
    TaskFrame::Objects(Outline { mixed, diagonal, margin })
}

fn frames() -> Vec<Vec<TaskFrame>> {
    let single = [
        TaskFrame::MergedLines,
        TaskFrame::DroppedLines,
        TaskFrame::Wide,
        TaskFrame::LinesLie,
        TaskFrame::Reading(0),
        TaskFrame::Reading(0b1001),
        TaskFrame::Box(2),
        TaskFrame::Panels,
        TaskFrame::Colors(0),
        TaskFrame::Colors(2),
        outline(true, true, 1),
        outline(false, false, 0),
        TaskFrame::Rows,
        TaskFrame::Columns,
    ];
    let mut all: Vec<Vec<TaskFrame>> = single.iter().map(|frame| vec![*frame]).collect();
    for outer in
        [TaskFrame::MergedLines, TaskFrame::DroppedLines, TaskFrame::Wide, TaskFrame::LinesLie]
    {
        all.extend(single.iter().map(|inner| vec![outer, *inner]));
    }
    all
}

fn sheet(rows: &[&str]) -> Sheet {
    let cells = rows.iter().flat_map(|row| row.bytes().map(|b| b - b'0')).collect();
    Sheet::new(rows.len(), rows[0].len(), cells).expect("a rectangle")
}

fn snippet(lines: &str) -> Program {
    load_snippet(lines).expect("a program").0
}

/// Goes through frames natively and as a program, with nothing done there. True where the frames fit.
fn same(inputs: &[Sheet], frames: &[TaskFrame]) -> bool {
    same_as(inputs, inputs, frames)
}

/// The same where that makes other outputs than the inputs.
fn same_as(inputs: &[Sheet], outputs: &[Sheet], frames: &[TaskFrame]) -> bool {
    let demos = inputs.iter().cloned().zip(outputs.iter().cloned()).collect();
    let problem = Problem { demos, tests: inputs.to_vec(), pictures: Vec::new() };
    let Some(task) = FramedTask::of(&problem, frames) else { return false };
    let native = task.joined(&task.problem.tests).expect("outputs");
    let program = task.program(&snippet("O = identity(I)"), "solve").expect("a program");
    let read = load_file(&text::print(&program, Form::Straight)).programs.pop().expect("a text");
    assert_eq!(read, program, "{frames:?}");
    for (input, native) in inputs.iter().zip(&native) {
        let found = support::run(&Plan::new(&program), &Value::None, &sheet::grid(input));
        assert_eq!(found.expect("an output"), sheet::grid(native), "{frames:?} on {input:?}");
    }
    true
}

#[test]
fn every_frame_fits_something() {
    let inputs = [
        sheet(&["0020055", "0020055", "2222222", "3020022", "0020022"]),
        sheet(&["03323", "03323", "03323", "10020", "00020", "11021", "00023"]),
    ];
    for frames in frames().iter().filter(|frames| frames.len() == 1) {
        assert!(same(&inputs, frames), "{frames:?}");
    }
}

#[test]
fn panels_are_laid_side_by_side() {
    let inputs =
        [sheet(&["12533", "30541", "55555", "00511", "24532"]), sheet(&["1253300", "3054120"])];
    let outputs = [sheet(&["1233", "3041", "0011", "2432"]), sheet(&["12330", "30412"])];
    assert!(same_as(&inputs[..1], &outputs[..1], &[TaskFrame::PanelTiles]));
    // An output of five columns is not two tiles.
    assert!(!same_as(&inputs, &outputs, &[TaskFrame::PanelTiles]));
}

#[test]
fn two_outcomes_of_equal_parts_rule_a_frame_out() {
    let input = sheet(&["101", "000", "202"]);
    let task = |output: Sheet| {
        let problem = Problem {
            demos: vec![(input.clone(), output)],
            tests: vec![input.clone()],
            pictures: Vec::new(),
        };
        FramedTask::of(&problem, &[outline(false, false, 0)])
    };
    let task_of_parts = task(sheet(&["303", "000", "404"])).expect("two parts, twice each");
    assert_eq!(task_of_parts.problem.demos.len(), 2);
    assert_eq!(task_of_parts.problem.tests.len(), 2);
    assert!(task(sheet(&["305", "000", "404"])).is_none());
    // What changes between the objects is no part.
    assert!(task(sheet(&["313", "000", "404"])).is_none());
}

#[test]
fn functions_of_parts_are_written_in_words() {
    let input = sheet(&["1000", "0022"]);
    let problem = Problem {
        demos: vec![(input.clone(), input.clone())],
        tests: vec![input],
        pictures: Vec::new(),
    };
    let task = FramedTask::of(&problem, &[outline(false, false, 1)]).expect("objects");
    let inner = "x1 = as_sheet(I)\nx2 = grow_cells(x1, (repaint(BLACK, (sees(LEFT, ANY_COLOR),), color_at(LEFT)),))\nO = sheet_grid(x2)";
    let text =
        text::print(&task.program(&snippet(inner), "solve").expect("a program"), Form::Straight);
    assert!(text.contains("sees(LEFT, ANY_COLOR)"), "{text}");
    assert!(text.contains("apply("), "{text}");
}

/// A ring of so many cells of a colour, expanded, and the same with its hole filled.
fn ring(color: u8, rows: &[usize], columns: &[usize]) -> (Sheet, Sheet) {
    let draw = |hole: u8| {
        let plan = [[0; 5], [0, 1, 1, 1, 0], [0, 1, 2, 1, 0], [0, 1, 1, 1, 0], [0; 5]];
        let paint = |cell: u8| [0, color, hole][usize::from(cell)];
        let cells = rows.iter().flat_map(|&i| columns.iter().map(move |&j| paint(plan[i][j])));
        Sheet::new(rows.len(), columns.len(), cells.collect()).expect("a rectangle")
    };
    (draw(0), draw(4))
}

#[test]
fn what_is_found_within_a_frame_is_a_program_outside() {
    let (test, expected) = ring(6, &[0, 1, 1, 2, 3, 4, 4], &[0, 0, 1, 2, 2, 2, 3, 4]);
    let problem = Problem {
        demos: vec![
            ring(3, &[0, 1, 2, 2, 3, 3, 4], &[0, 1, 1, 2, 3, 4]),
            ring(5, &[0, 0, 1, 2, 3, 4], &[0, 1, 2, 2, 3, 4, 4]),
        ],
        tests: vec![test.clone()],
        pictures: Vec::new(),
    };
    let task = FramedTask::of(&problem, &[TaskFrame::MergedLines]).expect("merged lines");
    assert_eq!((task.problem.tests[0].height(), task.problem.tests[0].width()), (5, 5));
    let answers = support::answers(&task.problem, &Effort::seconds(0.05));
    let answer = answers.iter().find(|answer| answer.fits == 2).expect("an answer");
    assert_eq!(task.joined(&answer.outputs), Some(vec![expected.clone()]));
    let inner = program::program(&answer.plan, "solve", &BTreeMap::new()).expect("a program");
    let program = task.program(&inner, "solve").expect("a program");
    let found = support::run(&Plan::new(&program), &Value::None, &sheet::grid(&test));
    assert_eq!(found.expect("an output"), sheet::grid(&expected));
}

proptest! {
    #[test]
    fn programs_do_what_the_search_does(
        inputs in prop::collection::vec((1usize..6, 1usize..6).prop_flat_map(|(h, w)| {
            let cell = prop_oneof![3 => Just(0u8), 3 => Just(2u8), 1 => 0u8..10];
            prop::collection::vec(cell, h * w).prop_map(move |cells| Sheet::new(h, w, cells).expect("a rectangle"))
        }), 2..4),
    ) {
        for frames in frames() {
            same(&inputs, &frames);
        }
    }
}
