//! Connected parts of a grid, by runs.
//!
//! A run is a stretch of equal cells in one row. Runs that touch are joined in a union-find forest
//! whose roots are always the earliest run of a part, so one pass numbers the parts in reading
//! order. Each part is then written run by run into a patch of its own.

use arcloom_value::{Patch, PatchBuf, Value};
use smallvec::SmallVec;

use super::lanes;

/// A stretch of equal cells in one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The row.
    pub row: u32,
    /// First column.
    pub start: u32,
    /// Column after the last one.
    pub end: u32,
    /// Colour of the cells.
    pub color: i8,
}

/// Runs in reading order.
pub type Runs = SmallVec<[Run; 256]>;

/// For every run the number of its part; parts are numbered in reading order of their first run.
#[derive(Default)]
pub struct Labels {
    of_run: SmallVec<[u32; 256]>,
    parts: usize,
}

/// The runs of a grid, those of colour `skip` left out.
pub fn runs(cells: &[i8], width: usize, skip: Option<i8>) -> Runs {
    let mut runs = Runs::new();
    find_runs(cells, width, skip, &mut runs);
    runs
}

/// Adds the runs of a grid, those of colour `skip` left out. By reference, because the list is large
/// to move.
pub fn find_runs(cells: &[i8], width: usize, skip: Option<i8>, runs: &mut Runs) {
    debug_assert!(width > 0 && cells.len().is_multiple_of(width) && !cells.is_empty());
    let skip = skip.map_or(i16::MAX, i16::from);
    let mut push = |row: usize, start: usize, end: usize| {
        let color = cells[start];
        if i16::from(color) != skip {
            let base = row * width;
            runs.push(Run {
                row: row as u32,
                start: (start - base) as u32,
                end: (end - base) as u32,
                color,
            });
        }
    };
    let (mut row, mut start, mut next_row) = (0, 0, width);
    let mut next_edge = width;
    for (block, mut ends) in (0..).step_by(64).zip(lanes::changes(cells)) {
        // Bit k: a run ends before cell `block + k`. Rows end runs as well.
        while next_edge < (block + 64).min(cells.len()) {
            ends |= 1 << (next_edge - block);
            next_edge += width;
        }
        while ends != 0 {
            let at = block + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            push(row, start, at);
            if at == next_row {
                (row, next_row) = (row + 1, next_row + width);
            }
            start = at;
        }
    }
    push(row, start, cells.len());
}

impl Labels {
    /// For every run the number of its part.
    pub fn of_runs(&self) -> &[u32] {
        &self.of_run
    }

    /// No runs.
    pub fn new() -> Labels {
        Labels { of_run: SmallVec::new(), parts: 0 }
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Back to no runs.
    pub fn clear(&mut self) {
        self.of_run.clear();
        self.parts = 0;
    }

    #[inline]
    fn root(&mut self, mut k: u32) -> u32 {
        while self.of_run[k as usize] != k {
            let above = self.of_run[self.of_run[k as usize] as usize];
            self.of_run[k as usize] = above;
            k = above;
        }
        k
    }

    #[inline]
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a as u32), self.root(b as u32));
        self.of_run[a.max(b) as usize] = a.min(b);
    }

    /// Turns roots into numbers of parts. A root comes before the runs that hang on it, so each finds
    /// its number ready.
    fn number(&mut self) {
        for k in 0..self.of_run.len() {
            let above = self.of_run[k] as usize;
            if above == k {
                self.of_run[k] = self.parts as u32;
                self.parts += 1;
            } else {
                self.of_run[k] = self.of_run[above];
            }
        }
    }
}

/// Joins runs that touch: side by side in one row, in neighbouring rows where their columns overlap,
/// and with `diagonal` where only corners meet. With `univalued` colours must be equal as well.
pub fn connected(runs: &[Run], univalued: bool, diagonal: bool) -> Labels {
    let mut labels = Labels::new();
    connect(runs, univalued, diagonal, &mut labels);
    labels
}

/// [`connected`] into labels for no runs yet. By reference, because they are large to move.
pub fn connect(runs: &[Run], univalued: bool, diagonal: bool, labels: &mut Labels) {
    // While parts are being joined, `of_run` says which run each one hangs on; a root hangs on itself
    // and is the earliest run of its part. At first every run is on its own.
    labels.of_run.extend(0..runs.len() as u32);
    let reach = u32::from(diagonal);
    let touch = |a: &Run, b: &Run| {
        a.start < b.end + reach && b.start < a.end + reach && (!univalued || a.color == b.color)
    };
    let (mut above, mut from) = (0..0, 0);
    while from < runs.len() {
        let row = runs[from].row;
        let mut end = from + 1;
        while end < runs.len() && runs[end].row == row {
            // Side by side they differ in colour, or they would be one run.
            if !univalued && runs[end].start == runs[end - 1].end {
                labels.join(end - 1, end);
            }
            end += 1;
        }
        if !above.is_empty() && runs[above.start].row + 1 == row {
            let (mut a, mut b) = (above.start, from);
            while a < above.end && b < end {
                if touch(&runs[a], &runs[b]) {
                    labels.join(a, b);
                }
                let (x, y) = (runs[a].end, runs[b].end);
                if diagonal && x == y {
                    if a + 1 < above.end && touch(&runs[a + 1], &runs[b]) {
                        labels.join(a + 1, b);
                    }
                    if b + 1 < end && touch(&runs[a], &runs[b + 1]) {
                        labels.join(a, b + 1);
                    }
                }
                a += usize::from(x <= y);
                b += usize::from(y <= x);
            }
        }
        (above, from) = (from..end, end);
    }
    labels.number();
}

/// Puts all runs of a colour into one part. The labels are for no runs yet.
pub fn by_color(runs: &[Run], labels: &mut Labels) {
    let mut part_of = [u32::MAX; 256];
    let mut parts = 0;
    labels.of_run.extend(runs.iter().map(|run| {
        let part = &mut part_of[usize::from(run.color as u8)];
        if *part == u32::MAX {
            *part = parts;
            parts += 1;
        }
        *part
    }));
    labels.parts = parts as usize;
}

/// One part: its box, its first cell in the order of cells, and its chain of runs.
#[derive(Debug, Clone, Copy)]
struct Part {
    top: u32,
    bottom: u32,
    left: u32,
    right: u32,
    /// Smallest colour.
    color: i8,
    /// True when there is more than one colour.
    mixed: bool,
    /// First run of the smallest colour.
    first: u32,
    /// First and last run.
    head: u32,
    tail: u32,
}

/// The parts as objects: in reading order of their first cell, or as the ascending elements of a set.
pub fn objects(runs: &[Run], labels: &Labels, ascending: bool) -> SmallVec<[Value; 16]> {
    debug_assert_eq!(runs.len(), labels.of_run.len());
    // Made empty and then filled, because these are large to move.
    let mut parts: SmallVec<[Part; 32]> = SmallVec::new();
    parts.reserve(labels.parts);
    let mut next: SmallVec<[u32; 256]> = SmallVec::new();
    next.resize(runs.len(), u32::MAX);
    for (k, (run, &label)) in (0..).zip(runs.iter().zip(&labels.of_run)) {
        let Some(part) = parts.get_mut(label as usize) else {
            let (row, left, right, color) = (run.row, run.start, run.end, run.color);
            let mixed = false;
            parts.push(Part {
                top: row,
                bottom: row,
                left,
                right,
                color,
                mixed,
                first: k,
                head: k,
                tail: k,
            });
            continue;
        };
        next[part.tail as usize] = k;
        (part.tail, part.bottom) = (k, run.row);
        (part.left, part.right) = (part.left.min(run.start), part.right.max(run.end));
        if run.color != part.color {
            part.mixed = true;
            if run.color < part.color {
                (part.color, part.first) = (run.color, k);
            }
        }
    }
    if !ascending {
        return parts.iter().map(|part| object(runs, part, &next)).collect();
    }
    // Parts share no cell, so their first cells settle the order.
    let key = |part: &Part| (biased(part.color) as u64) << 32 | u64::from(part.first);
    let mut order: SmallVec<[u64; 32]> = parts.iter().map(key).collect();
    order.sort_unstable();
    let part = |key: u64| &parts[labels.of_run[key as u32 as usize] as usize];
    order.into_iter().map(|key| object(runs, part(key), &next)).collect()
}

/// The object of one part.
fn object(runs: &[Run], part: &Part, next: &[u32]) -> Value {
    let chain = || {
        std::iter::successors(Some(part.head), |&k| {
            Some(next[k as usize]).filter(|&k| k != u32::MAX)
        })
        .map(|k| &runs[k as usize])
    };
    let (height, width) = (part.bottom - part.top + 1, part.right - part.left);
    let most_layers = if part.mixed { 256 } else { 1 };
    if !PatchBuf::fits(height.into(), width.into(), most_layers) {
        let cells = chain().flat_map(|run| {
            (run.start..run.end).map(|j| (run.color.into(), run.row.into(), j.into()))
        });
        return Value::object(&cells.collect::<Vec<_>>());
    }
    if width <= 64 && height < 256 && !part.mixed {
        // A part reaches all four sides of its box, so its rows are tight as they are.
        let mut rows: SmallVec<[u64; 64]> = SmallVec::new();
        rows.resize(height as usize + 1, 0);
        let mut count = 0;
        for run in chain() {
            set_run(&mut rows, 1, part, run);
            count += run.end - run.start;
        }
        rows[height as usize] = part.color as i64 as u64;
        let (top, left) = (part.top as i32, part.left as i32);
        return Value::Patch(Patch::from_tight_rows(top, left, width, count, &rows));
    }
    let mut buf =
        PatchBuf::object(part.top.into(), part.left.into(), height as usize, width as usize);
    let stride = buf.stride();
    if part.mixed {
        let mut colors = [0u64; 4];
        for run in chain() {
            let at = biased(run.color);
            colors[at / 64] |= 1 << (at % 64);
        }
        let mut layer_of = [0; 256];
        let mut layers = 0;
        for (w, bits) in colors.iter_mut().enumerate() {
            while *bits != 0 {
                let at = w * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                buf.color_mut((at as u8 ^ 0x80) as i8);
                layer_of[at] = layers;
                layers += 1;
            }
        }
        for run in chain() {
            set_run(buf.layer_mut(layer_of[biased(run.color)]), stride, part, run);
        }
    } else {
        let words = buf.color_mut(part.color);
        for run in chain() {
            set_run(words, stride, part, run);
        }
    }
    // Taken by reference: moving the buffer would copy its kilobyte of scratch space.
    match buf.finish() {
        Some(patch) => Value::Patch(patch),
        None => buf.into(),
    }
}

/// The colour as a number from 0 to 255 in the same order.
#[inline]
fn biased(color: i8) -> usize {
    usize::from(color as u8 ^ 0x80)
}

/// Sets the bits of a run in a layer over the part's box.
#[inline]
fn set_run(words: &mut [u64], stride: usize, part: &Part, run: &Run) {
    let row = (run.row - part.top) as usize;
    let (start, end) = ((run.start - part.left) as usize, (run.end - part.left) as usize);
    if stride == 1 {
        words[row] |= u64::MAX >> (64 - (end - start)) << start;
        return;
    }
    let row = &mut words[row * stride..(row + 1) * stride];
    for (w, word) in row.iter_mut().enumerate().take(end.div_ceil(64)).skip(start / 64) {
        let (low, high) = (start.max(w * 64) - w * 64, end.min((w + 1) * 64) - w * 64);
        *word |= u64::MAX >> (64 - (high - low)) << low;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;

    /// Cells of a random grid with large and small patches of colour.
    fn cells(random: &mut Random, height: usize, width: usize) -> Vec<i8> {
        let colors: [i8; 5] = [0, 0, 3, -1, 127];
        let colors = &colors[..2 + random.below(4)];
        let stay = random.below(4);
        let mut cells: Vec<i8> = Vec::new();
        for k in 0..height * width {
            let old = k.checked_sub(if random.below(2) == 0 { width } else { 1 });
            cells.push(match old {
                Some(old) if random.below(4) < stay => cells[old],
                _ => colors[random.below(colors.len())],
            });
        }
        cells
    }

    /// Flood fill, cell by cell.
    fn naive(
        cells: &[i8],
        width: usize,
        univalued: bool,
        diagonal: bool,
        skip: Option<i8>,
    ) -> Vec<Value> {
        let height = cells.len() / width;
        let mut seen = vec![false; cells.len()];
        let mut parts = Vec::new();
        for seed in 0..cells.len() {
            if seen[seed] || Some(cells[seed]) == skip {
                continue;
            }
            let (mut todo, mut part) = (vec![seed], Vec::new());
            seen[seed] = true;
            while let Some(at) = todo.pop() {
                let (i, j) = (at / width, at % width);
                part.push((i64::from(cells[at]), i as i64, j as i64));
                for (x, y) in (0..9).map(|d| (i + d / 3, j + d % 3)) {
                    // Off by one throughout, so as to stay positive.
                    let straight = x == i + 1 || y == j + 1;
                    if !(1..=height).contains(&x) || !(1..=width).contains(&y) {
                        continue;
                    }
                    let to = (x - 1) * width + y - 1;
                    let fits =
                        if univalued { cells[to] == cells[seed] } else { Some(cells[to]) != skip };
                    if !seen[to] && fits && (diagonal || straight) {
                        seen[to] = true;
                        todo.push(to);
                    }
                }
            }
            parts.push(Value::object(&part));
        }
        parts
    }

    #[test]
    fn parts_match_a_flood_fill() {
        let mut random = Random(7);
        for round in 0..600 {
            let (height, width) = match round % 4 {
                0 => (1 + random.below(4), 1 + random.below(4)),
                1 => (1 + random.below(30), 1 + random.below(30)),
                2 => (1 + random.below(12), 60 + random.below(9)),
                _ => (1 + random.below(5), 120 + random.below(90)),
            };
            let cells = cells(&mut random, height, width);
            for code in 0..8 {
                let (univalued, diagonal) = (code & 4 != 0, code & 2 != 0);
                let skip = (code & 1 != 0).then_some(cells[0]);
                let runs = runs(&cells, width, skip);
                let labels = connected(&runs, univalued, diagonal);
                let mut wanted = naive(&cells, width, univalued, diagonal, skip);
                assert_eq!(objects(&runs, &labels, false).to_vec(), wanted, "{cells:?} {width}");
                wanted.sort();
                assert_eq!(objects(&runs, &labels, true).to_vec(), wanted);
            }
        }
    }

    #[test]
    fn runs_cover_every_cell_once() {
        let mut random = Random(8);
        for width in (1..40).chain([63, 64, 65, 128, 200]) {
            let height = 1 + random.below(6);
            let cells = cells(&mut random, height, width);
            let mut seen = Vec::new();
            for run in runs(&cells, width, None) {
                assert!(run.start < run.end && run.end as usize <= width);
                seen.extend(std::iter::repeat_n(run.color, (run.end - run.start) as usize));
            }
            assert_eq!(seen, cells);
        }
    }

    #[test]
    fn a_part_too_large_for_bit_rows_keeps_all_cells() {
        let cells = vec![1; 70_000];
        let runs = runs(&cells, 1, None);
        let parts = objects(&runs, &connected(&runs, true, false), true);
        assert_eq!((parts.len(), parts[0].len()), (1, Some(70_000)));
    }
}
