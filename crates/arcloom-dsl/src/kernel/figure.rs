//! Lines, boxes and small patterns, drawn as bit rows.
//!
//! Callers have paid for what they ask for. Figures too large or too far out for bit rows are built
//! from single positions; the value is the same.

use arcloom_value::patch::{MAX_COORD, MAX_WORDS};
use arcloom_value::{Patch, PatchBuf, Value};

use super::mask::set_first;

/// Positions in a box, for the budget.
pub fn area(height: i64, width: i64) -> usize {
    usize::try_from(height.max(0).saturating_mul(width.max(0))).unwrap_or(usize::MAX)
}

/// About the positions along the edge of a box, for the budget.
pub fn outline(height: i64, width: i64) -> usize {
    let half = height.max(0).saturating_add(width.max(0));
    usize::try_from(half.saturating_mul(2)).unwrap_or(usize::MAX)
}

/// All positions of a box; the empty set unless both sides are positive.
pub fn rectangle(top: i64, left: i64, height: i64, width: i64) -> Value {
    if height <= 0 || width <= 0 {
        return Value::empty_set();
    }
    if !fits(top, left, height, width) {
        let row = |i: i64| (0..width).map(move |j| (top + i, left + j));
        return Value::indices(&(0..height).flat_map(row).collect::<Vec<_>>());
    }
    if let Some(patch) = narrow(top, left, height, width, height * width, |_| first_bits(width)) {
        return patch;
    }
    let mut buf = PatchBuf::indices(top, left, height as usize, width as usize);
    let stride = buf.stride();
    for row in buf.layer_mut(0).chunks_exact_mut(stride) {
        set_first(row, width as usize);
    }
    buf.into()
}

/// The positions along the edge of a box; the empty set unless both sides are positive.
pub fn ring(top: i64, left: i64, height: i64, width: i64) -> Value {
    if height <= 0 || width <= 0 {
        return Value::empty_set();
    }
    if !fits(top, left, height, width) {
        let (bottom, right) = (top + height - 1, left + width - 1);
        let mut edge = Vec::new();
        edge.extend((left..=right).flat_map(|j| [(top, j), (bottom, j)]));
        edge.extend((top..=bottom).flat_map(|i| [(i, left), (i, right)]));
        return Value::indices(&edge);
    }
    let inside = (height - 2).max(0) * (width - 2).max(0);
    let row = |i: i64| {
        if i == 0 || i == height - 1 { first_bits(width) } else { 1 | 1 << (width - 1) }
    };
    if let Some(patch) = narrow(top, left, height, width, height * width - inside, row) {
        return patch;
    }
    let (height, width) = (height as usize, width as usize);
    let mut buf = PatchBuf::indices(top, left, height, width);
    let stride = buf.stride();
    for (i, row) in buf.layer_mut(0).chunks_exact_mut(stride).enumerate() {
        if i == 0 || i == height - 1 {
            set_first(row, width);
        } else {
            row[0] |= 1;
            row[(width - 1) / 64] |= 1 << ((width - 1) % 64);
        }
    }
    buf.into()
}

/// The `len` positions `(i, j)`, `(i + di, j + dj)` and so on; both steps are -1, 0 or 1, and `len`
/// is at least 1 and small enough for the last position to exist.
pub fn line(i: i64, j: i64, di: i64, dj: i64, len: usize) -> Value {
    debug_assert!(len > 0 && di.abs() <= 1 && dj.abs() <= 1);
    let reach = len as i64 - 1;
    let (top, left) = (i.min(i + di * reach), j.min(j + dj * reach));
    let (height, width) = (di.abs() * reach + 1, dj.abs() * reach + 1);
    // A long diagonal in a window is nearly all window, and too large for a patch in the end.
    let is_sparse = height * ((width + 63) / 64) > MAX_WORDS as i64;
    if is_sparse || !fits(top, left, height, width) {
        let places = (0..len as i64).map(|n| (i + n * di, j + n * dj));
        return Value::indices(&places.collect::<Vec<_>>());
    }
    let row = |n: i64| match di * dj {
        0 => first_bits(width),
        1 => 1 << n,
        _ => 1 << (width - 1 - n),
    };
    if let Some(patch) = narrow(top, left, height, width, len as i64, row) {
        return patch;
    }
    let mut buf = PatchBuf::indices(top, left, height as usize, width as usize);
    if di == 0 {
        set_first(buf.layer_mut(0), width as usize);
    } else {
        let (mut row, mut col) = (i - top, j - left);
        for _ in 0..len {
            buf.set(row as usize, col as usize);
            (row, col) = (row + di, col + dj);
        }
    }
    buf.into()
}

/// How many positions the straight or diagonal line between two positions has; `None` when there is
/// no such line.
#[inline]
pub fn straight((ai, aj): (i64, i64), (bi, bj): (i64, i64)) -> Option<usize> {
    let (rows, columns) = (bi.abs_diff(ai), bj.abs_diff(aj));
    let straight = rows == 0 || columns == 0 || rows == columns;
    straight.then(|| usize::try_from(rows.max(columns)).unwrap_or(usize::MAX).saturating_add(1))
}

/// That line, with so many positions.
pub fn between((ai, aj): (i64, i64), (bi, bj): (i64, i64), len: usize) -> Value {
    let (top, left) = (ai.min(bi), aj.min(bj));
    match (ai == bi, aj == bj) {
        (true, _) => line(ai, left, 0, 1, len),
        (_, true) => line(top, aj, 1, 0, len),
        _ if (bi > ai) == (bj > aj) => line(top, left, 1, 1, len),
        _ => line(top, aj.max(bj), 1, -1, len),
    }
}

/// Three rows of three positions with this corner; bit 0 is the left one.
pub fn pattern(top: i64, left: i64, rows: [u64; 3]) -> Value {
    if !fits(top, left, 3, 3) {
        let at = |n: i64| (top + n / 3, left + n % 3);
        let set = (0..9).filter(|n| rows[n / 3] >> (n % 3) & 1 == 1);
        return Value::indices(&set.map(|n| at(n as i64)).collect::<Vec<_>>());
    }
    if let Some(patch) = Patch::tight((top, left), 3, None, &rows) {
        return Value::Patch(patch);
    }
    let mut buf = PatchBuf::indices(top, left, 3, 3);
    buf.layer_mut(0).copy_from_slice(&rows);
    buf.into()
}

/// The figure with this many positions and these rows of one word, which fill the box; `None` when
/// it is too large or too far out.
#[inline]
fn narrow(
    top: i64,
    left: i64,
    height: i64,
    width: i64,
    count: i64,
    row: impl Fn(i64) -> u64,
) -> Option<Value> {
    if width > 64 || height > MAX_WORDS as i64 {
        return None;
    }
    let rows = (0..height as usize).map(|n| row(n as i64));
    Patch::from_rows((top, left), width as u32, count as u32, rows).map(Value::Patch)
}

/// The first bits of a word; 1 to 64 of them.
fn first_bits(n: i64) -> u64 {
    u64::MAX >> (64 - n)
}

/// True unless a window of bit rows would be too large or too far out.
fn fits(top: i64, left: i64, height: i64, width: i64) -> bool {
    let inside = |n: i64| (-MAX_COORD..MAX_COORD).contains(&n);
    inside(top) && inside(left) && PatchBuf::fits(height, width, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(mut places: Vec<(i64, i64)>) -> Value {
        places.sort_unstable();
        Value::indices(&places)
    }

    #[test]
    fn figures_hold_the_positions_their_rules_name() {
        for height in [1, 2, 3, 40, 100] {
            for width in [1, 2, 3, 63, 64, 65, 128, 130] {
                let all = || (-5..height - 5).flat_map(|i| (7..width + 7).map(move |j| (i, j)));
                assert_eq!(rectangle(-5, 7, height, width), set(all().collect()));
                let edge =
                    |&(i, j): &(i64, i64)| i == -5 || i == height - 6 || j == 7 || j == width + 6;
                assert_eq!(ring(-5, 7, height, width), set(all().filter(edge).collect()));
            }
        }
    }

    #[test]
    fn lines_run_in_all_directions() {
        for len in [1, 2, 43, 64, 65, 300] {
            for (di, dj) in [(0, 1), (1, 0), (1, 1), (1, -1), (-1, 1), (0, -1)] {
                let places = (0..len as i64).map(|n| (3 + n * di, -4 + n * dj)).collect();
                assert_eq!(line(3, -4, di, dj, len), set(places), "{di} {dj} {len}");
            }
        }
    }

    #[test]
    fn figures_too_large_or_too_far_out_are_built_from_positions() {
        let far = 1 << 40;
        assert_eq!(pattern(far, 0, [0b010, 0b101, 0b010]).len(), Some(4));
        assert_eq!(rectangle(0, far, 2, 3).len(), Some(6));
        assert_eq!(ring(0, 0, 300_000, 2).len(), Some(600_000));
        assert_eq!(line(0, 0, 1, 1, 100_000).len(), Some(100_000));
        assert_eq!(rectangle(0, 0, -1, 3), Value::empty_set());
    }
}
