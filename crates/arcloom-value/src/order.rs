//! The one order of values, and equality and hashing that agree with it.
//!
//! `None` < integers < tuples (element by element, a prefix first) < sets (their ascending elements
//! compared as tuples) < functions. All three look at the value, never at its form; the fast paths
//! below are shortcuts for forms that are canonical anyway. Hashing alone asks for canonical values:
//! a general twin ([`Value::to_general`]) is equal to its original but is not to be used as a key.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::func::{Closure, Code, CodeStep};
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
            (Value::Grid(a), Value::Grid(b)) if a.width() == b.width() => a.cells().cmp(b.cells()),
            (Value::Patch(a), Value::Patch(b)) if a.is_object() == b.is_object() => {
                if a.same_block(b) {
                    return Ordering::Equal;
                }
                // The first cell nearly always decides.
                let first = |p: &Patch| (p.color(0), p.layer_positions(0).next());
                first(a).cmp(&first(b)).then_with(|| a.cells().cmp(b.cells()))
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
    }
}

fn compare_closures(a: &Closure, b: &Closure) -> Ordering {
    closure_rank(a)
        .cmp(&closure_rank(b))
        .then_with(|| match (a, b) {
            (Closure::Lambda(a, _), Closure::Lambda(b, _)) => compare_code(a, b),
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
    for part in closure.parts() {
        part.hash(state);
    }
}
