//! What is known of the grids of a column, wherever they are: those that are here are looked at, of others
//! a device has said it.

use arcloom_tasks::GridLimits;
use arcloom_value::Grid;

use super::{Column, Mark};

impl Column {
    /// Number of distinct grids.
    pub fn places(&self) -> usize {
        self.grids.len()
    }

    /// True when the grid in this place is here and not on a device.
    pub fn is_here(&self, place: usize) -> bool {
        self.away(place).is_none()
    }

    /// True when the grid in this place may be an answer: sides up to 64, colours from 0 to 15.
    pub fn is_plain(&self, place: usize) -> bool {
        match self.away(place) {
            None => GridLimits::SIXTEEN.allow(&self.grids[place]),
            Some(mark) => mark.plain,
        }
    }

    /// Cells of the grid in this place that are as in the expected one; `None` when that has another size.
    /// What is expected is the output of the demo that the column is of: of a grid that is away, a device
    /// compared it with that.
    pub fn right_cells(&self, place: usize, expected: &Grid) -> Option<usize> {
        if let Some(mark) = self.away(place) {
            return mark.right.map(|right| right as usize);
        }
        let grid = &self.grids[place];
        let same_size = (grid.height(), grid.width()) == (expected.height(), expected.width());
        let pairs = grid.cells().iter().zip(expected.cells());
        same_size.then(|| pairs.filter(|(a, b)| a == b).count())
    }

    /// What a device said of a grid that is not here.
    fn away(&self, place: usize) -> Option<&Mark> {
        self.marks.get(place).filter(|mark| !mark.here)
    }
}
