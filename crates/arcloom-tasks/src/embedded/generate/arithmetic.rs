//! Tasks about counting and calculating.

use super::Pair;
use super::board::scatter;
use super::dice::Dice;
use super::grid::{blank, count, fill, height, least, most, overlay, width};

/// Half as many as there are dots is the side of the square that comes out, in the dots' colour.
pub(super) fn half_count_square(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (height, width) = (dice.range(5, 12), dice.range(5, 12));
    let (side, color) = (dice.range(1, 6), dice.color(&[]));
    let mut input = blank(height, width, 0);
    fill(&mut input, &scatter(dice, height, width, 2 * side), color);
    (least(&input) == Some(color)).then(|| (input, blank(side, side, color)))
}

/// The grid lies in the middle of a black one with sides twice as long.
pub(super) fn center_in_double(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[]);
    let (tall, wide) = (dice.range(2, 8), dice.range(2, 8));
    let input = dice.noise(tall, wide, &colors);
    let mut output = blank(2 * height(&input), 2 * width(&input), 0);
    overlay(&mut output, (tall / 2, wide / 2), &input);
    Some((input, output))
}

/// A row as long as the more frequent of two colours is ahead of the other, in that colour.
pub(super) fn count_difference(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(2, &[]);
    let (tall, wide) = (dice.range(3, 6), dice.range(3, 6));
    let input = dice.noise(tall, wide, &[colors[0], colors[0], colors[1]]);
    let (many, few) = (most(&input)?, least(&input)?);
    let ahead = count(&input, many) - count(&input, few);
    (many != few && (2..=12).contains(&ahead)).then(|| (input, blank(1, ahead, many)))
}
