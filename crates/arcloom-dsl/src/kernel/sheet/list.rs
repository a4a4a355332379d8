//! Lists of sheets: picking one, sifting some, overlaying and lining up.

use crate::kernel::sheet::measure::{Measure, area, colors};
use crate::kernel::sheet::{Made, Sheet, allowed, canvas};

/// The first sheet with the largest (or smallest) measure.
pub fn pick(list: &[Sheet], measure: Measure, largest: bool, out: &mut Sheet) -> Made {
    let sign = if largest { 1 } else { -1 };
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
pub fn sift(
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

/// The sheets with a certain measure; there may be none.
pub fn sift_is(list: &[Sheet], measure: Measure, value: i32, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    out.extend(list.iter().filter(|s| measure.of(s) == value).cloned());
    Some(())
}

/// In the order of a measure, from the smallest or from the largest on; equal ones as they were.
pub fn sort(list: &[Sheet], measure: Measure, falling: bool, out: &mut Vec<Sheet>) -> Made {
    out.clear();
    out.extend_from_slice(list);
    let sign = if falling { -1 } else { 1 };
    out.sort_by_cached_key(|s| sign * measure.of(s));
    Some(())
}

/// The one sheet with a colour that no other has.
pub fn pick_unique_color(list: &[Sheet], out: &mut Sheet) -> Made {
    let masks: Vec<u32> = list.iter().map(colors).collect();
    let mut counts = [0u32; 10];
    for mask in &masks {
        (0..10).filter(|c| mask >> c & 1 == 1).for_each(|c| counts[c] += 1);
    }
    let own = |mask: u32| (0..10).any(|c| mask >> c & 1 == 1 && counts[c] == 1);
    only(list, |k| own(masks[k]), out)
}

/// The one sheet whose cells, or whose form whatever the colours, no other has.
pub fn pick_odd(list: &[Sheet], by_form: bool, out: &mut Sheet) -> Made {
    let same = |a: &Sheet, b: &Sheet| {
        a.size() == b.size()
            && if by_form {
                a.cells.iter().zip(&b.cells).all(|(x, y)| (*x == 0) == (*y == 0))
            } else {
                a.cells == b.cells
            }
    };
    if list.len() > 64 {
        return None;
    }
    only(list, |k| !list.iter().enumerate().any(|(m, s)| m != k && same(s, &list[k])), out)
}

/// A sheet of the form that occurs most often; the first of them.
pub fn pick_usual(list: &[Sheet], out: &mut Sheet) -> Made {
    if list.len() > 64 {
        return None;
    }
    let count = |k: usize| {
        list.iter().filter(|s| s.size() == list[k].size() && s.cells == list[k].cells).count()
    };
    let best = (0..list.len()).rev().max_by_key(|&k| count(k))?;
    if count(best) < 2 {
        return None;
    }
    out.copy_from(&list[best]);
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

/// All sheets on one, where they lie, those with fewer cells on top.
pub fn overlay(list: &[Sheet], out: &mut Sheet) -> Made {
    let top = list.iter().map(|s| s.top).min()?;
    let left = list.iter().map(|s| s.left).min()?;
    let bottom = list.iter().map(|s| s.top + s.height as i32).max()?;
    let right = list.iter().map(|s| s.left + s.width as i32).max()?;
    let size = ((bottom - top) as usize, (right - left) as usize);
    out.fill((top, left), size, 0)?;
    let mut order: Vec<(usize, usize)> = list.iter().map(area).zip(0..).collect();
    order.sort_by(|a, b| b.cmp(a));
    for (_, k) in order {
        canvas::lay(&list[k], out, false);
    }
    Some(())
}

/// Set side by side (or one below the other) from the smallest frame to the largest.
pub fn line_up(list: &[Sheet], down: bool, out: &mut Sheet) -> Made {
    let mut order: Vec<(usize, usize)> = list.iter().map(|s| s.height * s.width).zip(0..).collect();
    order.sort_unstable();
    join(list, order.iter().map(|o| o.1), down, out)
}

/// Set side by side in the order in which they lie, along the direction in which they are spread.
pub fn line_up_in_order(list: &[Sheet], out: &mut Sheet) -> Made {
    let step = |mut at: Vec<i32>| {
        at.sort_unstable();
        at.windows(2).map(|w| w[1] - w[0]).min().unwrap_or(0)
    };
    let across = step(list.iter().map(|s| s.left).collect());
    let down = step(list.iter().map(|s| s.top).collect());
    let downwards = across < down;
    let mut order: Vec<(i32, usize)> =
        list.iter().map(|s| if downwards { s.top } else { s.left }).zip(0..).collect();
    order.sort_unstable();
    join(list, order.iter().map(|o| o.1), downwards, out)
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
        overlay(&list, &mut out).expect("made");
        assert_eq!(out, sheet(&["11", "15"]));
        line_up_in_order(&list, &mut out).expect("made");
        assert_eq!(out, sheet(&["115", "11."]));
        pick(&list, Measure::Area, false, &mut out).expect("made");
        assert_eq!(out.cells(), [5]);
    }
}
