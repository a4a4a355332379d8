//! Numbers and pairs of numbers.
//!
//! Pairs are worked on part by part, and a number meets both parts of a pair. Of a longer tuple the
//! first two parts count. Parts that are not numbers do what Python makes of them: `+` joins tuples,
//! `*` repeats them, `-` works on sets.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::container;
use crate::order;
use crate::record::Primitive;
use crate::toll;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[
    &ADD, &SUBTRACT, &MULTIPLY, &DIVIDE, &INVERT, &EVEN, &DOUBLE, &HALVE, &INCREMENT, &DECREMENT,
    &CREMENT, &SIGN, &POSITIVE, &GREATER, &TOIVEC, &TOJVEC,
];

/// The function on each part of a number or pair.
#[inline]
fn each_part(n: &Value, part: impl Fn(i64) -> Result<i64, Fault>) -> Outcome {
    match n {
        Value::Int(n) => Ok(Value::Int(part(*n)?)),
        _ => {
            let (i, j) = view::leading_ints(n, 0)?;
            Ok(Value::pair(part(i)?, part(j)?))
        }
    }
}

/// The function on matching parts of two numbers or pairs; `odd` is for parts that are not numbers.
#[inline]
fn matching_parts(
    cx: &mut Caller,
    a: &Value,
    b: &Value,
    part: impl Fn(i64, i64) -> Result<i64, Fault>,
    odd: fn(&mut Caller, &Value, &Value) -> Outcome,
) -> Outcome {
    let ((ai, aj), (bi, bj)) = match (a, b) {
        (&Value::Int(a), &Value::Int(b)) => return Ok(Value::Int(part(a, b)?)),
        (&Value::Pair(ai, aj), &Value::Pair(bi, bj)) => {
            ((ai.into(), aj.into()), (bi.into(), bj.into()))
        }
        (&Value::Int(a), &Value::Pair(bi, bj)) => ((a, a), (bi.into(), bj.into())),
        (&Value::Pair(ai, aj), &Value::Int(b)) => ((ai.into(), aj.into()), (b, b)),
        _ => {
            cx.pay(toll::rows, [a, b])?;
            let [first, second] = parts(a, b)?;
            let mut one = |(x, y): (Value, Value)| match (&x, &y) {
                (&Value::Int(x), &Value::Int(y)) => Ok(Value::Int(part(x, y)?)),
                _ => odd(cx, &x, &y),
            };
            return Ok(Value::tuple2(one(first)?, one(second)?));
        }
    };
    Ok(Value::pair(part(ai, bi)?, part(aj, bj)?))
}

/// The parts of two arguments, not both numbers, that belong together.
fn parts(a: &Value, b: &Value) -> Result<[(Value, Value); 2], EvalError> {
    let item = |v: &Value, n| v.item(n).ok_or(Fault::Range);
    let (ai, aj) = match a {
        Value::Int(_) if b.is_tuple() => (a.clone(), a.clone()),
        _ if a.is_tuple() => (item(a, 0)?, item(a, 1)?),
        _ => return Err(Fault::Kind(0).into()),
    };
    let (bi, bj) = if b.is_tuple() { (item(b, 0)?, item(b, 1)?) } else { (b.clone(), b.clone()) };
    Ok([(ai, bi), (aj, bj)])
}

/// A tuple repeated by a number, whichever comes first.
fn repeated(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let (tuple, count) = match (a, b) {
        (Value::Int(n), tuple) | (tuple, Value::Int(n)) if tuple.is_tuple() => (tuple, *n),
        _ => return Err(Fault::Element.into()),
    };
    let count = usize::try_from(count).unwrap_or(0);
    let total = view::len(tuple, 0)?.saturating_mul(count);
    cx.charge(total)?;
    let items: Vec<Value> = view::items(tuple, 0)?.collect();
    container::tuple_of(cx, items.iter().cycle().take(total).cloned().collect())
}

/// Division rounding down.
#[inline]
fn floor_div(a: i64, b: i64) -> Result<i64, Fault> {
    if b == 0 {
        return Err(Fault::Zero);
    }
    let quotient = a.checked_div(b).ok_or(Fault::Overflow)?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Sum of two numbers or pairs; a number is added to both parts of a pair.
///
/// ```arc
/// add(2, 3) == 5
/// add((1, 2), 10) == (11, 12)
/// add(1, frozenset({2})) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn add(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let sum = |a: i64, b| a.checked_add(b).ok_or(Fault::Overflow);
    matching_parts(cx, a, b, sum, |cx, a, b| {
        let tuples = a.is_tuple() && b.is_tuple();
        if tuples { container::combine(cx, a, b) } else { Err(Fault::Element.into()) }
    })
}

/// Difference of two numbers or pairs; a number stands for a pair of itself.
///
/// ```arc
/// subtract(5, 3) == 2
/// subtract(10, (1, 2)) == (9, 8)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn subtract(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    let difference = |a: i64, b| a.checked_sub(b).ok_or(Fault::Overflow);
    matching_parts(cx, a, b, difference, |cx, a, b| {
        let sets = a.is_set() && b.is_set();
        if sets { container::difference(cx, a, b) } else { Err(Fault::Element.into()) }
    })
}

/// Product of two numbers or pairs, part by part.
///
/// ```arc
/// multiply(2, 3) == 6
/// multiply((1, 2), (3, 4)) == (3, 8)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn multiply(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    matching_parts(cx, a, b, |a, b| a.checked_mul(b).ok_or(Fault::Overflow), repeated)
}

/// Quotient of two numbers or pairs, rounded down; a divisor of 0 fails.
///
/// ```arc
/// divide(-7, 2) == -4
/// divide((9, 4), 2) == (4, 2)
/// divide(1, 0) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn divide(cx: &mut Caller, a: &Value, b: &Value) -> Outcome {
    matching_parts(cx, a, b, floor_div, |_, _, _| Err(Fault::Element.into()))
}

/// The number or pair with its sign turned.
///
/// ```arc
/// invert(3) == -3
/// invert((1, -2)) == (-1, 2)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn invert(n: &Value) -> Outcome {
    each_part(n, |n| n.checked_neg().ok_or(Fault::Overflow))
}

/// Whether a number is even; a pair fails.
///
/// ```arc
/// even(4) == T
/// even(-3) == F
/// even((2, 2)) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Int) -> Bool")]
pub fn even(n: i64) -> bool {
    n % 2 == 0
}

/// Twice a number or pair.
///
/// ```arc
/// double(3) == 6
/// double((1, -2)) == (2, -4)
/// double(((1, 2), (3,))) == ((1, 2, 1, 2), (3, 3))
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn double(cx: &mut Caller, n: &Value) -> Outcome {
    multiply(cx, n, &Value::Int(2))
}

/// Half of a number or pair, rounded down.
///
/// ```arc
/// halve(5) == 2
/// halve((-3, 4)) == (-2, 2)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn halve(n: &Value) -> Outcome {
    each_part(n, |n| Ok(n >> 1))
}

/// One more, in both parts of a pair.
///
/// ```arc
/// increment(1) == 2
/// increment((0, -1)) == (1, 0)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn increment(x: &Value) -> Outcome {
    each_part(x, |n| n.checked_add(1).ok_or(Fault::Overflow))
}

/// One less, in both parts of a pair.
///
/// ```arc
/// decrement(1) == 0
/// decrement((0, 5)) == (-1, 4)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn decrement(x: &Value) -> Outcome {
    each_part(x, |n| n.checked_sub(1).ok_or(Fault::Overflow))
}

/// One step further from zero, part by part; 0 stays 0.
///
/// ```arc
/// crement(2) == 3
/// crement((-2, 0)) == (-3, 0)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn crement(x: &Value) -> Outcome {
    each_part(x, |n| n.checked_add(n.signum()).ok_or(Fault::Overflow))
}

/// 1, 0 or -1, part by part.
///
/// ```arc
/// sign(-7) == -1
/// sign((4, 0)) == (1, 0)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn sign(x: &Value) -> Outcome {
    each_part(x, |n| Ok(n.signum()))
}

/// Whether a number is above 0.
///
/// ```arc
/// positive(1) == T
/// positive(0) == F
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Int) -> Bool")]
pub fn positive(x: i64) -> bool {
    x > 0
}

/// Whether the first is larger. Tuples are compared at the first difference, sets by proper
/// inclusion; unlike kinds fail.
///
/// ```arc
/// greater(2, 1) == T
/// greater((1, 0), (0, 9)) == T
/// greater(frozenset({1, 2}), frozenset({1})) == T
/// greater(1, (0, 0)) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Int, Int) -> Bool")]
pub fn greater(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::comparison, [a, b])?;
    order::less(b, a)
}

/// The offset that many rows down.
///
/// ```arc
/// toivec(3) == (3, 0)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Int) -> Pair")]
pub fn toivec(i: &Value) -> Value {
    Value::tuple2(i.clone(), Value::Int(0))
}

/// The offset that many columns to the right.
///
/// ```arc
/// tojvec(3) == (0, 3)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Int) -> Pair")]
pub fn tojvec(j: &Value) -> Value {
    Value::tuple2(Value::Int(0), j.clone())
}
