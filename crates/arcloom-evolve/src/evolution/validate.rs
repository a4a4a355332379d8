//! What a program must stand before it is called a solver.
//!
//! What is checked is exactly what is stored: the printed text, read again. A program that reads the demo
//! pairs must also fit each of them without having been shown it, or it may just have looked the output up.
//! Where further pairs of the task are known, which the search has never seen, it must fit those too.

use arcloom_graph::{Machine, Plan, TaskView};
use arcloom_lang::{Form, Program, load_file, text};
use arcloom_tasks::{Pair, Task};

/// What came of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validation {
    /// True when the program stands it.
    pub stands: bool,
    /// True when something was kept back that it was tried on.
    pub kept_back: bool,
}

impl Validation {
    /// For the archive: nothing where nothing was kept back.
    pub fn record(self) -> Option<bool> {
        self.kept_back.then_some(self.stands)
    }
}

/// Whether a program fits the demos of a task for good reasons, and further pairs where there are any.
pub fn validate(program: &Program, task: &Task, more: &[Pair], machine: &mut Machine) -> bool {
    machine.fits(&Plan::new(program), &TaskView::new(task))
        && holds(program, task, more, machine).stands
}

/// The same for a program that is known to fit the demos.
pub(super) fn holds(
    program: &Program,
    task: &Task,
    more: &[Pair],
    machine: &mut Machine,
) -> Validation {
    let leaves_out = program.reads_samples() && task.demos.len() > 1;
    let kept_back = leaves_out || !more.is_empty();
    let loaded = load_file(&text::print(program, Form::Straight));
    // A program of the same identity gives the same outputs.
    let reads_back = matches!(&loaded.programs[..], [again] if again.id() == program.id());
    let plan = Plan::new(program);
    let stands = reads_back
        && (more.is_empty() || machine.fits(&plan, &TaskView::of_pairs(&task.demos, more)))
        && (!leaves_out || fits_unseen(machine, &plan, task));
    Validation { stands, kept_back }
}

/// Each demo fits with the others alone as `S`.
fn fits_unseen(machine: &mut Machine, plan: &Plan, task: &Task) -> bool {
    (0..task.demos.len()).all(|left_out| {
        let mut rest = task.demos.clone();
        let pair = rest.remove(left_out);
        machine.fits(plan, &TaskView::of_pairs(&rest, &[pair]))
    })
}
