//! Tasks about mirrors and turns.

use super::Pair;
use super::dice::Dice;
use super::grid::{Grid, beside, crop, half_turn, mirror, stack, transpose, upend};

/// Noise in three or four colours.
fn noise(dice: &mut Dice, height: usize, width: usize) -> Grid {
    let variety = dice.range(3, 4);
    let colors = dice.colors(variety, &[]);
    dice.noise(height, width, &colors)
}

/// The grid and, to its right, the same turned by half a turn.
pub(super) fn half_turn_right(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(2, 7), dice.range(2, 7));
    let input = noise(dice, tall, wide);
    let turned = half_turn(&input);
    (turned != mirror(&input)).then(|| (input.clone(), beside(&input, &turned)))
}

/// The grid, below it its transpose, and below that its half turn.
pub(super) fn stack_of_turns(dice: &mut Dice, _: usize) -> Option<Pair> {
    let side = dice.range(2, 6);
    let input = noise(dice, side, side);
    let (crossed, turned) = (transpose(&input), half_turn(&input));
    let output = stack(&stack(&input, &crossed), &turned);
    (input != crossed && crossed != turned).then_some((input, output))
}

/// The grid mirrored along the diagonal that rises to the right.
pub(super) fn anti_diagonal(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(2, 9), dice.range(2, 9));
    let input = noise(dice, tall, wide);
    let output = transpose(&half_turn(&input));
    (output != transpose(&input)).then_some((input, output))
}

/// The upper left quarter unfolds to the right and then down, over the other three.
pub(super) fn unfold_corner(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(2, 6), dice.range(2, 6));
    let input = noise(dice, 2 * tall, 2 * wide);
    let quarter = crop(&input, (0, 0), tall, wide);
    let top = beside(&quarter, &mirror(&quarter));
    Some((input, stack(&top, &upend(&top))))
}
