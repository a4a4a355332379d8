//! What a program must stand before it is called a solver.
//!
//! What is checked is exactly what is stored: the printed text, read again, run by a machine that has
//! seen nothing. A program that reads the demo pairs must also solve each of them without having been
//! shown it, or it may just have looked the answer up. Where further pairs of the task are known, which
//! the search has never seen, it must solve those too.

use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::{Form, Program, load_file, text};
use arcloom_tasks::{Pair, Task};
use arcloom_value::Value;

use crate::engine::Engine;
use crate::trace::samples_value;

/// Whether a program solves the demos of a task for good reasons, and further pairs where there are any.
pub fn validate(program: &Program, task: &Task, more: &[Pair], engine: &Engine) -> bool {
    validate_with(program, task, more, &mut engine.machine())
}

/// [`validate`] on a machine that may be told to stop.
pub(super) fn validate_with(
    program: &Program,
    task: &Task,
    more: &[Pair],
    machine: &mut Machine,
) -> bool {
    let loaded = load_file(&text::print(program, Form::Straight));
    let [again] = loaded.programs.as_slice() else { return false };
    if again.id() != program.id() {
        return false;
    }
    let plan = Plan::new(again);
    let samples = samples_value(task);
    let all = task.demos.iter().chain(more).all(|pair| right(machine, &plan, pair, &samples));
    all && (!again.reads_samples() || stands_alone(machine, &plan, task))
}

/// Each demo is solved with the others alone as `S`.
fn stands_alone(machine: &mut Machine, plan: &Plan, task: &Task) -> bool {
    if task.demos.len() < 2 {
        return true;
    }
    (0..task.demos.len()).all(|left_out| {
        let mut rest = task.clone();
        let pair = rest.demos.remove(left_out);
        right(machine, plan, &pair, &samples_value(&rest))
    })
}

fn right(machine: &mut Machine, plan: &Plan, pair: &Pair, samples: &Value) -> bool {
    let input = Value::Grid(pair.input.clone());
    let inputs = Inputs { input: &input, samples, expected: &Value::None };
    let outcome = machine.run(plan, &inputs);
    matches!(outcome, Ok(Value::Grid(grid)) if grid == pair.output)
}
