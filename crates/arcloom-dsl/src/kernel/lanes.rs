//! Comparing 64 cells at a time.
//!
//! The comparison of bytes is left to the compiler, which turns it into vector instructions; eight
//! answers of one byte each are then gathered into bits by one multiplication.

use super::mask::Words;

/// Bit `k` says whether flag `k`, which is 0 or 1, is set.
#[inline]
fn gather(flags: &[u8; 64]) -> u64 {
    let (eights, _) = flags.as_chunks::<8>();
    let byte = |flags: &[u8; 8]| {
        // Flag k moves to bit 56 + k; nothing else reaches the topmost byte.
        u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    (0..).step_by(8).zip(eights).fold(0, |bits, (at, flags)| bits | byte(flags) << at)
}

/// One bit per cell that has this colour, in the order of the cells, and a word of zeros.
pub fn of_color(cells: &[i8], color: i8) -> Words {
    let (blocks, rest) = cells.as_chunks::<64>();
    let bits = |block: &[i8; 64]| gather(&block.map(|cell| u8::from(cell == color)));
    let mut words: Words = blocks.iter().map(bits).collect();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    words.extend([bits(&last) & ((1 << rest.len()) - 1), 0]);
    words
}

/// The `width` bits from bit `at` on, at most 64.
#[inline]
pub fn row(bits: &[u64], at: usize, width: usize) -> u64 {
    debug_assert!((1..=64).contains(&width));
    let (word, shift) = (at / 64, at % 64);
    // Two shifts, as one by 64 is not allowed.
    (bits[word] >> shift | bits[word + 1] << 1 << (63 - shift)) & (u64::MAX >> (64 - width))
}

/// One bit per cell that differs from the one before it, in the order of the cells, 64 to a word.
/// The first cell does not.
pub fn changes(cells: &[i8]) -> impl Iterator<Item = u64> + '_ {
    let mut before = cells.first().copied().unwrap_or(0);
    cells.chunks(64).map(move |block| {
        // The cells of the block, the one before them, and copies of the last one.
        let last = block[block.len() - 1];
        let mut window = [last; 65];
        window[0] = before;
        window[1..=block.len()].copy_from_slice(block);
        before = last;
        let mut flags = [0; 64];
        for k in 0..64 {
            flags[k] = u8::from(window[k] != window[k + 1]);
        }
        gather(&flags)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;

    #[test]
    fn bits_match_a_look_at_every_cell() {
        let mut random = Random(5);
        for len in (1..140).chain([191, 192, 193, 900]) {
            let cells: Vec<i8> = (0..len).map(|_| [-128, -1, 0, 127][random.below(4)]).collect();
            for color in [-128, -1, 0, 127, 5] {
                let bits = of_color(&cells, color);
                assert!(
                    (0..bits.len() * 64)
                        .all(|k| (bits[k / 64] >> (k % 64) & 1 == 1)
                            == (cells.get(k) == Some(&color)))
                );
                for width in 1..=len.min(64) {
                    let at = random.below(len - width + 1);
                    let row = row(&bits, at, width);
                    assert!(
                        (0..64).all(|k| {
                            (row >> k & 1 == 1) == (k < width && cells[at + k] == color)
                        })
                    );
                }
            }
            let changes: Vec<u64> = changes(&cells).collect();
            assert!((0..changes.len() * 64).all(|k| {
                let change = 0 < k && k < len && cells[k] != cells[k - 1];
                (changes[k / 64] >> (k % 64) & 1 == 1) == change
            }));
        }
    }
}
