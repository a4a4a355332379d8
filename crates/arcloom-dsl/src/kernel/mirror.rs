//! Mirrors and transposes of cell blocks and of bit rows.

/// Turns the rows of a block of bit rows upside down.
pub fn reverse_rows(rows: &mut [u64], stride: usize) {
    debug_assert!(stride > 0 && rows.len().is_multiple_of(stride));
    rows.reverse();
    if stride > 1 {
        rows.chunks_exact_mut(stride).for_each(<[u64]>::reverse);
    }
}

/// Mirrors bit rows of `width` columns left to right.
pub fn reverse_columns(rows: &mut [u64], stride: usize, width: usize) {
    debug_assert!(stride > 0 && stride == width.div_ceil(64));
    let spare = stride * 64 - width;
    if stride == 1 {
        rows.iter_mut().for_each(|bits| *bits = bits.reverse_bits() >> spare);
        return;
    }
    for row in rows.chunks_exact_mut(stride) {
        row.reverse();
        row.iter_mut().for_each(|bits| *bits = bits.reverse_bits());
        if spare > 0 {
            for k in 0..stride {
                let next = row.get(k + 1).copied().unwrap_or(0);
                row[k] = row[k] >> spare | next << (64 - spare);
            }
        }
    }
}

/// Writes the transpose of some bit rows into `out`, which must be empty and have a row for every
/// column that is occupied.
pub fn transpose(rows: &[u64], stride: usize, out: &mut [u64], out_stride: usize) {
    debug_assert!(stride > 0 && rows.len() / stride <= out_stride * 64);
    for (n, band) in rows.chunks(8 * stride).enumerate() {
        // Eight divides 64, so a band of eight rows becomes one byte within a word.
        let (word, shift) = (n / 8, n % 8 * 8);
        for k in 0..stride {
            let mut lines = [0u64; 8];
            for (line, row) in lines.iter_mut().zip(band.chunks_exact(stride)) {
                *line = row[k];
            }
            let mut any = lines.iter().fold(0, |all, line| all | line);
            while any != 0 {
                let from = any.trailing_zeros() / 8 * 8;
                any &= !(0xff << from);
                let block =
                    (0..).zip(lines).fold(0, |b, (r, line)| b | (line >> from & 0xff) << (8 * r));
                let mut columns = transpose_8x8(block);
                let mut at = (k * 64 + from as usize) * out_stride + word;
                while columns != 0 {
                    if columns & 0xff != 0 {
                        out[at] |= (columns & 0xff) << shift;
                    }
                    columns >>= 8;
                    at += out_stride;
                }
            }
        }
    }
}

/// Moves bit `8 r + c` to bit `8 c + r`, by swapping ever larger blocks.
fn transpose_8x8(mut x: u64) -> u64 {
    for (by, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let moved = (x ^ x >> by) & mask;
        x ^= moved ^ moved << by;
    }
    x
}

/// Writes the transpose of a block of cells `width` wide into `out`.
#[inline]
pub fn transpose_cells(cells: &[i8], width: usize, out: &mut [i8]) {
    debug_assert!(width > 0 && cells.len() == out.len());
    let height = cells.len() / width;
    for (j, line) in out.chunks_exact_mut(height).enumerate() {
        for (to, row) in line.iter_mut().zip(cells.chunks_exact(width)) {
            *to = row[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit rows with about a third of the `height` x `width` places occupied.
    fn sample(height: usize, width: usize, seed: u64) -> Vec<u64> {
        let stride = width.div_ceil(64);
        let mut rows = vec![0; height * stride];
        let mut state = seed;
        for i in 0..height {
            for j in 0..width {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if state >> 33 & 3 == 0 {
                    rows[i * stride + j / 64] |= 1 << (j % 64);
                }
            }
        }
        rows
    }

    fn bit(rows: &[u64], stride: usize, i: usize, j: usize) -> bool {
        rows[i * stride + j / 64] >> (j % 64) & 1 == 1
    }

    #[test]
    fn every_bit_lands_where_a_plain_loop_puts_it() {
        for (n, (h, w)) in
            [(1usize, 1usize), (3, 5), (8, 8), (9, 64), (64, 9), (30, 65), (131, 70), (5, 200)]
                .into_iter()
                .enumerate()
        {
            let (stride, turned) = (w.div_ceil(64), h.div_ceil(64));
            let rows = sample(h, w, n as u64);
            let (mut upside_down, mut mirrored) = (rows.clone(), rows.clone());
            let mut out = vec![0; w * turned];
            reverse_rows(&mut upside_down, stride);
            reverse_columns(&mut mirrored, stride, w);
            transpose(&rows, stride, &mut out, turned);
            for i in 0..h {
                for j in 0..w {
                    let wanted = bit(&rows, stride, i, j);
                    assert_eq!(bit(&upside_down, stride, h - 1 - i, j), wanted, "{h} x {w}");
                    assert_eq!(bit(&mirrored, stride, i, w - 1 - j), wanted, "{h} x {w}");
                    assert_eq!(bit(&out, turned, j, i), wanted, "{h} x {w}");
                }
            }
            let count = |rows: &[u64]| rows.iter().map(|bits| bits.count_ones()).sum::<u32>();
            assert_eq!(count(&mirrored), count(&rows), "nothing beyond the width");
            assert_eq!(count(&out), count(&rows));
        }
    }

    #[test]
    fn cells_transpose() {
        let mut out = [0; 6];
        transpose_cells(&[1, 2, 3, 4, 5, 6], 3, &mut out);
        assert_eq!(out, [1, 4, 2, 5, 3, 6]);
    }
}
