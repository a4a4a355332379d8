//! Colours: keep, erase, invert, recolour.

use crate::kernel::sheet::measure::{colors, majority};
use crate::kernel::sheet::{Made, Sheet};

/// Cells of one colour; the others become see-through.
pub fn keep(s: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(s, out, |c| if c == color { c } else { 0 })
}

/// Cells of one colour become see-through.
pub fn erase(s: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(s, out, |c| if c == color { 0 } else { c })
}

/// Everything that is there gets one colour.
pub fn dye(s: &Sheet, color: u8, out: &mut Sheet) -> Made {
    map(s, out, |c| if c == 0 { 0 } else { color })
}

/// What is there becomes see-through, the rest the smallest colour that does not occur.
pub fn invert(s: &Sheet, out: &mut Sheet) -> Made {
    let seen = colors(s) | 1;
    let fresh = (1..10).find(|c| seen >> c & 1 == 0).unwrap_or(1);
    map(s, out, |c| if c == 0 { fresh } else { 0 })
}

/// The most frequent colour alone.
pub fn keep_most(s: &Sheet, out: &mut Sheet) -> Made {
    keep(s, majority(s), out)
}

/// The least frequent colour alone.
pub fn keep_least(s: &Sheet, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 256];
    s.cells.iter().for_each(|&c| counts[usize::from(c)] += 1);
    let color = (1..10u8).filter(|&c| counts[usize::from(c)] > 0);
    let color = color.min_by_key(|&c| counts[usize::from(c)])?;
    keep(s, color, out)
}

/// All but the most frequent colour.
pub fn erase_most(s: &Sheet, out: &mut Sheet) -> Made {
    erase(s, majority(s), out)
}

/// The most frequent colour, 0 included, and 0 change places.
pub fn swap_ground(s: &Sheet, out: &mut Sheet) -> Made {
    let mut counts = [0usize; 10];
    s.cells.iter().for_each(|&c| counts[usize::from(c.min(9))] += 1);
    let ground = (0..10u8).rev().max_by_key(|&c| counts[usize::from(c)])?;
    if ground == 0 {
        return None;
    }
    map(s, out, |c| {
        if c == ground {
            0
        } else if c == 0 {
            ground
        } else {
            c
        }
    })
}

#[inline]
fn map(s: &Sheet, out: &mut Sheet, f: impl Fn(u8) -> u8) -> Made {
    out.place_like(s);
    out.cells.clear();
    out.cells.extend(s.cells.iter().map(|&c| f(c)));
    Some(())
}
