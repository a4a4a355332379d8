//! Functions of functions: ordering, filtering and mapping by a function, and making new functions.
//!
//! A function is only looked at when there is something to call it on, so any value passes over an
//! empty container. Functions that are made here are not checked before they are called.
//!
//! Some functions are recognised (`shapes.rs`) so that a whole patch is worked on by words
//! instead of cell by cell; the outcome is that of the plain loop.

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Closure, Grid, PrimId, Seq, Value};

use self::filter::filter_patch;
use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::container::{merge, merged, ordered, part_of, set_of, tuple_of};
use crate::flat::{Drawn, Repeated};
use crate::kernel::{between, bits, sort};
use crate::order::less;
use crate::position::distances;
use crate::record::Primitive;
use crate::shapes::{representatives, spread};
use crate::{rank, toll, view};

mod filter;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &ORDER, &VALMAX, &VALMIN, &ARGMAX, &ARGMIN, &SFILTER, &MFILTER, &EXTRACT, &COMPOSE, &CHAIN,
    &MATCHER, &RBIND, &LBIND, &POWER, &FORK, &APPLY, &RAPPLY, &MAPPLY, &PAPPLY, &MPAPPLY, &PRAPPLY,
];

/// Largest exponent of [`power`]; a little below where Python's stack ends.
const MAX_POWER: i64 = 900;

/// Hands every element of a container to `visit`.
#[inline]
fn each(
    container: &Value,
    index: u8,
    mut visit: impl FnMut(&Value) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    match container {
        Value::Tuple(seq) | Value::Set(seq) => match seq.product() {
            Some(product) => product.each(visit),
            None => seq.items().iter().try_for_each(visit),
        },
        _ => view::items(container, index)?.try_for_each(|item| visit(&item)),
    }
}

/// The key of an element. Python takes `None` to mean the element itself.
#[inline]
fn key(cx: &mut Caller, compfunc: &mut Repeated<'_>, item: &Value) -> Outcome {
    if compfunc.is_none() { Ok(item.clone()) } else { compfunc.call(cx, item) }
}

/// Python's `a < b`, paid for by length.
#[inline]
fn is_less(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(a < b);
    }
    cx.charge(a.len().unwrap_or(0).min(b.len().unwrap_or(0)) + 1)?;
    less(a, b)
}

/// The first element with the largest, or smallest, key, and that key.
fn best(
    cx: &mut Caller,
    container: &Value,
    compfunc: &Value,
    most: bool,
) -> Result<Option<(Value, Value)>, EvalError> {
    let mut best: Option<(Value, Value)> = None;
    let mut compfunc = Repeated::new(cx, compfunc, container);
    if let Some(keys) = compfunc.numbers(cx, container)? {
        let better = |n: usize, m: usize| if most { keys[n] > keys[m] } else { keys[n] < keys[m] };
        let first = (0..keys.len()).reduce(|best, n| if better(n, best) { n } else { best });
        let found = first.and_then(|n| Some((nth(container, n)?, Value::Int(keys[n]))));
        compfunc.end(cx);
        return Ok(found);
    }
    each(container, 0, |item| {
        let new = key(cx, &mut compfunc, item)?;
        let better = match &best {
            None => true,
            Some((_, old)) if most => is_less(cx, old, &new)?,
            Some((_, old)) => is_less(cx, &new, old)?,
        };
        if better {
            best = Some((item.clone(), new));
        }
        Ok(())
    })?;
    compfunc.end(cx);
    Ok(best)
}

/// Element `n` of a tuple or set.
fn nth(container: &Value, n: usize) -> Option<Value> {
    match container {
        Value::Tuple(seq) | Value::Set(seq) => seq.items().get(n).cloned(),
        Value::Patch(p) => bits::nth_item(p, n),
        _ => container.iter()?.nth(n),
    }
}

/// What a function gives for the elements of a container, in order; for a set possibly with fewer
/// repetitions.
#[derive(Default)]
struct Results {
    values: Vec<Value>,
    /// True when they are the elements of a set in their order.
    ascending: bool,
    /// How many elements the values have that were left out.
    again: usize,
}

fn results(cx: &mut Caller, function: &Value, container: &Value) -> Result<Results, EvalError> {
    if let Value::Patch(p) = container
        && let Some(few) = representatives(cx.registry().known(), function, p)
    {
        cx.charge(p.len())?;
        let values: Result<_, EvalError> =
            few.iter().map(|item| cx.call1(function, item)).collect();
        return Ok(Results { values: values?, ..Results::default() });
    }
    let len = view::len(container, 1)?;
    let mut function = Repeated::new(cx, function, container);
    if let Some(Drawn { lines, again, .. }) = function.lines(cx, container)? {
        function.end(cx);
        return Ok(Results { values: lines, ascending: true, again });
    }
    let mut out = Vec::with_capacity(len);
    let (in_set, mut nothing) = (container.is_set(), false);
    each(container, 1, |item| {
        let value = function.call(cx, item)?;
        // In a set, nothing counts once.
        if !(in_set && value.is_set() && value.is_empty() && std::mem::replace(&mut nothing, true))
        {
            out.push(value);
        }
        Ok(())
    })?;
    function.end(cx);
    Ok(Results { values: out, ..Results::default() })
}

/// What the function gives for the elements of two containers side by side.
fn side_by_side(
    cx: &mut Caller,
    function: &Value,
    a: &Value,
    b: &Value,
) -> Result<Vec<Value>, EvalError> {
    let pairs = view::items(a, 1)?.zip(view::items(b, 2)?);
    pairs.map(|(x, y)| cx.call2(function, &x, &y)).collect()
}

/// The elements as a tuple, those with smaller keys first; equal keys keep their order. Keys that
/// cannot be compared fail.
///
/// ```arc
/// order((3, 1, 2), identity) == (1, 2, 3)
/// order(((1, 2), (3,), ()), size) == ((), (3,), (1, 2))
/// order((1, 2), invert) == (2, 1)
/// order((1, (2, 3)), identity) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> Any) -> Tuple<a>", order)]
pub fn order(cx: &mut Caller, container: &Value, compfunc: &Value) -> Outcome {
    cx.charge(view::len(container, 0)?)?;
    let mut compfunc = Repeated::new(cx, compfunc, container);
    if let Some(numbers) = compfunc.numbers(cx, container)? {
        let places = sort::places(numbers);
        compfunc.end(cx);
        let pick = |items: &[Value]| places.iter().map(|&n| items[n as usize].clone()).collect();
        let items = match container {
            Value::Tuple(seq) | Value::Set(seq) => pick(seq.items()),
            _ => pick(&view::items(container, 0)?.collect::<Vec<Value>>()),
        };
        return tuple_of(cx, items);
    }
    let items: Vec<Value> = view::items(container, 0)?.collect();
    let mut keys = Vec::with_capacity(items.len());
    for item in &items {
        keys.push(key(cx, &mut compfunc, item)?);
    }
    let mut places: Vec<usize> = (0..items.len()).collect();
    // On these the order of values is Python's.
    let numbers = keys.iter().all(|k| matches!(k, Value::Int(_)));
    if numbers || keys.iter().all(|k| matches!(k, Value::Pair(..))) {
        rank::sort_values(cx, &mut places, &keys)?;
    } else {
        sort::sort(&mut places, |a, b| is_less(cx, &keys[a], &keys[b]))?;
    }
    let items = places.into_iter().map(|n| items[n].clone()).collect();
    tuple_of(cx, items)
}

/// The largest value of the function on the elements; for an empty container, its value at 0.
///
/// ```arc
/// valmax(((1, 2), (3,)), size) == 2
/// valmax((), identity) == 0
/// valmax((), size) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> b) -> b")]
pub fn valmax(cx: &mut Caller, container: &Value, compfunc: &Value) -> Outcome {
    extreme_value(cx, container, compfunc, true)
}

/// The smallest value of the function on the elements; for an empty container, its value at 0.
///
/// ```arc
/// valmin(((1, 2), (3,)), size) == 1
/// valmin((), increment) == 1
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> b) -> b")]
pub fn valmin(cx: &mut Caller, container: &Value, compfunc: &Value) -> Outcome {
    extreme_value(cx, container, compfunc, false)
}

fn extreme_value(cx: &mut Caller, container: &Value, compfunc: &Value, most: bool) -> Outcome {
    if !compfunc.is_function() {
        // Whatever the extreme element is, the function is called on it in the end.
        return Err(Fault::NotAFunction.into());
    }
    match best(cx, container, compfunc, most)? {
        Some((_, key)) => Ok(key),
        None => cx.call1(compfunc, &Value::Int(0)),
    }
}

/// The element with the largest key, the first of several. An empty container fails.
///
/// ```arc
/// argmax(((1, 2), (3,), (4, 5)), size) == (1, 2)
/// argmax((), size) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> Any) -> a", order)]
pub fn argmax(cx: &mut Caller, container: &Value, compfunc: &Value) -> Outcome {
    best(cx, container, compfunc, true)?.map(|(item, _)| item).ok_or(Fault::Empty.into())
}

/// The element with the smallest key, the first of several. An empty container fails.
///
/// ```arc
/// argmin(((1, 2), (3,), (4,)), size) == (3,)
/// argmin(frozenset(), size) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> Any) -> a", order)]
pub fn argmin(cx: &mut Caller, container: &Value, compfunc: &Value) -> Outcome {
    best(cx, container, compfunc, false)?.map(|(item, _)| item).ok_or(Fault::Empty.into())
}

/// The elements that meet the condition, in a container of the same kind.
///
/// ```arc
/// sfilter((1, 2, 3, 4), even) == (2, 4)
/// sfilter(frozenset({1, 2}), positive) == frozenset({1, 2})
/// sfilter((), 5) == ()
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(a: Container<b>, Fn(b) -> Bool) -> a")]
pub fn sfilter(cx: &mut Caller, container: &Value, condition: &Value) -> Outcome {
    match container {
        Value::Patch(p) => filter_patch(cx, p, condition),
        Value::Grid(g) => {
            let mut cells = CellBuf::new();
            let mut height = 0;
            for (n, row) in view::items(container, 0)?.enumerate() {
                if cx.call1(condition, &row)?.is_true() {
                    cells.extend_from_slice(g.row(n));
                    height += 1;
                }
            }
            Ok(Value::grid(height, g.width(), &cells))
        }
        _ => {
            let mut kept = Vec::new();
            let mut condition = Repeated::new(cx, condition, container);
            if let (Some(numbers), Value::Tuple(seq) | Value::Set(seq)) =
                (condition.numbers(cx, container)?, container)
            {
                if let Some(product) = seq.product() {
                    let mut met = numbers.iter().map(|&n| n != 0);
                    let kept = product.filtered(|| met.next().unwrap_or(false));
                    condition.end(cx);
                    return Ok(kept);
                }
                let mut kept = Vec::with_capacity(numbers.iter().filter(|n| **n != 0).count());
                let met = seq.items().iter().zip(numbers).filter(|(_, n)| **n != 0);
                kept.extend(met.map(|(item, _)| item.clone()));
                condition.end(cx);
                return part_of(cx, container, kept);
            }
            each(container, 0, |item| {
                if condition.call(cx, item)?.is_true() {
                    kept.push(item.clone());
                }
                Ok(())
            })?;
            condition.end(cx);
            part_of(cx, container, kept)
        }
    }
}

/// The elements of the containers that meet the condition, together: `merge` after `sfilter`.
///
/// ```arc
/// mfilter(((1, 2), (3,), (4, 5)), compose(even, size)) == (1, 2, 4, 5)
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a: Container<b>>, Fn(a) -> Bool) -> Container<b>", order)]
pub fn mfilter(cx: &mut Caller, container: &Value, function: &Value) -> Outcome {
    let kept = sfilter(cx, container, function)?;
    merge(cx, &kept)
}

/// The first element that meets the condition. Fails when none does.
///
/// ```arc
/// extract((1, 4, 6), even) == 4
/// extract((1, 3), even) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> Bool) -> a", order)]
pub fn extract(cx: &mut Caller, container: &Value, condition: &Value) -> Outcome {
    let mut condition = Repeated::new(cx, condition, container);
    for item in view::items(container, 0)? {
        if condition.call(cx, &item)?.is_true() {
            return Ok(item);
        }
    }
    Err(Fault::Empty.into())
}

/// The function that applies `inner`, then `outer`.
///
/// ```arc
/// apply(compose(double, increment), (1, 2)) == (4, 6)
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(b) -> c, Fn(a) -> b) -> Fn(a) -> c")]
pub fn compose(outer: &Value, inner: &Value) -> Value {
    Value::closure(Closure::Compose(outer.clone(), inner.clone()))
}

/// The function that applies `f`, then `g`, then `h`.
///
/// ```arc
/// apply(chain(invert, double, increment), (1, 2)) == (-4, -6)
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(c) -> d, Fn(b) -> c, Fn(a) -> b) -> Fn(a) -> d")]
pub fn chain(h: &Value, g: &Value, f: &Value) -> Value {
    Value::closure(Closure::Chain(h.clone(), g.clone(), f.clone()))
}

/// The function that says whether `function` gives `target`.
///
/// ```arc
/// sfilter(((1, 2), (3,)), matcher(size, 1)) == ((3,),)
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(a) -> b, b) -> Fn(a) -> Bool")]
pub fn matcher(function: &Value, target: &Value) -> Value {
    Value::closure(Closure::Matcher(function.clone(), target.clone()))
}

/// How many arguments stay open when one of a function's is fixed. As in Python any count other
/// than 2 and 3 is taken for 4, which shows only when the result is called.
fn open_after_fixing(cx: &Caller, function: &Value) -> Result<u8, EvalError> {
    Ok(match cx.arity(function).ok_or(Fault::NotAFunction)? {
        2 => 1,
        3 => 2,
        _ => 3,
    })
}

/// The function with its last argument fixed. Fails for what is not a function.
///
/// ```arc
/// apply(rbind(subtract, 1), (5, 6)) == (4, 5)
/// rbind(5, 1) fails
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(a, b) -> c, b) -> Fn(a) -> c")]
pub fn rbind(cx: &mut Caller, function: &Value, fixed: &Value) -> Outcome {
    let open = open_after_fixing(cx, function)?;
    Ok(Value::closure(Closure::RBind(function.clone(), fixed.clone(), open)))
}

/// The function with its first argument fixed. Fails for what is not a function.
///
/// ```arc
/// apply(lbind(subtract, 10), (1, 2)) == (9, 8)
/// lbind(5, 1) fails
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(a, b) -> c, a) -> Fn(b) -> c")]
pub fn lbind(cx: &mut Caller, function: &Value, fixed: &Value) -> Outcome {
    let open = open_after_fixing(cx, function)?;
    Ok(Value::closure(Closure::LBind(function.clone(), fixed.clone(), open)))
}

/// The function applied `n` times over. Fails for n below 1 and above 900.
///
/// ```arc
/// apply(power(double, 3), (1, 2)) == (8, 16)
/// power(double, 0) fails
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(a) -> a, Int) -> Fn(a) -> a")]
pub fn power(function: &Value, n: i64) -> Outcome {
    match n {
        1 => Ok(function.clone()),
        2..=MAX_POWER => Ok(Value::closure(Closure::Power(function.clone(), n as u32))),
        _ if n > MAX_POWER => Err(Fault::Budget.into()),
        _ => Err(Fault::Domain(1).into()),
    }
}

/// The function that applies `a` and `b` to its argument and `outer` to what they give.
///
/// ```arc
/// apply(fork(add, identity, double), (1, 2)) == (3, 6)
/// ```
#[primitive(class = HigherOrder, cost = Scalar, sig = "(Fn(b, c) -> d, Fn(a) -> b, Fn(a) -> c) -> Fn(a) -> d")]
pub fn fork(outer: &Value, a: &Value, b: &Value) -> Value {
    Value::closure(Closure::Fork(outer.clone(), a.clone(), b.clone()))
}

/// What the function gives for each element, in a container of the same kind.
///
/// ```arc
/// apply(double, (1, 2, 2)) == (2, 4, 4)
/// apply(even, frozenset({1, 3})) == frozenset({F})
/// apply(5, ()) == ()
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Fn(a) -> b, Container<a>) -> Container<b>", order)]
pub fn apply(cx: &mut Caller, function: &Value, container: &Value) -> Outcome {
    if let &Value::Pair(i, j) = container {
        let first = cx.call1(function, &Value::Int(i.into()))?;
        let second = cx.call1(function, &Value::Int(j.into()))?;
        return Ok(Value::tuple2(first, second));
    }
    if let (Value::Prim(id), Value::Grid(grid)) = (function, container)
        && let Some(items) = row_extremes(cx, *id, grid)?
    {
        return tuple_of(cx, items);
    }
    if let (Value::Closure(closure), Value::Grid(grid)) = (function, container)
        && let Some(sorted) = sorted_rows(cx, closure.closure(), grid)?
    {
        return Ok(sorted);
    }
    let Results { values, ascending, .. } = results(cx, function, container)?;
    if !container.is_set() {
        return tuple_of(cx, values);
    }
    let set = if ascending { Value::Set(Seq::new(values)) } else { Value::set(values) };
    ordered(cx, set, container.len().unwrap_or(0))
}

/// The largest or smallest cell of every row, where that is what the primitive gives.
fn row_extremes(cx: &mut Caller, id: PrimId, grid: &Grid) -> Result<Option<Vec<Value>>, EvalError> {
    let known = cx.registry().known();
    let pick: fn(i8, i8) -> i8 = match id {
        _ if id == known.maximum => i8::max,
        _ if id == known.minimum => i8::min,
        _ => return Ok(None),
    };
    cx.charge(grid.height())?;
    let rows = grid.rows().map(|row| row.iter().copied().reduce(pick).unwrap_or(0));
    Ok(Some(rows.map(|cell| Value::Int(cell.into())).collect()))
}

/// The rows of a grid with their cells in order, where that is what the function gives.
fn sorted_rows(
    cx: &mut Caller,
    function: &Closure,
    grid: &Grid,
) -> Result<Option<Value>, EvalError> {
    let known = cx.registry().known();
    let is_order = matches!(function, Closure::RBind(Value::Prim(f), Value::Prim(key), 1)
        if *f == known.order && *key == known.identity);
    // For every row a call of the function and one of `order`, which looks at every cell and calls
    // `identity` on it; then the cells of the tuple.
    let work = grid.height() * (2 + 3 * grid.width());
    if !is_order || !cx.takes_fast_forms() || !cx.affords(work) || cx.room().calls == 0 {
        return Ok(None);
    }
    cx.charge(work)?;
    let mut cells = CellBuf::from_slice(grid.cells());
    cells.chunks_exact_mut(grid.width()).for_each(<[i8]>::sort_unstable);
    Ok(Some(Value::grid(grid.height(), grid.width(), &cells)))
}

/// What each function gives for the value, in a container of the same kind as the functions'.
///
/// ```arc
/// rapply((double, invert), 3) == (6, -3)
/// rapply((), 3) == ()
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<Fn(a) -> b>, a) -> Container<b>", order)]
pub fn rapply(cx: &mut Caller, functions: &Value, value: &Value) -> Outcome {
    let mut items = Vec::with_capacity(view::len(functions, 0)?);
    each(functions, 0, |function| {
        items.push(cx.call1(function, value)?);
        Ok(())
    })?;
    if functions.is_set() { set_of(cx, items) } else { tuple_of(cx, items) }
}

/// What the function gives for each element, merged into one container of the outer one's kind.
/// The function must give containers.
///
/// ```arc
/// mapply(toivec, (1, 2)) == (1, 0, 2, 0)
/// mapply(initset, frozenset({1, 2})) == frozenset({1, 2})
/// mapply(double, (1, 2)) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Fn(a) -> b: Container<c>, Container<a>) -> Container<c>", order)]
pub fn mapply(cx: &mut Caller, function: &Value, container: &Value) -> Outcome {
    if let Value::Patch(at) = container
        && !at.is_object()
        && let Some(value) = spread(cx, function, at)?
    {
        return Ok(value);
    }
    let Results { values, again, .. } = results(cx, function, container)?;
    merged(cx, container.is_set(), &values, again)
}

/// The tuple of what the function gives for the elements of two containers side by side, as far as
/// both go.
///
/// ```arc
/// papply(add, (1, 2, 3), (10, 20)) == (11, 22)
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Fn(a, b) -> c, Container<a>, Container<b>) -> Tuple<c>", order)]
pub fn papply(cx: &mut Caller, function: &Value, a: &Value, b: &Value) -> Outcome {
    if let (Value::Prim(id), Value::Grid(a), Value::Grid(b)) = (function, a, b)
        && *id == cx.registry().known().pair
    {
        let items = paired_rows(cx, a, b)?;
        return tuple_of(cx, items);
    }
    let items = side_by_side(cx, function, a, b)?;
    tuple_of(cx, items)
}

/// The rows of two grids paired cell by cell: what `pair` gives for them.
fn paired_rows(cx: &mut Caller, a: &Grid, b: &Grid) -> Result<Vec<Value>, EvalError> {
    let (height, width) = (a.height().min(b.height()), a.width().min(b.width()));
    // What the calls of `pair` charge.
    cx.charge(height.saturating_mul(1 + 3 * width))?;
    let mut cells = CellBuf::new();
    let rows = a.rows().zip(b.rows()).map(|(left, right)| {
        cells.clear();
        cells.extend(left.iter().zip(right).flat_map(|(&l, &r)| [l, r]));
        Value::grid(width, 2, &cells)
    });
    Ok(rows.collect())
}

/// The containers that the function gives for the elements of two containers side by side, merged
/// into one tuple.
///
/// ```arc
/// mpapply(repeat, (7, 8), (2, 1)) == (7, 7, 8)
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Fn(a, b) -> c: Container<d>, Container<a>, Container<b>) -> Tuple<d>", order)]
pub fn mpapply(cx: &mut Caller, function: &Value, a: &Value, b: &Value) -> Outcome {
    let parts = side_by_side(cx, function, a, b)?;
    merged(cx, false, &parts, 0)
}

/// The set of what the function gives for every element of the first with every element of the
/// second container.
///
/// ```arc
/// prapply(add, (1, 2), (10, 20)) == frozenset({11, 12, 21, 22})
/// prapply(5, (1, 2), ()) == frozenset()
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Fn(a, b) -> c, Container<a>, Container<b>) -> Set<c>")]
pub fn prapply(cx: &mut Caller, function: &Value, a: &Value, b: &Value) -> Outcome {
    let n = view::len(b, 2)?;
    if n == 0 {
        // The first container is not even looked at.
        return Ok(Value::empty_set());
    }
    let m = view::len(a, 1)?;
    cx.charge(m.saturating_mul(n))?;
    cx.charge(toll::sorting(m.saturating_mul(n)))?;
    if let (Value::Prim(id), Value::Patch(p), Value::Patch(q)) = (function, a, b)
        && *id == cx.registry().known().connect
        && !p.is_object()
        && !q.is_object()
    {
        // One unit for each call, and what the calls charge.
        if cx.affords(m * n)
            && let Some(found) = between::lines(p, q)
            && cx.affords(m * n + found.length)
        {
            cx.charge(m * n + found.length)?;
            return Ok(Value::Set(Seq::new(found.lines)));
        }
        if let Some((x, y, work)) = between::too_much(p, q, cx.left()) {
            cx.charge(work)?;
            cx.call2(function, &x, &y)?;
        }
    }
    // One unit for each call, and what the calls charge.
    if let Value::Prim(id) = function
        && *id == cx.registry().known().manhattan
        && cx.takes_fast_forms()
        && let Some(left) = cx.left().checked_sub((m * n) as u64)
        && let Some((found, work)) = distances(a, b, left)
    {
        cx.charge(m * n + work)?;
        return Ok(found);
    }
    let firsts: Vec<Value> = view::items(a, 1)?.collect();
    let mut items = Vec::with_capacity(m * n);
    for y in view::items(b, 2)? {
        for x in &firsts {
            items.push(cx.call2(function, x, &y)?);
        }
    }
    Ok(Value::set(items))
}

#[cfg(test)]
mod tests;
