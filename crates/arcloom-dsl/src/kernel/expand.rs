//! Runs of bits, and enlarging bit rows by a whole factor.

/// Calls `visit(from, to)` for every run of ones, lowest first.
#[inline]
pub fn runs(mut bits: u64, mut visit: impl FnMut(usize, usize)) {
    while bits != 0 {
        let from = bits.trailing_zeros();
        let length = (!(bits >> from)).trailing_zeros();
        visit(from as usize, (from + length) as usize);
        // The carry of this sum runs through the lowest run and clears it.
        bits &= bits.wrapping_add(1 << from);
    }
}

/// The word with the lowest `n` bits set; all of them from 64 on.
#[inline]
pub fn low_bits(n: usize) -> u64 {
    if n >= 64 { !0 } else { (1 << n) - 1 }
}

/// Sets the bits `from..to` of a row.
#[inline]
pub fn set_range(row: &mut [u64], from: usize, to: usize) {
    debug_assert!(from <= to && to <= row.len() * 64);
    for (k, word) in row.iter_mut().enumerate().take(to.div_ceil(64)).skip(from / 64) {
        *word |= low_bits(to - k * 64) & !low_bits(from.saturating_sub(k * 64));
    }
}

/// Writes the bit rows with every bit made `factor` x `factor` bits into `out`, which must be empty.
pub fn enlarge(rows: &[u64], stride: usize, factor: usize, out: &mut [u64], out_stride: usize) {
    debug_assert!(
        stride > 0 && factor > 0 && out.len() == rows.len() / stride * factor * out_stride
    );
    for (row, block) in rows.chunks_exact(stride).zip(out.chunks_exact_mut(factor * out_stride)) {
        let (first, others) = block.split_at_mut(out_stride);
        for (k, &bits) in row.iter().enumerate() {
            runs(bits, |from, to| {
                set_range(first, (k * 64 + from) * factor, (k * 64 + to) * factor);
            });
        }
        others.chunks_exact_mut(out_stride).for_each(|copy| copy.copy_from_slice(first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_reach_both_ends() {
        let of = |bits| {
            let mut seen = Vec::new();
            runs(bits, |from, to| seen.push((from, to)));
            seen
        };
        assert_eq!(of(0), []);
        assert_eq!(of(!0), [(0, 64)]);
        assert_eq!(of(1 << 63 | 0b0110_1101), [(0, 1), (2, 4), (5, 7), (63, 64)]);
    }

    #[test]
    fn ranges_cross_words() {
        let mut row = [0; 3];
        set_range(&mut row, 60, 130);
        assert_eq!(row, [!0 << 60, !0, 0b11]);
        let mut row = [0; 2];
        set_range(&mut row, 64, 64);
        set_range(&mut row, 0, 64);
        assert_eq!(row, [!0, 0]);
    }

    #[test]
    fn enlarging_agrees_with_a_plain_loop() {
        for factor in 1..6 {
            let rows = [0x8000_0000_0000_0005u64, 0b1011, 0, 1 << 5];
            let (width, stride) = (128usize, 2);
            let wide = (width * factor).div_ceil(64);
            let mut out = vec![0; rows.len() / stride * factor * wide];
            enlarge(&rows, stride, factor, &mut out, wide);
            for i in 0..2 * factor {
                for j in 0..width * factor {
                    let (r, c) = (i / factor, j / factor);
                    let wanted = rows[r * stride + c / 64] >> (c % 64) & 1;
                    assert_eq!(out[i * wide + j / 64] >> (j % 64) & 1, wanted, "{factor} {i} {j}");
                }
            }
        }
    }
}
