use arcloom_value::Value;

use super::*;
use crate::testing::{check_xml, grid, pictured};

const TEN: SvgOptions = SvgOptions {
    cell: 10.0,
    palette: Palette::CLASSIC,
    digits: false,
    symbols: false,
    dark: false,
};

#[test]
fn small_grid_exactly() {
    let expected = "\
<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"53\" height=\"72\" viewBox=\"0 0 53 72\" role=\"img\" font-family=\"monospace\">
<title>2x2</title>
<rect width=\"53\" height=\"72\" fill=\"#FFFFFF\"/>
<g transform=\"translate(16 16)\">
<g fill=\"none\" shape-rendering=\"crispEdges\">
<path fill=\"#000000\" d=\"M10 0h10v10h-10z\"/>
<path fill=\"#0074D9\" d=\"M0 0h10v10h-10zM0 10h20v10h-20z\"/>
<path stroke=\"#555555\" d=\"M0 0h20M0 10h20M0 20h20M0 0v20M10 0v20M20 0v20\"/>
</g>
<g transform=\"translate(0 24)\">
<text y=\"11.55\" font-size=\"11\" fill=\"#656D76\">2x2</text>
</g>
</g>
</svg>
";
    let svg = grid_svg(&grid("10 11"), &TEN);
    assert_eq!(svg, expected);
}

/// Number of paths that are filled with a colour.
fn filled(svg: &str) -> usize {
    svg.matches("<path fill=\"#").count()
}

#[test]
fn one_path_per_colour() {
    assert_eq!(filled(&grid_svg(&grid("0123456789 9876543210"), &TEN)), 10);
    let checkers = grid("0101010101 1010101010 0101010101");
    assert_eq!(filled(&grid_svg(&checkers, &TEN)), 2);
}

#[test]
fn full_size_grids_stay_small() {
    let cells: Vec<i8> = (0..900).map(|k| (k * 7 % 10) as i8).collect();
    let svg = grid_svg(&Grid::new(30, 30, &cells).unwrap(), &SvgOptions::default());
    check_xml(&svg);
    assert!(svg.len() < 30_000, "{}", svg.len());
}

#[test]
fn overlays_have_faded_cells_and_an_outline() {
    let context = grid("11 11");
    let svg = picture_svg(&pictured(&Value::object(&[(1, 0, 1)]), Some(&context)), &TEN);
    check_xml(&svg);
    assert!(svg.contains("<path fill=\"#0074D9\" d=\"M10 0h10v10h-10z\"/>"), "{svg}");
    assert!(svg.contains(&format!("<path fill=\"{}\"", Rgb(0xD4, 0xE7, 0xF9))), "{svg}");
    assert!(svg.contains("d=\"M10 0h10M10 10h10M10 0v10M20 0v10\""), "{svg}");
}

#[test]
fn objects_are_set_apart() {
    let objects = Value::set(vec![Value::object(&[(1, 0, 0)]), Value::object(&[(1, 0, 1)])]);
    let svg = picture_svg(&pictured(&objects, Some(&grid("11"))), &TEN);
    check_xml(&svg);
    assert!(svg.contains("d=\"M0 0h20M0 10h20M0 0v10M10 0v10M20 0v10\""), "{svg}");
}

#[test]
fn tasks_shrink_before_they_wrap() {
    let side = |n: usize| Grid::new(n, n, &vec![1; n * n]).unwrap();
    let task = |pairs: usize| {
        let demos = vec![(side(30), side(30)); pairs];
        task_svg(&TaskFigure { id: "t", demos: &demos, tests: &[] }, &SvgOptions::default())
    };
    assert!(task(1).contains("M0 0h540v18h-540z"));
    assert!(task(4).contains("M0 0h270v9h-270z"));
    let many = task(8);
    assert!(many.contains("M0 0h210v7h-210z") && many.contains("viewBox=\"0 0 1194 "), "{many}");
}

#[test]
fn positions_have_dots() {
    let svg =
        picture_svg(&pictured(&Value::indices(&[(0, 0), (0, 1)]), Some(&grid("14 11"))), &TEN);
    check_xml(&svg);
    assert!(svg.contains("stroke=\"#FFFFFF\" stroke-width=\"3.6\""), "{svg}");
    assert!(svg.contains("stroke=\"#111111\" stroke-width=\"3.6\""), "{svg}");
}

#[test]
fn foreign_numbers_are_written_on_a_neutral_ground() {
    let svg = grid_svg(&Grid::new(1, 3, &[-1, 37, 120]).unwrap(), &TEN);
    check_xml(&svg);
    assert_eq!(filled(&svg), 1);
    for label in [">-1<", ">37<", ">120<"] {
        assert!(svg.contains(label), "{svg}");
    }
}

#[test]
fn digits_stand_in_their_cells() {
    let options = SvgOptions { digits: true, ..TEN };
    let svg = grid_svg(&Grid::new(1, 3, &[0, 9, 13]).unwrap(), &options);
    check_xml(&svg);
    for label in ["<text x=\"5\" y=\"6.92\">0<", "<text x=\"15\" y=\"6.92\">9<", ">d</text>"] {
        assert!(svg.contains(label), "{svg}");
    }
    let tiny = SvgOptions { cell: 4.0, ..options };
    assert!(!grid_svg(&grid("12"), &tiny).contains("text-anchor"));
}

#[test]
fn odd_cell_sizes_are_put_right() {
    for (cell, width) in
        [(f32::NAN, "18"), (0.0, "1"), (1e9, "200"), (7.3, "7.3"), (1.0 / 3.0, "1")]
    {
        let svg = grid_svg(&grid("1"), &SvgOptions { cell, ..TEN });
        assert!(svg.contains(&format!("M0 0h{width}v{width}h-{width}z")), "{cell}: {svg}");
    }
}

/// A task with four pairs, one of them without its output.
fn with_task<R>(id: &str, draw: impl FnOnce(&TaskFigure<'_>) -> R) -> R {
    let demos = [(grid("100 010 001"), grid("12")), (grid("1"), grid("2"))];
    let tests = [(grid("30 03"), None), (grid("4"), Some(grid("5")))];
    draw(&TaskFigure { id, demos: &demos, tests: &tests })
}

#[test]
fn task_is_well_formed_and_escaped() {
    for dark in [false, true] {
        let draw = || with_task("<a & \"b\">\u{1b}", |t| task_svg(t, &SvgOptions { dark, ..TEN }));
        let svg = draw();
        check_xml(&svg);
        assert!(svg.contains("<title>task &lt;a &amp; &quot;b&quot;&gt;\u{FFFD}</title>"), "{svg}");
        assert_eq!(svg.matches(">↓</text>").count(), 4);
        assert_eq!(svg.matches(">?</text>").count(), 1);
        assert_eq!(svg, draw());
    }
    check_xml(&task_svg(&TaskFigure { id: "", demos: &[], tests: &[] }, &TEN));
}

fn trace(last: StepValue) -> TraceView {
    let step = |code: &str, ty: &str, value| TraceStep {
        code: code.into(),
        ty: ty.into(),
        notes: Vec::new(),
        value,
    };
    TraceView {
        title: "a & b".into(),
        input: Picture::grid(&grid("10 02")),
        expected: Some(Picture::grid(&grid("01 20"))),
        steps: vec![
            step("x1 = size(I) < 3", "Bool", StepValue::Ok(Picture::Text("a < b".into()))),
            step("O = vmirror(I)", "", last),
        ],
    }
}

#[test]
fn traces_are_well_formed() {
    let right = trace_svg(&trace(StepValue::Ok(Picture::grid(&grid("01 20")))), &TEN);
    check_xml(&right);
    assert!(right.contains("✓ the expected output"));
    let wrong = trace_svg(&trace(StepValue::Ok(Picture::Row(vec![]))), &TEN);
    check_xml(&wrong);
    assert!(wrong.contains("✗ not the expected output"));
    let failed = trace_svg(&trace(StepValue::Failed("no <element>".into())), &TEN);
    check_xml(&failed);
    assert!(failed.contains("✗ no &lt;element&gt;"));
    let empty = TraceView {
        title: String::new(),
        expected: None,
        steps: vec![],
        ..trace(StepValue::Failed(String::new()))
    };
    check_xml(&trace_svg(&empty, &TEN));
}

#[test]
fn cells_of_a_trace_shrink_to_fit() {
    let mut view = trace(StepValue::Ok(Picture::Text(String::new())));
    view.input = Picture::grid(&Grid::new(30, 30, &[1; 900]).unwrap());
    assert!(trace_svg(&view, &SvgOptions::default()).contains("M0 0h240v8h-240z"));
}

#[test]
fn drawings_reach_out_to_nothing() {
    let svg = with_task("t", |task| task_svg(task, &TEN));
    for word in ["href", "url(", "<script", "<style", " id=", "@import"] {
        assert!(!svg.contains(word), "{word}");
    }
    assert_eq!(svg.matches("http").count(), 1, "the name space alone");
}

#[test]
fn pictures_of_all_kinds_are_well_formed() {
    let context = grid("000 000");
    let values = [
        Value::Int(3),
        Value::tuple(vec![]),
        Value::set(vec![Value::object(&[(1, 0, 0)]), Value::object(&[(40, 9, 9)])]),
        Value::tuple((0..40).map(|_| Value::from(grid("12 34"))).collect::<Vec<_>>()),
        Value::tuple(vec![grid("1").into(), Value::Int(1), Value::indices(&[(5, 5), (7, 7)])]),
    ];
    for value in values {
        for digits in [false, true] {
            check_xml(&picture_svg(
                &pictured(&value, Some(&context)),
                &SvgOptions { digits, ..TEN },
            ));
        }
    }
}

#[test]
fn signs_tell_colours_apart() {
    let signs = SvgOptions { symbols: true, ..TEN };
    let mut seen = std::collections::BTreeSet::new();
    for n in 1..=9 {
        let svg = grid_svg(&grid(&n.to_string()), &signs);
        check_xml(&svg);
        let sign = svg.split("stroke-opacity").nth(1).unwrap().split("d=").nth(1).unwrap();
        assert!(seen.insert(sign.split('/').next().unwrap().to_owned()), "{n}: {sign}");
    }
    assert!(!grid_svg(&grid("0"), &signs).contains("stroke-opacity"), "the ground has no sign");
    assert!(!grid_svg(&grid("1"), &TEN).contains("stroke-opacity"));
}

#[test]
fn a_solved_task_has_its_answer_and_its_program() {
    let demos = [(grid("12"), grid("21"))];
    let tests = [(grid("34"), Some(grid("43")))];
    let view = TaskFigure { id: "turned", demos: &demos, tests: &tests };
    let program = "def solve_turned(I):\n    O = vmirror(I)\n    return O\n";
    let svg = solved_svg(&view, "turned: right, fits 1/1", program, &TEN);
    check_xml(&svg);
    for part in ["turned: right, fits 1/1", "O = vmirror(I)", "test 1"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains('?'), "the answer stands where the output was unknown");
}
