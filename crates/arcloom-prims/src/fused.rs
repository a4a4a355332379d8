//! Calls that follow each other in a closure, done in one where what the first gives is only looked
//! at by the next: counts that need no patch, rings around rings, lines that are merged anyway. The
//! outcome and the work are those of the calls one by one; what cannot be paid for is left to them.

use arcloom_value::{Closure, Patch, Value};

use crate::call::{Caller, Outcome};
use crate::kernel::{between, bits, figure};

/// The number of elements that two sets have in common or not, `size` after `intersection` or
/// `difference` with a fixed set, and its cost.
#[inline]
pub(crate) fn sized(cx: &Caller, size: &Value, f: &Value, x: &Value) -> Option<(i64, usize)> {
    let (Value::Prim(id), Value::Closure(f), Value::Patch(x)) = (size, f, x) else { return None };
    let known = cx.registry().known();
    if *id != known.size {
        return None;
    }
    let (prim, a, b) = match f.closure() {
        Closure::RBind(Value::Prim(id), Value::Patch(fixed), 1) => (*id, x, fixed),
        Closure::LBind(Value::Prim(id), Value::Patch(fixed), 1) => (*id, fixed, x),
        _ => return None,
    };
    if !cx.takes_fast_forms() || cx.room().calls == 0 {
        return None;
    }
    let common = |a: &Patch, b: &Patch| -> Option<usize> {
        if a.is_object() == b.is_object() { bits::count_common(a, b) } else { Some(0) }
    };
    let count = match prim {
        _ if prim == known.intersection => common(a, b)?,
        _ if prim == known.difference => a.len() - common(a, b)?,
        _ => return None,
    };
    // The fixed set's function, the primitive it calls, what that charges, and `size`.
    Some((count as i64, 3 + a.len() + b.len()))
}

/// What `outbox` gives when applied so many times, and its cost.
#[inline]
pub(crate) fn rings(cx: &Caller, f: &Value, times: u32, x: &Value) -> Option<(Value, usize)> {
    let (Value::Prim(id), Value::Patch(patch)) = (f, x) else { return None };
    if *id != cx.registry().known().outbox || !cx.takes_fast_forms() {
        return None;
    }
    let (frame, n) = (patch.frame(), i64::from(times));
    let (height, width) = (i64::from(frame.height), i64::from(frame.width));
    let grown = |k: i64| 1 + figure::outline(height + 2 * k, width + 2 * k);
    let work: usize = (1..=n).map(grown).sum();
    cx.affords(work).then(|| {
        let (top, left) = (i64::from(frame.top) - n, i64::from(frame.left) - n);
        (figure::ring(top, left, height + 2 * n, width + 2 * n), work)
    })
}

/// `merge` after a fork that connects all positions of two sets, called on `x`: the lines are not
/// made one by one.
pub(crate) fn merged_lines(
    cx: &mut Caller,
    merge: &Value,
    inner: &Value,
    x: &Value,
) -> Option<Outcome> {
    let (Value::Prim(id), Value::Closure(fork)) = (merge, inner) else { return None };
    let known = cx.registry().known();
    if *id != known.merge || !cx.takes_fast_forms() || cx.room().calls < 2 {
        return None;
    }
    let Closure::Fork(lines, a, b) = fork.closure() else { return None };
    let Value::Closure(all) = lines else { return None };
    match all.closure() {
        Closure::LBind(Value::Prim(each), Value::Prim(draw), 2)
            if (*each, *draw) == (known.prapply, known.connect) => {}
        _ => return None,
    }
    let mut call = || -> Outcome {
        cx.charge(1)?;
        let mut whole = false;
        let given = cx.within(|cx| {
            let (left, right) = (cx.call1(a, x)?, cx.call1(b, x)?);
            if let Some((value, work)) = united(cx, &left, &right) {
                cx.charge(work)?;
                whole = true;
                return Ok(value);
            }
            cx.call2(lines, &left, &right)
        })?;
        if whole { Ok(given) } else { cx.call1(merge, &given) }
    };
    Some(call())
}

/// All positions of the lines between two sets of positions, and the cost of connecting and merging.
fn united(cx: &Caller, a: &Value, b: &Value) -> Option<(Value, usize)> {
    let (Value::Patch(a), Value::Patch(b)) = (a, b) else { return None };
    let pairs = a.len().checked_mul(b.len())?;
    if !cx.affords(pairs.checked_mul(2)?) {
        return None;
    }
    let found = between::union(a, b)?;
    // The fixed function and the primitive; then twice for every pair, what connecting charges, and
    // `merge` with what it looks at.
    let work = 3 + 2 * pairs + found.length + found.distinct;
    cx.affords(work).then_some((found.places, work))
}

/// The cells of one colour around a position in a grid, `chain(rbind(colorcount, c), rbind(toobject,
/// grid), neighbors)`, and its cost.
#[inline]
pub(crate) fn around(cx: &Caller, [h, g, f]: [&Value; 3], x: &Value) -> Option<(i64, usize)> {
    let (Value::Prim(id), &Value::Pair(i, j)) = (f, x) else { return None };
    let known = cx.registry().known();
    let (pattern, places) = match *id {
        id if id == known.neighbors => ([0b111, 0b101, 0b111], 8),
        id if id == known.dneighbors => ([0b010, 0b101, 0b010], 4),
        id if id == known.ineighbors => ([0b101, 0b000, 0b101], 4),
        _ => return None,
    };
    let (Value::Closure(h), Value::Closure(g)) = (h, g) else { return None };
    let (
        Closure::RBind(Value::Prim(count), Value::Int(color), 1),
        Closure::RBind(Value::Prim(lift), Value::Grid(grid), 1),
    ) = (h.closure(), g.closure())
    else {
        return None;
    };
    let (height, width) = (grid.height() as i64, grid.width() as i64);
    let inside = (0..height).contains(&i.into()) && (0..width).contains(&j.into());
    // There is a neighbour in the grid unless it is a line.
    if (*count, *lift) != (known.colorcount, known.toobject)
        || !inside
        || height.min(width) < 2
        || !cx.takes_fast_forms()
        || cx.room().calls == 0
    {
        return None;
    }
    let color = i8::try_from(*color).ok()?;
    let mut found = 0;
    for (row, bits) in (i64::from(i) - 1..).zip(pattern) {
        for k in 0..3 {
            let is_there = bits >> k & 1 == 1 && grid.get(row, i64::from(j) - 1 + k) == Some(color);
            found += i64::from(is_there);
        }
    }
    // Three functions are called, two of them to call a primitive; lifting charges by position.
    Some((found, 5 + places))
}

/// The parts of a tuple of two, where that is what a fork's functions give: they need not be taken out.
#[inline]
pub(crate) fn parts<'x>(
    cx: &Caller,
    a: &Value,
    b: &Value,
    x: &'x Value,
) -> Option<(&'x Value, &'x Value)> {
    let (Value::Prim(a), Value::Prim(b), Value::Tuple(seq)) = (a, b, x) else { return None };
    let known = cx.registry().known();
    if (*a, *b) != (known.first, known.last) || !cx.takes_fast_forms() {
        return None;
    }
    match seq.items() {
        [first, last] => Some((first, last)),
        _ => None,
    }
}
