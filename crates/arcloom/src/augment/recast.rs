//! Symmetries of grids and permutations of colours: the same picture, seen otherwise.

use super::board::{Board, COLORS, Dice};

/// A turn or mirroring and a permutation of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Recast {
    /// Bit 0 exchanges rows with columns, bit 1 then mirrors rows, bit 2 columns.
    pub(super) turn: u8,
    pub(super) colors: [i8; COLORS],
}

/// Number of turns and mirrorings.
pub(super) const TURNS: u8 = 8;

impl Recast {
    /// Changes nothing.
    pub(super) const NONE: Recast = Recast { turn: 0, colors: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] };

    pub(super) fn turn(turn: u8) -> Recast {
        Recast { turn, ..Recast::NONE }
    }

    pub(super) fn exchange(a: usize, b: usize) -> Recast {
        let mut recast = Recast::NONE;
        recast.colors.swap(a, b);
        recast
    }

    pub(super) fn color(&self, color: i8) -> i8 {
        self.colors.get(color as usize).copied().unwrap_or(color)
    }

    /// Draws the board onto another one.
    pub(super) fn apply(&self, from: &Board, to: &mut Board) {
        let swap = self.turn & 1 != 0;
        let (height, width) =
            if swap { (from.width, from.height) } else { (from.height, from.width) };
        (to.height, to.width) = (height, width);
        to.cells.clear();
        let (up, left) = (self.turn & 2 != 0, self.turn & 4 != 0);
        for i in 0..height {
            let i = if up { height - 1 - i } else { i };
            for j in 0..width {
                let j = if left { width - 1 - j } else { j };
                let (i, j) = if swap { (j, i) } else { (i, j) };
                to.cells.push(self.color(from.cells[i * from.width + j]));
            }
        }
    }
}

/// The recasts that the pairs of a task may be seen through.
#[derive(Debug, Clone)]
pub(super) struct Recasts {
    /// Turns that may be used.
    pub(super) turns: Vec<u8>,
    /// For each colour the least one that it may be exchanged with.
    pub(super) classes: [usize; COLORS],
}

impl Recasts {
    /// True when this colour stands for itself.
    pub(super) fn is_fixed(&self, color: usize) -> bool {
        self.classes.iter().filter(|class| **class == self.classes[color]).count() == 1
    }

    /// True when nothing but the picture itself is allowed.
    pub(super) fn is_trivial(&self) -> bool {
        self.turns.len() == 1 && (0..COLORS).all(|color| self.is_fixed(color))
    }

    /// One of them.
    pub(super) fn draw(&self, dice: &mut Dice) -> Recast {
        let mut recast = Recast::turn(dice.pick(&self.turns).copied().unwrap_or(0));
        if dice.one_in(4) && recast.turn != 0 {
            return recast;
        }
        // Each colour changes places with one of its class that is not settled yet.
        for color in 0..COLORS {
            let later = |other: &usize| self.classes[*other] == self.classes[color];
            let others = (color..COLORS).filter(later).count();
            if let Some(other) = (color..COLORS).filter(later).nth(dice.below(others)) {
                recast.colors.swap(color, other);
            }
        }
        recast
    }
}

/// A number that two boards share when one is a recast of the other, any colour standing for any other.
pub(super) fn essence(board: &Board, memory: &mut Board) -> u64 {
    let hash = |turn: u8, memory: &mut Board| {
        Recast::turn(turn).apply(board, memory);
        let (mut names, mut next) = ([-1i8; 128], 0);
        for cell in &mut memory.cells {
            let name = &mut names[(*cell & 127) as usize];
            if *name < 0 {
                *name = next;
                next += 1;
            }
            *cell = *name;
        }
        fingerprint(memory)
    };
    (0..TURNS).map(|turn| hash(turn, memory)).min().unwrap_or(0)
}

/// A hash of a board.
pub(super) fn fingerprint(board: &Board) -> u64 {
    use std::hash::BuildHasher;
    arcloom_value::FixedHasher.hash_one((board.height, board.width, &board.cells))
}

/// Sides and how often colours occur, whatever colours: different for boards that are no recasts of each
/// other, most of the time.
pub(super) fn outline(board: &Board) -> (usize, usize, [u32; COLORS]) {
    let mut counts = board.counts();
    counts.sort_unstable();
    let (low, high) = (board.height.min(board.width), board.height.max(board.width));
    (low, high, counts)
}
