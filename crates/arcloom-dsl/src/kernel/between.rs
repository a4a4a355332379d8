//! The lines between positions of two sets, found by walking rows, columns and diagonals instead of
//! trying every pair.

use arcloom_value::{Patch, Value};
use smallvec::SmallVec;

use super::figure;

/// Largest side of the box around both sets.
const SIDE: usize = 64;

/// Lines between positions of two sets, as elements of a set.
pub struct Lines {
    /// The distinct lines, ascending; nothing stands for pairs that are not on a line.
    pub lines: Vec<Value>,
    /// How many positions the lines have, counted once for every pair of ends.
    pub length: usize,
}

/// What `connect` gives for a position of `a` and one of `b`, over all such pairs; `None` when they
/// are too far apart for rows of one word.
///
/// A line starts at its uppermost end, of a horizontal one the left. Lines with one start are, in
/// order, the position alone, those to the right, down left, down and down right, each from the
/// shortest to the longest: their second positions ascend, and a part comes before the whole.
pub fn lines(a: &Patch, b: &Patch) -> Option<Lines> {
    let mut lines = Vec::new();
    let all = walk(a, b, |(i, j), (di, dj), len| lines.push(figure::line(i, j, di, dj, len)))?;
    if all.pairs < a.len() * b.len() {
        lines.insert(0, Value::empty_set());
    }
    Some(Lines { lines, length: all.length })
}

/// All positions on lines between positions of two sets.
pub struct Union {
    /// The positions.
    pub places: Value,
    /// How many positions the lines have, counted once for every pair of ends.
    pub length: usize,
    /// How many they have, counted once for every line.
    pub distinct: usize,
}

/// The positions on what [`lines`] gives.
pub fn union(a: &Patch, b: &Patch) -> Option<Union> {
    let (f, g) = (a.frame(), b.frame());
    let (top, left) = (f.top.min(g.top), f.left.min(g.left));
    let mut rows = [0u64; SIDE];
    let mut distinct = 0;
    // Lines of one start and direction come from the shortest to the longest, which has them all.
    let mut last = ((0, 0), (0, 0), 0);
    let mut draw = |((i, j), (di, dj), len): ((i64, i64), (i64, i64), usize)| {
        let (r, c) = ((i - i64::from(top)) as usize, (j - i64::from(left)) as u32);
        if di == 0 && len > 0 {
            rows[r] |= (u64::MAX >> (64 - len)) << c;
            return;
        }
        for (n, row) in rows[r.min(SIDE)..].iter_mut().take(len).enumerate() {
            *row |= 1 << (i64::from(c) + n as i64 * dj);
        }
    };
    let all = walk(a, b, |at, direction, len| {
        distinct += len;
        if (last.0, last.1) != (at, direction) {
            draw(last);
        }
        last = (at, direction, len);
    })?;
    if last.2 > 0 {
        draw(last);
    }
    let places = Patch::tight((top.into(), left.into()), SIDE, None, &rows);
    let places = match places {
        Some(patch) => Value::Patch(patch),
        None if all.pairs == 0 => Value::empty_set(),
        None => return None,
    };
    Some(Union { places, length: all.length, distinct })
}

/// What was found walking between two sets.
struct Walked {
    /// Pairs of positions that a line connects.
    pairs: usize,
    /// How many positions the lines have, counted once for every pair.
    length: usize,
}

/// Hands every line between a position of `a` and one of `b` to `found`, in order and each once:
/// where it starts, its direction and its length.
fn walk(
    a: &Patch,
    b: &Patch,
    mut found: impl FnMut((i64, i64), (i64, i64), usize),
) -> Option<Walked> {
    let (f, g) = (a.frame(), b.frame());
    let (top, left) = (f.top.min(g.top), f.left.min(g.left));
    let reach = |low: i32, extent: u32, from: i32| low.abs_diff(from) as usize + extent as usize;
    let height = reach(f.top, f.height, top).max(reach(g.top, g.height, top));
    let width = reach(f.left, f.width, left).max(reach(g.left, g.width, left));
    if height > SIDE || width > SIDE || a.is_object() || b.is_object() {
        return None;
    }
    let rows = |patch: &Patch| -> SmallVec<[u64; 32]> {
        let down = patch.frame().top.abs_diff(top) as usize;
        let right = patch.frame().left.abs_diff(left);
        let mut rows: SmallVec<[u64; 32]> = SmallVec::from_elem(0, height);
        for (row, bits) in rows[down..].iter_mut().zip(patch.layer(0)) {
            *row = bits << right;
        }
        rows
    };
    let (rows_a, rows_b) = (rows(a), rows(b));
    let mut all = Walked { pairs: 0, length: 0 };
    for r in 0..height {
        let mut starts = rows_a[r] | rows_b[r];
        while starts != 0 {
            let c = starts.trailing_zeros();
            starts &= starts - 1;
            let (in_a, in_b) = (rows_a[r] >> c & 1, rows_b[r] >> c & 1);
            let at = (i64::from(top) + r as i64, i64::from(left) + i64::from(c));
            if in_a & in_b == 1 {
                all.pairs += 1;
                all.length += 1;
                found(at, (0, 1), 1);
            }
            // A pair counts in each order in which its ends come from the first and the second set.
            let mut end = |r2: usize, c2: u32, di: i64, dj: i64, len: usize| {
                let orders = (in_a & rows_b[r2] >> c2) + (in_b & rows_a[r2] >> c2);
                if orders > 0 {
                    all.pairs += orders as usize;
                    all.length += orders as usize * len;
                    found(at, (di, dj), len);
                }
            };
            // Where the row goes on with nothing, there is nothing to look at.
            let mut right = (rows_a[r] | rows_b[r]) & (u64::MAX << c << 1);
            while right != 0 {
                let c2 = right.trailing_zeros();
                right &= right - 1;
                end(r, c2, 0, 1, (c2 - c) as usize + 1);
            }
            for r2 in r + 1..height.min(r + c as usize + 1) {
                end(r2, c - (r2 - r) as u32, 1, -1, r2 - r + 1);
            }
            for r2 in r + 1..height {
                end(r2, c, 1, 0, r2 - r + 1);
            }
            for r2 in r + 1..height.min(r + width - c as usize) {
                end(r2, c + (r2 - r) as u32, 1, 1, r2 - r + 1);
            }
        }
    }
    Some(all)
}

/// The first positions of `a` and `b` for which `connect`, called on those of `a` for each of `b`,
/// costs more than is left, and what the calls before cost. `None` when there is enough for all.
pub fn too_much(a: &Patch, b: &Patch, left: u64) -> Option<(Value, Value, usize)> {
    let starts: Vec<(i32, i32)> = a.positions().collect();
    let mut work = 0usize;
    for (k, l) in b.positions() {
        for &(i, j) in &starts {
            let len = figure::straight((i.into(), j.into()), (k.into(), l.into()));
            let after = work + 1 + len.unwrap_or(0);
            if after as u64 > left {
                return Some((Value::Pair(i, j), Value::Pair(k, l), work));
            }
            work = after;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;
    use crate::toll;
    use crate::{Caller, Registry};

    fn places(random: &mut Random, span: usize) -> Value {
        let mut side = || random.below(span) as i64 - 5;
        let places: Vec<_> = (0..40).map(|_| (side(), side())).collect();
        Value::indices(&places[..1 + (places[0].0 + 5) as usize % 40])
    }

    /// Tuples of positions take the loop over all pairs; values and work are the same.
    #[test]
    fn lines_are_those_of_all_pairs() {
        let id = |name| Registry::get().find(name).unwrap();
        let connect = Value::Prim(id("connect"));
        let mut random = Random(9);
        for round in 0..300 {
            let span = [2, 5, 12, 40, 90][round % 5];
            let a = places(&mut random, span);
            let b = if round % 3 == 0 { a.clone() } else { places(&mut random, span) };
            let mut cx = Caller::default();
            let plain = cx.call_prim(id("totuple"), &[&a]).unwrap();
            cx.reset();
            let fast = cx.call_prim(id("prapply"), &[&connect, &a, &b]).unwrap();
            // Taking the elements out is paid by form.
            let toll = |a: &Value| toll::framed([a, &b]) as u64;
            let (spent, more) = (cx.spent() - toll(&a), toll(&plain));
            cx.reset();
            assert_eq!(fast, cx.call_prim(id("prapply"), &[&connect, &plain, &b]).unwrap());
            assert_eq!(spent + more, cx.spent());
            for budget in [1, spent / 3, spent / 2, spent - 1] {
                let fail = |a: &Value, more: u64| {
                    let mut cx = Caller::new(budget + more);
                    let error = cx.call_prim(id("prapply"), &[&connect, a, &b]).unwrap_err();
                    (error, cx.spent() - more)
                };
                assert_eq!(fail(&a, toll(&a)), fail(&plain, more));
            }
        }
    }
}
