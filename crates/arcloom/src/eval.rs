//! One program on one task, judged by the demo pairs: what someone who writes programs by other means
//! wants to know about each of them.
//!
//! Test answers are not looked at; the tests' outputs are given.

use arcloom_dsl::differ::{Comparison, Expected, PERFECT};
use arcloom_graph::{Inputs, Machine, Plan};
use arcloom_lang::syntax::Source;
use arcloom_lang::{load_file, load_snippet};
use arcloom_tasks::Task;
use arcloom_value::{Grid, Value};

use crate::engine::Engine;
use crate::library::Entry;
use crate::trace::samples_value;

/// A task made ready to evaluate many programs on.
pub struct EvalTask {
    /// Its name.
    pub id: String,
    samples: Value,
    demos: Vec<(Value, Expected)>,
    tests: Vec<Value>,
}

impl EvalTask {
    /// The task without its test answers.
    pub fn new(task: &Task) -> EvalTask {
        let value = |grid: &Grid| Value::Grid(grid.clone());
        let demo = |pair: &arcloom_tasks::Pair| (value(&pair.input), Expected::new(&pair.output));
        EvalTask {
            id: task.id.clone(),
            samples: samples_value(task),
            demos: task.demos.iter().map(demo).collect(),
            tests: task.tests.iter().map(|test| value(&test.input)).collect(),
        }
    }

    /// Number of demo pairs.
    pub fn demos(&self) -> usize {
        self.demos.len()
    }
}

/// What a program gave for one input: a grid, or why there is none.
pub type Answer = Result<Grid, String>;

/// A program on one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// For each demo the answer, and how near it is in thousandths.
    pub demos: Vec<(Answer, u32)>,
    /// For each test the answer.
    pub tests: Vec<Answer>,
    /// Units of work spent on all inputs.
    pub work: u64,
}

impl Evaluation {
    /// Demo pairs that came out right.
    pub fn solved(&self) -> usize {
        self.demos.iter().filter(|(_, near)| *near == u32::from(PERFECT)).count()
    }

    /// Mean nearness over the demos, in thousandths.
    pub fn similarity(&self) -> u32 {
        let sum: u32 = self.demos.iter().map(|(_, near)| near).sum();
        sum / (self.demos.len() as u32).max(1)
    }
}

/// The one program of a text: a `def`, or straight lines without one. The error is for people.
pub fn one_program(name: &str, text: &str) -> Result<Entry, String> {
    let is_def = |line: &str| line.starts_with("def ");
    let source = || Source::new(name, text);
    if !text.lines().any(is_def) {
        let (program, _) = load_snippet(text).map_err(|error| error.render(&source()))?;
        return Ok(Entry { task: String::new(), ..Entry::new(program, name) });
    }
    let mut loaded = load_file(text);
    if let Some(error) = loaded.errors.first() {
        return Err(error.render(&source()));
    }
    match loaded.programs.len() {
        1 => Ok(Entry::new(loaded.programs.swap_remove(0), name)),
        0 => Err(format!("{name}: there is no program in the text: write `def solve(I):`")),
        n => Err(format!("{name}: there are {n} programs in the text: send one at a time")),
    }
}

/// A program on one input.
pub fn run_once(
    machine: &mut Machine,
    entry: &Entry,
    input: &Value,
    samples: &Value,
) -> Result<Value, arcloom_dsl::EvalError> {
    let inputs = Inputs { input, samples, expected: &Value::None };
    machine.run(&entry.plan, &inputs).map_err(|failure| failure.error)
}

impl Engine {
    /// Evaluates a program on a task with a machine of this engine's.
    pub fn evaluate(&self, machine: &mut Machine, plan: &Plan, task: &EvalTask) -> Evaluation {
        let mut work = 0;
        let mut run = |input: &Value| -> Answer {
            let inputs = Inputs { input, samples: &task.samples, expected: &Value::None };
            let outcome = machine.run(plan, &inputs);
            work += machine.work();
            match outcome {
                Ok(Value::Grid(grid)) => Ok(grid),
                Ok(_) => Err("the result is not a grid".to_string()),
                Err(failure) => Err(failure.error.to_string()),
            }
        };
        let demo = |(input, expected): &(Value, Expected)| {
            let answer = run(input);
            let near =
                |grid| u32::from(arcloom_dsl::differ::total(&Comparison::new(grid, expected)));
            let near = answer.as_ref().map_or(0, near);
            (answer, near)
        };
        let demos = task.demos.iter().map(demo).collect();
        let tests = task.tests.iter().map(&mut run).collect();
        Evaluation { demos, tests, work }
    }

    /// Evaluates many programs, each on its own task, on all threads, results in their order.
    pub fn evaluate_all(&self, jobs: &[(&Entry, &EvalTask)]) -> Vec<Evaluation> {
        self.map(jobs, |machine, (entry, task)| self.evaluate(machine, &entry.plan, task))
    }

    /// Does `work` for every item on all threads, each with a machine; results in their order.
    pub fn for_each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Machine, &T) -> R + Sync,
    ) -> Vec<R> {
        self.map(items, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> Evaluation {
        let tasks = arcloom_tasks::Catalog::open(None).resolve_tasks("embedded").unwrap();
        let engine = Engine::builder().threads(1).build().unwrap();
        let entry = one_program("test", text).unwrap();
        let task = EvalTask::new(tasks.get("anti_diagonal").unwrap());
        engine.evaluate_all(&[(&entry, &task)]).swap_remove(0)
    }

    #[test]
    fn right_wrong_and_failing_programs() {
        let right = evaluate("def solve(I):\n    return cmirror(I)\n");
        assert_eq!((right.solved(), right.similarity()), (right.demos.len(), 1000));
        assert!(right.tests.iter().all(Result::is_ok));
        let wrong = evaluate("O = rot90(I)");
        assert!(wrong.solved() == 0 && wrong.similarity() < 1000 && wrong.demos[0].0.is_ok());
        let failing = evaluate("O = first(ofcolor(I, 77))");
        assert_eq!(failing.similarity(), 0);
        assert!(failing.demos[0].0.as_ref().unwrap_err().starts_with("first: "));
        let no_grid = evaluate("O = height(I)");
        assert_eq!(no_grid.tests[0], Err("the result is not a grid".to_string()));
    }

    #[test]
    fn texts_without_one_program_say_so() {
        for (text, wanted) in [
            ("def solve_a(I):\n    return I\ndef solve_b(I):\n    return I\n", "2 programs"),
            ("O = vmiror(I)", "did you mean `vmirror`?"),
            ("", "line:"),
        ] {
            let error = one_program("line", text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
