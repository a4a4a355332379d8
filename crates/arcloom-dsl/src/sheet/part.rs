//! Grids cut into parts, and put together again from what became of the parts.
//!
//! Each pair of functions cuts and joins by the original alone, so that a program maps a function over the parts:
//! `x1 = cut_panels(I)`, `x2 = apply(f, x1)`, `O = paste_panels(x2, I)`.

use arcloom_macros::primitive;
use arcloom_value::Value;

use super::crop::part;
use super::frame::RulingLines;
use super::measure::{around, beside};
use super::{grid, picture};
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::sheet::Sheet;
use crate::view;

/// The parts of a grid between the lines that `drop_lines` drops, row by row. Fails unless there are two.
///
/// ```arc
/// cut_panels(((1, 5, 2), (5, 5, 5), (3, 5, 4))) == (((1,),), ((2,),), ((3,),), ((4,),))
/// cut_panels(((1, 2), (3, 4))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid) -> Tuple<Grid>", extra)]
pub fn cut_panels(grid: &Value) -> Outcome {
    Ok(grids(&panels(&picture(grid, 0)?).ok_or(Fault::Empty)?))
}

/// The grid with what became of its panels in their places. Fails when one is of another size.
///
/// ```arc
/// paste_panels((((6,), (7,)), ((8,), (9,))), ((1, 5, 2), (3, 5, 4))) == ((6, 5, 8), (7, 5, 9))
/// paste_panels((((6,), (7,)),), ((1, 5, 2), (3, 5, 4))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Grid>, Grid) -> Grid", extra)]
pub fn paste_panels(panels: &Value, original: &Value) -> Outcome {
    let found = pasted_panels(&pictures(panels)?, &picture(original, 1)?);
    Ok(grid(&found.ok_or(Fault::Domain(0))?))
}

/// What became of the panels of a grid, side by side without lines. Fails unless all are of one size.
///
/// ```arc
/// tile_panels((((6, 7),), ((8, 9),)), ((1, 5, 2), (3, 5, 4))) == ((6, 7, 8, 9),)
/// tile_panels((((6, 7),), ((8,),)), ((1, 5, 2), (3, 5, 4))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Grid>, Grid) -> Grid", extra)]
pub fn tile_panels(panels: &Value, original: &Value) -> Outcome {
    let found = tiled_panels(&pictures(panels)?, &picture(original, 1)?);
    Ok(grid(&found.ok_or(Fault::Domain(0))?))
}

/// For each colour but the background, in ascending order, the grid with that colour as 1, the background as 0 and the other colours
/// as `others`. The background is 0, or the most frequent colour where there is no 0.
///
/// ```arc
/// cut_colors(((0, 3), (4, 3)), 2) == (((0, 1), (2, 1)), ((0, 2), (1, 2)))
/// cut_colors(((0, 0),), 2) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Color) -> Tuple<Grid>", extra)]
pub fn cut_colors(cx: &mut Caller, grid: &Value, others: u8) -> Outcome {
    let sheet = picture(grid, 0)?;
    cx.charge(sheet.cells.len())?;
    Ok(grids(&color_parts(&sheet, others).ok_or(Fault::Empty)?))
}

/// What became of the grids that `cut_colors` made, on one canvas, each painted in its colour, the last on top. Fails
/// unless all are of one size.
///
/// ```arc
/// paste_colors((((0, 1),), ((1, 0),)), ((0, 3), (4, 3))) == ((4, 3),)
/// paste_colors((((0, 1),),), ((0, 3), (4, 3))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Grid>, Grid) -> Grid", extra)]
pub fn paste_colors(parts: &Value, original: &Value) -> Outcome {
    let found = pasted_colors(&pictures(parts)?, &picture(original, 1)?);
    Ok(grid(&found.ok_or(Fault::Domain(0))?))
}

/// The boxes around the objects of a grid, each its upper left corner and its size, wider by `margin` on each side as far as
/// the grid goes. Objects are connected cells that are not background, by their corners too where `diagonal` says so, of any
/// colours where `mixed` does. The background is 0, or the most frequent colour where there is no 0.
///
/// ```arc
/// object_boxes(((1, 0, 0), (0, 0, 2)), F, F, 0) == (((0, 0), (1, 1)), ((1, 2), (1, 1)))
/// object_boxes(((1, 0, 0), (0, 0, 2)), F, F, 1) == (((0, 0), (2, 2)), ((0, 1), (2, 2)))
/// object_boxes(((0, 0),), F, F, 1) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Bool, Bool, Int) -> Tuple<Tuple<Pair>>", extra)]
pub fn object_boxes(
    cx: &mut Caller,
    grid: &Value,
    mixed: bool,
    diagonal: bool,
    margin: usize,
) -> Outcome {
    let sheet = picture(grid, 0)?;
    cx.charge(3 * sheet.cells.len())?;
    let crops = crops(&sheet, mixed, diagonal, margin).ok_or(Fault::Empty)?;
    let pair = |(i, j): (usize, usize)| Value::pair(i as i64, j as i64);
    let frame = |crop: &Crop| Value::tuple2(pair(crop.corner), pair(crop.sheet.size()));
    Ok(Value::tuple(crops.iter().map(frame).collect::<Vec<_>>()))
}

/// What a grid shows in boxes. Fails when one is not within it.
///
/// ```arc
/// cut_boxes(((1, 0, 0), (0, 0, 2)), (((0, 1), (2, 2)),)) == (((0, 0), (0, 2)),)
/// cut_boxes(((1, 0),), (((0, 1), (1, 2)),)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Tuple<Tuple<Pair>>) -> Tuple<Grid>", extra)]
pub fn cut_boxes(cx: &mut Caller, grid: &Value, boxes: &Value) -> Outcome {
    let crops = in_boxes(cx, &picture(grid, 0)?, boxes)?;
    Ok(grids(&crops.into_iter().map(|crop| crop.sheet).collect::<Vec<_>>()))
}

/// The grid with what changed in the grids that `cut_boxes` cut out of it. Fails when one is of another size.
///
/// ```arc
/// paste_boxes((((5,),), ((6,),)), (((0, 0), (1, 1)), ((1, 2), (1, 1))), ((1, 0, 0), (0, 0, 2))) == ((5, 0, 0), (0, 0, 6))
/// paste_boxes((((5, 5),),), (((0, 0), (1, 1)),), ((1, 0, 0), (0, 0, 2))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Tuple<Grid>, Tuple<Tuple<Pair>>, Grid) -> Grid", extra)]
pub fn paste_boxes(cx: &mut Caller, parts: &Value, boxes: &Value, original: &Value) -> Outcome {
    let original = picture(original, 2)?;
    let crops = in_boxes(cx, &original, boxes)?;
    let found = pasted_crops(&pictures(parts)?, &crops, &original);
    Ok(grid(&found.ok_or(Fault::Domain(0))?))
}

/// What a sheet shows in boxes, paid for: they overlap, so that there may be many times its cells.
fn in_boxes(cx: &mut Caller, sheet: &Sheet, boxes: &Value) -> Result<Vec<Crop>, EvalError> {
    if !boxes.is_tuple() {
        return Err(Fault::Kind(1).into());
    }
    let mut crops = Vec::new();
    for frame in view::items(boxes, 1)? {
        let (corner, size) = view::two(&frame)?;
        let pair = |value: &Value| {
            let (i, j) = value.as_pair().ok_or(Fault::Kind(1))?;
            let side = |n: i64| usize::try_from(n).map_err(|_| EvalError::from(Fault::Domain(1)));
            Ok::<_, EvalError>((side(i)?, side(j)?))
        };
        let (corner, size) = (pair(&corner)?, pair(&size)?);
        let ends = (corner.0.saturating_add(size.0), corner.1.saturating_add(size.1));
        if ends.0 > sheet.height || ends.1 > sheet.width {
            return Err(Fault::Domain(1).into());
        }
        cx.charge(size.0 * size.1)?;
        crops.push(crop_of(sheet, corner, size).ok_or(Fault::Domain(1))?);
    }
    Ok(crops)
}

/// The sheets of a tuple of grids.
fn pictures(parts: &Value) -> Result<Vec<Sheet>, EvalError> {
    if !parts.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    view::items(parts, 0)?.map(|part| picture(&part, 0)).collect()
}

fn grids(parts: &[Sheet]) -> Value {
    Value::tuple(parts.iter().map(grid).collect::<Vec<_>>())
}

/// What a sheet shows in a frame, as a grid.
fn cropped(sheet: &Sheet, corner: (usize, usize), size: (usize, usize)) -> Option<Sheet> {
    let mut out = Sheet::default();
    part(sheet, corner, size, &mut out)?;
    (out.top, out.left) = (0, 0);
    Some(out)
}

/// Kernel of [`cut_panels`].
pub fn panels(sheet: &Sheet) -> Option<Vec<Sheet>> {
    panels_like(sheet, sheet)
}

/// What a grid of the same size as `original` shows where that has its panels.
pub fn panels_like(sheet: &Sheet, original: &Sheet) -> Option<Vec<Sheet>> {
    let [rows, columns] = RulingLines::of(original)?.gaps();
    if sheet.size() != original.size() || rows.len() * columns.len() < 2 {
        return None;
    }
    let frames = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
    frames.map(|(row, column)| cropped(sheet, (row.0, column.0), (row.1, column.1))).collect()
}

/// Kernel of [`paste_panels`].
pub fn pasted_panels(parts: &[Sheet], original: &Sheet) -> Option<Sheet> {
    let [rows, columns] = RulingLines::of(original)?.gaps();
    if parts.len() != rows.len() * columns.len() {
        return None;
    }
    let mut out = original.clone();
    let frames = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
    for (part, (row, column)) in parts.iter().zip(frames) {
        if part.size() != (row.1, column.1) {
            return None;
        }
        lay(part, (row.0, column.0), &mut out);
    }
    Some(out)
}

/// How many panels stand below and beside each other.
pub fn panel_lattice(original: &Sheet) -> Option<(usize, usize)> {
    let [rows, columns] = RulingLines::of(original)?.gaps();
    (rows.len() * columns.len() > 1).then_some((rows.len(), columns.len()))
}

/// Kernel of [`tile_panels`].
pub fn tiled_panels(parts: &[Sheet], original: &Sheet) -> Option<Sheet> {
    let (down, right) = panel_lattice(original)?;
    let (h, w) = parts.first()?.size();
    if parts.len() != down * right || parts.iter().any(|part| part.size() != (h, w)) {
        return None;
    }
    let mut out = Sheet::default();
    out.fill((0, 0), (down * h, right * w), 0)?;
    for (n, part) in parts.iter().enumerate() {
        lay(part, (n / right * h, n % right * w), &mut out);
    }
    Some(out)
}

/// A grid cut into so many equal parts below and beside each other, row by row.
pub fn tiles(sheet: &Sheet, down: usize, right: usize) -> Option<Vec<Sheet>> {
    let (h, w) = sheet.size();
    if h % down > 0 || w % right > 0 {
        return None;
    }
    let size = (h / down, w / right);
    let corners = (0..down * right).map(|n| (n / right * size.0, n % right * size.1));
    corners.map(|corner| cropped(sheet, corner, size)).collect()
}

/// All cells of a sheet laid on another one, within which they are.
fn lay(part: &Sheet, corner: (usize, usize), out: &mut Sheet) {
    for i in 0..part.height {
        let at = (corner.0 + i) * out.width + corner.1;
        out.cells[at..at + part.width].copy_from_slice(part.row(i));
    }
}

/// The background of a grid: 0, or the most frequent colour where there is no 0, the smallest of several.
pub fn ground(sheet: &Sheet) -> u8 {
    let mut counts = [0usize; 10];
    sheet.cells.iter().for_each(|c| counts[usize::from(*c)] += 1);
    if counts[0] > 0 {
        return 0;
    }
    (0..10u8).rev().max_by_key(|c| counts[usize::from(*c)]).unwrap_or(0)
}

/// The colours of a grid but the background, in ascending order.
pub fn part_colors(original: &Sheet) -> Vec<u8> {
    let ground = ground(original);
    (0..10u8).filter(|c| *c != ground && original.cells.contains(c)).collect()
}

/// Kernel of [`cut_colors`].
pub fn color_parts(sheet: &Sheet, others: u8) -> Option<Vec<Sheet>> {
    let ground = ground(sheet);
    let colors = part_colors(sheet);
    let one = |color: &u8| {
        let mut out = sheet.clone();
        for cell in &mut out.cells {
            *cell = match *cell {
                c if c == *color => 1,
                c if c == ground => 0,
                _ => others,
            };
        }
        out
    };
    (!colors.is_empty()).then(|| colors.iter().map(one).collect())
}

/// Kernel of [`paste_colors`].
pub fn pasted_colors(parts: &[Sheet], original: &Sheet) -> Option<Sheet> {
    let colors = part_colors(original);
    let size = parts.first()?.size();
    if parts.len() != colors.len() || parts.iter().any(|part| part.size() != size) {
        return None;
    }
    let mut out = Sheet::default();
    out.fill((0, 0), size, ground(original))?;
    for (part, color) in parts.iter().zip(colors) {
        for (cell, seen) in out.cells.iter_mut().zip(&part.cells) {
            if *seen != 0 {
                *cell = color;
            }
        }
    }
    Some(out)
}

/// What a grid shows around an object.
pub struct Crop {
    /// Where it was cut out.
    pub corner: (usize, usize),
    /// What is there.
    pub sheet: Sheet,
}

impl Crop {
    /// The same frame of another grid of the same size.
    pub fn of(&self, other: &Sheet) -> Option<Sheet> {
        cropped(other, self.corner, self.sheet.size())
    }
}

/// What a grid shows in a frame.
pub fn crop_of(sheet: &Sheet, corner: (usize, usize), size: (usize, usize)) -> Option<Crop> {
    Some(Crop { corner, sheet: cropped(sheet, corner, size)? })
}

/// Kernel of [`object_boxes`].
pub fn crops(sheet: &Sheet, mixed: bool, diagonal: bool, margin: usize) -> Option<Vec<Crop>> {
    let ground = ground(sheet);
    let (h, w) = sheet.size();
    let mut done = vec![false; sheet.cells.len()];
    let mut crops = Vec::new();
    for start in 0..done.len() {
        if done[start] || sheet.cells[start] == ground {
            continue;
        }
        let (mut top, mut bottom, mut left, mut right) = (h, 0, w, 0);
        let mut stack = vec![start];
        done[start] = true;
        while let Some(at) = stack.pop() {
            let (i, j) = (at / w, at % w);
            (top, bottom) = (top.min(i), bottom.max(i));
            (left, right) = (left.min(j), right.max(j));
            let mut visit = |to: usize| {
                let (a, b) = (sheet.cells[at], sheet.cells[to]);
                if !done[to] && b != ground && (mixed || a == b) {
                    done[to] = true;
                    stack.push(to);
                }
            };
            if diagonal { around(sheet, at, &mut visit) } else { beside(sheet, at, &mut visit) }
        }
        let corner = (top.saturating_sub(margin), left.saturating_sub(margin));
        let end = ((bottom + margin + 1).min(h), (right + margin + 1).min(w));
        let sheet = cropped(sheet, corner, (end.0 - corner.0, end.1 - corner.1))?;
        crops.push(Crop { corner, sheet });
    }
    (!crops.is_empty()).then_some(crops)
}

/// Kernel of [`paste_boxes`].
pub fn pasted_crops(parts: &[Sheet], crops: &[Crop], original: &Sheet) -> Option<Sheet> {
    if parts.len() != crops.len() {
        return None;
    }
    let mut out = original.clone();
    for (part, crop) in parts.iter().zip(crops) {
        if part.size() != crop.sheet.size() {
            return None;
        }
        for (n, (new, old)) in part.cells.iter().zip(&crop.sheet.cells).enumerate() {
            if new != old {
                let (i, j) = (n / part.width, n % part.width);
                out.cells[(crop.corner.0 + i) * out.width + crop.corner.1 + j] = *new;
            }
        }
    }
    Some(out)
}
