//! Grids as rows of colours, and the few operations the rules are written in.
//!
//! These are deliberately independent of the engine: the outputs are a second opinion about it.

/// Rows of colours.
pub(super) type Grid = Vec<Vec<u8>>;

/// Row and column.
pub(super) type Cell = (usize, usize);

/// A grid of one colour.
pub(super) fn blank(height: usize, width: usize, color: u8) -> Grid {
    vec![vec![color; width]; height]
}

pub(super) fn height(grid: &Grid) -> usize {
    grid.len()
}

pub(super) fn width(grid: &Grid) -> usize {
    grid[0].len()
}

/// Left and right exchanged.
pub(super) fn mirror(grid: &Grid) -> Grid {
    grid.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// Top and bottom exchanged.
pub(super) fn upend(grid: &Grid) -> Grid {
    grid.iter().rev().cloned().collect()
}

/// Turned by half a turn.
pub(super) fn half_turn(grid: &Grid) -> Grid {
    upend(&mirror(grid))
}

/// Rows and columns exchanged.
pub(super) fn transpose(grid: &Grid) -> Grid {
    (0..width(grid)).map(|j| grid.iter().map(|row| row[j]).collect()).collect()
}

/// Two grids of equal height side by side.
pub(super) fn beside(left: &Grid, right: &Grid) -> Grid {
    left.iter().zip(right).map(|(a, b)| a.iter().chain(b).copied().collect()).collect()
}

/// Two grids of equal width one above the other.
pub(super) fn stack(top: &Grid, bottom: &Grid) -> Grid {
    top.iter().chain(bottom).cloned().collect()
}

/// The part of a grid from `start` on.
pub(super) fn crop(grid: &Grid, start: Cell, height: usize, width: usize) -> Grid {
    grid[start.0..start.0 + height].iter().map(|r| r[start.1..start.1 + width].to_vec()).collect()
}

/// Every cell as a block of `down` by `across` cells.
pub(super) fn zoom(grid: &Grid, down: usize, across: usize) -> Grid {
    let cell = |i: usize, j: usize| grid[i / down][j / across];
    (0..height(grid) * down)
        .map(|i| (0..width(grid) * across).map(|j| cell(i, j)).collect())
        .collect()
}

/// Draws one grid over another, its upper left cell at `start`.
pub(super) fn overlay(grid: &mut Grid, start: Cell, top: &Grid) {
    for (i, row) in top.iter().enumerate() {
        grid[start.0 + i][start.1..start.1 + row.len()].copy_from_slice(row);
    }
}

/// Gives all the cells one colour.
pub(super) fn fill(grid: &mut Grid, cells: &[Cell], color: u8) {
    for &(i, j) in cells {
        grid[i][j] = color;
    }
}

/// All cells of a grid, row by row.
pub(super) fn cells(grid: &Grid) -> impl Iterator<Item = (Cell, u8)> + '_ {
    grid.iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &v)| ((i, j), v)))
}

/// How many cells have the colour.
pub(super) fn count(grid: &Grid, color: u8) -> usize {
    cells(grid).filter(|&(_, v)| v == color).count()
}

/// The colours of a grid in ascending order.
pub(super) fn palette(grid: &Grid) -> Vec<u8> {
    (0..=9).filter(|&color| count(grid, color) > 0).collect()
}

/// The most common colour, if only one is.
pub(super) fn most(grid: &Grid) -> Option<u8> {
    let best = palette(grid).into_iter().max_by_key(|&color| count(grid, color))?;
    is_only(grid, best).then_some(best)
}

/// The least common colour, if only one is.
pub(super) fn least(grid: &Grid) -> Option<u8> {
    let best = palette(grid).into_iter().min_by_key(|&color| count(grid, color))?;
    is_only(grid, best).then_some(best)
}

/// Whether no other colour is as frequent.
fn is_only(grid: &Grid, color: u8) -> bool {
    palette(grid).into_iter().filter(|&c| count(grid, c) == count(grid, color)).count() == 1
}
