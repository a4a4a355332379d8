//! What a call pays for looking at its arguments.
//!
//! The entry point that `#[primitive]` makes pays before the primitive runs, by what its record says
//! the call grows with. A primitive may declare a `toll` and charge by a formula of its own instead, so
//! that a new one is paid for unless it says otherwise. `cargo xtask oracle` shows that all of them
//! charge about what they do.
//!
//! Arguments of everyday size cost little or nothing beyond the call itself. What counts is the
//! canonical form, which depends on the value alone: the functions here are asked for canonical values
//! only, so that the general forms pay what the fast ones do.

use arcloom_value::{Patch, Value};

/// How much is looked at for one unit.
const PER_UNIT: usize = 8;
/// How much longer the elements of a list in general form take than numbers do: they are taken apart
/// and put together one by one. So are those of a grid where a patch is meant.
const CLUMSY: usize = 4;
/// What a list may weigh, as in [`arcloom_value::value::Bulk`], to be looked over for nothing: two pairs.
pub(crate) const SMALL_TUPLE: usize = 7;
/// What a cell of a grid takes where a patch is meant: rows are taken for positions, and fail late.
const MISTAKEN: usize = 12;
/// Cells of a row that are taken for nothing. No row of an ARC grid has more.
const ROW: usize = 31;
/// Cells that are made tuples of for one unit.
const CELLS: usize = 16;
/// Words of patches that are looked at for nothing.
const WORDS: usize = 64;
/// Most rows, or columns, of either of two patches that are looked at together for nothing.
pub(crate) const SMALL: i64 = WORDS as i64 / 2 - 1;
/// Words beyond those that are looked at for one unit.
const WORDS_PER_UNIT: usize = 16;
/// Comparisons that are made for one unit.
const COMPARISONS: usize = 4;

/// What walking over everything in a value takes.
#[inline(always)]
fn mass(value: &Value) -> usize {
    match value {
        Value::Grid(grid) => grid.cells().len() / 2,
        Value::Patch(patch) => patch.words().len() + 2 * patch.len(),
        Value::Tuple(seq) | Value::Set(seq) => {
            (seq.bulk().weight as usize).saturating_sub(SMALL_TUPLE).saturating_mul(CLUMSY)
        }
        // Functions are called, not walked over.
        _ => 0,
    }
}

/// What comparing a value with another takes at most.
#[inline(always)]
fn surface(value: &Value) -> usize {
    match value {
        Value::Grid(grid) => grid.cells().len() / 8,
        Value::Patch(patch) => patch.words().len(),
        Value::Tuple(seq) | Value::Set(seq) => seq.bulk().weight as usize,
        Value::Closure(function) => function.bulk().weight as usize,
        _ => 0,
    }
}

/// How often each of so many values is compared when they are put in order.
#[inline(always)]
fn rounds(count: usize) -> usize {
    (usize::BITS - count.leading_zeros()) as usize
}

#[inline(always)]
fn sum<const N: usize>(args: [&Value; N], price: impl Fn(&Value) -> usize) -> usize {
    let mut sum = 0usize;
    for value in args {
        sum = sum.saturating_add(price(value));
    }
    sum
}

/// Looking over all values.
#[inline(always)]
pub(crate) fn all<const N: usize>(args: [&Value; N]) -> usize {
    sum(args, mass) / PER_UNIT
}

/// Looking over all values twice.
#[inline(always)]
pub(crate) fn twice<const N: usize>(args: [&Value; N]) -> usize {
    2 * all(args)
}

/// Looking over all values, lists being put in order.
#[inline(always)]
pub(crate) fn sorted<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Tuple(seq) | Value::Set(seq) => mass(value).saturating_mul(rounds(seq.len())),
        _ => mass(value),
    };
    sum(args, price) / PER_UNIT
}

/// Looking over the values that are not patches.
#[inline(always)]
pub(crate) fn all_but_patches<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Patch(_) => 0,
        Value::Grid(grid) => grid.cells().len() * MISTAKEN,
        _ => mass(value).saturating_mul(2),
    };
    sum(args, price) / PER_UNIT
}

/// Looking over the values that are neither grids nor patches.
#[inline(always)]
pub(crate) fn lists<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Tuple(_) | Value::Set(_) => mass(value).saturating_mul(2),
        _ => 0,
    };
    sum(args, price) / PER_UNIT
}

/// Taking the elements out of grids and patches. In other forms they are there, and the calls that are
/// made on them are paid one by one.
#[inline(always)]
pub(crate) fn framed<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Grid(grid) => grid.cells().len() / 2,
        Value::Patch(patch) => patch.words().len(),
        _ => 0,
    };
    sum(args, price) / PER_UNIT
}

/// Taking the rows out of grids, and passing over the rows of patches that are mostly empty.
#[inline(always)]
pub(crate) fn grids<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Grid(grid) => (grid.cells().len() + 2 * grid.height()) / CELLS,
        Value::Patch(patch) => sparse(patch),
        _ => 0,
    };
    sum(args, price)
}

/// Passing over the rows of a patch.
#[inline(always)]
pub(crate) fn sparse(patch: &Patch) -> usize {
    words(patch.words().len())
}

/// Passing over so many words of patches.
#[inline(always)]
fn words(count: usize) -> usize {
    count.saturating_sub(WORDS) / WORDS_PER_UNIT
}

/// Taking a row out of each grid.
#[inline(always)]
pub(crate) fn rows<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| match value {
        Value::Grid(grid) => grid.width().saturating_sub(ROW) / PER_UNIT,
        _ => 0,
    };
    sum(args, price)
}

/// Comparing two values: at most the smaller of them is looked over.
#[inline(always)]
pub(crate) fn comparison([a, b]: [&Value; 2]) -> usize {
    match surface(a) {
        // Numbers and the like, which is what most comparisons are of.
        0 => 0,
        mass => mass.min(surface(b)) / PER_UNIT,
    }
}

/// Looking for a value in a container: sets are searched by halves, patches by place.
#[inline(always)]
pub(crate) fn finding([value, container]: [&Value; 2]) -> usize {
    match container {
        Value::Patch(_) => 0,
        Value::Set(seq) => rounds(seq.len()) * (1 + surface(value)) / PER_UNIT,
        Value::Grid(_) => grids([container]),
        _ => surface(container) / PER_UNIT,
    }
}

/// Looking at the cells of one colour of a grid or patch.
#[inline(always)]
pub(crate) fn layer([element]: [&Value; 1]) -> usize {
    match element {
        Value::Patch(patch) => patch.frame().layer_words() / WORDS,
        _ => mass(element) / PER_UNIT,
    }
}

/// Comparing the rows or columns of two patches, which are words.
#[inline(always)]
pub(crate) fn overlap([a, b]: [&Value; 2]) -> usize {
    match (a, b) {
        (Value::Patch(a), Value::Patch(b)) => {
            words(a.frame().layer_words() + b.frame().layer_words())
        }
        _ => sorted([a, b]) + all_but_patches([a, b]),
    }
}

/// Looking for the neighbours of every cell of the first of two patches in the second, once per step. In
/// patches that are words it costs next to nothing.
#[inline(always)]
pub(crate) fn seeking([from, to]: [&Value; 2]) -> usize {
    match (from, to) {
        (Value::Patch(_), Value::Patch(_) | Value::Grid(_)) => 0,
        _ => from.len().unwrap_or(0).saturating_mul(crate::position::MAX_STEPS as usize),
    }
}

/// Putting so many values in order. How large they are does not matter: whoever made them was paid for
/// it, and values that share their memory are not looked at.
#[inline]
pub(crate) fn sorting(count: usize) -> usize {
    count.saturating_mul(rounds(count)) / COMPARISONS
}

/// Comparing the elements of tuples, which are put in order and share no memory.
#[inline(always)]
pub(crate) fn weighing<const N: usize>(args: [&Value; N]) -> usize {
    let price = |value: &Value| surface(value).saturating_mul(rounds(value.len().unwrap_or(0)));
    sum(args, price) / COMPARISONS
}

/// Copying two rows of so many cells into a grid.
#[inline]
pub(crate) fn copying(cells: usize) -> usize {
    if cells < PER_UNIT { 0 } else { cells.div_ceil(PER_UNIT) }
}

/// Taking so many elements before anything is done with them.
#[inline]
pub(crate) fn collecting(count: usize) -> usize {
    2 * count / PER_UNIT
}
