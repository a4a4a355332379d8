//! The small parts that grids of a task are made of: windows of 3 x 3 cells and shapes of objects.
//!
//! Where every demo is made of parts that the others have too, a new grid must be; where each demo brings
//! parts of its own, a new grid may bring some, too.

use arcloom_value::FixedSet;

use super::board::{Board, COLORS};
use super::range::Strictness;
use super::recast::{Recast, Recasts};

/// What stands for a cell beyond the border.
const BEYOND: u64 = 15;

/// The parts of the demos' grids.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary {
    known: FixedSet<u64>,
    /// New windows that a grid may have, by strictness.
    allowed: [usize; 2],
    /// For each colour: 0 where it stands for itself, else the first of its class and one more.
    classes: [u8; COLORS],
}

impl Vocabulary {
    /// Of these grids, seen through the turns that are allowed.
    pub(super) fn new(boards: &[&Board], recasts: &Recasts) -> Vocabulary {
        let class = |color: usize| match recasts.is_fixed(color) {
            true => 0,
            false => recasts.classes[color] as u8 + 1,
        };
        let classes = std::array::from_fn(class);
        let mut vocabulary = Vocabulary { classes, ..Vocabulary::default() };
        let mut turned = Board::default();
        let of_each: Vec<FixedSet<u64>> = boards
            .iter()
            .map(|board| {
                let mut own = FixedSet::default();
                for &turn in &recasts.turns {
                    Recast::turn(turn).apply(board, &mut turned);
                    windows(&turned, &classes, |code| {
                        own.insert(code);
                    });
                }
                own
            })
            .collect();
        let alone = |(n, board): (usize, &&Board)| {
            let mut new = 0;
            windows(board, &classes, |code| {
                let others = of_each.iter().enumerate().filter(|(other, _)| *other != n);
                new += usize::from(!others.into_iter().any(|(_, set)| set.contains(&code)));
            });
            new
        };
        let alone = boards.iter().enumerate().map(alone);
        let (least, most) = alone.fold((usize::MAX, 0), |(low, high), n| (low.min(n), high.max(n)));
        vocabulary.allowed = [least / 2, most];
        vocabulary.known = of_each.into_iter().flatten().collect();
        vocabulary
    }

    /// True when a grid is made of what the demos are made of.
    pub(super) fn admits(&self, board: &Board, strictness: Strictness) -> bool {
        let mut new = 0;
        windows(board, &self.classes, |code| new += usize::from(!self.known.contains(&code)));
        new <= self.allowed[strictness as usize]
    }
}

/// How many windows of each demo no other demo has, so that a recast can be asked whether it makes more: what
/// always lies at the bottom, or always is red, is no symmetry of the task even if the program does not care.
pub(super) struct Novelty {
    own: Vec<FixedSet<u64>>,
    usual: usize,
}

impl Novelty {
    pub(super) fn new(boards: &[&Board]) -> Novelty {
        let set = |board: &&Board| {
            let mut own = FixedSet::default();
            windows(board, &[0; COLORS], |code| {
                own.insert(code);
            });
            own
        };
        let mut novelty = Novelty { own: boards.iter().map(set).collect(), usual: 0 };
        novelty.usual = novelty.count(boards, &Recast::NONE);
        novelty
    }

    fn count(&self, boards: &[&Board], recast: &Recast) -> usize {
        let (mut seen, mut new) = (Board::default(), 0);
        for (n, board) in boards.iter().enumerate() {
            recast.apply(board, &mut seen);
            windows(&seen, &[0; COLORS], |code| {
                let mut others = self.own.iter().enumerate().filter(|(other, _)| *other != n);
                new += usize::from(!others.any(|(_, set)| set.contains(&code)));
            });
        }
        new
    }

    /// True when the recast demos look as much like the others as the demos do.
    pub(super) fn allows(&self, boards: &[&Board], recast: &Recast) -> bool {
        self.count(boards, recast) <= self.usual
    }
}

/// Every window of 3 x 3 cells as a number; colours that others may stand for are numbered as they come.
fn windows(board: &Board, classes: &[u8; COLORS], mut see: impl FnMut(u64)) {
    let (height, width) = (board.height as i32, board.width as i32);
    for i in 0..height {
        for j in 0..width {
            let mut code = 0u64;
            let (mut names, mut next) = ([0u64; COLORS], 0);
            for di in -1..=1 {
                for dj in -1..=1 {
                    let (i, j) = (i + di, j + dj);
                    let is_inside = i >= 0 && j >= 0 && i < height && j < width;
                    let cell = match is_inside {
                        false => BEYOND,
                        true => {
                            let color = board.cells[(i * width + j) as usize] as usize % COLORS;
                            if classes[color] == 0 {
                                color as u64
                            } else {
                                if names[color] == 0 {
                                    next += 1;
                                    names[color] = next;
                                }
                                // Beside the colours that stand for themselves.
                                16 + names[color]
                            }
                        }
                    };
                    code = code << 5 | cell;
                }
            }
            see(code);
        }
    }
}
