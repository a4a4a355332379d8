//! The one order of values, and equality and hashing that agree with it.
//!
//! `None` < integers < tuples (element by element, a prefix first) < sets (their ascending elements
//! compared as tuples) < functions. All three look at the value, never at its form; the fast paths
//! below are shortcuts for forms that are canonical anyway. Hashing alone asks for canonical values:
//! a general twin ([`Value::to_general`]) is equal to its original but is not to be used as a key.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::func::{Closure, Code, CodeStep};
use crate::grid::Grid;
use crate::patch::Patch;
use crate::value::Value;

/// Position of a value's kind in the order.
fn rank(value: &Value) -> u8 {
    match value {
        Value::None => 0,
        Value::Int(_) => 1,
        Value::Pair(..) | Value::Cell(..) | Value::Grid(_) | Value::Tuple(_) => 2,
        Value::Patch(_) | Value::Set(_) => 3,
        Value::Prim(_) => 4,
        Value::Closure(_) => 5,
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Pair(a, b), Value::Pair(c, d)) => (a, b).cmp(&(c, d)),
            (Value::Cell(a, b, c), Value::Cell(d, e, f)) => (a, b, c).cmp(&(d, e, f)),
            (Value::Grid(a), Value::Grid(b)) if a.same_block(b) => Ordering::Equal,
            (Value::Grid(a), Value::Grid(b)) if a.width() == b.width() => a.cells().cmp(b.cells()),
            (Value::Patch(a), Value::Patch(b)) if a.is_object() == b.is_object() => {
                compare_patches(a, b)
            }
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Set(a), Value::Set(b)) => {
                if std::ptr::eq(a.items(), b.items()) {
                    Ordering::Equal
                } else {
                    a.items().cmp(b.items())
                }
            }
            (Value::Prim(a), Value::Prim(b)) => a.cmp(b),
            (Value::Closure(a), Value::Closure(b)) => compare_closures(a.closure(), b.closure()),
            (Value::Grid(a), Value::Grid(b)) => a.rows().cmp(b.rows()),
            (Value::Grid(a), _) if other.is_tuple() => compare_rows(a, other),
            (_, Value::Grid(b)) if self.is_tuple() => compare_rows(b, self).reverse(),
            _ => rank(self).cmp(&rank(other)).then_with(|| match (self.iter(), other.iter()) {
                (Some(a), Some(b)) => a.cmp(b),
                _ => Ordering::Equal,
            }),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Grid(a), Value::Grid(b)) => a == b,
            (Value::Patch(a), Value::Patch(b)) => a == b,
            _ => self.len() == other.len() && self.cmp(other) == Ordering::Equal,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        rank(self).hash(state);
        match self {
            Value::None => {}
            Value::Int(n) => n.hash(state),
            Value::Pair(a, b) => (a, b).hash(state),
            Value::Cell(c, i, j) => (c, i, j).hash(state),
            Value::Grid(grid) => {
                (grid.height() as u32, grid.width() as u32).hash(state);
                grid.cells().hash(state);
            }
            Value::Patch(patch) => patch.hash(state),
            Value::Tuple(seq) | Value::Set(seq) => seq.items().hash(state),
            Value::Prim(id) => id.hash(state),
            Value::Closure(function) => hash_closure(function.closure(), state),
        }
    }
}

/// The order of a grid and a tuple in another form; rows are looked at where they are.
fn compare_rows(grid: &Grid, tuple: &Value) -> Ordering {
    let mut items = tuple.iter().into_iter().flatten();
    for row in grid.rows() {
        let Some(item) = items.next() else { return Ordering::Greater };
        if !item.is_tuple() {
            return 2.cmp(&rank(&item));
        }
        let cells = row.iter().map(|&cell| Value::Int(cell.into()));
        let order = cells.cmp(item.iter().into_iter().flatten());
        if order.is_ne() {
            return order;
        }
    }
    if items.next().is_some() { Ordering::Less } else { Ordering::Equal }
}

/// The order of two patches of one kind: that of their elements, a prefix first.
///
/// Rows are compared as words. In the first row that differs, the lowest bit that differs is the
/// next element of its owner, and a smaller one than any that the other still has; only when the
/// other has none left does it come first.
fn compare_patches(a: &Patch, b: &Patch) -> Ordering {
    if a.same_block(b) {
        return Ordering::Equal;
    }
    let (f, g) = (a.frame(), b.frame());
    let (top, left) = (f.top.min(g.top), f.left.min(g.left));
    let (right_a, right_b) = (f.left.abs_diff(left), g.left.abs_diff(left));
    let (down_a, down_b) = (f.top.abs_diff(top) as usize, g.top.abs_diff(top) as usize);
    let wide = right_a.saturating_add(f.width).max(right_b.saturating_add(g.width)) > 64;
    if wide || down_a.max(down_b) > 64 {
        return a.cells().cmp(b.cells());
    }
    let rows = (down_a + f.height as usize).max(down_b + g.height as usize);
    for k in 0..a.layer_count().min(b.layer_count()) {
        let colors = a.color(k).cmp(&b.color(k));
        if colors.is_ne() {
            return colors;
        }
        let row = |rows: &[u64], down: usize, right: u32, r: usize| {
            r.checked_sub(down).and_then(|r| rows.get(r)).map_or(0, |bits| bits << right)
        };
        let (x, y) = (a.layer(k), b.layer(k));
        for r in 0..rows {
            let (p, q) = (row(x, down_a, right_a, r), row(y, down_b, right_b, r));
            if p == q {
                continue;
            }
            let low = (p ^ q).trailing_zeros();
            let more = |here: u64, layer: &[u64], down: usize, patch: &Patch| {
                let below = layer.get((r + 1).saturating_sub(down)..).unwrap_or(&[]);
                here >> low != 0
                    || below.iter().any(|&bits| bits != 0)
                    || k + 1 < patch.layer_count()
            };
            return if p >> low & 1 == 1 {
                if more(q, y, down_b, b) { Ordering::Less } else { Ordering::Greater }
            } else if more(p, x, down_a, a) {
                Ordering::Greater
            } else {
                Ordering::Less
            };
        }
    }
    a.layer_count().cmp(&b.layer_count())
}

/// The elements of a set: ascending, each once.
pub(crate) fn sort_distinct(items: &mut Vec<Value>) {
    if let Some(numbers) = places(items) {
        sort_places(numbers, items);
        return;
    }
    // Where lines are drawn between many pairs, nearly all of them give nothing: one nothing stays.
    let mut seen = false;
    items.retain(|item| !(item.is_set() && item.is_empty() && std::mem::replace(&mut seen, true)));
    let coloured = items.iter().find_map(|item| match item {
        Value::Patch(patch) => Some(patch.is_object()),
        _ => None,
    });
    let keys: Option<Vec<u64>> = (coloured.filter(|_| items.len() > 8))
        .and_then(|coloured| items.iter().map(|item| leading_cells(item, coloured)).collect());
    match keys {
        Some(keys) => {
            let mut keyed: Vec<(u64, Value)> = keys.into_iter().zip(items.drain(..)).collect();
            // Stable, because sets merged into one come as ascending runs.
            keyed.sort_by(|(k, a), (l, b)| k.cmp(l).then_with(|| a.cmp(b)));
            keyed.dedup();
            items.extend(keyed.into_iter().map(|(_, item)| item));
        }
        None => {
            items.sort_unstable();
            items.dedup();
        }
    }
}

/// Fewest elements that are worth sorting as numbers.
const FEW: usize = 8;
/// Rows and columns of cells that are sorted as numbers lie between plus and minus this.
const NEAR_CELLS: i32 = 1 << 23;

/// Positions, or else cells, as numbers in the same order. A cell's number begins with its colour.
fn places(items: &[Value]) -> Option<Vec<u64>> {
    let near = |c: i32| (-NEAR_CELLS..NEAR_CELLS).contains(&c);
    let number = |item: &Value| match *item {
        Value::Cell(c, i, j) if near(i) && near(j) => {
            let color = (i32::from(c) - i32::from(i16::MIN)) as u64;
            Some(color << 48 | ((i + NEAR_CELLS) as u64) << 24 | (j + NEAR_CELLS) as u64)
        }
        _ => None,
    };
    match items {
        [Value::Pair(..), ..] if items.len() > FEW => items.iter().map(position).collect(),
        [Value::Cell(..), ..] if items.len() > FEW => items.iter().map(number).collect(),
        _ => None,
    }
}

/// A position as a number in the same order.
#[inline]
fn position(item: &Value) -> Option<u64> {
    let flipped = |c: i32| u64::from(c as u32 ^ 1 << 31);
    if let Value::Pair(i, j) = *item { Some(flipped(i) << 32 | flipped(j)) } else { None }
}

/// Puts what the numbers of [`places`] stand for in place of the items, ascending, each once.
fn sort_places(mut numbers: Vec<u64>, items: &mut Vec<Value>) {
    numbers.sort_unstable();
    numbers.dedup();
    let cells = matches!(items.first(), Some(Value::Cell(..)));
    items.clear();
    items.extend(numbers.into_iter().map(|n| {
        if cells {
            let part = |shift: u32| (n >> shift & 0xff_ffff) as i32 - NEAR_CELLS;
            Value::Cell(((n >> 48) as i32 + i32::from(i16::MIN)) as i16, part(24), part(0))
        } else {
            Value::Pair((n >> 32) as u32 as i32 ^ i32::MIN, n as u32 as i32 ^ i32::MIN)
        }
    }));
}

/// A number for a set that is nothing or a patch of this kind near the origin, such that sets with a
/// smaller number come first. It holds the first cell, how many cells follow each other from there
/// in the row, and where the next one is; sets of one number are compared in full.
///
/// From one first cell, sets that end with the run come first, the shorter before the longer. Of the
/// others the longer run comes first: it has a cell in the row where the shorter one has a later one.
fn leading_cells(item: &Value, coloured: bool) -> Option<u64> {
    const NEAR: i32 = 512;
    let patch = match item {
        Value::Set(seq) if seq.items().is_empty() => return Some(0),
        Value::Patch(patch) if patch.is_object() == coloured => patch,
        _ => return None,
    };
    let frame = patch.frame();
    let near = |low: i32, extent: u32| low >= -NEAR && extent <= 64 && low < NEAR - 64;
    if !near(frame.top, frame.height) || !near(frame.left, frame.width) {
        return None;
    }
    let place = |c: i32| (c + NEAR) as u64;
    let layer = patch.layer(0);
    let r = layer.iter().position(|&bits| bits != 0)?;
    let column = |bits: u64| place(frame.left) + u64::from(bits.trailing_zeros());
    let bits = layer[r];
    let run = (bits >> bits.trailing_zeros()).trailing_ones();
    let rest = bits & bits.wrapping_add(1 << bits.trailing_zeros());
    let (run, next) = if rest != 0 {
        (128 - run, column(rest))
    } else if let Some(n) = layer[r + 1..].iter().position(|&bits| bits != 0) {
        (128 - run, (n as u64 + 1) << 10 | column(layer[r + 1 + n]))
    } else if patch.layer_count() > 1 {
        (128 - run, 1 << 17)
    } else {
        (run, 0)
    };
    let color = (i16::from(patch.color(0)) + 128) as u64;
    let first = color << 20 | (place(frame.top) + r as u64) << 10 | column(bits);
    Some(1 << 63 | first << 26 | u64::from(run) << 18 | next)
}

/// Position of a closure's kind in the order of closures.
fn closure_rank(closure: &Closure) -> (u8, u32) {
    match closure {
        Closure::Compose(..) => (0, 0),
        Closure::Chain(..) => (1, 0),
        Closure::Fork(..) => (2, 0),
        Closure::Matcher(..) => (3, 0),
        Closure::RBind(_, _, n) => (4, u32::from(*n)),
        Closure::LBind(_, _, n) => (5, u32::from(*n)),
        Closure::Power(_, n) => (6, *n),
        Closure::Lambda(..) => (7, 0),
        Closure::Foreign(_) => (8, 0),
    }
}

fn compare_closures(a: &Closure, b: &Closure) -> Ordering {
    closure_rank(a)
        .cmp(&closure_rank(b))
        .then_with(|| match (a, b) {
            (Closure::Lambda(a, _), Closure::Lambda(b, _)) => compare_code(a, b),
            (Closure::Foreign(a), Closure::Foreign(b)) => a.cmp(b),
            _ => Ordering::Equal,
        })
        .then_with(|| a.parts().cmp(&b.parts()))
}

fn compare_code(a: &Code, b: &Code) -> Ordering {
    (a.arity, &a.constants, a.result)
        .cmp(&(b.arity, &b.constants, b.result))
        .then_with(|| a.steps.len().cmp(&b.steps.len()))
        .then_with(|| {
            let steps = a.steps.iter().zip(&b.steps);
            steps.map(|(x, y)| compare_steps(x, y)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        })
}

fn compare_steps(a: &CodeStep, b: &CodeStep) -> Ordering {
    fn rank(step: &CodeStep) -> u8 {
        match step {
            CodeStep::Call(..) => 0,
            CodeStep::Apply(..) => 1,
            CodeStep::Tuple(..) => 2,
            CodeStep::Set(..) => 3,
            CodeStep::Lambda(..) => 4,
        }
    }
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (CodeStep::Call(f, x), CodeStep::Call(g, y)) => (f, x).cmp(&(g, y)),
        (CodeStep::Apply(f, x), CodeStep::Apply(g, y)) => (f, x).cmp(&(g, y)),
        (CodeStep::Tuple(x), CodeStep::Tuple(y)) => x.cmp(y),
        (CodeStep::Set(x), CodeStep::Set(y)) => x.cmp(y),
        (CodeStep::Lambda(f, x), CodeStep::Lambda(g, y)) => {
            compare_code(f, g).then_with(|| x.cmp(y))
        }
        _ => Ordering::Equal,
    })
}

fn hash_closure<H: Hasher>(closure: &Closure, state: &mut H) {
    closure_rank(closure).hash(state);
    if let Closure::Lambda(code, _) = closure {
        // Steps are left out: equal closures still hash equal, and lambdas are rare keys.
        (code.arity, &code.constants, code.result, code.steps.len()).hash(state);
    }
    if let Closure::Foreign(function) = closure {
        function.key().hash(state);
    }
    for part in closure.parts() {
        part.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few cells in few places, so that many sets share their first cells or are parts of others.
    fn sets() -> Vec<Value> {
        let mut seed = 5u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n) as i64
        };
        (0..400)
            .map(|round| {
                let span = [2, 3, 9, 70, 900][round % 5];
                let cells: Vec<_> =
                    (0..below(5)).map(|_| (below(2), below(span) - 1, below(span) - 1)).collect();
                let places: Vec<_> = cells.iter().map(|&(_, i, j)| (i, j)).collect();
                if round % 2 == 0 { Value::object(&cells) } else { Value::indices(&places) }
            })
            .collect()
    }

    #[test]
    fn patches_compare_as_their_elements_do() {
        let sets = sets();
        let plain = |v: &Value| v.iter().into_iter().flatten().collect::<Vec<_>>();
        for a in &sets {
            for b in &sets {
                assert_eq!(a.cmp(b), plain(a).cmp(&plain(b)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn positions_and_cells_are_sorted_as_numbers() {
        let far =
            [-(1 << 29), -(1 << 23) - 1, -(1 << 23), -7, -1, 0, 1, 900, (1 << 23) - 1, 1 << 23];
        let (mut pairs, mut cells) = (Vec::new(), Vec::new());
        for round in 0..3 {
            for (n, &i) in far.iter().enumerate() {
                for &j in far.iter().rev().skip(n % 3) {
                    pairs.push(Value::Pair(i, j));
                    // All near in one round, so that both ways are gone.
                    let (i, j) = if round == 0 { (i, j) } else { (i % 900, j % 900) };
                    cells.push(Value::Cell([-300, -1, 0, 5, 9][(n + round) % 5], i, j));
                }
            }
        }
        let near = cells[cells.len() / 3..].to_vec();
        assert!(places(&near).is_some() && places(&cells).is_none() && places(&pairs).is_some());
        for mut items in [pairs, cells, near] {
            let mut plain = items.clone();
            plain.sort();
            plain.dedup();
            sort_distinct(&mut items);
            assert_eq!(items, plain);
        }
    }

    #[test]
    fn elements_are_sorted_and_distinct_with_or_without_keys() {
        let sets = sets();
        for (skip, step) in [(0, 1), (0, 2), (1, 2), (2, 10), (300, 1), (395, 1)] {
            let mut items: Vec<_> = sets.iter().skip(skip).step_by(step).cloned().collect();
            let mut plain: Vec<Vec<Value>> =
                items.iter().map(|v| v.iter().into_iter().flatten().collect()).collect();
            plain.sort();
            plain.dedup();
            sort_distinct(&mut items);
            let sorted: Vec<Vec<Value>> =
                items.iter().map(|v| v.iter().into_iter().flatten().collect()).collect();
            assert_eq!(sorted, plain);
        }
    }
}
