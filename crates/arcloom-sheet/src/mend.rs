//! Unknown cells filled from what is seen elsewhere on the same sheet.

use std::collections::{BTreeMap, BTreeSet};

use crate::turn::{Turn, turn};
use crate::{Made, Sheet};

/// See-through cells filled so that every window of 3 x 3 is one that occurs somewhere, turned or
/// mirrored; the windows about which most is known first. `None` when some window has no match.
pub fn from_patches(s: &Sheet, out: &mut Sheet) -> Made {
    const SIDE: usize = 3;
    if s.height < SIDE || s.width < SIDE {
        return None;
    }
    let mut counts: BTreeMap<[u8; 9], usize> = BTreeMap::new();
    let mut turned = Sheet::default();
    for way in 0..8 {
        match way {
            0 => turned.copy_from(s),
            way => turn(s, Turn::ALL[way - 1].0, &mut turned)?,
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

    out.copy_from(s);
    // How sure a cell is: what was given most, then what was filled earlier.
    let mut sure: Vec<i64> = s.cells.iter().map(|&c| if c == 0 { 0 } else { 1_000_000 }).collect();
    let mut next_sure = 1_000_000;
    let (rows, columns) = (s.height - SIDE + 1, s.width - SIDE + 1);
    let known = |sure: &[i64], i: usize, j: usize| -> i64 {
        (0..9).map(|k| sure[(i + k / 3) * s.width + j + k % 3]).sum()
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
        let cell = |k: usize| (i + k / 3) * s.width + j + k % 3;
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

/// See-through cells filled from the smallest tile that repeats without a contradiction.
pub fn from_period(s: &Sheet, out: &mut Sheet) -> Made {
    let (h, w) = s.size();
    let mut best: Option<(usize, usize)> = None;
    for rows in 1..=h {
        for columns in 1..=w {
            let smaller = best.is_none_or(|(a, b)| rows * columns < a * b);
            if smaller && rows * columns * 2 <= h * w && tile(s, rows, columns).is_some() {
                best = Some((rows, columns));
            }
        }
    }
    let (rows, columns) = best?;
    let tile = tile(s, rows, columns)?;
    out.blank_like(s);
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

/// See-through cells filled from the mirror images in the axes that fit best, which may lie off the
/// middle. `None` when no axis explains most of what is there.
pub fn from_symmetry(s: &Sheet, out: &mut Sheet) -> Made {
    let (h, w) = (s.height as i32, s.width as i32);
    // An axis is the sum of a row (column) and its mirror image.
    let axis = |length: i32, across: bool| -> Option<i32> {
        let mut best: Option<(i32, i32)> = None;
        for sum in length / 2..length + length / 2 {
            let (mut agree, mut differ) = (0, 0);
            for i in 0..h {
                for j in 0..w {
                    let (mi, mj) = if across { (i, sum - j) } else { (sum - i, j) };
                    let (a, b) = (s.get(i, j), s.get(mi, mj));
                    if a != 0 && b != 0 && (mi, mj) != (i, j) {
                        if a == b { agree += 1 } else { differ += 1 }
                    }
                }
            }
            if differ == 0 && agree > 0 && best.is_none_or(|(n, _)| agree > n) {
                best = Some((agree, sum));
            }
        }
        best.filter(|(n, _)| n * 4 >= h * w).map(|(_, sum)| sum)
    };
    let (rows, columns) = (axis(h, false), axis(w, true));
    if rows.is_none() && columns.is_none() {
        return None;
    }
    out.copy_from(s);
    for i in 0..h {
        for j in 0..w {
            if s.get(i, j) != 0 {
                continue;
            }
            let up = rows.map(|sum| sum - i);
            let side = columns.map(|sum| sum - j);
            let images = [up.map(|i| (i, j)), side.map(|j| (i, j)), up.zip(side)];
            let color = images.into_iter().flatten().map(|(i, j)| s.get(i, j)).find(|&c| c != 0);
            if let Some(color) = color {
                out.cells[(i * w + j) as usize] = color;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet;

    #[test]
    fn mosaics_are_mended() {
        let mut out = Sheet::default();
        from_period(&sheet(&["1212", "3.34", "1212", "34.4"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["1212", "3434", "1212", "3434"]));
        from_symmetry(&sheet(&["1221", "3443", "34.3", "1221"]), &mut out).expect("made");
        assert_eq!(out, sheet(&["1221", "3443", "3443", "1221"]));
        from_patches(&sheet(&["12121", "21212", "12121", "2121.", "12121"]), &mut out)
            .expect("made");
        assert_eq!(out, sheet(&["12121", "21212", "12121", "21212", "12121"]));
    }
}
