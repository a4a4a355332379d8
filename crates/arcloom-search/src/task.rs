//! One task from inputs to answers, in stages of growing effort.

use std::cmp::{Ordering, Reverse};

use arcloom_dsl::Stop;
use arcloom_dsl::kernel::sheet::Sheet;

use crate::costs::Costs;
use crate::picture::StartGrids;
use crate::plan::{Recipe, Whole};
use crate::trial::{Trial, TrialSettings};
use crate::view::View;
use crate::without::Without;

/// A task as the search sees it: no test answers.
#[derive(Clone, Debug)]
pub struct Problem {
    pub demos: Vec<(Sheet, Sheet)>,
    pub tests: Vec<Sheet>,
    /// What else is known of the inputs: pictures that programs made of them.
    pub pictures: Vec<StartGrids>,
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
}

impl Effort {
    /// The effort that takes about this long on one core of 2024, on average.
    pub fn seconds(seconds: f64) -> Effort {
        let scaled =
            |per_second: f64, least: f64, most: f64| (per_second * seconds).clamp(least, most);
        Effort {
            bound: 1000,
            grow: scaled(GROWN_PER_SECOND, 1e6, 1e11) as u64,
            stack: scaled(100e6, 2e6, 1e11) as u64,
            pieces: scaled(80e3, 4e3, 120e3) as usize,
        }
    }

    /// About how long it takes.
    pub fn as_seconds(&self) -> f64 {
        self.grow as f64 / GROWN_PER_SECOND
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

/// Of ten parts of what is left those that a way of looking may take that others come after.
const FIRST_PART: u64 = 6;

/// Work of growing in a second.
const GROWN_PER_SECOND: f64 = 70e6;

/// Seconds of the first stage, where there is more than one.
const FIRST_STAGE: f64 = 0.08;
const STAGE_FACTOR: f64 = 6.0;

/// A set of outputs, one for each test input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// Demos whose output comes out exactly.
    pub fits: usize,
    /// Sum of the costs of its pieces, then their number: less is better.
    pub cost: (u16, usize),
    pub outputs: Vec<Sheet>,
    pub plan: Recipe,
    /// The costs of all plans that were found for these outputs, this one's among them.
    pub voices: Vec<u16>,
}

impl SearchAnswer {
    /// How little it is to be trusted: expensive plans, demos that are missed, few plans that agree.
    ///
    /// A demo that is missed weighs as much as several steps, so that a simple plan for most demos comes
    /// before a unlikely one for all of them. The weights are from training tasks.
    pub fn doubt(&self, demos: usize) -> i32 {
        let cost = self.cost.0;
        let agree = self.voices.iter().filter(|c| **c <= cost + NEAR).count();
        i32::from(cost) + MISSED * (demos - self.fits) as i32 - DOUBLED * bits(agree)
    }
}

/// What a demo that does not come out adds to the doubt, and twice as many plans take from it; plans
/// count whose cost is near the least.
const MISSED: i32 = 60;
const DOUBLED: i32 = 8;
const NEAR: u16 = 20;

fn bits(n: usize) -> i32 {
    (usize::BITS - n.leading_zeros()) as i32
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub nodes: usize,
    pub pieces: usize,
    /// In nanoseconds by the scale.
    pub work: u64,
    pub bytes: usize,
}

/// A task being searched, stage by stage.
///
/// When nothing fits all demos, a stage is done once more with the most frequent colour as the background, where that is not
/// 0, and with colours renamed by role, where some differ from demo to demo.
pub struct Search<'a> {
    problem: Problem,
    costs: &'a Costs,
    without: &'a Without,
    stop: &'a Stop,
    trials: Vec<(View, Trial)>,
    /// Ways of looking at it; the next one is for when nothing fits all demos.
    views: Vec<View>,
    /// How many of them were begun.
    begun: usize,
    answers: Vec<SearchAnswer>,
    /// What trials did that are given up.
    done: Figures,
    /// Nanoseconds that all of it is to take at the most.
    most: u64,
}

impl<'a> Search<'a> {
    /// Begins; `first` is the effort of the first stage. Once it is to stop, stages end where they are, and
    /// the answers are not what the effort would have given.
    pub fn new(
        problem: &Problem,
        first: &Effort,
        costs: &'a Costs,
        without: &'a Without,
        stop: &'a Stop,
    ) -> Search<'a> {
        let problem = problem.with_demos(problem.demos.len().min(MOST_DEMOS));
        let views = View::of_task(&problem, without);
        let mut search = Search {
            problem,
            costs,
            without,
            stop,
            trials: Vec::new(),
            views,
            begun: 1,
            answers: Vec::new(),
            done: Figures::default(),
            most: u64::MAX,
        };
        search.begin(search.views[0], first, u64::MAX);
        search
    }

    /// All of it, what was done included, is to take no more than so many nanoseconds by the scale, however
    /// far the efforts of its stages go.
    pub fn keep_within(&mut self, nanos: u64) {
        self.most = nanos;
    }

    /// Nanoseconds that the way of looking with this number may take of what is left: those after it are to
    /// have their turn.
    fn allowed(&self, number: usize) -> u64 {
        let left = self.most.saturating_sub(self.figures().work);
        if number + 1 < self.views.len() { left / 10 * FIRST_PART } else { left }
    }

    /// Begins to look another way.
    fn begin(&mut self, view: View, effort: &Effort, allowed: u64) {
        let seen = view.of(&self.problem);
        let most_bytes = MOST_BYTES / self.views.len().max(2);
        let settings = TrialSettings { costs: self.costs, without: self.without, most_bytes };
        let trial = Trial::new(seen, &settings, effort, allowed, self.stop);
        self.trials.extend(trial.map(|trial| (view, trial)));
    }

    /// Further pictures to start from.
    pub fn add_pictures(&mut self, mut pictures: Vec<StartGrids>) {
        let demos = self.problem.demos.len();
        let inputs = demos + self.problem.tests.len();
        // Of a task with very many demos the first are searched.
        for picture in &mut pictures {
            let more = picture.sheets.len().saturating_sub(inputs);
            picture.sheets.drain(demos..demos + more);
        }
        for (view, trial) in &mut self.trials {
            let seen = pictures.iter().map(|p| view.of_picture(&self.problem, p));
            trial.add_pictures(&seen.collect::<Vec<_>>());
        }
        self.problem.pictures.extend(pictures);
    }

    /// The next stage.
    pub fn further(&mut self, effort: &Effort) {
        for number in 0..self.views.len() {
            let view = self.views[number];
            if number > 0 && self.fits_all() {
                break;
            }
            let before = self.figures().work;
            let allowed = self.allowed(number);
            if number == self.begun {
                self.begin(view, effort, allowed);
                self.begun += 1;
            }
            let allowed = allowed.saturating_sub(self.figures().work - before);
            self.go_on(view, effort, allowed);
        }
    }

    /// All of it once more with rows as columns, in one stage; what has grown before is given up.
    pub fn transposed(&mut self, effort: &Effort) {
        for number in 0..self.views.len() {
            if number > 0 && self.fits_all() {
                break;
            }
            self.look_within(
                View { transposed: true, ..self.views[number] },
                effort,
                self.allowed(number),
            );
        }
    }

    /// One stage of looking another way; what has grown before is given up.
    pub fn look(&mut self, view: View, effort: &Effort) {
        self.look_within(view, effort, u64::MAX);
    }

    fn look_within(&mut self, view: View, effort: &Effort, allowed: u64) {
        self.done = self.figures();
        self.trials.clear();
        self.begin(view, effort, allowed);
        let begun = self.figures().work - self.done.work;
        self.go_on(view, effort, allowed.saturating_sub(begun));
    }

    fn go_on(&mut self, view: View, effort: &Effort, allowed: u64) {
        let Search { problem, trials, answers, stop, .. } = self;
        for (_, trial) in trials.iter_mut().filter(|(v, _)| *v == view) {
            let mut found = trial.further(effort, allowed, stop);
            for answer in &mut found {
                answer.plan.view = view;
                for (output, input) in answer.outputs.iter_mut().zip(&problem.tests) {
                    *output = view.back(problem, output, input);
                }
            }
            keep(answers, found, problem.demos.len());
        }
    }

    /// Whether something fits all demos; a unlikely decision is no reason not to look another way.
    fn fits_all(&self) -> bool {
        let is_sound =
            |a: &SearchAnswer| a.cost.0 <= SOLID || !matches!(a.plan.whole, Whole::Cases(_));
        self.answers.iter().any(|a| a.fits == self.problem.demos.len() && is_sound(a))
    }

    /// Whether something cheap fits all demos, so that a further stage is hardly worth it.
    pub fn is_settled(&self) -> bool {
        let demos = self.problem.demos.len();
        self.answers.iter().any(|a| a.fits == demos && a.cost.0 <= SETTLED)
    }

    /// What was found so far, the least doubtful first.
    pub fn answers(&self) -> &[SearchAnswer] {
        &self.answers
    }

    /// What was done so far.
    pub fn figures(&self) -> Figures {
        let mut figures = Figures { bytes: 0, ..self.done };
        for (_, trial) in &self.trials {
            let done = trial.figures();
            figures.nodes += done.nodes;
            figures.pieces += done.pieces;
            figures.work += done.work;
            figures.bytes += done.bytes;
        }
        figures.bytes = figures.bytes.max(self.done.bytes);
        figures
    }
}

/// The best answers of a search through all stages, or until something cheap fits all demos.
pub fn search(
    problem: &Problem,
    stages: &[Effort],
    costs: &Costs,
    without: &Without,
) -> (Vec<SearchAnswer>, Figures) {
    let Some(first) = stages.first() else { return (Vec::new(), Figures::default()) };
    let stop = Stop::default();
    let mut search = Search::new(problem, first, costs, without, &stop);
    for effort in stages {
        search.further(effort);
        if search.is_settled() {
            break;
        }
    }
    let figures = search.figures();
    (search.answers, figures)
}

/// Of the answers up to this cost that fit all demos of a training task nine of ten are right, of the more expensive
/// ones a third: they are kept, and the search goes on.
pub(crate) const SOLID: u16 = 100;

/// Up to this cost one that fits all demos ends the search: after more expensive ones a further stage still finds right
/// ones (three of 400 training tasks, for a sixth more work).
const SETTLED: u16 = 50;

/// All that grows for a task holds no more than about this.
const MOST_BYTES: usize = 600 << 20;

/// Sets of demos are the bits of a word; of tasks with more demos the first so many are fitted.
pub const MOST_DEMOS: usize = 31;

/// Adds answers to those with other outputs, the least doubtful first. Of those with the same outputs the one
/// that fits most demos at the least cost speaks for all that fit as many.
fn keep(answers: &mut Vec<SearchAnswer>, found: Vec<SearchAnswer>, demos: usize) {
    for mut new in found {
        let Some(known) = answers.iter_mut().find(|a| a.outputs == new.outputs) else {
            answers.push(new);
            continue;
        };
        match known.fits.cmp(&new.fits) {
            Ordering::Greater => {}
            Ordering::Less => *known = new,
            Ordering::Equal => {
                if new.cost < known.cost {
                    std::mem::swap(known, &mut new);
                }
                known.voices.append(&mut new.voices);
            }
        }
    }
    answers.sort_by_key(|a| (a.doubt(demos), Reverse(a.fits), a.cost));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_demos() {
        let sheet = |c: u8| Sheet::new(1, 2, vec![c, 0]).expect("a rectangle");
        let demos = (0..40).map(|k| (sheet(k % 9 + 1), sheet(k % 9 + 1))).collect();
        let problem = Problem { demos, tests: vec![sheet(4)], pictures: Vec::new() };
        let effort = Effort { bound: 10, grow: 100_000, stack: 100_000, pieces: 100 };
        let costs = Costs::uniform();
        let (answers, _) = search(&problem, &[effort], &costs, &Without::default());
        assert_eq!(answers[0].fits, MOST_DEMOS);
        assert_eq!(answers[0].outputs, [sheet(4)]);
    }
}
