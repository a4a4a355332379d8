//! Tasks about rows and colours as collections.

use super::Pair;
use super::board::{Board, blob};
use super::dice::Dice;
use super::grid::{blank, crop, palette};

/// The rows in order of how many different colours they have, fewest first.
pub(super) fn rows_by_variety(dice: &mut Dice, _: usize) -> Option<Pair> {
    let tall = dice.range(3, 7);
    let wide = tall + dice.range(0, 4);
    let mut output = Vec::new();
    for variety in 1..=tall {
        let mut row = dice.colors(variety, &[]);
        while row.len() < wide {
            row.push(dice.pick(&row[..variety]));
        }
        dice.shuffle(&mut row);
        output.push(row);
    }
    let mut input = output.clone();
    dice.shuffle(&mut input);
    Some((input, output))
}

/// The colours of the objects as one row, from the leftmost object to the rightmost.
pub(super) fn colors_left_to_right(dice: &mut Dice, _: usize) -> Option<Pair> {
    let count = dice.range(2, 5);
    let background = dice.background(&[]);
    let mut board = Board::new(dice.range(5, 10), dice.range(3 * count, 16), background);
    for _ in 0..count {
        let (tall, wide) = (dice.range(1, 4), dice.range(1, 3));
        let (shape, color) = (blob(dice, tall, wide), dice.color(&[background]));
        board.put(dice, &shape, color, 0)?;
    }
    board.pieces.sort_by_key(|piece| piece.left);
    let is_clear = board.pieces.windows(2).all(|two| two[0].left < two[1].left);
    let output = vec![board.pieces.iter().map(|piece| piece.color).collect()];
    Some((board.finish()?, output)).filter(|_| is_clear)
}

/// Every row sorted, the highest colour first.
pub(super) fn rows_descending(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut colors = dice.colors(4, &[]);
    colors.push(0);
    let (tall, wide) = (dice.range(2, 8), dice.range(3, 9));
    let input = dice.noise(tall, wide, &colors);
    let mut output = input.clone();
    for row in &mut output {
        row.sort_by(|a, b| b.cmp(a));
    }
    Some((input, output))
}

/// Three by three cells of the one colour of the upper half that the lower half lacks.
pub(super) fn color_gone_missing(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(5, &[]);
    let (half, wide) = (dice.range(2, 5), dice.range(4, 9));
    let mut input = dice.noise(half, wide, &colors[..4]);
    input.extend(dice.noise(half, wide, &colors[1..]));
    let lower = palette(&crop(&input, (half, 0), half, wide));
    let mut gone = palette(&crop(&input, (0, 0), half, wide));
    gone.retain(|color| !lower.contains(color));
    (gone.len() == 1).then(|| (input, blank(3, 3, gone[0])))
}
