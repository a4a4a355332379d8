//! The task within frames, and the way back from its outputs.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;

use super::TaskFrame;
use crate::task::{MOST_DEMOS, Problem};

/// A task that was made of another one.
pub struct FramedTask {
    /// The frames, the outermost first; the last one alone may cut.
    pub frames: Vec<TaskFrame>,
    /// The task.
    pub problem: Problem,
    /// The inputs of the outer task's tests before each frame.
    inputs: Vec<Vec<Sheet>>,
    /// For each of these tests the tests of the task that its parts are.
    parts: Vec<Vec<usize>>,
}

/// Most tests of a task that is made of parts.
const MOST_TESTS: usize = 24;

impl FramedTask {
    /// The task within frames; `None` where they do not fit it or show nothing of it.
    pub fn of(problem: &Problem, frames: &[TaskFrame]) -> Option<FramedTask> {
        let (last, outer) = frames.split_last()?;
        let mut demos = problem.demos.clone();
        let mut tests = problem.tests.clone();
        let mut inputs = Vec::new();
        for frame in outer {
            frame.check(&demos, &tests)?;
            let single = |parts: Vec<Sheet>| parts.into_iter().next();
            let within = |(input, output): &(Sheet, Sheet)| {
                Some((single(frame.parts(input)?)?, single(frame.exact_parts(output, input)?)?))
            };
            demos = demos.iter().map(within).collect::<Option<_>>()?;
            let seen = tests.iter().map(|test| single(frame.parts(test)?));
            let seen = seen.collect::<Option<_>>()?;
            inputs.push(std::mem::replace(&mut tests, seen));
        }
        last.check(&demos, &tests)?;
        let mut became: BTreeMap<Key, Sheet> = BTreeMap::new();
        let mut pairs: Vec<(Sheet, Sheet)> = Vec::new();
        for (input, output) in &demos {
            let (parts, outputs) = (last.parts(input)?, last.exact_parts(output, input)?);
            if parts.len() != outputs.len() {
                return None;
            }
            for (part, output) in parts.into_iter().zip(outputs) {
                match became.get(&key(&part)) {
                    Some(known) if *known == output => {}
                    Some(_) => return None,
                    None => {
                        became.insert(key(&part), output.clone());
                        pairs.push((part, output));
                    }
                }
            }
        }
        // Of very many those say most in which something changes.
        if pairs.len() > MOST_DEMOS {
            pairs.sort_by_key(|(part, output)| part == output);
        }
        let mut distinct: Vec<Sheet> = Vec::new();
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut parts = Vec::new();
        for test in &tests {
            let mut own = Vec::new();
            for part in last.parts(test)? {
                let number = *numbers.entry(key(&part)).or_insert_with(|| {
                    distinct.push(part);
                    distinct.len() - 1
                });
                own.push(number);
            }
            parts.push(own);
        }
        if pairs.is_empty() || distinct.is_empty() || distinct.len() > MOST_TESTS {
            return None;
        }
        inputs.push(tests);
        let problem = Problem { demos: pairs, tests: distinct, pictures: Vec::new() };
        Some(FramedTask { frames: frames.to_vec(), problem, inputs, parts })
    }

    /// The outputs for the tests of the outer task, from those for the tests of this one.
    pub fn joined(&self, outputs: &[Sheet]) -> Option<Vec<Sheet>> {
        let last = self.frames.len() - 1;
        let one = |(test, parts): (usize, &Vec<usize>)| {
            let parts: Option<Vec<Sheet>> =
                parts.iter().map(|&n| outputs.get(n).cloned()).collect();
            let mut made = self.frames[last].joined(&parts?, &self.inputs[last][test])?;
            for level in (0..last).rev() {
                made = self.frames[level].joined(&[made], &self.inputs[level][test])?;
            }
            Some(made)
        };
        self.parts.iter().enumerate().map(one).collect()
    }
}

type Key = (usize, usize, Vec<u8>);

fn key(sheet: &Sheet) -> Key {
    (sheet.height(), sheet.width(), sheet.cells().to_vec())
}
