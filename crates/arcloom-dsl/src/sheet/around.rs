//! What belongs around a point: a sheet completed by its images about it.

use arcloom_macros::{primitive, step};

use crate::kernel::sheet::{Made, Sheet};

/// In sheets with more visible cells no point is looked for.
const MOST_CELLS: usize = 150;

/// What a cell costs: few points are worth a look, and all cells are looked at for each.
const WORK: usize = 100;

/// The sheet with its images about a point: half a turn, with `mirrored` those in the axes through the point too, with
/// `turned` a quarter turn and three, with both also those in its diagonals. The point is the one for which most cells have
/// all their images and no cell lies where the image of another colour does. The sheet grows as far as the images reach.
/// Fails unless four cells and a third of all have all their images, and when there are more than 150.
///
/// ```arc
/// sheet_around((((5, 0, 4, 4), (0, 0, 4, 4)), (0, 0)), F, F) == (((5, 0, 4, 4, 0, 0), (0, 0, 4, 4, 0, 5)), (0, 0))
/// sheet_around((((5, 0, 4, 4), (0, 0, 4, 4)), (0, 0)), T, F) == (((5, 0, 4, 4, 0, 5), (5, 0, 4, 4, 0, 5)), (0, 0))
/// sheet_around((((5, 4, 4), (0, 4, 4)), (0, 0)), F, T) == (((0, 0, 5, 0), (5, 4, 4, 0), (0, 4, 4, 5), (0, 5, 0, 0)), (-1, 0))
/// sheet_around((((5, 0, 4),), (0, 0)), T, T) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Bool, Bool) -> Sheet", extra, charge = WORK * sheet.cells().len())]
#[step(place = 560, until = 24, constants = [[true, false], [true, false]])]
pub fn sheet_around(sheet: &Sheet, mirrored: bool, turned: bool, out: &mut Sheet) -> Made {
    let (h, w) = (sheet.height as i32, sheet.width as i32);
    let cells = (0..h * w).map(|at| (at / w, at % w, sheet.cells[at as usize]));
    let visible: Vec<(i32, i32, u8)> = cells.filter(|cell| cell.2 != 0).collect();
    if visible.len() > MOST_CELLS {
        return None;
    }
    // Half a turn is always among the images, so that pairs of cells tell which points are worth a look.
    let columns = 2 * w - 1;
    let mut pairs = vec![0u16; ((2 * h - 1) * columns) as usize];
    for &(i, j, c) in &visible {
        for &(y, x, _) in visible.iter().filter(|other| other.2 == c) {
            pairs[((i + y) * columns + j + x) as usize] += 1;
        }
    }
    let least = visible.len().div_ceil(3).max(4);
    let mut best: Option<(usize, Point)> = None;
    for (at, _) in pairs.iter().enumerate().filter(|(_, n)| usize::from(**n) >= least) {
        let (rows, columns) = (at as i32 / columns, at as i32 % columns);
        if turned && (rows + columns) % 2 != 0 {
            continue;
        }
        let point = Point { rows, columns, mirrored, turned };
        let mut complete = 0;
        let fits = visible.iter().all(|&(i, j, c)| {
            let there = || point.images(i, j).map(|(y, x)| sheet.get(y, x));
            complete += usize::from(there().all(|t| t == c));
            there().all(|t| t == c || t == 0)
        });
        if fits && complete >= least && best.is_none_or(|(most, _)| complete > most) {
            best = Some((complete, point));
        }
    }
    let (_, point) = best?;
    let images = || {
        let of = |&(i, j, c): &(i32, i32, u8)| point.images(i, j).map(move |(y, x)| (y, x, c));
        visible.iter().flat_map(of).chain(visible.iter().copied())
    };
    let (mut north, mut west, mut south, mut east) = (0, 0, h - 1, w - 1);
    for (y, x, _) in images() {
        (north, south) = (north.min(y), south.max(y));
        (west, east) = (west.min(x), east.max(x));
    }
    let (height, width) = ((south - north + 1) as usize, (east - west + 1) as usize);
    out.fill((sheet.top + north, sheet.left + west), (height, width), 0)?;
    for (y, x, c) in images() {
        out.cells[(y - north) as usize * width + (x - west) as usize] = c;
    }
    Some(())
}

/// A point, given by the sums of rows and of columns that lie opposite each other, and which images there are about it.
#[derive(Clone, Copy)]
struct Point {
    rows: i32,
    columns: i32,
    mirrored: bool,
    turned: bool,
}

impl Point {
    /// The images of a cell, the cell itself left out.
    fn images(self, i: i32, j: i32) -> impl Iterator<Item = (i32, i32)> {
        let (rows, columns) = (self.rows, self.columns);
        // The image in the diagonal; there is one where the point lies on it.
        let (y, x) = ((rows + 2 * j - columns) / 2, (columns + 2 * i - rows) / 2);
        let all = [
            (rows - i, j),
            (i, columns - j),
            (rows - i, columns - j),
            (rows - y, x),
            (y, columns - x),
            (y, x),
            (rows - y, columns - x),
        ];
        let span = match (self.mirrored, self.turned) {
            (false, false) => 2..3,
            (true, false) => 0..3,
            (false, true) => 2..5,
            (true, true) => 0..7,
        };
        span.map(move |k| all[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    fn completed(rows: &[&str], mirrored: bool, turned: bool) -> Option<Sheet> {
        let mut out = Sheet::default();
        sheet_around(&sheet(rows), mirrored, turned, &mut out).map(|()| out)
    }

    #[test]
    fn each_way_has_its_images() {
        let square = ["2....", "3.44.", "..44."];
        let half = sheet(&["2.....", "3.44..", "..44.3", ".....2"]);
        assert_eq!(completed(&square, false, false), Some(half));
        let mirrored = sheet(&["2....2", "3.44.3", "3.44.3", "2....2"]);
        assert_eq!(completed(&square, true, false), Some(mirrored));
        let mut turned = sheet(&["...32.", "2.....", "3.44..", "..44.3", ".....2", ".23..."]);
        turned.top = -1;
        assert_eq!(completed(&square, false, true), Some(turned));
        let mut both = sheet(&[".2332.", "2....2", "3.44.3", "3.44.3", "2....2", ".2332."]);
        both.top = -1;
        assert_eq!(completed(&square, true, true), Some(both));
    }

    #[test]
    fn there_may_be_no_point() {
        // Three cells are too few.
        assert_eq!(completed(&["2.2", ".2."], true, false), None);
        // What lies opposite has another colour.
        assert_eq!(completed(&["2.44.3", "..44..", "......"], true, false), None);
        // Too little of it is there already.
        assert_eq!(completed(&["1234567", "44.5678", "44.6789"], true, true), None);
    }
}
