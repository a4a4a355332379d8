//! The archive with the engine: records of programs that were run, and stored results run again.
//!
//! The archive itself is `arcloom-store`; all of it is reachable from here.

use std::collections::BTreeSet;

use arcloom_dsl::differ::{ALL, Comparison, Differ};
use arcloom_graph::view::grids;
use arcloom_graph::{DemoFit, Machine, Output, Outputs, Plan, TaskView};
use arcloom_tasks::{Catalog, Task, TaskSet, behaviour};

pub use arcloom_store::*;

use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::library::{Entry, Library};

pub mod lines;
pub mod stitch;
mod verify;

pub use verify::Verified;

/// Most files that a run names as those its programs are from.
const NAMED_FILES: usize = 8;

/// An archive that a run stores into, and what happens when it cannot be written any more.
pub struct Storage<'a> {
    /// The archive.
    pub archive: &'a mut Archive,
    /// Told the reason, once. The run then goes on and stores nothing more; without anybody to tell, it
    /// ends with the error.
    pub unstored: Option<&'a (dyn Fn(&StoreError) + Sync)>,
}

impl<'a> From<&'a mut Archive> for Storage<'a> {
    fn from(archive: &'a mut Archive) -> Storage<'a> {
        Storage { archive, unstored: None }
    }
}

impl Storage<'_> {
    /// Tells why nothing more is stored; the error when there is nobody to tell.
    pub(crate) fn give_up(&self, error: StoreError) -> Result<(), StoreError> {
        match self.unstored {
            Some(tell) => {
                tell(&error);
                Ok(())
            }
            None => Err(error),
        }
    }

    /// The same for a part of the run.
    pub(crate) fn lent(&mut self) -> Storage<'_> {
        Storage { archive: self.archive, unstored: self.unstored }
    }
}

/// A task's record; `set` is the name it can be found by again.
pub fn task_record(task: &Task, set: &str) -> TaskRecord {
    TaskRecord { id: task.visible_id(), name: task.id.clone(), set: set.to_owned() }
}

/// What people call the tasks and the programs of a run, as a JSON object.
pub(crate) fn about(tasks: &TaskSet, library: &[Entry]) -> String {
    let files: BTreeSet<&str> = library.iter().map(|entry| entry.file.as_str()).collect();
    let programs: Vec<&str> = files.into_iter().take(NAMED_FILES).collect();
    serde_json::json!({
        "tasks": tasks.name,
        "task_count": tasks.tasks.len(),
        "programs": programs,
        "program_count": library.len(),
    })
    .to_string()
}

/// The sets that an archive's tasks were taken from, as far as they are still there.
pub fn task_sets(archive: &Archive, catalog: &Catalog) -> Result<Vec<TaskSet>, StoreError> {
    let stored = archive.tasks()?;
    let names: BTreeSet<&str> = stored.iter().flat_map(|task| task.set.split(" + ")).collect();
    Ok(names.iter().filter_map(|name| catalog.resolve_tasks(name).ok()).collect())
}

/// A program on all inputs of a task, judged on the demos. Test answers are not looked at.
pub(crate) fn result(
    engine: &Engine,
    machine: &mut Machine,
    program: ProgramId,
    plan: &Plan,
    task: &Task,
) -> ResultRecord {
    let Evaluation { outputs, fit } = engine.evaluate(machine, plan, &TaskView::new(task));
    result_of(program, task, &outputs, &fit)
}

/// The record of what a program gives on a task.
fn result_of(program: ProgramId, task: &Task, outputs: &Outputs, fit: &DemoFit) -> ResultRecord {
    let inputs = task.demos.iter().map(|pair| &pair.input);
    let inputs = inputs.chain(task.tests.iter().map(|test| &test.input));
    let grids = outputs.all().map(|output| output.as_ref().ok());
    ResultRecord {
        program,
        task: task.visible_id(),
        pairs: fit.marks(),
        similarity: fit.similarity(),
        work: outputs.work,
        behaviour: behaviour(inputs.zip(grids)),
        validated: None,
    }
}

/// What each differ says of a program's outputs for the demos, as the mean over them, by name.
pub(crate) fn score_records(
    program: ProgramId,
    task: TaskId,
    view: &TaskView,
    demos: &[Output],
) -> Vec<ScoreRecord> {
    let mut sums = vec![0; ALL.len()];
    for (grid, expected) in grids(demos).zip(view.expected()) {
        let Some(grid) = grid else { continue };
        let comparison = Comparison::new(grid, expected);
        for (sum, differ) in sums.iter_mut().zip(ALL) {
            *sum += u32::from(differ.score(&comparison));
        }
    }
    let count = (view.demo_count() as u32).max(1);
    let record = |(differ, sum): (&Differ, u32)| ScoreRecord {
        program,
        task,
        differ: differ.name.to_owned(),
        score: sum / count,
    };
    ALL.iter().zip(sums).map(record).collect()
}

impl Engine {
    /// The records of a library's programs. With tasks, each program is run on its own one.
    pub fn archive_records(
        &self,
        library: &Library,
        tasks: Option<&TaskSet>,
        added: i64,
    ) -> Records {
        let rows = self.map(&library.programs, |machine, entry| {
            let program =
                ProgramRecord { added, ..ProgramRecord::new(&entry.program, &entry.file) };
            let task = tasks.and_then(|tasks| tasks.get(&entry.task));
            let judged =
                task.map(|task| (task, result(self, machine, program.id, &entry.plan, task)));
            (program, judged)
        });
        let mut records = Records::default();
        let set = tasks.map_or("", |tasks| tasks.name.as_str());
        for (mut program, judged) in rows {
            if let Some((task, result)) = judged {
                program.cost = result.work;
                records.tasks.push(task_record(task, set));
                records.results.push(result);
            }
            records.programs.push(program);
        }
        records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_do_not_change_the_records() {
        let catalog = arcloom_tasks::Catalog::open(None);
        let specs = ["library:embedded".to_owned()];
        let library = Library::load(&catalog, &specs, &mut std::io::empty()).unwrap();
        let tasks = catalog.resolve_tasks("embedded").unwrap();
        let records = |threads: usize| {
            let engine = Engine::builder().threads(threads).build().unwrap();
            engine.archive_records(&library, Some(&tasks), 1)
        };
        assert_eq!(records(1), records(2));
    }
}
