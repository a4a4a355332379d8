//! Truth, equality and choice.
//!
//! Every value has a truth: 0, `None` and the empty containers are false, all others true.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{Caller, EvalError};
use crate::order;
use crate::record::Primitive;
use crate::toll;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] =
    &[&FLIP, &EQUALITY, &CONTAINED, &BOTH, &EITHER, &BRANCH, &IDENTITY];

/// Whether the argument is false.
///
/// ```arc
/// flip(T) == F
/// flip(()) == T
/// ```
#[primitive(class = Logic, cost = Scalar, sig = "(Bool) -> Bool")]
pub fn flip(b: bool) -> bool {
    !b
}

/// Whether two values are equal. Booleans equal 0 and 1; a tuple never equals a set. Functions are
/// equal when they are put together alike, where Python asks for the very same function.
///
/// ```arc
/// equality((1, 2), (1, 2)) == T
/// equality(T, 1) == T
/// equality((), frozenset()) == F
/// ```
#[primitive(class = Logic, cost = Cells, sig = "(a, a) -> Bool", toll = none)]
pub fn equality(cx: &mut Caller, a: &Value, b: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::comparison, [a, b])?;
    Ok(a == b)
}

/// Whether the value is an element of the tuple or set; anything else as container fails.
///
/// ```arc
/// contained(2, (1, 2)) == T
/// contained((3, 4), ((1, 2), (3, 4))) == T
/// contained(1, 1) fails
/// ```
#[primitive(class = Logic, cost = Cells, sig = "(a, Container<a>) -> Bool", toll = none)]
pub fn contained(cx: &mut Caller, value: &Value, container: &Value) -> Result<bool, EvalError> {
    cx.pay(toll::finding, [value, container])?;
    order::contains(container, value)
}

/// The second argument if the first is true, else the first.
///
/// ```arc
/// both(T, F) == F
/// both(3, 5) == 5
/// both((), 1) == ()
/// ```
#[primitive(class = Logic, cost = Scalar, sig = "(Bool, Bool) -> Bool")]
pub fn both(a: &Value, b: &Value) -> Value {
    if a.is_true() { b.clone() } else { a.clone() }
}

/// The first argument if it is true, else the second.
///
/// ```arc
/// either(F, T) == T
/// either(3, 5) == 3
/// either(0, ()) == ()
/// ```
#[primitive(class = Logic, cost = Scalar, sig = "(Bool, Bool) -> Bool")]
pub fn either(a: &Value, b: &Value) -> Value {
    if a.is_true() { a.clone() } else { b.clone() }
}

/// The second argument if the condition is true, else the third. All three have been worked out
/// before, so a failure in any of them fails the program.
///
/// ```arc
/// branch(T, 1, 2) == 1
/// branch(frozenset(), 1, 2) == 2
/// ```
#[primitive(class = Logic, cost = Scalar, sig = "(Bool, a, a) -> a")]
pub fn branch(condition: bool, a: &Value, b: &Value) -> Value {
    if condition { a.clone() } else { b.clone() }
}

/// The argument itself.
///
/// ```arc
/// identity((1, 2)) == (1, 2)
/// ```
#[primitive(class = Logic, cost = Scalar, sig = "(a) -> a")]
pub fn identity(x: &Value) -> Value {
    x.clone()
}
