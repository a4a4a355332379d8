//! Who judges candidates: native differs and programs `differ(S, I, C)` of the user's.

use std::sync::Arc;

use arcloom_dsl::differ;
use arcloom_graph::{Column, Limits, Machine, OwnDiffer, Stop, TaskView};
use arcloom_value::{FixedMap, Grid, Value};

use super::judge::DifferScore;
use crate::library::Entry;

/// A choice of differs.
#[derive(Debug, Clone, Default)]
pub struct Differs {
    native: bool,
    user: Vec<OwnDiffer>,
}

/// Who is among the differs.
pub(super) enum DifferKind {
    /// Nobody.
    None,
    /// The built-in ones alone.
    Native,
    /// Somebody else too, or alone.
    Mixed,
}

impl Differs {
    pub(super) fn kind(&self) -> DifferKind {
        match (self.native, self.user.is_empty()) {
            (false, true) => DifferKind::None,
            (true, true) => DifferKind::Native,
            (_, false) => DifferKind::Mixed,
        }
    }

    /// Only exact scoring: ranked by the share of right cells.
    pub fn none() -> Differs {
        Differs::default()
    }

    /// The built-in ones.
    pub fn native() -> Differs {
        Differs { native: true, user: Vec::new() }
    }

    /// Also these programs: `I` is the candidate's grid and `C` the expected one, and the result is a
    /// score from 0 to 1000 or a tuple of the score and what was found.
    pub fn with_programs(mut self, programs: &[Entry]) -> Differs {
        self.user.extend(programs.iter().map(|entry| OwnDiffer::new(&entry.program)));
        self
    }

    /// Names, the native ones first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let native = if self.native { differ::ALL } else { &[] };
        let user = self.user.iter().map(|differ| differ.name.as_str());
        native.iter().map(|differ| differ.name).chain(user)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names().count()
    }

    /// True when only right cells count.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A differ that did not judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferFault {
    /// Its name.
    pub name: String,
    /// How often that happened.
    pub times: usize,
    /// Why, the first time.
    pub reason: String,
}

/// The differs, with what they need of one task.
pub(super) struct Bench<'a> {
    differs: &'a Differs,
    task: &'a TaskView,
    machine: Machine,
    /// What was said already, by demo and position of the grid among the column's.
    said: FixedMap<(usize, usize), Opinion>,
    faults: Vec<DifferFault>,
}

/// What is said about one grid of one demo.
#[derive(Clone)]
struct Opinion {
    similarity: u32,
    /// By differ, the native ones first; 0 from those that did not judge.
    scores: Vec<u32>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(differs: &'a Differs, task: &'a TaskView, limits: Limits) -> Bench<'a> {
        Bench {
            differs,
            task,
            machine: limits.machine(),
            said: FixedMap::default(),
            faults: Vec::new(),
        }
    }

    /// Ends with the run: what is said once `stop` is set means nothing.
    pub(super) fn watch(&mut self, stop: &Stop) {
        self.machine.watch(stop);
    }

    /// Mean similarity of a node over the demos, and the mean score of every differ.
    pub(super) fn judge(&mut self, columns: &[Arc<Column>], node: usize) -> (u32, Vec<u32>) {
        let demos = self.task.demo_count();
        let mut mean = Opinion { similarity: 0, scores: vec![0; self.differs.len()] };
        for (demo, column) in columns.iter().take(demos).enumerate() {
            let Some(place) = column.codes[node].grid() else { continue };
            let opinion = match self.said.get(&(demo, place)) {
                Some(opinion) => opinion.clone(),
                None => {
                    let opinion = self.opinion(demo, &column.grids[place]);
                    self.said.insert((demo, place), opinion.clone());
                    opinion
                }
            };
            mean.similarity += opinion.similarity;
            mean.scores.iter_mut().zip(opinion.scores).for_each(|(sum, score)| *sum += score);
        }
        let share = |sum: u32| sum / (demos as u32).max(1);
        (share(mean.similarity), mean.scores.into_iter().map(share).collect())
    }

    /// The scores by name, with what each differ finds on the first demo where it finds something.
    pub(super) fn explain(
        &mut self,
        columns: &[Arc<Column>],
        node: usize,
        scores: &[u32],
    ) -> Vec<DifferScore> {
        let mut explained: Vec<DifferScore> = self
            .differs
            .names()
            .zip(scores)
            .map(|(name, &score)| DifferScore { differ: name.to_string(), score, finding: None })
            .collect();
        for (demo, column) in columns.iter().take(self.task.demo_count()).enumerate() {
            let Some(grid) = column.grid(node) else { continue };
            for (n, score) in explained.iter_mut().enumerate() {
                if score.finding.is_none() {
                    score.finding = self.finding(n, demo, grid);
                }
            }
        }
        explained
    }

    /// Differs that did not judge.
    pub(super) fn into_faults(self) -> Vec<DifferFault> {
        self.faults
    }

    fn opinion(&mut self, demo: usize, grid: &Grid) -> Opinion {
        let mut scores = Vec::with_capacity(self.differs.len());
        let mut similarity = 0;
        if self.differs.native {
            let pair = differ::Comparison::new(grid, &self.task.expected()[demo]);
            scores.extend(differ::ALL.iter().map(|differ| u32::from(differ.score(&pair))));
            similarity = u32::from(differ::total(&pair));
        }
        let mut judges = u32::from(self.differs.native);
        for n in 0..self.differs.user.len() {
            let said = self.ask(n, demo, grid);
            judges += u32::from(said.is_some());
            let score = said.map_or(0, |(score, _)| score);
            similarity += score;
            scores.push(score);
        }
        similarity /= judges.max(1);
        Opinion { similarity, scores }
    }

    fn finding(&mut self, n: usize, demo: usize, grid: &Grid) -> Option<Value> {
        let native = if self.differs.native { differ::ALL.len() } else { 0 };
        match n.checked_sub(native) {
            None => {
                differ::ALL[n]
                    .judge(&differ::Comparison::new(grid, &self.task.expected()[demo]))
                    .finding
            }
            Some(user) => self.ask(user, demo, grid).and_then(|(_, finding)| finding),
        }
    }

    /// What a user's differ says: a score, and maybe a finding. It counts as a fault when it fails or
    /// gives something else.
    fn ask(&mut self, n: usize, demo: usize, grid: &Grid) -> Option<(u32, Option<Value>)> {
        let differ = &self.differs.user[n];
        let reason = match differ.judge(&mut self.machine, self.task, demo, grid) {
            Ok(said) => return Some(said),
            Err(reason) => reason,
        };
        let name = &differ.name;
        match self.faults.iter_mut().find(|fault| fault.name == *name) {
            Some(fault) => fault.times += 1,
            None => self.faults.push(DifferFault { name: name.clone(), times: 1, reason }),
        }
        None
    }
}
