//! Each operation against its plain twin on sets of cells, with rows of one word and of several.

use std::collections::BTreeSet;

use super::*;

type Cells = BTreeSet<(i8, i32, i32)>;

/// A small deterministic source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as i32
    }

    /// Cells spread over `span` rows and columns around a random place.
    fn cells(&mut self, coloured: bool) -> Cells {
        let span = [3, 9, 30, 70, 150][self.below(5) as usize];
        let (top, left) = (self.below(40) - 20, self.below(140) - 70);
        let count = 1 + self.below(40);
        (0..count)
            .map(|_| {
                let color = if coloured { self.below(4) as i8 - 1 } else { 0 };
                (color, top + self.below(span), left + self.below(span))
            })
            .collect()
    }
}

fn value(cells: &Cells, coloured: bool) -> Value {
    if coloured {
        let cells: Vec<_> =
            cells.iter().map(|&(c, i, j)| (i64::from(c), i64::from(i), i64::from(j))).collect();
        Value::object(&cells)
    } else {
        let places: Vec<_> = cells.iter().map(|&(_, i, j)| (i64::from(i), i64::from(j))).collect();
        Value::indices(&places)
    }
}

fn patch(cells: &Cells, coloured: bool) -> Patch {
    match value(cells, coloured) {
        Value::Patch(patch) => patch,
        other => panic!("not a patch: {other:?}"),
    }
}

#[test]
fn set_algebra_agrees_with_plain_sets() {
    let mut numbers = Numbers(1);
    for round in 0..2000 {
        let coloured = round % 2 == 1;
        let (a, mut b) = (numbers.cells(coloured), numbers.cells(coloured));
        if round % 3 == 0 {
            b.extend(a.iter().step_by(2).copied());
        }
        let (pa, pb) = (patch(&a, coloured), patch(&b, coloured));
        assert_eq!(unite([&pa, &pb].into_iter()), Some(value(&(&a | &b), coloured)));
        assert_eq!(intersect(&pa, &pb), value(&(&a & &b), coloured), "{a:?} {b:?}");
        assert_eq!(subtract(&pa, &pb), value(&(&a - &b), coloured), "{a:?} {b:?}");
        let end = a.last().map(|&(c, i, j)| (if coloured { c } else { 0 }, i, j));
        assert_eq!(last_cell(&pa), end);
    }
}

#[test]
fn many_patches_unite() {
    let mut numbers = Numbers(2);
    for round in 0..300 {
        let coloured = round % 2 == 1;
        let sets: Vec<Cells> = (0..round % 7).map(|_| numbers.cells(coloured)).collect();
        let patches: Vec<Patch> = sets.iter().map(|s| patch(s, coloured)).collect();
        let all: Cells = sets.iter().flatten().copied().collect();
        assert_eq!(unite(patches.iter()), Some(value(&all, coloured)));
    }
}

#[test]
fn patches_too_far_apart_are_refused() {
    let a = patch(&[(0, 0, 0)].into(), false);
    let b = patch(&[(0, 900_000, 900_000)].into(), false);
    assert_eq!(unite([&a, &b].into_iter()), None);
    assert_eq!(intersect(&a, &b), Value::empty_set());
    assert_eq!(subtract(&a, &b), Value::Patch(a));
}

#[test]
fn stamping_moves_the_pattern_to_every_offset() {
    let mut numbers = Numbers(3);
    for round in 0..1000 {
        let coloured = round % 2 == 1;
        let (pattern, at) = (numbers.cells(coloured), numbers.cells(false));
        let moved: Cells = pattern
            .iter()
            .flat_map(|&(c, i, j)| at.iter().map(move |&(_, k, l)| (c, i + k, j + l)))
            .collect();
        let (p, a) = (patch(&pattern, coloured), patch(&at, false));
        assert_eq!(stamp(&p, &a), Some(value(&moved, coloured)));
    }
}

#[test]
fn filters_keep_what_they_are_asked_to() {
    let mut numbers = Numbers(4);
    for round in 0..1000 {
        let coloured = round % 2 == 1;
        let (cells, wanted) = (numbers.cells(coloured), numbers.below(3));
        let p = patch(&cells, coloured);
        let keep = |n: i32| (n - wanted) % 3 != 0;
        let ok = |b: bool| Ok::<bool, ()>(b);
        let plain = |f: &dyn Fn(i8, i32, i32) -> bool| {
            value(&cells.iter().copied().filter(|&(c, i, j)| f(c, i, j)).collect(), coloured)
        };
        assert_eq!(keep_rows(&p, |i| ok(keep(i))), Ok(plain(&|_, i, _| keep(i))));
        assert_eq!(keep_columns(&p, |j| ok(keep(j))), Ok(plain(&|_, _, j| keep(j))));
        assert_eq!(keep_cells(&p, |_, i, j| ok(keep(i + j))), Ok(plain(&|_, i, j| keep(i + j))));
        if coloured {
            let by_color = |c: i8| keep(c.into());
            assert_eq!(keep_layers(&p, |c| ok(by_color(c))), Ok(plain(&|c, _, _| by_color(c))));
        }
    }
}

#[test]
fn crossing_pairs_every_row_with_every_column() {
    let mut numbers = Numbers(5);
    for _ in 0..500 {
        let mut list = || -> Vec<i64> {
            (0..1 + numbers.below(9)).map(|_| i64::from(numbers.below(300) - 150)).collect()
        };
        let (rows, columns) = (list(), list());
        let pairs: Vec<_> =
            rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j))).collect();
        assert_eq!(cross(&rows, &columns), Some(Value::indices(&pairs)));
    }
    assert_eq!(cross(&[0, i64::MAX], &[1]), None);
}

/// Far unions hold what sorting all elements gives, in that order.
#[test]
fn far_unions_are_sorted_sets() {
    let at = |n: i64| (n * 389 % 1201 - 300, n * 751 % 997 - 400);
    let place = |n: i64| {
        let (i, j) = at(n);
        Value::indices(&[(i, j), (i + n % 40, j - n % 70)])
    };
    let cell = |n: i64| {
        let (i, j) = at(n);
        Value::object(&[(n % 10, i, j), (n % 7, i + n % 9, j - n % 70), (n % 4, i, j + 1)])
    };
    let all: [Vec<Value>; 2] = [(0..90).map(place).collect(), (0..90).map(cell).collect()];
    for values in &all {
        let patches =
            || values.iter().filter_map(|v| if let Value::Patch(p) = v { Some(p) } else { None });
        assert_eq!(patches().count(), values.len());
        let items: Vec<Value> = values.iter().filter_map(Value::iter).flatten().collect();
        let found = unite_far(patches()).expect("near enough");
        assert_eq!(found, Value::set(items).iter().into_iter().flatten().collect::<Vec<_>>());
    }
    assert!(unite_far(std::iter::empty::<&Patch>()).is_none());
    let far = [Value::indices(&[(0, 0)]), Value::indices(&[(1 << 20, 1 << 20)])];
    let patches =
        || far.iter().filter_map(|v| if let Value::Patch(p) = v { Some(p) } else { None });
    assert!(unite_far(patches()).is_none());
}
