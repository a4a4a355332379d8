//! The words of the DSL for what the search knows: steps, trees, rules.

use arcloom_dsl::kernel::sheet::decide::{self, COPIES, Tree};
use arcloom_dsl::kernel::sheet::overgrow::{self, Paint};
use arcloom_dsl::kernel::sheet::recolor::{ColorTable, SAME};
use arcloom_dsl::kernel::sheet::rule::{Action, ObjectQuestion, ObjectRule};
use arcloom_dsl::sheet;
use arcloom_dsl::step::StepWord;
use arcloom_value::Value;

use crate::plan::KeyValue;
use crate::steps::{Canvas, Step};

/// How a step is written: primitives called one after the other.
#[derive(Clone, Debug)]
pub struct StepCalls {
    /// The primitives.
    pub calls: &'static [&'static str],
    /// What the first of them gets besides the sheet or list.
    pub args: Vec<StepWord>,
}

/// How a step is written. What is learned from the demos is a constant of the program.
pub fn words(step: &Step) -> StepCalls {
    use StepWord::{Constant, Int, Picture, Size};
    let (calls, args): (&'static [&'static str], _) = match step {
        Step::Declared(step) => step.words(),
        Step::Recolor(by, ranked, table) => {
            let calls = if *ranked { &["recolor_by_rank"] } else { &["recolor_by"] };
            (calls, vec![by.value().into(), Constant(table_value(table))])
        }
        Step::Rule(rule) => {
            let (part, rule) = (Int(rule.part as i64), Constant(rule_value(rule)));
            (&["paint_by_rule"], vec![Size(Canvas::Input), part, rule])
        }
        Step::Move(rule) => {
            (&["move_by_rule"], vec![Size(Canvas::Input), Constant(rule_value(rule))])
        }
        Step::Rays(rule) => (&["send_rays"], vec![Picture, Constant(rule_value(rule))]),
    };
    StepCalls { calls, args }
}

/// A table as `recolor_by` takes it.
fn table_value(table: &ColorTable) -> Value {
    let entry =
        |&(value, color): &(i16, u8)| (value, if color == SAME { -1 } else { color.into() });
    let mut entries: Vec<(i16, i64)> = table.entries().iter().map(entry).collect();
    entries.sort_unstable();
    let pairs = entries.into_iter().map(|(value, color)| Value::pair(value.into(), color));
    Value::tuple(pairs.collect::<Vec<_>>())
}

/// A rule as `paint_by_rule`, `move_by_rule` and `send_rays` take it.
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
