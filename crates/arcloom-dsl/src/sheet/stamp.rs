//! Parts of a pattern that lie elsewhere on the same sheet, completed to copies of it.

use arcloom_macros::{primitive, step};

use super::canvas;
use super::split::split_things;
use super::turn::{Turn, turn};
use crate::kernel::sheet::{Made, Sheet};

/// No more than this many patterns are tried, the largest ones.
const MOST_PATTERNS: usize = 8;

/// Copies are up to this many times as large.
const MOST_SCALE: usize = 3;

/// What a cell costs: it is looked at with a few patterns, each in up to 24 forms.
const WORK: usize = 100;

/// Copies of the objects with several colours where parts of them are found, all else transparent. A copy may be turned,
/// mirrored and up to three times as large. It is laid where whole objects are parts of it, all its cells of their colours
/// or half of it, and nothing else is in its way; a part of one cell says nothing about how a copy is turned, so that it is
/// not. Fails when there is no copy.
///
/// ```arc
/// sheet_stamp((((1, 2, 0, 0, 0), (0, 3, 0, 0, 2)), (0, 0))) == (((0, 0, 0, 0, 0), (0, 0, 0, 1, 2)), (0, 0))
/// sheet_stamp((((1, 2, 0, 4),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra, charge = WORK * sheet.cells().len())]
#[step(place = 550, until = 24, alone)]
pub fn sheet_stamp(sheet: &Sheet, out: &mut Sheet) -> Made {
    let mut things = Vec::new();
    split_things(sheet, &mut things)?;
    let ground = Ground::new(sheet, &things);
    let mut patterns: Vec<usize> =
        (0..things.len()).filter(|&n| colors_of(&things[n]).count_ones() > 1).collect();
    patterns.sort_by_key(|&n| std::cmp::Reverse(ground.areas[n]));
    patterns.truncate(MOST_PATTERNS);
    let mut copies: Vec<Copy> = Vec::new();
    for &pattern in &patterns {
        for image in images(&things[pattern]) {
            ground.copies(&things, pattern, &image, &mut copies);
        }
    }
    // Of a part that fits several ways, the one that most is there of; the sort keeps the order of the rest.
    copies.sort_by_key(|copy| std::cmp::Reverse(copy.found));
    out.blank_like(sheet);
    let mut explained = vec![false; things.len()];
    let mut any = false;
    for copy in copies {
        if copy.parts.iter().all(|&n| !explained[n]) {
            copy.parts.iter().for_each(|&n| explained[n] = true);
            canvas::lay_on(&copy.placed, out, false);
            any = true;
        }
    }
    any.then_some(())
}

/// A pattern turned and enlarged.
struct Image {
    sheet: Sheet,
    scale: usize,
    is_turned: bool,
}

/// An image where it goes, and which objects are parts of it.
struct Copy {
    placed: Sheet,
    parts: Vec<usize>,
    /// Cells of the image that are there.
    found: usize,
}

/// The distinct images of a pattern: as it is first, small ones before large ones.
fn images(pattern: &Sheet) -> Vec<Image> {
    let mut images: Vec<Image> = Vec::new();
    for scale in 1..=MOST_SCALE {
        for way in 0..8 {
            let mut turned = Sheet::default();
            match way {
                0 => turned.copy_from(pattern),
                way if turn(pattern, Turn::ALL[way - 1], &mut turned).is_some() => {}
                _ => continue,
            }
            let (h, w) = (turned.height * scale, turned.width * scale);
            let cells = (0..h * w).map(|at| turned.at(at / w / scale, at % w / scale)).collect();
            let Some(sheet) = Sheet::new(h, w, cells) else { continue };
            if images.iter().all(|other| other.sheet != sheet) {
                images.push(Image { sheet, scale, is_turned: way > 0 });
            }
        }
    }
    images
}

/// The colours of the visible cells, one bit each.
fn colors_of(s: &Sheet) -> u32 {
    super::measure::colors(s) & !1
}

/// Which object each cell belongs to.
struct Ground<'a> {
    s: &'a Sheet,
    thing: Vec<u16>,
    areas: Vec<usize>,
}

const NONE: u16 = u16::MAX;

impl<'a> Ground<'a> {
    fn new(s: &'a Sheet, things: &[Sheet]) -> Ground<'a> {
        let mut thing = vec![NONE; s.cells.len()];
        let mut areas = vec![0; things.len()];
        for (n, one) in things.iter().enumerate() {
            for i in 0..one.height {
                for (j, &c) in one.row(i).iter().enumerate() {
                    if c != 0 {
                        let (i, j) =
                            ((one.top - s.top) as usize + i, (one.left - s.left) as usize + j);
                        thing[i * s.width + j] = n as u16;
                        areas[n] += 1;
                    }
                }
            }
        }
        Ground { s, thing, areas }
    }

    /// Adds the copies of an image that have an object as a part.
    fn copies(&self, things: &[Sheet], pattern: usize, image: &Image, copies: &mut Vec<Copy>) {
        let (s, sheet) = (self.s, &image.sheet);
        for (part, thing) in things.iter().enumerate() {
            if part == pattern || thing.height > sheet.height || thing.width > sheet.width {
                continue;
            }
            let Some(at) = (0..thing.width).find(|&j| thing.at(0, j) != 0) else { continue };
            let (row, column) = (thing.top - s.top, thing.left - s.left + at as i32);
            let first = thing.at(0, at);
            for cell in (0..sheet.cells.len()).filter(|&cell| sheet.cells[cell] == first) {
                let (i, j) = (cell / sheet.width, cell % sheet.width);
                if !j.checked_sub(at).is_some_and(|j| is_part(thing, sheet, (i, j))) {
                    continue;
                }
                let (i, j) = (i as i32, j as i32);
                copies.extend(self.copy(pattern, image, (row - i, column - j)));
            }
        }
    }

    /// The copy at a place, if it is one.
    fn copy(&self, pattern: usize, image: &Image, place: (i32, i32)) -> Option<Copy> {
        let (s, sheet) = (self.s, &image.sheet);
        let (mut parts, mut found, mut colors) = (Vec::<usize>::new(), 0, 0u32);
        for i in 0..sheet.height {
            for (j, &c) in sheet.row(i).iter().enumerate().filter(|(_, c)| **c != 0) {
                let (y, x) = (place.0 + i as i32, place.1 + j as i32);
                let there = s.get(y, x);
                if there == 0 {
                    continue;
                }
                let thing = usize::from(self.thing[y as usize * s.width + x as usize]);
                if there != c || thing == pattern {
                    return None;
                }
                found += 1;
                colors |= 1 << c;
                if !parts.contains(&thing) {
                    parts.push(thing);
                }
            }
        }
        if parts.iter().map(|&n| self.areas[n]).sum::<usize>() != found {
            return None;
        }
        let all = sheet.cells.iter().filter(|c| **c != 0).count();
        let of_colors = sheet.cells.iter().filter(|c| **c != 0 && colors >> **c & 1 == 1).count();
        let enough = found < all && (found == of_colors || 2 * found >= all);
        let is_plain = found > image.scale * image.scale || !image.is_turned;
        (enough && is_plain).then(|| {
            let mut placed = sheet.clone();
            (placed.top, placed.left) = (s.top + place.0, s.left + place.1);
            Copy { placed, parts, found }
        })
    }
}

/// True when all visible cells of an object are cells of an image whose cell `corner` is the object's first.
fn is_part(thing: &Sheet, image: &Sheet, corner: (usize, usize)) -> bool {
    let (top, left) = corner;
    if top + thing.height > image.height || left + thing.width > image.width {
        return false;
    }
    (0..thing.height).all(|i| {
        let there = &image.row(top + i)[left..left + thing.width];
        thing.row(i).iter().zip(there).all(|(c, there)| *c == 0 || c == there)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[track_caller]
    fn check(from: &[&str], to: &[&str]) {
        let mut out = Sheet::default();
        sheet_stamp(&sheet(from), &mut out).expect("made");
        assert_eq!(out, sheet(to));
    }

    #[test]
    fn a_cell_is_completed_as_the_pattern_lies() {
        check(&["12....", ".3..2.", "......"], &["......", "...12.", "....3."]);
        // What leaves the sheet is cut off.
        check(&["12....", ".3..2."], &["......", "...12."]);
    }

    #[test]
    fn several_parts_tell_how_it_is_turned() {
        check(&["123....", ".......", "3.1...."], &[".......", ".......", "321...."]);
        check(&["123..1", "......", ".....3"], &[".....1", ".....2", ".....3"]);
    }

    #[test]
    fn large_parts_are_completed_to_large_copies() {
        check(&["12....", "......", "...22.", "...22."], &["......", "......", ".1122.", ".1122."]);
    }

    #[test]
    fn half_a_pattern_is_enough() {
        check(
            &["1122...1", "1133...1", ".......2", ".......2"],
            &["......11", "......11", "......32", "......32"],
        );
    }

    #[test]
    fn nothing_may_be_in_the_way() {
        let mut out = Sheet::default();
        assert_eq!(sheet_stamp(&sheet(&["12..3."]), &mut out), None);
        assert_eq!(sheet_stamp(&sheet(&["12.42."]), &mut out), None);
        assert_eq!(sheet_stamp(&sheet(&["12..12"]), &mut out), None);
    }
}
