//! Where an object occurs in a grid, all places at once.
//!
//! A bit row of places is narrowed down by every stretch of cells of the object: the places that see
//! `n` fitting cells to their right are the fitting cells themselves, eroded `n - 1` times. Eroding
//! by doubling takes a few shifts whatever the length, and equal rows of the object are eroded
//! downwards in the same way, so a large plain rectangle costs little more than a single cell.

use arcloom_value::{Grid, Patch, PatchBuf, Value};

use super::lanes;
use super::mask::Words;

/// The places of the upper left corner at which every cell of the object is found in the grid.
///
/// The object's box must not be larger than the grid.
pub fn places(grid: &Grid, object: &Patch) -> Value {
    let frame = object.frame();
    let (tall, wide) = (frame.height as usize, frame.width as usize);
    debug_assert!(object.is_object() && tall <= grid.height() && wide <= grid.width());
    let (height, width) = (grid.height() - tall + 1, grid.width() - wide + 1);
    if grid.width() > 64 || !PatchBuf::fits(height as i64, width as i64, 1) {
        return places_one_by_one(grid, object);
    }
    let mut buf = PatchBuf::indices(0, 0, height, width);
    let places = buf.layer_mut(0);
    places.fill(u64::MAX >> (64 - width));
    let mut fitting = Words::new();
    let mut eroded = Words::new();
    for k in 0..object.layer_count() {
        let cells = lanes::of_color(grid.cells(), object.color(k));
        fitting.clear();
        fitting
            .extend((0..grid.height()).map(|i| lanes::row(&cells, i * grid.width(), grid.width())));
        let layer = object.layer(k);
        let mut top = 0;
        while top < tall {
            let bits = layer[top];
            let equal = layer[top..].iter().take_while(|&&row| row == bits).count();
            let from = &fitting[top..top + height + equal - 1];
            top += equal;
            let mut rest = bits;
            while rest != 0 {
                let start = rest.trailing_zeros();
                let length = (rest >> start).trailing_ones();
                eroded.clear();
                eroded.extend_from_slice(from);
                erode_right(&mut eroded, length as usize);
                erode_down(&mut eroded, equal);
                for (place, row) in places.iter_mut().zip(&eroded) {
                    *place &= row >> start;
                }
                rest &= u64::MAX.checked_shl(start + length).unwrap_or(0);
            }
            if bits != 0 && places.iter().all(|&row| row == 0) {
                return Value::empty_set();
            }
        }
    }
    match buf.finish() {
        Some(patch) => Value::Patch(patch),
        None => buf.into(),
    }
}

/// Keeps the bits that start a stretch of `length` set bits.
fn erode_right(rows: &mut [u64], length: usize) {
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        for row in rows.iter_mut() {
            *row &= *row >> step;
        }
        have += step;
    }
}

/// Keeps the bits that start a stretch of `length` set bits downwards. The last `length - 1` rows,
/// which have fewer rows below them, are left with no meaning.
fn erode_down(rows: &mut [u64], length: usize) {
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        for i in 0..rows.len() - step {
            rows[i] &= rows[i + step];
        }
        have += step;
    }
}

/// The same for grids whose rows do not fit a word.
fn places_one_by_one(grid: &Grid, object: &Patch) -> Value {
    let frame = object.frame();
    let cells: Vec<(i8, usize)> = object
        .cells()
        .map(|(c, i, j)| (c, (i - frame.top) as usize * grid.width() + (j - frame.left) as usize))
        .collect();
    let mut places = Vec::new();
    for i in 0..=grid.height() - frame.height as usize {
        for j in 0..=grid.width() - frame.width as usize {
            let from = &grid.cells()[i * grid.width() + j..];
            if cells.iter().all(|&(color, at)| from[at] == color) {
                places.push((i as i64, j as i64));
            }
        }
    }
    Value::indices(&places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;

    fn random_grid(random: &mut Random, height: usize, width: usize, stay: usize) -> Grid {
        let mut cells: Vec<i8> = Vec::new();
        for k in 0..height * width {
            let old = k.checked_sub(if random.below(2) == 0 { width } else { 1 });
            cells.push(match old {
                Some(old) if random.below(8) < stay => cells[old],
                _ => random.below(3) as i8,
            });
        }
        Grid::new(height, width, &cells).unwrap()
    }

    /// Some cells of a part of the grid, so that there is at least one place.
    fn random_object(random: &mut Random, grid: &Grid, full: bool) -> Option<Patch> {
        let (tall, wide) = (1 + random.below(grid.height()), 1 + random.below(grid.width()));
        let (tall, wide) = (tall.min(8), if full { wide } else { wide.min(8) });
        let top = random.below(grid.height() - tall + 1);
        let left = random.below(grid.width() - wide + 1);
        let mut buf = PatchBuf::object(-3, 5, tall, wide);
        for i in 0..tall {
            for j in 0..wide {
                if full || random.below(3) > 0 {
                    buf.set_cell(grid.row(top + i)[left + j], i, j);
                }
            }
        }
        buf.finish()
    }

    #[test]
    fn places_match_a_look_at_every_cell() {
        let mut random = Random(9);
        let mut found = 0;
        for round in 0..3000 {
            let (height, width) = if round % 3 == 0 {
                (1 + random.below(5), 60 + random.below(5))
            } else {
                (1 + random.below(30), 1 + random.below(30))
            };
            let stay = random.below(9);
            let grid = random_grid(&mut random, height, width, stay);
            let full = random.below(2) == 0;
            let Some(object) = random_object(&mut random, &grid, full) else { continue };
            let places = places(&grid, &object);
            assert_eq!(places, places_one_by_one(&grid, &object), "{grid:?} {object:?}");
            found += places.len().unwrap();
        }
        assert!(found > 10_000, "{found}");
    }
}
