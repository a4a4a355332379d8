//! Tasks about which colours there are and how often.

use super::Pair;
use super::dice::Dice;
use super::grid::{blank, least, most, palette};

/// The most common and the least common colour change places.
pub(super) fn swap_most_least(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(4, &[]);
    let (tall, wide) = (dice.range(3, 10), dice.range(3, 10));
    let input = dice.noise(tall, wide, &[colors[0], colors[0], colors[1], colors[2], colors[3]]);
    let (many, few) = (most(&input)?, least(&input)?);
    let swap = |color: u8| match color {
        c if c == many => few,
        c if c == few => many,
        c => c,
    };
    let output = input.iter().map(|row| row.iter().map(|&c| swap(c)).collect()).collect();
    (palette(&input).len() > 2).then_some((input, output))
}

/// A square in the least common colour, its side as long as there are colours.
pub(super) fn palette_square(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide, variety) = (dice.range(3, 9), dice.range(3, 9), dice.range(2, 6));
    let colors = dice.colors(variety, &[]);
    let input = dice.noise(tall, wide, &colors);
    let (few, side) = (least(&input)?, palette(&input).len());
    (side > 1 && (side, side) != (tall, wide)).then(|| (input, blank(side, side, few)))
}

/// All colours but the most common one turn into the least common one.
pub(super) fn rare_takes_over(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(4, &[]);
    let mut urn = vec![colors[0]; 6];
    urn.extend(&colors[1..]);
    let (tall, wide) = (dice.range(4, 12), dice.range(4, 12));
    let input = dice.noise(tall, wide, &urn);
    let (many, few) = (most(&input)?, least(&input)?);
    let turn = |&color: &u8| if color == many { many } else { few };
    let output = input.iter().map(|row| row.iter().map(turn).collect()).collect();
    (palette(&input).len() == 4).then_some((input, output))
}
