//! From which cells of an object rays start.

use crate::kernel::sheet::Sheet;
use crate::kernel::sheet::kin::{self, color};

/// What sends the rays of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaySource {
    /// Every cell on its front.
    Front,
    /// The middle of its frame's front, on a diagonal the corner of its frame.
    Middle,
    /// The middle of its frame, through what is transparent in it.
    Center,
    /// Its cells of its rarest colour.
    Mark,
    /// The whole object is repeated: side by side, a cell apart, or by a row or column less than its size.
    Copies,
    CopiesApart,
    CopiesWithin,
}

impl RaySource {
    /// All of them; programs say their number.
    pub const ALL: [RaySource; 7] = [
        RaySource::Front,
        RaySource::Middle,
        RaySource::Center,
        RaySource::Mark,
        RaySource::Copies,
        RaySource::CopiesApart,
        RaySource::CopiesWithin,
    ];

    /// The cells between copies.
    pub(super) fn gap(self) -> Option<i32> {
        match self {
            RaySource::Copies => Some(0),
            RaySource::CopiesApart => Some(1),
            RaySource::CopiesWithin => Some(-1),
            _ => None,
        }
    }

    /// The cells from which rays of an object start, and their colours.
    pub(super) fn cells(self, s: &Sheet, (down, right): (i32, i32)) -> Vec<(i32, i32, u8)> {
        let mut cells = Vec::new();
        let own = color(s);
        match self {
            RaySource::Front | RaySource::Mark => {
                let rarest = marked(s);
                for i in 0..s.height as i32 {
                    for j in 0..s.width as i32 {
                        let c = s.get(i, j);
                        let is_one = match self {
                            RaySource::Front => s.get(i + down, j + right) == 0,
                            _ => Some(c) == rarest,
                        };
                        if c != 0 && is_one {
                            cells.push((s.top + i, s.left + j, c));
                        }
                    }
                }
            }
            _ => {
                // The first and last row, or column, that the source has, from the back to the front.
                let span = |size: usize, step: i32| {
                    let (low, high) = ((size as i32 - 1) / 2, size as i32 / 2);
                    match (step, self) {
                        (0, _) => (low, high),
                        (1, RaySource::Center) => (high, high),
                        (-1, RaySource::Center) => (low, low),
                        (1, _) => (size as i32 - 1, size as i32 - 1),
                        _ => (0, 0),
                    }
                };
                let (rows, columns) = (span(s.height, down), span(s.width, right));
                for i in rows.0..=rows.1 {
                    for j in columns.0..=columns.1 {
                        cells.push((s.top + i, s.left + j, own));
                    }
                }
            }
        }
        cells
    }
}

/// The rarest colour of an object of several.
pub(super) fn marked(s: &Sheet) -> Option<u8> {
    let first = s.cells.iter().find(|c| **c != 0)?;
    let several = s.cells.iter().any(|c| *c != 0 && c != first);
    kin::least(s).filter(|_| several)
}
