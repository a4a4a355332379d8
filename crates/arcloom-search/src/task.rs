//! One task from inputs to answers, in stages of growing effort.

use std::cmp::Reverse;

use arcloom_sheet::{Sheet, roles};

use crate::costs::Costs;
use crate::plan::Plan;
use crate::trial::Trial;

/// A task as the search sees it: no test answers.
#[derive(Clone, Debug)]
pub struct Problem {
    pub demos: Vec<(Sheet, Sheet)>,
    pub tests: Vec<Sheet>,
    /// What else is known of the inputs: pictures that programs made of them.
    pub pictures: Vec<Picture>,
}

/// A picture that something outside of the search made of every input.
#[derive(Clone, Debug)]
pub struct Picture {
    /// One for each demo, then one for each test.
    pub sheets: Vec<Sheet>,
    /// What it costs to start from it.
    pub cost: u16,
}

impl Problem {
    /// The task with its first demos only.
    fn with_demos(&self, demos: usize) -> Problem {
        let mut problem = self.clone();
        problem.demos.truncate(demos);
        for picture in &mut problem.pictures {
            picture.sheets.drain(demos..self.demos.len());
        }
        problem
    }
}

/// How far a stage of a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Cost up to which chains grow; see `costs.rs` for what a step costs.
    pub bound: u16,
    /// Work for growing, in cells looked at.
    pub grow: u64,
    /// Work for stacking.
    pub stack: u64,
    /// Pieces at most.
    pub pieces: usize,
    /// Work for terms of the DSL.
    pub terms: u64,
}

impl Effort {
    /// The effort that takes about this long on one core of 2024, on average.
    pub fn seconds(seconds: f64) -> Effort {
        let scaled =
            |per_second: f64, least: f64, most: f64| (per_second * seconds).clamp(least, most);
        Effort {
            bound: 1000,
            grow: scaled(70e6, 1e6, 1e11) as u64,
            stack: scaled(100e6, 2e6, 1e11) as u64,
            pieces: scaled(80e3, 4e3, 120e3) as usize,
            terms: scaled(12e6, 1e6, 1e9) as u64,
        }
    }

    /// Stages that together take about this long: each one several times the effort of the one before,
    /// and the first ones the same however long the whole takes.
    pub fn stages(seconds: f64) -> Vec<Effort> {
        let mut stages = Vec::new();
        let mut at = FIRST_STAGE;
        while at * STAGE_FACTOR <= seconds * 1.2 {
            stages.push(Effort::seconds(at));
            at *= STAGE_FACTOR;
        }
        stages.push(Effort::seconds(seconds));
        stages
    }
}

/// Seconds of the first stage, where there is more than one.
const FIRST_STAGE: f64 = 0.08;
const STAGE_FACTOR: f64 = 6.0;

/// Parts of the search that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// Stacking: only whole outputs.
    pub stacks: bool,
    /// Layers within masks.
    pub masks: bool,
    /// Tables looked up cell by cell.
    pub tables: bool,
    /// Rules that recolour things.
    pub rules: bool,
    /// Pictures of pictures.
    pub products: bool,
    /// Fitting only some of the demos.
    pub subsets: bool,
    /// Colours renamed by role.
    pub roles: bool,
    /// Learned costs.
    pub costs: bool,
}

/// A set of outputs, one for each test input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Demos whose output comes out exactly.
    pub fits: usize,
    /// The stage that found it.
    pub stage: usize,
    /// Sum of the costs of its pieces, then their number: less is better.
    pub cost: (u16, usize),
    pub outputs: Vec<Sheet>,
    pub plan: Plan,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub nodes: usize,
    pub pieces: usize,
    pub work: u64,
    pub bytes: usize,
}

/// A task being searched, stage by stage.
///
/// When nothing fits all demos and some colours differ from demo to demo, a stage is done once more with
/// colours renamed by role.
pub struct Search<'a> {
    problem: Problem,
    costs: &'a Costs,
    without: &'a Without,
    given: Option<Trial>,
    renamed: Option<Trial>,
    by_role: bool,
    stage: usize,
    answers: Vec<Answer>,
}

impl<'a> Search<'a> {
    /// Begins; `first` is the effort of the first stage.
    pub fn new(
        problem: &Problem,
        first: &Effort,
        costs: &'a Costs,
        without: &'a Without,
    ) -> Search<'a> {
        let problem = problem.with_demos(problem.demos.len().min(MOST_DEMOS));
        let by_role = !without.roles && roles::matter(&problem.demos);
        let given = Trial::new(problem.clone(), first, costs, without);
        let (renamed, answers) = (None, Vec::new());
        Search { problem, costs, without, given, renamed, by_role, stage: 0, answers }
    }

    /// Further pictures to start from, numbered on from those that are there.
    pub fn add_pictures(&mut self, mut pictures: Vec<Picture>) {
        let demos = self.problem.demos.len();
        let inputs = demos + self.problem.tests.len();
        // Of a task with very many demos the first are searched.
        for picture in &mut pictures {
            let more = picture.sheets.len().saturating_sub(inputs);
            picture.sheets.drain(demos..demos + more);
        }
        if let Some(trial) = &mut self.renamed {
            let renamed = pictures.iter().map(|p| picture_by_roles(&self.problem, p));
            trial.add_pictures(renamed.collect());
        }
        if let Some(trial) = &mut self.given {
            trial.add_pictures(pictures.clone());
        }
        self.problem.pictures.extend(pictures);
    }

    /// The next stage.
    pub fn further(&mut self, effort: &Effort) {
        let demos = self.problem.demos.len();
        let found = self.given.as_mut().map(|trial| trial.further(effort)).unwrap_or_default();
        keep(&mut self.answers, found, self.stage);
        if self.by_role && self.answers.first().is_none_or(|a| a.fits < demos) {
            if self.stage == 0 {
                let problem = by_roles(&self.problem);
                self.renamed = Trial::new(problem, effort, self.costs, self.without);
            }
            let trial = self.renamed.as_mut();
            let mut found = trial.map(|trial| trial.further(effort)).unwrap_or_default();
            found.iter_mut().for_each(|answer| name_back(&self.problem, answer));
            keep(&mut self.answers, found, self.stage);
        }
        self.stage += 1;
    }

    /// Whether something cheap fits all demos, so that a further stage is hardly worth it.
    pub fn is_settled(&self) -> bool {
        let demos = self.problem.demos.len();
        self.answers.first().is_some_and(|a| a.fits == demos && a.cost.0 <= SOLID)
    }

    /// What was found so far, best first.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// What was done so far.
    pub fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        for trial in self.given.iter().chain(&self.renamed) {
            let done = trial.figures();
            figures.nodes += done.nodes;
            figures.pieces += done.pieces;
            figures.work += done.work;
            figures.bytes += done.bytes;
        }
        figures
    }
}

/// The best answers of a search through all stages, or until something cheap fits all demos.
pub fn search(
    problem: &Problem,
    stages: &[Effort],
    costs: &Costs,
    without: &Without,
) -> (Vec<Answer>, Figures) {
    let Some(first) = stages.first() else { return (Vec::new(), Figures::default()) };
    let mut search = Search::new(problem, first, costs, without);
    for effort in stages {
        search.further(effort);
        if search.is_settled() {
            break;
        }
    }
    let figures = search.figures();
    (search.answers, figures)
}

/// Of the answers up to this cost that fit all demos of a training task nine of ten are right, of the dearer
/// ones a third: they are kept, and the search goes on.
const SOLID: u16 = 100;

/// Sets of demos are the bits of a word; of tasks with more demos the first so many are fitted.
const MOST_DEMOS: usize = 31;

/// Adds the answers of a stage whose outputs are new, in their places.
fn keep(answers: &mut Vec<Answer>, mut found: Vec<Answer>, stage: usize) {
    found.sort_by_key(|a| (Reverse(a.fits), a.cost));
    for mut answer in found {
        answer.stage = stage;
        match answers.iter().position(|a| a.outputs == answer.outputs) {
            Some(known) if answers[known].fits >= answer.fits => {}
            Some(known) => answers[known] = answer,
            None => answers.push(answer),
        }
    }
    answers.sort_by_key(|a| (Reverse(a.fits), a.cost.0.max(SOLID) / 20, a.stage, a.cost));
}

/// The task with colours renamed by role.
fn by_roles(problem: &Problem) -> Problem {
    let map = |input: &Sheet| roles::renaming(&problem.demos, input);
    let rename = |(input, output): &(Sheet, Sheet)| {
        let map = map(input);
        (roles::rename(input, &map), roles::rename(output, &map))
    };
    Problem {
        demos: problem.demos.iter().map(rename).collect(),
        tests: problem.tests.iter().map(|t| roles::rename(t, &map(t))).collect(),
        pictures: problem.pictures.iter().map(|p| picture_by_roles(problem, p)).collect(),
    }
}

fn picture_by_roles(problem: &Problem, picture: &Picture) -> Picture {
    let inputs = problem.demos.iter().map(|d| &d.0).chain(&problem.tests);
    let sheets = picture.sheets.iter().zip(inputs);
    let rename = |(sheet, input)| roles::rename(sheet, &roles::renaming(&problem.demos, input));
    Picture { sheets: sheets.map(rename).collect(), cost: picture.cost }
}

/// Gives the outputs of an answer to a renamed task their own colours.
fn name_back(problem: &Problem, answer: &mut Answer) {
    answer.plan.renamed = true;
    for (output, input) in answer.outputs.iter_mut().zip(&problem.tests) {
        let map = roles::renaming(&problem.demos, input);
        *output = roles::rename(output, &roles::inverse(&map));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_demos() {
        let sheet = |c: u8| Sheet::new(1, 2, vec![c, 0]).expect("a rectangle");
        let demos = (0..40).map(|k| (sheet(k % 9 + 1), sheet(k % 9 + 1))).collect();
        let problem = Problem { demos, tests: vec![sheet(4)], pictures: Vec::new() };
        let effort = Effort { bound: 10, grow: 100_000, stack: 100_000, pieces: 100, terms: 0 };
        let costs = Costs::uniform();
        let (answers, _) = search(&problem, &[effort], &costs, &Without::default());
        assert_eq!(answers[0].fits, MOST_DEMOS);
        assert_eq!(answers[0].outputs, [sheet(4)]);
    }
}
