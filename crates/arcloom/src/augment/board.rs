//! A grid to draw on, and the objects in it.

use arcloom_value::Grid;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Colours of a task file.
pub(super) const COLORS: usize = 10;

/// Random choices of one task.
pub(super) struct Dice(pub(super) ChaCha8Rng);

impl Dice {
    /// A number below `n`; 0 when `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize }
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub(super) fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// A grid that is being changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) cells: Vec<i8>,
}

impl Board {
    pub(super) fn set_to(&mut self, grid: &Grid) {
        (self.height, self.width) = (grid.height(), grid.width());
        self.cells.clear();
        self.cells.extend_from_slice(grid.cells());
    }

    pub(super) fn of(grid: &Grid) -> Board {
        let mut board = Board::default();
        board.set_to(grid);
        board
    }

    pub(super) fn grid(&self) -> Option<Grid> {
        Grid::new(self.height, self.width, &self.cells)
    }

    /// The cell at a place that may be outside.
    pub(super) fn at(&self, i: i32, j: i32) -> Option<i8> {
        let inside = (0..self.height as i32).contains(&i) && (0..self.width as i32).contains(&j);
        inside.then(|| self.cells[i as usize * self.width + j as usize])
    }

    pub(super) fn put(&mut self, i: i32, j: i32, color: i8) {
        self.cells[i as usize * self.width + j as usize] = color;
    }

    /// How often each colour occurs.
    pub(super) fn counts(&self) -> [u32; COLORS] {
        let mut counts = [0; COLORS];
        for &cell in &self.cells {
            if let Some(count) = counts.get_mut(cell as usize) {
                *count += 1;
            }
        }
        counts
    }
}

/// The most frequent colour, the lowest of several.
pub(super) fn most_frequent(counts: &[u32; COLORS]) -> i8 {
    let most = counts.iter().max();
    counts.iter().position(|count| Some(count) == most).unwrap_or(0) as i8
}

/// What counts as one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    /// Cells of one colour that share a side.
    Sides,
    /// Cells of one colour that share a side or a corner.
    Corners,
    /// Cells of any colour but the background's that share a side or a corner.
    Colors,
}

impl Joined {
    pub(super) const ALL: [Joined; 3] = [Joined::Sides, Joined::Corners, Joined::Colors];
}

/// Cells that belong together: place and colour of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lump {
    pub(super) cells: Vec<(i32, i32, i8)>,
}

impl Lump {
    /// First and last row, first and last column.
    pub(super) fn frame(&self) -> (i32, i32, i32, i32) {
        let start = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
        self.cells.iter().fold(start, |(top, bottom, left, right), &(i, j, _)| {
            (top.min(i), bottom.max(i), left.min(j), right.max(j))
        })
    }

    /// The same cells with the corner of their frame at the origin.
    pub(super) fn at_origin(mut self) -> Lump {
        let (top, _, left, _) = self.frame();
        self.cells.iter_mut().for_each(|(i, j, _)| (*i, *j) = (*i - top, *j - left));
        self
    }
}

/// Memory for finding objects.
#[derive(Debug, Default)]
pub(super) struct Finder {
    seen: Vec<bool>,
    stack: Vec<usize>,
    pub(super) lumps: Vec<Lump>,
    used: usize,
}

impl Finder {
    /// The objects of a board, by their first cell in reading order.
    pub(super) fn find(&mut self, board: &Board, background: i8, joined: Joined) -> &[Lump] {
        let (height, width) = (board.height as i32, board.width as i32);
        self.seen.clear();
        self.seen.resize(board.cells.len(), false);
        self.used = 0;
        for start in 0..board.cells.len() {
            if self.seen[start] || board.cells[start] == background {
                continue;
            }
            if self.used == self.lumps.len() {
                self.lumps.push(Lump::default());
            }
            let lump = &mut self.lumps[self.used].cells;
            lump.clear();
            self.used += 1;
            self.seen[start] = true;
            self.stack.push(start);
            while let Some(place) = self.stack.pop() {
                let color = board.cells[place];
                let (i, j) = ((place / board.width) as i32, (place % board.width) as i32);
                lump.push((i, j, color));
                for di in -1..=1 {
                    for dj in -1..=1 {
                        let is_side = di == 0 || dj == 0;
                        if !is_side && joined == Joined::Sides {
                            continue;
                        }
                        let (i, j) = (i + di, j + dj);
                        if i < 0 || j < 0 || i >= height || j >= width {
                            continue;
                        }
                        let next = i as usize * board.width + j as usize;
                        let other = board.cells[next];
                        let belongs = match joined {
                            Joined::Colors => other != background,
                            _ => other == color,
                        };
                        if belongs && !self.seen[next] {
                            self.seen[next] = true;
                            self.stack.push(next);
                        }
                    }
                }
            }
        }
        &self.lumps[..self.used]
    }
}
