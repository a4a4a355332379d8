//! Tasks about sizes and distances.

use super::Pair;
use super::board::{Board, blob, scatter, slab};
use super::dice::Dice;
use super::grid::{blank, crop, fill};

/// The tallest object is cut out; another one has more cells.
pub(super) fn crop_tallest(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(9, 16), dice.range(9, 16), background);
    for (height, width) in [
        (dice.range(4, 6), dice.range(1, 3)),
        (dice.range(2, 3), dice.range(4, 7)),
        (dice.range(1, 4), dice.range(1, 4)),
    ] {
        let (shape, color) = (blob(dice, height, width), dice.color(&[background]));
        board.put(dice, &shape, color, 0)?;
    }
    let tallest = board.greatest(|piece| piece.height)?;
    let is_clear = board.pieces.iter().any(|piece| piece.size() > tallest.size());
    let grid = board.finish()?;
    let output = crop(&grid, (tallest.top, tallest.left), tallest.height, tallest.width);
    is_clear.then_some((grid, output))
}

/// Straight upright bars turn light blue; lying bars and thicker objects do not.
pub(super) fn mark_upright_bars(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut board = Board::new(dice.range(8, 16), dice.range(8, 16), 0);
    let long = |dice: &mut Dice| dice.range(2, 5);
    let mut shapes = vec![slab(long(dice), 1), slab(1, long(dice)), blob(dice, 3, 2)];
    for _ in 0..dice.range(0, 3) {
        shapes.push(if dice.chance(60) { slab(long(dice), 1) } else { slab(2, long(dice)) });
    }
    for shape in shapes {
        let color = dice.color(&[8]);
        board.put(dice, &shape, color, 0)?;
    }
    let mut output = board.grid.clone();
    for piece in board.pieces.iter().filter(|piece| piece.width == 1) {
        fill(&mut output, &piece.cells, 8);
    }
    Some((board.finish()?, output))
}

/// A green row as long as the way from the blue to the red dot, in steps along rows and columns.
pub(super) fn distance_strip(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(4, 12), dice.range(4, 12));
    let dots = scatter(dice, tall, wide, 2);
    let mut input = blank(tall, wide, 0);
    fill(&mut input, &dots[..1], 1);
    fill(&mut input, &dots[1..], 2);
    let way = dots[0].0.abs_diff(dots[1].0) + dots[0].1.abs_diff(dots[1].1);
    let is_clear = dots[0].0 != dots[1].0 && dots[0].1 != dots[1].1;
    is_clear.then(|| (input, blank(1, way, 3)))
}
