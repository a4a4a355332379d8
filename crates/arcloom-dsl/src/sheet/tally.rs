//! Numbers as pictures: what is counted becomes bars, copies, sizes and cells poured into a canvas.

use arcloom_macros::{primitive, step};
use arcloom_value::Value;

use super::measure::{Measure, majority};
use super::way::Axes;
use super::{made, value};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::sheet::{Made, Sheet};

/// The steps of this family, by name.
pub const STEPS: [&str; 7] =
    ["sheet_tally", "tally_sheets", "sheet_count", "sheet_pour", "pour_sheets", "zoom", "repeat"];

/// Longer bars are drawn by no task.
const LONGEST: usize = 30;

/// The colours of a sheet as a chart of bars: a row for each colour, as long as it has cells, the longest first, of equal
/// ones the smaller colour. Fails for more than 30 cells of a colour and for a blank sheet.
///
/// ```arc
/// sheet_tally((((3, 0, 1), (1, 1, 0)), (5, 5))) == (((1, 1, 1), (3, 0, 0)), (0, 0))
/// sheet_tally((((0, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra)]
#[step(place = 312)]
pub fn sheet_tally(sheet: &Sheet, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 10];
    sheet.cells.iter().for_each(|&c| counts[usize::from(c)] += 1);
    chart(&counts, out)
}

/// The colours of the sheets of a list as a chart of bars: a row for each colour, as long as there are sheets of which it is
/// the most frequent one, the longest first, of equal ones the smaller colour. Fails for more than 30 and for none.
///
/// ```arc
/// tally_sheets(((((3,),), (0, 0)), (((1,),), (0, 2)), (((1,),), (4, 4)))) == (((1, 1), (3, 0)), (0, 0))
/// tally_sheets(()) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>) -> Sheet", extra)]
#[step(place = 492)]
pub fn tally_sheets(sheets: &[Sheet], out: &mut Sheet) -> Made {
    let mut counts = [0usize; 10];
    sheets.iter().for_each(|s| counts[usize::from(majority(s))] += 1);
    chart(&counts, out)
}

/// A bar for each colour but 0.
fn chart(counts: &[usize; 10], out: &mut Sheet) -> Made {
    let mut colors: Vec<u8> = (1..10).filter(|c| counts[usize::from(*c)] > 0).collect();
    colors.sort_by_key(|c| std::cmp::Reverse(counts[usize::from(*c)]));
    let longest = counts[usize::from(*colors.first()?)];
    if longest > LONGEST {
        return None;
    }
    out.fill((0, 0), (colors.len(), longest), 0)?;
    for (i, &color) in colors.iter().enumerate() {
        out.cells[i * longest..i * longest + counts[usize::from(color)]].fill(color);
    }
    Some(())
}

/// The number of sheets drawn at the origin in the colour of most of them: a row of that many cells for RIGHT, a column for
/// DOWN, a square for UNITY. Fails for none and for more than 30.
///
/// ```arc
/// sheet_count(((((3,),), (0, 0)), (((1,),), (0, 2)), (((1,),), (4, 4))), RIGHT) == (((1, 1, 1),), (0, 0))
/// sheet_count((), RIGHT) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>, Pair) -> Sheet", extra)]
#[step(place = 494)]
pub fn sheet_count(sheets: &[Sheet], direction: Axes, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 10];
    sheets.iter().for_each(|s| counts[usize::from(majority(s))] += 1);
    let color = (1..10u8).rev().max_by_key(|c| counts[usize::from(*c)])?;
    let length = sheets.len();
    let color = if counts[usize::from(color)] > 0 { color } else { 0 };
    if !(1..=LONGEST).contains(&length) {
        return None;
    }
    let size = match direction {
        Axes::Right => (1, length),
        Axes::Down => (length, 1),
        Axes::Both => (length, length),
    };
    out.fill((0, 0), size, color)
}

/// One cell for each visible cell of a sheet, in its colour, in reading order: poured into a blank canvas of this size row by
/// row (RIGHT), column by column (DOWN) or along its diagonal (UNITY). What does not fit is left out.
///
/// ```arc
/// sheet_pour((((0, 1), (2, 3)), (5, 5)), (2, 2), RIGHT) == (((1, 2), (3, 0)), (0, 0))
/// sheet_pour((((0, 1), (2, 3)), (5, 5)), (2, 2), DOWN) == (((1, 3), (2, 0)), (0, 0))
/// sheet_pour((((0, 1), (2, 3)), (5, 5)), (2, 2), UNITY) == (((1, 0), (0, 2)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair, Pair) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 622, alone)]
pub fn sheet_pour(sheet: &Sheet, size: (usize, usize), way: Axes, out: &mut Sheet) -> Made {
    poured(sheet.cells.iter().copied().filter(|c| *c != 0), size, way, out)
}

/// One cell for each sheet of a list, in its most frequent colour, poured into a blank canvas as `sheet_pour` does.
///
/// ```arc
/// pour_sheets(((((3,),), (0, 0)), (((1,),), (0, 2))), (2, 2), RIGHT) == (((3, 1), (0, 0)), (0, 0))
/// pour_sheets((), (1, 2), RIGHT) == (((0, 0),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Sheet>, Pair, Pair) -> Sheet", extra, charge = size.0 * size.1)]
#[step(place = 624)]
pub fn pour_sheets(sheets: &[Sheet], size: (usize, usize), way: Axes, out: &mut Sheet) -> Made {
    poured(sheets.iter().map(majority), size, way, out)
}

fn poured(
    colors: impl Iterator<Item = u8>,
    (height, width): (usize, usize),
    way: Axes,
    out: &mut Sheet,
) -> Made {
    out.fill((0, 0), (height, width), 0)?;
    let cells = match way {
        Axes::Both => height.min(width),
        _ => height * width,
    };
    for (k, color) in colors.take(cells).enumerate() {
        let at = match way {
            Axes::Right => k,
            Axes::Down => k % height * width + k / height,
            Axes::Both => k * width + k,
        };
        out.cells[at] = color;
    }
    Some(())
}

/// Every cell of a sheet becomes a square, as large as a measure of a picture says. Fails where that is less than 2.
///
/// ```arc
/// sheet_zoom((((1, 2),), (5, 5)), as_sheet(((3, 4),)), sheet_numcolors) == (((1, 1, 2, 2), (1, 1, 2, 2)), (0, 0))
/// sheet_zoom((((1, 2),), (0, 0)), as_sheet(((3, 3),)), sheet_numcolors) fails
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Sheet, Fn(Sheet) -> Int) -> Sheet", extra)]
pub fn sheet_zoom(cx: &mut Caller, sheet: &Sheet, picture: &Sheet, measure: &Value) -> Outcome {
    let times = counted(cx, picture, measure)?;
    cx.charge(sheet.cells.len() * times * times)?;
    made(|out| zoomed(sheet, times, out))
}

/// A sheet again and again, as often as a measure of a picture says: side by side (RIGHT), one below the other (DOWN), or both
/// (UNITY). Fails where that is less than 2.
///
/// ```arc
/// sheet_repeat((((1, 2),), (5, 5)), as_sheet(((3, 4),)), sheet_numcolors, RIGHT) == (((1, 2, 1, 2),), (0, 0))
/// sheet_repeat((((1, 2),), (5, 5)), as_sheet(((3, 4),)), sheet_numcolors, DOWN) == (((1, 2), (1, 2)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Search, sig = "(Sheet, Sheet, Fn(Sheet) -> Int, Pair) -> Sheet", extra)]
pub fn sheet_repeat(
    cx: &mut Caller,
    sheet: &Sheet,
    picture: &Sheet,
    measure: &Value,
    direction: Axes,
) -> Outcome {
    let times = counted(cx, picture, measure)?;
    cx.charge(sheet.cells.len() * times * times)?;
    made(|out| repeated(sheet, times, direction, out))
}

/// How often, by a measure of a picture.
fn counted(cx: &mut Caller, picture: &Sheet, measure: &Value) -> Result<usize, EvalError> {
    let times = cx.call1(measure, &value(picture))?.as_int().ok_or(Fault::Element)?;
    let times = usize::try_from(times).ok().filter(|n| (2..=LONGEST).contains(n));
    times.ok_or(Fault::Empty.into())
}

/// Every cell a square.
#[step(place = 314, calls = [sheet_zoom], alone, constants = [_, [Measure::Colors, Measure::Pieces, Measure::Area]])]
pub fn zoom(sheet: &Sheet, picture: &Sheet, measure: Measure, out: &mut Sheet) -> Made {
    zoomed(sheet, often(picture, measure)?, out)
}

/// A sheet again and again.
#[step(place = 316, calls = [sheet_repeat], alone, constants = [_, [Measure::Colors, Measure::Pieces, Measure::Area], _])]
pub fn repeat(
    sheet: &Sheet,
    picture: &Sheet,
    measure: Measure,
    direction: Axes,
    out: &mut Sheet,
) -> Made {
    repeated(sheet, often(picture, measure)?, direction, out)
}

fn often(picture: &Sheet, measure: Measure) -> Option<usize> {
    usize::try_from(measure.of(picture)).ok().filter(|n| (2..=LONGEST).contains(n))
}

fn zoomed(sheet: &Sheet, times: usize, out: &mut Sheet) -> Made {
    let (h, w) = sheet.size();
    out.fill((0, 0), (h * times, w * times), 0)?;
    for (at, cell) in out.cells.iter_mut().enumerate() {
        let (i, j) = (at / (w * times), at % (w * times));
        *cell = sheet.at(i / times, j / times);
    }
    Some(())
}

fn repeated(sheet: &Sheet, times: usize, direction: Axes, out: &mut Sheet) -> Made {
    let (h, w) = sheet.size();
    let down = if direction == Axes::Right { 1 } else { times };
    let across = if direction == Axes::Down { 1 } else { times };
    out.fill((0, 0), (h * down, w * across), 0)?;
    for (at, cell) in out.cells.iter_mut().enumerate() {
        let (i, j) = (at / (w * across), at % (w * across));
        *cell = sheet.at(i % h, j % w);
    }
    Some(())
}
