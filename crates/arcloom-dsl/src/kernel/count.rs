//! How often each colour occurs among the cells of a grid.

use smallvec::SmallVec;

/// Colours with their number of cells, colours ascending, none with 0 cells.
pub type ColorCounts = SmallVec<[(i8, u32); 12]>;

/// Cells that are compared at a time: few enough to be counted in a byte.
const CHUNK: usize = 240;

/// The colours of these cells and how often each occurs.
pub fn counts(cells: &[i8]) -> ColorCounts {
    // Comparing with -1 to 9 one after the other is vectorised and beats a table, whose entries are
    // waited for when neighbours have the same colour. -1 is rare, so it comes last.
    let mut usual = [0u32; 11];
    for chunk in cells.chunks(CHUNK) {
        let mut left = chunk.len() as u32;
        for k in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0] {
            let n = u32::from(count_chunk(chunk, k as i8 - 1));
            usual[k] += n;
            left -= n;
            if left == 0 {
                break;
            }
        }
        if left > 0 {
            return counts_by_table(cells);
        }
    }
    (-1..).zip(usual).filter(|&(_, n)| n > 0).collect()
}

#[inline]
fn count_chunk(chunk: &[i8], color: i8) -> u8 {
    chunk.iter().fold(0, |n, &c| n + u8::from(c == color))
}

fn counts_by_table(cells: &[i8]) -> ColorCounts {
    let mut table = [0u32; 256];
    for &c in cells {
        table[usize::from(c as u8)] += 1;
    }
    (i8::MIN..=i8::MAX).map(|c| (c, table[usize::from(c as u8)])).filter(|&(_, n)| n > 0).collect()
}

/// The number of cells with this colour.
pub fn count(cells: &[i8], color: i8) -> usize {
    cells.chunks(CHUNK).map(|chunk| usize::from(count_chunk(chunk, color))).sum()
}

/// The most frequent of these colours, the smallest one if several are; `None` if there is none.
pub fn most(counts: impl IntoIterator<Item = (i64, u32)>) -> Option<i64> {
    best(counts, |n, best| n > best)
}

/// The rarest of these colours, the smallest one if several are; `None` if there is none.
pub fn least(counts: impl IntoIterator<Item = (i64, u32)>) -> Option<i64> {
    best(counts, |n, best| n < best)
}

fn best(
    counts: impl IntoIterator<Item = (i64, u32)>,
    better: impl Fn(u32, u32) -> bool,
) -> Option<i64> {
    let mut counts = counts.into_iter();
    let first = counts.next()?;
    Some(counts.fold(first, |best, next| if better(next.1, best.1) { next } else { best }).0)
}

/// The most frequent colour of these cells, the smallest one if several are; `None` without cells.
pub fn most_color(cells: &[i8]) -> Option<i8> {
    most(counts(cells).into_iter().map(|(c, n)| (c.into(), n))).map(|c| c as i8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;

    #[test]
    fn counts_match_a_table() {
        let mut random = Random(3);
        for size in (0..50).chain([239, 240, 241, 900, 2500]) {
            for colors in
                [&[0, 8][..], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[-1, 3], &[-1, 0, 127, -128]]
            {
                let cells: Vec<i8> =
                    (0..size).map(|_| colors[random.below(colors.len())]).collect();
                assert_eq!(counts(&cells), counts_by_table(&cells));
                for &(c, n) in &counts(&cells) {
                    assert_eq!(count(&cells, c), n as usize);
                }
            }
        }
    }

    #[test]
    fn ties_go_to_the_smallest_colour() {
        assert_eq!(most_color(&[3, 1, 1, 3, 5]), Some(1));
        assert_eq!(least([(1, 2), (3, 1), (5, 1)]), Some(3));
        assert_eq!(most_color(&[]), None);
    }
}
