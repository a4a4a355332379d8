//! Composition toward the output: pieces of the output's size stacked until every cell is explained.
//!
//! A piece may be laid by its visible cells, by its transparent cells (which then are 0), or whole.
//! Starting from nothing, the piece that paints no wrong cell and explains most of the open ones is
//! taken, and so on. What is painted first stays on top. Cells are bits, so that looking at one piece
//! takes a few instructions.

use crate::grow::ChainGrowth;
use crate::pieces::{Easel, Pieces};
use crate::size::Size;

/// Which cells of a piece are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    Visible,
    Gaps,
    Whole,
}

/// One layer of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackLayer {
    /// The piece that is laid.
    pub piece: u32,
    /// Which of its cells.
    pub laid: Laid,
}

/// Pieces stacked to outputs.
#[derive(Clone, Debug)]
pub struct Stack {
    /// Layers from the top.
    pub layers: Vec<StackLayer>,
    /// What its layers cost together.
    pub cost: u16,
}

/// What a stack is to do.
#[derive(Clone, Copy, Debug)]
pub struct StackAim {
    /// The demos that it paints no cell of wrong, one bit each.
    pub fit: u32,
    /// The demo that it explains every cell of.
    pub care: usize,
    /// What a piece may cost.
    pub bound: u16,
    /// Layers at most.
    pub layers: usize,
}

impl Stack {
    /// One piece alone.
    pub(crate) fn of(piece: u32, pieces: &Pieces) -> Stack {
        let layer = StackLayer { piece, laid: Laid::Whole };
        Stack { layers: vec![layer], cost: LAYER + pieces.pieces[piece as usize].cost }
    }
}

impl Pieces {
    /// A stack that does this.
    pub fn stack(&self, aim: &StackAim, work: &mut u64) -> Option<Stack> {
        let mut open = Open::new(self, aim.fit, aim.care);
        let end = self.pieces.partition_point(|p| p.cost <= aim.bound);
        let mut stack = Stack { layers: Vec::new(), cost: 0 };
        while stack.layers.len() < aim.layers && open.any() {
            *work += end as u64;
            let layer = self.best_layer(&open, end, stack.layers.is_empty())?;
            open.close(self, &layer);
            stack.cost += LAYER + self.pieces[layer.piece as usize].cost;
            stack.layers.push(layer);
        }
        (!open.any()).then_some(stack)
    }

    /// The piece that paints nothing wrong and explains most.
    fn best_layer(&self, open: &Open, end: usize, first: bool) -> Option<StackLayer> {
        let words = self.full.len();
        let mut best: Option<(u32, StackLayer)> = None;
        for number in 0..end {
            let at = number * words;
            let (wrong, clear) = (&self.wrong[at..at + words], &self.clear[at..at + words]);
            for (way, laid) in Laid::ALL.into_iter().enumerate() {
                let clean = self.clean[number][way] & open.fit == open.fit;
                let blocked = || {
                    open.span.iter().any(|&w| open.cells[w] & wrong[w] & laid.covers(clear[w]) != 0)
                };
                if !clean && (first || blocked()) {
                    continue;
                }
                let gain = open.gain(|w| laid.covers(clear[w]));
                if gain > 0 && best.is_none_or(|(g, _)| gain > g) {
                    best = Some((gain, StackLayer { piece: number as u32, laid }));
                }
            }
        }
        best.map(|(_, layer)| layer)
    }

    /// A stack's picture on one input; cells that no layer paints are `OPEN`.
    pub fn paint(
        &self,
        growth: &ChainGrowth,
        stack: &Stack,
        input: usize,
    ) -> Option<(Size, Vec<u8>)> {
        let size = self.sizes[input];
        let mut cells = vec![OPEN; size.0 * size.1];
        let mut easel = Easel::default();
        for layer in &stack.layers {
            let piece = &self.pieces[layer.piece as usize];
            let picture = self.picture(growth, piece, input, &mut easel)?;
            for (k, &color) in picture.cells().iter().enumerate() {
                let lays = match layer.laid {
                    Laid::Visible => color != 0,
                    Laid::Gaps => color == 0,
                    Laid::Whole => true,
                };
                if cells[k] == OPEN && lays {
                    cells[k] = color;
                }
            }
        }
        Some((size, cells))
    }
}

impl Laid {
    const ALL: [Laid; 3] = [Laid::Visible, Laid::Gaps, Laid::Whole];

    /// The cells that are laid of 64 of which those in `clear` are transparent.
    #[inline]
    fn covers(self, clear: u64) -> u64 {
        match self {
            Laid::Visible => !clear,
            Laid::Gaps => clear,
            Laid::Whole => !0,
        }
    }
}

/// The cells of the demos that are still to be explained.
struct Open {
    fit: u32,
    cells: Vec<u64>,
    /// Words of the demos that are fitted.
    span: Vec<usize>,
    /// Words in which gains count.
    cared: std::ops::Range<usize>,
}

impl Open {
    fn new(pieces: &Pieces, fit: u32, care: usize) -> Open {
        let mut cells = vec![0; pieces.full.len()];
        let mut span = Vec::new();
        for demo in (0..pieces.demos).filter(|d| fit >> d & 1 == 1) {
            let words = pieces.starts[demo]..pieces.starts[demo + 1];
            cells[words.clone()].copy_from_slice(&pieces.full[words.clone()]);
            span.extend(words);
        }
        Open { fit, cells, span, cared: pieces.starts[care]..pieces.starts[care + 1] }
    }

    fn any(&self) -> bool {
        self.cared.clone().any(|w| self.cells[w] != 0)
    }

    #[inline]
    fn gain(&self, covers: impl Fn(usize) -> u64) -> u32 {
        self.cared.clone().map(|w| (covers(w) & self.cells[w]).count_ones()).sum()
    }

    fn close(&mut self, pieces: &Pieces, layer: &StackLayer) {
        let words = pieces.full.len();
        let at = layer.piece as usize * words;
        for &w in &self.span {
            self.cells[w] &= !layer.laid.covers(pieces.clear[at + w]);
        }
    }
}

/// What a layer adds to the cost of its piece.
const LAYER: u16 = 5;
/// No stack has more layers.
pub const MOST_LAYERS: usize = 10;

/// A cell that no layer painted.
pub const OPEN: u8 = 255;
