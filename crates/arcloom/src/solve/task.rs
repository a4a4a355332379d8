//! One task: what the library did on it, then terms and the search, stage by stage.
//!
//! Each takes what the one before it found: grids that programs of the library made are pictures the
//! search starts from, and so are grids that terms give.

use std::collections::BTreeMap;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_graph::view::grids;
use arcloom_graph::{Plan, Stop, TaskView};
use arcloom_lang::{Form, Program, load_file, text};
use arcloom_search::costs::Costs;
use arcloom_search::program::program;
use arcloom_search::task::{self as search, Effort, Problem, Search, SearchAnswer};
use arcloom_search::terms::{Grammar, Hit, TermGrowth};
use arcloom_tasks::{GridLimits, Task};
use arcloom_value::Grid;

use super::proposals::{doubt, needed, propose, rank};
use super::{FURTHER_FROM, Ingredient, Proposal, SolveOptions, SolveTask};
use crate::batt::Batt;
use crate::engine::Engine;
use crate::library::function_name;
use crate::run::TaskRun;

/// Answers of the search, and of terms, that become proposals at most.
const ANSWERS: usize = 6;

/// Of the seconds that are left after its stages, the search has one in so many for rows as columns:
/// evolution does more with them.
const TRANSPOSED: f64 = 3.0;

/// What it costs the search to start from a grid that the library made: a step costs about 10 there.
const PICTURE_COST: u16 = 20;
const CALL_COST: u16 = 2;

/// Grids of terms that the search may start from after each stage, and what that costs besides half of
/// what the term does.
const TERM_PICTURES: usize = 150;
const TERM_COST: u16 = 10;

/// What is known before a task is looked at.
pub(super) struct Known {
    /// The programs of the library, woven together.
    pub(super) batt: Batt,
    pub(super) costs: Costs,
    pub(super) grammar: Grammar,
}

impl Engine {
    /// What the library did on a task, and what is found beyond that; not all of it once `stop` is due.
    pub(super) fn solve_task(
        &self,
        task: &Task,
        run: Option<&TaskRun>,
        known: &Known,
        options: &SolveOptions,
        stop: &Stop,
    ) -> SolveTask {
        let demos = task.demos.len();
        let view = TaskView::new(task);
        let mut proposals: Vec<Proposal> =
            run.map(|run| transferred(run, demos)).unwrap_or_default();
        let mut figures = search::Figures::default();
        let (mut unprintable, mut enumerated) = (0, 0);
        let stages = Effort::stages(options.search_seconds());
        let mut terms = options.terms.then(|| Terms::new(task, &known.grammar));
        if let (Some(terms), Some(first)) = (&mut terms, stages.first()) {
            terms.further(first);
        }
        if options.search
            && let Some(first) = stages.first()
            && let Some(problem) = problem(task, run, terms.as_ref())
        {
            let mut fits = proposals.iter().any(|p| p.fits == demos);
            let mut search = Search::new(&problem, first, &known.costs, &options.without, stop);
            for (number, effort) in stages.iter().enumerate() {
                if let (Some(terms), 1..) = (&mut terms, number) {
                    search.add_pictures(terms.further(effort));
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
            figures = search.figures();
            for answer in search.answers().iter().take(ANSWERS) {
                match self.answered(&view, answer, run, known, terms.as_ref()) {
                    Some(proposal) => propose(&mut proposals, proposal),
                    None => unprintable += 1,
                }
            }
        }
        if let (Some(terms), false) = (&mut terms, options.search) {
            let more = stages.iter().skip(1);
            more.take_while(|_| !stop.is_due()).for_each(|effort| _ = terms.further(effort));
        }
        if let Some(terms) = &terms {
            enumerated = terms.growth.len();
            let answers = terms.answers(&function_name(&task.id)).into_iter().enumerate();
            for (place, (outputs, program)) in answers {
                let doubt = doubt(0, place);
                match self.proven(&view, &program, outputs, demos, Ingredient::Terms, doubt) {
                    Some(proposal) => propose(&mut proposals, proposal),
                    None => unprintable += 1,
                }
            }
        }
        rank(&mut proposals);
        proposals.truncate(needed(&proposals));
        SolveTask {
            id: task.id.clone(),
            demos,
            proposals,
            chains: figures.nodes,
            terms: enumerated,
            work: figures.work + terms.as_ref().map_or(0, |t| t.growth.work),
            bytes: figures.bytes + terms.as_ref().map_or(0, |t| t.growth.bytes()),
            unprintable,
        }
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
        let mut pictures: BTreeMap<u32, Program> = BTreeMap::new();
        for number in answer.plan.pictures() {
            let place = number as usize;
            let of_library = run.map_or(0, |run| run.pictures.len());
            let made = match run.and_then(|run| run.pictures.get(place)) {
                Some(picture) => known.batt.slice(picture.node, "picture".to_owned()),
                None => terms?.picture(place - of_library)?,
            };
            pictures.insert(number, made);
        }
        let made = program(&answer.plan, &function_name(&task.id), &pictures).ok()?;
        self.proven(
            task,
            &made,
            outputs,
            answer.fits,
            Ingredient::Search,
            answer.doubt(task.demo_count().min(search::MOST_DEMOS)),
        )
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
        let found = self.machine().outputs(&Plan::new(read), task);
        let right = task.exact(grids(&found.demos)).filter(|right| *right).count();
        let same = grids(&found.tests).eq(outputs.iter().map(Some));
        let (sources, program) = (vec![source], Some(program));
        let enough = same && right >= fits;
        enough.then_some(Proposal { outputs, fits: right, sources, doubt, program })
    }

    /// What a program gives on the tests of a task; `None` where one of them is no grid.
    pub(super) fn predicted(&self, task: &TaskView, program: &Program) -> Option<Vec<Grid>> {
        let found = self.machine().outputs(&Plan::new(program), task);
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

/// Terms of the DSL on a task.
struct Terms<'g> {
    growth: TermGrowth<'g>,
    demos: usize,
    /// How many of its grids were looked at.
    looked_at: usize,
    /// The ones that the search starts from.
    pictures: Vec<Hit>,
}

impl<'g> Terms<'g> {
    fn new(task: &Task, grammar: &'g Grammar) -> Terms<'g> {
        let inputs = task.demos.iter().map(|d| &d.input).chain(task.tests.iter().map(|t| &t.input));
        let inputs: Vec<Grid> = inputs.cloned().collect();
        let targets: Vec<Grid> = task.demos.iter().map(|d| d.output.clone()).collect();
        let growth = TermGrowth::new(grammar, &inputs, &targets);
        // The first grid is the input.
        Terms { growth, demos: targets.len(), looked_at: 1, pictures: Vec::new() }
    }

    /// Grows as far as the effort says; the cheapest of the new grids are further pictures.
    fn further(&mut self, effort: &Effort) -> Vec<search::StartGrids> {
        self.growth.grow(effort.terms);
        let mut new = self.growth.grids()[self.looked_at..].to_vec();
        self.looked_at += new.len();
        new.sort_by_key(|hit| hit.cost);
        new.truncate(TERM_PICTURES);
        let pictures = new.iter().map(|hit| self.as_picture(*hit)).collect();
        self.pictures.extend(new);
        pictures
    }

    fn as_picture(&self, hit: Hit) -> search::StartGrids {
        let sheets = self.growth.values(hit).map(|g| sheet(g).unwrap_or_default()).collect();
        search::StartGrids { sheets, cost: TERM_COST + hit.cost / 2 }
    }

    /// The program of a picture.
    fn picture(&self, place: usize) -> Option<Program> {
        Some(self.growth.program(*self.pictures.get(place)?, "picture"))
    }

    fn fits_all(&self) -> impl Iterator<Item = Hit> {
        self.growth.grids().iter().copied().filter(|hit| hit.fits == self.demos)
    }

    /// The cheapest terms that fit all demos and differ on the tests.
    fn answers(&self, name: &str) -> Vec<(Vec<Grid>, Program)> {
        let mut fitting: Vec<Hit> = self.fits_all().collect();
        fitting.sort_by_key(|hit| hit.cost);
        let mut answers: Vec<(Vec<Grid>, Program)> = Vec::new();
        for hit in fitting {
            let outputs: Vec<Grid> = self.growth.values(hit).skip(self.demos).cloned().collect();
            if answers.len() < ANSWERS && answers.iter().all(|(known, _)| *known != outputs) {
                answers.push((outputs, self.growth.program(hit, name)));
            }
        }
        answers
    }
}

/// The task as the search sees it, with the pictures of the library and of terms.
fn problem(task: &Task, run: Option<&TaskRun>, terms: Option<&Terms<'_>>) -> Option<Problem> {
    let demos = task.demos.iter().map(|d| Some((sheet(&d.input)?, sheet(&d.output)?)));
    let tests = task.tests.iter().map(|t| sheet(&t.input));
    // A picture that is no sheet stays, with nothing on it, so that numbers stay.
    let of_library = run.iter().flat_map(|run| &run.pictures).map(|picture| search::StartGrids {
        sheets: picture.grids.iter().map(|g| sheet(g).unwrap_or_default()).collect(),
        cost: PICTURE_COST + CALL_COST * picture.size.min(20) as u16,
    });
    let of_terms = terms.iter().flat_map(|t| t.pictures.iter().map(|hit| t.as_picture(*hit)));
    Some(Problem {
        demos: demos.collect::<Option<_>>()?,
        tests: tests.collect::<Option<_>>()?,
        pictures: of_library.chain(of_terms).collect(),
    })
}

/// A grid as a sheet; `None` when it has other colours than 0 to 9 or is too large.
fn sheet(grid: &Grid) -> Option<Sheet> {
    let cells: Option<Vec<u8>> =
        grid.cells().iter().map(|&c| u8::try_from(c).ok().filter(|c| *c < 10)).collect();
    Sheet::new(grid.height(), grid.width(), cells?)
}

fn grid(sheet: &Sheet) -> Option<Grid> {
    let cells: Vec<i8> = sheet.cells().iter().map(|&c| c as i8).collect();
    Grid::new(sheet.height(), sheet.width(), &cells)
}
