//! Tasks about where things are and where they go.

use super::Pair;
use super::board::{Board, Piece, blob};
use super::dice::Dice;
use super::grid::{Cell, blank, fill};

/// The object sinks by its own height.
pub(super) fn sink_by_height(dice: &mut Dice, index: usize) -> Option<Pair> {
    let (background, color) = (0, dice.color(&[]));
    let (tall, wide) = ([2, 3, 1, 4][index % 4], dice.range(1, 5));
    let mut board = Board::new(dice.range(6, 14), dice.range(6, 14), background);
    let shape = blob(dice, tall, wide);
    board.put(dice, &shape, color, 0)?;
    let piece = &board.pieces[0];
    if piece.top + 2 * tall > board.height() {
        return None;
    }
    let mut output = blank(board.height(), board.width(), background);
    let cells: Vec<Cell> = piece.cells.iter().map(|&(i, j)| (i + tall, j)).collect();
    fill(&mut output, &cells, color);
    Some((board.finish()?, output))
}

/// The middle of the box that the dots span turns green.
pub(super) fn mark_center(dice: &mut Dice, _: usize) -> Option<Pair> {
    let color = dice.color(&[3]);
    let (half_tall, half_wide) = (dice.range(1, 4), dice.range(1, 4));
    let mut shape =
        vec![(0, dice.range(0, 2 * half_wide)), (2 * half_tall, dice.range(0, 2 * half_wide))];
    shape
        .extend([(dice.range(0, 2 * half_tall), 0), (dice.range(0, 2 * half_tall), 2 * half_wide)]);
    let mut board = Board::new(dice.range(7, 14), dice.range(7, 14), 0);
    board.put(dice, &shape, color, 0)?;
    let piece = &board.pieces[0];
    let middle = (piece.top + half_tall, piece.left + half_wide);
    let mut output = board.grid.clone();
    fill(&mut output, &[middle], 3);
    Some((board.finish()?, output)).filter(|_| !piece.cells.contains(&middle))
}

/// All objects together move up and left until both edges of the grid are touched.
pub(super) fn all_to_corner(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(7, 14), dice.range(7, 14), background);
    for _ in 0..dice.range(2, 3) {
        let (tall, wide) = (dice.range(1, 3), dice.range(1, 3));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[background]));
        board.put(dice, &shape, color, 0)?;
    }
    let up = board.pieces.iter().map(|piece| piece.top).min()?;
    let left = board.pieces.iter().map(|piece| piece.left).min()?;
    let mut output = blank(board.height(), board.width(), background);
    for piece in &board.pieces {
        let cells: Vec<Cell> = piece.cells.iter().map(|&(i, j)| (i - up, j - left)).collect();
        fill(&mut output, &cells, piece.color);
    }
    Some((board.finish()?, output)).filter(|_| up > 0 && left > 0)
}

/// The object that reaches lowest rises straight to the upper edge.
pub(super) fn lowest_rises(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(7, 14), dice.range(9, 16), background);
    for _ in 0..dice.range(2, 4) {
        let (tall, wide) = (dice.range(1, 4), dice.range(1, 3));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[background]));
        board.put(dice, &shape, color, 0)?;
    }
    let lowest = board.greatest(|piece| piece.top + piece.height)?;
    let shares_columns = |piece: &&Piece| {
        piece.left < lowest.left + lowest.width && lowest.left < piece.left + piece.width
    };
    if board.pieces.iter().filter(shares_columns).count() > 1 {
        return None;
    }
    let mut output = board.grid.clone();
    fill(&mut output, &lowest.cells, background);
    let cells: Vec<Cell> = lowest.cells.iter().map(|&(i, j)| (i - lowest.top, j)).collect();
    fill(&mut output, &cells, lowest.color);
    Some((board.finish()?, output)).filter(|_| lowest.top > 1)
}
