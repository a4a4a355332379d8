//! Transparent cells filled from what is seen elsewhere on the same sheet.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_macros::{primitive, step};
use arcloom_value::Value;

use super::canvas;
use super::crop::{sheet_trim, sheet_under};
use super::turn::{Turn, turn};
use super::{read, value};
use crate::call::{Caller, Fault, Outcome};
use crate::kernel::sheet::{Made, Sheet};
use crate::step::step_constant;

step_constant! {
    /// From what unknown cells are filled.
    pub enum Mend: &'static str {
        Patches = "sheet_mend_patches",
        Period = "sheet_mend_period",
        Symmetry = "sheet_mend_symmetry",
        Shifts = "sheet_mend_shifts",
    }
}

impl Mend {
    fn mend(self, s: &Sheet, out: &mut Sheet) -> Made {
        match self {
            Mend::Patches => sheet_mend_patches(s, out),
            Mend::Period => sheet_mend_period(s, out),
            Mend::Symmetry => sheet_mend_symmetry(s, out),
            Mend::Shifts => sheet_mend_shifts(s, out),
        }
    }
}

/// Transparent cells filled so that every window of 3 x 3 is one that occurs somewhere, turned or
/// mirrored. Fails when some window has no match.
///
/// ```arc
/// sheet_mend_patches((((1, 1, 1, 1), (1, 1, 1, 0), (1, 1, 1, 1)), (0, 0))) == (((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)), (0, 0))
/// sheet_mend_patches((((1, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet) -> Sheet", extra, charge = PATCHES * sheet.cells().len())]
#[step(place = 570, until = 12, alone)]
pub fn sheet_mend_patches(sheet: &Sheet, out: &mut Sheet) -> Made {
    const SIDE: usize = 3;
    if sheet.height < SIDE || sheet.width < SIDE {
        return None;
    }
    let mut counts: BTreeMap<[u8; 9], usize> = BTreeMap::new();
    let mut turned = Sheet::default();
    for way in 0..8 {
        match way {
            0 => turned.copy_from(sheet),
            way => turn(sheet, Turn::ALL[way - 1], &mut turned)?,
        }
        for i in 0..=turned.height - SIDE {
            for j in 0..=turned.width - SIDE {
                let window: [u8; 9] = std::array::from_fn(|k| turned.at(i + k / 3, j + k % 3));
                if !window.contains(&0) {
                    *counts.entry(window).or_default() += 1;
                }
            }
        }
    }
    if counts.is_empty() {
        return None;
    }
    let mut patches: Vec<(usize, [u8; 9])> = counts.into_iter().map(|(p, n)| (n, p)).collect();
    patches.sort_by(|a, b| b.cmp(a));

    out.copy_from(sheet);
    // How sure a cell is: what was given most, then what was filled earlier.
    let mut sure: Vec<i64> =
        sheet.cells.iter().map(|&c| if c == 0 { 0 } else { 1_000_000 }).collect();
    let mut next_sure = 1_000_000;
    let (rows, columns) = (sheet.height - SIDE + 1, sheet.width - SIDE + 1);
    let known = |sure: &[i64], i: usize, j: usize| -> i64 {
        (0..9).map(|k| sure[(i + k / 3) * sheet.width + j + k % 3]).sum()
    };
    let mut queue = BTreeSet::new();
    let mut weights = vec![0; rows * columns];
    for i in 0..rows {
        for j in 0..columns {
            weights[i * columns + j] = known(&sure, i, j);
            queue.insert((weights[i * columns + j], j, i));
        }
    }
    while let Some((_, j, i)) = queue.pop_last() {
        let cell = |k: usize| (i + k / 3) * sheet.width + j + k % 3;
        if (0..9).all(|k| sure[cell(k)] != 0) && weights[i * columns + j] >= 9_000_000 {
            continue;
        }
        let fits = |p: &[u8; 9]| (0..9).all(|k| sure[cell(k)] == 0 || out.cells[cell(k)] == p[k]);
        let patch = patches.iter().find(|(_, p)| fits(p))?.1;
        let mut changed = false;
        for (k, &color) in patch.iter().enumerate() {
            if sure[cell(k)] == 0 {
                out.cells[cell(k)] = color;
                sure[cell(k)] = next_sure;
                next_sure = (next_sure - 1).max(1);
                changed = true;
            }
        }
        if !changed {
            continue;
        }
        for y in i.saturating_sub(2)..(i + 3).min(rows) {
            for x in j.saturating_sub(2)..(j + 3).min(columns) {
                let weight = known(&sure, y, x);
                let old = weights[y * columns + x];
                if weight != old {
                    queue.remove(&(old, x, y));
                    weights[y * columns + x] = weight;
                    queue.insert((weight, x, y));
                }
            }
        }
    }
    Some(())
}

/// Every place is a patch that others may be completed from.
const PATCHES: usize = 8;

/// Transparent cells filled from the smallest tile that repeats without a contradiction. Fails when
/// there is none.
///
/// ```arc
/// sheet_mend_period((((1, 2, 0, 2),), (0, 0))) == (((1, 2, 1, 2),), (0, 0))
/// sheet_mend_period((((1, 2, 3, 0),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra, charge = (sheet.height() + sheet.width()) * sheet.cells().len())]
#[step(place = 580, until = 12, alone)]
pub fn sheet_mend_period(sheet: &Sheet, out: &mut Sheet) -> Made {
    let (h, w) = sheet.size();
    let mut best: Option<(usize, usize)> = None;
    for rows in 1..=h {
        for columns in 1..=w {
            let smaller = best.is_none_or(|(a, b)| rows * columns < a * b);
            if smaller && rows * columns * 2 <= h * w && tile(sheet, rows, columns).is_some() {
                best = Some((rows, columns));
            }
        }
    }
    let (rows, columns) = best?;
    let tile = tile(sheet, rows, columns)?;
    out.blank_like(sheet);
    for at in 0..out.cells.len() {
        out.cells[at] = tile[at / w % rows * columns + at % w % columns];
    }
    Some(())
}

/// The tile of this size that all cells agree with and that leaves none open.
fn tile(s: &Sheet, rows: usize, columns: usize) -> Option<Vec<u8>> {
    let mut tile = vec![0u8; rows * columns];
    for i in 0..s.height {
        for (j, &c) in s.row(i).iter().enumerate() {
            let slot = &mut tile[i % rows * columns + j % columns];
            if c != 0 {
                if *slot != 0 && *slot != c {
                    return None;
                }
                *slot = c;
            }
        }
    }
    (!tile.contains(&0)).then_some(tile)
}

/// Transparent cells filled from the mirror images in the axes that fit best, which may lie off the
/// middle, and in the diagonals. Fails when no axis explains a quarter of all cells.
///
/// ```arc
/// sheet_mend_symmetry((((1, 2, 2, 0), (3, 4, 4, 3)), (0, 0))) == (((1, 2, 2, 1), (3, 4, 4, 3)), (0, 0))
/// sheet_mend_symmetry((((1, 2), (3, 0)), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra, charge = (sheet.height() + sheet.width()) * sheet.cells().len())]
#[step(place = 590, until = 12, alone)]
pub fn sheet_mend_symmetry(sheet: &Sheet, out: &mut Sheet) -> Made {
    let (h, w) = (sheet.height as i32, sheet.width as i32);
    // How many cells are what their image is; `None` when some are not.
    let agree = |image: &dyn Fn(i32, i32) -> (i32, i32)| -> Option<i32> {
        let mut agree = 0;
        for i in 0..h {
            for j in 0..w {
                let (mi, mj) = image(i, j);
                let (a, b) = (sheet.get(i, j), sheet.get(mi, mj));
                if a != 0 && b != 0 && (mi, mj) != (i, j) {
                    if a != b {
                        return None;
                    }
                    agree += 1;
                }
            }
        }
        (agree > 0).then_some(agree)
    };
    let enough = |n: &i32| n * 4 >= h * w;
    // An axis is the sum of a row (column) and its mirror image.
    let axis = |length: i32, across: bool| -> Option<i32> {
        let mut best: Option<(i32, i32)> = None;
        for sum in length / 2..length + length / 2 {
            let image = |i, j| if across { (i, sum - j) } else { (sum - i, j) };
            if let Some(n) = agree(&image).filter(|n| best.is_none_or(|(most, _)| *n > most)) {
                best = Some((n, sum));
            }
        }
        best.filter(|(n, _)| enough(n)).map(|(_, sum)| sum)
    };
    let (rows, columns) = (axis(h, false), axis(w, true));
    let diagonal = agree(&|i, j| (j, i)).is_some_and(|n| enough(&n));
    let counter = h == w && agree(&|i, j| (w - 1 - j, h - 1 - i)).is_some_and(|n| enough(&n));
    if rows.is_none() && columns.is_none() && !diagonal && !counter {
        return None;
    }
    out.copy_from(sheet);
    for i in 0..h {
        for j in 0..w {
            if sheet.get(i, j) != 0 {
                continue;
            }
            let up = rows.map(|sum| sum - i);
            let side = columns.map(|sum| sum - j);
            let straight = [Some((i, j)), up.map(|i| (i, j)), side.map(|j| (i, j)), up.zip(side)];
            let straight = || straight.into_iter().flatten();
            let turned = straight().filter(|_| diagonal).map(|(i, j)| (j, i));
            let countered = straight().filter(|_| counter).map(|(i, j)| (w - 1 - j, h - 1 - i));
            let mut images = straight().chain(turned).chain(countered);
            if let Some(color) = images.find_map(|(i, j)| Some(sheet.get(i, j)).filter(|&c| c != 0))
            {
                out.cells[(i * w + j) as usize] = color;
            }
        }
    }
    Some(())
}

/// Transparent cells filled from the fewest colours that follow each other along every row, each row beginning as many
/// colours further on, without a contradiction. Fails when there are none, and where rows need not be shifted.
///
/// ```arc
/// sheet_mend_shifts((((1, 2, 0, 0), (0, 0, 1, 2), (0, 0, 0, 0), (0, 0, 0, 0)), (0, 0))) fails
/// sheet_mend_shifts((((1, 0, 0, 0), (0, 0, 2, 1), (0, 0, 0, 0), (0, 0, 0, 0)), (0, 0))) == (((1, 2, 1, 2), (2, 1, 2, 1), (1, 2, 1, 2), (2, 1, 2, 1)), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra, charge = {
    let side = sheet.height().max(sheet.width()) / 2;
    side * side / 2 * sheet.cells().len()
})]
#[step(place = 600, until = 12, alone)]
pub fn sheet_mend_shifts(sheet: &Sheet, out: &mut Sheet) -> Made {
    let (h, w) = sheet.size();
    let mut colors = Vec::new();
    for period in 2..=h.max(w) / 2 {
        for shift in 1..period {
            let slot = |at: usize| (at % w + at / w * shift) % period;
            colors.clear();
            colors.resize(period, 0u8);
            let visible = || sheet.cells.iter().enumerate().filter(|(_, c)| **c != 0);
            visible().for_each(|(at, &c)| colors[slot(at)] = c);
            if !colors.contains(&0) && visible().all(|(at, &c)| colors[slot(at)] == c) {
                out.blank_like(sheet);
                out.cells.iter_mut().enumerate().for_each(|(at, c)| *c = colors[slot(at)]);
                return Some(());
            }
        }
    }
    None
}

/// The picture with what `function` finds in place of the cells under `mask`, such as `sheet_mend_symmetry`; only
/// the frame around these unless `whole`. 0 is a colour here like any other: `function` sees one that is not there
/// in its place. What it leaves open is 0. Fails when nothing lies under the mask, or every colour is there.
///
/// ```arc
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, T) == (((0, 2, 2, 0), (3, 4, 4, 3)), (0, 0))
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, F) == (((0,),), (0, 3))
/// sheet_heal((((9,),), (5, 5)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_mend_symmetry, F) fails
/// sheet_heal((((9,),), (0, 3)), (((0, 2, 2, 9), (3, 4, 4, 3)), (0, 0)), sheet_spot, T) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Sheet, Fn(Sheet) -> Sheet, Bool) -> Sheet", extra)]
pub fn sheet_heal(
    cx: &mut Caller,
    mask: &Sheet,
    picture: &Sheet,
    function: &Value,
    whole: bool,
) -> Outcome {
    let mut failed = None;
    let mut out = Sheet::default();
    let mended = |torn: &Sheet, out: &mut Sheet| {
        let made = cx.call1(function, &value(torn)).and_then(|made| read(&made, 2));
        made.map(|made| *out = made).map_err(|error| failed = Some(error)).ok()
    };
    let made = heal(mask, picture, mended, whole, &mut out);
    match (made, failed) {
        (Some(()), _) => Ok(value(&out)),
        (None, Some(error)) => Err(error),
        (None, None) => Err(Fault::Empty.into()),
    }
}

/// What [`sheet_heal`] does with one of the ways to mend.
#[step(place = 610, until = 12, alone, whole_input, constants = [_, _, [true, false]], calls = [sheet_heal])]
pub fn heal_from(mask: &Sheet, picture: &Sheet, from: Mend, whole: bool, out: &mut Sheet) -> Made {
    heal(mask, picture, |s, out| from.mend(s, out), whole, out)
}

/// The picture with what `mend` finds in place of the cells under `mask`; only the frame around these unless
/// `whole`. 0 is a colour here like any other: `mend` sees one that is not there in its place. What it leaves
/// open is 0. `None` when there is no such colour, or nothing under the mask.
fn heal(
    mask: &Sheet,
    picture: &Sheet,
    mend: impl FnOnce(&Sheet, &mut Sheet) -> Made,
    whole: bool,
    out: &mut Sheet,
) -> Made {
    let mut torn = Sheet::default();
    torn.blank_like(picture);
    canvas::lay_on(mask, &mut torn, false);
    let mut frame = Sheet::default();
    sheet_trim(&torn, &mut frame)?;
    let mut known = [false; 10];
    let cells = || torn.cells.iter().zip(&picture.cells);
    cells().filter(|(t, _)| **t == 0).for_each(|(_, c)| known[usize::from(*c)] = true);
    let free = if known[0] { (1..10u8).find(|c| !known[usize::from(*c)])? } else { 0 };
    let visible = |color: u8| if color == 0 { free } else { color };
    let cells = cells().map(|(t, &c)| if *t == 0 { visible(c) } else { 0 }).collect();
    let mut mended = Sheet::default();
    mend(&Sheet { cells, ..torn }, &mut mended)?;
    if (mended.place(), mended.size()) != (picture.place(), picture.size()) {
        return None;
    }
    mended.cells.iter_mut().filter(|c| **c == free).for_each(|c| *c = 0);
    if whole {
        out.copy_from(&mended);
        return Some(());
    }
    sheet_under(&frame, &mended, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn mosaics_are_mended() {
        let mut out = Sheet::default();
        sheet_mend_period(&sheet(&["1212", "3.34", "1212", "34.4"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["1212", "3434", "1212", "3434"]));
        sheet_mend_symmetry(&sheet(&["1221", "3443", "34.3", "1221"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["1221", "3443", "3443", "1221"]));
        sheet_mend_patches(&sheet(&["12121", "21212", "12121", "2121.", "12121"]), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["12121", "21212", "12121", "21212", "12121"]));
        sheet_mend_shifts(&sheet(&["12....", "2...3.", "...3..", "......"]), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["123123", "231231", "312312", "123123"]));
    }

    #[test]
    fn diagonals_mend() {
        let mut out = Sheet::default();
        sheet_mend_symmetry(&sheet(&["123", "245", "35.", "..."]), &mut out).expect("made");
        assert_eq!(out, sheet(&["123", "245", "35.", "..."]));
        sheet_mend_symmetry(&sheet(&["123", "245", "3.6"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["123", "245", "356"]));
        sheet_mend_symmetry(&sheet(&["321", "542", "6.3"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["321", "542", "653"]));
        // There is no such axis in what is not square.
        assert_eq!(sheet_mend_symmetry(&sheet(&["12.", "34."]), &mut out), None);
    }

    #[test]
    fn what_lies_under_a_mask_is_healed() {
        let picture = sheet(&["1.21", "3..3", "3993", "1991"]);
        let mut mask = sheet(&["99", "99"]);
        (mask.top, mask.left) = (2, 1);
        let mut out = Sheet::default();
        heal(&mask, &sheet(&["1221", "3..3", "3993", "1991"]), sheet_mend_symmetry, true, &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["1221", "3..3", "3..3", "1221"]));
        heal(
            &mask,
            &sheet(&["1221", "3..3", "3993", "1991"]),
            sheet_mend_symmetry,
            false,
            &mut out,
        )
        .expect("made");
        let mut healed = sheet(&["..", "22"]);
        (healed.top, healed.left) = (2, 1);
        assert_eq!(out, healed);
        assert_eq!(heal(&mask, &picture, sheet_mend_period, true, &mut out), None);
        (mask.top, mask.left) = (9, 9);
        assert_eq!(heal(&mask, &picture, sheet_mend_symmetry, true, &mut out), None);
    }
}
