//! Functions that are recognised, so that a whole patch is worked on by words instead of cell by cell.
//! The outcome and the work are those of the plain loop.

use arcloom_value::{Closure, Patch, PatchBuf, Value};

use crate::call::{Caller, EvalError};
use crate::kernel::bits;
use crate::registry::Known;

/// How many times its direction a `shoot` goes, and how long a frontier is.
const SHOT: i64 = 42;
const FRONTIER: usize = 30;

/// The part of a tuple that a function depends on alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    First,
    Last,
}

/// The part of its argument that a function reads first of all, and nothing else of it. Such a
/// function needs to be called only once per row, column or colour of a patch.
pub(crate) fn projection(known: &Known, f: &Value) -> Option<Part> {
    match f {
        Value::Prim(id) if *id == known.first => Some(Part::First),
        Value::Prim(id) if *id == known.last => Some(Part::Last),
        Value::Closure(closure) => match closure.closure() {
            Closure::Compose(_, f) | Closure::Chain(_, _, f) | Closure::Matcher(f, _) => {
                projection(known, f)
            }
            Closure::Fork(_, a, b) => {
                projection(known, a).filter(|part| projection(known, b) == Some(*part))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Elements of a patch on which `f` takes every value that it takes on the patch.
pub(crate) fn representatives(known: &Known, f: &Value, patch: &Patch) -> Option<Vec<Value>> {
    let frame = patch.frame();
    let stride = frame.stride();
    Some(match (projection(known, f)?, patch.is_object()) {
        (Part::First, true) => {
            patch.colors().map(|c| Value::Cell(c.into(), frame.top, frame.left)).collect()
        }
        (Part::First, false) => (patch.layer(0).chunks_exact(stride).enumerate())
            .filter(|(_, row)| row.iter().any(|&bits| bits != 0))
            .map(|(r, _)| Value::Pair(frame.top + r as i32, frame.left))
            .collect(),
        (Part::Last, false) => {
            let used = bits::used_columns(patch);
            (0..frame.width)
                .filter(|j| used[*j as usize / 64] >> (j % 64) & 1 == 1)
                .map(|j| Value::Pair(frame.top, frame.left + j as i32))
                .collect()
        }
        (Part::Last, true) => return None,
    })
}

/// The union of `f(p)` over the positions `p` of a patch, where `f` is known to give the same cells
/// around every position, or a frontier through it.
pub(crate) fn spread(cx: &mut Caller, f: &Value, at: &Patch) -> Result<Option<Value>, EvalError> {
    let known = cx.registry().known();
    let pattern = match f {
        Value::Prim(id) if *id == known.hfrontier => {
            cx.charge(at.len() * FRONTIER)?;
            return Ok(Some(row_frontiers(at)));
        }
        Value::Prim(id) if *id == known.vfrontier => {
            cx.charge(at.len() * FRONTIER)?;
            return Ok(Some(column_frontiers(at)));
        }
        Value::Prim(id) if *id == known.neighbors => around(true, true),
        Value::Prim(id) if *id == known.dneighbors => around(true, false),
        Value::Prim(id) if *id == known.ineighbors => around(false, true),
        Value::Closure(closure) => match closure.closure() {
            Closure::LBind(Value::Prim(id), pattern @ Value::Patch(_), 1) if *id == known.shift => {
                pattern.clone()
            }
            Closure::RBind(Value::Prim(id), Value::Pair(i, j), 1) if *id == known.shoot => {
                match ray((*i).into(), (*j).into()) {
                    Some(pattern) => pattern,
                    None => return Ok(None),
                }
            }
            Closure::Fork(Value::Prim(id), a, b) if *id == known.combine => {
                return match (spread(cx, a, at)?, spread(cx, b, at)?) {
                    (Some(Value::Patch(a)), Some(Value::Patch(b)))
                        if a.is_object() == b.is_object() =>
                    {
                        Ok(bits::unite([&a, &b].into_iter()))
                    }
                    _ => Ok(None),
                };
            }
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    let Value::Patch(pattern) = pattern else { return Ok(None) };
    // A word is looked at in a fraction of the time that an element takes.
    cx.charge(at.len() + bits::stamp_work(&pattern, at) / 16)?;
    Ok(bits::stamp(&pattern, at))
}

/// The straight and the diagonal neighbours of the origin, as asked for.
fn around(straight: bool, diagonal: bool) -> Value {
    let mut places: smallvec::SmallVec<[(i64, i64); 8]> = smallvec::SmallVec::new();
    if straight {
        places.extend([(-1, 0), (0, -1), (0, 1), (1, 0)]);
    }
    if diagonal {
        places.extend([(-1, -1), (-1, 1), (1, -1), (1, 1)]);
    }
    Value::indices(&places)
}

/// What `shoot` gives from the origin; `None` when it is nothing or too long to be worth it.
fn ray(i: i64, j: i64) -> Option<Value> {
    let steps = i.abs().max(j.abs());
    let straight = i == 0 || j == 0 || i.abs() == j.abs();
    (straight && steps <= 8).then(|| {
        let cells: Vec<_> = (0..=SHOT * steps).map(|n| (n * i.signum(), n * j.signum())).collect();
        Value::indices(&cells)
    })
}

/// The frontiers along the rows that the patch touches.
fn row_frontiers(at: &Patch) -> Value {
    let frame = at.frame();
    let mut buf = PatchBuf::indices(frame.top.into(), 0, frame.height as usize, FRONTIER);
    let rows = at.layer(0).chunks_exact(frame.stride());
    for (out, row) in buf.layer_mut(0).iter_mut().zip(rows) {
        if row.iter().any(|&bits| bits != 0) {
            *out = (1 << FRONTIER) - 1;
        }
    }
    buf.into()
}

/// The frontiers along the columns that the patch touches.
fn column_frontiers(at: &Patch) -> Value {
    let frame = at.frame();
    let used = bits::used_columns(at);
    let mut buf = PatchBuf::indices(0, frame.left.into(), FRONTIER, frame.width as usize);
    for row in buf.layer_mut(0).chunks_exact_mut(used.len()) {
        row.copy_from_slice(&used);
    }
    buf.into()
}
