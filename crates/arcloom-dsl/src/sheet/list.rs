//! Lists of sheets: doing something with each, sifting, picking one, overlaying and lining up.

use std::ops::RangeInclusive;

use arcloom_macros::{primitive, step};
use arcloom_value::Value;

use super::canvas;
use super::measure::{Measure, area, colors};
use super::value;
use super::way::Axes;
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::sheet::{Made, Sheet, allowed};
use crate::step::{Bounds, StepConstant, StepWord, codes};
use crate::toll;
use crate::view;

/// What handing a sheet to a function takes.
const PER_SHEET: usize = 4;

/// What a function makes of each sheet; sheets for which it fails are left out.
///
/// ```arc
/// map_sheets(((((1, 0),), (0, 0)), (((0,),), (3, 3))), sheet_trim) == ((((1,),), (0, 0)),)
/// map_sheets(((((0,),), (3, 3)),), sheet_trim) == ()
/// map_sheets(frozenset(), sheet_trim) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<Sheet>, Fn(Sheet) -> Sheet) -> Tuple<Sheet>", extra)]
pub fn map_sheets(cx: &mut Caller, sheets: &Value, function: &Value) -> Outcome {
    if !sheets.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let mut kept = Vec::new();
    for sheet in view::items(sheets, 0)? {
        cx.charge(PER_SHEET)?;
        match cx.call1(function, &sheet) {
            Ok(value) => kept.push(value),
            Err(error) if error.ends_the_step() => return Err(error),
            Err(_) => {}
        }
    }
    Ok(Value::tuple(kept))
}

/// The elements with the largest (or smallest) measure, or all the others.
fn sift_values(
    cx: &mut Caller,
    list: &Value,
    measure: &Value,
    largest: bool,
    others: bool,
) -> Outcome {
    if !list.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    cx.charge(toll::collecting(list.len().unwrap_or(0)))?;
    let items: Vec<Value> = view::items(list, 0)?.collect();
    let values: Vec<i64> = items
        .iter()
        .map(|s| cx.call1(measure, s)?.as_int().ok_or(Fault::Element.into()))
        .collect::<Result<_, EvalError>>()?;
    let extreme = if largest { values.iter().max() } else { values.iter().min() };
    let extreme = extreme.ok_or(Fault::Empty)?;
    let chosen = items.iter().zip(&values).filter(|(_, v)| (*v == extreme) != others);
    Ok(Value::tuple(chosen.map(|(s, _)| s.clone()).collect::<Vec<_>>()))
}

/// The elements whose measure is largest. Fails when there are none.
///
/// ```arc
/// keep_most_by(((1,), (1, 2), (3, 4)), size) == ((1, 2), (3, 4))
/// keep_most_by((), size) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn keep_most_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift_values(cx, list, measure, true, false)
}

/// The elements whose measure is smallest. Fails when there are none.
///
/// ```arc
/// keep_least_by(((1,), (1, 2), (3, 4)), size) == ((1,),)
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn keep_least_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift_values(cx, list, measure, false, false)
}

/// The elements whose measure is not the largest, which may be none. Fails on an empty tuple.
///
/// ```arc
/// drop_most_by(((1,), (1, 2), (3, 4)), size) == ((1,),)
/// drop_most_by(((1, 2), (3, 4)), size) == ()
/// drop_most_by((), size) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn drop_most_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift_values(cx, list, measure, true, true)
}

/// The elements whose measure is not the smallest, which may be none. Fails on an empty tuple.
///
/// ```arc
/// drop_least_by(((1,), (1, 2), (3, 4)), size) == ((1, 2), (3, 4))
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Tuple<a>, Fn(a) -> Int) -> Tuple<a>", extra)]
pub fn drop_least_by(cx: &mut Caller, list: &Value, measure: &Value) -> Outcome {
    sift_values(cx, list, measure, false, true)
}

/// The first sheet with the largest measure.
#[step(place = 500, calls = [argmax])]
pub fn pick_most(sheets: &[Sheet], by: Measure, out: &mut Sheet) -> Made {
    pick(sheets, by, 1, out)
}

/// The sheets with the largest measure.
#[step(place = 500, calls = [keep_most_by])]
pub fn keep_most(sheets: &[Sheet], by: Measure, out: &mut Vec<Sheet>) -> Made {
    sifted(sheets, by, true, false, out)
}

/// The sheets whose measure is not the largest, which may be none.
#[step(place = 500, calls = [drop_most_by])]
pub fn drop_most(sheets: &[Sheet], by: Measure, out: &mut Vec<Sheet>) -> Made {
    sifted(sheets, by, true, true, out)
}

/// The first sheet with the smallest measure.
#[step(place = 500, calls = [argmin])]
pub fn pick_least(sheets: &[Sheet], by: Measure, out: &mut Sheet) -> Made {
    pick(sheets, by, -1, out)
}

/// The sheets with the smallest measure.
#[step(place = 500, calls = [keep_least_by])]
pub fn keep_least(sheets: &[Sheet], by: Measure, out: &mut Vec<Sheet>) -> Made {
    sifted(sheets, by, false, false, out)
}

/// The sheets whose measure is not the smallest, which may be none.
#[step(place = 500, calls = [drop_least_by])]
pub fn drop_least(sheets: &[Sheet], by: Measure, out: &mut Vec<Sheet>) -> Made {
    sifted(sheets, by, false, true, out)
}

/// The first sheet with the largest (or smallest) measure.
fn pick(list: &[Sheet], measure: Measure, sign: i32, out: &mut Sheet) -> Made {
    let mut best: Option<(i32, &Sheet)> = None;
    for s in list {
        let value = sign * measure.of(s);
        if best.is_none_or(|(b, _)| value > b) {
            best = Some((value, s));
        }
    }
    out.copy_from(best?.1);
    Some(())
}

/// The sheets with the largest (or smallest) measure, or all the others, which may be none.
fn sifted(
    list: &[Sheet],
    measure: Measure,
    largest: bool,
    others: bool,
    out: &mut Vec<Sheet>,
) -> Made {
    let values: Vec<i32> = list.iter().map(|s| measure.of(s)).collect();
    let extreme = if largest { values.iter().max() } else { values.iter().min() }?;
    out.clear();
    let chosen = list.iter().zip(&values).filter(|(_, v)| (*v == extreme) != others);
    out.extend(chosen.map(|(s, _)| s.clone()));
    Some(())
}

/// A measure that sheets are sifted by, and the value that they must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureIs(Measure, u8);

impl StepConstant for MeasureIs {
    fn tried(_: u32) -> Vec<u8> {
        let values = [
            (Measure::Area, 1..=6),
            (Measure::Holes, 0..=3),
            (Measure::Gaps, 0..=1),
            (Measure::Colors, 1..=3),
            (Measure::Height, 1..=3),
            (Measure::Width, 1..=3),
            (Measure::Symmetry, 0..=2),
        ];
        let each = |(by, values): (Measure, RangeInclusive<u8>)| {
            values.map(move |value| MeasureIs(by, value).code())
        };
        values.into_iter().flat_map(each).collect()
    }

    #[inline]
    fn code(self) -> u8 {
        self.0 as u8 * 16 + self.1
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<MeasureIs> {
        Some(MeasureIs(*Measure::ALL.get(usize::from(code / 16))?, code % 16))
    }

    fn word(code: u8) -> StepWord {
        StepWord::Call("matcher", vec![Measure::word(code / 16), StepWord::Int((code % 16).into())])
    }
}

/// The sheets with a certain measure; there may be none.
#[step(place = 510, calls = [sfilter])]
pub fn sift(sheets: &[Sheet], by: MeasureIs, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    out.extend(sheets.iter().filter(|s| by.0.of(s) == i32::from(by.1)).cloned());
    Some(())
}

/// A measure by which a list is put in order, and whether it falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOrder(Measure, bool);

impl StepConstant for ListOrder {
    fn tried(_: u32) -> Vec<u8> {
        codes(&[false, true].map(|falling| ListOrder(Measure::Area, falling)))
    }

    #[inline]
    fn code(self) -> u8 {
        self.0 as u8 * 2 + u8::from(self.1)
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<ListOrder> {
        Some(ListOrder(*Measure::ALL.get(usize::from(code / 2))?, code % 2 == 1))
    }

    fn word(code: u8) -> StepWord {
        match (Measure::word(code / 2), code % 2 == 1) {
            (measure, false) => measure,
            (measure, true) => StepWord::Call("compose", vec!["invert".into(), measure]),
        }
    }
}

/// In the order of a measure; equal ones as they were.
#[step(place = 520, calls = [order])]
pub fn sort(sheets: &[Sheet], by: ListOrder, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    out.extend_from_slice(sheets);
    let sign = if by.1 { -1 } else { 1 };
    out.sort_by_cached_key(|s| sign * by.0.of(s));
    Some(())
}

/// The one sheet that has a colour no other has, 0 counted. Fails when there is not exactly one.
///
/// ```arc
/// pick_unique_color(((((1,),), (0, 0)), (((1, 2),), (1, 0)))) == (((1, 2),), (1, 0))
/// pick_unique_color(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
#[step(place = 430)]
pub fn pick_unique_color(sheets: &[Sheet], out: &mut Sheet) -> Made {
    let masks: Vec<u32> = sheets.iter().map(colors).collect();
    let mut counts = [0u32; 10];
    for mask in &masks {
        (0..10).filter(|c| mask >> c & 1 == 1).for_each(|c| counts[c] += 1);
    }
    let own = |mask: u32| (0..10).any(|c| mask >> c & 1 == 1 && counts[c] == 1);
    only(sheets, |k| own(masks[k]), out)
}

/// Cells of all sheets.
fn cells_of(sheets: &[Sheet]) -> usize {
    sheets.iter().map(|s| s.cells().len()).sum()
}

/// The one sheet whose grid no other has. Fails when there is not exactly one, or among more than 64.
///
/// ```arc
/// pick_odd(((((1,),), (0, 0)), (((2,),), (1, 0)), (((1,),), (2, 0)))) == (((2,),), (1, 0))
/// pick_odd(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra, charge = sheets.len().saturating_mul(cells_of(sheets)))]
#[step(place = 440)]
pub fn pick_odd(sheets: &[Sheet], out: &mut Sheet) -> Made {
    odd(sheets, out, |a, b| a.cells == b.cells)
}

/// The one sheet whose form, whatever the colours, no other has. Fails when there is not exactly one,
/// or among more than 64.
///
/// ```arc
/// pick_odd_form(((((1, 1),), (0, 0)), (((2, 2),), (1, 0)), (((1, 0),), (2, 0)))) == (((1, 0),), (2, 0))
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra, charge = sheets.len().saturating_mul(cells_of(sheets)))]
#[step(place = 450)]
pub fn pick_odd_form(sheets: &[Sheet], out: &mut Sheet) -> Made {
    odd(sheets, out, |a, b| a.cells.iter().zip(&b.cells).all(|(x, y)| (*x == 0) == (*y == 0)))
}

/// The one sheet that no other of its size is like.
fn odd(sheets: &[Sheet], out: &mut Sheet, like: impl Fn(&Sheet, &Sheet) -> bool) -> Made {
    if sheets.len() > 64 {
        return None;
    }
    let same = |a: &Sheet, b: &Sheet| a.size() == b.size() && like(a, b);
    only(sheets, |k| !sheets.iter().enumerate().any(|(m, s)| m != k && same(s, &sheets[k])), out)
}

/// A sheet with the grid that occurs most often, the first of them. Fails when none occurs twice, or
/// among more than 64.
///
/// ```arc
/// pick_usual(((((2,),), (1, 0)), (((1,),), (0, 0)), (((1,),), (2, 0)))) == (((1,),), (0, 0))
/// pick_usual(((((1,),), (0, 0)), (((2,),), (1, 0)))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Tuple<Sheet>) -> Sheet", extra, charge = sheets.len().saturating_mul(cells_of(sheets)))]
#[step(place = 460)]
pub fn pick_usual(sheets: &[Sheet], out: &mut Sheet) -> Made {
    if sheets.len() > 64 {
        return None;
    }
    let count = |k: usize| {
        sheets.iter().filter(|s| s.size() == sheets[k].size() && s.cells == sheets[k].cells).count()
    };
    let best = (0..sheets.len()).rev().max_by_key(|&k| count(k))?;
    if count(best) < 2 {
        return None;
    }
    out.copy_from(&sheets[best]);
    Some(())
}

fn only(list: &[Sheet], is: impl Fn(usize) -> bool, out: &mut Sheet) -> Made {
    let mut chosen = (0..list.len()).filter(|&k| is(k));
    let first = chosen.next()?;
    if chosen.next().is_some() {
        return None;
    }
    out.copy_from(&list[first]);
    Some(())
}

/// All sheets on one, where they lie, those with fewer cells on top. Without any, a blank cell at the
/// origin.
///
/// ```arc
/// overlay(((((5,),), (0, 1)), (((1, 1, 1),), (0, 0)))) == (((1, 5, 1),), (0, 0))
/// overlay(()) == (((0,),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
pub fn overlay(sheets: &[Sheet]) -> Outcome {
    if sheets.is_empty() {
        return Ok(Value::tuple2(Value::grid(1, 1, &[0]), Value::pair(0, 0)));
    }
    let mut out = Sheet::default();
    overlaid(sheets, &mut out).ok_or(Fault::Empty)?;
    Ok(value(&out))
}

/// All sheets on one, where they lie, those with fewer cells on top; `None` when there are none.
#[step(place = 470, calls = [overlay])]
pub fn overlaid(sheets: &[Sheet], out: &mut Sheet) -> Made {
    let top = sheets.iter().map(|s| s.top).min()?;
    let left = sheets.iter().map(|s| s.left).min()?;
    let bottom = sheets.iter().map(|s| s.top + s.height as i32).max()?;
    let right = sheets.iter().map(|s| s.left + s.width as i32).max()?;
    let size = ((bottom - top) as usize, (right - left) as usize);
    out.fill((top, left), size, 0)?;
    let mut order: Vec<(usize, usize)> = sheets.iter().map(area).zip(0..).collect();
    order.sort_by(|a, b| b.cmp(a));
    for (_, k) in order {
        canvas::lay_on(&sheets[k], out, false);
    }
    Some(())
}

/// The sheets set side by side (RIGHT) or one below the other (DOWN), from the smallest frame to the
/// largest.
///
/// ```arc
/// line_up(((((1, 1),), (0, 0)), (((2,),), (5, 5))), RIGHT) == (((2, 1, 1),), (5, 5))
/// line_up(((((1, 1),), (0, 0)), (((2,),), (5, 5))), DOWN) == (((2, 0), (1, 1)), (5, 5))
/// line_up(((((1, 1),), (0, 0)),), UNITY) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>, Pair) -> Sheet", extra)]
#[step(place = 480, constants = [[Axes::Right, Axes::Down]])]
pub fn line_up(sheets: &[Sheet], direction: Axes, out: &mut Sheet) -> Made {
    if direction == Axes::Both {
        return None;
    }
    let mut order: Vec<(usize, usize)> =
        sheets.iter().map(|s| s.height * s.width).zip(0..).collect();
    order.sort_unstable();
    join(sheets, order.iter().map(|o| o.1), direction == Axes::Down, out)
}

/// The sheets set side by side in the order in which they lie, along the direction in which they are
/// spread.
///
/// ```arc
/// line_up_in_order(((((2,),), (0, 5)), (((1,),), (0, 0)))) == (((1, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
#[step(place = 490)]
pub fn line_up_in_order(sheets: &[Sheet], out: &mut Sheet) -> Made {
    let step = |mut at: Vec<i32>| {
        at.sort_unstable();
        at.windows(2).map(|w| w[1] - w[0]).min().unwrap_or(0)
    };
    let across = step(sheets.iter().map(|s| s.left).collect());
    let down = step(sheets.iter().map(|s| s.top).collect());
    let downwards = across < down;
    let mut order: Vec<(i32, usize)> =
        sheets.iter().map(|s| if downwards { s.top } else { s.left }).zip(0..).collect();
    order.sort_unstable();
    join(sheets, order.iter().map(|o| o.1), downwards, out)
}

fn join(
    list: &[Sheet],
    order: impl Iterator<Item = usize> + Clone,
    down: bool,
    out: &mut Sheet,
) -> Made {
    let (mut height, mut width) = (0, 0);
    for k in order.clone() {
        let (h, w) = list[k].size();
        (height, width) =
            if down { (height + h, width.max(w)) } else { (height.max(h), width + w) };
    }
    if !allowed(height, width) {
        return None;
    }
    let first = order.clone().next()?;
    out.fill(list[first].place(), (height, width), 0)?;
    let mut at = 0;
    for k in order {
        let s = &list[k];
        for i in 0..s.height {
            let start = if down { (at + i) * width } else { i * width + at };
            out.cells[start..start + s.width].copy_from_slice(s.row(i));
        }
        at += if down { s.height } else { s.width };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn overlaying_and_lining_up() {
        let mut small = sheet(&["5"]);
        (small.top, small.left) = (1, 1);
        let list = [small, sheet(&["11", "11"])];
        let mut out = Sheet::default();
        overlaid(&list, &mut out).expect("made");
        assert_eq!(out, sheet(&["11", "15"]));
        line_up_in_order(&list, &mut out).expect("made");
        assert_eq!(out, sheet(&["115", "11."]));
        pick_least(&list, Measure::Area, &mut out).expect("made");
        assert_eq!(out.cells(), [5]);
    }
}
