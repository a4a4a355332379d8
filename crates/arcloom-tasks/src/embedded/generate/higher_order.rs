//! Tasks that do one thing to each of many.

use super::Pair;
use super::board::{Board, blob};
use super::dice::Dice;
use super::grid::{blank, fill, palette};

/// Every colour becomes the one after it.
pub(super) fn next_color(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut colors = dice.colors(4, &[9]);
    colors.push(0);
    let (tall, wide) = (dice.range(3, 9), dice.range(3, 9));
    let input = dice.noise(tall, wide, &colors);
    let output = input.iter().map(|row| row.iter().map(|color| color + 1).collect()).collect();
    Some((input, output))
}

/// Every row takes on the colour that most of its cells have.
pub(super) fn row_majority(dice: &mut Dice, _: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(3, 9), dice.range(3, 9));
    let colors = dice.colors(4, &[]);
    let (mut input, mut output) = (Vec::new(), Vec::new());
    for _ in 0..tall {
        let winner = dice.pick(&colors);
        let mut row = vec![winner; wide / 2 + 1];
        while row.len() < wide {
            row.push(dice.pick(&colors));
        }
        dice.shuffle(&mut row);
        input.push(row);
        output.push(vec![winner; wide]);
    }
    let changed = input.iter().zip(&output).filter(|(a, b)| a != b).count();
    (changed > tall / 2).then_some((input, output))
}

/// Every grey object takes on the colour whose number is the height of the object.
pub(super) fn color_by_height(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut board = Board::new(dice.range(8, 14), dice.range(8, 14), 0);
    for _ in 0..dice.range(3, 5) {
        let (tall, wide) = (dice.range(1, 4), dice.range(1, 4));
        let shape = blob(dice, tall, wide);
        board.put(dice, &shape, 5, 0)?;
    }
    let mut output = board.grid.clone();
    for piece in &board.pieces {
        fill(&mut output, &piece.cells, u8::try_from(piece.height).ok()?);
    }
    Some((board.finish()?, output)).filter(|(_, output)| palette(output).len() > 2)
}

/// Every object is turned upside down where it lies.
pub(super) fn upend_each(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(7, 14), dice.range(7, 14), background);
    for _ in 0..dice.range(2, 4) {
        let (tall, wide) = (dice.range(2, 4), dice.range(2, 4));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[background]));
        board.put(dice, &shape, color, 0)?;
    }
    let mut output = blank(board.height(), board.width(), background);
    let mut changed = 0;
    for piece in &board.pieces {
        let (top, low) = (piece.top, piece.top + piece.height - 1);
        let cells: Vec<_> = piece.cells.iter().map(|&(i, j)| (top + low - i, j)).collect();
        changed += usize::from(cells.iter().any(|cell| !piece.cells.contains(cell)));
        fill(&mut output, &cells, piece.color);
    }
    Some((board.finish()?, output)).filter(|_| changed > 1)
}
