//! Every step of a program on one pair, with the value it has.

use arcloom_draw::{Picture, StepValue, TraceStep, TraceView, picture_typed};
use arcloom_dsl::{EvalError, Registry};
use arcloom_graph::{Inputs, Machine, Traced};
use arcloom_lang::{NodeId, infer, text};
use arcloom_tasks::Task;
use arcloom_value::{Grid, PrimId, Ty, Value};

use crate::engine::Engine;
use crate::library::Entry;

/// One step of a program on one pair.
#[derive(Debug, Clone)]
pub struct TracedStep {
    /// The node.
    pub node: NodeId,
    /// The line: `x1 = objects(I, T, F, T)`.
    pub code: String,
    /// The inferred type.
    pub ty: Ty,
    /// The value; `None` when the step failed or was not reached.
    pub value: Option<Value>,
    /// Units of work spent on it; none on what is known before the program runs.
    pub work: u64,
}

/// A program on one pair, step by step.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Name of the program.
    pub program: String,
    /// The task.
    pub task: String,
    /// The pair, for people: `demo 2`, `test 1`.
    pub pair: String,
    /// The input grid.
    pub input: Grid,
    /// The answer, where it is known.
    pub answer: Option<Grid>,
    /// The steps up to the one that failed.
    pub steps: Vec<TracedStep>,
    /// Why the last step failed, if it did.
    pub error: Option<EvalError>,
    /// True when the result is the answer.
    pub right: bool,
}

/// The demo pairs as programs see them: a tuple of (input, output) tuples.
pub fn samples_value(task: &Task) -> Value {
    let pairs: Vec<Value> = task
        .demos
        .iter()
        .map(|p| Value::tuple([Value::Grid(p.input.clone()), Value::Grid(p.output.clone())]))
        .collect();
    Value::tuple(pairs)
}

/// Input and known answer of pair `n`, demos before tests, with its name.
fn pair(task: &Task, n: usize) -> Option<(&Grid, Option<&Grid>, String)> {
    match n.checked_sub(task.demos.len()) {
        None => task.demos.get(n).map(|p| (&p.input, Some(&p.output), format!("demo {}", n + 1))),
        Some(t) => {
            task.tests.get(t).map(|p| (&p.input, p.output.as_ref(), format!("test {}", t + 1)))
        }
    }
}

impl Engine {
    /// Runs a program on pair `n` of a task (demos before tests) and keeps every step.
    pub fn trace(&self, entry: &Entry, task: &Task, n: usize) -> Option<Trace> {
        self.trace_on(&mut self.machine(), entry, task, n)
    }

    /// [`Engine::trace`] on a machine of this engine's that may be told to stop.
    pub fn trace_on(
        &self,
        machine: &mut Machine,
        entry: &Entry,
        task: &Task,
        n: usize,
    ) -> Option<Trace> {
        let (grid, answer, name) = pair(task, n)?;
        let input = Value::Grid(grid.clone());
        let samples = samples_value(task);
        let inputs = Inputs { input: &input, samples: &samples, expected: &Value::None };
        let Traced { values, work, failure } = machine.trace(&entry.plan, &inputs);
        let types = infer::types(&entry.program);
        let mut steps = Vec::new();
        for (node, code) in text::lines(&entry.program) {
            let value = values[node.index()].clone();
            let failed = failure.is_some_and(|f| f.node == node);
            // Steps after a failure were not reached, except those known in advance.
            if value.is_none() && !failed {
                continue;
            }
            let (ty, work) = (types[node.index()].clone(), work[node.index()]);
            steps.push(TracedStep { node, code, ty, value, work });
            if failed {
                break;
            }
        }
        let result = values[entry.program.output().index()].as_ref();
        let right = failure.is_none()
            && matches!((result, answer), (Some(Value::Grid(got)), Some(wanted)) if got == wanted);
        Some(Trace {
            program: entry.program.name.clone(),
            task: task.id.clone(),
            pair: name,
            input: grid.clone(),
            answer: answer.cloned(),
            steps,
            error: failure.map(|f| f.error),
            right,
        })
    }
}

impl Trace {
    /// The trace as something to draw.
    pub fn view(&self) -> TraceView {
        let names = |id: PrimId| Registry::get().primitive(id).name;
        let steps = self
            .steps
            .iter()
            .map(|step| TraceStep {
                code: step.code.clone(),
                ty: step.ty.to_string(),
                value: match (&step.value, self.error) {
                    (Some(value), _) => {
                        StepValue::Ok(picture_typed(value, &step.ty, Some(&self.input), &names))
                    }
                    (None, Some(error)) => StepValue::Failed(error.to_string()),
                    (None, None) => StepValue::Failed("not reached".to_string()),
                },
            })
            .collect();
        TraceView {
            title: format!("{} on {} {}", self.program, self.task, self.pair),
            input: Picture::grid(&self.input),
            expected: self.answer.as_ref().map(Picture::grid),
            steps,
        }
    }
}
