//! Calls that follow each other in a closure, done in one where what the first gives is only looked
//! at by the next: counts that need no patch, rings around rings, lines that are merged anyway. The
//! outcome and the work are those of the calls one by one; what cannot be paid for is left to them.

use arcloom_value::{Closure, Patch, Value};

use crate::call::{Caller, Outcome};
use crate::kernel::{between, bits, figure};
use crate::toll;

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
    Some((count as i64, 3 + a.len() + b.len() + toll::sparse(a) + toll::sparse(b)))
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
    let toll = toll::framed([a, b]);
    let (Value::Patch(a), Value::Patch(b)) = (a, b) else { return None };
    let pairs = a.len().checked_mul(b.len())?;
    if !cx.affords(pairs.checked_mul(2)?) {
        return None;
    }
    let found = between::union(a, b)?;
    // The fixed function and the primitive; then twice for every pair, what connecting charges, and
    // `merge` with what it looks at.
    let calls = toll + 2 * pairs + found.length;
    let work = 3 + calls + toll::sorting(pairs) + found.distinct;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::kernel::mask::tests::Random;

    fn prim(name: &str) -> Value {
        Value::Prim(Registry::get().find(name).unwrap())
    }

    fn lbind(f: &Value, x: &Value, open: u8) -> Value {
        Value::closure(Closure::LBind(f.clone(), x.clone(), open))
    }

    fn rbind(f: &Value, x: &Value) -> Value {
        Value::closure(Closure::RBind(f.clone(), x.clone(), 1))
    }

    fn compose(f: Value, g: Value) -> Value {
        Value::closure(Closure::Compose(f, g))
    }

    fn chain(h: Value, g: Value, f: Value) -> Value {
        Value::closure(Closure::Chain(h, g, f))
    }

    fn fork(outer: Value, a: Value, b: Value) -> Value {
        Value::closure(Closure::Fork(outer, a, b))
    }

    /// Calls a primitive with and without fast forms, with budgets that suffice and that do not.
    fn check(name: &str, args: &[&Value]) {
        let id = Registry::get().find(name).unwrap();
        let call = |cx: &mut Caller| {
            cx.reset();
            (cx.call_prim(id, args).map(|value| value.canonical()), cx.spent())
        };
        let (mut fast, mut plain) = (Caller::default(), Caller::general(Caller::DEFAULT_BUDGET));
        let outcome = call(&mut fast);
        assert_eq!(outcome, call(&mut plain), "{name} {args:?}");
        // General forms are weighed where fast ones are not, so that there must be room for them.
        let weight: u64 = args.iter().map(|arg| u64::from(arg.bulk().weight)).sum();
        let fault = |(outcome, _): (Outcome, u64)| outcome.map_err(|error| error.fault);
        let spent = outcome.1;
        let budgets =
            [spent / 5, spent / 3, spent / 2, spent * 2 / 3, spent.saturating_sub(1), spent];
        for budget in budgets.into_iter().filter(|budget| 4 * budget > weight) {
            let (mut fast, mut plain) = (Caller::new(budget), Caller::general(budget));
            let (fast, plain) = (fault(call(&mut fast)), fault(call(&mut plain)));
            assert_eq!(fast, plain, "{name} {args:?} within {budget}");
        }
    }

    fn places(random: &mut Random, span: usize) -> Value {
        let mut side = || random.below(span) as i64 - 2;
        let places: Vec<_> = (0..30).map(|_| (side(), side())).collect();
        Value::indices(&places[..1 + (places[0].0 + 2) as usize % 30])
    }

    fn object(random: &mut Random, span: usize) -> Value {
        let mut side = |span| random.below(span) as i64;
        let cells: Vec<_> = (0..9).map(|_| (side(3), side(span), side(span))).collect();
        Value::object(&cells[..1 + cells[0].1 as usize % 9])
    }

    fn grid(random: &mut Random, height: usize, width: usize) -> Value {
        let cells: Vec<i8> = (0..height * width).map(|_| random.below(3) as i8).collect();
        Value::grid(height, width, &cells)
    }

    #[test]
    fn sizes_of_overlaps_are_counted() {
        let mut random = Random(21);
        for round in 0..120 {
            let span = [3, 8, 20, 90][round % 4];
            let (a, b) = (places(&mut random, span), places(&mut random, span));
            let (c, d) = (object(&mut random, span), object(&mut random, span));
            for (bound, set) in [(&a, &b), (&c, &d), (&a, &c), (&d, &b)] {
                let sets = Value::tuple(vec![set.clone(), bound.clone(), set.clone()]);
                for name in ["intersection", "difference"] {
                    let (left, right) = (lbind(&prim(name), bound, 1), rbind(&prim(name), bound));
                    check("apply", &[&compose(prim("size"), left.clone()), &sets]);
                    check("apply", &[&chain(prim("positive"), prim("size"), right), &sets]);
                    check("argmax", &[&sets, &compose(prim("size"), left)]);
                }
            }
        }
    }

    #[test]
    fn rings_grow_at_once() {
        let mut random = Random(22);
        for n in [2, 3, 9, 40] {
            let grow = Value::closure(Closure::Power(prim("outbox"), n));
            let patches = [places(&mut random, 9), object(&mut random, 12), Value::empty_set()];
            for patch in patches {
                check("apply", &[&grow, &Value::tuple(vec![patch.clone(), patch])]);
            }
        }
    }

    #[test]
    fn merged_lines_are_those_merged_one_by_one() {
        let mut random = Random(23);
        let all = lbind(&prim("prapply"), &prim("connect"), 2);
        let merged = compose(prim("merge"), fork(all, prim("first"), prim("last")));
        for round in 0..200 {
            let span = [1, 4, 9, 30, 80][round % 5];
            let a = places(&mut random, span);
            let b = if round % 3 == 0 { a.clone() } else { places(&mut random, span) };
            let empty = Value::empty_set();
            for (x, y) in [(&a, &b), (&a, &empty), (&empty, &b)] {
                let both = Value::tuple(vec![x.clone(), y.clone()]);
                check("apply", &[&merged, &Value::tuple(vec![both])]);
            }
        }
    }

    #[test]
    fn colours_around_positions_are_read_off_the_grid() {
        let mut random = Random(24);
        for (height, width) in [(1, 1), (1, 4), (2, 2), (5, 3), (9, 9)] {
            let grid = grid(&mut random, height, width);
            let lift = rbind(&prim("toobject"), &grid);
            let at = places(&mut random, 8);
            for name in ["neighbors", "dneighbors", "ineighbors"] {
                for color in [0, 1, 7, 1000] {
                    let count = rbind(&prim("colorcount"), &Value::Int(color));
                    let around = chain(count, lift.clone(), prim(name));
                    check("apply", &[&around, &at]);
                    check("sfilter", &[&at, &compose(prim("positive"), around)]);
                }
            }
        }
    }

    #[test]
    fn distances_of_all_pairs_are_found_at_once() {
        let mut random = Random(25);
        for round in 0..60 {
            let span = [2, 9, 25, 90][round % 4];
            let mut some = |n: usize| -> Value {
                Value::set((0..n).map(|_| object(&mut random, span)).collect())
            };
            let (a, b) = (some(1 + round % 7), some(3));
            check("prapply", &[&prim("manhattan"), &a, &a]);
            check("prapply", &[&prim("manhattan"), &a, &b]);
        }
        let nothing = Value::set(vec![Value::empty_set(), Value::indices(&[(0, 0)])]);
        check("prapply", &[&prim("manhattan"), &nothing, &nothing]);
    }

    #[test]
    fn loops_over_sets_and_rows_give_the_same_in_one_go() {
        let mut random = Random(26);
        for round in 0..40 {
            let (height, width) = (1 + round % 5, 1 + round % 7);
            let grid = grid(&mut random, height, width);
            check("apply", &[&rbind(&prim("order"), &prim("identity")), &grid]);
            let (a, b) = (places(&mut random, 6), places(&mut random, 200));
            let ends = [prim("first"), prim("last")].map(|f| Value::closure(Closure::Power(f, 2)));
            let [first, last] = ends;
            for set in [&a, &b] {
                let pairs = Value::product(set, set);
                if let Some(pairs) = pairs {
                    check("apply", &[&fork(prim("astuple"), first.clone(), last.clone()), &pairs]);
                }
                check("apply", &[&compose(prim("double"), prim("increment")), set]);
            }
            let cells = object(&mut random, 7);
            let column = Value::closure(Closure::Matcher(
                compose(prim("last"), prim("last")),
                Value::Int(round as i64 % 7),
            ));
            check("sfilter", &[&cells, &column]);
            let listed = Value::tuple(cells.iter().unwrap().collect::<Vec<_>>());
            check("delta", &[&listed]);
            let two =
                Value::set(vec![Value::tuple(vec![a, b.clone()]), Value::tuple(vec![cells, b])]);
            check("apply", &[&fork(prim("manhattan"), prim("first"), prim("last")), &two]);
        }
    }
}
