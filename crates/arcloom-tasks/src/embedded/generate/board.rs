//! Shapes, and boards on which they lie apart from one another.

use super::dice::Dice;
use super::grid::{Cell, Grid, blank, fill, most};

/// A shape that lies on a board.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) cells: Vec<Cell>,
    pub(super) color: u8,
    pub(super) top: usize,
    pub(super) left: usize,
    pub(super) height: usize,
    pub(super) width: usize,
}

impl Piece {
    pub(super) fn size(&self) -> usize {
        self.cells.len()
    }

    /// Whether one of the cells is on the edge of a board of this size.
    pub(super) fn is_at_edge(&self, height: usize, width: usize) -> bool {
        self.top == 0
            || self.left == 0
            || self.top + self.height == height
            || self.left + self.width == width
    }

    /// The cells, moved up and left until the piece starts at the origin.
    pub(super) fn normal(&self) -> Vec<Cell> {
        self.cells.iter().map(|&(i, j)| (i - self.top, j - self.left)).collect()
    }
}

/// A grid and the pieces put on it, no two of which touch, not even at corners.
pub(super) struct Board {
    pub(super) grid: Grid,
    pub(super) pieces: Vec<Piece>,
    pub(super) background: u8,
}

impl Board {
    pub(super) fn new(height: usize, width: usize, background: u8) -> Board {
        Board { grid: blank(height, width, background), pieces: Vec::new(), background }
    }

    pub(super) fn height(&self) -> usize {
        self.grid.len()
    }

    pub(super) fn width(&self) -> usize {
        self.grid[0].len()
    }

    /// Puts a shape at a random place, `margin` cells or more from the edge and with a free line
    /// around its bounding box.
    pub(super) fn put(
        &mut self,
        dice: &mut Dice,
        shape: &[Cell],
        color: u8,
        margin: usize,
    ) -> Option<()> {
        let height = shape.iter().map(|cell| cell.0).max()? + 1;
        let width = shape.iter().map(|cell| cell.1).max()? + 1;
        let rows = margin..(self.height() + 1).saturating_sub(height + margin);
        let columns = margin..(self.width() + 1).saturating_sub(width + margin);
        let free: Vec<Cell> = rows
            .flat_map(|top| columns.clone().map(move |left| (top, left)))
            .filter(|&(top, left)| self.is_free(top, left, height, width))
            .collect();
        if free.is_empty() {
            return None;
        }
        let (top, left) = dice.pick(&free);
        let cells: Vec<Cell> = shape.iter().map(|&(i, j)| (i + top, j + left)).collect();
        fill(&mut self.grid, &cells, color);
        self.pieces.push(Piece { cells, color, top, left, height, width });
        Some(())
    }

    /// Whether a box keeps a free line from every piece.
    pub(super) fn is_free(&self, top: usize, left: usize, height: usize, width: usize) -> bool {
        self.pieces.iter().all(|piece| {
            top > piece.top + piece.height
                || piece.top > top + height
                || left > piece.left + piece.width
                || piece.left > left + width
        })
    }

    /// The only piece with the greatest value.
    pub(super) fn greatest(&self, value: impl Fn(&Piece) -> usize) -> Option<&Piece> {
        let best = self.pieces.iter().map(&value).max()?;
        let mut found = self.pieces.iter().filter(|piece| value(piece) == best);
        found.next().filter(|_| found.next().is_none())
    }

    /// The only piece with the smallest value.
    pub(super) fn smallest(&self, value: impl Fn(&Piece) -> usize) -> Option<&Piece> {
        self.greatest(|piece| usize::MAX - value(piece))
    }

    /// The grid, if the background is still its most common colour.
    pub(super) fn finish(&self) -> Option<Grid> {
        (most(&self.grid) == Some(self.background)).then(|| self.grid.clone())
    }
}

/// A random shape, connected along sides, that touches all four sides of a `height` by `width` box.
pub(super) fn blob(dice: &mut Dice, height: usize, width: usize) -> Vec<Cell> {
    let mut cells = vec![(dice.range(0, height - 1), dice.range(0, width - 1))];
    let reaches = |cells: &[Cell]| {
        cells.iter().any(|c| c.0 == 0)
            && cells.iter().any(|c| c.1 == 0)
            && cells.iter().any(|c| c.0 == height - 1)
            && cells.iter().any(|c| c.1 == width - 1)
    };
    while !reaches(&cells) {
        let (i, j) = dice.pick(&cells);
        let next = match dice.range(0, 3) {
            0 => (i.wrapping_sub(1), j),
            1 => (i + 1, j),
            2 => (i, j.wrapping_sub(1)),
            _ => (i, j + 1),
        };
        if next.0 < height && next.1 < width && !cells.contains(&next) {
            cells.push(next);
        }
    }
    cells
}

/// A full rectangle.
pub(super) fn slab(height: usize, width: usize) -> Vec<Cell> {
    (0..height).flat_map(|i| (0..width).map(move |j| (i, j))).collect()
}

/// Different random cells of a grid of this size.
pub(super) fn scatter(dice: &mut Dice, height: usize, width: usize, count: usize) -> Vec<Cell> {
    let mut cells = slab(height, width);
    dice.shuffle(&mut cells);
    cells.truncate(count);
    cells
}
