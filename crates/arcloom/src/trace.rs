//! Every step of a program on one pair, with the value it has.

use arcloom_draw::{Picture, StepValue, TraceStep, TraceView, picture_typed};
use arcloom_dsl::sheet::met::{MetLine, lines_met};
use arcloom_dsl::{EvalError, Registry};
use arcloom_graph::{Inputs, Machine, TaskView, Traced};
use arcloom_lang::{Node, NodeId, Op, Program, infer, text};
use arcloom_tasks::Task;
use arcloom_value::{Grid, PrimId, Ty, Value};

use crate::engine::Engine;
use crate::library::Entry;
use crate::verdict;

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
    /// For a rule that was applied to a list of sheets: the line that each of them met.
    pub met: Vec<MetLine>,
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
    /// The expected output, where it is known.
    pub expected: Option<Grid>,
    /// The steps up to the one that failed.
    pub steps: Vec<TracedStep>,
    /// Why the last step failed, if it did.
    pub error: Option<EvalError>,
    /// True when the output is the expected one.
    pub right: bool,
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
        let view = TaskView::new(task);
        let given = view.given();
        let input = given.inputs.get(n)?;
        let Value::Grid(grid) = input else { return None };
        let expected = verdict::expected(task, n);
        let inputs = Inputs { input, samples: &given.samples, expected: &Value::None };
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
            let met = met(&entry.program, node, &values);
            steps.push(TracedStep { node, code, ty, value, work, met });
            if failed {
                break;
            }
        }
        let result = values[entry.program.output().index()].as_ref();
        let result = result.filter(|_| failure.is_none()).map(Value::canonical);
        let right = expected.is_some() && result == expected.cloned().map(Value::Grid);
        Some(Trace {
            program: entry.program.name.clone(),
            task: task.id.clone(),
            pair: verdict::pair_name(task, n),
            input: grid.clone(),
            expected: expected.cloned(),
            steps,
            error: failure.map(|f| f.error),
            right,
        })
    }
}

/// The line of a rule that each sheet met, where a step applies one.
fn met(program: &Program, node: NodeId, values: &[Option<Value>]) -> Vec<MetLine> {
    let Node { op: Op::Call(prim), args } = program.node(node) else { return Vec::new() };
    let args: Option<Vec<&Value>> = args.iter().map(|arg| values[arg.index()].as_ref()).collect();
    args.map(|args| lines_met(*prim, &args)).unwrap_or_default()
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
                notes: step.met.iter().map(ToString::to_string).collect(),
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
            expected: self.expected.as_ref().map(Picture::grid),
            steps,
        }
    }
}
