//! Kaggle's submission file: two attempts for every test of every task.
//!
//! ```json
//! {"00576224": [{"attempt_1": [[0, 0]], "attempt_2": [[1, 1]]}], "12997ef3": [..]}
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use arcloom_value::Grid;

use crate::disk::read_limited;
use crate::error::CorpusError;
use crate::json::{Node, parse};
use crate::shape::{Fault, Shaped, read_grid};
use crate::task::{GridLimits, TaskSet};

/// Larger than any real submission by two orders of magnitude.
const MAX_BYTES: u64 = 256 << 20;

/// The two answers to one test.
pub type AttemptPair = [Grid; 2];

/// Answers to the tests of tasks, by task id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// In the order of ids; the tests of a task in the order of its file.
    pub answers: BTreeMap<String, Vec<AttemptPair>>,
}

impl Submission {
    /// A submission for these tasks. `answers` gives the attempts at a task's tests, as many as there
    /// are; what is missing is filled in with the smallest blank grid, so that the file is complete.
    /// Tasks that are malformed have blank grids alone.
    pub fn new(tasks: &TaskSet, mut answers: impl FnMut(&str) -> Vec<Vec<Grid>>) -> Submission {
        let blank = |color| Grid::new(2, 2, &[color; 4]).unwrap_or_else(|| unreachable!("2 x 2"));
        let mut all = BTreeMap::new();
        for task in &tasks.tasks {
            let mut given = answers(&task.id).into_iter();
            let tests = task.tests.iter().map(|_| {
                let attempts = given.next().unwrap_or_default().into_iter();
                let mut attempts = attempts.filter(|grid| GridLimits::ARC.allow(grid));
                let first = attempts.next().unwrap_or_else(|| blank(0));
                // The second must say something else to be worth anything.
                let second = attempts.find(|grid| *grid != first);
                let second =
                    second.unwrap_or_else(|| if first == blank(0) { blank(1) } else { blank(0) });
                [first, second]
            });
            all.insert(task.id.clone(), tests.collect());
        }
        for task in &tasks.malformed {
            let blanks = || vec![[blank(0), blank(1)]; task.tests];
            all.entry(task.id.clone()).or_insert_with(blanks);
        }
        Submission { answers: all }
    }

    /// The file's text: one task per line.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{");
        for (n, (id, tests)) in self.answers.iter().enumerate() {
            text.push_str(if n == 0 { "\n" } else { ",\n" });
            // Ids are file names; quoting them as JSON is for those that are not.
            let _ = write!(text, "{}: [", serde_json::Value::from(id.as_str()));
            for (t, [first, second]) in tests.iter().enumerate() {
                let comma = if t == 0 { "" } else { ", " };
                let (first, second) = (rows(first), rows(second));
                let _ = write!(text, "{comma}{{\"attempt_1\": {first}, \"attempt_2\": {second}}}");
            }
            text.push(']');
        }
        text.push_str("\n}\n");
        text
    }

    /// Reads a file and checks its shape against the tasks: every task, every test, both attempts.
    pub fn load(
        path: &Path,
        tasks: &TaskSet,
        limits: &GridLimits,
    ) -> Result<Submission, CorpusError> {
        let bytes = read_limited(path, MAX_BYTES)?;
        read(&parse(&bytes, path)?, tasks, limits).map_err(|fault| fault.at(path))
    }

    /// Reads what there is of a submission, and the ids in it that are no tasks of the set. A test that is
    /// missing is wrong.
    pub fn load_partial(
        path: &Path,
        tasks: &TaskSet,
        limits: &GridLimits,
    ) -> Result<(Submission, Vec<String>), CorpusError> {
        let bytes = read_limited(path, MAX_BYTES)?;
        read_partial(&parse(&bytes, path)?, tasks, limits).map_err(|fault| fault.at(path))
    }
}

/// Reads what there is of a submission: tasks, tests and attempts may be missing. What is there must be of
/// the right shape. Also gives the ids that are no task of the set.
fn read_partial(
    root: &Node,
    tasks: &TaskSet,
    limits: &GridLimits,
) -> Shaped<(Submission, Vec<String>)> {
    // A colour that no expected output has, so that what is missing is never right.
    let missing = Grid::new(1, 1, &[-1]).unwrap_or_else(|| unreachable!("1 x 1"));
    let (mut answers, mut unknown) = (BTreeMap::new(), Vec::new());
    for (id, node) in entries(root)? {
        let Some(task) = tasks.get(id) else {
            unknown.push(id.clone());
            continue;
        };
        let place = format!("task {id}");
        let tests = match node {
            Node::List(tests) => tests.as_slice(),
            other => {
                let problem = format!("{} where a list of attempts is meant", other.describe());
                return Fault::new(&place, problem);
            }
        };
        let mut all = Vec::with_capacity(task.tests.len());
        for (n, test) in tests.iter().take(task.tests.len()).enumerate() {
            let attempt = |key: &str| {
                let place = format!("{place}: output {n} (from 0), `{key}`");
                test.get(key).map(|grid| read_grid(grid, &place, limits)).transpose()
            };
            let attempts = [attempt("attempt_1")?, attempt("attempt_2")?];
            all.push(attempts.map(|grid| grid.unwrap_or_else(|| missing.clone())));
        }
        answers.insert(id.clone(), all);
    }
    Ok((Submission { answers }, unknown))
}

fn entries(root: &Node) -> Shaped<&[(String, Node)]> {
    match root {
        Node::Object(entries) => Ok(entries),
        other => {
            let problem = format!("{} where an object of task ids is meant", other.describe());
            Fault::new("", problem)
        }
    }
}

fn read(root: &Node, tasks: &TaskSet, limits: &GridLimits) -> Shaped<Submission> {
    let entries = entries(root)?;
    if let Some((id, _)) = entries.iter().find(|(id, _)| tasks.get(id).is_none()) {
        let problem = format!("not a task of {}; take it out, or name the right set", tasks.name);
        return Fault::new(&format!("task {id}"), problem);
    }
    let mut answers = BTreeMap::new();
    for task in &tasks.tasks {
        let place = format!("task {}", task.id);
        let Some(node) = root.get(&task.id) else {
            return Fault::new(&place, "is missing; every task of the set needs an entry");
        };
        let tests = match node {
            Node::List(tests) => tests.as_slice(),
            other => {
                let problem = format!("{} where a list of attempts is meant", other.describe());
                return Fault::new(&place, problem);
            }
        };
        if tests.len() != task.tests.len() {
            let problem = format!(
                "{} outputs where the task has {} tests; give one entry per test, in order",
                tests.len(),
                task.tests.len()
            );
            return Fault::new(&place, problem);
        }
        let mut all = Vec::with_capacity(tests.len());
        for (n, test) in tests.iter().enumerate() {
            let attempt = |key: &str| {
                let place = format!("{place}: output {} (from 0), `{key}`", n);
                match test.get(key) {
                    Some(grid) => read_grid(grid, &place, limits),
                    None => Fault::new(&place, "is missing; both attempts must be there"),
                }
            };
            all.push([attempt("attempt_1")?, attempt("attempt_2")?]);
        }
        answers.insert(task.id.clone(), all);
    }
    Ok(Submission { answers })
}

fn rows(grid: &Grid) -> String {
    let row = |row: &[i8]| {
        let cells: Vec<String> = row.iter().map(i8::to_string).collect();
        format!("[{}]", cells.join(", "))
    };
    format!("[{}]", grid.rows().map(row).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Pair, Task, TestPair};

    fn grid(rows: &[&[i8]]) -> Grid {
        Grid::from_rows(rows).unwrap()
    }

    fn tasks() -> TaskSet {
        let one = grid(&[&[1]]);
        let task = |id: &str, tests: usize| Task {
            id: id.to_owned(),
            demos: vec![Pair { input: one.clone(), output: one.clone() }],
            tests: vec![TestPair::new(one.clone(), None); tests],
        };
        TaskSet::new("mine", vec![task("b", 2), task("a", 1)])
    }

    fn problem(text: &str) -> String {
        let root = parse(text.as_bytes(), Path::new("s.json")).unwrap();
        let fault = read(&root, &tasks(), &GridLimits::ARC).unwrap_err();
        fault.at(Path::new("s.json")).to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let submission = Submission::new(&tasks(), |id| match id {
            "a" => vec![vec![grid(&[&[-1]]), grid(&[&[1, 2]]), grid(&[&[1, 2]]), grid(&[&[3]])]],
            _ => vec![vec![grid(&[&[0, 0], &[0, 0]])]],
        });
        let [first, second] = &submission.answers["a"][0];
        assert_eq!((first, second), (&grid(&[&[1, 2]]), &grid(&[&[3]])));
        for [first, second] in submission.answers.values().flatten() {
            assert_ne!(first, second, "two different attempts, always");
        }
        let text = submission.to_json();
        let root = parse(text.as_bytes(), Path::new("s.json")).unwrap();
        assert_eq!(read(&root, &tasks(), &GridLimits::ARC).unwrap(), submission);
    }

    #[test]
    fn what_there_is_of_a_submission_can_be_read() {
        let text = r#"{"b": [{"attempt_2": [[2]]}], "z": []}"#;
        let root = parse(text.as_bytes(), Path::new("s.json")).unwrap();
        let (submission, unknown) = read_partial(&root, &tasks(), &GridLimits::ARC).unwrap();
        assert_eq!(unknown, ["z"]);
        assert_eq!(submission.answers["b"], [[grid(&[&[-1]]), grid(&[&[2]])]]);
        assert!(!submission.answers.contains_key("a"));
    }

    #[test]
    fn the_shape_is_checked() {
        let attempts = r#"{"attempt_1": [[1]], "attempt_2": [[2]]}"#;
        let a = format!(r#"{{"a": [{attempts}]}}"#);
        assert!(problem(&a).contains("task b: is missing"), "{}", problem(&a));
        let b = format!(r#"{{"a": [{attempts}], "b": [{attempts}]}}"#);
        assert!(problem(&b).contains("1 outputs where the task has 2 tests"));
        let c = format!(r#"{{"a": [{attempts}], "c": []}}"#);
        assert!(problem(&c).contains("task c: not a task of mine"));
        let d = format!(r#"{{"a": [{{"attempt_1": [[1]]}}], "b": [{attempts}, {attempts}]}}"#);
        assert!(problem(&d).contains("output 0 (from 0), `attempt_2`: is missing"));
        let e = format!(
            r#"{{"a": [{{"attempt_1": [[77]], "attempt_2": [[1]]}}], "b": [{attempts}, {attempts}]}}"#
        );
        assert!(problem(&e).contains("task a: output 0 (from 0), `attempt_1`"), "{}", problem(&e));
        assert!(problem("[[1]]").contains("object of task ids"));
    }
}
