//! Tasks about repetition and symmetry.

use super::Pair;
use super::board::slab;
use super::dice::Dice;
use super::grid::{
    Cell, Grid, blank, cells, crop, fill, overlay, palette, transpose, upend, width,
};

/// The pattern repeats from left to right; its first period comes out.
pub(super) fn one_period(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[]);
    let (tall, period) = (dice.range(2, 7), dice.range(2, 5));
    let tile = dice.noise(tall, period, &colors);
    let wide = 2 * period + dice.range(0, period + 3);
    let input: Grid = tile.iter().map(|row| (0..wide).map(|j| row[j % period]).collect()).collect();
    let repeats = |by: usize| input.iter().all(|row| row[by..] == row[..wide - by]);
    (!(1..period).any(repeats)).then(|| (input.clone(), tile))
}

/// A black patch in a picture that is symmetric about its rising diagonal is restored.
pub(super) fn heal_symmetry(dice: &mut Dice, _: usize) -> Option<Pair> {
    let side = dice.range(6, 14);
    let colors = dice.colors(4, &[]);
    let mut output = dice.noise(side, side, &colors);
    let twin = |(i, j): Cell| (side - 1 - j, side - 1 - i);
    for cell in slab(side, side) {
        let (i, j) = twin(cell);
        output[i][j] = output[cell.0][cell.1];
    }
    let (tall, wide) = (dice.range(2, 4), dice.range(2, 4));
    let (top, left) = (dice.range(0, side - tall), dice.range(0, side - wide));
    let patch: Vec<Cell> = slab(tall, wide).iter().map(|&(i, j)| (i + top, j + left)).collect();
    let mut input = output.clone();
    fill(&mut input, &patch, 0);
    (!patch.iter().any(|&cell| patch.contains(&twin(cell)))).then_some((input, output))
}

/// Lines of one colour are squeezed out of the grid and the rest is turned to the right.
pub(super) fn squeeze_and_turn(dice: &mut Dice, _: usize) -> Option<Pair> {
    let mut colors = dice.colors(2, &[]);
    colors.push(0);
    let (tall, wide) = (dice.range(2, 6), dice.range(2, 6));
    let core = dice.noise(tall, wide, &colors);
    let input = spread(dice, &core);
    let input = transpose(&spread(dice, &transpose(&input)));
    (palette(&core).len() == 3 && squeeze(&input) == core)
        .then(|| (input, transpose(&upend(&core))))
}

/// Puts one to three black rows between the rows of a grid or at its ends.
fn spread(dice: &mut Dice, grid: &Grid) -> Grid {
    let mut rows = grid.clone();
    for _ in 0..dice.range(1, 3) {
        let at = dice.range(0, rows.len());
        rows.insert(at, vec![0; width(grid)]);
    }
    rows
}

/// Leaves out rows and columns of one colour, which of them decided on the whole grid.
fn squeeze(grid: &Grid) -> Grid {
    let is_mixed = |line: &Vec<u8>| line.iter().any(|&color| color != line[0]);
    let columns: Vec<bool> = transpose(grid).iter().map(is_mixed).collect();
    let keep = |row: &Vec<u8>| (0..row.len()).filter(|&j| columns[j]).map(|j| row[j]).collect();
    grid.iter().filter(|row| is_mixed(row)).map(keep).collect()
}

/// Wherever the motif of the upper left corner occurs, its own first cell turns light blue.
pub(super) fn find_corner_motif(dice: &mut Dice, _: usize) -> Option<Pair> {
    let colors = dice.colors(3, &[8]);
    let motif = dice.noise(2, 2, &colors);
    let (tall, wide) = (dice.range(7, 15), dice.range(7, 15));
    let mut input = blank(tall, wide, 0);
    let mut starts = vec![(0, 0)];
    for _ in 0..dice.range(3, 6) {
        starts.push((dice.range(0, tall - 2), dice.range(0, wide - 2)));
    }
    let touches = |a: &Cell, b: &Cell| a.0.abs_diff(b.0) < 3 && a.1.abs_diff(b.1) < 3;
    if starts.iter().enumerate().any(|(k, a)| starts[..k].iter().any(|b| touches(a, b))) {
        return None;
    }
    for (k, &start) in starts.iter().enumerate() {
        // Every third block is a decoy that differs in one cell or more.
        let block = if k % 3 == 2 { dice.noise(2, 2, &colors) } else { motif.clone() };
        overlay(&mut input, start, &block);
    }
    let is_start =
        |&(i, j): &Cell| i + 1 < tall && j + 1 < wide && crop(&input, (i, j), 2, 2) == motif;
    let found: Vec<Cell> = cells(&input).map(|(cell, _)| cell).filter(is_start).collect();
    let mut output = input.clone();
    fill(&mut output, &found, 8);
    let is_clear = palette(&motif).len() > 1 && found.len() > 1 && found.len() < starts.len();
    is_clear.then_some((input, output))
}
