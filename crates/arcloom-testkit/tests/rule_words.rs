//! Rules in words: the same programs as the tuples of numbers that they stand for.

use arcloom_dsl::kernel::sheet::kin::{self, Kin};
use arcloom_dsl::kernel::sheet::property::{self, Property};
use arcloom_dsl::kernel::sheet::{Sheet, rule};
use arcloom_dsl::sheet::met::lines_met;
use arcloom_dsl::words::{folded, spoken};
use arcloom_dsl::{CONSTANTS, Caller, Class, Registry, python, sheet};
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::{Form, Program, load_file, load_snippet, text};
use arcloom_testkit::Seeded;
use arcloom_value::{Grid, PrimId, Value};
use proptest::prelude::*;

/// Lines with the numbers that older programs have, and the line as it is printed now.
const LINES: [(&str, &str); 10] = [
    (
        "paint_by_rule(x1, (9, 9), 0, ((0, 3, 0, 21), (11, 0, 5, 0), (10,)))",
        "paint_by_rule(x2, (9, 9), WHOLE, (when(is_largest(sheet_area), color_of_smallest), \
         when(is_equal(sheet_main_color, GRAY), VANISH), otherwise(KEEP)))",
    ),
    (
        "paint_by_rule(x1, (9, 9), 1, ((17, 0, 2, 3), (13, 0, 1, 14), (0,)))",
        "paint_by_rule(x2, (9, 9), HOLES, (when(is_equal(sheet_orientation, TALL), GREEN), \
         when(is_equal(sheet_is_square, T), color_of_nearest), otherwise(VANISH)))",
    ),
    (
        "move_by_rule(x1, (9, 9), ((9, 1, 3, 3), (140,)))",
        "move_by_rule(x2, (9, 9), (when(is_at_least(sheet_height, 3), move_until_blocked(DOWN)), \
         otherwise(move_by(DOWN_RIGHT))))",
    ),
    (
        "move_by_rule(x1, (9, 9), ((6, 5, 0, 9), (0,)))",
        "move_by_rule(x2, (9, 9), (when(is_smallest(sheet_top), MOVE_TO_STAYING), otherwise(STAY)))",
    ),
    (
        "send_rays(x1, as_sheet(I), ((6, 5, 0, 3), (17, 0, 2, 16567), (0,)))",
        "send_rays(x2, x1, (when(is_smallest(sheet_top), ray(RIGHT, WHOLE_FRONT, OWN_COLOR, UNTIL_MET)), \
         when(is_equal(sheet_orientation, TALL), ray(TO_MARK, MIDDLE_OF_FRONT, RED, BOUNCING)), \
         otherwise(NO_RAY)))",
    ),
    (
        "recolor_by(x1, sheet_area, ((1, 3), (2, -1), (3, 0), (5, 5)))",
        "recolor_by(x2, sheet_area, (case(1, GREEN), case(2, KEEP), case(3, VANISH), case(5, GRAY)))",
    ),
    (
        "recolor_by_rank(x1, sheet_area, ((0, 3), (1, -1), (2, 4), (3, 4), (4, 4)))",
        "recolor_by_rank(x2, sheet_area, (case(0, GREEN), case(1, KEEP), case(2, YELLOW), \
         case(3, YELLOW), case(4, YELLOW)))",
    ),
    (
        "lookup_cells((as_sheet(I),), (((0,), 7), ((5,), 2), ((2,), 2), ((3,), 0), ((4,), 9)))",
        "lookup_cells(x2, (case((BLACK,), ORANGE), case((GRAY,), RED), case((RED,), RED), \
         case((GREEN,), BLACK), case((YELLOW,), BURGUNDY)))",
    ),
    (
        "decide_cells((as_sheet(I),), (0, (0, 1), 10, 3, (0, (-1, 0), 5, 10, 0)))",
        "decide_cells(x2, if_cell(cell_is(0, RIGHT, OUTSIDE), GREEN, \
         if_cell(cell_is(0, UP, GRAY), color_in(0), BLACK)))",
    ),
    (
        "grow_cells(as_sheet(I), ((0, (((0, -1), 11), ((0, 2), 0)), 10), (5, (((1, 0), 10),), 2)))",
        "grow_cells(x1, (repaint(BLACK, (sees(LEFT, ANY_COLOR), sees((0, 2), BLACK)), color_at(LEFT)), \
         repaint(GRAY, (sees(DOWN, OUTSIDE),), RED)))",
    ),
];

/// Programs that `solve` found on training tasks: as they were printed with numbers, and in words.
const FOUND: [(&str, &str); 5] = [
    (
        "\
def solve_5521c0d9(I):
    x1 = as_sheet(I)
    x2 = split_cut(x1)
    x3 = shape(I)
    x4 = move_by_rule(x2, x3, ((8,),))
    x5 = sheet_embed(x4, x3)
    O = sheet_grid(x5)
    return O
",
        "\
def solve_5521c0d9(I):
    x1 = as_sheet(I)
    x2 = split_cut(x1)
    x3 = shape(I)
    x4 = move_by_rule(x2, x3, (otherwise(move_by_own_size(UP)),))
    x5 = sheet_embed(x4, x3)
    O = sheet_grid(x5)
    return O
",
    ),
    (
        "\
def solve_ddf7fa4f(I):
    x1 = as_sheet(I)
    x2 = split_blobs(x1)
    x3 = shape(I)
    x4 = paint_by_rule(x2, x3, ZERO, ((0, 5, 0, 10), (14,)))
    x5 = sheet_embed(x4, x3)
    O = sheet_grid(x5)
    return O
",
        "\
def solve_ddf7fa4f(I):
    x1 = as_sheet(I)
    x2 = split_blobs(x1)
    x3 = shape(I)
    x4 = paint_by_rule(
        x2,
        x3,
        WHOLE,
        (when(is_smallest(sheet_area), KEEP), otherwise(color_of_nearest)),
    )
    x5 = sheet_embed(x4, x3)
    O = sheet_grid(x5)
    return O
",
    ),
    (
        "\
def solve_6e82a1ae(I):
    x1 = as_sheet(I)
    x2 = split_cut(x1)
    x3 = recolor_by(x2, sheet_area, ((2, 3), (3, 2), (4, 1)))
    x4 = shape(I)
    x5 = sheet_embed(x3, x4)
    O = sheet_grid(x5)
    return O
",
        "\
def solve_6e82a1ae(I):
    x1 = as_sheet(I)
    x2 = split_cut(x1)
    x3 = recolor_by(x2, sheet_area, (case(2, GREEN), case(3, RED), case(4, BLUE)))
    x4 = shape(I)
    x5 = sheet_embed(x3, x4)
    O = sheet_grid(x5)
    return O
",
    ),
    (
        "\
def solve_54d82841(I):
    x1 = as_sheet(I)
    x2 = sheet_connect(x1, RIGHT)
    x3 = dneighbors(ORIGIN)
    x4 = sheet_smear(x2, x3)
    x5 = shape(I)
    x6 = sheet_embed(x4, x5)
    x7 = (x1, x6)
    x8 = decide_cells(x7, (0, (1, 0), 10, (1, (0, 0), 0, 10, 4), 10))
    O = sheet_grid(x8)
    return O
",
        "\
def solve_54d82841(I):
    x1 = as_sheet(I)
    x2 = sheet_connect(x1, RIGHT)
    x3 = dneighbors(ORIGIN)
    x4 = sheet_smear(x2, x3)
    x5 = shape(I)
    x6 = sheet_embed(x4, x5)
    x7 = (x1, x6)
    x8 = decide_cells(
        x7,
        if_cell(
            cell_is(0, DOWN, OUTSIDE),
            if_cell(cell_is(1, HERE, BLACK), color_in(0), YELLOW),
            color_in(0),
        ),
    )
    O = sheet_grid(x8)
    return O
",
    ),
    (
        "\
def solve_99fa7670(I):
    x1 = as_sheet(I)
    x2 = grow_cells(x1, ((0, (((0, -1), 11),), 10), (0, (((-1, 0), 11), ((0, 1), 10)), 10)))
    O = sheet_grid(x2)
    return O
",
        "\
def solve_99fa7670(I):
    x1 = as_sheet(I)
    x2 = grow_cells(
        x1,
        (
            repaint(BLACK, (sees(LEFT, ANY_COLOR),), color_at(LEFT)),
            repaint(BLACK, (sees(UP, ANY_COLOR), sees(RIGHT, OUTSIDE)), color_at(UP)),
        ),
    )
    O = sheet_grid(x2)
    return O
",
    ),
];

#[test]
fn found_programs_in_words_do_what_they_did_in_numbers() {
    let read = |text: &str| load_file(text).programs.pop().expect("a program");
    for (old, new) in FOUND {
        let (numbers, words) = (read(old), read(new));
        assert_eq!(text::print(&numbers, Form::Straight), new);
        assert_eq!(numbers.id(), words.id(), "{new}");
        let mut made = 0;
        for seed in 0..300 {
            let grid = Value::Grid(arcloom_testkit::random_grid(&mut Seeded::new(seed), 9));
            let inputs = Inputs { input: &grid, samples: &Value::None, expected: &Value::None };
            let run = |program| Machine::default().run(&Plan::new(program), &inputs).ok();
            assert_eq!(run(&numbers), run(&words), "{new}");
            made += usize::from(run(&words).is_some());
        }
        assert!(made > 3, "{made} outputs\n{new}");
    }
}

fn program(line: &str) -> Program {
    load_snippet(&format!("x1 = split_blobs(as_sheet(I))\nO = {line}")).expect("a program").0
}

fn output(program: &Program) -> Value {
    let cells = [5, 5, 0, 0, 0, 3, 0, 2, 2, 2, 0, 4, 2, 0, 2];
    let grid = Value::Grid(Grid::new(3, 5, &cells).expect("a grid"));
    let inputs = Inputs { input: &grid, samples: &Value::None, expected: &Value::None };
    Machine::default().run(&Plan::new(program), &inputs).expect("an output")
}

#[test]
fn old_texts_are_read_and_printed_in_words() {
    for (old, words) in LINES {
        let old = program(old);
        let line = text::lines(&old).pop().expect("a line").1;
        assert_eq!(line, format!("O = {words}"));
        let list = if words.contains("_cells") { "(as_sheet(I),)" } else { "x1" };
        let new = words.replace("x2, x1", "x2, as_sheet(I)").replace("x2", list);
        let new = new.replace("grow_cells(x1", "grow_cells(as_sheet(I)");
        let new = program(&new);
        assert_eq!(old, new, "{words}");
        assert_eq!(old.id(), new.id(), "{words}");
        assert_eq!(output(&old), output(&new));
        for form in [Form::Straight, Form::Inline, Form::ArcDsl] {
            let file = text::print_file([&old], form);
            assert_eq!(load_file(&file).programs, std::slice::from_ref(&old), "{file}");
        }
    }
}

#[test]
fn words_are_evaluated_where_they_are_no_constants() {
    let lines = "x2 = mostcolor(I)\nx3 = when(is_largest(sheet_area), x2)\n\
                 O = paint_by_rule(x1, (9, 9), WHOLE, (x3, otherwise(KEEP)))";
    let (later, _) =
        load_snippet(&format!("x1 = split_blobs(as_sheet(I))\n{lines}")).expect("a program");
    let known =
        "paint_by_rule(x1, (9, 9), WHOLE, (when(is_largest(sheet_area), RED), otherwise(KEEP)))";
    assert!(text::print(&later, Form::Straight).contains(" = when("));
    assert!(output(&later) != output(&program(&known.replace("RED", "BLUE"))));
}

#[test]
fn long_rules_are_broken_into_lines() {
    let printed = text::print(&program(LINES[0].0), Form::Straight);
    let rule = "\
    O = paint_by_rule(
        x2,
        (9, 9),
        WHOLE,
        (
            when(is_largest(sheet_area), color_of_smallest),
            when(is_equal(sheet_main_color, GRAY), VANISH),
            otherwise(KEEP),
        ),
    )
";
    assert!(printed.contains(rule), "{printed}");
}

/// What is written in words would be numbers in Python but for these definitions.
#[test]
fn constants_of_words_have_python_definitions() {
    let shown = |id: PrimId| Registry::get().primitive(id).name;
    let defined = python::defined();
    let mut words = Vec::new();
    for (old, _) in LINES {
        let program = program(old);
        let output = program.node(program.output());
        let arcloom_lang::Op::Call(prim) = output.op else { panic!("no call") };
        for (index, arg) in output.args.iter().enumerate() {
            if let arcloom_lang::Op::Const(value) = &program.node(*arg).op
                && let Some(word) = spoken(prim, index, value)
            {
                word.names(&mut |name| words.push(name));
            }
        }
    }
    assert!(words.len() > 60, "{}", words.len());
    for constant in CONSTANTS.iter().filter(|c| words.contains(&c.name) || !c.doc.is_empty()) {
        if constant.extra {
            assert!(defined.contains(&constant.name), "{}", constant.name);
            let line = format!("{} = {}", constant.name, constant.value().show(&shown));
            assert_eq!(python::definitions(&[constant.name]), line);
        }
    }
    let file = text::print_file([&program(LINES[9].0)], Form::ArcDsl);
    for line in ["GRAY = 5\n", "ANY_COLOR = 11\n", "\ndef repaint(", "\ndef sees("] {
        assert!(file.contains(line), "{line} is not in {file}");
    }
}

#[test]
fn a_trace_tells_which_line_an_object_met() {
    let old = program(LINES[0].0);
    let rule = old.node(old.output());
    let arcloom_lang::Op::Call(prim) = rule.op else { panic!("no call") };
    let values: Vec<Value> = text::lines(&old)
        .iter()
        .map(|(id, _)| arcloom_lang::slice(old.nodes(), String::new(), *id).0)
        .map(|part| output(&part))
        .collect();
    let sheets = &values[1];
    let constant = |n: usize| match &old.node(rule.args[n]).op {
        arcloom_lang::Op::Const(value) => value.clone(),
        _ => panic!("no constant"),
    };
    let (size, part, lines) = (constant(1), constant(2), constant(3));
    let met = lines_met(prim, &[sheets, &size, &part, &lines]);
    let texts: Vec<String> = met.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "0: gray, 2 cells in 1x2 at (0, 0): when(is_equal(sheet_main_color, GRAY), VANISH)",
            "1: green, 1 cell in 1x1 at (1, 0): otherwise(KEEP)",
            "2: red, 5 cells in 2x3 at (1, 2): when(is_largest(sheet_area), color_of_smallest)",
            "3: yellow, 1 cell in 1x1 at (2, 1): otherwise(KEEP)",
        ]
    );
}

fn call(prim: PrimId, args: &[&Value]) -> Value {
    Caller::default().call_prim(prim, args).expect("a value")
}

/// The primitives that a word takes, with the number that they get in it.
fn numbers(word: impl Fn(PrimId) -> Option<Value>, place: usize) -> Vec<(PrimId, usize)> {
    let number = |id: PrimId| word(id)?.item(place)?.as_int()?.try_into().ok();
    Registry::get().all().filter_map(|(id, _)| Some((id, number(id)?))).collect()
}

fn sheets() -> impl Strategy<Value = Vec<Sheet>> {
    let cell = prop_oneof![2 => Just(0u8), 2 => 1u8..4];
    let one = (1usize..5, 1usize..5, -2i32..6, -2i32..6).prop_flat_map(move |(h, w, top, left)| {
        prop::collection::vec(cell.clone(), h * w).prop_map(move |cells| {
            let mut s = Sheet::new(h, w, cells).expect("a rectangle");
            (s.top, s.left) = (top, left);
            s
        })
    });
    prop::collection::vec(one, 1..6)
}

proptest! {
    #[test]
    fn properties_and_colours_are_functions_too(list in sheets()) {
        let registry = Registry::get();
        let find = |name| registry.find(name).expect(name);
        let (values, size) = (sheet::list_value(&list), Value::Pair(4, 5));
        let asked = numbers(|id| folded(find("is_largest"), &[&Value::Prim(id)]), 0);
        prop_assert_eq!(asked.len(), Property::ALL.len());
        for (id, number) in asked {
            let wanted = property::values(&list, Property::ALL[number], (4, 5));
            for (s, wanted) in list.iter().map(sheet::value).zip(wanted) {
                let found = match registry.primitive(id).params {
                    [_] => call(id, &[&s]),
                    [_, "size"] => call(id, &[&s, &size]),
                    _ => call(id, &[&s, &values]),
                };
                prop_assert_eq!(found, Value::Int(wanted.into()), "{}", registry.primitive(id).name);
            }
        }
        let sources = numbers(|id| folded(find("otherwise"), &[&Value::Prim(id)]), 0);
        prop_assert_eq!(sources.len(), Kin::ALL.len());
        for (id, number) in sources {
            let kin = Kin::ALL[number + Kin::ALL.len() - rule::ACTIONS];
            for (s, wanted) in list.iter().map(sheet::value).zip(kin::colors(&list, kin)) {
                let found = match registry.primitive(id).params {
                    ["sheets"] => call(id, &[&values]),
                    [_] => call(id, &[&s]),
                    _ => call(id, &[&s, &values]),
                };
                let wanted = Value::Int(wanted.unwrap_or(0).into());
                prop_assert_eq!(found, wanted, "{}", registry.primitive(id).name);
            }
        }
    }

    /// Whatever numbers are there: what has words is those words again, and nothing panics.
    #[test]
    fn words_are_exactly_the_numbers(lines in prop::collection::vec(
        prop::collection::vec(prop_oneof![4 => 0i64..12, 1 => -3i64..300, 1 => any::<i64>()], 0..6), 0..5))
    {
        let tuple = |items: Vec<Value>| Value::tuple(items);
        let lines: Vec<Value> =
            lines.into_iter().map(|l| tuple(l.into_iter().map(Value::Int).collect())).collect();
        let value = tuple(lines);
        for (id, prim) in Registry::get().all().filter(|(_, p)| p.class == Class::Sheet) {
            for index in 0..prim.arity() {
                for value in [value.clone(), value.item(0).unwrap_or(Value::None)] {
                    if let Some(word) = spoken(id, index, &value) {
                        let (read, _) = load_snippet(&word.to_string()).expect("words");
                        prop_assert_eq!(&read.node(read.output()).op, &arcloom_lang::Op::Const(value));
                    }
                }
            }
        }
    }
}
