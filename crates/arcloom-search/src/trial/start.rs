//! Where the growth of a task begins: the steps it takes, the pictures it starts from, and what the sizes
//! of the outputs are taken to be.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::sheet::{measure, tally};

use super::TrialSettings;
use crate::choose;
use crate::costs::TaskKind;
use crate::grow::ChainGrowth;
use crate::picture::{Start, StartGrids};
use crate::size::{self, Guess, Size};
use crate::steps::{self, Bounds, Step};
use crate::task::Problem;
use crate::without::{SearchPart, Without};

/// The inputs of the demos, then of the tests.
fn inputs(problem: &Problem) -> impl Iterator<Item = &Sheet> {
    problem.demos.iter().map(|d| &d.0).chain(&problem.tests)
}

/// Cells of the largest input or output.
pub(super) fn largest(problem: &Problem) -> usize {
    let largest = inputs(problem).map(|s| s.cells().len()).max().unwrap_or(1);
    problem.demos.iter().map(|d| d.1.cells().len()).fold(largest, usize::max)
}

/// A growth from the inputs and the pictures of a task.
pub(super) fn growth(
    problem: &Problem,
    settings: &TrialSettings<'_>,
    largest: usize,
) -> ChainGrowth {
    let bounds = inputs(problem)
        .map(|s| Bounds { picture: s.clone(), output: None, cells: 2 * largest })
        .collect();
    let mut growth = ChainGrowth::new(bounds, steps(problem, settings), settings.most_bytes);
    for picture in &problem.pictures {
        seed(&mut growth, picture, largest);
    }
    growth
}

/// The steps that may be of use, with their costs.
fn steps(problem: &Problem, settings: &TrialSettings<'_>) -> Vec<(Step, u16)> {
    let colors = inputs(problem).fold(0, |m, s| m | measure::colors(s));
    let kind = TaskKind::of(&problem.demos);
    let learned = !settings.without.leaves_out(SearchPart::Costs);
    let cost = |s: &Step| if learned { settings.costs.of(s, kind) } else { 10 };
    let numbers = !settings.without.leaves_out(SearchPart::Numbers);
    let is_wanted = |s: &Step| match s {
        Step::Declared(step) => numbers || !tally::STEPS.contains(&step.record.name),
        _ => true,
    };
    steps::all(colors).into_iter().filter(is_wanted).map(|s| (s, cost(&s))).collect()
}

/// Starts from a picture too, unless it is larger than anything in the task would be.
pub(super) fn seed(growth: &mut ChainGrowth, picture: &StartGrids, largest: usize) {
    if picture.sheets.iter().all(|s| (1..=2 * largest).contains(&s.cells().len())) {
        growth.seed(Start::Picture(picture.id), picture.sheets.clone(), picture.cost);
    }
}

/// Every output has the size of its input.
pub(super) fn same_sizes(problem: &Problem) -> Guess {
    let sizes = inputs(problem).map(|s| (s.height(), s.width())).collect();
    Guess { sizes, from: size::From::Input }
}

/// The sizes that what has grown explains best.
pub(super) fn guess(
    growth: &mut ChainGrowth,
    targets: &[Sheet],
    without: &Without,
    work: &mut u64,
) -> Option<Guess> {
    if !without.leaves_out(SearchPart::Rules) {
        choose::add_rules(growth, targets, work);
    }
    let expected: Vec<Size> = targets.iter().map(|t| (t.height(), t.width())).collect();
    size::guesses(growth, &expected, 1).into_iter().next()
}
