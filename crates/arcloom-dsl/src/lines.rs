//! Neighbourhoods, lines and boxes. None of them is cut off at the border of a grid.

use arcloom_macros::primitive;
use arcloom_value::{Patch, PatchBuf, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::container::set_of;
use crate::kernel::figure;
use crate::kernel::mask::{Mask, Words, set_first};
use crate::order::contains;
use crate::position::{leftmost, lowermost, lrcorner, rightmost, ulcorner, uppermost};
use crate::record::Primitive;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &DNEIGHBORS,
    &INEIGHBORS,
    &NEIGHBORS,
    &CONNECT,
    &SHOOT,
    &VFRONTIER,
    &HFRONTIER,
    &BACKDROP,
    &DELTA,
    &INBOX,
    &OUTBOX,
    &BOX,
];

/// How long frontiers are: the longest side of a task's grid.
const FRONTIER: usize = 30;
/// How many times its direction `shoot` goes.
const RANGE: i64 = 42;

/// The four positions above, below, left and right of a position.
///
/// ```arc
/// dneighbors((0, 0)) == frozenset({(-1, 0), (1, 0), (0, -1), (0, 1)})
/// ```
#[primitive(class = Lines, cost = Scalar, sig = "(Pair) -> Indices")]
pub fn dneighbors(loc: &Value) -> Outcome {
    around(loc, [0b010, 0b101, 0b010])
}

/// The four positions diagonally next to a position.
///
/// ```arc
/// ineighbors((0, 0)) == frozenset({(-1, -1), (-1, 1), (1, -1), (1, 1)})
/// ```
#[primitive(class = Lines, cost = Scalar, sig = "(Pair) -> Indices")]
pub fn ineighbors(loc: &Value) -> Outcome {
    around(loc, [0b101, 0b000, 0b101])
}

/// The eight positions around a position.
///
/// ```arc
/// neighbors((1, 1)) == frozenset({(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)})
/// ```
#[primitive(class = Lines, cost = Scalar, sig = "(Pair) -> Indices")]
pub fn neighbors(loc: &Value) -> Outcome {
    around(loc, [0b111, 0b101, 0b111])
}

/// The line between two positions, ends included, if it is horizontal, vertical or exactly
/// diagonal; otherwise the empty set.
///
/// ```arc
/// connect((0, 0), (0, 2)) == frozenset({(0, 0), (0, 1), (0, 2)})
/// connect((2, 0), (0, 2)) == frozenset({(2, 0), (1, 1), (0, 2)})
/// connect((0, 0), (1, 2)) == frozenset()
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Pair, Pair) -> Indices", toll = all_but_patches)]
pub fn connect(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    line(cx, view::two_ints(a)?, view::two_ints(b)?)
}

/// The line from a position to the one 42 times the direction away; the empty set unless it is
/// horizontal, vertical or exactly diagonal.
///
/// ```arc
/// size(shoot((0, 0), (1, 1))) == 43
/// shoot((3, 4), (0, 0)) == frozenset({(3, 4)})
/// shoot((3, 4), (1, 2)) == frozenset()
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Pair, Pair) -> Indices", toll = all_but_patches)]
pub fn shoot(cx: &mut Caller, start: &Value, direction: &Value) -> Outcome {
    if !start.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    let ((i, j), (di, dj)) = (view::two_ints(start)?, view::leading_ints(direction, 1)?);
    let end = |from: i64, step: i64| step.checked_mul(RANGE).and_then(|d| from.checked_add(d));
    let to = end(i, di).zip(end(j, dj)).ok_or(Fault::Overflow)?;
    line(cx, (i, j), to)
}

/// The positions in rows 0 to 29 of a position's column, whatever the size of the grid.
///
/// ```arc
/// size(vfrontier((3, 4))) == 30
/// lrcorner(vfrontier((3, 4))) == (29, 4)
/// ```
#[primitive(class = Lines, cost = Scalar, sig = "(Pair) -> Indices")]
pub fn vfrontier(cx: &mut Caller, location: &Value) -> Outcome {
    match part(location, 1)? {
        Value::Int(j) => Ok(figure::line(0, j, 1, 0, FRONTIER)),
        other => {
            cx.charge(2 * FRONTIER)?;
            let place = |i| Value::tuple2(Value::Int(i), other.clone());
            Ok(Value::set((0..FRONTIER as i64).map(place).collect()))
        }
    }
}

/// The positions in columns 0 to 29 of a position's row, whatever the size of the grid.
///
/// ```arc
/// size(hfrontier((3, 4))) == 30
/// lrcorner(hfrontier((3, 4))) == (3, 29)
/// ```
#[primitive(class = Lines, cost = Scalar, sig = "(Pair) -> Indices")]
pub fn hfrontier(cx: &mut Caller, location: &Value) -> Outcome {
    match part(location, 0)? {
        Value::Int(i) => Ok(figure::line(i, 0, 0, 1, FRONTIER)),
        other => {
            cx.charge(2 * FRONTIER)?;
            let place = |j| Value::tuple2(other.clone(), Value::Int(j));
            Ok(Value::set((0..FRONTIER as i64).map(place).collect()))
        }
    }
}

/// All positions of the box around a patch; the empty set if it is empty.
///
/// ```arc
/// backdrop(frozenset({(0, 1), (1, 0)})) == frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
/// backdrop(()) == frozenset()
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn backdrop(cx: &mut Caller, patch: &Value) -> Outcome {
    if view::len(patch, 0)? == 0 {
        return Ok(Value::empty_set());
    }
    let indices;
    let first = match patch {
        Value::Patch(_) => patch,
        _ => {
            indices = view::toindices(patch, 0)?;
            &indices
        }
    };
    let ((top, left), (bottom, right)) =
        (view::two_ints(&ulcorner(first)?)?, view::two_ints(&lrcorner(patch)?)?);
    let (height, width) = (span(top, bottom)?, span(left, right)?);
    cx.charge(figure::area(height, width))?;
    Ok(figure::rectangle(top, left, height, width))
}

/// The positions of the box around a patch that the patch does not cover; the empty set if it is
/// empty.
///
/// A tuple of positions fails, one of cells does not.
///
/// ```arc
/// delta(frozenset({(0, 1), (1, 0)})) == frozenset({(0, 0), (1, 1)})
/// delta(frozenset({(0, 1)})) == frozenset()
/// delta(((0, 1), (1, 0))) fails
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn delta(cx: &mut Caller, patch: &Value) -> Outcome {
    if let Value::Patch(patch) = patch {
        let mut scratch = Words::new();
        let mask = Mask::new(patch, &mut scratch);
        cx.charge(figure::area(mask.height as i64, mask.width as i64))?;
        if mask.stride() == 1 {
            let all = u64::MAX >> (64 - mask.width);
            let rows: Words = mask.words.iter().map(|bits| all & !bits).collect();
            // Inside the frame of a patch, nothing but being empty keeps a set from its fast form.
            let rest = Patch::tight((mask.top, mask.left), mask.height, None, &rows);
            return Ok(rest.map_or_else(Value::empty_set, Value::Patch));
        }
        let mut buf = PatchBuf::indices(mask.top, mask.left, mask.height, mask.width);
        let rows = buf.layer_mut(0).chunks_exact_mut(mask.stride());
        for (row, own) in rows.zip(mask.words.chunks_exact(mask.stride())) {
            set_first(row, mask.width);
            row.iter_mut().zip(own).for_each(|(word, bits)| *word &= !bits);
        }
        return Ok(buf.into());
    }
    if let Value::Tuple(seq) = patch
        && let Some(Value::Cell(..)) = seq.items().first()
        && let Some(object) = view::listed(patch)
    {
        return delta(cx, &Value::Patch(object));
    }
    if view::len(patch, 0)? == 0 {
        return Ok(Value::empty_set());
    }
    let (all, own) = (backdrop(cx, patch)?, view::toindices(patch, 0)?);
    if !own.is_set() {
        return Err(Fault::Kind(0).into());
    }
    let mut left = Vec::new();
    for at in view::items(&all, 0)? {
        if !contains(&own, &at)? {
            left.push(at);
        }
    }
    set_of(cx, left)
}

/// The ring of positions just inside the edge of the box around a patch; an empty patch fails.
///
/// Where the box is one or two cells thick, the ring turns inside out: that of a single cell goes
/// around it.
///
/// ```arc
/// inbox(frozenset({(0, 0), (2, 3)})) == frozenset({(1, 1), (1, 2)})
/// inbox(frozenset({(1, 1)})) == neighbors((1, 1))
/// inbox(frozenset()) fails
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn inbox(cx: &mut Caller, patch: &Value) -> Outcome {
    ring(cx, patch, 1)
}

/// The ring of positions just outside the edge of the box around a patch; an empty patch fails.
///
/// ```arc
/// outbox(frozenset({(1, 1)})) == neighbors((1, 1))
/// outbox(frozenset()) fails
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn outbox(cx: &mut Caller, patch: &Value) -> Outcome {
    ring(cx, patch, -1)
}

/// The positions along the edge of the box around a patch. An empty patch is returned as it is.
///
/// ```arc
/// box(frozenset({(0, 0), (2, 2)})) == frozenset({(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)})
/// box(frozenset()) == frozenset()
/// ```
#[primitive(class = Lines, cost = Cells, sig = "(Patch) -> Indices", toll = all_but_patches)]
pub fn r#box(cx: &mut Caller, patch: &Value) -> Outcome {
    if view::len(patch, 0)? == 0 {
        return Ok(patch.clone());
    }
    let ((top, left), (bottom, right)) =
        (view::two_ints(&ulcorner(patch)?)?, view::two_ints(&lrcorner(patch)?)?);
    let (height, width) = (span(top, bottom)?, span(left, right)?);
    cx.charge(figure::outline(height, width))?;
    Ok(figure::ring(top, left, height, width))
}

/// The positions of a 3 by 3 pattern laid around a position.
fn around(loc: &Value, pattern: [u64; 3]) -> Outcome {
    let (i, j) = view::leading_ints(loc, 0)?;
    let limits = |n: i64| n.checked_sub(1).filter(|_| n != i64::MAX);
    let (top, left) = limits(i).zip(limits(j)).ok_or(Fault::Overflow)?;
    Ok(figure::pattern(top, left, pattern))
}

/// The straight or diagonal line between two positions.
fn line(cx: &mut Caller, from: (i64, i64), to: (i64, i64)) -> Outcome {
    let Some(len) = figure::straight(from, to) else { return Ok(Value::empty_set()) };
    cx.charge(len)?;
    Ok(figure::between(from, to, len))
}

/// The edge of the box around a patch, moved inwards by this many cells, inside out if need be.
fn ring(cx: &mut Caller, patch: &Value, inwards: i64) -> Outcome {
    let int = |side: Outcome| side?.as_int().ok_or(EvalError::from(Fault::Element));
    let (top, left) = (int(uppermost(patch))?, int(leftmost(patch))?);
    let (bottom, right) = (int(lowermost(patch))?, int(rightmost(patch))?);
    let side = |first: i64, last: i64| {
        let ends = first.checked_add(inwards).zip(last.checked_sub(inwards));
        ends.map(|(a, b)| (a.min(b), a.max(b))).ok_or(Fault::Overflow)
    };
    let ((top, bottom), (left, right)) = (side(top, bottom)?, side(left, right)?);
    let (height, width) = (span(top, bottom)?, span(left, right)?);
    cx.charge(figure::outline(height, width))?;
    Ok(figure::ring(top, left, height, width))
}

/// Cells from the first to the last, both counted; not positive when they are in the wrong order.
fn span(first: i64, last: i64) -> Result<i64, EvalError> {
    let end = last.checked_add(1).ok_or(Fault::Overflow)?;
    Ok(end.checked_sub(first).ok_or(Fault::Overflow)?)
}

/// Part `n` of a tuple.
fn part(location: &Value, n: usize) -> Outcome {
    match location {
        _ if location.is_tuple() => location.item(n).ok_or(Fault::Range.into()),
        _ => Err(Fault::Kind(0).into()),
    }
}
