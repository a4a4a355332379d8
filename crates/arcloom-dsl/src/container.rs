//! Tuples and sets: joining, picking, counting, building.
//!
//! A set is walked in ascending order wherever its order shows. Results are of the kind (tuple or
//! set) that each primitive says, whatever mix its elements are.

use std::cmp::Ordering;

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Patch, Seq, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::{bits, tally};
use crate::order::{contains, less};
use crate::record::Primitive;
use crate::toll;
use crate::view;

mod many;

pub(crate) use many::merged;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &COMBINE,
    &INTERSECTION,
    &DIFFERENCE,
    &DEDUPE,
    &REPEAT,
    &SIZE,
    &MERGE,
    &MAXIMUM,
    &MINIMUM,
    &MOSTCOMMON,
    &LEASTCOMMON,
    &INITSET,
    &TOTUPLE,
    &FIRST,
    &LAST,
    &INSERT,
    &REMOVE,
    &OTHER,
    &INTERVAL,
    &ASTUPLE,
    &PRODUCT,
    &PAIR,
    &SIZEFILTER,
];

/// The tuple of these elements. Pays for the cells when they may be the rows of a grid: a row that
/// was shared so far is then copied.
pub(crate) fn tuple_of(cx: &mut Caller, items: Vec<Value>) -> Outcome {
    if items.first().is_some_and(Value::is_tuple) {
        let cells = items.iter().filter(|v| v.is_tuple()).filter_map(Value::len);
        cx.charge(cells.fold(0, usize::saturating_add))?;
    }
    Ok(Value::tuple(items))
}

/// The set of these elements. Pays for putting them in order where that was done one by one.
pub(crate) fn set_of(cx: &mut Caller, items: Vec<Value>) -> Outcome {
    let count = items.len();
    ordered(cx, Value::set(items), count)
}

/// The set that so many elements were put in order for; a patch has its order by itself.
pub(crate) fn ordered(cx: &mut Caller, set: Value, count: usize) -> Outcome {
    if let Value::Set(_) = set {
        cx.charge(toll::sorting(count))?;
    }
    Ok(set)
}

/// The set of these elements, which are ascending and distinct.
pub(crate) fn sorted_set(items: Vec<Value>) -> Value {
    match items.first() {
        Some(first) if first.as_pair().is_some() || first.as_cell().is_some() => Value::set(items),
        _ => Value::Set(Seq::new(items)),
    }
}

/// Some elements of a container, in their order, as a container of the same kind.
pub(crate) fn part_of(cx: &mut Caller, whole: &Value, items: Vec<Value>) -> Outcome {
    if whole.len() == Some(items.len()) {
        Ok(whole.clone())
    } else if whole.is_set() {
        Ok(sorted_set(items))
    } else {
        tuple_of(cx, items)
    }
}

/// Walks two sets at once: the elements of the first only, of both and of the second only, each
/// taken if asked for.
fn walk(a: &Value, b: &Value, only_a: bool, both: bool, only_b: bool) -> Vec<Value> {
    let mut out = Vec::new();
    let (mut xs, mut ys) = (a.iter().into_iter().flatten(), b.iter().into_iter().flatten());
    let (mut x, mut y) = (xs.next(), ys.next());
    loop {
        let side = match (&x, &y) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return out,
        };
        match side {
            Ordering::Less => {
                out.extend(x.filter(|_| only_a));
                x = xs.next();
            }
            Ordering::Equal => {
                out.extend(x.filter(|_| both));
                (x, y) = (xs.next(), ys.next());
            }
            Ordering::Greater => {
                out.extend(y.filter(|_| only_b));
                y = ys.next();
            }
        }
    }
}

fn same_kind(a: &Patch, b: &Patch) -> bool {
    a.is_object() == b.is_object()
}

/// The elements of both containers, as the kind of the first: two sets give their union, a tuple is
/// lengthened.
///
/// ```arc
/// combine((1, 2), (2, 3)) == (1, 2, 2, 3)
/// combine(frozenset({1, 2}), frozenset({2, 3})) == frozenset({1, 2, 3})
/// combine((1,), frozenset({3, 2})) == (1, 2, 3)
/// ```
#[primitive(class = Container, cost = Cells, sig = "(a: Container<b>, Container<b>) -> a", order, toll = grids)]
pub fn combine(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let (m, n) = (view::len(a, 0)?, view::len(b, 1)?);
    cx.charge(m + n)?;
    if n == 0 {
        return Ok(a.clone());
    }
    if m == 0 && a.is_set() == b.is_set() {
        return Ok(b.clone());
    }
    match (a, b) {
        (Value::Patch(x), Value::Patch(y)) if same_kind(x, y) => {
            if let Some(value) = bits::unite([x, y].into_iter()) {
                return Ok(value);
            }
        }
        (Value::Grid(x), Value::Grid(y)) if x.width() == y.width() => {
            cx.charge(x.cells().len() + y.cells().len())?;
            let mut cells = CellBuf::from_slice(x.cells());
            cells.extend_from_slice(y.cells());
            return Ok(Value::grid(m + n, x.width(), &cells));
        }
        _ => {}
    }
    if a.is_set() && b.is_set() {
        return Ok(sorted_set(walk(a, b, true, true, true)));
    }
    let mut items = Vec::with_capacity(m + n);
    items.extend(view::items(a, 0)?.chain(view::items(b, 1)?));
    if a.is_set() { set_of(cx, items) } else { tuple_of(cx, items) }
}

/// The elements that two sets share. Tuples fail; two integers give their bitwise and.
///
/// ```arc
/// intersection(frozenset({1, 2}), frozenset({2, 3})) == frozenset({2})
/// intersection((1, 2), (2, 3)) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Set<a>, Set<a>) -> Set<a>", toll = grids)]
pub fn intersection(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(Value::Int(a & b));
    }
    if !a.is_set() {
        return Err(Fault::Kind(0).into());
    }
    if !b.is_set() {
        return Err(Fault::Kind(1).into());
    }
    let (m, n) = (view::len(a, 0)?, view::len(b, 1)?);
    cx.charge(m + n)?;
    if m == 0 || n == 0 {
        return Ok(Value::empty_set());
    }
    Ok(match (a, b) {
        (Value::Patch(a), Value::Patch(b)) if same_kind(a, b) => bits::intersect(a, b),
        (Value::Patch(_), Value::Patch(_)) => Value::empty_set(),
        _ => sorted_set(walk(a, b, false, true, false)),
    })
}

/// The elements of the first container that are not in the second, in a container like the first.
/// A tuple keeps its order and its duplicates.
///
/// ```arc
/// difference(frozenset({1, 2}), frozenset({2})) == frozenset({1})
/// difference((3, 1, 3, 2), (1,)) == (3, 3, 2)
/// difference((), 5) == ()
/// ```
#[primitive(class = Container, cost = Cells, sig = "(a: Container<b>, Container<b>) -> a", toll = grids)]
pub fn difference(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let m = view::len(a, 0)?;
    if m == 0 {
        return Ok(a.clone());
    }
    let n = view::len(b, 1)?;
    cx.charge(m + n)?;
    if n == 0 {
        return Ok(a.clone());
    }
    match (a, b) {
        (Value::Patch(x), Value::Patch(y)) if same_kind(x, y) => return Ok(bits::subtract(x, y)),
        (Value::Patch(_), Value::Patch(_)) => return Ok(a.clone()),
        _ => {}
    }
    if a.is_set() && b.is_set() {
        let items = walk(a, b, true, false, false);
        return part_of(cx, a, items);
    }
    cx.charge(toll::sorting(m + n))?;
    cx.pay(toll::weighing, [a, b])?;
    let mut without: Vec<Value> = view::items(b, 1)?.collect();
    without.sort_unstable();
    let items = view::items(a, 0)?.filter(|v| without.binary_search(v).is_err()).collect();
    part_of(cx, a, items)
}

/// The tuple without repetitions: of equal elements the first stays. A set fails unless empty.
///
/// ```arc
/// dedupe((3, 1, 3, 2, 1)) == (3, 1, 2)
/// dedupe(frozenset({1})) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Tuple<a>) -> Tuple<a>", toll = sorted)]
pub fn dedupe(cx: &mut Caller, tup: &Value) -> Outcome {
    match tup {
        Value::Grid(g) => {
            let rows: Vec<&[i8]> = g.rows().collect();
            cx.charge(rows.len())?;
            cx.charge(toll::sorting(rows.len()))?;
            let places = tally::first_places(&rows);
            let cells: CellBuf = places.iter().flat_map(|&n| rows[n].iter().copied()).collect();
            Ok(Value::grid(places.len(), g.width(), &cells))
        }
        Value::Set(seq) if seq.items().is_empty() => Ok(Value::empty_tuple()),
        _ if tup.is_tuple() => {
            let mut items: Vec<Value> = view::items(tup, 0)?.collect();
            cx.charge(items.len())?;
            cx.charge(toll::sorting(items.len()))?;
            let places = tally::first_places(&items);
            if places.len() == items.len() {
                return Ok(tup.clone());
            }
            let mut place = 0;
            let mut kept = places.iter().peekable();
            items.retain(|_| {
                let keep = kept.next_if(|&&next| next == place).is_some();
                place += 1;
                keep
            });
            tuple_of(cx, items)
        }
        _ => Err(Fault::Kind(0).into()),
    }
}

/// The tuple of that many copies; a count below 1 gives the empty one.
///
/// ```arc
/// repeat(7, 3) == (7, 7, 7)
/// repeat((1, 2), 2) == ((1, 2), (1, 2))
/// repeat(7, -1) == ()
/// ```
#[primitive(class = Container, cost = Cells, sig = "(a, Int) -> Tuple<a>", toll = grids)]
pub fn repeat(cx: &mut Caller, item: &Value, num: i64) -> Outcome {
    let count = usize::try_from(num).unwrap_or(0);
    cx.charge(count)?;
    let items = vec![item.clone(); count];
    tuple_of(cx, items)
}

/// The number of elements; of a grid, its rows.
///
/// ```arc
/// size((4, 5, 6)) == 3
/// size(frozenset()) == 0
/// size(4) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Container<a>) -> Int")]
pub fn size(container: &Value) -> Result<i64, EvalError> {
    Ok(view::len(container, 0)? as i64)
}

/// The elements of the containers in a container, of the outer one's kind. Anything inside that is
/// not a container fails.
///
/// ```arc
/// merge(((1, 2), (2, 3))) == (1, 2, 2, 3)
/// merge(frozenset({(1, 2), (2, 3)})) == frozenset({1, 2, 3})
/// merge((1, 2)) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a: Container<b>>) -> Container<b>", order, toll = grids)]
pub fn merge(cx: &mut Caller, containers: &Value) -> Outcome {
    match containers {
        Value::Grid(g) => {
            cx.charge(g.cells().len())?;
            let cells: Vec<Value> = g.cells().iter().map(|&v| Value::Int(v.into())).collect();
            Ok(Value::tuple(cells))
        }
        Value::Tuple(seq) | Value::Set(seq) => merged(cx, containers.is_set(), seq.items(), 0),
        _ => {
            let parts: Vec<Value> = view::items(containers, 0)?.collect();
            merged(cx, containers.is_set(), &parts, 0)
        }
    }
}

/// The first of the largest, or smallest, elements by Python's comparison.
fn extreme(container: &Value, most: bool) -> Outcome {
    let items = match container {
        &Value::Pair(a, b) => return Ok(Value::Int(if most { a.max(b) } else { a.min(b) }.into())),
        // Where the order of values is Python's, a set has its extremes at its ends.
        Value::Patch(p) => {
            let end = if most { p.len() - 1 } else { 0 };
            return bits::nth_item(p, end).ok_or(Fault::Empty.into());
        }
        Value::Set(seq) => match *seq.items() {
            [Value::Int(low), .., Value::Int(high)] => {
                return Ok(Value::Int(if most { high } else { low }));
            }
            _ => seq.items(),
        },
        Value::Tuple(seq) => seq.items(),
        Value::Grid(grid) => {
            let best = if most { grid.rows().max() } else { grid.rows().min() };
            return Ok(best.map_or(Value::Int(0), row));
        }
        _ => &view::items(container, 0)?.collect::<Vec<Value>>(),
    };
    let Some((mut best, rest)) = items.split_first() else { return Ok(Value::Int(0)) };
    for item in rest {
        if if most { less(best, item)? } else { less(item, best)? } {
            best = item;
        }
    }
    Ok(best.clone())
}

/// The largest element, 0 when there is none. Elements that cannot be compared fail.
///
/// ```arc
/// maximum((3, 9, 4)) == 9
/// maximum(frozenset()) == 0
/// maximum((1, (2, 3))) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>) -> a")]
pub fn maximum(container: &Value) -> Outcome {
    extreme(container, true)
}

/// The smallest element, 0 when there is none. Elements that cannot be compared fail.
///
/// ```arc
/// minimum((3, 9, 4)) == 3
/// minimum(()) == 0
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>) -> a")]
pub fn minimum(container: &Value) -> Outcome {
    extreme(container, false)
}

/// The element of a tuple that occurs most often, or least often.
fn by_count(cx: &mut Caller, container: &Value, most: bool) -> Outcome {
    if !container.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    cx.charge(view::len(container, 0)?)?;
    let found = match container {
        Value::Grid(g) => tally::by_count(g.rows().collect(), most).map(row),
        Value::Tuple(seq) => {
            let numbers: Option<Vec<i64>> = seq.items().iter().map(Value::as_int).collect();
            match numbers {
                Some(numbers) => tally::by_count(numbers, most).map(Value::Int),
                None => tally::by_count(seq.items().iter().collect(), most).cloned(),
            }
        }
        _ => tally::by_count(view::items(container, 0)?.collect(), most),
    };
    found.ok_or(Fault::Empty.into())
}

/// The tuple of the cells of one row.
fn row(cells: &[i8]) -> Value {
    arcloom_value::value::row_value(cells)
}

/// The element of a tuple that occurs most often, the smallest of several. Sets and `()` fail.
///
/// ```arc
/// mostcommon((3, 1, 3)) == 3
/// mostcommon((2, 1)) == 1
/// mostcommon(()) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Tuple<a>) -> a", order)]
pub fn mostcommon(cx: &mut Caller, container: &Value) -> Outcome {
    by_count(cx, container, true)
}

/// The element of a tuple that occurs least often, the smallest of several. Sets and `()` fail.
///
/// ```arc
/// leastcommon((3, 1, 3)) == 1
/// leastcommon(frozenset({1})) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Tuple<a>) -> a", order)]
pub fn leastcommon(cx: &mut Caller, container: &Value) -> Outcome {
    by_count(cx, container, false)
}

/// The set of just this value.
///
/// ```arc
/// initset((1, 2)) == frozenset({(1, 2)})
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(a) -> Set<a>")]
pub fn initset(value: &Value) -> Value {
    let single = match *value {
        Value::Pair(i, j) => Patch::single(None, i, j),
        Value::Cell(c, i, j) => i8::try_from(c).ok().and_then(|c| Patch::single(Some(c), i, j)),
        _ => None,
    };
    single.map_or_else(|| Value::set(vec![value.clone()]), Value::Patch)
}

/// The elements as a tuple, a set's in ascending order.
///
/// ```arc
/// totuple(frozenset({3, 1, 2})) == (1, 2, 3)
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>) -> Tuple<a>", order, toll = grids)]
pub fn totuple(cx: &mut Caller, container: &Value) -> Outcome {
    if container.is_tuple() {
        return Ok(container.clone());
    }
    cx.charge(view::len(container, 0)?)?;
    if let Value::Patch(p) = container
        && !p.is_object()
        && let Some(value) = position_list(p)
    {
        return Ok(value);
    }
    let items = view::items(container, 0)?.collect();
    tuple_of(cx, items)
}

/// The positions as a grid of two columns, if the coordinates are small enough for cells.
fn position_list(patch: &Patch) -> Option<Value> {
    if !patch.is_small() {
        return None;
    }
    let mut cells = CellBuf::with_capacity(2 * patch.len());
    bits::each_cell(patch, |_, i, j| cells.extend([i as i8, j as i8]));
    Some(Value::grid(patch.len(), 2, &cells))
}

/// The first element, of a set the smallest. An empty container fails.
///
/// ```arc
/// first((5, 6)) == 5
/// first(frozenset({6, 5})) == 5
/// first(()) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Container<a>) -> a", order)]
pub fn first(cx: &mut Caller, container: &Value) -> Outcome {
    match container {
        Value::Tuple(seq) | Value::Set(seq) => {
            seq.items().first().cloned().ok_or(Fault::Empty.into())
        }
        &Value::Pair(i, _) => Ok(Value::Int(i.into())),
        &Value::Cell(c, ..) => Ok(Value::Int(c.into())),
        Value::Grid(g) => {
            cx.pay(toll::rows, [container])?;
            Ok(row(g.row(0)))
        }
        _ => view::first(container, 0),
    }
}

/// The last element, of a set the largest. An empty container fails.
///
/// ```arc
/// last((5, 6)) == 6
/// last(((1, 2), (3, 4))) == (3, 4)
/// last(frozenset()) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Container<a>) -> a", order)]
pub fn last(cx: &mut Caller, container: &Value) -> Outcome {
    let found = match container {
        Value::Tuple(seq) | Value::Set(seq) => seq.items().last().cloned(),
        &Value::Pair(_, j) => Some(Value::Int(j.into())),
        Value::Patch(p) => bits::last_cell(p).map(|(c, i, j)| {
            if p.is_object() { Value::Cell(c.into(), i, j) } else { Value::Pair(i, j) }
        }),
        Value::Grid(g) => {
            cx.pay(toll::rows, [container])?;
            Some(row(g.row(g.height() - 1)))
        }
        _ => container.item(view::len(container, 0)?.saturating_sub(1)),
    };
    found.ok_or(Fault::Empty.into())
}

/// The set with one more element. A tuple fails.
///
/// ```arc
/// insert(3, frozenset({1})) == frozenset({1, 3})
/// insert(3, (1,)) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(a, Set<a>) -> Set<a>", toll = grids)]
pub fn insert(cx: &mut Caller, value: &Value, container: &Value) -> Outcome {
    if !container.is_set() {
        return Err(Fault::Kind(1).into());
    }
    cx.charge(view::len(container, 1)?)?;
    if contains(container, value)? {
        return Ok(container.clone());
    }
    let single = initset(value);
    match (container, &single) {
        (Value::Patch(a), Value::Patch(b)) if same_kind(a, b) => {
            if let Some(value) = bits::unite([a, b].into_iter()) {
                return Ok(value);
            }
        }
        _ if container.is_empty() => return Ok(single),
        _ => {}
    }
    Ok(sorted_set(walk(container, &single, true, true, true)))
}

/// The container without the elements equal to the value, if there are any.
///
/// ```arc
/// remove(1, (1, 2, 1)) == (2,)
/// remove(1, frozenset({1, 2})) == frozenset({2})
/// remove(5, (1, 2)) == (1, 2)
/// ```
#[primitive(class = Container, cost = Cells, sig = "(a, b: Container<a>) -> b", toll = grids)]
pub fn remove(cx: &mut Caller, value: &Value, container: &Value) -> Outcome {
    cx.charge(view::len(container, 1)?)?;
    if container.is_set() && !contains(container, value)? {
        return Ok(container.clone());
    }
    if let Value::Patch(a) = container
        && let Value::Patch(b) = initset(value)
    {
        return Ok(bits::subtract(a, &b));
    }
    let items = view::items(container, 1)?.filter(|item| item != value).collect();
    part_of(cx, container, items)
}

/// The first element that is not the value. Fails when there is none.
///
/// ```arc
/// other((1, 2), 1) == 2
/// other(frozenset({1}), 1) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>, a) -> a", order, toll = grids)]
pub fn other(container: &Value, value: &Value) -> Outcome {
    view::items(container, 0)?.find(|item| item != value).ok_or(Fault::Empty.into())
}

/// The integers from `start` on, `step` apart, before `stop` is reached. A step of 0 fails.
///
/// ```arc
/// interval(1, 7, 2) == (1, 3, 5)
/// interval(3, 0, -1) == (3, 2, 1)
/// interval(3, 0, 1) == ()
/// interval(0, 3, 0) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Int, Int, Int) -> Tuple<Int>")]
pub fn interval(cx: &mut Caller, start: i64, stop: i64, step: i64) -> Outcome {
    if step == 0 {
        return Err(Fault::Domain(2).into());
    }
    let (start, step) = (i128::from(start), i128::from(step));
    let ahead = (i128::from(stop) - start) * step.signum();
    let count = if ahead > 0 { (ahead - 1) / step.abs() + 1 } else { 0 };
    let count = usize::try_from(count).map_err(|_| Fault::Budget)?;
    cx.charge(count)?;
    let items: Vec<Value> =
        (0..count).map(|n| Value::Int((start + n as i128 * step) as i64)).collect();
    Ok(Value::tuple(items))
}

/// The tuple of two values.
///
/// ```arc
/// astuple(1, 2) == (1, 2)
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Int, Int) -> Pair")]
pub fn astuple(a: &Value, b: &Value) -> Value {
    Value::tuple2(a.clone(), b.clone())
}

/// The set of all tuples of an element of the first and one of the second container.
///
/// ```arc
/// product((1, 2), (3, 4)) == frozenset({(1, 3), (1, 4), (2, 3), (2, 4)})
/// product((1, 2), ()) == frozenset()
/// ```
#[primitive(class = Container, cost = Pairs, sig = "(Container<a>, Container<b>) -> Set<Any>", toll = all)]
pub fn product(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let n = view::len(b, 1)?;
    if n == 0 {
        // The first argument is not even looked at.
        return Ok(Value::empty_set());
    }
    let m = view::len(a, 0)?;
    cx.charge(m.saturating_mul(n))?;
    if let Some(value) = Value::product(a, b) {
        return Ok(value);
    }
    let numbers = |container: &Value| -> Option<Vec<i64>> {
        match container {
            Value::Tuple(seq) | Value::Set(seq) => seq.items().iter().map(Value::as_int).collect(),
            _ => container.iter()?.map(|v| v.as_int()).collect(),
        }
    };
    if let (Some(rows), Some(columns)) = (numbers(a), numbers(b))
        && !rows.is_empty()
        && let Some(value) = bits::cross(&rows, &columns)
    {
        // The numbers may be far apart.
        cx.charge(toll::grids([&value]))?;
        return Ok(value);
    }
    // Tuples that are made at once; in general form also those that need not be.
    if cx.takes_fast_forms() || Value::product(&a.canonical(), &b.canonical()).is_none() {
        cx.charge(m.saturating_mul(n))?;
    }
    let mut parts = |container: &Value, index| -> Result<Vec<Value>, EvalError> {
        let mut parts: Vec<Value> = view::items(container, index)?.collect();
        if !container.is_set() {
            cx.charge(toll::sorting(parts.len()))?;
            // Rows that are equal are compared to their ends.
            cx.pay(toll::weighing, [container])?;
            parts.sort_unstable();
            parts.dedup();
        }
        Ok(parts)
    };
    let (firsts, seconds) = (parts(a, 0)?, parts(b, 1)?);
    // Two tuples of one length are the rows of a grid, which are copied.
    let cells = |part: &Value| if part.is_tuple() { part.len().unwrap_or(0) } else { 0 };
    let lengths: Vec<usize> = seconds.iter().map(cells).collect();
    for length in firsts.iter().map(cells).filter(|&length| toll::copying(length) > 0) {
        let alike = lengths.iter().filter(|&&other| other == length).count();
        cx.charge(alike.saturating_mul(toll::copying(length)))?;
    }
    let mut items = Vec::with_capacity(firsts.len() * seconds.len());
    for x in &firsts {
        items.extend(seconds.iter().map(|y| Value::tuple2(x.clone(), y.clone())));
    }
    // Tuples of ascending parts come ascending; those that start with a number may form a patch.
    Ok(match items.first().and_then(|tuple| tuple.item(0)) {
        Some(Value::Int(_)) => return set_of(cx, items),
        _ => Value::Set(Seq::new(items)),
    })
}

/// Two rows of small numbers side by side as the columns of a grid.
fn columns(a: &Value, b: &Value) -> Option<Value> {
    let (Value::Tuple(a), Value::Tuple(b)) = (a, b) else { return None };
    let small = |v: &Value| v.as_int().and_then(|n| i8::try_from(n).ok());
    let mut cells = CellBuf::new();
    for (x, y) in a.items().iter().zip(b.items()) {
        cells.extend([small(x)?, small(y)?]);
    }
    (!cells.is_empty()).then(|| Value::grid(cells.len() / 2, 2, &cells))
}

/// The elements of two containers side by side as tuples of two, as far as both go.
///
/// ```arc
/// pair((1, 2), (3, 4)) == ((1, 3), (2, 4))
/// pair((1, 2), (3,)) == ((1, 3),)
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>, Container<b>) -> Tuple<Any>", order, toll = grids)]
pub fn pair(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let count = view::len(a, 0)?.min(view::len(b, 1)?);
    cx.charge(count)?;
    if let Some(value) = columns(a, b) {
        cx.charge(2 * count)?;
        return Ok(value);
    }
    let pairs = view::items(a, 0)?.zip(view::items(b, 1)?);
    let items = pairs.map(|(x, y)| Value::tuple2(x, y)).collect();
    tuple_of(cx, items)
}

/// The set of the elements that are containers of that size. An element without a size fails.
///
/// ```arc
/// sizefilter(((1, 2), (3,), ()), 1) == frozenset({(3,)})
/// sizefilter((1, 2), 1) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a: Container<b>>, Int) -> Set<a>", toll = grids)]
pub fn sizefilter(cx: &mut Caller, container: &Value, n: &Value) -> Outcome {
    cx.charge(view::len(container, 0)?)?;
    let wanted = n.as_int();
    if let Value::Patch(_) = container {
        // Positions and cells are tuples of two.
        return Ok(if wanted == Some(2) { container.clone() } else { Value::empty_set() });
    }
    let mut items = Vec::new();
    for item in view::items(container, 0)? {
        let size = item.len().ok_or(Fault::Element)?;
        if wanted == Some(size as i64) {
            items.push(item);
        }
    }
    if container.is_set() { part_of(cx, container, items) } else { set_of(cx, items) }
}
