//! The archive with the engine: records of programs that were run, and stored results run again.
//!
//! The archive itself is `arcloom-store`; all of it is reachable from here.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_graph::{Machine, Plan, TaskView};
use arcloom_tasks::{Catalog, Task, TaskSet, behaviour};

pub use arcloom_store::*;

use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::library::{Entry, Library};

pub mod stitch;

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

/// What a check of stored results found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Programs whose text is that of their id.
    pub programs: usize,
    /// Results that came out the same.
    pub results: usize,
    /// Results that were not checked because their task was not at hand, by task.
    pub missing: BTreeMap<String, usize>,
    /// What is wrong, one line each.
    pub problems: Vec<String>,
    /// Other versions of arcloom or its language that runs of the archive were made with: what they
    /// stored need not come out the same.
    pub versions: BTreeSet<String>,
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

    /// Reads every stored program back and runs it again on the tasks it has results on, as far as
    /// `sets` have them; tasks are found by content. `progress` hears the programs done so far.
    pub fn verify_archive(
        &self,
        archive: &Archive,
        sets: &[TaskSet],
        progress: &dyn Fn(usize),
    ) -> Result<Verified, StoreError> {
        let mut verified = Verified { problems: archive.integrity()?, ..Verified::default() };
        let runs = archive.runs()?.into_iter().map(|run| run.version);
        verified.versions = runs.filter(|version| *version != crate::version()).collect();
        let names: BTreeMap<TaskId, String> =
            archive.tasks()?.into_iter().map(|task| (task.id, task.name)).collect();
        let all = sets.iter().flat_map(|set| &set.tasks);
        let tasks: BTreeMap<TaskId, &Task> = all.map(|task| (task.visible_id(), task)).collect();
        let programs = archive.programs(&Filter::default())?;
        let mut done = 0;
        for chunk in programs.chunks(1024) {
            let jobs = chunk.iter().map(|program| Ok((program, archive.results(program.id)?)));
            let jobs: Vec<(&ProgramRecord, Vec<ResultRecord>)> =
                jobs.collect::<Result<_, StoreError>>()?;
            let found = self.map(&jobs, |machine, (program, results)| {
                verify_one(self, machine, (program, results), &tasks, &names)
            });
            for one in found {
                verified.programs += one.programs;
                verified.results += one.results;
                verified.problems.extend(one.problems);
                for (task, count) in one.missing {
                    *verified.missing.entry(task).or_default() += count;
                }
            }
            done += chunk.len();
            progress(done);
        }
        Ok(verified)
    }
}

fn verify_one(
    engine: &Engine,
    machine: &mut Machine,
    (record, results): (&ProgramRecord, &[ResultRecord]),
    tasks: &BTreeMap<TaskId, &Task>,
    names: &BTreeMap<TaskId, String>,
) -> Verified {
    let mut verified = Verified::default();
    let program = match record.program() {
        Ok(program) => program,
        Err(error) => {
            verified.problems.push(error.to_string());
            return verified;
        }
    };
    verified.programs = 1;
    if program.size() as u64 != record.size {
        let (size, stored) = (program.size(), record.size);
        let id = record.id;
        verified.problems.push(format!("program {id}: has {size} calls, stored are {stored}"));
    }
    let plan = Plan::new(&program);
    for stored in results {
        let name = names.get(&stored.task).map_or("?", String::as_str);
        let Some(task) = tasks.get(&stored.task) else {
            *verified.missing.entry(name.to_owned()).or_default() += 1;
            continue;
        };
        let again = result(engine, machine, record.id, &plan, task);
        // The pairs may come in another order in the set at hand; the behaviour has them all.
        let sorted = |pairs: &str| {
            let mut bytes = pairs.as_bytes().to_vec();
            bytes.sort_unstable();
            bytes
        };
        let id = record.id;
        if sorted(&again.pairs) != sorted(&stored.pairs) {
            verified.problems.push(format!(
                "program {id} on {name}: solves {} of {} pairs, stored are {} of {}",
                again.solved(),
                again.demos(),
                stored.solved(),
                stored.demos()
            ));
        } else if again.behaviour != stored.behaviour {
            verified
                .problems
                .push(format!("program {id} on {name}: gives other grids than stored"));
        } else {
            verified.results += 1;
        }
    }
    verified
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded() -> (Engine, Library, TaskSet) {
        let catalog = arcloom_tasks::Catalog::open(None);
        let specs = ["library:embedded".to_owned()];
        let library = Library::load(&catalog, &specs, &mut std::io::empty()).unwrap();
        let tasks = catalog.resolve_tasks("embedded").unwrap();
        (Engine::builder().threads(1).build().unwrap(), library, tasks)
    }

    #[test]
    fn stored_results_come_out_the_same_and_changed_ones_do_not() {
        let (engine, library, tasks) = embedded();
        let path = std::env::temp_dir().join(format!("arcloom-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
        let mut records = engine.archive_records(&library, Some(&tasks), 1);
        assert!(records.results.iter().all(ResultRecord::is_solved));
        records.results[0].pairs = "0".repeat(records.results[0].demos());
        records.results[1].behaviour = Behaviour([0; 16]);
        records.programs[2].text = records.programs[3].text.clone();
        archive.add(&records).unwrap();
        let verified = engine.verify_archive(&archive, &[tasks], &|_| {}).unwrap();
        let count = library.programs.len();
        assert_eq!((verified.programs, verified.results), (count - 1, count - 3));
        assert_eq!(verified.problems.len(), 3, "{:?}", verified.problems);
        let verified = engine.verify_archive(&archive, &[], &|_| {}).unwrap();
        assert_eq!(verified.missing.values().sum::<usize>(), count - 1);
        drop(archive);
        for suffix in ["", ".lock"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
        }
    }

    #[test]
    fn jobs_do_not_change_the_records() {
        let (one, library, tasks) = embedded();
        let two = Engine::builder().threads(2).build().unwrap();
        let records = |engine: &Engine| engine.archive_records(&library, Some(&tasks), 1);
        assert_eq!(records(&one), records(&two));
    }
}
