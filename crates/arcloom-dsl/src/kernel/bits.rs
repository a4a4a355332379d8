//! Set algebra on the bit rows of patches, whatever their frames and strides.
//!
//! Two patches are of one kind when both hold positions or both hold coloured cells; only those are
//! combined here, layer by layer. Every function gives a value in canonical form.

use arcloom_value::patch::MAX_WORDS;
use arcloom_value::{Frame, Patch, PatchBuf, Value};
use smallvec::SmallVec;

use super::mask::Words;

/// All elements of some patches of one kind; `None` when they lie too far apart for one window.
pub fn unite<'p>(patches: impl Iterator<Item = &'p Patch> + Clone) -> Option<Value> {
    let mut all = patches.clone();
    match (all.next(), all.next()) {
        (None, _) => return Some(Value::empty_set()),
        (Some(patch), None) => return Some(Value::Patch(patch.clone())),
        _ => {}
    }
    let Extent { window, colors, coloured } = Extent::of(patches.clone())?;
    if let Some(value) = unite_narrow(window, coloured.then_some(&colors), patches.clone()) {
        return Some(value);
    }
    let mut buf = window.buf(coloured, &colors)?;
    unite_in(&mut buf, window, patches);
    Some(buf.into())
}

/// Words of a window that is taken for a union without a fast form: two megabytes.
const MOST_WORDS: i64 = 1 << 18;

/// All elements of some patches of one kind, in order, which lie too far apart for [`unite`]; `None` when
/// they lie still further apart.
pub fn unite_far<'p>(patches: impl Iterator<Item = &'p Patch> + Clone) -> Option<Vec<Value>> {
    let Extent { window, colors, coloured } = Extent::of(patches.clone())?;
    let (height, width) = window.extent()?;
    let layers = if coloured { colors.count() as i64 } else { 1 };
    let words = height.checked_mul((width + 63) / 64)?.checked_mul(layers)?;
    if words > MOST_WORDS {
        return None;
    }
    let mut buf = window.any_buf((height, width), coloured, &colors);
    unite_in(&mut buf, window, patches);
    Some(buf.items())
}

/// Writes patches into a buffer over a window around them.
fn unite_in<'p>(buf: &mut PatchBuf, window: Window, patches: impl Iterator<Item = &'p Patch>) {
    let stride = buf.stride();
    for patch in patches {
        let frame = patch.frame();
        let (down, right) = window.offset(frame);
        for k in 0..patch.layer_count() {
            let out = if frame.coloured { buf.color_mut(patch.color(k)) } else { buf.layer_mut(0) };
            or_rows(out, stride, patch.layer(k), frame.stride(), down, right);
        }
    }
}

/// [`unite`] in a window whose rows are one word each; `None` when it is not.
fn unite_narrow<'p>(
    window: Window,
    colors: Option<&Colors>,
    patches: impl Iterator<Item = &'p Patch>,
) -> Option<Value> {
    let (height, width) = (window.bottom - window.top + 1, window.right - window.left + 1);
    let layers = colors.map_or(1, Colors::count);
    if width > 64 || height > MAX_WORDS as i64 || !PatchBuf::fits(height, width, layers) {
        return None;
    }
    let height = height as usize;
    let list: SmallVec<[i8; 16]> = colors.iter().flat_map(|colors| colors.iter()).collect();
    let mut words: SmallVec<[u64; 128]> = SmallVec::new();
    words.resize(height * layers, 0);
    for patch in patches {
        let (down, right) = window.offset(patch.frame());
        for k in 0..patch.layer_count() {
            let layer =
                if colors.is_some() { list.binary_search(&patch.color(k)).ok()? } else { 0 };
            let out = &mut words[layer * height + down..(layer + 1) * height];
            for (out, bits) in out.iter_mut().zip(patch.layer(k)) {
                *out |= bits << right;
            }
        }
    }
    let colors = colors.map(|_| &list[..]);
    Patch::tight((window.top, window.left), height, colors, &words).map(Value::Patch)
}

/// The elements of both of two patches of one kind.
pub fn intersect(a: &Patch, b: &Patch) -> Value {
    if are_apart(a.frame(), b.frame()) {
        return Value::empty_set();
    }
    against(a, b, |a, b| a & b)
}

/// The elements of `a` that are not in `b`, a patch of the same kind.
pub fn subtract(a: &Patch, b: &Patch) -> Value {
    if are_apart(a.frame(), b.frame()) {
        return Value::Patch(a.clone());
    }
    against(a, b, |a, b| a & !b)
}

/// How many elements two patches of one kind have in common; `None` unless their rows are single
/// words.
pub fn count_common(a: &Patch, b: &Patch) -> Option<usize> {
    debug_assert_eq!(a.is_object(), b.is_object(), "unlike kinds");
    let (f, g) = (a.frame(), b.frame());
    if are_apart(f, g) {
        return Some(0);
    }
    if f.stride() != 1 || g.stride() != 1 {
        return None;
    }
    let (top, bottom) = (f.top.max(g.top), f.bottom().min(g.bottom()));
    let right = g.left - f.left;
    let mut count = 0;
    for k in 0..a.layer_count() {
        let color = a.color(k);
        let Some(other) = (0..b.layer_count()).find(|&l| b.color(l) == color) else { continue };
        let rows = a.layer(k)[(top - f.top) as usize..=(bottom - f.top) as usize].iter();
        for (here, there) in rows.zip(&b.layer(other)[(top - g.top) as usize..]) {
            // Frames that meet are less than a word apart.
            let there = if right >= 0 { there << right } else { there >> -right };
            count += (here & there).count_ones() as usize;
        }
    }
    Some(count)
}

/// True when the frames have no position in common.
fn are_apart(a: &Frame, b: &Frame) -> bool {
    a.top > b.bottom() || b.top > a.bottom() || a.left > b.right() || b.left > a.right()
}

/// The patch `a`, each word of it put through `keep` together with the bits of `b` at its place.
fn against(a: &Patch, b: &Patch, keep: impl Fn(u64, u64) -> u64) -> Value {
    debug_assert_eq!(a.is_object(), b.is_object(), "unlike kinds");
    let (fa, fb) = (a.frame(), b.frame());
    let (stride, other_stride) = (fa.stride(), fb.stride());
    let down = i64::from(fa.top) - i64::from(fb.top);
    let right = i64::from(fa.left) - i64::from(fb.left);
    if stride == 1 && other_stride == 1 {
        return against_narrow(a, b, (down, right), keep);
    }
    let mut buf = PatchBuf::like(a);
    for k in 0..a.layer_count() {
        let color = a.color(k);
        let other = (0..b.layer_count()).find(|&l| b.color(l) == color).map(|l| b.layer(l));
        let rows = buf.layer_mut(k).chunks_exact_mut(stride).zip(a.layer(k).chunks_exact(stride));
        for (r, (out, row)) in rows.enumerate() {
            let at = usize::try_from(r as i64 + down).ok().filter(|&r| r < fb.height as usize);
            let other_row = match (at, other) {
                (Some(r), Some(rows)) => &rows[r * other_stride..(r + 1) * other_stride],
                _ => &[],
            };
            for (w, (out, &bits)) in out.iter_mut().zip(row).enumerate() {
                *out = keep(bits, columns(other_row, w as i64 * 64 + right));
            }
        }
    }
    done(&mut buf)
}

/// [`against`] for patches whose rows are one word each, `a` lying so far down and right of `b`.
fn against_narrow(
    a: &Patch,
    b: &Patch,
    (down, right): (i64, i64),
    keep: impl Fn(u64, u64) -> u64,
) -> Value {
    let mut words = Words::new();
    let (mut any, mut changed) = (0, 0);
    for k in 0..a.layer_count() {
        let color = a.color(k);
        let other =
            (0..b.layer_count()).find(|&l| b.color(l) == color).map_or(&[][..], |l| b.layer(l));
        for (&bits, r) in a.layer(k).iter().zip(down..) {
            let row = usize::try_from(r).ok().and_then(|r| other.get(r)).copied().unwrap_or(0);
            let kept = keep(bits, columns(&[row], right));
            any |= kept;
            changed |= kept ^ bits;
            words.push(kept);
        }
    }
    if any == 0 {
        return Value::empty_set();
    }
    if changed == 0 {
        return Value::Patch(a.clone());
    }
    narrow(a, &words)
}

/// The patch with these rows, not all empty, in place of those of `like`, one word each.
fn narrow(like: &Patch, words: &[u64]) -> Value {
    let frame = like.frame();
    let colors: SmallVec<[i8; 16]> = like.colors().collect();
    let corner = (frame.top.into(), frame.left.into());
    let colors = frame.coloured.then_some(&colors[..]);
    match Patch::tight(corner, frame.height as usize, colors, words) {
        Some(patch) => Value::Patch(patch),
        // A part of a patch has a fast form as well.
        None => Value::empty_set(),
    }
}

/// The layers of an object, in order, that `keep` asks for by colour.
pub fn keep_layers<E>(
    object: &Patch,
    mut keep: impl FnMut(i8) -> Result<bool, E>,
) -> Result<Value, E> {
    let mut kept: SmallVec<[usize; 16]> = SmallVec::new();
    for k in 0..object.layer_count() {
        if keep(object.color(k))? {
            kept.push(k);
        }
    }
    if kept.len() == object.layer_count() {
        return Ok(Value::Patch(object.clone()));
    }
    if kept.is_empty() {
        return Ok(Value::empty_set());
    }
    let frame = object.frame();
    if frame.stride() == 1 {
        let mut words = Words::new();
        kept.iter().for_each(|&k| words.extend_from_slice(object.layer(k)));
        let colors: SmallVec<[i8; 16]> = kept.iter().map(|&k| object.color(k)).collect();
        let corner = (frame.top.into(), frame.left.into());
        let part = Patch::tight(corner, frame.height as usize, Some(&colors), &words);
        if let Some(part) = part {
            return Ok(Value::Patch(part));
        }
    }
    let mut buf = PatchBuf::like(object);
    for &k in &kept {
        buf.layer_mut(k).copy_from_slice(object.layer(k));
    }
    Ok(done(&mut buf))
}

/// The elements of a patch in the rows that `keep` asks for; it is asked once per used row.
pub fn keep_rows<E>(
    patch: &Patch,
    mut keep: impl FnMut(i32) -> Result<bool, E>,
) -> Result<Value, E> {
    let frame = patch.frame();
    let stride = frame.stride();
    let mut buf = PatchBuf::like(patch);
    for r in 0..frame.height as usize {
        let row = r * stride..(r + 1) * stride;
        let used = |k: usize| patch.layer(k)[row.clone()].iter().any(|&bits| bits != 0);
        if (0..patch.layer_count()).any(used) && keep(frame.top + r as i32)? {
            for k in 0..patch.layer_count() {
                buf.layer_mut(k)[row.clone()].copy_from_slice(&patch.layer(k)[row.clone()]);
            }
        }
    }
    Ok(done(&mut buf))
}

/// The elements of a patch in the columns that `keep` asks for; it is asked once per used column.
pub fn keep_columns<E>(
    patch: &Patch,
    mut keep: impl FnMut(i32) -> Result<bool, E>,
) -> Result<Value, E> {
    let frame = patch.frame();
    let mut mask = used_columns(patch);
    for (w, word) in mask.iter_mut().enumerate() {
        for bit in ones(*word) {
            if !keep(frame.left + (w * 64) as i32 + bit as i32)? {
                *word &= !(1 << bit);
            }
        }
    }
    let mut buf = PatchBuf::like(patch);
    for k in 0..patch.layer_count() {
        let rows = buf.layer_mut(k).iter_mut().zip(patch.layer(k)).zip(mask.iter().cycle());
        for ((out, bits), mask) in rows {
            *out = bits & mask;
        }
    }
    Ok(done(&mut buf))
}

/// The elements of a patch that `keep` asks for, as colour, row and column, in order.
pub fn keep_cells<E>(
    patch: &Patch,
    mut keep: impl FnMut(i8, i32, i32) -> Result<bool, E>,
) -> Result<Value, E> {
    let frame = patch.frame();
    let stride = frame.stride();
    let mut buf = PatchBuf::like(patch);
    for k in 0..patch.layer_count() {
        let color = patch.color(k);
        for (at, (out, &word)) in buf.layer_mut(k).iter_mut().zip(patch.layer(k)).enumerate() {
            let (i, j) = (at / stride, at % stride * 64);
            for bit in ones(word) {
                if keep(color, frame.top + i as i32, frame.left + (j as u32 + bit) as i32)? {
                    *out |= 1 << bit;
                }
            }
        }
    }
    Ok(done(&mut buf))
}

/// The columns in which a patch has elements, as one bit row over its frame.
pub fn used_columns(patch: &Patch) -> Vec<u64> {
    let mut used = vec![0; patch.frame().stride()];
    for row in patch.words().chunks_exact(used.len()) {
        for (used, bits) in used.iter_mut().zip(row) {
            *used |= bits;
        }
    }
    used
}

/// Words that [`stamp`] looks at for these patches.
pub fn stamp_work(pattern: &Patch, at: &Patch) -> usize {
    let (p, a) = (pattern.frame(), at.frame());
    if at.len() <= pattern.len() {
        at.len() * p.layer_words() * pattern.layer_count()
    } else {
        pattern.len() * a.layer_words()
    }
}

/// Copies of `pattern` moved by every position of `at`, together; `None` when they do not fit one
/// window.
pub fn stamp(pattern: &Patch, at: &Patch) -> Option<Value> {
    debug_assert!(!at.is_object(), "offsets are positions");
    let (p, a) = (pattern.frame(), at.frame());
    let window = Window::from(p).swept(Window::from(a));
    let mut colors = Colors::default();
    pattern.colors().for_each(|c| colors.add(c));
    let mut buf = window.buf(pattern.is_object(), &colors)?;
    let stride = buf.stride();
    // Moving the pattern to every offset and moving the offsets to every cell of the pattern come
    // to the same; one side is walked, the other one copied by whole words.
    let copied = at.len() * p.layer_words() * pattern.layer_count();
    if copied <= pattern.len() * a.layer_words() {
        for (i, j) in at.positions() {
            let (down, right) = ((i - a.top) as usize, (j - a.left) as usize);
            for k in 0..pattern.layer_count() {
                or_rows(buf.layer_mut(k), stride, pattern.layer(k), p.stride(), down, right);
            }
        }
    } else {
        for k in 0..pattern.layer_count() {
            for (i, j) in pattern.layer_positions(k) {
                let (down, right) = ((i - p.top) as usize, (j - p.left) as usize);
                or_rows(buf.layer_mut(k), stride, at.layer(0), a.stride(), down, right);
            }
        }
    }
    Some(buf.into())
}

/// Every pair of one of these rows with one of these columns; `None` when it does not fit one
/// window. Neither list may be empty.
pub fn cross(rows: &[i64], columns: &[i64]) -> Option<Value> {
    let span = |values: &[i64]| Some((*values.iter().min()?, *values.iter().max()?));
    let ((top, bottom), (left, right)) = (span(rows)?, span(columns)?);
    let window = Window { top, left, bottom, right };
    let mut buf = window.buf(false, &Colors::default())?;
    let mut line = vec![0u64; buf.stride()];
    for &j in columns {
        let col = (j - left) as usize;
        line[col / 64] |= 1 << (col % 64);
    }
    let stride = buf.stride();
    let out = buf.layer_mut(0);
    for &i in rows {
        let row = (i - top) as usize;
        out[row * stride..(row + 1) * stride].copy_from_slice(&line);
    }
    Some(buf.into())
}

/// Hands every element of a patch to `visit` as colour, row and column, in order. For positions every
/// colour is 0.
#[inline]
pub fn each_cell(patch: &Patch, mut visit: impl FnMut(i8, i32, i32)) {
    let frame = patch.frame();
    let stride = frame.stride();
    for k in 0..patch.layer_count() {
        let color = patch.color(k);
        for (row, i) in patch.layer(k).chunks_exact(stride).zip(frame.top..) {
            for (&word, start) in row.iter().zip((frame.left..).step_by(64)) {
                let mut bits = word;
                while bits != 0 {
                    visit(color, i, start + bits.trailing_zeros() as i32);
                    bits &= bits - 1;
                }
            }
        }
    }
}

/// Adds the elements of a patch, in order, to a list.
pub fn push_items(patch: &Patch, items: &mut Vec<Value>) {
    if patch.is_object() {
        each_cell(patch, |c, i, j| items.push(Value::Cell(c.into(), i, j)));
    } else {
        each_cell(patch, |_, i, j| items.push(Value::Pair(i, j)));
    }
}

/// Colour, row and column of the last element of a patch.
pub fn last_cell(patch: &Patch) -> Option<(i8, i32, i32)> {
    let (frame, k) = (patch.frame(), patch.layer_count().checked_sub(1)?);
    let at = patch.layer(k).iter().rposition(|&bits| bits != 0)?;
    let (row, word) = (at / frame.stride(), at % frame.stride());
    let col = word as i32 * 64 + 63 - patch.layer(k)[at].leading_zeros() as i32;
    Some((patch.color(k), frame.top + row as i32, frame.left + col))
}

/// Element `n` of a patch as a value, in order.
pub fn nth_item(patch: &Patch, n: usize) -> Option<Value> {
    nth_cell(patch, n).map(|(c, i, j)| {
        if patch.is_object() { Value::Cell(c.into(), i, j) } else { Value::Pair(i, j) }
    })
}

/// Colour, row and column of element `n` of a patch.
pub fn nth_cell(patch: &Patch, mut n: usize) -> Option<(i8, i32, i32)> {
    let frame = patch.frame();
    for k in 0..patch.layer_count() {
        for (at, &word) in patch.layer(k).iter().enumerate() {
            let here = word.count_ones() as usize;
            if n >= here {
                n -= here;
                continue;
            }
            let bit = ones(word).nth(n)? as i32;
            let (row, col) = (at / frame.stride(), at % frame.stride() * 64);
            return Some((patch.color(k), frame.top + row as i32, frame.left + col as i32 + bit));
        }
    }
    None
}

/// What was built. Nothing at all is common after filtering, and quicker to see here.
fn done(buf: &mut PatchBuf) -> Value {
    let blank = (0..buf.layer_count()).all(|k| buf.layer_mut(k).iter().all(|&bits| bits == 0));
    if blank { Value::empty_set() } else { Value::from(&*buf) }
}

/// Places of the bits that are set, ascending.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// 64 columns of a bit row from `start` on; columns outside the row are empty.
#[inline]
fn columns(row: &[u64], start: i64) -> u64 {
    match row {
        [] => 0,
        &[bits] => match start {
            0..64 => bits >> start,
            -63..0 => bits << -start,
            _ => 0,
        },
        _ => {
            let (word, shift) = (start >> 6, start & 63);
            let at =
                |w: i64| usize::try_from(w).ok().and_then(|w| row.get(w)).copied().unwrap_or(0);
            if shift == 0 { at(word) } else { at(word) >> shift | at(word + 1) << (64 - shift) }
        }
    }
}

/// Adds bit rows to a window, moved `down` rows and `right` columns. They must fit in it.
#[inline]
fn or_rows(
    out: &mut [u64],
    out_stride: usize,
    rows: &[u64],
    stride: usize,
    down: usize,
    right: usize,
) {
    let (skip, shift) = (right / 64, right % 64);
    let out = &mut out[down * out_stride..];
    if out_stride == 1 {
        for (out, bits) in out.iter_mut().zip(rows) {
            *out |= bits << shift;
        }
        return;
    }
    for (out, row) in out.chunks_exact_mut(out_stride).zip(rows.chunks_exact(stride)) {
        for (w, &bits) in row.iter().enumerate() {
            out[skip + w] |= bits << shift;
            // Bits past the last word do not exist: the rows fit.
            if shift > 0 && bits >> (64 - shift) != 0 {
                out[skip + w + 1] |= bits >> (64 - shift);
            }
        }
    }
}

/// A set of colours.
#[derive(Default)]
struct Colors([u64; 4]);

impl Colors {
    fn add(&mut self, color: i8) {
        let place = usize::from((i16::from(color) + 128) as u8);
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The colours, ascending.
    fn iter(&self) -> impl Iterator<Item = i8> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &word)| {
            ones(word).map(move |bit| (w as i16 * 64 + bit as i16 - 128) as i8)
        })
    }
}

/// What patches of one kind take together.
struct Extent {
    window: Window,
    colors: Colors,
    coloured: bool,
}

impl Extent {
    /// `None` when there are none.
    fn of<'p>(patches: impl Iterator<Item = &'p Patch>) -> Option<Extent> {
        let mut extent: Option<Extent> = None;
        for patch in patches {
            let (around, coloured) = (Window::from(patch.frame()), patch.is_object());
            let none = || Extent { window: around, colors: Colors::default(), coloured };
            let extent = extent.get_or_insert_with(none);
            debug_assert!(extent.coloured == coloured, "unlike kinds");
            extent.window = extent.window.join(around);
            patch.colors().for_each(|c| extent.colors.add(c));
        }
        extent
    }
}

/// A box of positions, borders included.
#[derive(Clone, Copy)]
struct Window {
    top: i64,
    left: i64,
    bottom: i64,
    right: i64,
}

impl From<&Frame> for Window {
    fn from(frame: &Frame) -> Window {
        Window {
            top: frame.top.into(),
            left: frame.left.into(),
            bottom: frame.bottom().into(),
            right: frame.right().into(),
        }
    }
}

impl Window {
    /// The smallest box around both.
    fn join(self, other: Window) -> Window {
        Window {
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }

    /// Rows and columns from the corner of this box to that of a patch inside it.
    fn offset(self, frame: &Frame) -> (usize, usize) {
        let down = i64::from(frame.top) - self.top;
        let right = i64::from(frame.left) - self.left;
        (down as usize, right as usize)
    }

    /// The box of every sum of a position of each.
    fn swept(self, other: Window) -> Window {
        Window {
            top: self.top + other.top,
            left: self.left + other.left,
            bottom: self.bottom + other.bottom,
            right: self.right + other.right,
        }
    }

    /// Rows and columns of the box; `None` when it is too large to count them.
    fn extent(self) -> Option<(i64, i64)> {
        let near = |c: i64| c.unsigned_abs() < 1 << 40;
        let near = [self.top, self.left, self.bottom, self.right].into_iter().all(near);
        near.then(|| (self.bottom - self.top + 1, self.right - self.left + 1))
    }

    /// An empty buffer over this box, with a layer for each colour; `None` when it is too large.
    fn buf(self, coloured: bool, colors: &Colors) -> Option<PatchBuf> {
        let (height, width) = self.extent()?;
        let layers = if coloured { colors.count() } else { 1 };
        let fits = PatchBuf::fits(height, width, layers);
        fits.then(|| self.any_buf((height, width), coloured, colors))
    }

    /// The same however large it is.
    fn any_buf(self, (height, width): (i64, i64), coloured: bool, colors: &Colors) -> PatchBuf {
        let (height, width) = (height as usize, width as usize);
        if !coloured {
            return PatchBuf::indices(self.top, self.left, height, width);
        }
        let mut buf = PatchBuf::object(self.top, self.left, height, width);
        for color in colors.iter() {
            buf.color_mut(color);
        }
        buf
    }
}

#[cfg(test)]
mod tests;
