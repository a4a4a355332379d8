//! A grid in fast form: a rectangular block of small integers, row by row.
//!
//! Sides are at least 1 and cells fit an `i8`; anything else that Python would call a grid (ragged
//! rows, zero width, a cell of `None` or 1000) stays a tuple of tuples.

use std::fmt;

use smallvec::SmallVec;
use triomphe::ThinArc;

/// Scratch space for building a grid: no allocation up to 30 x 30.
pub type CellBuf = SmallVec<[i8; 904]>;

/// A rectangular block of cells. Cloning copies a pointer.
#[derive(Clone)]
pub struct Grid(ThinArc<[u32; 2], i8>);

impl Grid {
    /// The grid with these cells, row by row; `None` unless both sides are positive and fit.
    pub fn new(height: usize, width: usize, cells: &[i8]) -> Option<Grid> {
        let fits = height > 0 && width > 0 && height.checked_mul(width) == Some(cells.len());
        let sides = [u32::try_from(height).ok()?, u32::try_from(width).ok()?];
        fits.then(|| Grid(ThinArc::from_header_and_slice(sides, cells)))
    }

    /// The grid of two rows of two cells.
    #[inline]
    pub fn two_by_two(cells: [i8; 4]) -> Grid {
        Grid(ThinArc::from_header_and_slice([2, 2], &cells))
    }

    /// The grid with these rows; `None` when they are ragged or empty.
    pub fn from_rows<R: AsRef<[i8]>>(rows: &[R]) -> Option<Grid> {
        let width = rows.first()?.as_ref().len();
        let mut cells = CellBuf::with_capacity(rows.len() * width);
        for row in rows {
            if row.as_ref().len() != width {
                return None;
            }
            cells.extend_from_slice(row.as_ref());
        }
        Grid::new(rows.len(), width, &cells)
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.0.header.header[0] as usize
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.0.header.header[1] as usize
    }

    /// All cells, row by row.
    #[inline]
    pub fn cells(&self) -> &[i8] {
        &self.0.slice
    }

    /// The cells of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[i8] {
        let width = self.width();
        &self.cells()[i * width..(i + 1) * width]
    }

    /// The rows from the top.
    #[inline]
    pub fn rows(&self) -> std::slice::ChunksExact<'_, i8> {
        self.cells().chunks_exact(self.width())
    }

    /// The cell at row `i`, column `j`, if it is inside.
    #[inline]
    pub fn get(&self, i: i64, j: i64) -> Option<i8> {
        let (i, j) = (usize::try_from(i).ok()?, usize::try_from(j).ok()?);
        (i < self.height() && j < self.width()).then(|| self.cells()[i * self.width() + j])
    }

    /// True when both handles point at the same block.
    #[inline]
    pub fn same_block(&self, other: &Grid) -> bool {
        std::ptr::eq(self.cells(), other.cells())
    }
}

impl PartialEq for Grid {
    #[inline]
    fn eq(&self, other: &Grid) -> bool {
        self.same_block(other)
            || (self.0.header.header == other.0.header.header && self.cells() == other.cells())
    }
}

impl Eq for Grid {}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}
