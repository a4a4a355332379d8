//! Numbers and pairs of numbers.
//!
//! Pairs are worked on part by part, and a number meets both parts of a pair. Of a longer tuple the
//! first two parts count. Python lets the parts be tuples too, which it then joins or repeats
//! (`double` of a grid gives two rows); here the parts must be integers.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{EvalError, Fault, Outcome};
use crate::order;
use crate::record::Primitive;
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

/// The function on matching parts of two numbers or pairs.
#[inline]
fn matching_parts(a: &Value, b: &Value, part: impl Fn(i64, i64) -> Result<i64, Fault>) -> Outcome {
    let ((ai, aj), (bi, bj)) = match (a, b) {
        (Value::Int(a), Value::Int(b)) => return Ok(Value::Int(part(*a, *b)?)),
        (Value::Int(a), _) => ((*a, *a), view::leading_ints(b, 1)?),
        (_, Value::Int(b)) => (view::leading_ints(a, 0)?, (*b, *b)),
        _ => (view::leading_ints(a, 0)?, view::leading_ints(b, 1)?),
    };
    Ok(Value::pair(part(ai, bi)?, part(aj, bj)?))
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
/// Tuples inside the arguments are not joined as Python would: that fails.
///
/// ```arc
/// add(2, 3) == 5
/// add((1, 2), 10) == (11, 12)
/// add(1, frozenset({2})) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn add(a: &Value, b: &Value) -> Outcome {
    matching_parts(a, b, |a, b| a.checked_add(b).ok_or(Fault::Overflow))
}

/// Difference of two numbers or pairs; a number stands for a pair of itself.
///
/// Sets inside the arguments are not subtracted as Python would: that fails.
///
/// ```arc
/// subtract(5, 3) == 2
/// subtract(10, (1, 2)) == (9, 8)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn subtract(a: &Value, b: &Value) -> Outcome {
    matching_parts(a, b, |a, b| a.checked_sub(b).ok_or(Fault::Overflow))
}

/// Product of two numbers or pairs, part by part.
///
/// Tuples inside the arguments are not repeated as Python would: that fails.
///
/// ```arc
/// multiply(2, 3) == 6
/// multiply((1, 2), (3, 4)) == (3, 8)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn multiply(a: &Value, b: &Value) -> Outcome {
    matching_parts(a, b, |a, b| a.checked_mul(b).ok_or(Fault::Overflow))
}

/// Quotient of two numbers or pairs, rounded down; a divisor of 0 fails.
///
/// ```arc
/// divide(-7, 2) == -4
/// divide((9, 4), 2) == (4, 2)
/// divide(1, 0) fails
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(Num, Num) -> Num")]
pub fn divide(a: &Value, b: &Value) -> Outcome {
    matching_parts(a, b, floor_div)
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

/// Twice a number or pair. Tuples of tuples fail, where Python would repeat the inner ones.
///
/// ```arc
/// double(3) == 6
/// double((1, -2)) == (2, -4)
/// ```
#[primitive(class = Arithmetic, cost = Scalar, sig = "(a: Num) -> a")]
pub fn double(n: &Value) -> Outcome {
    each_part(n, |n| n.checked_mul(2).ok_or(Fault::Overflow))
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
pub fn greater(a: &Value, b: &Value) -> Result<bool, EvalError> {
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
