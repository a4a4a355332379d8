//! Colours counted around a position, `chain(rbind(colorcount, c), rbind(toobject, grid), neighbors)`:
//! read off the grid, without the positions and the cells there being made.

use arcloom_value::{Closure, Value};

use crate::call::Caller;

/// What `h(g(f(x)))` gives and costs, if it is such a count and `x` lies in the grid.
#[inline]
pub(crate) fn counted(cx: &Caller, [h, g, f]: [&Value; 3], x: &Value) -> Option<(i64, usize)> {
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
