//! The task as the search sees it, and the grids besides the inputs that it starts from.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_lang::Program;
use arcloom_search::task::{Problem, SearchAnswer, StartGrids};
use arcloom_tasks::Task;
use arcloom_value::Grid;

use super::known::Known;
use super::terms::Terms;
use crate::run::TaskRun;

/// What it costs the search to start from a grid that the library made: a step costs about 10 there.
const PICTURE_COST: u16 = 20;
const CALL_COST: u16 = 2;

/// Most tests that the search sees. What it finds is run on the others, so that a task with hundreds of them
/// takes no more memory than one with a few.
const MOST_TESTS: usize = 12;

/// As many of the sheets of all inputs as the search sees.
fn seen(task: &Task, mut picture: StartGrids) -> StartGrids {
    picture.sheets.truncate(task.demos.len() + MOST_TESTS);
    picture
}

/// Further pictures, as the search sees them.
pub(super) fn seen_pictures(task: &Task, pictures: Vec<StartGrids>) -> Vec<StartGrids> {
    pictures.into_iter().map(|picture| seen(task, picture)).collect()
}

/// The task as the search sees it, with the pictures of the library and of terms.
pub(super) fn problem(
    task: &Task,
    run: Option<&TaskRun>,
    terms: Option<&Terms<'_>>,
) -> Option<Problem> {
    let demos = task.demos.iter().map(|d| Some((sheet(&d.input)?, sheet(&d.output)?)));
    let tests = task.tests.iter().take(MOST_TESTS).map(|t| sheet(&t.input));
    let inputs = task.demos.len() + MOST_TESTS;
    // A picture that is no sheet stays, with nothing on it, so that numbers stay.
    let of_library = run.iter().flat_map(|run| &run.pictures).map(|picture| StartGrids {
        sheets: picture.grids.iter().take(inputs).map(|g| sheet(g).unwrap_or_default()).collect(),
        cost: PICTURE_COST + CALL_COST * picture.size.min(20) as u16,
    });
    let of_terms = terms.iter().flat_map(|t| t.pictures.iter().map(|hit| t.as_picture(*hit)));
    let of_terms = of_terms.map(|picture| seen(task, picture));
    Some(Problem {
        demos: demos.collect::<Option<_>>()?,
        tests: tests.collect::<Option<_>>()?,
        pictures: of_library.chain(of_terms).collect(),
    })
}

/// The programs of the pictures that an answer starts from, by number; those of the library come first.
/// `None` when one is not known.
pub(super) fn programs(
    answer: &SearchAnswer,
    run: Option<&TaskRun>,
    known: &Known,
    terms: Option<&Terms<'_>>,
) -> Option<BTreeMap<u32, Program>> {
    let of_library = run.map_or(0, |run| run.pictures.len());
    let program = |number: u32| {
        let place = number as usize;
        match run.and_then(|run| run.pictures.get(place)) {
            Some(picture) => Some(known.batt.slice(picture.node, "picture".to_owned())),
            None => terms?.picture(place - of_library),
        }
    };
    answer.plan.pictures().into_iter().map(|number| Some((number, program(number)?))).collect()
}

/// A grid as a sheet; `None` when it has other colours than 0 to 9 or is too large.
pub(super) fn sheet(grid: &Grid) -> Option<Sheet> {
    let cells: Option<Vec<u8>> =
        grid.cells().iter().map(|&c| u8::try_from(c).ok().filter(|c| *c < 10)).collect();
    Sheet::new(grid.height(), grid.width(), cells?)
}

/// A sheet as a grid.
pub(super) fn grid(sheet: &Sheet) -> Option<Grid> {
    let cells: Vec<i8> = sheet.cells().iter().map(|&c| c as i8).collect();
    Grid::new(sheet.height(), sheet.width(), &cells)
}
