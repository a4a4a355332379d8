//! Tasks about telling objects apart.

use super::Pair;
use super::board::{Board, blob};
use super::dice::Dice;
use super::grid::{blank, fill};

/// Objects of random shape and colour, at most `side` cells tall and wide.
fn strew(dice: &mut Dice, board: &mut Board, count: usize, side: usize) -> Option<()> {
    for _ in 0..count {
        let (tall, wide) = (dice.range(1, side), dice.range(1, side));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[board.background]));
        board.put(dice, &shape, color, 0)?;
    }
    Some(())
}

/// Objects that touch the edge of the grid disappear.
pub(super) fn clear_edge(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(8, 18), dice.range(8, 18), background);
    let pieces = dice.range(4, 7);
    strew(dice, &mut board, pieces, 4)?;
    let mut output = board.grid.clone();
    let mut cleared = 0;
    for piece in &board.pieces {
        if piece.is_at_edge(board.height(), board.width()) {
            fill(&mut output, &piece.cells, background);
            cleared += 1;
        }
    }
    Some((board.finish()?, output)).filter(|_| cleared > 1 && pieces > cleared + 1)
}

/// A yellow column with one cell for every object.
pub(super) fn tally(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(7, 14), dice.range(7, 14), background);
    let pieces = dice.range(2, 9);
    strew(dice, &mut board, pieces, 3)?;
    Some((board.finish()?, blank(pieces, 1, 4)))
}

/// The largest object takes on the colour of the smallest.
pub(super) fn largest_like_smallest(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(8, 16), dice.range(8, 16), background);
    let pieces = dice.range(3, 5);
    strew(dice, &mut board, pieces, 5)?;
    let (largest, smallest) = (board.greatest(|p| p.size())?, board.smallest(|p| p.size())?);
    let mut output = board.grid.clone();
    fill(&mut output, &largest.cells, smallest.color);
    Some((board.finish()?, output)).filter(|_| largest.color != smallest.color)
}
