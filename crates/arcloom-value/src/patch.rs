//! A patch in fast form: a non-empty set of positions (`Indices`) or of coloured cells (`Object`).
//!
//! A patch is a tight [`Frame`] and one or more layers of bit rows over it. Positions have a single
//! layer without a colour; an object has one layer per colour, colours ascending. Layers make the
//! written-down order of cells (colour, row, column) the order of storage, let one cell carry two
//! colours, and let every geometric operation serve positions and objects alike.
//!
//! A row is `stride` words of 64 columns, bit 0 being the leftmost; nearly always `stride` is 1.

use std::fmt;

use smallvec::SmallVec;
use triomphe::ThinArc;

use crate::value::Value;

/// Most words the bit rows of one patch may take; sparser sets stay in general form.
pub const MAX_WORDS: usize = 8192;
/// Coordinates of a patch lie strictly between plus and minus this.
pub const MAX_COORD: i64 = 1 << 30;

/// Where a patch lies and how its bit rows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frame {
    /// First occupied row.
    pub top: i32,
    /// First occupied column.
    pub left: i32,
    /// Rows from the first to the last occupied one.
    pub height: u32,
    /// Columns from the first to the last occupied one.
    pub width: u32,
    /// Number of elements: positions, or cells with their colours.
    pub count: u32,
    /// Number of layers: 1 for positions, the number of colours for an object.
    pub layers: u16,
    /// True for an object, false for positions.
    pub coloured: bool,
}

impl Frame {
    /// Words per bit row.
    #[inline]
    pub fn stride(&self) -> usize {
        (self.width as usize).div_ceil(64)
    }

    /// Words per layer.
    #[inline]
    pub fn layer_words(&self) -> usize {
        self.height as usize * self.stride()
    }

    /// Last occupied row.
    #[inline]
    pub fn bottom(&self) -> i32 {
        self.top + self.height as i32 - 1
    }

    /// Last occupied column.
    #[inline]
    pub fn right(&self) -> i32 {
        self.left + self.width as i32 - 1
    }
}

/// A non-empty set of positions or coloured cells. Cloning copies a pointer.
///
/// The block holds the layers one after the other, then, for an object, one word per colour.
#[derive(Clone)]
pub struct Patch(ThinArc<Frame, u64>);

impl Patch {
    /// Where the patch lies.
    #[inline]
    pub fn frame(&self) -> &Frame {
        &self.0.header.header
    }

    /// True for coloured cells, false for positions.
    #[inline]
    pub fn is_object(&self) -> bool {
        self.frame().coloured
    }

    /// Number of elements; never 0.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a patch is never empty")]
    pub fn len(&self) -> usize {
        self.frame().count as usize
    }

    /// Number of layers.
    #[inline]
    pub fn layer_count(&self) -> usize {
        self.frame().layers as usize
    }

    /// The bit rows of layer `k`.
    #[inline]
    pub fn layer(&self, k: usize) -> &[u64] {
        let n = self.frame().layer_words();
        &self.0.slice[k * n..(k + 1) * n]
    }

    /// The bit rows of all layers, one layer after the other.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.0.slice[..self.frame().layer_words() * self.layer_count()]
    }

    /// The colour of layer `k`; 0 for positions.
    #[inline]
    pub fn color(&self, k: usize) -> i8 {
        if self.is_object() { self.0.slice[self.words().len() + k] as i8 } else { 0 }
    }

    /// The colours of an object, ascending; empty for positions.
    pub fn colors(&self) -> impl ExactSizeIterator<Item = i8> + '_ {
        self.0.slice[self.words().len()..].iter().map(|&c| c as i8)
    }

    /// The object of one colour with these bit rows, one word each, over a frame that is known to be
    /// tight; the colour stands after the rows. Coordinates must be those of a grid.
    pub fn from_tight_rows(
        top: i32,
        left: i32,
        width: u32,
        count: u32,
        rows_and_color: &[u64],
    ) -> Patch {
        let height = rows_and_color.len() as u32 - 1;
        debug_assert!(width <= 64 && height > 0 && count > 0);
        debug_assert_eq!(
            count,
            rows_and_color[..height as usize].iter().map(|r| r.count_ones()).sum()
        );
        let frame = Frame { top, left, height, width, count, layers: 1, coloured: true };
        Patch(ThinArc::from_header_and_slice(frame, rows_and_color))
    }

    /// Positions with these bit rows, one word each, over a frame that is known to be tight; `None`
    /// when the coordinates leave the fast form.
    #[inline]
    pub fn from_rows(
        (top, left): (i64, i64),
        width: u32,
        count: u32,
        rows: impl ExactSizeIterator<Item = u64>,
    ) -> Option<Patch> {
        let height = rows.len() as u32;
        debug_assert!(width <= 64 && (1..=MAX_WORDS as u32).contains(&height) && count > 0);
        let inside = |c: i64, extent: u32| c > -MAX_COORD && c < MAX_COORD - i64::from(extent);
        (inside(top, height) && inside(left, width)).then(|| {
            let (top, left) = (top as i32, left as i32);
            let frame = Frame { top, left, height, width, count, layers: 1, coloured: false };
            Patch(ThinArc::from_header_and_iter(frame, rows))
        })
    }

    /// The patch with these bit rows, one word each and `height` to a layer, of which some may be
    /// empty; `colors`, ascending, are those of the layers of an object. `None` when there is nothing
    /// in it or it leaves the fast form.
    pub fn tight(
        (top, left): (i64, i64),
        height: usize,
        colors: Option<&[i8]>,
        words: &[u64],
    ) -> Option<Patch> {
        let (mut columns, mut count, mut first, mut last) = (0, 0, usize::MAX, 0);
        let mut used: SmallVec<[usize; 16]> = SmallVec::new();
        for (k, layer) in words.chunks_exact(height.max(1)).enumerate() {
            let Some(start) = layer.iter().position(|&bits| bits != 0) else { continue };
            let end = layer.iter().rposition(|&bits| bits != 0).unwrap_or(start);
            (first, last) = (first.min(start), last.max(end));
            for &bits in &layer[start..=end] {
                columns |= bits;
                count += bits.count_ones();
            }
            used.push(k);
        }
        if count == 0 {
            return None;
        }
        let low = columns.trailing_zeros() as usize;
        let (tall, width) = (last - first + 1, 64 - columns.leading_zeros() as usize - low);
        if !in_range((top, left), (first, low), tall, width) || tall * used.len() > MAX_WORDS {
            return None;
        }
        let frame = Frame {
            top: (top + first as i64) as i32,
            left: (left + low as i64) as i32,
            height: tall as u32,
            width: width as u32,
            count,
            layers: used.len() as u16,
            coloured: colors.is_some(),
        };
        // Layers first, then the colours.
        let mut block: SmallVec<[u64; 64]> = SmallVec::new();
        for &k in &used {
            let rows = &words[k * height + first..=k * height + last];
            block.extend(rows.iter().map(|bits| bits >> low));
        }
        if let Some(colors) = colors {
            block.extend(used.iter().map(|&k| colors[k] as i64 as u64));
        }
        Some(Patch(ThinArc::from_header_and_slice(frame, &block)))
    }

    /// The positions of this patch, colours left out. They fill the same frame.
    pub fn places(&self) -> Patch {
        let mut frame = Frame { layers: 1, coloured: false, ..*self.frame() };
        if self.layer_count() == 1 {
            return Patch(ThinArc::from_header_and_slice(frame, self.words()));
        }
        let mut words: SmallVec<[u64; 64]> = SmallVec::from_slice(self.layer(0));
        for k in 1..self.layer_count() {
            words.iter_mut().zip(self.layer(k)).for_each(|(word, bits)| *word |= bits);
        }
        frame.count = words.iter().map(|bits| bits.count_ones()).sum();
        Patch(ThinArc::from_header_and_slice(frame, &words))
    }

    /// The patch with every layer changed in a way that moves its elements within the frame, which
    /// must stay tight.
    pub fn rearranged(&self, mut change: impl FnMut(&mut [u64])) -> Patch {
        let mut block: SmallVec<[u64; 64]> = SmallVec::from_slice(&self.0.slice);
        let layers = block[..self.words().len()].chunks_exact_mut(self.frame().layer_words());
        layers.for_each(&mut change);
        Patch(ThinArc::from_header_and_slice(*self.frame(), &block))
    }

    /// The positions of this patch in one colour, if it has a single layer.
    pub fn recolored(&self, color: i8) -> Option<Patch> {
        let rows = self.words();
        let word = |n: usize| rows.get(n).copied().unwrap_or(color as i64 as u64);
        let frame = Frame { coloured: true, ..*self.frame() };
        (frame.layers == 1)
            .then(|| Patch(ThinArc::from_header_and_iter(frame, (0..rows.len() + 1).map(word))))
    }

    /// The patch of a single position, or of a single cell when there is a colour.
    pub fn single(color: Option<i8>, i: i32, j: i32) -> Option<Patch> {
        let inside = |c: i32| i64::from(c) > -MAX_COORD && i64::from(c) < MAX_COORD - 1;
        let frame = Frame {
            top: i,
            left: j,
            height: 1,
            width: 1,
            count: 1,
            layers: 1,
            coloured: color.is_some(),
        };
        (inside(i) && inside(j)).then(|| {
            Patch(match color {
                None => ThinArc::from_header_and_slice(frame, &[1]),
                Some(c) => ThinArc::from_header_and_slice(frame, &[1, c as i64 as u64]),
            })
        })
    }

    /// The same patch with another corner; `None` when the coordinates leave the fast form.
    #[inline]
    pub fn at(&self, top: i64, left: i64) -> Option<Patch> {
        let mut frame = *self.frame();
        let inside = |c: i64, extent: u32| c > -MAX_COORD && c < MAX_COORD - i64::from(extent);
        if !inside(top, frame.height) || !inside(left, frame.width) {
            return None;
        }
        (frame.top, frame.left) = (top as i32, left as i32);
        Some(Patch(ThinArc::from_header_and_slice(frame, &self.0.slice)))
    }

    /// The positions, row by row, each once even where two colours share it.
    pub fn positions(&self) -> Positions<'_> {
        Positions { patch: self, layer: None, row: 0, word: 0, bits: 0, started: false }
    }

    /// The cells in order: colour, row, column. For positions every colour is 0.
    pub fn cells(&self) -> impl Iterator<Item = (i8, i32, i32)> + '_ {
        (0..self.layer_count())
            .flat_map(move |k| self.layer_positions(k).map(move |(i, j)| (self.color(k), i, j)))
    }

    /// The positions of layer `k`, row by row.
    pub fn layer_positions(&self, k: usize) -> Positions<'_> {
        Positions { patch: self, layer: Some(k), row: 0, word: 0, bits: 0, started: false }
    }

    /// Word `word` of row `row`, all layers together.
    #[inline]
    pub fn union_word(&self, row: usize, word: usize) -> u64 {
        let frame = self.frame();
        let (stride, n) = (frame.stride(), frame.layer_words());
        let at = row * stride + word;
        if frame.layers == 1 {
            return self.0.slice[at];
        }
        (0..self.layer_count()).fold(0, |bits, k| bits | self.0.slice[k * n + at])
    }

    /// True when some element lies at this position.
    #[inline]
    pub fn covers(&self, i: i64, j: i64) -> bool {
        self.offset(i, j)
            .is_some_and(|(row, col)| self.union_word(row, col / 64) >> (col % 64) & 1 == 1)
    }

    /// True when the object holds this coloured cell (for positions the colour is not looked at).
    pub fn has_cell(&self, color: i8, i: i64, j: i64) -> bool {
        let Some((row, col)) = self.offset(i, j) else { return false };
        let stride = self.frame().stride();
        (0..self.layer_count())
            .filter(|&k| !self.is_object() || self.color(k) == color)
            .any(|k| self.layer(k)[row * stride + col / 64] >> (col % 64) & 1 == 1)
    }

    /// Row and column inside the frame, if the position lies in it.
    #[inline]
    fn offset(&self, i: i64, j: i64) -> Option<(usize, usize)> {
        let frame = self.frame();
        let row = i.saturating_sub(frame.top.into());
        let col = j.saturating_sub(frame.left.into());
        let inside =
            0 <= row && row < i64::from(frame.height) && 0 <= col && col < i64::from(frame.width);
        inside.then_some((row as usize, col as usize))
    }

    /// True when all coordinates are small enough for the cells of a grid.
    pub fn is_small(&self) -> bool {
        let frame = self.frame();
        let ends = [frame.top, frame.left, frame.bottom(), frame.right()];
        ends.iter().all(|&n| i8::try_from(n).is_ok())
    }

    /// True when both handles point at the same block.
    #[inline]
    pub fn same_block(&self, other: &Patch) -> bool {
        std::ptr::eq(self.frame(), other.frame())
    }
}

impl PartialEq for Patch {
    #[inline]
    fn eq(&self, other: &Patch) -> bool {
        self.same_block(other) || (self.frame() == other.frame() && self.0.slice == other.0.slice)
    }
}

impl Eq for Patch {}

impl std::hash::Hash for Patch {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.frame().hash(state);
        self.0.slice.hash(state);
    }
}

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.cells()).finish()
    }
}

/// True when a box so far from a corner lies where the fast form can be.
#[inline]
fn in_range(
    (top, left): (i64, i64),
    (first, low): (usize, usize),
    height: usize,
    width: usize,
) -> bool {
    let inside = |start: i64, skipped: usize, extent: usize| {
        let at = start.saturating_add(skipped as i64);
        at > -MAX_COORD && at < MAX_COORD - extent as i64
    };
    inside(top, first, height) && inside(left, low, width)
}

/// Positions of a patch, or of one layer of it, row by row.
pub struct Positions<'a> {
    patch: &'a Patch,
    layer: Option<usize>,
    row: usize,
    word: usize,
    bits: u64,
    started: bool,
}

impl Positions<'_> {
    #[inline]
    fn load(&self) -> u64 {
        match self.layer {
            None => self.patch.union_word(self.row, self.word),
            Some(k) => self.patch.layer(k)[self.row * self.patch.frame().stride() + self.word],
        }
    }
}

impl Iterator for Positions<'_> {
    type Item = (i32, i32);

    #[inline]
    fn next(&mut self) -> Option<(i32, i32)> {
        let frame = self.patch.frame();
        if !self.started {
            self.started = true;
            self.bits = self.load();
        }
        while self.bits == 0 {
            self.word += 1;
            if self.word == frame.stride() {
                (self.word, self.row) = (0, self.row + 1);
            }
            if self.row >= frame.height as usize {
                self.row = frame.height as usize;
                return None;
            }
            self.bits = self.load();
        }
        let col = self.word * 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some((frame.top + self.row as i32, frame.left + col as i32))
    }
}

/// Scratch space in which a patch is put together: a window of bit rows, not yet tight.
pub struct PatchBuf {
    top: i64,
    left: i64,
    height: usize,
    stride: usize,
    coloured: bool,
    colors: SmallVec<[i8; 16]>,
    words: SmallVec<[u64; 64]>,
}

impl PatchBuf {
    /// True when a window of this extent with this many layers may be built.
    #[inline]
    pub fn fits(height: i64, width: i64, layers: usize) -> bool {
        let limit = MAX_WORDS as i64 * 8;
        (0..=limit).contains(&height)
            && (0..=limit * 64).contains(&width)
            && height * ((width + 63) / 64) * layers as i64 <= limit
    }

    /// A window for positions. The extent must pass [`PatchBuf::fits`].
    pub fn indices(top: i64, left: i64, height: usize, width: usize) -> PatchBuf {
        let stride = width.div_ceil(64);
        PatchBuf {
            top,
            left,
            height,
            stride,
            coloured: false,
            colors: SmallVec::from_slice(&[0]),
            words: SmallVec::from_elem(0, height * stride),
        }
    }

    /// A window for coloured cells, without layers yet.
    pub fn object(top: i64, left: i64, height: usize, width: usize) -> PatchBuf {
        let stride = width.div_ceil(64);
        PatchBuf {
            top,
            left,
            height,
            stride,
            coloured: true,
            colors: SmallVec::new(),
            words: SmallVec::new(),
        }
    }

    /// A window over the frame of `patch` with the same layers, all empty.
    pub fn like(patch: &Patch) -> PatchBuf {
        let frame = patch.frame();
        PatchBuf {
            top: frame.top.into(),
            left: frame.left.into(),
            height: frame.height as usize,
            stride: frame.stride(),
            coloured: frame.coloured,
            colors: if frame.coloured {
                patch.colors().collect()
            } else {
                SmallVec::from_slice(&[0])
            },
            words: SmallVec::from_elem(0, patch.words().len()),
        }
    }

    /// Words per row of the window.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The bit rows of layer `k`.
    #[inline]
    pub fn layer_mut(&mut self, k: usize) -> &mut [u64] {
        let n = self.height * self.stride;
        &mut self.words[k * n..(k + 1) * n]
    }

    /// Number of layers so far.
    #[inline]
    pub fn layer_count(&self) -> usize {
        self.colors.len()
    }

    /// The bit rows of the layer for `color`, made when missing.
    pub fn color_mut(&mut self, color: i8) -> &mut [u64] {
        let n = self.height * self.stride;
        let k = match self.colors.binary_search(&color) {
            Ok(k) => k,
            Err(k) => {
                self.colors.insert(k, color);
                let old = self.words.len();
                self.words.resize(old + n, 0);
                self.words[k * n..].rotate_right(n);
                k
            }
        };
        self.layer_mut(k)
    }

    /// Adds a position, given relative to the window, to a set of positions.
    #[inline]
    pub fn set(&mut self, row: usize, col: usize) {
        self.words[row * self.stride + col / 64] |= 1 << (col % 64);
    }

    /// Adds a coloured cell, given relative to the window.
    #[inline]
    pub fn set_cell(&mut self, color: i8, row: usize, col: usize) {
        let stride = self.stride;
        self.color_mut(color)[row * stride + col / 64] |= 1 << (col % 64);
    }

    /// The tight patch; `None` when it is empty or leaves the fast form. Most callers want
    /// `Value::from`, which gives the right value in every case.
    pub fn finish(&self) -> Option<Patch> {
        let (n, stride) = (self.height * self.stride, self.stride);
        if stride == 1 {
            return self.finish_narrow();
        }
        let mut columns: SmallVec<[u64; 8]> = SmallVec::from_elem(0, stride);
        let (mut first, mut last, mut count) = (usize::MAX, 0, 0u32);
        let mut used: SmallVec<[usize; 16]> = SmallVec::new();
        for (k, layer) in self.words.chunks_exact(n.max(1)).enumerate() {
            let mut any = false;
            for (r, row) in layer.chunks_exact(stride).enumerate() {
                for (w, &bits) in row.iter().enumerate() {
                    if bits != 0 {
                        columns[w] |= bits;
                        count += bits.count_ones();
                        (first, last, any) = (first.min(r), last.max(r), true);
                    }
                }
            }
            if any {
                used.push(k);
            }
        }
        if count == 0 {
            return None;
        }
        let low = columns.iter().position(|&c| c != 0).unwrap_or(0);
        let low = low * 64 + columns[low].trailing_zeros() as usize;
        let high = columns.iter().rposition(|&c| c != 0).unwrap_or(0);
        let high = high * 64 + 63 - columns[high].leading_zeros() as usize;
        let (height, width) = (last - first + 1, high - low + 1);
        let frame = Frame {
            top: (self.top + first as i64) as i32,
            left: (self.left + low as i64) as i32,
            height: height as u32,
            width: width as u32,
            count,
            layers: used.len() as u16,
            coloured: self.coloured,
        };
        let new_stride = frame.stride();
        if !self.in_range(first, low, height, width) || height * new_stride * used.len() > MAX_WORDS
        {
            return None;
        }
        let mut out: SmallVec<[u64; 64]> = SmallVec::new();
        let (skip, shift) = (low / 64, low % 64);
        for &k in &used {
            for row in self.words[k * n..(k + 1) * n].chunks_exact(stride).skip(first).take(height)
            {
                for w in 0..new_stride {
                    let here = row.get(skip + w).copied().unwrap_or(0) >> shift;
                    let next = row.get(skip + w + 1).copied().unwrap_or(0);
                    out.push(if shift == 0 { here } else { here | next << (64 - shift) });
                }
            }
        }
        if self.coloured {
            out.extend(used.iter().map(|&k| self.colors[k] as i64 as u64));
        }
        Some(Patch(ThinArc::from_header_and_slice(frame, &out)))
    }

    /// [`PatchBuf::finish`] for single-word rows, by far the most frequent case.
    fn finish_narrow(&self) -> Option<Patch> {
        let colors = self.coloured.then_some(&self.colors[..]);
        Patch::tight((self.top, self.left), self.height, colors, &self.words)
    }

    fn in_range(&self, first: usize, low: usize, height: usize, width: usize) -> bool {
        in_range((self.top, self.left), (first, low), height, width)
    }

    /// The elements in order.
    pub fn items(&self) -> Vec<Value> {
        let count = self.words.iter().map(|word| word.count_ones() as usize).sum();
        let mut items = Vec::with_capacity(count);
        let (height, width) = (self.height, 64 * self.stride);
        // Nearly always all of them have a fast form.
        let fast = in_range((self.top, self.left), (0, 0), height, width);
        let rows = self.words.chunks_exact(self.stride.max(1)).enumerate();
        for (at, row) in rows {
            let (color, i) = (self.colors[at / height], self.top + (at % height) as i64);
            for (w, &word) in row.iter().enumerate() {
                let (mut bits, left) = (word, self.left + 64 * w as i64);
                while bits != 0 {
                    let j = left + i64::from(bits.trailing_zeros());
                    items.push(match (fast, self.coloured) {
                        (true, true) => Value::Cell(color.into(), i as i32, j as i32),
                        (true, false) => Value::Pair(i as i32, j as i32),
                        (false, true) => Value::cell(color.into(), i, j),
                        (false, false) => Value::pair(i, j),
                    });
                    bits &= bits - 1;
                }
            }
        }
        items
    }
}
