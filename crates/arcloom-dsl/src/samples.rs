//! What a task's demo pairs say: colours that come or go, and the mirror or rotation that fits all.
//!
//! `S` is the tuple of demo pairs, each a tuple of input and output.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::{Caller, EvalError, Fault, Outcome};
use crate::kernel::tally;
use crate::record::Primitive;
use crate::{selector, view};

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&DEDUPE_PAIR_TUPLE, &C_IZ, &C_ZO, &C_IZ_N, &C_ZO_N, &A_MR];

/// The pairs whose output is not simply the input.
///
/// ```arc
/// dedupe_pair_tuple(((((1,),), ((1,),)), (((1,),), ((2,),)))) == ((((1,),), ((2,),)),)
/// dedupe_pair_tuple(()) == ()
/// ```
#[primitive(class = Samples, cost = Cells, sig = "(Samples) -> Samples", extra, toll = all_but_patches)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn dedupe_pair_tuple(S: &Value) -> Outcome {
    let mut kept = Vec::new();
    for pair in view::items(S, 0)? {
        let (input, output) = view::two(&pair)?;
        if input != output {
            kept.push(pair);
        }
    }
    Ok(Value::tuple(kept))
}

/// What `function` finds in the inputs but in no output, each once, in the order of finding.
///
/// ```arc
/// c_iz(((((1, 2),), ((2, 3),)), (((4, 2),), ((3, 3),))), p_g) == (1, 4)
/// c_iz((), p_g) == ()
/// ```
#[primitive(class = Samples, cost = Search, sig = "(Samples, Fn(Grid) -> Container<a>) -> Tuple<a>", extra)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn c_iz(cx: &mut Caller, S: &Value, function: &Value) -> Outcome {
    let (inputs, outputs) = findings(cx, S, function)?;
    Ok(only(&inputs, &outputs))
}

/// What `function` finds in the outputs but in no input, each once, in the order of finding.
///
/// ```arc
/// c_zo(((((1, 2),), ((2, 3),)), (((4, 2),), ((3, 3),))), p_g) == (3,)
/// ```
#[primitive(class = Samples, cost = Search, sig = "(Samples, Fn(Grid) -> Container<a>) -> Tuple<a>", extra)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn c_zo(cx: &mut Caller, S: &Value, function: &Value) -> Outcome {
    let (inputs, outputs) = findings(cx, S, function)?;
    Ok(only(&outputs, &inputs))
}

/// `pick` of what `function` finds in the inputs but in no output. Fails when `pick` does, as most
/// do on nothing.
///
/// ```arc
/// c_iz_n(((((1, 2),), ((2, 3),)),), p_g, first) == 1
/// c_iz_n(((((1, 2),), ((2, 1),)),), p_g, first) fails
/// ```
#[primitive(class = Samples, cost = Search, sig = "(Samples, Fn(Grid) -> Container<a>, Fn(Tuple<a>) -> b) -> b", extra)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn c_iz_n(cx: &mut Caller, S: &Value, function: &Value, pick: &Value) -> Outcome {
    let found = c_iz(cx, S, function)?;
    cx.call1(pick, &found)
}

/// `pick` of what `function` finds in the outputs but in no input. Fails when `pick` does, as most
/// do on nothing.
///
/// ```arc
/// c_zo_n(((((1, 2),), ((2, 3),)),), p_g, first) == 3
/// ```
#[primitive(class = Samples, cost = Search, sig = "(Samples, Fn(Grid) -> Container<a>, Fn(Tuple<a>) -> b) -> b", extra)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn c_zo_n(cx: &mut Caller, S: &Value, function: &Value, pick: &Value) -> Outcome {
    let found = c_zo(cx, S, function)?;
    cx.call1(pick, &found)
}

/// All that `function` finds in the inputs, and all it finds in the outputs.
fn findings(
    cx: &mut Caller,
    samples: &Value,
    function: &Value,
) -> Result<(Vec<Value>, Vec<Value>), EvalError> {
    let mut side = |n: usize| -> Result<Vec<Value>, EvalError> {
        let mut found = Vec::new();
        for pair in view::items(samples, 0)? {
            let grid = view::items(&pair, 0)?.nth(n).ok_or(Fault::Range)?;
            let result = cx.call1(function, &grid)?;
            let size = result.len().ok_or(Fault::Element)?;
            cx.charge(size + 1)?;
            found.extend(result.iter().into_iter().flatten());
        }
        Ok(found)
    };
    Ok((side(0)?, side(1)?))
}

/// The values of `a` that are not in `b`, each once.
fn only(a: &[Value], b: &[Value]) -> Value {
    let mut b: Vec<&Value> = b.iter().collect();
    b.sort_unstable();
    let firsts = tally::first_places(a).into_iter().map(|n| &a[n]);
    let kept: Vec<Value> =
        firsts.filter(|value| b.binary_search(value).is_err()).cloned().collect();
    Value::tuple(kept)
}

/// The smallest angle code, 0 to 7, with which `mir_rot_t` turns every input into its output. Fails
/// when there is none; without pairs it is 0.
///
/// ```arc
/// a_mr(((((1, 2), (3, 4)), ((3, 4), (1, 2))),)) == 0
/// a_mr(((((1, 2), (3, 4)), ((3, 1), (4, 2))),)) == 4
/// a_mr(((((1, 2), (3, 4)), ((1, 2), (3, 4))),)) == 7
/// a_mr(()) == 0
/// a_mr(((((1, 2),), ((1, 1),)),)) fails
/// ```
#[primitive(class = Samples, cost = Cells, sig = "(Samples) -> Angle", extra, toll = all_but_patches)]
#[expect(non_snake_case, reason = "a name of the DSL")]
pub fn a_mr(cx: &mut Caller, S: &Value) -> Result<i64, EvalError> {
    let pairs: Result<Vec<(Value, Value)>, EvalError> =
        view::items(S, 0)?.map(|pair| view::two(&pair)).collect();
    let pairs = pairs?;
    for angle in 0..8 {
        let mut fits = true;
        for (input, output) in &pairs {
            fits = selector::turn(cx, input, angle)? == *output;
            if !fits {
                break;
            }
        }
        if fits {
            return Ok(angle);
        }
    }
    Err(Fault::Empty.into())
}
