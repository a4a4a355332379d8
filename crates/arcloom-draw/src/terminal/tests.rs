use arcloom_value::Value;

use super::*;
use crate::testing::{grid, pictured};
use crate::view::TraceStep;

const PLAIN: TextOptions =
    TextOptions { mode: ColorMode::Plain, palette: Palette::CLASSIC, width: 80 };
const TRUE: TextOptions = TextOptions { mode: ColorMode::TrueColor, ..PLAIN };
const ANSI: TextOptions = TextOptions { mode: ColorMode::Ansi256, ..PLAIN };

fn strange() -> Grid {
    Grid::new(1, 6, &[0, 9, 10, 15, -1, 37]).unwrap()
}

#[test]
fn modes_follow_the_environment() {
    use ColorChoice::{Always, Auto, Never};
    use ColorMode::{Ansi256, Plain, TrueColor};
    #[track_caller]
    fn check(
        tty: bool,
        [no_color, colorterm, term]: [Option<&str>; 3],
        choice: ColorChoice,
        expected: ColorMode,
    ) {
        assert_eq!(detect(tty, no_color, colorterm, term, choice), expected);
    }
    let xterm = Some("xterm-256color");
    check(true, [None, Some("truecolor"), xterm], Auto, TrueColor);
    check(true, [None, Some("24bit"), None], Auto, TrueColor);
    check(true, [None, None, Some("xterm-direct")], Auto, TrueColor);
    check(true, [None, None, xterm], Auto, Ansi256);
    check(true, [Some(""), None, xterm], Auto, Ansi256);
    check(true, [Some("1"), Some("truecolor"), xterm], Auto, Plain);
    check(false, [None, Some("truecolor"), xterm], Auto, Plain);
    check(true, [None, None, Some("dumb")], Auto, Plain);
    check(true, [None, None, None], Auto, Plain);
    check(true, [None, Some("truecolor"), xterm], Never, Plain);
    check(false, [Some("1"), None, None], Always, Ansi256);
    check(false, [None, Some("truecolor"), None], Always, TrueColor);
}

#[test]
fn plain_grid() {
    assert_eq!(grid_text(&grid("102 039"), &PLAIN), "1.2\n.39\n2x3\n");
    assert_eq!(grid_text(&strange(), &PLAIN), ".9af??\n1x6\n");
}

#[test]
fn truecolor_grid_in_half_blocks() {
    let expected = "\x1b[38;2;0;116;217;48;2;0;0;0m▀\x1b[38;2;0;0;0;48;2;255;65;54m▀\x1b[0m\n\
                    \x1b[38;2;46;204;64m▀▀\x1b[0m\n\x1b[2m3x2\x1b[0m\n";
    assert_eq!(grid_text(&grid("10 02 33"), &TRUE), expected);
}

#[test]
fn ansi256_grid_in_half_blocks() {
    let expected = "\x1b[38;5;32;48;5;16m▀\x1b[38;5;16;48;5;203m▀\x1b[0m\n\x1b[2m2x2\x1b[0m\n";
    assert_eq!(grid_text(&grid("10 02"), &ANSI), expected);
}

#[test]
fn foreign_numbers_are_written_out_in_colour() {
    let text = grid_text(&Grid::new(1, 4, &[1, -1, 37, 100]).unwrap(), &ANSI);
    let expected = "\x1b[48;5;32m  \x1b[38;5;233;48;5;187m-137??\x1b[0m\n\x1b[2m1x4\x1b[0m\n";
    assert_eq!(text, expected);
}

#[test]
fn overlays_fade_the_grid_behind() {
    let context = grid("11 11");
    let object = pictured(&Value::object(&[(2, 0, 1)]), Some(&context));
    assert_eq!(picture_text(&object, &PLAIN), "-2\n--\n1 cell, 1x1 at (0, 1)\n");
    let expected = "\x1b[38;2;52;91;128;48;2;52;91;128m▀\x1b[38;2;255;65;54m▀\x1b[0m\n\
                    \x1b[2m1 cell, 1x1 at (0, 1)\x1b[0m\n";
    assert_eq!(picture_text(&object, &TRUE), expected);
}

#[test]
fn places_without_cells_keep_the_terminals_colour() {
    let diagonal = pictured(&Value::object(&[(1, 0, 0), (1, 1, 1)]), None);
    let text = picture_text(&diagonal, &ANSI);
    assert!(text.starts_with("\x1b[38;5;32m▀▄\x1b[0m\n"), "{text:?}");
}

#[test]
fn rows_flow_and_texts_wrap() {
    let grids = vec![grid("111").into(), Value::Int(7), grid("222").into()];
    let row = pictured(&Value::tuple(grids), None);
    assert_eq!(picture_text(&row, &PLAIN), "111   7   222\n1x3       1x3\n");
    let narrow = TextOptions { width: 8, ..PLAIN };
    assert_eq!(picture_text(&row, &narrow), "111   7\n1x3\n\n222\n1x3\n");
}

#[test]
fn titles_stand_above() {
    let (a, b) = (Picture::grid(&grid("12")), Picture::grid(&grid("3")));
    let text = titled_text(&[("input", &a), ("output", &b)], &PLAIN);
    assert_eq!(text, "input    output\n12       3\n1x2      1x1\n");
}

#[test]
fn task_in_columns() {
    let demos = [(grid("100 010 001"), grid("12")), (grid("1"), grid("2"))];
    let tests = [(grid("30 03"), None), (grid("4"), Some(grid("5")))];
    let task = TaskFigure { id: "00d62c1b", demos: &demos, tests: &tests };
    let expected = "\
task 00d62c1b

demo 1         demo 2         test 1       test 2
1..     12     1    →  2      3.   →  ?    4    →  5
.1.  →  1x2    1x1     1x1    .3           1x1     1x1
..1                           2x2
3x3
";
    assert_eq!(task_text(&task, &PLAIN), expected);
    let fitting = task_text(&task, &TextOptions { width: 11, ..PLAIN });
    assert!(fitting.contains("\n\ndemo 1\n1..     12\n.1.  →  1x2\n"), "{fitting}");
    let narrow = task_text(&task, &TextOptions { width: 10, ..PLAIN });
    assert!(narrow.contains("\n\ndemo 1\n1..\n.1.\n..1\n3x3\n↓\n12\n1x2\n"), "{narrow}");
}

#[test]
fn empty_task() {
    let task = TaskFigure { id: "none", demos: &[], tests: &[] };
    assert_eq!(task_text(&task, &PLAIN), "task none\n\n");
}

fn trace() -> TraceView {
    let input = grid("10 02");
    let step = |code: &str, ty: &str, value| TraceStep {
        code: code.into(),
        ty: ty.into(),
        notes: Vec::new(),
        value,
    };
    let object = pictured(&Value::object(&[(2, 1, 1)]), Some(&input));
    TraceView {
        title: "solve on demo 1".into(),
        input: Picture::grid(&input),
        expected: Some(Picture::grid(&grid("01 20"))),
        steps: vec![
            step("x1 = toobject(I)", "Object", StepValue::Ok(object)),
            step("x2 = size(x1)", "", StepValue::Ok(Picture::Text("1".into()))),
            step("O = vmirror(I)", "Grid", StepValue::Ok(Picture::grid(&grid("01 20")))),
        ],
    }
}

#[test]
fn trace_step_by_step() {
    let expected = "\
solve on demo 1

input    expected
1.       .1
.2       2.
2x2      2x2

x1 = toobject(I)  : Object
    --
    -2
    1 cell, 1x1 at (1, 1)

x2 = size(x1)
    1

O = vmirror(I)  : Grid
    .1
    2.
    2x2

✓ the expected output
";
    assert_eq!(trace_text(&trace(), &PLAIN), expected);
}

#[test]
fn trace_that_goes_wrong() {
    let mut wrong = trace();
    wrong.steps[2].value = StepValue::Ok(Picture::grid(&grid("01")));
    let text = trace_text(&wrong, &PLAIN);
    let beside = "
✗ not the expected output

output            expected
.1                .1
✗ 1x2, not 2x2    2.
                  2x2
";
    assert!(text.ends_with(beside) && !text.contains('✓'), "{text}");
    wrong.steps[2].value = StepValue::Ok(Picture::grid(&grid("01 21")));
    let text = trace_text(&wrong, &PLAIN);
    assert!(text.contains("\n✗ 1 of 4 cells wrong *"), "{text}");
    wrong.steps[2].value = StepValue::Failed("asked for\x1b[2J an element".into());
    let text = trace_text(&wrong, &PLAIN);
    assert!(text.ends_with("\n    ✗ failed: asked for\u{FFFD}[2J an element\n"), "{text}");
    wrong.steps.clear();
    assert!(trace_text(&wrong, &PLAIN).ends_with("2x2      2x2\n"));
}

#[test]
fn plain_text_has_no_escapes() {
    assert!(!trace_text(&trace(), &PLAIN).contains('\x1b'));
    assert!(trace_text(&trace(), &ANSI).contains("\x1b[38;5;"));
}
