//! One task: what the library did on it, then terms and the search, stage by stage.
//!
//! Each takes what the one before it found: grids that programs of the library made are pictures the
//! search starts from, and so are grids that terms give.

use arcloom_graph::view::grids;
use arcloom_graph::{Plan, TaskView};
use arcloom_lang::{Form, Program, function_name, load_file, text};
use arcloom_search::program::program;
use arcloom_search::task::{self as search, Effort, Search, SearchAnswer};
use arcloom_tasks::{GridLimits, Task};
use arcloom_value::Grid;

use super::known::Known;
use super::options::FURTHER_FROM;
use super::pictures::{self, grid, problem};
use super::proposals::{doubt, needed, propose, rank};
use super::terms::Terms;
use super::{Ingredient, Proposal, Solve, SolveTask};
use crate::run::TaskRun;

/// Answers of the search, and of terms, that become proposals at most.
pub(super) const ANSWERS: usize = 6;

/// Of the seconds that are left after its stages, the search has one in so many for rows as columns:
/// evolution does more with them.
const TRANSPOSED: f64 = 3.0;

/// What the search did on a task.
#[derive(Default)]
struct Searched {
    figures: search::Figures,
    proposals: Vec<Proposal>,
    unprintable: usize,
}

impl Solve<'_> {
    /// What the library did on a task, and what is found beyond that; not all of it once the run is to end.
    pub(super) fn task(&self, task: &Task, run: Option<&TaskRun>, known: &Known) -> SolveTask {
        let demos = task.demos.len();
        let view = TaskView::new(task);
        let mut proposals = run.map(|run| transferred(run, demos)).unwrap_or_default();
        let stages = Effort::stages(self.options.search_seconds());
        let mut terms = self.options.terms.then(|| Terms::new(task, &known.grammar));
        if let (Some(terms), Some(first)) = (&mut terms, stages.first()) {
            terms.further(first);
        }
        let mut searched = Searched::default();
        if self.options.search {
            let fits = proposals.iter().any(|p| p.fits == demos);
            searched = self.search((task, &view), run, known, (&stages, &mut terms), fits);
        } else if let Some(terms) = &mut terms {
            let more = stages.iter().skip(1);
            more.take_while(|_| !self.stop.is_due()).for_each(|effort| _ = terms.further(effort));
        }
        let Searched { figures, proposals: found, mut unprintable } = searched;
        found.into_iter().for_each(|proposal| propose(&mut proposals, proposal));
        let answers = terms.iter().flat_map(|terms| terms.answers(&function_name(&task.id)));
        for (place, (outputs, program)) in answers.enumerate() {
            let doubt = doubt(0, place);
            match self.proven(&view, &program, outputs, demos, Ingredient::Terms, doubt) {
                Some(proposal) => propose(&mut proposals, proposal),
                None => unprintable += 1,
            }
        }
        rank(&mut proposals);
        proposals.truncate(needed(&proposals));
        let growth = terms.as_ref().map(|terms| &terms.growth);
        SolveTask {
            id: task.id.clone(),
            demos,
            proposals,
            chains: figures.nodes,
            terms: growth.map_or(0, |growth| growth.len()),
            work: figures.work + growth.map_or(0, |growth| growth.work),
            bytes: figures.bytes + growth.map_or(0, |growth| growth.bytes()),
            unprintable,
        }
    }

    /// The search, stage by stage, with terms growing beside it; `fits` when something fits already.
    fn search(
        &self,
        (task, view): (&Task, &TaskView),
        run: Option<&TaskRun>,
        known: &Known,
        (stages, terms): (&[Effort], &mut Option<Terms<'_>>),
        mut fits: bool,
    ) -> Searched {
        let mut searched = Searched::default();
        let first = stages.first();
        let Some((first, problem)) = first.zip(problem(task, run, terms.as_ref())) else {
            return searched;
        };
        let (options, stop) = (self.options, self.stop);
        let mut search = Search::new(&problem, first, &known.costs, &options.without, stop);
        for (number, effort) in stages.iter().enumerate() {
            if let (Some(terms), 1..) = (terms.as_mut(), number) {
                search.add_pictures(pictures::seen_pictures(task, terms.further(effort)));
            }
            search.further(effort);
            fits |= terms.as_ref().is_some_and(|t| t.fits_all().next().is_some());
            if fits || search.is_settled() || stop.is_set() {
                break;
            }
        }
        let work = search.figures().work + terms.as_ref().map_or(0, |t| t.growth.work);
        let seconds = options.seconds_left(work) / TRANSPOSED;
        if options.budget >= FURTHER_FROM
            && seconds > 0.0
            && !options.without.transposed
            && !fits
            && !search.is_settled()
            && !stop.is_set()
        {
            search.transposed(&Effort::seconds(seconds));
        }
        searched.figures = search.figures();
        for answer in search.answers().iter().take(ANSWERS) {
            match self.answered(view, answer, run, known, terms.as_ref()) {
                Some(proposal) => searched.proposals.push(proposal),
                None => searched.unprintable += 1,
            }
        }
        searched
    }

    /// An answer of the search with its program.
    fn answered(
        &self,
        task: &TaskView,
        answer: &SearchAnswer,
        run: Option<&TaskRun>,
        known: &Known,
        terms: Option<&Terms<'_>>,
    ) -> Option<Proposal> {
        let outputs: Vec<Grid> = answer.outputs.iter().map(grid).collect::<Option<_>>()?;
        let pictures = pictures::programs(answer, run, known, terms)?;
        let made = program(&answer.plan, &function_name(&task.id), &pictures).ok()?;
        // The search does not see all tests of a task with very many.
        let outputs = match outputs.len() < task.test_count() {
            true => self.predicted(task, &made).filter(|all| all.starts_with(&outputs))?,
            false => outputs,
        };
        let doubt = answer.doubt(task.demo_count().min(search::MOST_DEMOS));
        self.proven(task, &made, outputs, answer.fits, Ingredient::Search, doubt)
    }

    /// A proposal; `None` unless the program, read back from its text, gives these outputs and is right
    /// on as many demos.
    pub(super) fn proven(
        &self,
        task: &TaskView,
        made: &Program,
        outputs: Vec<Grid>,
        fits: usize,
        source: Ingredient,
        doubt: i32,
    ) -> Option<Proposal> {
        let program = text::print(made, Form::Straight);
        let loaded = load_file(&program);
        let [read] = &loaded.programs[..] else { return None };
        let found = self.engine.machine().outputs(&Plan::new(read), task);
        let right = task.exact(grids(&found.demos)).filter(|right| *right).count();
        let same = grids(&found.tests).eq(outputs.iter().map(Some));
        let (sources, program) = (vec![source], Some(program));
        let enough = same && right >= fits;
        enough.then_some(Proposal { outputs, fits: right, sources, doubt, program })
    }

    /// What a program gives on the tests of a task; `None` where one of them is no grid.
    pub(super) fn predicted(&self, task: &TaskView, program: &Program) -> Option<Vec<Grid>> {
        let found = self.engine.machine().outputs(&Plan::new(program), task);
        found.test_grids().filter(|grids| grids.iter().all(|grid| GridLimits::ARC.allow(grid)))
    }
}

/// What programs of the library, and parts of them, propose.
fn transferred(run: &TaskRun, demos: usize) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for candidate in &run.best {
        let outputs: Option<Vec<Grid>> = candidate.predictions.iter().cloned().collect();
        let Some(outputs) = outputs else { continue };
        if candidate.solved > 0 && outputs.iter().all(|g| GridLimits::ARC.allow(g)) {
            let program = Some(text::print(&candidate.program, Form::Straight));
            let sources = vec![Ingredient::Transfer];
            let doubt = doubt(demos - candidate.solved, proposals.len());
            proposals.push(Proposal { outputs, fits: candidate.solved, sources, doubt, program });
        }
    }
    proposals
}
