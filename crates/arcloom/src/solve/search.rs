//! Search: chains of steps on sheets enumerated by value, composed to outputs.

use std::collections::BTreeMap;

use arcloom_graph::Stop;
use arcloom_lang::Program;
use arcloom_search::costs::Costs;
use arcloom_search::picture::{PictureId, StartGrids};
use arcloom_search::program::program;
use arcloom_search::task::{Effort, MOST_DEMOS, Problem, Search, SearchAnswer};
use arcloom_search::without::{SearchPart, Without};
use arcloom_tasks::Task;
use arcloom_value::Grid;

use super::desk::{Desk, Found, MOST_TESTS};
use super::finder::{Finder, Hunt, Spent};
use super::options::nanos;
use super::pictures::{Pictures, grid, sheet};
use super::{Ingredient, Solve};

/// Answers that become proposals at most.
const ANSWERS: usize = 6;

/// Of the seconds that are left after its stages, the search has one in so many for rows as columns:
/// evolution does more with them.
const TRANSPOSED: f64 = 3.0;

/// What a search knows before it sees a task.
pub(super) struct Sheets<'s> {
    costs: Costs,
    without: Without,
    stop: &'s Stop,
}

impl<'s> Sheets<'s> {
    /// With the costs that were learned from tasks of other folds.
    pub(super) fn new(solve: Solve<'s>, withheld: Option<u8>) -> Sheets<'s> {
        let (without, stop) = (solve.options.search_without(), solve.stop);
        Sheets { costs: Costs::learned(withheld), without, stop }
    }

    /// The same without a further part.
    pub(super) fn without(self, part: SearchPart) -> Sheets<'s> {
        Sheets { without: self.without.and(part), ..self }
    }
}

impl Finder for Sheets<'_> {
    fn ingredient(&self) -> Ingredient {
        Ingredient::Search
    }

    fn begin<'a>(&'a self, desk: &Desk<'a>) -> Option<Box<dyn Hunt<'a> + 'a>> {
        Some(Box::new(SearchRun::new(self, problem(desk.task)?)))
    }
}

/// A search on the pairs of a problem.
pub(super) struct SearchRun<'a> {
    sheets: &'a Sheets<'a>,
    problem: Problem,
    /// How many of the pictures it starts from.
    seen: usize,
    /// Nanoseconds, by the scale, that it is to take at the most.
    most: u64,
    search: Option<Search<'a>>,
}

impl<'a> SearchRun<'a> {
    pub(super) fn new(sheets: &'a Sheets<'a>, problem: Problem) -> SearchRun<'a> {
        SearchRun { sheets, problem, seen: 0, most: u64::MAX, search: None }
    }

    /// Takes no more than so many nanoseconds, by the scale, altogether.
    pub(super) fn keep_within(&mut self, nanos: u64) {
        self.most = nanos;
    }

    /// Goes on as far as the effort says, from further pictures too.
    pub(super) fn go_on(&mut self, pictures: Vec<StartGrids>, effort: &Effort) {
        let Sheets { costs, without, stop } = self.sheets;
        let search = match &mut self.search {
            Some(search) => {
                search.add_pictures(pictures);
                search
            }
            none => {
                let problem = Problem { pictures, ..self.problem.clone() };
                none.insert(Search::new(&problem, effort, costs, without, stop))
            }
        };
        search.keep_within(self.most);
        search.further(effort);
    }

    /// The best answers with their programs on the problem's inputs; `None` for an answer without one.
    pub(super) fn found(&self, name: &str, pictures: &Pictures<'_>) -> Vec<Option<Found>> {
        let demos = self.problem.demos.len().min(MOST_DEMOS);
        let answers = self.search.iter().flat_map(|search| search.answers().iter().take(ANSWERS));
        answers.map(|answer| found(answer, demos, name, pictures)).collect()
    }
}

impl<'a> Hunt<'a> for SearchRun<'a> {
    fn further(&mut self, desk: &mut Desk<'a>, effort: &Effort) {
        let new = desk.pictures.since(self.seen);
        self.seen = desk.pictures.len();
        self.most = desk.most;
        self.go_on(new, effort);
    }

    fn beyond(&mut self, _desk: &mut Desk<'a>, seconds: f64) {
        if let Some(search) = &mut self.search
            && !self.sheets.without.leaves_out(SearchPart::Transposed)
        {
            search.keep_within(search.figures().work + nanos(seconds / TRANSPOSED));
            search.transposed(&Effort::seconds(seconds / TRANSPOSED));
        }
    }

    fn is_settled(&self) -> bool {
        self.search.as_ref().is_some_and(Search::is_settled)
    }

    fn propose(&mut self, desk: &mut Desk<'a>) {
        for found in self.found(&desk.name(), &desk.pictures) {
            desk.propose(Ingredient::Search, found);
        }
    }

    fn spent(&self) -> Spent {
        let figures = self.search.as_ref().map(Search::figures).unwrap_or_default();
        Spent { work: figures.work, bytes: figures.bytes, chains: figures.nodes }
    }
}

/// A task as the search sees it; `None` where a grid is no sheet.
pub(super) fn problem(task: &Task) -> Option<Problem> {
    let demos = task.demos.iter().map(|d| Some((sheet(&d.input)?, sheet(&d.output)?)));
    let tests = task.tests.iter().take(MOST_TESTS).map(|t| sheet(&t.input));
    Some(Problem {
        demos: demos.collect::<Option<_>>()?,
        tests: tests.collect::<Option<_>>()?,
        pictures: Vec::new(),
    })
}

/// An answer with its program.
fn found(
    answer: &SearchAnswer,
    demos: usize,
    name: &str,
    pictures: &Pictures<'_>,
) -> Option<Found> {
    let outputs: Vec<Grid> = answer.outputs.iter().map(grid).collect::<Option<_>>()?;
    let starts = answer.plan.pictures().into_iter();
    let starts: Option<BTreeMap<PictureId, Program>> =
        starts.map(|id| Some((id, pictures.program(id)?))).collect();
    let program = program(&answer.plan, name, &starts?).ok()?;
    Some(Found { program, outputs, fits: answer.fits, doubt: answer.doubt(demos) })
}
