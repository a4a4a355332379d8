//! Writing patches into blocks of cells, and lifting objects out of grids.

use arcloom_value::{Grid, Patch, PatchBuf, Value};
use smallvec::SmallVec;

use super::count::counts;
use super::expand::{low_bits, runs};
use super::mask::{Mask, Words, load};

/// A block of cells being written to.
pub struct Block<'a> {
    /// The cells, row by row.
    pub cells: &'a mut [i8],
    /// Cells per row; at least 1.
    pub width: usize,
}

impl Block<'_> {
    /// Number of rows and of columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.cells.len() / self.width, self.width)
    }

    /// Hands `write` every piece of a row that layer `k` of the patch covers once it is moved by
    /// `offset`; what falls outside the block is left out.
    #[inline]
    fn cover(
        &mut self,
        patch: &Patch,
        k: usize,
        offset: (i64, i64),
        mut write: impl FnMut(&mut [i8]),
    ) {
        debug_assert!(self.width > 0 && self.cells.len().is_multiple_of(self.width));
        let (frame, stride) = (patch.frame(), patch.frame().stride());
        let top = i64::from(frame.top).saturating_add(offset.0);
        let left = i64::from(frame.left).saturating_add(offset.1);
        let rows = patch.layer(k).chunks_exact(stride);
        let skipped = usize::try_from(top.saturating_neg()).unwrap_or(0);
        let first = usize::try_from(top).unwrap_or(0);
        let lines = self.cells.chunks_exact_mut(self.width).skip(first);
        for (line, row) in lines.zip(rows.skip(skipped)) {
            for (n, &bits) in row.iter().enumerate() {
                let start = left.saturating_add(n as i64 * 64);
                let bits = bits & columns_inside(start, line.len());
                runs(bits, |from, to| {
                    // Set bits lie inside the line, so neither end is negative.
                    let place = |bit: usize| (start + bit as i64) as usize;
                    write(&mut line[place(from)..place(to)]);
                });
            }
        }
    }

    /// Writes one value at all positions of a patch.
    pub fn fill(&mut self, patch: &Patch, value: i8) {
        for k in 0..patch.layer_count() {
            self.cover(patch, k, (0, 0), |cells| cells.fill(value));
        }
    }

    /// Writes one value at those positions of a patch that hold `below`.
    pub fn underfill(&mut self, patch: &Patch, value: i8, below: i8) {
        for k in 0..patch.layer_count() {
            self.cover(patch, k, (0, 0), |cells| replace(cells, below, value));
        }
    }

    /// Writes the cells of an object, moved by `offset`; the largest colour of a place stays.
    pub fn paint(&mut self, object: &Patch, offset: (i64, i64)) {
        for k in 0..object.layer_count() {
            let color = object.color(k);
            self.cover(object, k, offset, |cells| cells.fill(color));
        }
    }

    /// Writes those cells of an object that find `below`; the smallest colour of a place that
    /// differs from it stays.
    pub fn underpaint(&mut self, object: &Patch, below: i8) {
        for k in 0..object.layer_count() {
            let color = object.color(k);
            self.cover(object, k, (0, 0), |cells| replace(cells, below, color));
        }
    }
}

#[inline]
fn replace(cells: &mut [i8], old: i8, new: i8) {
    for cell in cells {
        *cell = if *cell == old { new } else { *cell };
    }
}

/// The bits of a word whose columns, counted from `start`, lie in `0..width`.
#[inline]
fn columns_inside(start: i64, width: usize) -> u64 {
    let before = start.saturating_neg().clamp(0, 64) as usize;
    let until = (width as i64).saturating_sub(start).clamp(0, 64) as usize;
    low_bits(until) & !low_bits(before)
}

/// Patches with up to this many cells are lifted cell by cell.
const FEW: usize = 12;

/// The coloured cells of a grid at the positions of `patch`, or all of them. `None` when they need
/// more room than a window may have.
pub fn lift(grid: &Grid, patch: Option<&Patch>) -> Option<Value> {
    let (height, width) = (grid.height() as i64, grid.width() as i64);
    let mut scratch = Words::new();
    let mask = patch.map(|p| Mask::new(p, &mut scratch));
    let (top, left, bottom, right) = mask.map_or((0, 0, height, width), |m| {
        let (bottom, right) = (m.top + m.height as i64, m.left + m.width as i64);
        (m.top.max(0), m.left.max(0), bottom.min(height), right.min(width))
    });
    if top >= bottom || left >= right {
        return Some(Value::empty_set());
    }
    let (rows, columns) = (bottom - top, right - left);
    if let Some(patch) = patch.filter(|p| p.len() <= FEW && PatchBuf::fits(rows, columns, FEW)) {
        let mut buf = PatchBuf::object(top, left, rows as usize, columns as usize);
        for (i, j) in patch.positions() {
            let (i, j) = (i64::from(i), i64::from(j));
            if let Some(color) = grid.get(i, j) {
                buf.set_cell(color, (i - top) as usize, (j - left) as usize);
            }
        }
        return Some(Value::from(&buf));
    }
    // Colours that only the rest of the grid has give empty layers, which are dropped in the end.
    let palette = counts(grid.cells());
    if !PatchBuf::fits(rows, columns, palette.len()) {
        return None;
    }
    let stride = (columns as usize).div_ceil(64);
    let mut words: SmallVec<[Run; 32]> = SmallVec::new();
    words.reserve(rows as usize * stride);
    for i in top..bottom {
        for j in (left..right).step_by(64) {
            let n = (right - j).min(64) as usize;
            let wanted = mask.map_or(!0, |m| m.bits(i, j)) & low_bits(n);
            words.push(Run { at: (i * width + j) as usize, n, wanted });
        }
    }
    let layers = if palette.iter().all(|(color, _)| (0..16).contains(color)) {
        split::<4>(grid.cells(), &words, &palette)
    } else {
        split::<8>(grid.cells(), &words, &palette)
    };
    if stride == 1 {
        let colors: SmallVec<[i8; 16]> = palette.iter().map(|&(color, _)| color).collect();
        if let Some(patch) = Patch::tight((top, left), rows as usize, Some(&colors), &layers) {
            return Some(Value::Patch(patch));
        }
    }
    let mut buf = PatchBuf::object(top, left, rows as usize, columns as usize);
    for (&(color, _), layer) in palette.iter().zip(layers.chunks_exact(words.len())) {
        buf.color_mut(color).copy_from_slice(layer);
    }
    Some(Value::from(&buf))
}

/// The cells that one word of a layer stands for.
struct Run {
    /// Where they begin.
    at: usize,
    /// How many they are.
    n: usize,
    /// Which of them to look at.
    wanted: u64,
}

/// A layer for every colour of the palette, one after the other; colours have `DEPTH` bits.
fn split<const DEPTH: usize>(
    cells: &[i8],
    words: &[Run],
    palette: &[(i8, u32)],
) -> SmallVec<[u64; 128]> {
    let mut layers = SmallVec::new();
    layers.reserve(words.len() * palette.len());
    let mut planes: SmallVec<[[u64; DEPTH]; 32]> = SmallVec::new();
    planes.extend(words.iter().map(|run| bit_planes(cells, run.at, run.n)));
    for &(color, _) in palette {
        // A plane with its bits flipped where the colour has a 0 is all ones for that colour.
        let flips: [u64; DEPTH] =
            std::array::from_fn(|p| u64::from(color as u8 >> p & 1).wrapping_sub(1));
        layers.extend(planes.iter().zip(words).map(|(planes, run)| {
            planes.iter().zip(&flips).fold(run.wanted, |same, (p, f)| same & (p ^ f))
        }));
    }
    layers
}

/// Up to 64 cells turned on their side: bit `j` of word `p` is bit `p` of cell `at + j`. Bits from
/// `n` on may be anything.
#[inline]
fn bit_planes<const DEPTH: usize>(cells: &[i8], at: usize, n: usize) -> [u64; DEPTH] {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    // This factor gathers the lowest bits of eight bytes in the topmost byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    debug_assert!(n <= 64 && at + n <= cells.len());
    let mut planes = [0; DEPTH];
    for j in (0..n).step_by(8) {
        let word = load(cells, at + j);
        for (p, plane) in planes.iter_mut().enumerate() {
            *plane |= (word >> p & LOWEST).wrapping_mul(GATHER) >> 56 << j;
        }
    }
    planes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;

    /// A grid of `height` x `width` cells with these colours.
    fn grid(random: &mut Random, height: usize, width: usize, colors: &[i8]) -> Grid {
        let cells: Vec<i8> =
            (0..height * width).map(|_| colors[random.below(colors.len())]).collect();
        Grid::new(height, width, &cells).unwrap()
    }

    /// A patch of `n` places around the origin, up to two colours on each.
    fn object(random: &mut Random, n: usize, reach: usize) -> Vec<(i64, i64, i64)> {
        let mut place = || random.below(2 * reach + 1) as i64 - reach as i64 / 2;
        (0..n).map(|_| (place() % 5 - 1, place(), place())).collect()
    }

    fn patch(value: &Value) -> &Patch {
        match value {
            Value::Patch(patch) => patch,
            _ => panic!("not a patch"),
        }
    }

    #[test]
    fn writing_matches_cell_by_cell_writing() {
        let mut random = Random(5);
        for (height, width, reach) in
            [(1, 1, 2), (7, 9, 6), (30, 30, 20), (12, 90, 100), (70, 66, 80)]
        {
            for n in [1, 5, 60, 400] {
                let g = grid(&mut random, height, width, &[-1, 0, 1, 2]);
                let mut cells = object(&mut random, n, reach);
                cells.sort_unstable();
                let value = Value::object(&cells);
                let offset = (random.below(9) as i64 - 4, random.below(9) as i64 - 4);
                // Kind of writing, and what it does to a cell.
                type Write = fn(&mut i8, i8);
                let kinds: [(Write, (i64, i64)); 4] = [
                    (|cell, _| *cell = 7, (0, 0)),
                    (|cell, _| *cell = if *cell == 1 { 7 } else { *cell }, (0, 0)),
                    (|cell, c| *cell = c, offset),
                    (|cell, c| *cell = if *cell == 1 { c } else { *cell }, (0, 0)),
                ];
                for (kind, (write, offset)) in kinds.into_iter().enumerate() {
                    let mut wanted = g.cells().to_vec();
                    for &(c, i, j) in &cells {
                        let (i, j) = (i + offset.0, j + offset.1);
                        if (0..height as i64).contains(&i) && (0..width as i64).contains(&j) {
                            write(&mut wanted[i as usize * width + j as usize], c as i8);
                        }
                    }
                    let mut got = g.cells().to_vec();
                    let mut block = Block { cells: &mut got, width };
                    match kind {
                        0 => block.fill(patch(&value), 7),
                        1 => block.underfill(patch(&value), 7, 1),
                        2 => block.paint(patch(&value), offset),
                        _ => block.underpaint(patch(&value), 1),
                    }
                    assert_eq!(got, wanted, "{kind}: {height} x {width}, {n} cells");
                }
            }
        }
    }

    #[test]
    fn far_offsets_write_nothing() {
        let mut random = Random(6);
        let value = Value::object(&object(&mut random, 20, 4));
        for far in [i64::MIN, i64::MIN + 1, -1 << 40, 1 << 40, i64::MAX] {
            for offset in [(far, 0), (0, far), (far, far)] {
                let mut cells = [9; 12];
                Block { cells: &mut cells, width: 4 }.paint(patch(&value), offset);
                assert_eq!(cells, [9; 12]);
            }
        }
    }

    #[test]
    fn lifting_matches_a_look_at_every_cell() {
        let mut random = Random(7);
        let palettes: [&[i8]; 3] = [&[3], &[0, 1, 9, 5], &[-128, -1, 0, 64, 127]];
        for (height, width, reach) in
            [(1, 1, 2), (7, 9, 6), (30, 30, 20), (12, 90, 100), (70, 66, 80)]
        {
            for colors in palettes {
                let g = grid(&mut random, height, width, colors);
                let cell = |i: i64, j: i64| g.get(i, j).map(|c| (i64::from(c), i, j));
                let all: Vec<_> = (0..height as i64)
                    .flat_map(|i| (0..width as i64).filter_map(move |j| cell(i, j)))
                    .collect();
                assert_eq!(lift(&g, None).unwrap(), Value::object(&all));
                for n in [1, 30, 2000] {
                    let value = Value::object(&object(&mut random, n, reach));
                    let some: Vec<_> = patch(&value)
                        .positions()
                        .filter_map(|(i, j)| cell(i.into(), j.into()))
                        .collect();
                    let got = lift(&g, Some(patch(&value))).unwrap();
                    assert_eq!(got, Value::object(&some), "{height} x {width}, {n} cells");
                }
            }
        }
    }
}
