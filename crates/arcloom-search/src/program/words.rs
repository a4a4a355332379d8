//! The words of the DSL for what the search knows: steps, measures, trees, rules.

use arcloom_dsl::kernel::sheet::decide::{self, COPIES, Tree};
use arcloom_dsl::kernel::sheet::measure::{Measure, SheetCount};
use arcloom_dsl::kernel::sheet::overgrow::{self, Paint};
use arcloom_dsl::kernel::sheet::ray::STEPS;
use arcloom_dsl::kernel::sheet::recolor::SAME;
use arcloom_dsl::kernel::sheet::rule::{Action, ObjectQuestion, ObjectRule};
use arcloom_dsl::kernel::sheet::split::Split;
use arcloom_dsl::kernel::sheet::turn::Turn;
use arcloom_dsl::sheet;
use arcloom_value::Value;

use crate::plan::KeyValue;
use crate::steps::{Canvas, Laying, Mend, Step};

/// What a call gets besides the sheet.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Int(i64),
    Pair(i32, i32),
    /// A primitive as a function.
    Function(&'static str),
    /// A call of a primitive with constants.
    Call(&'static str, Vec<Arg>),
    /// The input as a sheet.
    Picture,
    /// The size of a canvas.
    Size(Canvas),
    /// A value as it is.
    Constant(Value),
}

/// Whether a call takes one sheet or a list, and whether it gives one or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskKind {
    Map,
    Split,
    Join,
    Sift,
}

const RIGHT: Arg = Arg::Pair(0, 1);
const LEFT: Arg = Arg::Pair(0, -1);
const DOWN: Arg = Arg::Pair(1, 0);
const UP: Arg = Arg::Pair(-1, 0);
const UNITY: Arg = Arg::Pair(1, 1);

/// How a step is written: one call after the other, each with what it gets besides the sheet.
pub(super) fn calls(step: Step) -> (TaskKind, Vec<(&'static str, Vec<Arg>)>) {
    use Arg::{Function, Int};
    let color = |c: u8| vec![Int(c.into())];
    let map = |name: &'static str, args: Vec<Arg>| (TaskKind::Map, vec![(name, args)]);
    let plain = |name: &'static str| (TaskKind::Map, vec![(name, Vec::new())]);
    let home =
        |name: &'static str| (TaskKind::Map, vec![(name, Vec::new()), ("sheet_home", vec![])]);
    let join = |name: &'static str, args: Vec<Arg>| (TaskKind::Join, vec![(name, args)]);
    match step {
        Step::Keep(c) => map("sheet_keep", color(c)),
        Step::Erase(c) => map("sheet_erase", color(c)),
        Step::Dye(c) => map("sheet_dye", color(c)),
        Step::Invert => plain("sheet_invert"),
        Step::KeepMost => plain("sheet_keep_most"),
        Step::KeepLeast => plain("sheet_keep_least"),
        Step::EraseMost => plain("sheet_erase_most"),
        Step::SwapGround => plain("sheet_swap_ground"),
        Step::Trim => plain("sheet_trim"),
        Step::Squeeze => plain("sheet_squeeze"),
        Step::MergeRuns => plain("sheet_merge_runs"),
        Step::Half(side) => map("sheet_half", vec![half(side)]),
        Step::Inner => plain("sheet_inner"),
        Step::Home => plain("sheet_home"),
        Step::Spot => plain("sheet_spot"),
        Step::Tint => home("sheet_spot"),
        Step::Blank(true) => plain("sheet_blank"),
        Step::Blank(false) => home("sheet_blank"),
        Step::Solid(true) => plain("sheet_solid"),
        Step::Solid(false) => home("sheet_solid"),
        Step::Middle => plain("sheet_middle"),
        Step::Filled => plain("sheet_filled"),
        Step::Holes => plain("sheet_holes"),
        Step::Outline => plain("sheet_outline"),
        Step::Core => plain("sheet_core"),
        Step::Halo => plain("sheet_halo"),
        Step::Framed(c) => map("sheet_framed", color(c)),
        Step::Blocks(side) => map("sheet_blocks", vec![Int(side.into())]),
        Step::Room => plain("sheet_room"),
        Step::Turn(Turn::Balance) => plain("sheet_balance"),
        Step::Turn(way) => map("sheet_turn", vec![Function(turn(way))]),
        Step::Bar(count, form) => map("sheet_bar", vec![Function(counted(count)), bar(form)]),
        Step::Smear(bits) => map("sheet_smear", vec![directions(bits)]),
        Step::Connect(way) => {
            map("sheet_connect", vec![[RIGHT, DOWN, UNITY][way.min(2) as usize].clone()])
        }
        Step::Spread(hold) => map("sheet_spread", vec![Int(hold.into())]),
        Step::Mend(from) => plain(mend(from)),
        Step::Stamp => plain("sheet_stamp"),
        Step::Around { mirrored, turned } => {
            map("sheet_around", vec![Int(mirrored.into()), Int(turned.into())])
        }
        Step::Under => map("sheet_under", vec![Arg::Picture]),
        Step::Heal(from, whole) => {
            map("sheet_heal", vec![Arg::Picture, Function(mend(from)), Int(whole.into())])
        }
        Step::Canvas(laying, canvas) => match laying {
            Laying::Embed => map("sheet_embed", vec![Arg::Size(canvas)]),
            Laying::Wrap => map("sheet_wrap", vec![Arg::Size(canvas)]),
            Laying::Stretch => map("sheet_stretch", vec![Arg::Size(canvas)]),
            Laying::Tile(gap) => map("sheet_tile", vec![Arg::Size(canvas), Int(gap.into())]),
            Laying::Mirror(gap) => map("sheet_mirror", vec![Arg::Size(canvas), Int(gap.into())]),
        },
        Step::Split(how) => {
            let (name, args) = split(how);
            (TaskKind::Split, vec![(name, args)])
        }
        Step::Pick(by, true) => join("argmax", vec![Function(measure(by))]),
        Step::Pick(by, false) => join("argmin", vec![Function(measure(by))]),
        Step::PickUniqueColor => join("pick_unique_color", vec![]),
        Step::PickOdd(false) => join("pick_odd", vec![]),
        Step::PickOdd(true) => join("pick_odd_form", vec![]),
        Step::PickUsual => join("pick_usual", vec![]),
        Step::Overlay => join("overlay", vec![]),
        Step::LineUp(down) => join("line_up", vec![if down { DOWN } else { RIGHT }]),
        Step::LineUpInOrder => join("line_up_in_order", vec![]),
        Step::Recolor(by, ranked, table) => {
            let name = if ranked { "recolor_by_rank" } else { "recolor_by" };
            let entry = |&(value, color): &(i16, u8)| {
                (value, if color == SAME { -1 } else { color.into() })
            };
            let mut entries: Vec<(i16, i64)> = table.entries().iter().map(entry).collect();
            entries.sort_unstable();
            let pairs = entries.into_iter().map(|(value, color)| Value::pair(value.into(), color));
            let table = Value::tuple(pairs.collect::<Vec<_>>());
            join(name, vec![Function(measure(by)), Arg::Constant(table)])
        }
        Step::Rule(rule) => {
            let part = Int(rule.part as i64);
            let args = vec![Arg::Size(Canvas::Input), part, Arg::Constant(rule_value(&rule))];
            join("paint_by_rule", args)
        }
        Step::Move(rule) => {
            let args = vec![Arg::Size(Canvas::Input), Arg::Constant(rule_value(&rule))];
            join("move_by_rule", args)
        }
        Step::SiftIs(by, value) => {
            let is = Arg::Call("matcher", vec![Function(measure(by)), Int(value.into())]);
            (TaskKind::Sift, vec![("sfilter", vec![is])])
        }
        Step::Sort(by, falling) => {
            let by = Function(measure(by));
            let by = if falling { Arg::Call("compose", vec![Function("invert"), by]) } else { by };
            (TaskKind::Sift, vec![("order", vec![by])])
        }
        Step::Sift(by, largest, others) => {
            let name = match (largest, others) {
                (true, false) => "keep_most_by",
                (false, false) => "keep_least_by",
                (true, true) => "drop_most_by",
                (false, true) => "drop_least_by",
            };
            (TaskKind::Sift, vec![(name, vec![Function(measure(by))])])
        }
    }
}

fn half(side: u8) -> Arg {
    [LEFT, RIGHT, UP, DOWN][usize::from(side.min(3))].clone()
}

fn turn(way: Turn) -> &'static str {
    match way {
        Turn::Right => "rot90",
        Turn::Half => "rot180",
        Turn::Left => "rot270",
        Turn::LeftRight => "vmirror",
        Turn::UpDown => "hmirror",
        Turn::Diagonal => "dmirror",
        Turn::Counter => "cmirror",
        Turn::Balance => "identity",
    }
}

fn mend(from: Mend) -> &'static str {
    match from {
        Mend::Patches => "sheet_mend_patches",
        Mend::Period => "sheet_mend_period",
        Mend::Symmetry => "sheet_mend_symmetry",
        Mend::Shifts => "sheet_mend_shifts",
    }
}

fn counted(count: SheetCount) -> &'static str {
    match count {
        SheetCount::Cells => "sheet_area",
        SheetCount::Colors => "sheet_numcolors",
        SheetCount::Pieces => "sheet_numpieces",
    }
}

fn bar(form: u8) -> Arg {
    [UNITY, RIGHT, DOWN][usize::from(form.min(2))].clone()
}

pub(super) fn measure(by: Measure) -> &'static str {
    match by {
        Measure::Area => "sheet_area",
        Measure::Frame => "sheet_frame_area",
        Measure::Colors => "sheet_numcolors",
        Measure::Pieces => "sheet_numpieces",
        Measure::Gaps => "sheet_numgaps",
        Measure::Holes => "sheet_numholes",
        Measure::Top => "sheet_top",
        Measure::Left => "sheet_left",
        Measure::Symmetry => "sheet_symmetry",
        Measure::Height => "sheet_height",
        Measure::Width => "sheet_width",
    }
}

fn split(how: Split) -> (&'static str, Vec<Arg>) {
    match how {
        Split::Cut => ("split_cut", vec![]),
        Split::Colors => ("split_colors", vec![]),
        Split::Blobs => ("split_blobs", vec![]),
        Split::Things => ("split_things", vec![]),
        Split::Rows => ("split_rows", vec![]),
        Split::Columns => ("split_columns", vec![]),
        Split::Marked => ("split_marked", vec![]),
        Split::Fall(way) => {
            ("split_fallen", vec![[RIGHT, LEFT, DOWN, UP][usize::from(way & 3)].clone()])
        }
    }
}

/// A set of directions by the words that arc-dsl has for it.
fn directions(bits: u8) -> Arg {
    let around = |name| Arg::Call(name, vec![Arg::Pair(0, 0)]);
    match bits {
        0b0000_1111 => return around("dneighbors"),
        0b1111_0000 => return around("ineighbors"),
        0b1111_1111 => return around("neighbors"),
        _ => {}
    }
    let steps = (0..8).filter(|bit| bits >> bit & 1 == 1).map(|bit| STEPS[bit]);
    let mut steps = steps.map(|(i, j)| Arg::Pair(i, j));
    let first = steps.next().unwrap_or(Arg::Pair(0, 0));
    let set = Arg::Call("initset", vec![first]);
    steps.fold(set, |set, step| Arg::Call("insert", vec![step, set]))
}

/// A rule as `paint_by_rule` and `move_by_rule` take it.
fn rule_value(rule: &ObjectRule) -> Value {
    let line = |&(question, action): &(ObjectQuestion, Action)| {
        let ObjectQuestion { property, how, value } = question;
        let numbers = [property.number() as i64, how as i64, value.into(), action.into()];
        Value::tuple(numbers.map(Value::Int).to_vec())
    };
    let last = Value::tuple(vec![Value::Int(rule.last.into())]);
    Value::tuple(rule.lines().iter().map(line).chain([last]).collect::<Vec<_>>())
}

/// A tree as `decide_cells` takes it.
pub(super) fn tree_value(tree: &Tree) -> Value {
    match tree {
        Tree::Color(color) => Value::Int((*color).into()),
        Tree::Same(number) => Value::Int(COPIES + *number as i64),
        Tree::Ask(decide::CellQuestion { sheet, by, color }, yes, no) => Value::tuple(vec![
            Value::Int(*sheet as i64),
            Value::Pair(by.0.into(), by.1.into()),
            Value::Int((*color).into()),
            tree_value(yes),
            tree_value(no),
        ]),
    }
}

/// A value of a property as the DSL sees it.
pub(super) fn key_value(value: &KeyValue) -> Value {
    match value {
        KeyValue::Number(n) => Value::Int((*n).into()),
        KeyValue::Picture(sheet) => sheet::grid(sheet),
    }
}

/// A rule as `grow_cells` takes it.
pub(super) fn growth_value(rule: &overgrow::GrowRule) -> Value {
    let near = rule.near.iter().map(|near| {
        let by = Value::Pair(near.by.0.into(), near.by.1.into());
        Value::tuple2(by, Value::Int(near.color.into()))
    });
    let paint = match rule.paint {
        Paint::Color(color) => color.into(),
        Paint::Copy(number) => overgrow::COPIES + number as i64,
    };
    let near = Value::tuple(near.collect::<Vec<_>>());
    Value::tuple(vec![Value::Int(rule.own.into()), near, Value::Int(paint)])
}
