//! Tasks about drawing on the grid.

use super::Pair;
use super::board::{Board, blob, slab};
use super::dice::Dice;
use super::grid::{Grid, beside, cells, fill};

/// A green ring is drawn around the largest object.
pub(super) fn ring_largest(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[3]);
    let mut board = Board::new(dice.range(9, 18), dice.range(9, 18), background);
    for _ in 0..dice.range(2, 5) {
        let (tall, wide) = (dice.range(1, 4), dice.range(1, 4));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[3, background]));
        board.put(dice, &shape, color, 1)?;
    }
    let largest = board.greatest(|piece| piece.size())?;
    let mut output = board.grid.clone();
    let (tall, wide) = (largest.height + 2, largest.width + 2);
    for (i, j) in slab(tall, wide) {
        if i == 0 || j == 0 || i + 1 == tall || j + 1 == wide {
            fill(&mut output, &[(largest.top + i - 1, largest.left + j - 1)], 3);
        }
    }
    Some((board.finish()?, output))
}

/// In every full rectangle the ring of cells next to the outermost one turns yellow.
pub(super) fn inner_rings(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[4]);
    let mut board = Board::new(dice.range(10, 18), dice.range(10, 18), background);
    for _ in 0..dice.range(2, 3) {
        let (tall, wide) = (dice.range(3, 7), dice.range(3, 7));
        let color = dice.color(&[4, background]);
        board.put(dice, &slab(tall, wide), color, 0)?;
    }
    let mut output = board.grid.clone();
    for piece in &board.pieces {
        for (i, j) in piece.normal() {
            let (low, right) = (piece.height - 1 - i, piece.width - 1 - j);
            if [i, j, low, right].into_iter().min() == Some(1) {
                output[piece.top + i][piece.left + j] = 4;
            }
        }
    }
    let is_clear = board.pieces.iter().any(|piece| piece.height.min(piece.width) > 4);
    Some((board.finish()?, output)).filter(|_| is_clear)
}

/// What is drawn on the left half is laid over the right half.
pub(super) fn left_over_right(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(4, 10), dice.range(4, 9));
    let colors = dice.colors(4, &[]);
    let left = sketch(dice, tall, wide, &colors[..2])?;
    let right = sketch(dice, tall, wide, &colors[2..])?;
    let mut output = right.clone();
    let mut hidden = 0;
    for (cell, color) in cells(&left).filter(|&(_, color)| color != 0) {
        hidden += usize::from(output[cell.0][cell.1] != 0);
        fill(&mut output, &[cell], color);
    }
    (hidden > 0 && output != left).then(|| (beside(&left, &right), output))
}

/// One object of each colour on black.
fn sketch(dice: &mut Dice, height: usize, width: usize, colors: &[u8]) -> Option<Grid> {
    let mut board = Board::new(height, width, 0);
    for &color in colors {
        let (tall, wide) = (dice.range(1, 4), dice.range(1, 4));
        let shape = blob(dice, tall, wide);
        board.put(dice, &shape, color, 0)?;
    }
    board.finish()
}
