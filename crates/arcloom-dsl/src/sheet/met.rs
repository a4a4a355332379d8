//! Which line of a rule, or entry of a table, each sheet of a list met: what a trace tells of such a call.

use arcloom_value::{PrimId, Value};

use super::measure::area;
use super::rule::{any_rule, canvas_side};
use super::{read, read_list};
use crate::call::{Caller, EvalError, Fault};
use crate::kernel::sheet::{Sheet, kin, recolor};
use crate::registry::Registry;
use crate::view;
use crate::words::{self, Word};

/// A sheet of a list, and the line that told what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetLine {
    /// The place of the sheet in the list, from 0.
    pub sheet: usize,
    /// Its top row and left column.
    pub place: (i32, i32),
    /// Rows and columns.
    pub size: (usize, usize),
    /// Its most frequent colour.
    pub color: u8,
    /// Cells that are there.
    pub area: usize,
    /// The place of the line in the rule, from 0.
    pub line: usize,
    /// The line as programs have it.
    pub text: String,
}

impl std::fmt::Display for MetLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let MetLine { sheet, place, size, color, area, text, .. } = self;
        let color = words::color_name(*color).unwrap_or_default().to_lowercase();
        let cells = if *area == 1 { "cell" } else { "cells" };
        write!(
            f,
            "{sheet}: {color}, {area} {cells} in {}x{} at ({}, {}): {text}",
            size.0, size.1, place.0, place.1
        )
    }
}

/// For a call of `paint_by_rule`, `move_by_rule`, `send_rays`, `recolor_by` or `recolor_by_rank` the line that every sheet
/// met; nothing for other calls, and for those that fail.
pub fn lines_met(prim: PrimId, args: &[&Value]) -> Vec<MetLine> {
    met(prim, args).unwrap_or_default()
}

fn met(prim: PrimId, args: &[&Value]) -> Result<Vec<MetLine>, EvalError> {
    let (list, at, lines) = match (Registry::get().primitive(prim).name, args) {
        ("paint_by_rule", [sheets, size, _, rule]) => {
            (read_list(sheets, 0)?, 3, by_rule(sheets, size, rule)?)
        }
        ("move_by_rule", [sheets, size, rule]) => {
            (read_list(sheets, 0)?, 2, by_rule(sheets, size, rule)?)
        }
        ("send_rays", [sheets, picture, rule]) => {
            let canvas = read(picture, 1)?;
            let list = read_list(sheets, 0)?;
            let met = any_rule(rule)?.lines_met(&list, canvas.size());
            (list, 2, met)
        }
        (name @ ("recolor_by" | "recolor_by_rank"), [sheets, measure, table]) => {
            let ranked = name == "recolor_by_rank";
            (read_list(sheets, 0)?, 2, by_table(sheets, measure, table, ranked)?)
        }
        _ => return Ok(Vec::new()),
    };
    let words = match words::spoken(prim, at, args[at]) {
        Some(Word::Tuple(words)) => words,
        _ => Vec::new(),
    };
    let line = |((sheet, s), line): ((usize, &Sheet), usize)| MetLine {
        sheet,
        place: (s.top, s.left),
        size: (s.height(), s.width()),
        color: kin::color(s),
        area: area(s),
        line,
        text: words.get(line).map_or_else(|| format!("line {line}"), Word::to_string),
    };
    Ok(list.iter().enumerate().zip(lines).map(line).collect())
}

fn by_rule(sheets: &Value, size: &Value, rule: &Value) -> Result<Vec<usize>, EvalError> {
    let (tall, wide) = view::two_ints(size)?;
    let canvas = (canvas_side(tall, 1)?, canvas_side(wide, 1)?);
    Ok(any_rule(rule)?.lines_met(&read_list(sheets, 0)?, canvas))
}

fn by_table(
    sheets: &Value,
    measure: &Value,
    table: &Value,
    ranked: bool,
) -> Result<Vec<usize>, EvalError> {
    let mut cx = Caller::default();
    let mut values: Vec<i64> = Vec::new();
    for sheet in view::items(sheets, 0)? {
        cx.reset();
        values.push(cx.call1(measure, &sheet)?.as_int().ok_or(Fault::Element)?);
    }
    if ranked {
        values = recolor::ranks(&values).into_iter().map(|rank| rank as i64).collect();
    }
    let entries: Vec<(i64, i64)> =
        view::items(table, 2)?.map(|entry| view::two_ints(&entry)).collect::<Result<_, _>>()?;
    let entry = |value: &i64| entries.iter().position(|(key, _)| key == value);
    values.iter().map(|value| entry(value).ok_or(Fault::Domain(2).into())).collect()
}
