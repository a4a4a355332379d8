//! Sheets: pictures that know where they lie and in which 0 is transparent.
//!
//! A grid says nothing about where it was cut out, and a set of cells says nothing about the frame
//! around it. A [`Sheet`] has both, so that cutting, turning, moving and laying back compose without
//! bookkeeping. Search builds outputs by stacking sheets; programs see one as the pair
//! `(grid, (row, column))`.
//!
//! Every transformation writes into a sheet of the caller's and returns [`Made`]: `None` when there
//! is no result. A search makes ten results for each one it keeps, so results are not allocated
//! until they are.
//!
//! Kernels that are steps of a search or that programs call as they are stand beside their primitives in
//! `dsl/sheet/`. Here is what searches learn from demos with.
//!
//! | file | what is in it |
//! |---|---|
//! | `recolor.rs` | objects recoloured by a measure of theirs |
//! | `property.rs` | what can be said of an object among others |
//! | `kin.rs` | how objects stand to each other, and colours taken from one another |
//! | `rule.rs` | lines of questions about objects, and what becomes of them |
//! | `shift.rs` | objects moved as a rule says |
//! | `beam.rs` | rays that objects send as a rule says |
//! | `decide.rs` | a tree of questions about the colours near a cell |
//! | `overgrow.rs` | rules that paint cells by what is near them, until nothing changes |
//! | `lookup.rs` | a table from the colours of several sheets to one |
//! | `product.rs` | pictures of pictures |
//! | `roles.rs` | colours renamed by the part they play |

pub mod beam;
pub mod decide;
pub mod kin;
pub mod lookup;
pub mod overgrow;
pub mod product;
pub mod property;
pub mod recolor;
pub mod roles;
pub mod rule;
pub mod shift;

/// No side of a sheet is longer.
pub const MAX_SIDE: usize = 100;
/// No sheet has more cells.
pub const MAX_CELLS: usize = 4096;

/// `Some` when the result has been written; `None` when there is none.
pub type Made = Option<()>;

/// A picture at a place. Cells are colours 0..=9, row by row; 0 is transparent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sheet {
    /// Row of the top left cell.
    pub top: i32,
    /// Column of the top left cell.
    pub left: i32,
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) cells: Vec<u8>,
}

impl Sheet {
    /// The sheet with these cells at the origin; `None` unless they fill a rectangle that is allowed.
    pub fn new(height: usize, width: usize, cells: Vec<u8>) -> Option<Sheet> {
        let fits = allowed(height, width) && cells.len() == height * width;
        fits.then_some(Sheet { top: 0, left: 0, height, width, cells })
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// All cells, row by row.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The cells of one row.
    #[inline]
    pub fn row(&self, i: usize) -> &[u8] {
        &self.cells[i * self.width..(i + 1) * self.width]
    }

    /// The cell in row `i` and column `j` of the sheet itself.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> u8 {
        self.cells[i * self.width + j]
    }

    /// The cell in row `i` and column `j`, 0 outside.
    #[inline]
    pub fn get(&self, i: i32, j: i32) -> u8 {
        if i < 0 || j < 0 || i as usize >= self.height || j as usize >= self.width {
            return 0;
        }
        self.at(i as usize, j as usize)
    }

    /// Copies `other` without allocating when there is room.
    #[inline]
    pub fn copy_from(&mut self, other: &Sheet) {
        self.place_like(other);
        self.cells.clear();
        self.cells.extend_from_slice(&other.cells);
    }

    /// Size and place of `other`, every cell 0.
    #[inline]
    pub(crate) fn blank_like(&mut self, other: &Sheet) {
        self.place_like(other);
        self.cells.clear();
        self.cells.resize(other.cells.len(), 0);
    }

    #[inline]
    pub(crate) fn place_like(&mut self, other: &Sheet) {
        (self.top, self.left) = (other.top, other.left);
        (self.height, self.width) = (other.height, other.width);
    }

    /// A sheet of one colour; `None` when the size is not allowed.
    #[inline]
    pub(crate) fn fill(&mut self, place: (i32, i32), size: (usize, usize), color: u8) -> Made {
        if !allowed(size.0, size.1) {
            return None;
        }
        (self.top, self.left) = place;
        (self.height, self.width) = size;
        self.cells.clear();
        self.cells.resize(size.0 * size.1, color);
        Some(())
    }

    #[inline]
    pub(crate) fn place(&self) -> (i32, i32) {
        (self.top, self.left)
    }

    #[inline]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }
}

#[inline]
pub(crate) fn allowed(height: usize, width: usize) -> bool {
    height > 0
        && width > 0
        && height <= MAX_SIDE
        && width <= MAX_SIDE
        && height * width <= MAX_CELLS
}

#[cfg(test)]
pub(crate) fn sheet(rows: &[&str]) -> Sheet {
    let cells = rows.iter().flat_map(|r| r.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }));
    Sheet::new(rows.len(), rows[0].len(), cells.collect()).expect("a rectangle")
}
