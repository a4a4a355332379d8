//! All tuples of an element of one set and an element of another, not put together until somebody
//! looks at them one by one.
//!
//! Programs make such sets to filter them and to draw a line for every tuple. Those loops read the
//! parts from the two sets and leave most tuples unmade; whoever asks for the elements gets them as of
//! any other set.

use std::convert::Infallible;
use std::sync::OnceLock;

use crate::grid::Grid;
use crate::patch::Patch;
use crate::value::{Bulk, Seq, Value};

/// Fewest tuples that are left unmade.
const MANY: usize = 257;

/// The tuples of two sets, or some of them, as the elements of a set.
pub struct Product {
    first: Parts,
    second: Parts,
    /// Which tuples are there, as bits by number; all of them when there are none.
    chosen: Option<Box<[u64]>>,
    len: usize,
    made: OnceLock<Box<[Value]>>,
}

/// The first or the second parts of tuples.
#[derive(Clone)]
pub enum Parts {
    /// The elements of a patch.
    Cells(Patch),
    /// Patches.
    Patches(Seq),
}

impl Parts {
    /// The elements of a set, if they are of one of these kinds.
    fn of(set: &Value) -> Option<Parts> {
        match set {
            Value::Patch(patch) => Some(Parts::Cells(patch.clone())),
            Value::Set(seq) if seq.product().is_none() => {
                let patches = seq.items().iter().all(|item| matches!(item, Value::Patch(_)));
                patches.then(|| Parts::Patches(seq.clone()))
            }
            _ => None,
        }
    }

    /// How many there are.
    fn len(&self) -> usize {
        match self {
            Parts::Cells(patch) => patch.len(),
            Parts::Patches(seq) => seq.len(),
        }
    }

    /// The parts in order.
    fn elements(&self) -> Vec<Value> {
        match self {
            Parts::Cells(patch) => {
                let mut items = Vec::with_capacity(patch.len());
                items.extend(patch.cells().map(|(c, i, j)| {
                    if patch.is_object() { Value::Cell(c.into(), i, j) } else { Value::Pair(i, j) }
                }));
                items
            }
            Parts::Patches(seq) => seq.items().to_vec(),
        }
    }
}

impl Product {
    /// The first parts.
    pub fn first(&self) -> &Parts {
        &self.first
    }

    /// The second parts.
    pub fn second(&self) -> &Parts {
        &self.second
    }

    /// True when every first part is there with every second part.
    pub fn is_whole(&self) -> bool {
        self.chosen.is_none()
    }

    /// Calls `visit` with the numbers of the parts of every tuple, in order, until it fails.
    #[inline]
    pub fn visit<E>(&self, mut visit: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let width = self.second.len();
        let Some(chosen) = &self.chosen else {
            return (0..self.first.len())
                .try_for_each(|a| (0..width).try_for_each(|b| visit(a, b)));
        };
        // The row that a number is in is looked for from the last one on, without a division.
        let (mut row, mut start) = (0, 0);
        for (at, &word) in chosen.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let n = at * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                while n - start >= width {
                    (row, start) = (row + 1, start + width);
                }
                visit(row, n - start)?;
            }
        }
        Ok(())
    }

    /// The set of the tuples for which `keep`, asked in order, says so.
    pub fn filtered(&self, mut keep: impl FnMut() -> bool) -> Value {
        let width = self.second.len();
        let mut chosen = vec![0u64; (self.first.len() * width).div_ceil(64)].into_boxed_slice();
        let mut len = 0;
        let choose = |a: usize, b: usize| {
            let (n, kept) = (a * width + b, keep());
            chosen[n / 64] |= u64::from(kept) << (n % 64);
            len += usize::from(kept);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.visit(choose);
        let (first, second) = (self.first.clone(), self.second.clone());
        let chosen = (len < self.first.len() * width).then_some(chosen);
        Value::Set(Seq::of_product(Product { first, second, chosen, len, made: OnceLock::new() }))
    }

    /// Calls `visit` with every tuple, made for that, until it fails.
    pub fn each<E>(&self, mut visit: impl FnMut(&Value) -> Result<(), E>) -> Result<(), E> {
        if let Some(made) = self.made.get() {
            return made.iter().try_for_each(visit);
        }
        let (firsts, seconds) = (self.first.elements(), self.second.elements());
        self.visit(|a, b| visit(&tuple(&firsts[a], &seconds[b])))
    }

    /// The tuple with this number, made for that.
    pub fn nth(&self, n: usize) -> Option<Value> {
        let mut before = n;
        let parts = self.visit(|a, b| {
            let found = before == 0;
            before = before.saturating_sub(1);
            if found { Err((a, b)) } else { Ok(()) }
        });
        let (a, b) = parts.err()?;
        Some(tuple(self.first.elements().get(a)?, self.second.elements().get(b)?))
    }

    /// The tuples as a list.
    fn list(&self) -> Vec<Value> {
        let mut items = Vec::with_capacity(self.len);
        let (firsts, seconds) = (self.first.elements(), self.second.elements());
        let add = |a: usize, b: usize| {
            items.push(tuple(&firsts[a], &seconds[b]));
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.visit(add);
        items
    }

    /// Number of tuples.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How large the set of the tuples is.
    pub(crate) fn bulk(&self) -> Bulk {
        let (firsts, seconds) = (self.first.elements(), self.second.elements());
        let each = tuple(&firsts[0], &seconds[0]).bulk();
        if let Parts::Cells(_) = self.first {
            return each.times(self.len);
        }
        let weights = |parts: &[Value]| -> Vec<u64> {
            parts.iter().map(|part| part.bulk().weight.into()).collect()
        };
        let (firsts, seconds) = (weights(&firsts), weights(&seconds));
        let mut weight = 1u64;
        let add = |a: usize, b: usize| {
            weight = weight.saturating_add(1 + firsts[a] + seconds[b]);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.visit(add);
        Bulk { depth: each.depth + 1, weight: u32::try_from(weight).unwrap_or(u32::MAX) }
    }

    /// The tuples, made when this is asked for the first time.
    pub(crate) fn items(&self) -> &[Value] {
        self.made.get_or_init(|| self.list().into())
    }
}

impl Value {
    /// The set of all tuples of an element of each of two sets, if these are of one form: of two
    /// cells, of two positions that make a grid, or of two patches and there are many. Tuples of
    /// ascending parts come ascending.
    pub fn product(a: &Value, b: &Value) -> Option<Value> {
        let len = a.len()?.checked_mul(b.len()?).filter(|&len| len > 0)?;
        match (a, b) {
            (Value::Patch(a), Value::Patch(b)) => {
                let alike = a.is_object() == b.is_object();
                if !alike || !(a.is_object() || a.is_small() && b.is_small()) {
                    return None;
                }
            }
            (Value::Set(_), Value::Set(_)) if len >= MANY => {}
            _ => return None,
        }
        let (first, second) = (Parts::of(a)?, Parts::of(b)?);
        let product = Product { first, second, chosen: None, len, made: OnceLock::new() };
        if len >= MANY {
            return Some(Value::Set(Seq::of_product(product)));
        }
        let items = product.list();
        let each = items.first()?.bulk();
        Some(Value::Set(Seq::alike(items.into_iter(), each)))
    }
}

/// The tuple of two cells, two patches, or two positions near the origin.
#[inline]
fn tuple(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (&Value::Pair(i, j), &Value::Pair(k, l)) => {
            Value::Grid(Grid::two_by_two([i as i8, j as i8, k as i8, l as i8]))
        }
        _ => Value::tuple2(a.clone(), b.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the same set put together tuple by tuple.
    fn check(set: &Value, tuples: Vec<Value>) {
        let plain = Value::set(tuples);
        assert_eq!(set.len(), plain.len());
        assert_eq!(set.bulk(), plain.bulk());
        assert_eq!(set.is_empty(), plain.is_empty());
        assert_eq!(*set, plain);
        assert_eq!(format!("{set:?}"), format!("{plain:?}"));
    }

    #[test]
    fn unmade_tuples_are_those_of_the_plain_set() {
        let places: Vec<_> = (0..20).map(|n| (n * 7 % 11, n * n % 13)).collect();
        let cells: Vec<_> = (0..20).map(|n| (n % 3, n * 7 % 11, n * n % 13)).collect();
        let patches = |n: i64| {
            let size = |k: i64| 1 + (k % 5) as usize;
            let at = |k: i64| cells[..size(k)].iter().map(move |&(c, i, j)| (c, i, j + k));
            Value::set((0..n).map(|k| Value::object(&at(k).collect::<Vec<_>>())).collect())
        };
        for (a, b) in [
            (Value::indices(&places), Value::indices(&places[3..])),
            (Value::indices(&places[..2]), Value::indices(&places)),
            (Value::object(&cells), Value::object(&cells[2..])),
            (Value::object(&cells[..1]), Value::object(&cells[..1])),
            (patches(30), patches(25)),
        ] {
            let set = Value::product(&a, &b).unwrap();
            let mut tuples: Vec<Value> = Vec::new();
            for x in a.iter().unwrap() {
                tuples.extend(b.iter().unwrap().map(|y| Value::tuple2(x.clone(), y)));
            }
            check(&set, tuples.clone());
            let Value::Set(seq) = &set else { panic!() };
            let Some(product) = seq.product() else { continue };
            assert!(product.is_whole());
            for n in [0, 1, 300, tuples.len() - 1] {
                assert_eq!(product.nth(n).as_ref(), tuples.get(n));
            }
            assert_eq!(product.nth(tuples.len()), None);
            for step in [1, 2, 7, 400, 1000] {
                let mut n = 0;
                let some = product.filtered(|| {
                    n += 1;
                    n % step == 0
                });
                let kept: Vec<Value> =
                    tuples.iter().skip(step - 1).step_by(step).cloned().collect();
                check(&some, kept.clone());
                let Value::Set(seq) = &some else { panic!() };
                let Some(again) = seq.product() else { continue };
                let mut n = 0;
                let fewer = again.filtered(|| {
                    n += 1;
                    n % 3 == 0
                });
                check(&fewer, kept.into_iter().skip(2).step_by(3).collect());
            }
        }
    }

    #[test]
    fn other_forms_have_no_product_of_this_kind() {
        let (place, cell) = (Value::indices(&[(1, 2)]), Value::object(&[(1, 2, 3)]));
        let far = Value::indices(&[(1, 200)]);
        let numbers = Value::set((0..30).map(Value::Int).collect());
        assert!(Value::product(&place, &cell).is_none());
        assert!(Value::product(&place, &far).is_none());
        assert!(Value::product(&numbers, &numbers).is_none());
        assert!(Value::product(&place, &Value::empty_set()).is_none());
    }
}
