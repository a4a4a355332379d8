//! Tasks about conditions.

use super::Pair;
use super::board::scatter;
use super::dice::Dice;
use super::grid::{beside, blank, count, crop, fill, mirror, upend};

/// A tall grid is turned upside down, a wide one is mirrored left to right.
pub(super) fn flip_long_way(dice: &mut Dice, index: usize) -> Option<Pair> {
    let colors = dice.colors(4, &[]);
    let short = dice.range(2, 6);
    let long = short + dice.range(1, 5);
    let (tall, wide) = if index.is_multiple_of(2) { (long, short) } else { (short, long) };
    let input = dice.noise(tall, wide, &colors);
    let output = if tall > wide { upend(&input) } else { mirror(&input) };
    Some((input, output))
}

/// Of three panels side by side, only cells alike in all of them stay; the others turn black.
pub(super) fn all_three_agree(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[]);
    let (tall, wide) = (dice.range(3, 6), dice.range(3, 6));
    let first = dice.noise(tall, wide, &colors);
    let mut panels = [first.clone(), first.clone(), first];
    for panel in &mut panels {
        for cell in scatter(dice, tall, wide, tall * wide / 4) {
            fill(panel, &[cell], dice.pick(&colors));
        }
    }
    let [a, b, c] = &panels;
    let mut output = blank(tall, wide, 0);
    for (i, row) in output.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate() {
            if a[i][j] == b[i][j] && b[i][j] == c[i][j] {
                *cell = a[i][j];
            }
        }
    }
    let is_clear = a != b && b != c && a != c && count(&output, 0) > 2;
    is_clear.then(|| (beside(&beside(a, b), c), output))
}

/// The upper half stays when the number of dots is even, the lower half when it is odd.
pub(super) fn parity_half(dice: &mut Dice, index: usize) -> Option<Pair> {
    let (half, wide) = (dice.range(2, 6), dice.range(3, 10));
    let dots = 2 * dice.range(1, half * wide / 3) + index % 2;
    let color = dice.color(&[]);
    let mut input = blank(2 * half, wide, 0);
    fill(&mut input, &scatter(dice, 2 * half, wide, dots), color);
    let (top, bottom) = (crop(&input, (0, 0), half, wide), crop(&input, (half, 0), half, wide));
    let output = if index.is_multiple_of(2) { top.clone() } else { bottom.clone() };
    (top != bottom && dots < half * wide && count(&output, color) > 0).then_some((input, output))
}
