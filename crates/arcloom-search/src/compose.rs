//! Composition toward the output: pieces of the output's size stacked until every cell is explained.
//!
//! A piece may be laid by its visible cells, by its see-through cells (which then are 0), or whole.
//! Starting from nothing, the piece that paints no wrong cell and explains most of the open ones is
//! taken, and so on. What is painted first stays on top. Cells are bits, so that looking at one piece
//! takes a few instructions.

use std::hash::{BuildHasher, Hasher};

use arcloom_sheet::Sheet;
use arcloom_value::{FixedHasher, FixedSet};

use crate::grow::Growth;
use crate::size::Size;
use crate::steps::{Bounds, Item, Scratch, Step};

/// A picture of the output's size on every input.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The chain it comes from.
    pub node: u32,
    /// What was done with its values last: overlaid when lists, moved home, dyed.
    pub tail: Tail,
    /// Cost of the chain with its tail.
    pub cost: u16,
}

/// The last steps before a value is embedded in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    pub overlay: bool,
    pub home: bool,
    pub dye: u8,
}

impl Tail {
    /// What the tail adds to the cost of a chain.
    fn cost(self) -> u16 {
        10 * (u16::from(self.overlay) + u16::from(self.home) + u16::from(self.dye > 0))
    }
}

/// Which cells of a piece are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    Visible,
    Gaps,
    Whole,
}

/// One layer of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheaf {
    /// The piece that is laid.
    pub piece: u32,
    /// Which of its cells.
    pub laid: Laid,
    /// Only where another piece is visible, or (`false`) where it is see-through.
    pub mask: Option<(u32, bool)>,
}

/// Pieces stacked to outputs.
#[derive(Clone, Debug)]
pub struct Stack {
    /// Layers from the top.
    pub layers: Vec<Sheaf>,
    /// The demos it was fitted to, one bit each.
    pub fitted: u32,
    /// Cost of its dearest piece.
    pub cost: u16,
}

/// All pieces of one growth for one guess of output sizes.
pub struct Pieces {
    pub pieces: Vec<Piece>,
    sizes: Vec<Size>,
    demos: usize,
    /// First word of each demo, and the total.
    starts: Vec<usize>,
    /// Words in which a piece disagrees with the demos, piece by piece.
    wrong: Vec<u64>,
    /// Words in which a piece is see-through.
    clear: Vec<u64>,
    /// Words with the cells that exist.
    full: Vec<u64>,
    /// For each piece and way of laying it: demos on which it paints nothing wrong.
    clean: Vec<[u32; 3]>,
}

impl Pieces {
    /// Collects the pieces of a growth, cheapest first, without those that look alike on the demos.
    pub fn collect(
        growth: &Growth,
        targets: &[Sheet],
        sizes: &[Size],
        most: usize,
        work: &mut u64,
    ) -> Pieces {
        let mut starts = vec![0];
        for target in targets {
            starts.push(starts[starts.len() - 1] + target.cells().len().div_ceil(64));
        }
        let words = starts[starts.len() - 1];
        let mut full = vec![0; words];
        for (k, target) in targets.iter().enumerate() {
            (0..target.cells().len()).for_each(|c| full[starts[k] + c / 64] |= 1 << (c % 64));
        }
        let mut all = Pieces {
            pieces: Vec::new(),
            sizes: sizes.to_vec(),
            demos: targets.len(),
            starts,
            wrong: Vec::new(),
            clear: Vec::new(),
            full,
            clean: Vec::new(),
        };
        let shared = targets.iter().fold(!1, |m, t| m & arcloom_sheet::measure::colors(t));
        let dyes: Vec<u8> = (1..10).filter(|c| shared >> c & 1 == 1).collect();
        let mut wanted: Vec<Piece> = Vec::new();
        for (node, of) in growth.nodes.iter().enumerate() {
            for home in [false, true] {
                for dye in std::iter::once(0).chain(dyes.iter().copied()) {
                    let tail = Tail { overlay: of.is_list, home, dye };
                    let cost = of.cost + tail.cost();
                    wanted.push(Piece { node: node as u32, tail, cost });
                }
            }
        }
        wanted.sort_by_key(|p| p.cost);
        let mut seen: FixedSet<u64> = FixedSet::default();
        let mut scratch = (Scratch::default(), Sheet::default(), Sheet::default());
        let (mut wrong, mut clear) = (vec![0; words], vec![0; words]);
        for piece in wanted {
            if all.pieces.len() >= most {
                break;
            }
            let looked =
                all.look(growth, &piece, targets, &mut wrong, &mut clear, &mut scratch, work);
            if looked.is_none() {
                continue;
            }
            let mut hasher = FixedHasher.build_hasher();
            wrong.iter().chain(&clear).for_each(|&w| hasher.write_u64(w));
            if seen.insert(hasher.finish()) {
                all.push(piece, &wrong, &clear);
            }
        }
        all
    }

    fn push(&mut self, piece: Piece, wrong: &[u64], clear: &[u64]) {
        let mut clean = [0; 3];
        for demo in 0..self.demos {
            let (mut visible, mut gaps) = (0, 0);
            for w in self.starts[demo]..self.starts[demo + 1] {
                visible |= wrong[w] & !clear[w];
                gaps |= wrong[w] & clear[w];
            }
            clean[0] |= u32::from(visible == 0) << demo;
            clean[1] |= u32::from(gaps == 0) << demo;
            clean[2] |= u32::from(visible | gaps == 0) << demo;
        }
        self.pieces.push(piece);
        self.wrong.extend_from_slice(wrong);
        self.clear.extend_from_slice(clear);
        self.clean.push(clean);
    }

    /// Compares a piece with the demos; `None` when it cannot be made or shows nothing anywhere.
    #[expect(clippy::too_many_arguments, reason = "scratch space is the caller's")]
    fn look(
        &self,
        growth: &Growth,
        piece: &Piece,
        targets: &[Sheet],
        wrong: &mut [u64],
        clear: &mut [u64],
        scratch: &mut (Scratch, Sheet, Sheet),
        work: &mut u64,
    ) -> Option<()> {
        for (demo, target) in targets.iter().enumerate() {
            self.picture(growth, piece, demo, scratch)?;
            *work += target.cells().len() as u64 / 4;
            let start = self.starts[demo];
            for (k, (have, want)) in
                scratch.2.cells().chunks(64).zip(target.cells().chunks(64)).enumerate()
            {
                let (mut bad, mut gap) = (0u64, 0u64);
                for (bit, (&h, &w)) in have.iter().zip(want).enumerate() {
                    bad |= u64::from(h != w) << bit;
                    gap |= u64::from(h == 0) << bit;
                }
                wrong[start + k] = bad;
                clear[start + k] = gap;
            }
        }
        Some(())
    }

    /// The piece on one input, in the third sheet of `scratch`.
    fn picture(
        &self,
        growth: &Growth,
        piece: &Piece,
        input: usize,
        scratch: &mut (Scratch, Sheet, Sheet),
    ) -> Option<()> {
        let bounds = Bounds { cells: usize::MAX / 8, ..growth.pools[input].bounds };
        let item = growth.item(piece.node, input);
        let (made, spare, out) = (&mut scratch.0, &mut scratch.1, &mut scratch.2);
        match item {
            Item::One(s) => spare.copy_from(s),
            Item::Many(_) => {
                Step::Overlay.apply(item, &bounds, made)?;
                spare.copy_from(&made.one);
            }
        }
        if piece.tail.home {
            (spare.top, spare.left) = (0, 0);
        }
        arcloom_sheet::canvas::embed(spare, self.sizes[input], out)?;
        if piece.tail.dye > 0 {
            spare.copy_from(out);
            arcloom_sheet::color::dye(spare, piece.tail.dye, out)?;
        }
        Some(())
    }

    /// A stack that explains every cell of the demos in `fit`, of pieces that cost up to `bound`;
    /// gains are counted on demo `care`. With `masks`, a piece may be laid within another one.
    pub fn stack(
        &self,
        fit: u32,
        care: usize,
        bound: u16,
        masks: bool,
        work: &mut u64,
    ) -> Option<Stack> {
        let mut open = Open::new(self, fit, care);
        let end = self.pieces.partition_point(|p| p.cost <= bound);
        let mut stack = Stack { layers: Vec::new(), fitted: fit, cost: 0 };
        while stack.layers.len() < MOST_LAYERS && open.any() {
            *work += end as u64;
            let mut best = self.best_single(&open, end, stack.layers.is_empty());
            if masks {
                let least = best.map_or(1, |(gain, _)| gain);
                best = self.best_masked(&open, end.min(MOST_MASKS), least, work).or(best);
            }
            let (_, layer) = best?;
            open.close(self, &layer);
            let mask = layer.mask.map_or(0, |(m, _)| 5 + self.pieces[m as usize].cost);
            stack.cost = stack.cost.max(self.pieces[layer.piece as usize].cost).max(mask);
            stack.layers.push(layer);
        }
        (!open.any()).then_some(stack)
    }

    /// The piece that paints nothing wrong and explains most.
    fn best_single(&self, open: &Open, end: usize, first: bool) -> Option<(u32, Sheaf)> {
        let words = self.full.len();
        let mut best: Option<(u32, Sheaf)> = None;
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
                    best = Some((gain, Sheaf { piece: number as u32, laid, mask: None }));
                }
            }
        }
        best
    }

    /// The piece laid within another one that explains most, if that is more than `least`.
    fn best_masked(
        &self,
        open: &Open,
        end: usize,
        mut least: u32,
        work: &mut u64,
    ) -> Option<(u32, Sheaf)> {
        let words = self.full.len();
        let mut best = None;
        for number in 0..end {
            let at = number * words;
            let (wrong, clear) = (&self.wrong[at..at + words], &self.clear[at..at + words]);
            for laid in [Laid::Visible, Laid::Whole] {
                let bad = |w: usize| open.cells[w] & wrong[w] & laid.covers(clear[w]);
                let Some(&tell) = open.span.iter().find(|&&w| bad(w) != 0) else { continue };
                let right = open.gain(|w| laid.covers(clear[w]) & !wrong[w]);
                if right <= least {
                    continue;
                }
                let first_bad = bad(tell);
                *work += end as u64 / 2;
                for mask in 0..end {
                    let clear = &self.clear[mask * words..(mask + 1) * words];
                    for within in [true, false] {
                        let masked = |w: usize| if within { !clear[w] } else { clear[w] };
                        if first_bad & masked(tell) != 0
                            || open.span.iter().any(|&w| bad(w) & masked(w) != 0)
                        {
                            continue;
                        }
                        let own = &self.clear[at..at + words];
                        let gain = open.gain(|w| laid.covers(own[w]) & masked(w));
                        if gain > least {
                            least = gain;
                            let mask = Some((mask as u32, within));
                            best = Some((gain, Sheaf { piece: number as u32, laid, mask }));
                        }
                    }
                }
            }
        }
        best
    }

    /// A stack's picture on one input; cells that no layer paints are `OPEN`.
    pub fn paint(&self, growth: &Growth, stack: &Stack, input: usize) -> Option<(Size, Vec<u8>)> {
        let size = self.sizes[input];
        let mut cells = vec![OPEN; size.0 * size.1];
        let mut scratch = (Scratch::default(), Sheet::default(), Sheet::default());
        let mut mask = Vec::new();
        for layer in &stack.layers {
            mask.clear();
            if let Some((number, within)) = layer.mask {
                self.picture(growth, &self.pieces[number as usize], input, &mut scratch)?;
                mask.extend(scratch.2.cells().iter().map(|&c| (c != 0) == within));
            }
            self.picture(growth, &self.pieces[layer.piece as usize], input, &mut scratch)?;
            for (k, &color) in scratch.2.cells().iter().enumerate() {
                let lays = match layer.laid {
                    Laid::Visible => color != 0,
                    Laid::Gaps => color == 0,
                    Laid::Whole => true,
                };
                if cells[k] == OPEN && lays && mask.get(k).is_none_or(|m| *m) {
                    cells[k] = color;
                }
            }
        }
        Some((size, cells))
    }
}

impl Laid {
    const ALL: [Laid; 3] = [Laid::Visible, Laid::Gaps, Laid::Whole];

    /// The cells that are laid of 64 of which those in `clear` are see-through.
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
            for w in pieces.starts[demo]..pieces.starts[demo + 1] {
                cells[w] = pieces.full[w];
                span.push(w);
            }
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

    fn close(&mut self, pieces: &Pieces, layer: &Sheaf) {
        let words = pieces.full.len();
        let at = layer.piece as usize * words;
        for &w in &self.span {
            let mut covered = layer.laid.covers(pieces.clear[at + w]);
            if let Some((mask, within)) = layer.mask {
                let clear = pieces.clear[mask as usize * words + w];
                covered &= if within { !clear } else { clear };
            }
            self.cells[w] &= !covered;
        }
    }
}

/// No stack has more layers.
const MOST_LAYERS: usize = 10;
/// Pieces that are tried as masks and within masks.
const MOST_MASKS: usize = 300;

/// A cell that no layer painted.
pub const OPEN: u8 = 255;
