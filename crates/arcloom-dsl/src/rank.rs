//! Elements by rank: 0, 1, ... count from the front, -1, -2, ... from the back.
//!
//! Everything that is ranked is ranked from the largest down, so that rank 0 is the largest, the
//! most frequent or the first and -1 the smallest, the rarest or the last. Equals keep their order. A
//! rank that is not there fails. The predecessor ranked values and commonness upwards, against what
//! its own programs take for granted.

use arcloom_macros::primitive;
use arcloom_value::{Grid, Value};

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::bits;
use crate::kernel::sort::sort;
use crate::record::Primitive;
use crate::toll;
use crate::{order, view};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &SECOND,
    &GET_NTH_T,
    &GET_NTH_F,
    &GET_NTH_BY_KEY_T,
    &GET_NTH_BY_KEY_F,
    &GET_COLOR_RANK_T,
    &GET_COLOR_RANK_F,
    &GET_RANK,
    &GET_ARG_RANK,
    &GET_VAL_RANK,
    &GET_COMMON_RANK,
];

/// Place in a list of `len` elements of the one with this rank.
#[inline]
fn place(len: usize, rank: i64) -> Result<usize, EvalError> {
    let place = if rank < 0 { rank.checked_add(len as i64) } else { Some(rank) };
    place.and_then(|n| usize::try_from(n).ok()).filter(|&n| n < len).ok_or(if len == 0 {
        Fault::Empty.into()
    } else {
        Fault::Range.into()
    })
}

/// The element with this rank in the container's own order.
fn nth(cx: &mut Caller, container: &Value, rank: i64) -> Outcome {
    cx.pay(toll::framed, [container])?;
    let n = place(view::len(container, 0)?, rank)?;
    if let Some(item) = container.item(n) {
        return Ok(item);
    }
    match container {
        Value::Set(seq) => Ok(seq.items()[n].clone()),
        Value::Patch(patch) => bits::nth_item(patch, n).ok_or(Fault::Range.into()),
        _ => view::items(container, 0)?.nth(n).ok_or(Fault::Range.into()),
    }
}

/// Comparisons after which sorting asks whether to stop. It is paid for at once, so that no slice of
/// the budget ends within.
const COMPARISONS: u32 = 1 << 12;

/// Sorts by `less`, equals staying as they are, unless the run is to stop.
pub(crate) fn sort_while_running<T: Copy>(
    cx: &Caller,
    items: &mut Vec<T>,
    mut less: impl FnMut(T, T) -> Result<bool, EvalError>,
) -> Result<(), EvalError> {
    let mut made = 0;
    sort(items, |a, b| {
        made += 1;
        if made == COMPARISONS {
            made = 0;
            cx.go_on()?;
        }
        less(a, b)
    })
}

/// Lists longer than this are sorted such that somebody can stop it.
const LONG: usize = 1 << 16;

/// Puts places of values in their order, which is not Python's: all of them have one.
pub(crate) fn sort_values<T: std::borrow::Borrow<Value>>(
    cx: &Caller,
    places: &mut Vec<usize>,
    values: &[T],
) -> Result<(), EvalError> {
    if places.len() > LONG {
        return sort_while_running(cx, places, |a, b| Ok(values[a].borrow() < values[b].borrow()));
    }
    places.sort_by(|&a, &b| values[a].borrow().cmp(values[b].borrow()));
    Ok(())
}

/// Places of the elements in the order of their keys, equals staying as they are.
fn ranked(cx: &mut Caller, keys: &[Value], descending: bool) -> Result<Vec<usize>, EvalError> {
    cx.charge(toll::sorting(keys.len()))?;
    let mut places: Vec<usize> = (0..keys.len()).collect();
    // Sorting the reversed list upwards and reversing again is what Python does.
    if descending {
        places.reverse();
    }
    sort_while_running(cx, &mut places, |a, b| order::less(&keys[a], &keys[b]))?;
    if descending {
        places.reverse();
    }
    Ok(places)
}

/// The element with this rank when the elements are sorted by a function.
fn by_key(
    cx: &mut Caller,
    container: &Value,
    key: &Value,
    rank: i64,
    descending: bool,
) -> Result<(Value, Value), EvalError> {
    cx.charge(toll::collecting(container.len().unwrap_or(0)))?;
    let items: Vec<Value> = view::items(container, 0)?.collect();
    let keys: Result<Vec<Value>, EvalError> = items.iter().map(|x| cx.call1(key, x)).collect();
    let keys = keys?;
    let n = ranked(cx, &keys, descending)?[place(items.len(), rank)?];
    Ok((items[n].clone(), keys[n].clone()))
}

/// The second element. Fails when there is none.
///
/// ```arc
/// second((7, 8, 9)) == 8
/// second(frozenset({5, 3, 4})) == 4
/// second((1,)) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Container<a>) -> a", order, extra, toll = rows)]
pub fn second(cx: &mut Caller, container: &Value) -> Outcome {
    nth(cx, container, 1)
}

/// The element of a tuple with this rank. Fails when there is none, and on sets.
///
/// ```arc
/// get_nth_t((7, 8, 9), F0) == 7
/// get_nth_t((7, 8, 9), L1) == 9
/// get_nth_t((7, 8, 9), F3) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Tuple<a>, Rank) -> a", extra, toll = rows)]
pub fn get_nth_t(cx: &mut Caller, container: &Value, rank: i64) -> Outcome {
    if !container.is_tuple() {
        return Err(Fault::Kind(0).into());
    }
    nth(cx, container, rank)
}

/// The element of a container with this rank, sets in ascending order. Fails when there is none.
///
/// ```arc
/// get_nth_f(frozenset({5, 3, 4}), F0) == 3
/// get_nth_f(frozenset({5, 3, 4}), L1) == 5
/// get_nth_f((7, (1, 2)), L1) == (1, 2)
/// get_nth_f(frozenset(), F0) fails
/// ```
#[primitive(class = Container, cost = Scalar, sig = "(Container<a>, Rank) -> a", order, extra, toll = rows)]
pub fn get_nth_f(cx: &mut Caller, container: &Value, rank: i64) -> Outcome {
    nth(cx, container, rank)
}

/// The element with this rank when the elements stand in ascending order of `key`. Fails when there
/// is none.
///
/// ```arc
/// get_nth_by_key_t((-5, 3, 4), F0, invert) == 4
/// get_nth_by_key_t((-5, 3, 4), L1, identity) == 4
/// get_nth_by_key_t((), F0, identity) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Tuple<a>, Rank, Fn(a) -> Any) -> a", extra)]
pub fn get_nth_by_key_t(cx: &mut Caller, container: &Value, rank: i64, key: &Value) -> Outcome {
    by_key(cx, container, key, rank, false).map(|found| found.0)
}

/// The element with this rank when the elements stand in ascending order of `key`. Fails when there
/// is none.
///
/// ```arc
/// get_nth_by_key_f(frozenset({3, 4, 5}), F0, invert) == 5
/// get_nth_by_key_f(frozenset({3, 4, 5}), F3, invert) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Rank, Fn(a) -> Any) -> a", order, extra)]
pub fn get_nth_by_key_f(cx: &mut Caller, container: &Value, rank: i64, key: &Value) -> Outcome {
    by_key(cx, container, key, rank, false).map(|found| found.0)
}

/// The colour of a grid with this rank, the most frequent first; of equally common ones the one that is
/// met first, row by row. Fails when there are fewer colours.
///
/// ```arc
/// get_color_rank_t(((2, 1), (2, 3), (2, 3)), F0) == 2
/// get_color_rank_t(((2, 1), (2, 3), (2, 3)), L1) == 1
/// get_color_rank_t(((5, 4),), F0) == 5
/// get_color_rank_t(((5, 4),), F2) fails
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Grid, Rank) -> Color", extra, toll = sorted)]
pub fn get_color_rank_t(cx: &mut Caller, grid: &Value, rank: i64) -> Outcome {
    if let Value::Grid(grid) = grid {
        return color_rank(grid, rank);
    }
    let rows = view::rows(grid, 0)?;
    common(cx, rows.iter().flatten().collect(), rank)
}

fn color_rank(grid: &Grid, rank: i64) -> Outcome {
    let counts = crate::kernel::count::counts(grid.cells());
    let n = place(counts.len(), rank)?;
    let first = |color: i8| grid.cells().iter().position(|&c| c == color);
    let mut colors: Vec<(std::cmp::Reverse<u32>, Option<usize>, i8)> =
        counts.iter().map(|&(color, n)| (std::cmp::Reverse(n), first(color), color)).collect();
    colors.sort_unstable();
    Ok(Value::Int(colors[n].2.into()))
}

/// The colour of an object with this rank, the most frequent first; of equally common ones the smallest.
/// Fails when there are fewer colours.
///
/// ```arc
/// get_color_rank_f(frozenset({(2, (0, 0)), (3, (0, 1)), (3, (0, 2))}), F0) == 3
/// get_color_rank_f(frozenset({(2, (0, 0)), (3, (0, 1)), (3, (0, 2))}), L1) == 2
/// get_color_rank_f(frozenset(), F0) fails
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Object, Rank) -> Color", order, extra, toll = sorted)]
pub fn get_color_rank_f(cx: &mut Caller, obj: &Value, rank: i64) -> Outcome {
    let colors: Result<Vec<Value>, EvalError> =
        view::items(obj, 0)?.map(|cell| Ok(view::two(&cell)?.0)).collect();
    common(cx, colors?.iter().collect(), rank)
}

/// The distinct value with this rank, the most frequent first, equally common ones as they come.
fn common(cx: &mut Caller, values: Vec<&Value>, rank: i64) -> Outcome {
    cx.charge(toll::sorting(values.len()))?;
    let mut places: Vec<usize> = (0..values.len()).collect();
    sort_values(cx, &mut places, &values)?;
    let mut counts: Vec<(std::cmp::Reverse<usize>, usize)> = places
        .chunk_by(|&a, &b| values[a] == values[b])
        .map(|equal| (std::cmp::Reverse(equal.len()), equal[0]))
        .collect();
    counts.sort_unstable();
    let n = place(counts.len(), rank)?;
    Ok(values[counts[n].1].clone())
}

/// The element with this rank, the largest first. An empty container gives 0, as with `maximum` and
/// `minimum`; any other rank that is not there fails.
///
/// ```arc
/// get_rank(frozenset({3, 9, 5}), F0) == 9
/// get_rank(frozenset({3, 9, 5}), F1) == 5
/// get_rank((4, 4, 1), L1) == 1
/// get_rank((), F2) == 0
/// get_rank((4,), F1) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<Int>, Rank) -> Int", extra, toll = sorted)]
pub fn get_rank(cx: &mut Caller, container: &Value, rank: i64) -> Outcome {
    let items: Vec<Value> = view::items(container, 0)?.collect();
    if items.is_empty() {
        return Ok(Value::Int(0));
    }
    cx.charge(2 * items.len())?;
    let n = ranked(cx, &items, true)?[place(items.len(), rank)?];
    Ok(items[n].clone())
}

/// The element with this rank, the one with the largest `compfunc` first. Fails when there is none.
///
/// ```arc
/// get_arg_rank(((1,), (1, 2, 3), (1, 2)), size, F0) == (1, 2, 3)
/// get_arg_rank(((1,), (1, 2, 3), (1, 2)), size, L1) == (1,)
/// get_arg_rank((3, 4), even, F0) == 4
/// get_arg_rank((), size, F0) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> Any, Rank) -> a", order, extra)]
pub fn get_arg_rank(cx: &mut Caller, container: &Value, compfunc: &Value, rank: i64) -> Outcome {
    by_key(cx, container, compfunc, rank, true).map(|found| found.0)
}

/// The value of `compfunc` with this rank over the elements, the largest first. An empty container
/// gives `compfunc(0)`, as with `valmax` and `valmin`; any other rank that is not there fails.
///
/// ```arc
/// get_val_rank(((1,), (1, 2, 3), (1, 2)), size, F0) == 3
/// get_val_rank(((1,), (1, 2, 3), (1, 2)), size, L1) == 1
/// get_val_rank((), identity, F0) == 0
/// get_val_rank((), size, F0) fails
/// ```
#[primitive(class = HigherOrder, cost = Search, sig = "(Container<a>, Fn(a) -> b, Rank) -> b", extra)]
pub fn get_val_rank(cx: &mut Caller, container: &Value, compfunc: &Value, rank: i64) -> Outcome {
    if view::len(container, 0)? == 0 {
        return cx.call1(compfunc, &Value::Int(0));
    }
    by_key(cx, container, compfunc, rank, true).map(|found| found.1)
}

/// The distinct element with this rank, the most frequent first, equally common ones in ascending order.
/// Fails when there are fewer.
///
/// ```arc
/// get_common_rank((5, 3, 3, 4), F0) == 3
/// get_common_rank((5, 3, 3, 4), F1) == 4
/// get_common_rank((5, 3, 3, 4), L1) == 5
/// get_common_rank((), F0) fails
/// ```
#[primitive(class = Container, cost = Cells, sig = "(Container<a>, Rank) -> a", order, extra, toll = sorted)]
pub fn get_common_rank(cx: &mut Caller, container: &Value, rank: i64) -> Outcome {
    let mut items: Vec<Value> = view::items(container, 0)?.collect();
    cx.charge(toll::sorting(items.len()))?;
    cx.pay(toll::weighing, [container])?;
    items.sort_unstable();
    common(cx, items.iter().collect(), rank)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::stop::Stop;

    #[test]
    fn sorting_ends_with_the_run() {
        let values: Vec<Value> =
            (0..1_000_000).map(|n: i64| Value::Int(n * 7_919 % 1_000_003)).collect();
        let stop = Stop::default();
        stop.set();
        // Nothing is charged that would ask.
        let mut cx = Caller::new(u64::MAX);
        cx.watch(&stop);
        let places = || (0..values.len()).collect();
        let less = |a: usize, b: usize| order::less(&values[a], &values[b]);
        let stopped = Err(Fault::Stopped.into());
        assert_eq!(sort_while_running(&cx, &mut places(), less), stopped);
        assert_eq!(sort_values(&cx, &mut places(), &values), stopped);
        // The whole call, stopped by the clock while it sorts.
        let container = Value::tuple(values.clone());
        let deadline = Instant::now() + Duration::from_millis(5);
        let mut cx = Caller::new(1 << 40);
        cx.watch(&Stop::at(Some(deadline)));
        assert_eq!(get_rank(&mut cx, &container, 0), Err(Fault::Stopped.into()));
    }

    #[test]
    fn long_lists_are_sorted_like_short_ones() {
        let values: Vec<Value> = (0..100_000).map(|n: i64| Value::Int(n * 7_919 % 1_003)).collect();
        let mut places: Vec<usize> = (0..values.len()).collect();
        sort_values(&Caller::default(), &mut places, &values).unwrap();
        let mut expected: Vec<usize> = (0..values.len()).collect();
        expected.sort_by_key(|&n| &values[n]);
        assert_eq!(places, expected);
    }
}
