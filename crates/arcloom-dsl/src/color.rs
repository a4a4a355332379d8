//! Colours of grids and objects: counting, finding, choosing and replacing them.
//!
//! A set of positions is read as if it were an object, as in arc-dsl: its row numbers then count as
//! colours.

use arcloom_macros::primitive;
use arcloom_value::{CellBuf, Patch, Seq, Value};
use smallvec::SmallVec;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::container::set_of;
use crate::kernel::{count, mask};
use crate::record::Primitive;
use crate::toll;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &MOSTCOLOR,
    &LEASTCOLOR,
    &COLORCOUNT,
    &COLORFILTER,
    &PALETTE,
    &NUMCOLORS,
    &COLOR,
    &OFCOLOR,
    &RECOLOR,
    &REPLACE,
    &SWITCH,
];

/// Colours with their number of cells, ascending.
type Tally = SmallVec<[(i64, u32); 12]>;

/// The most frequent colour. The smallest one wins a tie; nothing to look at fails.
///
/// ```arc
/// mostcolor(((1, 2), (2, 1), (1, 3))) == 1
/// mostcolor(((2, 2), (1, 1))) == 1
/// mostcolor(frozenset({(3, (0, 0)), (3, (0, 1)), (5, (1, 0))})) == 3
/// mostcolor(()) fails
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Element) -> Color", order, toll = sorted)]
pub fn mostcolor(element: &Value) -> Outcome {
    match tally(element) {
        Some(tally) => Ok(Value::Int(count::most(tally).ok_or(Fault::Empty)?)),
        None => extreme_color(element, |n, best| n > best),
    }
}

/// The rarest colour among those that occur. The smallest one wins a tie; nothing to look at fails.
///
/// ```arc
/// leastcolor(((1, 2), (2, 1), (1, 3))) == 3
/// leastcolor(((2, 2), (1, 1))) == 1
/// leastcolor(frozenset()) fails
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Element) -> Color", order, toll = sorted)]
pub fn leastcolor(element: &Value) -> Outcome {
    match tally(element) {
        Some(tally) => Ok(Value::Int(count::least(tally).ok_or(Fault::Empty)?)),
        None => extreme_color(element, |n, best| n < best),
    }
}

/// The number of cells with this colour, 0 if there are none.
///
/// ```arc
/// colorcount(((1, 2), (2, 2)), 2) == 3
/// colorcount(frozenset({(3, (0, 0)), (5, (1, 0))}), 3) == 1
/// colorcount((), 3) == 0
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Element, Color) -> Int", toll = none)]
pub fn colorcount(cx: &mut Caller, element: &Value, value: &Value) -> Result<i64, EvalError> {
    cx.pay(toll::layer, [element])?;
    match element {
        Value::Grid(grid) => Ok(small(value).map_or(0, |c| count::count(grid.cells(), c) as i64)),
        Value::Patch(patch) if patch.is_object() => {
            let layer = small(value).and_then(|c| patch.colors().position(|color| color == c));
            Ok(layer.map_or(0, |k| ones(patch.layer(k)).into()))
        }
        Value::Patch(patch) => {
            let row = value.as_int().and_then(|n| n.checked_sub(patch.frame().top.into()));
            let row = row.and_then(|n| usize::try_from(n).ok());
            let row = row.and_then(|n| patch.layer(0).chunks_exact(patch.frame().stride()).nth(n));
            Ok(row.map_or(0, |words| ones(words).into()))
        }
        _ if element.is_tuple() => {
            let mut n = 0;
            for row in view::items(element, 0)? {
                if !row.is_tuple() {
                    return Err(Fault::Element.into());
                }
                n += row.iter().into_iter().flatten().filter(|v| v == value).count() as i64;
            }
            Ok(n)
        }
        _ => Ok(values(element)?.iter().filter(|v| *v == value).count() as i64),
    }
}

/// The objects whose first cell has this colour, as a set. An empty object among them fails.
///
/// ```arc
/// colorfilter(frozenset({frozenset({(1, (0, 0))}), frozenset({(2, (0, 0))})}), 2) == frozenset({frozenset({(2, (0, 0))})})
/// colorfilter(frozenset(), 2) == frozenset()
/// colorfilter(frozenset({frozenset()}), 2) fails
/// ```
#[primitive(class = Color, cost = Objects, sig = "(Objects, Color) -> Objects", order, toll = grids)]
pub fn colorfilter(cx: &mut Caller, objs: &Value, value: &Value) -> Outcome {
    cx.charge(view::len(objs, 0)?)?;
    let matches = |object: &Value| match (object, value) {
        (Value::Patch(p), &Value::Int(color)) if p.is_object() => {
            Ok(color == i64::from(p.color(0)))
        }
        _ => leading(object, Fault::Element).map(|color| color == *value),
    };
    if let Value::Set(seq) = objs {
        let mut kept: SmallVec<[Value; 16]> = SmallVec::new();
        for object in seq.items() {
            if matches(object)? {
                kept.push(object.clone());
            }
        }
        // They come ascending, and none that passed is a position or a cell.
        return Ok(Value::Set(Seq::new(kept)));
    }
    let mut kept = Vec::new();
    for object in view::items(objs, 0)? {
        if matches(&object)? {
            kept.push(object);
        }
    }
    set_of(cx, kept)
}

/// The set of colours that occur.
///
/// ```arc
/// palette(((1, 2), (2, 3))) == frozenset({1, 2, 3})
/// palette(frozenset({(3, (0, 0)), (3, (0, 1))})) == frozenset({3})
/// palette(()) == frozenset()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Element) -> Set<Color>", toll = sorted)]
pub fn palette(element: &Value) -> Outcome {
    Ok(match tally(element) {
        Some(tally) => {
            let colors: SmallVec<[Value; 16]> = tally.iter().map(|&(c, _)| Value::Int(c)).collect();
            Value::Set(Seq::new(colors))
        }
        None => Value::set(values(element)?),
    })
}

/// The number of different colours that occur.
///
/// ```arc
/// numcolors(((1, 2), (2, 3))) == 3
/// numcolors(frozenset()) == 0
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Element) -> Int", toll = sorted)]
pub fn numcolors(element: &Value) -> Result<i64, EvalError> {
    match element {
        Value::Patch(patch) if patch.is_object() => Ok(patch.layer_count() as i64),
        _ => match tally(element) {
            Some(tally) => Ok(tally.len() as i64),
            None => {
                let mut values = values(element)?;
                values.sort_unstable();
                values.dedup();
                Ok(values.len() as i64)
            }
        },
    }
}

/// The colour of an object's first cell, so of every cell if the object has one colour. An empty
/// object fails.
///
/// ```arc
/// color(frozenset({(3, (0, 0)), (3, (0, 1))})) == 3
/// color(frozenset()) fails
/// ```
#[primitive(class = Color, cost = Scalar, sig = "(Object) -> Color", order)]
pub fn color(obj: &Value) -> Outcome {
    leading(obj, Fault::Kind(0))
}

/// The positions of the cells of a grid that have this colour.
///
/// ```arc
/// ofcolor(((1, 2), (2, 1)), 2) == frozenset({(0, 1), (1, 0)})
/// ofcolor(((1, 2), (2, 1)), 7) == frozenset()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Grid, Color) -> Indices")]
pub fn ofcolor(cx: &mut Caller, grid: &Value, value: &Value) -> Outcome {
    if let Value::Grid(grid) = grid {
        cx.charge(grid.cells().len())?;
        let Some(color) = small(value) else { return Ok(Value::empty_set()) };
        if let Some(found) = mask::of_color(grid, color) {
            return Ok(found);
        }
    }
    let mut found = Vec::new();
    for (i, row) in (0..).zip(view::items(grid, 0)?) {
        if !matches!(grid, Value::Grid(_)) {
            cx.charge(row.len().unwrap_or(0))?;
        }
        for (j, v) in (0..).zip(row.iter().ok_or(Fault::Element)?) {
            if v == *value {
                found.push((i, j));
            }
        }
    }
    Ok(Value::indices(&found))
}

/// The object that covers the positions of a patch with one colour.
///
/// ```arc
/// recolor(4, frozenset({(0, 1), (2, 3)})) == frozenset({(4, (0, 1)), (4, (2, 3))})
/// recolor(4, frozenset({(1, (0, 0)), (2, (0, 0))})) == frozenset({(4, (0, 0))})
/// recolor(4, frozenset()) == frozenset()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Color, Patch) -> Object", toll = all_but_patches)]
pub fn recolor(cx: &mut Caller, value: &Value, patch: &Value) -> Outcome {
    cx.charge(view::len(patch, 1)?)?;
    if let (Some(color), Value::Patch(patch)) = (small(value), patch) {
        return Ok(recolored(color, patch));
    }
    let indices = view::toindices(patch, 1)?;
    if let (Some(color), Value::Patch(patch)) = (small(value), &indices) {
        return Ok(recolored(color, patch));
    }
    let cells = view::items(&indices, 1)?.map(|at| Value::tuple2(value.clone(), at));
    let cells = cells.collect();
    set_of(cx, cells)
}

/// The grid with every cell of colour `replacee` turned into `replacer`.
///
/// ```arc
/// replace(((1, 2), (2, 1)), 2, 7) == ((1, 7), (7, 1))
/// replace((), 2, 7) == ()
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Grid, Color, Color) -> Grid")]
pub fn replace(cx: &mut Caller, grid: &Value, replacee: &Value, replacer: &Value) -> Outcome {
    if let (Value::Grid(g), Some(from), Some(to)) = (grid, small(replacee), small(replacer)) {
        cx.charge(g.cells().len())?;
        let mut cells = CellBuf::new();
        cells.extend_from_slice(g.cells());
        cells.iter_mut().for_each(|c| *c = if *c == from { to } else { *c });
        return Ok(Value::grid(g.height(), g.width(), &cells));
    }
    map_cells(cx, grid, |v| if v == *replacee { replacer.clone() } else { v })
}

/// The grid with the colours `a` and `b` exchanged.
///
/// ```arc
/// switch(((1, 2), (3, 1)), 1, 2) == ((2, 1), (3, 2))
/// switch(((1, 2), (3, 1)), 1, 1) == ((1, 2), (3, 1))
/// ```
#[primitive(class = Color, cost = Cells, sig = "(Grid, Color, Color) -> Grid")]
pub fn switch(cx: &mut Caller, grid: &Value, a: &Value, b: &Value) -> Outcome {
    if let (Value::Grid(g), Some(a), Some(b)) = (grid, small(a), small(b)) {
        cx.charge(g.cells().len())?;
        let mut cells = CellBuf::new();
        cells.extend_from_slice(g.cells());
        for c in &mut cells {
            let (is_a, is_b) = (*c == a, *c == b);
            *c = if is_a { b } else { *c };
            *c = if is_b { a } else { *c };
        }
        return Ok(Value::grid(g.height(), g.width(), &cells));
    }
    map_cells(cx, grid, |v| {
        if v == *a {
            b.clone()
        } else if v == *b {
            a.clone()
        } else {
            v
        }
    })
}

/// The value as a colour that a grid or patch in fast form can hold.
#[inline]
fn small(value: &Value) -> Option<i8> {
    value.as_int().and_then(|n| i8::try_from(n).ok())
}

/// The colours of a grid or patch in fast form, with their number of cells.
fn tally(element: &Value) -> Option<Tally> {
    match element {
        Value::Grid(grid) => {
            Some(count::counts(grid.cells()).iter().map(|&(c, n)| (c.into(), n)).collect())
        }
        Value::Patch(patch) => Some(tally_patch(patch)),
        _ => None,
    }
}

/// The number of bits that are set.
fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

fn tally_patch(patch: &Patch) -> Tally {
    if !patch.is_object() {
        let rows = patch.layer(0).chunks_exact(patch.frame().stride()).map(ones);
        return (i64::from(patch.frame().top)..).zip(rows).filter(|&(_, n)| n > 0).collect();
    }
    match patch.layer_count() {
        1 => SmallVec::from_slice(&[(patch.color(0).into(), patch.frame().count)]),
        n => (0..n).map(|k| (patch.color(k).into(), ones(patch.layer(k)))).collect(),
    }
}

/// The colours of an element in any form, cell by cell.
fn values(element: &Value) -> Result<Vec<Value>, EvalError> {
    let mut values = Vec::new();
    for item in view::items(element, 0)? {
        if element.is_tuple() {
            values.extend(item.iter().ok_or(Fault::Element)?);
        } else {
            values.push(view::two(&item)?.0);
        }
    }
    Ok(values)
}

/// The first colour, ascending, whose number of cells none of the others betters.
fn extreme_color(element: &Value, better: impl Fn(usize, usize) -> bool) -> Outcome {
    let mut values = values(element)?;
    values.sort_unstable();
    let mut best: Option<&[Value]> = None;
    for run in values.chunk_by(|a, b| a == b) {
        if best.is_none_or(|best| better(run.len(), best.len())) {
            best = Some(run);
        }
    }
    best.and_then(|run| run.first()).cloned().ok_or(Fault::Empty.into())
}

/// The first part of the first element. The fault is for something that has no elements.
fn leading(object: &Value, fault: Fault) -> Outcome {
    match object {
        Value::Patch(p) if p.is_object() => Ok(Value::Int(p.color(0).into())),
        Value::Patch(p) => Ok(Value::Int(p.frame().top.into())),
        Value::Grid(g) => Ok(Value::Int(g.cells()[0].into())),
        _ => {
            let first = object.iter().ok_or(fault)?.next().ok_or(Fault::Empty)?;
            if !first.is_tuple() {
                return Err(Fault::Element.into());
            }
            first.item(0).ok_or(Fault::Range.into())
        }
    }
}

/// The positions of a patch, all in one colour.
fn recolored(color: i8, patch: &Patch) -> Value {
    let recolored = patch.recolored(color).or_else(|| patch.places().recolored(color));
    recolored.map_or_else(Value::empty_set, Value::Patch)
}

/// The grid, in any form, with every cell changed.
fn map_cells(cx: &mut Caller, grid: &Value, change: impl Fn(Value) -> Value) -> Outcome {
    let mut rows = Vec::new();
    for row in view::items(grid, 0)? {
        cx.charge(row.len().unwrap_or(0))?;
        rows.push(row.iter().ok_or(Fault::Element)?.map(&change).collect());
    }
    Ok(view::from_rows(rows))
}
