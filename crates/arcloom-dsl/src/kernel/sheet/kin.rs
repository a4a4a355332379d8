//! How the sheets of a list stand to each other, and the colours they may take from one another.

use crate::kernel::sheet::{Made, Sheet};
use crate::sheet::measure::{area, majority};

/// From where a sheet of a list takes its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// From itself: its most frequent colour, or its least frequent one.
    Most,
    Least,
    /// The one of another colour that it touches along most sides of cells.
    Touching,
    /// The nearest of another colour.
    Nearest,
    /// The nearest of another colour that lies in one of its rows, or columns.
    InRow,
    InColumn,
    /// The largest of another colour in its frame.
    Inside,
    /// The smallest of another colour in whose frame it lies.
    Around,
    /// The first of its form in another colour.
    Twin,
    /// The largest of all, or the smallest.
    Largest,
    Smallest,
}

impl Kin {
    /// All of them; programs say their number.
    pub const ALL: [Kin; 11] = [
        Kin::Most,
        Kin::Least,
        Kin::Touching,
        Kin::Nearest,
        Kin::InRow,
        Kin::InColumn,
        Kin::Inside,
        Kin::Around,
        Kin::Twin,
        Kin::Largest,
        Kin::Smallest,
    ];
}

/// The colour of a sheet.
pub fn color(s: &Sheet) -> u8 {
    majority(s)
}

/// For every sheet the colour it takes; `None` when there is nothing to take it from.
pub fn colors(list: &[Sheet], kin: Kin) -> Vec<Option<u8>> {
    let own: Vec<u8> = list.iter().map(color).collect();
    // The best by some number, of those for which there is one; the first of several.
    let best = |score: &dyn Fn(&Sheet, &Sheet) -> Option<i32>| {
        let of = |k: usize| {
            let mut best: Option<(i32, u8)> = None;
            for m in (0..list.len()).filter(|&m| own[m] != own[k] && own[m] != 0) {
                if let Some(score) = score(&list[k], &list[m])
                    && best.is_none_or(|(b, _)| score > b)
                {
                    best = Some((score, own[m]));
                }
            }
            best.map(|(_, color)| color)
        };
        (0..list.len()).map(of).collect()
    };
    let extreme = |sign: i32| {
        let sizes = list.iter().map(|s| sign * area(s) as i32);
        let best = sizes.zip(&own).rev().max_by_key(|(size, _)| *size);
        vec![best.map(|(_, color)| *color).filter(|c| *c != 0); list.len()]
    };
    match kin {
        Kin::Most => own.iter().map(|&c| Some(c).filter(|c| *c != 0)).collect(),
        Kin::Least => list.iter().map(least).collect(),
        Kin::Touching => best(&|a, b| Some(contact(a, b, false)).filter(|n| *n > 0)),
        Kin::Nearest => best(&|a, b| {
            let (down, across) = apart(a, b);
            Some(-down - across)
        }),
        Kin::InRow => best(&|a, b| {
            let (down, across) = apart(a, b);
            (down == 0).then_some(-across)
        }),
        Kin::InColumn => best(&|a, b| {
            let (down, across) = apart(a, b);
            (across == 0).then_some(-down)
        }),
        Kin::Inside => best(&|a, b| inside(b, a).then(|| area(b) as i32)),
        Kin::Around => best(&|a, b| inside(a, b).then(|| -(area(b) as i32))),
        Kin::Twin => best(&|a, b| alike(a, b).then_some(0)),
        Kin::Largest => extreme(1),
        Kin::Smallest => extreme(-1),
    }
}

/// The least frequent colour other than 0, the smallest of several.
pub(crate) fn least(s: &Sheet) -> Option<u8> {
    let mut counts = [0u32; 10];
    s.cells.iter().filter(|c| **c < 10).for_each(|&c| counts[usize::from(c)] += 1);
    (1..10u8).filter(|&c| counts[usize::from(c)] > 0).min_by_key(|&c| counts[usize::from(c)])
}

/// Whether two sheets have the same form, whatever their colours and places.
pub fn alike(a: &Sheet, b: &Sheet) -> bool {
    a.size() == b.size() && a.cells.iter().zip(&b.cells).all(|(x, y)| (*x == 0) == (*y == 0))
}

/// Whether the frame of a sheet lies within that of another one, smaller than it.
pub fn inside(a: &Sheet, b: &Sheet) -> bool {
    let end = |s: &Sheet| (s.top + s.height as i32, s.left + s.width as i32);
    let within = b.top <= a.top && b.left <= a.left && end(a).0 <= end(b).0 && end(a).1 <= end(b).1;
    within && a.size() != b.size()
}

/// How far apart the frames of two sheets are by rows and by columns: 0 when they share one, 1 when they lie
/// side by side.
pub(crate) fn apart(a: &Sheet, b: &Sheet) -> (i32, i32) {
    let gap = |a: i32, long: usize, b: i32, other: usize| {
        (b - a - long as i32 + 1).max(a - b - other as i32 + 1).max(0)
    };
    (gap(a.top, a.height, b.top, b.height), gap(a.left, a.width, b.left, b.width))
}

/// Along how many sides of cells two sheets touch, corners counted too if wanted.
pub fn contact(a: &Sheet, b: &Sheet, corners: bool) -> i32 {
    let (down, across) = apart(a, b);
    if down > 1 || across > 1 {
        return 0;
    }
    let mut count = 0;
    for i in 0..a.height as i32 {
        for (j, _) in a.row(i as usize).iter().enumerate().filter(|(_, c)| **c != 0) {
            let (y, x) = (a.top + i - b.top, a.left + j as i32 - b.left);
            for (di, dj) in NEAR.iter().take(if corners { 8 } else { 4 }) {
                count += i32::from(b.get(y + di, x + dj) != 0);
            }
        }
    }
    count
}

const NEAR: [(i32, i32); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The sheet in one colour, or as it is.
pub(crate) fn dyed(s: &Sheet, color: Option<u8>, out: &mut Sheet) -> Made {
    match color {
        Some(color) => crate::sheet::color::sheet_dye(s, color, out),
        None => {
            out.copy_from(s);
            Some(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;
    use crate::sheet::split::split_blobs;

    #[test]
    fn colours_are_taken_from_others() {
        let mut list = Vec::new();
        let picture = sheet(&["11..3", "12...", ".....", "55.66", "....6"]);
        split_blobs(&picture, &mut list).expect("things");
        let of = |kin| {
            let none = |c: Option<u8>| c.unwrap_or(0);
            colors(&list, kin).into_iter().map(none).collect::<Vec<u8>>()
        };
        assert_eq!(of(Kin::Most), [1, 3, 2, 5, 6]);
        assert_eq!(of(Kin::Touching), [2, 0, 1, 0, 0]);
        assert_eq!(of(Kin::Nearest), [2, 1, 1, 1, 5]);
        assert_eq!(of(Kin::InRow), [2, 1, 1, 6, 5]);
        assert_eq!(of(Kin::InColumn), [2, 6, 1, 1, 3]);
        assert_eq!(of(Kin::Inside), [2, 0, 0, 0, 0]);
        assert_eq!(of(Kin::Around), [0, 0, 1, 0, 0]);
        assert_eq!(of(Kin::Twin), [0, 2, 3, 0, 0]);
        assert_eq!(of(Kin::Largest), [1; 5]);
        assert_eq!(of(Kin::Smallest), [3; 5]);
    }
}
