//! A candidate beside the expected grid, with what the differs need to know of both.
//!
//! Both grids are read with the background of the *expected* one. If each had its own, painting one
//! right cell could turn the candidate's background over and take all its objects away.

use std::sync::OnceLock;

use crate::kernel::count::{self, ColorCounts};
use arcloom_value::Grid;

use crate::differ::objects::Parts;
use crate::differ::profile::Profile;

/// Most cells of a grid that is taken apart.
const MOST_CELLS: usize = 1 << 14;
/// A candidate is taken apart when no side is longer than this or than four times the expected one.
const USUAL_SIDE: usize = 30;

/// What is known of one grid. The parts that cost something are made when first asked for.
pub(crate) struct Side {
    pub(crate) grid: Grid,
    pub(crate) colors: ColorCounts,
    pub(crate) background: Option<i8>,
    profile: OnceLock<Profile>,
    parts: OnceLock<Parts>,
}

impl Side {
    fn new(grid: &Grid, colors: ColorCounts, background: Option<i8>) -> Side {
        let (profile, parts) = (OnceLock::new(), OnceLock::new());
        Side { grid: grid.clone(), colors, background, profile, parts }
    }

    /// Colours by row and by column. Ask only when [`Comparison::fits`].
    pub(crate) fn profile(&self) -> &Profile {
        self.profile.get_or_init(|| Profile::new(&self.grid, &self.colors))
    }

    /// The objects. Ask only when [`Comparison::fits`].
    pub(crate) fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| Parts::new(&self.grid, self.background))
    }

    /// Number of cells.
    pub(crate) fn area(&self) -> usize {
        self.grid.cells().len()
    }
}

/// The expected grid, made once for all candidates. Threads may share it.
pub struct Expected(Side);

impl Expected {
    /// Prepares this grid for comparison.
    pub fn new(grid: &Grid) -> Expected {
        let colors = count::counts(grid.cells());
        let background = background(&colors);
        Expected(Side::new(grid, colors, background))
    }

    /// The grid itself.
    pub fn grid(&self) -> &Grid {
        &self.0.grid
    }
}

/// The most frequent colour; none when several are, since to choose one of them by its number would make
/// scores depend on how colours are numbered.
fn background(colors: &ColorCounts) -> Option<i8> {
    let most = colors.iter().map(|&(_, n)| n).max()?;
    let mut common = colors.iter().filter(|&&(_, n)| n == most);
    common.next().filter(|_| common.next().is_none()).map(|&(c, _)| c)
}

/// A candidate and the expected grid.
pub struct Comparison<'a> {
    pub(crate) candidate: Side,
    pub(crate) expected: &'a Side,
    equal: bool,
    fits: bool,
}

impl<'a> Comparison<'a> {
    /// Puts a candidate beside the expected grid.
    pub fn new(candidate: &Grid, expected: &'a Expected) -> Comparison<'a> {
        let expected = &expected.0;
        let colors = count::counts(candidate.cells());
        let in_reach = |side: usize, wanted: usize| side <= USUAL_SIDE.max(4 * wanted);
        Comparison {
            equal: *candidate == expected.grid,
            fits: candidate.cells().len() <= MOST_CELLS
                && expected.area() <= MOST_CELLS
                && in_reach(candidate.height(), expected.grid.height())
                && in_reach(candidate.width(), expected.grid.width()),
            candidate: Side::new(candidate, colors, expected.background),
            expected,
        }
    }

    /// The candidate.
    pub fn candidate(&self) -> &Grid {
        &self.candidate.grid
    }

    /// The expected grid.
    pub fn expected(&self) -> &Grid {
        &self.expected.grid
    }

    /// True when the candidate is right.
    pub fn is_equal(&self) -> bool {
        self.equal
    }

    /// True when the grids are small and alike enough in size to be taken apart. Otherwise the
    /// differs that would have to do so (rows, columns, objects, position) give 0 at once.
    pub fn fits(&self) -> bool {
        self.fits
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A grid of up to 12 x 12 with patches of a few colours.
    pub(crate) fn random_grid(seed: u64) -> Grid {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % n
        };
        let (height, width, colors) = (1 + below(12), 1 + below(12), 1 + below(5));
        let mut cells: Vec<i8> = Vec::new();
        for k in 0..height * width {
            let old = k.checked_sub(if below(2) == 0 { width } else { 1 });
            cells.push(match old {
                Some(old) if below(3) > 0 => cells[old],
                _ => below(colors) as i8,
            });
        }
        Grid::new(height, width, &cells).expect("sides are positive")
    }

    #[test]
    fn no_colour_is_background_in_a_tie() {
        let background = |cells: &[i8]| background(&count::counts(cells));
        assert_eq!(background(&[3, 3, 1]), Some(3));
        assert_eq!(background(&[3, 3, 1, 1, 2]), None);
    }
}
