//! Counts, and the measures by which lists are sifted.

use crate::kernel::sheet::{Made, Sheet, shape};

/// The colours that occur, one bit each, 0 included.
#[inline]
pub fn colors(s: &Sheet) -> u32 {
    s.cells.iter().fold(0, |mask, &c| mask | 1 << c)
}

/// The most frequent colour other than 0, the smallest of several; 0 when there is none.
pub fn majority(s: &Sheet) -> u8 {
    let mut counts = [0u32; 16];
    s.cells.iter().for_each(|&c| counts[usize::from(c & 15)] += 1);
    let best = (1..10u8).rev().max_by_key(|&c| counts[usize::from(c)]);
    best.filter(|&c| counts[usize::from(c)] > 0).unwrap_or(0)
}

/// Number of cells that are there.
#[inline]
pub fn area(s: &Sheet) -> usize {
    s.cells.iter().filter(|&&c| c != 0).count()
}

/// Number of connected pieces, diagonals included, whatever their colours.
pub fn pieces(s: &Sheet) -> usize {
    let mut left = s.cells.clone();
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..left.len() {
        if left[start] == 0 {
            continue;
        }
        count += 1;
        left[start] = 0;
        stack.push(start);
        while let Some(at) = stack.pop() {
            around(s, at, |next| {
                if left[next] != 0 {
                    left[next] = 0;
                    stack.push(next);
                }
            });
        }
    }
    count
}

/// Calls `f` with each of the up to eight neighbours of a cell.
#[inline]
pub(crate) fn around(s: &Sheet, at: usize, mut f: impl FnMut(usize)) {
    let (i, j) = (at / s.width, at % s.width);
    let columns = j.saturating_sub(1)..(j + 2).min(s.width);
    for row in i.saturating_sub(1)..(i + 2).min(s.height) {
        for column in columns.clone() {
            if (row, column) != (i, j) {
                f(row * s.width + column);
            }
        }
    }
}

/// Calls `f` with each of the up to four neighbours of a cell.
#[inline]
pub(crate) fn beside(s: &Sheet, at: usize, mut f: impl FnMut(usize)) {
    let (i, j) = (at / s.width, at % s.width);
    if i > 0 {
        f(at - s.width);
    }
    if i + 1 < s.height {
        f(at + s.width);
    }
    if j > 0 {
        f(at - 1);
    }
    if j + 1 < s.width {
        f(at + 1);
    }
}

/// What is counted by [`bar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetCount {
    /// Cells that are there.
    Cells,
    /// Colours.
    Colors,
    /// Connected pieces.
    Pieces,
}

/// A number drawn: a square (0), a row (1) or a column (2) of that length in the most frequent colour.
pub fn bar(s: &Sheet, count: SheetCount, form: u8, out: &mut Sheet) -> Made {
    let n = match count {
        SheetCount::Cells => area(s),
        SheetCount::Colors => (colors(s) & !1).count_ones() as usize,
        SheetCount::Pieces => pieces(s),
    };
    let size = match form {
        0 => (n, n),
        1 => (1, n),
        _ => (n, 1),
    };
    out.fill((0, 0), size, majority(s))
}

/// By what the sheets of a list are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    Area,
    Frame,
    Colors,
    Pieces,
    /// Cells of the trimmed frame in which nothing is.
    Gaps,
    Holes,
    Top,
    Left,
    /// Symmetric in none, one or both of the axes.
    Symmetry,
    Height,
    Width,
}

impl Measure {
    /// Every measure with its name.
    pub const ALL: [(Measure, &'static str); 11] = [
        (Measure::Area, "area"),
        (Measure::Frame, "frame"),
        (Measure::Colors, "colors"),
        (Measure::Pieces, "pieces"),
        (Measure::Gaps, "gaps"),
        (Measure::Holes, "holes"),
        (Measure::Top, "top"),
        (Measure::Left, "left"),
        (Measure::Symmetry, "symmetry"),
        (Measure::Height, "height"),
        (Measure::Width, "width"),
    ];

    /// The measure of one sheet.
    pub fn of(self, s: &Sheet) -> i32 {
        match self {
            Measure::Area => area(s) as i32,
            Measure::Frame => (s.height * s.width) as i32,
            Measure::Colors => (colors(s) & !1).count_ones() as i32,
            Measure::Pieces => pieces(s) as i32,
            Measure::Gaps => {
                let mut trimmed = Sheet::default();
                match crate::kernel::sheet::crop::trim(s, &mut trimmed) {
                    Some(()) => (trimmed.cells.len() - area(&trimmed)) as i32,
                    None => 0,
                }
            }
            Measure::Holes => {
                let mut holes = Sheet::default();
                shape::holes(s, &mut holes).map_or(0, |()| area(&holes) as i32)
            }
            Measure::Top => s.top,
            Measure::Left => s.left,
            Measure::Symmetry => {
                let rows = (0..s.height).all(|i| s.row(i) == s.row(s.height - 1 - i));
                let columns = (0..s.height).all(|i| s.row(i).iter().eq(s.row(i).iter().rev()));
                i32::from(rows) + i32::from(columns)
            }
            Measure::Height => s.height as i32,
            Measure::Width => s.width as i32,
        }
    }
}
