//! Pieces: pictures of the output's size, as bits.

use std::hash::{BuildHasher, Hasher};

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::sheet::{canvas, color, list, measure};
use arcloom_value::{FixedHasher, FixedSet};

use crate::grow::ChainGrowth;
use crate::pool::hash_sheet;
use crate::size::Size;
use crate::steps::Item;

/// A picture of the output's size on every input.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The chain it comes from.
    pub node: u32,
    /// What was done with its values last.
    pub tail: Tail,
    /// Cost of the chain with its tail.
    pub cost: u16,
}

/// The last steps before a value is embedded in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// A list is overlaid.
    pub overlay: bool,
    /// Moved to the origin.
    pub home: bool,
    /// Everything visible gets this colour, unless it is 0.
    pub dye: u8,
}

/// What tails cost, from none to all that there is.
const TAIL_COSTS: [u16; 4] = [0, 5, 10, 15];

impl Tail {
    /// What the tail adds to the cost of a chain.
    fn cost(self) -> u16 {
        let done = [self.overlay, self.home, self.dye > 0];
        TAIL_COSTS[done.into_iter().filter(|done| *done).count()]
    }
}

/// No more pieces are kept than about this many bytes hold.
const MOST_BYTES: usize = 160 << 20;

/// Pieces at most that are the outputs of all demos, and differ on the tests.
const RIVALS: usize = 20;

/// How many pieces are looked for.
#[derive(Clone, Copy, Debug)]
pub struct PieceLimits {
    /// Pieces at most.
    pub pieces: usize,
    /// Work at most.
    pub work: u64,
}

/// All pieces of one growth for one guess of output sizes, cheapest first.
///
/// The cells of all demos are the bits of one row of words; each demo starts a new word.
pub struct Pieces {
    pub pieces: Vec<Piece>,
    pub(crate) sizes: Vec<Size>,
    pub(crate) demos: usize,
    /// First word of each demo, and the total.
    pub(crate) starts: Vec<usize>,
    /// Where a piece disagrees with the demos, row by row.
    pub(crate) wrong: Vec<u64>,
    /// Where a piece is transparent.
    pub(crate) clear: Vec<u64>,
    /// The cells that exist.
    pub(crate) full: Vec<u64>,
    /// Numbers of pieces that are the outputs of all demos, no two of them the same on the tests.
    pub(crate) exact: Vec<u32>,
    /// For each piece and way of laying it: demos on which it paints nothing wrong.
    pub(crate) clean: Vec<[u32; 3]>,
}

impl Pieces {
    /// Collects the pieces of a growth, without those that look alike on the demos; of those that are the
    /// outputs, some that differ on the tests are kept too.
    pub fn collect(
        growth: &ChainGrowth,
        targets: &[Sheet],
        sizes: &[Size],
        limits: PieceLimits,
        work: &mut u64,
    ) -> Pieces {
        let mut starts = vec![0];
        for target in targets {
            starts.push(starts[starts.len() - 1] + target.cells().len().div_ceil(64));
        }
        let words = starts[starts.len() - 1];
        // The cells of each colour in the targets.
        let mut planes = vec![vec![0u64; words]; 10];
        for (k, target) in targets.iter().enumerate() {
            for (c, &color) in target.cells().iter().enumerate() {
                planes[usize::from(color)][starts[k] + c / 64] |= 1 << (c % 64);
            }
        }
        let full = (0..words).map(|w| planes.iter().fold(0, |m, p| m | p[w])).collect();
        let shared = targets.iter().fold(!1, |m, t| m & measure::colors(t));
        let dyes: Vec<u8> = (1..10).filter(|c| shared >> c & 1 == 1).collect();

        let mut all = Pieces {
            pieces: Vec::new(),
            sizes: sizes.to_vec(),
            demos: targets.len(),
            starts,
            wrong: Vec::new(),
            clear: Vec::new(),
            full,
            exact: Vec::new(),
            clean: Vec::new(),
        };
        let most = limits.pieces.min(MOST_BYTES / (16 * words + size_of::<Piece>()));
        all.wrong.reserve_exact(most * words);
        all.clear.reserve_exact(most * words);
        let mut rows = Rows::new(growth, targets);
        let (mut seen, mut on_tests) = (FixedSet::<u64>::default(), FixedSet::<u64>::default());
        let mut cells = PieceCells { wrong: vec![0; words], clear: vec![0; words] };
        for piece in wanted(growth, &dyes) {
            // What was looked at before is looked up, word by word.
            *work += 1 + words as u64 / 8;
            if all.pieces.len() >= most || *work > limits.work {
                break;
            }
            if !rows.look(&all, &piece, &mut cells, work) {
                continue;
            }
            let PieceCells { wrong, clear } = &mut cells;
            if piece.tail.dye > 0 {
                let dyed = &planes[usize::from(piece.tail.dye)];
                for w in 0..words {
                    let visible = all.full[w] & !clear[w];
                    wrong[w] = visible & !dyed[w] | clear[w] & !planes[0][w];
                }
            }
            let mut hasher = FixedHasher.build_hasher();
            wrong.iter().chain(&*clear).for_each(|&w| hasher.write_u64(w));
            let is_new = seen.insert(hasher.finish());
            let is_rival = all.exact.len() < RIVALS
                && wrong.iter().all(|w| *w == 0)
                && all.on_tests(growth, &piece).is_some_and(|outputs| on_tests.insert(outputs));
            if is_rival {
                all.exact.push(all.pieces.len() as u32);
            }
            if is_new || is_rival {
                all.push(piece, wrong, clear);
            }
        }
        all
    }

    /// A hash of what a piece shows on the tests.
    fn on_tests(&self, growth: &ChainGrowth, piece: &Piece) -> Option<u64> {
        let mut hasher = FixedHasher.build_hasher();
        let mut easel = Easel::default();
        for input in self.demos..growth.inputs() {
            hash_sheet(self.picture(growth, piece, input, &mut easel)?, &mut hasher);
        }
        Some(hasher.finish())
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> usize {
        (self.wrong.len() + self.clear.len()) * 8 + self.pieces.len() * 32
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

    /// Several pieces on one input.
    pub(crate) fn sheets(
        &self,
        growth: &ChainGrowth,
        numbers: &[u32],
        input: usize,
    ) -> Option<Vec<Sheet>> {
        let mut easel = Easel::default();
        let mut one = |number: u32| {
            self.picture(growth, &self.pieces[number as usize], input, &mut easel).cloned()
        };
        numbers.iter().map(|&number| one(number)).collect()
    }

    /// In how many cells of the demos a piece is wrong when it is laid whole.
    pub(crate) fn wrong_cells(&self, number: usize) -> u32 {
        let words = self.full.len();
        self.wrong[number * words..(number + 1) * words].iter().map(|w| w.count_ones()).sum()
    }

    /// One piece on all inputs.
    pub(crate) fn everywhere(&self, growth: &ChainGrowth, number: usize) -> Option<Vec<Sheet>> {
        let mut sheets = Vec::new();
        self.on_all(growth, number, |sheet| sheets.push(sheet.clone()))?;
        Some(sheets)
    }

    /// One piece on all inputs, each handed to `take`.
    pub(crate) fn on_all(
        &self,
        growth: &ChainGrowth,
        number: usize,
        mut take: impl FnMut(&Sheet),
    ) -> Option<()> {
        let mut easel = Easel::default();
        for input in 0..growth.inputs() {
            take(self.picture(growth, &self.pieces[number], input, &mut easel)?);
        }
        Some(())
    }

    /// The piece on one input.
    pub(crate) fn picture<'e>(
        &self,
        growth: &ChainGrowth,
        piece: &Piece,
        input: usize,
        easel: &'e mut Easel,
    ) -> Option<&'e Sheet> {
        let Easel { spare, picture: out } = easel;
        match growth.item(piece.node, input) {
            Item::One(s) => spare.copy_from(s),
            Item::Many(l) if l.is_empty() => {
                canvas::sheet_embed(&Sheet::default(), self.sizes[input], out)?;
                return Some(out);
            }
            Item::Many(l) => list::overlaid(l, spare)?,
        }
        if piece.tail.home {
            (spare.top, spare.left) = (0, 0);
        }
        canvas::sheet_embed(spare, self.sizes[input], out)?;
        if piece.tail.dye > 0 {
            spare.copy_from(out);
            color::sheet_dye(spare, piece.tail.dye, out)?;
        }
        Some(out)
    }
}

/// Space for one picture after another.
#[derive(Default)]
pub(crate) struct Easel {
    spare: Sheet,
    picture: Sheet,
}

/// Every chain with every tail, cheapest first; of those that cost the same, the chain that came first.
///
/// There are up to twenty tails to each of a million chains, so they are not all written down.
fn wanted<'g>(growth: &'g ChainGrowth, dyes: &'g [u8]) -> impl Iterator<Item = Piece> + 'g {
    let cost = |node: u32| growth.nodes[node as usize].cost;
    let mut nodes: Vec<u32> = (0..growth.nodes.len() as u32).collect();
    nodes.sort_by_key(|&node| cost(node));
    let dearest = nodes.last().map_or(0, |&node| cost(node)) + TAIL_COSTS[3];
    (0..=dearest).flat_map(move |total| {
        let of_cost = |own: u16| {
            let start = nodes.partition_point(|&node| cost(node) < own);
            let end = nodes.partition_point(|&node| cost(node) <= own);
            &nodes[start..end]
        };
        let owns = TAIL_COSTS.iter().filter_map(|tail| total.checked_sub(*tail));
        let mut level: Vec<u32> = owns.flat_map(of_cost).copied().collect();
        level.sort_unstable();
        level.into_iter().flat_map(move |node| {
            let suits = move |tail: &Tail| cost(node) + tail.cost() == total;
            let piece = move |tail| Piece { node, tail, cost: total };
            tails(growth, node, dyes).filter(suits).map(piece)
        })
    })
}

/// What may be done with a chain's values last.
fn tails<'g>(
    growth: &'g ChainGrowth,
    node: u32,
    dyes: &'g [u8],
) -> impl Iterator<Item = Tail> + use<'g> {
    let overlay = growth.nodes[node as usize].is_list;
    let at_home = (0..growth.inputs()).all(|k| match growth.item(node, k) {
        Item::One(s) => (s.top, s.left) == (0, 0),
        Item::Many(_) => false,
    });
    let homes = [false, true].into_iter().take(if at_home { 1 } else { 2 });
    homes.flat_map(move |home| {
        let dyes = std::iter::once(0).chain(dyes.iter().copied());
        dyes.map(move |dye| Tail { overlay, home, dye })
    })
}

/// The cells of the demos in which a piece is wrong, and in which it is transparent, as bits.
struct PieceCells {
    wrong: Vec<u64>,
    clear: Vec<u64>,
}

/// The bits of values on one demo each, worked out once per value while there is room.
struct Rows<'a> {
    growth: &'a ChainGrowth,
    targets: &'a [Sheet],
    /// By demo, by value and whether it is moved home: where its words start in `words`.
    index: Vec<Vec<u32>>,
    /// Of each row first the wrong cells, then the transparent ones.
    words: Vec<u64>,
    easel: Easel,
}

/// Rows are forgotten when there are this many words of them.
const MOST_WORDS: usize = 4 << 20;

const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

impl<'a> Rows<'a> {
    fn new(growth: &'a ChainGrowth, targets: &'a [Sheet]) -> Rows<'a> {
        let index = (0..targets.len()).map(|k| vec![UNKNOWN; 2 * growth.pools[k].len()]);
        let index = index.collect();
        Rows { growth, targets, index, words: Vec::new(), easel: Easel::default() }
    }

    /// Compares a piece, undyed, with the demos and writes what comes of it to `cells`; `false` when it
    /// cannot be made.
    fn look(
        &mut self,
        pieces: &Pieces,
        piece: &Piece,
        cells: &mut PieceCells,
        work: &mut u64,
    ) -> bool {
        let growth = self.growth;
        if self.words.len() > MOST_WORDS {
            self.words.clear();
            self.index.iter_mut().for_each(|demo| demo.fill(UNKNOWN));
        }
        let plain = Piece { tail: Tail { dye: 0, ..piece.tail }, ..*piece };
        for (demo, target) in self.targets.iter().enumerate() {
            let slot = 2 * growth.ids(piece.node)[demo] as usize + usize::from(piece.tail.home);
            let span = pieces.starts[demo]..pieces.starts[demo + 1];
            if self.index[demo][slot] == UNKNOWN {
                *work += target.cells().len() as u64 / 4;
                let made = pieces.picture(growth, &plain, demo, &mut self.easel);
                self.index[demo][slot] = match made {
                    None => NONE,
                    Some(picture) => compare(picture, target, &mut self.words),
                };
            }
            match self.index[demo][slot] {
                NONE => return false,
                row => {
                    let (row, n) = (row as usize, span.len());
                    cells.wrong[span.clone()].copy_from_slice(&self.words[row..row + n]);
                    cells.clear[span].copy_from_slice(&self.words[row + n..row + 2 * n]);
                }
            }
        }
        true
    }
}

/// Adds the row of a picture to `words` and says where it starts.
fn compare(picture: &Sheet, target: &Sheet, words: &mut Vec<u64>) -> u32 {
    let start = words.len();
    let n = target.cells().len().div_ceil(64);
    words.resize(start + 2 * n, 0);
    let chunks = picture.cells().chunks(64).zip(target.cells().chunks(64));
    for (k, (have, want)) in chunks.enumerate() {
        let (mut bad, mut gap) = (0u64, 0u64);
        for (bit, (&h, &w)) in have.iter().zip(want).enumerate() {
            bad |= u64::from(h != w) << bit;
            gap |= u64::from(h == 0) << bit;
        }
        words[start + k] = bad;
        words[start + n + k] = gap;
    }
    start as u32
}
