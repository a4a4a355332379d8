//! The rows of grids of unlike widths, one grid after the other, as a tuple that is not put together
//! until somebody looks at it.
//!
//! Grids that grew large on an input they were not meant for are cut up and merged into such tuples,
//! which are no grids, so that hardly anybody does.

use std::sync::OnceLock;

use crate::grid::Grid;
use crate::value::{Bulk, Seq, Value, row_value};

/// Fewest cells that are left unmade.
const MANY: usize = 1 << 10;

/// The rows of some grids, as the elements of a tuple.
pub(crate) struct Rows {
    grids: Vec<Grid>,
    len: usize,
    made: OnceLock<Box<[Value]>>,
}

impl Rows {
    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How large the tuple of the rows is.
    pub(crate) fn bulk(&self) -> Bulk {
        let weight = |grid: &Grid| grid.cells().len().saturating_add(grid.height());
        let all = self.grids.iter().map(weight).fold(1, usize::saturating_add);
        Bulk { depth: 2, weight: u32::try_from(all).unwrap_or(u32::MAX) }
    }

    /// The rows, made when this is asked for the first time.
    pub(crate) fn items(&self) -> &[Value] {
        self.made.get_or_init(|| self.grids.iter().flat_map(Grid::rows).map(row_value).collect())
    }
}

impl Value {
    /// The tuple of the rows of these grids; `None` when all have one width, so that it is a grid, or
    /// there are so few cells that they may as well be looked at.
    pub fn ragged(grids: Vec<Grid>) -> Option<Value> {
        let width = grids.first()?.width();
        let cells = grids.iter().map(|grid| grid.cells().len()).fold(0, usize::saturating_add);
        if cells < MANY || grids.iter().all(|grid| grid.width() == width) {
            return None;
        }
        let len = grids.iter().map(Grid::height).sum();
        Some(Value::Tuple(Seq::of_rows(Rows { grids, len, made: OnceLock::new() })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmade_rows_are_those_of_the_plain_tuple() {
        let grid = |height: usize, width: usize| {
            let cells: Vec<i8> = (0..height * width).map(|n| (n % 7) as i8).collect();
            Grid::new(height, width, &cells).unwrap()
        };
        let grids = vec![grid(3, 500), grid(2, 2), grid(1, 1), grid(3, 500)];
        let rows = grids.iter().flat_map(Grid::rows).map(row_value);
        let plain = Value::tuple(rows.collect::<Vec<_>>());
        let ragged = Value::ragged(grids).unwrap();
        let Value::Tuple(seq) = &ragged else { panic!() };
        assert!(seq.is_rows());
        assert_eq!(ragged.len(), plain.len());
        assert_eq!(ragged.bulk(), plain.bulk());
        assert!(!ragged.is_empty());
        assert_eq!(ragged, plain);
        assert_eq!(format!("{ragged:?}"), format!("{plain:?}"));
        assert!(Value::ragged(vec![grid(40, 40), grid(3, 40)]).is_none());
        assert!(Value::ragged(vec![grid(4, 4), grid(3, 5)]).is_none());
        assert!(Value::ragged(Vec::new()).is_none());
    }
}
