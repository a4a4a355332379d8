//! Cells of one colour as bit rows, and bit rows that lie somewhere on the plane.

use arcloom_value::patch::MAX_WORDS;
use arcloom_value::{Grid, Patch, PatchBuf, Value};
use smallvec::SmallVec;

/// Words of bit rows, on the stack for everything up to 64 rows.
pub type Words = SmallVec<[u64; 64]>;

/// Writes one bit per cell of `grid` that has this colour: row by row, `width.div_ceil(64)` words
/// each, bit 0 being column 0. Every word of `out` is written.
pub fn color_rows(grid: &Grid, color: i8, out: &mut [u64]) {
    let (cells, width) = (grid.cells(), grid.width());
    let stride = width.div_ceil(64);
    debug_assert_eq!(out.len(), grid.height() * stride);
    let wanted = u64::from_ne_bytes([color as u8; 8]);
    if stride == 1 {
        let mask = u64::MAX >> (64 - width);
        for (i, word) in out.iter_mut().enumerate() {
            let chunks = (0..width).step_by(8);
            let bits = chunks.map(|j| equal_bytes(load(cells, i * width + j), wanted) << j);
            // The last load of a row may have read on into the next one.
            *word = bits.fold(0, |row, bits| row | bits) & mask;
        }
        return;
    }
    for (i, row) in out.chunks_exact_mut(stride).enumerate() {
        row.fill(0);
        for j in (0..width).step_by(8) {
            row[j / 64] |= equal_bytes(load(cells, i * width + j), wanted) << (j % 64);
        }
        if width % 64 != 0 {
            row[stride - 1] &= (1 << (width % 64)) - 1;
        }
    }
}

/// The positions of the cells with this colour; `None` when the grid is too large for bit rows.
pub fn of_color(grid: &Grid, color: i8) -> Option<Value> {
    let (height, width) = (grid.height(), grid.width());
    if !PatchBuf::fits(height as i64, width as i64, 1) {
        return None;
    }
    if width <= 64 && height <= MAX_WORDS {
        let mut rows = Words::new();
        rows.resize(height, 0);
        color_rows(grid, color, &mut rows);
        let found = Patch::tight((0, 0), height, None, &rows);
        return Some(found.map_or_else(Value::empty_set, Value::Patch));
    }
    let mut buf = PatchBuf::indices(0, 0, height, width);
    color_rows(grid, color, buf.layer_mut(0));
    Some(buf.into())
}

/// The eight cells from `at` on, the first in the lowest byte; zeros past the end.
#[inline]
pub(super) fn load(cells: &[i8], at: usize) -> u64 {
    if let Some(bytes) = cells.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        return u64::from_le_bytes(bytes.map(|c| c as u8));
    }
    let mut bytes = [0; 8];
    for (byte, &c) in bytes.iter_mut().zip(&cells[at..]) {
        *byte = c as u8;
    }
    u64::from_le_bytes(bytes)
}

/// Bit `k` of the result says whether byte `k` of both words is the same.
#[inline]
fn equal_bytes(a: u64, b: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // A byte of `x` is zero where both agree; then, and only then, its top bit stays clear.
    let x = a ^ b;
    let same = !(((x & LOW) + LOW) | x | LOW) >> 7;
    // Gathers the lowest bits of the eight bytes in the topmost byte.
    same.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Sets the first `width` bits of a row.
#[inline]
pub fn set_first(row: &mut [u64], width: usize) {
    debug_assert!(width <= row.len() * 64);
    row[..width / 64].fill(u64::MAX);
    if !width.is_multiple_of(64) {
        row[width / 64] |= (1 << (width % 64)) - 1;
    }
}

/// The 64 bits of a row from bit `at` on; bits before the row and after it are 0.
#[inline]
pub fn window(row: &[u64], at: i64) -> u64 {
    match (row, at) {
        (&[word], 0..64) => return word >> at,
        (&[word], -63..0) => return word << -at,
        ([] | [_], _) => return 0,
        _ => {}
    }
    let word = |n: i64| usize::try_from(n).ok().and_then(|n| row.get(n)).copied().unwrap_or(0);
    let (n, shift) = (at.div_euclid(64), at.rem_euclid(64));
    if shift == 0 { word(n) } else { word(n) >> shift | word(n + 1) << (64 - shift) }
}

/// One layer of bit rows with its place on the plane. Coordinates stay far from the ends of `i64`.
#[derive(Debug, Clone, Copy)]
pub struct Mask<'a> {
    /// First row.
    pub top: i64,
    /// Column of bit 0.
    pub left: i64,
    /// Number of rows.
    pub height: usize,
    /// Number of columns.
    pub width: usize,
    /// The rows, `width.div_ceil(64)` words each.
    pub words: &'a [u64],
}

impl<'a> Mask<'a> {
    /// The positions of a patch, colours left out; `scratch` holds them if there are several.
    pub fn new(patch: &'a Patch, scratch: &'a mut Words) -> Mask<'a> {
        let frame = patch.frame();
        let words = if patch.layer_count() == 1 {
            patch.layer(0)
        } else {
            scratch.clear();
            scratch.extend_from_slice(patch.layer(0));
            for k in 1..patch.layer_count() {
                for (word, bits) in scratch.iter_mut().zip(patch.layer(k)) {
                    *word |= bits;
                }
            }
            scratch
        };
        Mask {
            top: frame.top.into(),
            left: frame.left.into(),
            height: frame.height as usize,
            width: frame.width as usize,
            words,
        }
    }

    /// Words per row.
    #[inline]
    pub fn stride(&self) -> usize {
        self.width.div_ceil(64)
    }

    /// The words of the row at this height, empty outside.
    #[inline]
    pub fn row(&self, i: i64) -> &'a [u64] {
        let stride = self.stride();
        match usize::try_from(i - self.top) {
            Ok(n) if n < self.height => &self.words[n * stride..(n + 1) * stride],
            _ => &[],
        }
    }

    /// The 64 positions of a row from column `j` on.
    #[inline]
    pub fn bits(&self, i: i64, j: i64) -> u64 {
        window(self.row(i), j - self.left)
    }

    /// One bit per column that holds a position, bit 0 being column `left`.
    pub fn columns(&self) -> SmallVec<[u64; 8]> {
        let stride = self.stride();
        let mut columns = SmallVec::from_elem(0, stride);
        for row in self.words.chunks_exact(stride) {
            for (column, bits) in columns.iter_mut().zip(row) {
                *column |= bits;
            }
        }
        columns
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small generator (xorshift) that repeats from run to run.
    pub(crate) struct Random(pub(crate) u64);

    impl Random {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        pub(crate) fn below(&mut self, n: usize) -> usize {
            (self.next() >> 11) as usize % n
        }
    }

    #[test]
    fn color_rows_match_a_look_at_every_cell() {
        let mut random = Random(1);
        for width in (1..=20).chain(60..=70).chain([127, 128, 129, 200]) {
            for height in [1, 2, 5] {
                let cells: Vec<i8> =
                    (0..height * width).map(|_| [-128, -1, 0, 1, 127][random.below(5)]).collect();
                let grid = Grid::new(height, width, &cells).unwrap();
                let stride = width.div_ceil(64);
                for color in [-128, -1, 0, 1, 127, 5] {
                    let mut rows = vec![u64::MAX; height * stride];
                    color_rows(&grid, color, &mut rows);
                    for i in 0..height {
                        for j in 0..stride * 64 {
                            let bit = rows[i * stride + j / 64] >> (j % 64) & 1 == 1;
                            assert_eq!(bit, j < width && cells[i * width + j] == color);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn window_reads_bits_at_any_offset() {
        let mut random = Random(2);
        for len in 0..4usize {
            let row: Vec<u64> = (0..len).map(|_| random.next()).collect();
            let bit = |at: i64| {
                let n = usize::try_from(at).unwrap_or(usize::MAX);
                row.get(n / 64).is_some_and(|w| w >> (n % 64) & 1 == 1)
            };
            for at in -200..300 {
                let bits = window(&row, at);
                assert!((0..64).all(|k| (bits >> k & 1 == 1) == bit(at + k)), "{len} {at}");
            }
        }
    }

    #[test]
    fn set_first_sets_just_these() {
        for width in 0..=192 {
            let mut row = [0; 3];
            set_first(&mut row, width);
            assert_eq!(row.iter().map(|w| w.count_ones() as usize).sum::<usize>(), width);
            assert_eq!(width == 0, row[0] & 1 == 0);
        }
    }
}
