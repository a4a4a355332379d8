//! Tasks about making things larger.

use super::Pair;
use super::board::{Board, blob, slab};
use super::dice::Dice;
use super::grid::{blank, count, crop, overlay, palette, zoom};

/// The grid becomes as many times wider as it has red cells.
pub(super) fn stretch_by_red(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut urn = dice.colors(4, &[2]);
    urn.push(2);
    let (tall, wide) = (dice.range(2, 8), dice.range(2, 5));
    let input = dice.noise(tall, wide, &urn);
    let times = count(&input, 2);
    let output = zoom(&input, 1, times);
    (times > 1 && times * wide <= 20).then_some((input, output))
}

/// The block swells to twice its size, its upper left corner fixed.
pub(super) fn swell_block(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(2, 4), dice.range(2, 4));
    let (below, right) = (dice.range(0, 5), dice.range(0, 5));
    let start = (dice.range(1, 5), dice.range(1, 5));
    let colors = dice.colors(3, &[]);
    let block = dice.noise(tall, wide, &colors);
    let mut input = blank(start.0 + 2 * tall + below, start.1 + 2 * wide + right, 0);
    overlay(&mut input, start, &block);
    let mut output = input.clone();
    overlay(&mut output, start, &zoom(&block, 2, 2));
    (palette(&block).len() > 1).then_some((input, output))
}

/// The object is cut out and enlarged as many times as it is wide.
pub(super) fn zoom_by_own_width(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(2, 4), dice.range(2, 4));
    let colors = dice.colors(2, &[]);
    let mut board = Board::new(dice.range(5, 12), dice.range(5, 12), 0);
    let shape = if dice.chance(80) { blob(dice, tall, wide) } else { slab(tall, wide) };
    board.put(dice, &shape, colors[0], 0)?;
    let piece = board.pieces[0].clone();
    for &(i, j) in &piece.cells {
        board.grid[i][j] = dice.pick(&colors);
    }
    let grid = board.finish()?;
    let cut = crop(&grid, (piece.top, piece.left), tall, wide);
    (palette(&grid).len() == 3).then(|| (grid, zoom(&cut, wide, wide)))
}
