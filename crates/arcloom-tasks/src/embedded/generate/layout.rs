//! Tasks about putting grids together and taking them apart.

use super::Pair;
use super::dice::Dice;
use super::grid::{beside, blank, overlay, palette, stack, upend};

/// Four copies as a checkerboard: upright on one diagonal, upside down on the other.
pub(super) fn flip_checker(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[]);
    let (tall, wide) = (dice.range(2, 6), dice.range(2, 6));
    let input = dice.noise(tall, wide, &colors);
    let flipped = upend(&input);
    let output = stack(&beside(&input, &flipped), &beside(&flipped, &input));
    (input != flipped).then_some((input, output))
}

/// Of three panels above one another, two are the same; the other one comes out.
pub(super) fn odd_panel_out(dice: &mut Dice, index: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[]);
    let (tall, wide) = (dice.range(2, 5), dice.range(3, 9));
    let usual = dice.noise(tall, wide, &colors);
    let odd = dice.noise(tall, wide, &colors);
    let mut panels = [&usual, &usual, &usual];
    panels[(index + 1) % 3] = &odd;
    let input = stack(&stack(panels[0], panels[1]), panels[2]);
    (odd != usual).then_some((input, odd))
}

/// The frame is peeled off and what was in it is written three times side by side.
pub(super) fn peel_and_repeat(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(4, &[]);
    let (tall, wide) = (dice.range(2, 8), dice.range(2, 6));
    let core = dice.noise(tall, wide, &colors[1..]);
    let mut input = blank(tall + 2, wide + 2, colors[0]);
    overlay(&mut input, (1, 1), &core);
    let output = beside(&beside(&core, &core), &core);
    (palette(&core).len() > 1).then_some((input, output))
}
