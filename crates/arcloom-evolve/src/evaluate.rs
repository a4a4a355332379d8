//! Runs small expressions on demo pairs, to learn facts. Programs are run by the engine, not here.

use arcloom_dsl::{Caller, EvalError};
use arcloom_lang::{Op, Program};
use arcloom_value::Value;

/// The value of an expression without inner functions; nothing when it fails.
pub(crate) fn evaluate(
    caller: &mut Caller,
    program: &Program,
    samples: &Value,
    input: &Value,
) -> Option<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(program.nodes().len());
    for node in program.nodes() {
        caller.reset();
        let args: Vec<&Value> = node.args.iter().map(|arg| &values[arg.index()]).collect();
        let outcome: Result<Value, EvalError> = match &node.op {
            Op::Input => Ok(input.clone()),
            Op::Samples => Ok(samples.clone()),
            Op::Const(value) => Ok(value.clone()),
            Op::Call(prim) => caller.call_prim(*prim, &args),
            Op::Tuple => Ok(Value::tuple(args.into_iter().cloned().collect::<Vec<_>>())),
            Op::Set => Ok(Value::set(args.into_iter().cloned().collect())),
            Op::Apply | Op::Lambda(_) | Op::Expected | Op::Param(_) => return None,
        };
        values.push(outcome.ok()?);
    }
    values.pop()
}
