//! One program on one task, judged by the demo pairs: what someone who writes programs by other means
//! wants to know about each of them.
//!
//! Test answers are not looked at; the tests' outputs are given.

use arcloom_graph::view::grids;
use arcloom_graph::{DemoFit, Machine, Output, Outputs, Plan, TaskView};

use crate::engine::Engine;
use crate::library::Entry;

/// A program on one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// What it gives for each input.
    pub outputs: Outputs,
    /// How well that fits the demos.
    pub fit: DemoFit,
}

impl Evaluation {
    /// What the program gives for pair `n`, demos before tests.
    pub fn output(&self, n: usize) -> Option<&Output> {
        self.outputs.all().nth(n)
    }
}

/// The one program of a text: a `def`, or straight lines without one. The error is for people.
pub fn one_program(name: &str, text: &str) -> Result<Entry, String> {
    let is_def = text.lines().any(|line| line.starts_with("def "));
    let entry = Entry::new(arcloom_lang::one_program(name, text)?, name);
    // Straight lines are for no task.
    Ok(if is_def { entry } else { Entry { task: String::new(), ..entry } })
}

impl Engine {
    /// Evaluates a program on a task with a machine of this engine's.
    pub fn evaluate(&self, machine: &mut Machine, plan: &Plan, task: &TaskView) -> Evaluation {
        let outputs = machine.outputs(plan, task);
        let fit = task.fit(grids(&outputs.demos));
        Evaluation { outputs, fit }
    }

    /// Evaluates many programs, each on its own task, on all threads, results in their order.
    pub fn evaluate_all(&self, jobs: &[(&Entry, &TaskView)]) -> Vec<Evaluation> {
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
    use arcloom_graph::NoOutput;

    use super::*;

    fn evaluate(text: &str) -> Evaluation {
        let tasks = arcloom_tasks::Catalog::open(None).resolve_tasks("embedded").unwrap();
        let engine = Engine::builder().threads(1).build().unwrap();
        let entry = one_program("test", text).unwrap();
        let task = TaskView::new(tasks.get("anti_diagonal").unwrap());
        engine.evaluate_all(&[(&entry, &task)]).swap_remove(0)
    }

    #[test]
    fn right_wrong_and_failing_programs() {
        let right = evaluate("def solve(I):\n    return cmirror(I)\n");
        assert!(right.fit.is_full() && right.fit.similarity() == 1000);
        assert!(right.outputs.tests.iter().all(Result::is_ok));
        let wrong = evaluate("O = rot90(I)");
        assert!(wrong.fit.count() == 0 && wrong.fit.similarity() < 1000);
        assert!(wrong.outputs.demos[0].is_ok());
        let failing = evaluate("O = first(ofcolor(I, 77))");
        assert_eq!(failing.fit.similarity(), 0);
        let error = failing.outputs.demos[0].as_ref().unwrap_err();
        assert!(error.to_string().starts_with("first: "));
        let no_grid = evaluate("O = height(I)");
        assert_eq!(no_grid.outputs.tests[0], Err(NoOutput::NotAGrid));
    }
}
