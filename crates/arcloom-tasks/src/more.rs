//! Further pairs of tasks, which no search has seen: what a program has to stand before it is called
//! a solver.
//!
//! ```json
//! {"00576224": [{"input": [[0, 0]], "output": [[1, 1]]}], "12997ef3": [..]}
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use crate::catalog::embedded_part;
use crate::disk::read_limited;
use crate::error::CorpusError;
use crate::json::{Node, parse};
use crate::shape::{Fault, Shaped, bare, read_pair};
use crate::task::{GridLimits, Pair, TaskSet};

/// As much as a task file.
const MAX_BYTES: u64 = 256 << 20;
/// Further pairs per built-in task.
const EMBEDDED: usize = 6;

/// Pairs by task id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MorePairs {
    /// Never empty for an id that is there.
    pub pairs: BTreeMap<String, Vec<Pair>>,
}

impl MorePairs {
    /// The further pairs of a task.
    pub fn of(&self, id: &str) -> &[Pair] {
        self.pairs.get(id).map_or(&[], Vec::as_slice)
    }

    /// Reads a file of pairs for some of these tasks. A pair that starts from a test of its task is
    /// refused: the answers of tests decide nothing.
    pub fn load(
        path: &Path,
        tasks: &TaskSet,
        limits: &GridLimits,
    ) -> Result<MorePairs, CorpusError> {
        let bytes = read_limited(path, MAX_BYTES)?;
        read(&parse(&bytes, path)?, Some(tasks), limits).map_err(|fault| fault.at(path))
    }

    /// Fresh draws of the generators behind the built-in tasks, for those of the tasks that are built
    /// in.
    pub fn embedded(tasks: &TaskSet, limits: &GridLimits) -> Result<MorePairs, CorpusError> {
        let path = Path::new("embedded");
        let known = TaskSet::new("embedded", embedded_part(limits)?.1);
        let is_ours = |id: &str| known.get(id).is_some_and(|task| tasks.get(id) == Some(task));
        let text = crate::embedded::generate::more(is_ours, EMBEDDED);
        read(&parse(text.as_bytes(), path)?, None, limits).map_err(|fault| fault.at(path))
    }

    /// These and those.
    pub fn extend(&mut self, other: MorePairs) {
        for (id, pairs) in other.pairs {
            self.pairs.entry(id).or_default().extend(pairs);
        }
    }
}

fn read(root: &Node, tasks: Option<&TaskSet>, limits: &GridLimits) -> Shaped<MorePairs> {
    let Node::Object(entries) = root else {
        let problem = format!("{} where an object of task ids is meant", root.describe());
        return Fault::new("", problem);
    };
    let mut all = MorePairs::default();
    for (id, node) in entries {
        let place = format!("task {}", bare(id));
        let Node::List(list) = node else {
            let problem = format!("{} where a list of pairs is meant", node.describe());
            return Fault::new(&place, problem);
        };
        let pair = |(n, pair)| read_pair(pair, &format!("{place}: `[{n}]"), limits);
        let pairs: Vec<Pair> = list.iter().enumerate().map(pair).collect::<Shaped<_>>()?;
        if let Some(set) = tasks {
            let Some(task) = set.get(id) else {
                let problem = format!("not a task of {}; take it out", set.name);
                return Fault::new(&place, problem);
            };
            let is_test = |pair: &Pair| task.tests.iter().any(|test| test.input == pair.input);
            if let Some(n) = pairs.iter().position(is_test) {
                let problem = "starts from a test of the task, whose answer may decide nothing; \
                               take it out";
                return Fault::new(&format!("{place}: `[{n}]`"), problem);
            }
        }
        if !pairs.is_empty() {
            all.pairs.insert(id.clone(), pairs);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Task, TestPair};
    use arcloom_value::Grid;

    fn tasks() -> TaskSet {
        let grid = |cell: i8| Grid::from_rows(&[&[cell][..]]).unwrap();
        let demos = vec![Pair { input: grid(1), output: grid(2) }];
        let tests = vec![TestPair::new(grid(3), None)];
        TaskSet::new("mine", vec![Task { id: "a".to_owned(), demos, tests }])
    }

    fn of(text: &str) -> Result<MorePairs, String> {
        let path = Path::new("more.json");
        let root = parse(text.as_bytes(), path).map_err(|error| error.to_string())?;
        read(&root, Some(&tasks()), &GridLimits::ARC).map_err(|fault| fault.at(path).to_string())
    }

    #[test]
    fn pairs_are_read_by_task() {
        let more = of(r#"{"a": [{"input": [[4]], "output": [[5]]}]}"#).unwrap();
        assert_eq!((more.of("a").len(), more.of("b").len()), (1, 0));
        assert_eq!(more.of("a")[0].output.cells(), &[5]);
        assert!(of(r#"{"a": []}"#).unwrap().pairs.is_empty());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let problem = |text: &str| of(text).unwrap_err();
        let pair = r#"{"input": [[4]], "output": [[5]]}"#;
        assert_eq!(
            problem(&format!(r#"{{"b": [{pair}]}}"#)),
            "more.json: task b: not a task of mine; take it out"
        );
        assert_eq!(
            problem(r#"{"a": [{"input": [[4]]}]}"#),
            "more.json: task a: `[0]`: the key \"output\" is missing; add its grid"
        );
        assert!(
            problem(r#"{"a": [{"input": [[3]], "output": [[5]]}]}"#)
                .contains("task a: `[0]`: starts from a test of the task")
        );
        assert!(
            problem(r#"{"a": [{"input": [[4, 77]], "output": [[5]]}]}"#)
                .contains("task a: `[0].input` row 0, column 1 (from 0): 77 is not a colour")
        );
        assert!(problem("[[1]]").contains("object of task ids"));
        assert!(problem(r#"{"a": 3}"#).contains("task a: 3 where a list of pairs is meant"));
    }

    #[test]
    fn built_in_tasks_have_further_pairs_and_others_have_none() {
        let set = TaskSet::new("embedded", embedded_part(&GridLimits::ARC).unwrap().1);
        let more = MorePairs::embedded(&set, &GridLimits::ARC).unwrap();
        assert_eq!(more.pairs.len(), set.tasks.len());
        for task in &set.tasks {
            let pairs = more.of(&task.id);
            assert!(pairs.len() >= 3, "{}: {}", task.id, pairs.len());
            let seen = |input: &Grid| {
                task.demos.iter().any(|pair| pair.input == *input)
                    || task.tests.iter().any(|test| test.input == *input)
            };
            assert!(pairs.iter().all(|pair| !seen(&pair.input)), "{}", task.id);
        }
        assert!(MorePairs::embedded(&tasks(), &GridLimits::ARC).unwrap().pairs.is_empty());
    }
}
