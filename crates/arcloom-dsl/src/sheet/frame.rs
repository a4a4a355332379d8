//! Changes of frame: a grid that is simpler to work on, and the way back from what became of it.
//!
//! Each forward function looks at the input alone, and each one back has the input beside it, so that a program changes
//! the frame, works, and changes back: `x1 = merge_lines(I)`, ..., `O = unmerge_lines(x9, I)`.

use arcloom_macros::primitive;
use arcloom_value::Value;

use super::crop::sheet_merge_runs;
use super::{grid, picture};
use crate::call::{Fault, Outcome};
use crate::kernel::sheet::Sheet;

/// The grid with the first only of equal neighbouring rows and columns.
///
/// ```arc
/// merge_lines(((1, 1, 2), (1, 1, 2), (3, 3, 3))) == ((1, 2), (3, 3))
/// merge_lines(()) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid) -> Grid", extra)]
pub fn merge_lines(grid: &Value) -> Outcome {
    Ok(self::grid(&merged_lines(&picture(grid, 0)?)))
}

/// The grid with its rows and columns as often as `merge_lines` found their like in `original`.
///
/// ```arc
/// unmerge_lines(((5, 6), (7, 8)), ((1, 1, 2), (1, 1, 2), (3, 3, 3))) == ((5, 5, 6), (5, 5, 6), (7, 7, 8))
/// unmerge_lines(((5, 6),), ((1, 1), (1, 1))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Grid) -> Grid", extra)]
pub fn unmerge_lines(grid: &Value, original: &Value) -> Outcome {
    let found = unmerged_lines(&picture(grid, 0)?, &picture(original, 1)?);
    Ok(self::grid(&found.ok_or(Fault::Domain(0))?))
}

/// The grid without the lines that rule it: its rows and columns of one colour, of that colour other than 0 that
/// has most of them, the smallest of several. Fails where there are none, or nothing is left.
///
/// ```arc
/// drop_lines(((1, 5, 2), (5, 5, 5), (3, 5, 4))) == ((1, 2), (3, 4))
/// drop_lines(((1, 2), (3, 4))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid) -> Grid", extra)]
pub fn drop_lines(grid: &Value) -> Outcome {
    let sheet = picture(grid, 0)?;
    let found = RulingLines::of(&sheet).and_then(|lines| lines.dropped(&sheet));
    Ok(self::grid(&found.ok_or(Fault::Empty)?))
}

/// The grid with the lines that `drop_lines` took from `original`.
///
/// ```arc
/// restore_lines(((6, 7), (8, 9)), ((1, 5, 2), (5, 5, 5), (3, 5, 4))) == ((6, 5, 7), (5, 5, 5), (8, 5, 9))
/// restore_lines(((6,),), ((1, 5, 2), (5, 5, 5), (3, 5, 4))) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid, Grid) -> Grid", extra)]
pub fn restore_lines(grid: &Value, original: &Value) -> Outcome {
    let lines = RulingLines::of(&picture(original, 1)?).ok_or(Fault::Domain(1))?;
    let found = lines.restored(&picture(grid, 0)?);
    Ok(self::grid(&found.ok_or(Fault::Domain(0))?))
}

/// Whether more columns than rows are of one colour other than 0.
///
/// ```arc
/// lines_stand(((0, 3, 0), (0, 3, 1))) == T
/// lines_stand(((3, 3), (0, 1))) == F
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Grid) -> Bool", extra)]
pub fn lines_stand(grid: &Value) -> Outcome {
    Ok(Value::bool(has_standing_lines(&picture(grid, 0)?)))
}

/// Kernel of [`merge_lines`].
pub fn merged_lines(sheet: &Sheet) -> Sheet {
    let mut out = Sheet::default();
    match sheet_merge_runs(sheet, &mut out) {
        Some(()) => out,
        None => sheet.clone(),
    }
}

/// For each line of `count`, how many there were before it that differ from the one before them.
fn runs(count: usize, same: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut run = 0;
    (0..count)
        .map(|k| {
            run += usize::from(k > 0 && !same(k));
            run
        })
        .collect()
}

/// For each row, and for each column, which run of equal neighbours it is in.
pub fn line_runs(sheet: &Sheet) -> (Vec<usize>, Vec<usize>) {
    let (h, w) = sheet.size();
    let rows = runs(h, |i| sheet.row(i) == sheet.row(i - 1));
    (rows, runs(w, |j| (0..h).all(|i| sheet.at(i, j) == sheet.at(i, j - 1))))
}

/// Kernel of [`unmerge_lines`].
pub fn unmerged_lines(sheet: &Sheet, original: &Sheet) -> Option<Sheet> {
    let (h, w) = original.size();
    let (rows, columns) = line_runs(original);
    let size = (rows.last()? + 1, columns.last()? + 1);
    let cells = rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j)));
    (sheet.size() == size)
        .then(|| Sheet::new(h, w, cells.map(|(i, j)| sheet.at(i, j)).collect()))
        .flatten()
}

/// Kernel of [`lines_stand`].
pub fn has_standing_lines(sheet: &Sheet) -> bool {
    let (mut rows, mut columns) = (0, 0);
    for color in 1..10u8 {
        let (lying, standing) = plain_lines(sheet, color);
        rows += lying.iter().filter(|is| **is).count();
        columns += standing.iter().filter(|is| **is).count();
    }
    columns > rows
}

/// Which rows and which columns are of this colour alone.
fn plain_lines(sheet: &Sheet, color: u8) -> (Vec<bool>, Vec<bool>) {
    let (h, w) = sheet.size();
    let rows = (0..h).map(|i| sheet.row(i).iter().all(|c| *c == color));
    let columns = (0..w).map(|j| (0..h).all(|i| sheet.at(i, j) == color));
    (rows.collect(), columns.collect())
}

/// The lines that rule a grid.
pub struct RulingLines {
    /// Their colour.
    pub color: u8,
    /// Which rows are lines.
    pub rows: Vec<bool>,
    /// Which columns are lines.
    pub columns: Vec<bool>,
}

impl RulingLines {
    /// The lines of a grid; `None` where there are none.
    pub fn of(sheet: &Sheet) -> Option<RulingLines> {
        let mut best: Option<(usize, RulingLines)> = None;
        for color in 1..10u8 {
            let (rows, columns) = plain_lines(sheet, color);
            let count = rows.iter().chain(&columns).filter(|is| **is).count();
            if count > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((count, RulingLines { color, rows, columns }));
            }
        }
        best.map(|(_, lines)| lines)
    }

    /// The rows and columns that are no lines.
    fn others(&self) -> (Vec<usize>, Vec<usize>) {
        let others = |lines: &[bool]| (0..lines.len()).filter(|k| !lines[*k]).collect();
        (others(&self.rows), others(&self.columns))
    }

    /// Kernel of [`drop_lines`]: a grid of this size without them.
    pub fn dropped(&self, sheet: &Sheet) -> Option<Sheet> {
        if sheet.size() != (self.rows.len(), self.columns.len()) {
            return None;
        }
        let (rows, columns) = self.others();
        let cells = rows.iter().flat_map(|&i| columns.iter().map(move |&j| sheet.at(i, j)));
        Sheet::new(rows.len(), columns.len(), cells.collect())
    }

    /// Kernel of [`restore_lines`]: a grid with them.
    pub fn restored(&self, sheet: &Sheet) -> Option<Sheet> {
        let (rows, columns) = self.others();
        if sheet.size() != (rows.len(), columns.len()) {
            return None;
        }
        let (h, w) = (self.rows.len(), self.columns.len());
        let mut cells = vec![self.color; h * w];
        for (i, &row) in rows.iter().enumerate() {
            for (j, &column) in columns.iter().enumerate() {
                cells[row * w + column] = sheet.at(i, j);
            }
        }
        Sheet::new(h, w, cells)
    }

    /// The stretches between them: of rows, then of columns, each a first line and a number.
    pub fn gaps(&self) -> [Vec<(usize, usize)>; 2] {
        [&self.rows, &self.columns].map(|lines| {
            let mut gaps: Vec<(usize, usize)> = Vec::new();
            for (k, _) in lines.iter().enumerate().filter(|(_, is)| !**is) {
                match gaps.last_mut() {
                    Some((first, count)) if *first + *count == k => *count += 1,
                    _ => gaps.push((k, 1)),
                }
            }
            gaps
        })
    }
}
