//! Runs the examples in the documentation of primitives.

use arcloom_dsl::Caller;
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::lower::load_expr;
use arcloom_lang::syntax::{ExpectedResult, parse_example};
use arcloom_value::Value;

/// Runs one example, `call == value` or `call fails`; the error says what came out instead.
pub fn run_example(text: &str, general: bool) -> Result<(), String> {
    let example = parse_example(text).map_err(|e| format!("{text}: {}", e.kind))?;
    let value = |expr| -> Result<Result<Value, String>, String> {
        let program = load_expr(&example.ast, expr).map_err(|e| format!("{text}: {}", e.kind))?;
        let budget = Caller::DEFAULT_BUDGET;
        let caller = if general { Caller::general(budget) } else { Caller::new(budget) };
        let none = Value::None;
        let inputs = Inputs { input: &none, samples: &none, expected: &none };
        let outcome = Machine::new(caller).run(&Plan::new(&program), &inputs);
        Ok(outcome.map_err(|failure| failure.error.to_string()))
    };
    match (value(example.left)?, example.right) {
        (Err(_), ExpectedResult::Fails) => Ok(()),
        (Ok(got), ExpectedResult::Fails) => Err(format!("{text}: gives {got:?}")),
        (Err(reason), ExpectedResult::Value(_)) => Err(format!("{text}: fails, {reason}")),
        (Ok(got), ExpectedResult::Value(right)) => match value(right)? {
            Ok(wanted) if wanted == got => Ok(()),
            _ => Err(format!("{text}: gives {got:?}")),
        },
    }
}
