//! What a call pays for looking at its arguments.
//!
//! The entry point that `#[primitive]` makes pays before the primitive runs, by what its record says
//! the call grows with. A primitive may declare a `toll` and charge by a formula of its own instead, so
//! that a new one is paid for unless it says otherwise.
//!
//! Arguments of everyday size cost nothing beyond the call itself. What counts is the canonical form,
//! which depends on the value alone, so that the fast forms and the general ones pay the same.

use arcloom_value::Value;

/// How much is looked at for one unit.
pub(crate) const PER_UNIT: usize = 8;
/// What an element of a list in general form, or of a patch or grid where none is meant, weighs more
/// than a number: they are taken apart and put together one by one.
const CLUMSY: usize = 4;

/// What a list may weigh, as in [`arcloom_value::value::Bulk`], to be looked over for nothing: two pairs.
const SMALL_TUPLE: usize = 7;

/// What walking over everything in a value takes.
#[inline]
fn mass(value: &Value) -> usize {
    match value {
        Value::Grid(grid) => grid.cells().len() / 2,
        Value::Patch(patch) => patch.words().len() + 2 * patch.len(),
        Value::Tuple(seq) | Value::Set(seq) => {
            (seq.bulk().weight as usize).saturating_sub(SMALL_TUPLE).saturating_mul(CLUMSY)
        }
        // Functions are called, not walked over.
        Value::None | Value::Int(_) | Value::Pair(..) | Value::Cell(..) => 0,
        Value::Prim(_) | Value::Closure(_) => 0,
    }
}

/// What comparing a value with another takes at most.
#[inline]
fn surface(value: &Value) -> usize {
    match value {
        Value::Grid(grid) => grid.cells().len() / 8,
        Value::Patch(patch) => patch.words().len(),
        Value::Tuple(seq) | Value::Set(seq) => seq.bulk().weight as usize,
        Value::Closure(function) => function.bulk().weight as usize,
        Value::None | Value::Int(_) | Value::Pair(..) | Value::Cell(..) | Value::Prim(_) => 0,
    }
}

/// [`mass`] of a value that may be in general form though it has a fast one.
fn mass_of_general(value: &Value) -> usize {
    mass(&value.canonical())
}

/// The price of looking over these values.
#[inline]
pub(crate) fn of_all(args: &[&Value], general: bool) -> usize {
    let mass = if general { mass_of_general } else { mass };
    args.iter().fold(0usize, |sum, value| sum.saturating_add(mass(value))) / PER_UNIT
}

/// The price of looking over these values, lists being put in order.
#[inline]
pub(crate) fn of_sorted(args: &[&Value], general: bool) -> usize {
    let price = |value: &Value| match value {
        Value::Tuple(seq) | Value::Set(seq) => {
            let rounds = (usize::BITS - seq.len().leading_zeros()) as usize;
            mass(value).saturating_mul(rounds)
        }
        _ => mass(value),
    };
    let price = |value: &&Value| if general { price(&value.canonical()) } else { price(value) };
    args.iter().map(price).fold(0, usize::saturating_add) / PER_UNIT
}

/// Cells of a row that are made a tuple of for one unit.
const ROW: usize = 16;

/// The price of taking rows out of grids, which makes tuples of them.
#[inline]
pub(crate) fn of_rows(args: &[&Value], general: bool) -> usize {
    let width = |value: &&Value| match value {
        Value::Grid(grid) => grid.width() / ROW,
        Value::Tuple(_) if general => match value.canonical() {
            Value::Grid(grid) => grid.width() / ROW,
            _ => 0,
        },
        _ => 0,
    };
    args.iter().map(width).sum()
}

/// The price of looking over those values that are not patches.
#[inline]
pub(crate) fn of_all_but_patches(args: &[&Value], general: bool) -> usize {
    let mass = |value: &Value| match value {
        Value::Patch(_) => 0,
        Value::Grid(grid) => grid.cells().len() * CLUMSY,
        _ => mass(value),
    };
    let mass = |value: &Value| if general { mass(&value.canonical()) } else { mass(value) };
    args.iter().fold(0usize, |sum, value| sum.saturating_add(mass(value))) / PER_UNIT
}

/// The price of looking over those values that are neither grids nor patches.
#[inline]
pub(crate) fn of_lists(args: &[&Value], general: bool) -> usize {
    let mass = |value: &Value| match value {
        Value::Tuple(_) | Value::Set(_) if general => match value.canonical() {
            Value::Grid(_) | Value::Patch(_) => 0,
            canonical => mass(&canonical),
        },
        Value::Tuple(_) | Value::Set(_) => mass(value),
        _ => 0,
    };
    args.iter().fold(0usize, |sum, value| sum.saturating_add(mass(value))) / PER_UNIT
}

/// The price of taking the elements out of those values that are grids or patches. In other forms the
/// elements are there, and the calls that are made on them are paid one by one.
#[inline]
pub(crate) fn of_framed(args: &[&Value], general: bool) -> usize {
    let mass = |value: &Value| match value {
        Value::Grid(grid) => grid.cells().len() / 2,
        Value::Patch(patch) => patch.words().len(),
        Value::Tuple(_) | Value::Set(_) if general => match value.canonical() {
            Value::Grid(grid) => grid.cells().len() / 2,
            Value::Patch(patch) => patch.words().len(),
            _ => 0,
        },
        _ => 0,
    };
    args.iter().fold(0usize, |sum, value| sum.saturating_add(mass(value))) / PER_UNIT
}

/// The price of taking the rows of those values that are grids.
#[inline]
pub(crate) fn of_grids(args: &[&Value], general: bool) -> usize {
    let cells = |value: &Value| match value {
        Value::Grid(grid) => grid.cells().len() / ROW,
        _ => 0,
    };
    let cells = |value: &&Value| if general { cells(&value.canonical()) } else { cells(value) };
    args.iter().map(cells).sum()
}

/// The price of comparing two values: at most the smaller of them is looked over.
#[inline]
pub(crate) fn of_comparison(a: &Value, b: &Value, general: bool) -> usize {
    if general {
        return surface(&a.canonical()).min(surface(&b.canonical())) / PER_UNIT;
    }
    surface(a).min(surface(b)) / PER_UNIT
}

/// Comparisons that are made for one unit.
const COMPARISONS: usize = 4;

/// The price of putting so many values in order: each is compared a logarithm of times. How large they
/// are does not matter, because whoever made them was paid for it and values that share their memory are
/// not looked at.
pub(crate) fn of_sorting(count: usize) -> usize {
    let rounds = (usize::BITS - count.leading_zeros()) as usize;
    count.saturating_mul(rounds) / COMPARISONS
}

/// The price of looking for a value in a container: sets are searched by halves, patches by place.
#[inline]
pub(crate) fn of_finding(value: &Value, container: &Value, general: bool) -> usize {
    if general && !matches!(container, Value::Patch(_)) {
        return of_finding(&value.canonical(), &container.canonical(), false);
    }
    match container {
        Value::Patch(_) => 0,
        Value::Set(seq) => {
            let halves = (usize::BITS - seq.len().leading_zeros()) as usize;
            halves * (1 + surface(value)) / PER_UNIT
        }
        Value::Grid(grid) => grid.cells().len() / ROW,
        _ => surface(container) / PER_UNIT,
    }
}

/// Words that are looked at for one unit.
const WORDS: usize = 64;
/// Most rows, or columns, of either of two patches that are looked at together for nothing.
pub(crate) const SMALL: i64 = WORDS as i64 / 2 - 1;

/// The price of looking at the cells of one colour of a grid or patch.
#[inline]
pub(crate) fn of_layer(element: &Value, general: bool) -> usize {
    match element {
        Value::Patch(patch) => patch.frame().layer_words() / WORDS,
        _ if general => of_layer(&element.canonical(), false),
        _ => mass(element) / PER_UNIT,
    }
}

/// The price of comparing the rows or columns of two patches, which are words.
#[inline]
pub(crate) fn of_overlap(a: &Value, b: &Value, general: bool) -> usize {
    match (a, b) {
        (Value::Patch(a), Value::Patch(b)) => {
            (a.frame().layer_words() + b.frame().layer_words()) / WORDS
        }
        (a, b) if general => of_overlap(&a.canonical(), &b.canonical(), false),
        _ => of_sorted(&[a, b], false) + of_all_but_patches(&[a, b], false),
    }
}
