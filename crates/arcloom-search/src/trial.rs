//! One way of looking at a task, further and further: sizes, growth, stacks, and the answers that come of it.

use arcloom_dsl::Stop;
use arcloom_dsl::kernel::sheet::{Sheet, measure};

use crate::cases::{self, Arm, ArmSource};
use crate::choose;
use crate::compose::{MOST_LAYERS, OPEN, Stack, StackSearch};
use crate::costs::{Costs, TaskKind};
use crate::decide;
use crate::grow::ChainGrowth;
use crate::lookup;
use crate::moves;
use crate::overgrow;
use crate::pieces::{Pieces, Tail};
use crate::plan::{CasePlan, Chain, Layer, LookupTable, PlanSize, Recipe, Whole};
use crate::product;
use crate::recolor;
use crate::size::{self, Guess, Size};
use crate::steps::{self, Bounds, Canvas, Step};
use crate::task::{Effort, Figures, Problem, SOLID, SearchAnswer, StartGrids, Without};
use crate::things;
use crate::view::View;

/// Where an answer up to this cost fits all demos, rules that paint cells are not looked for.
const SURE: u16 = 40;

/// A task being searched: what has grown so far, and the sizes its outputs are taken to have.
pub struct Trial {
    problem: Problem,
    without: Without,
    growth: ChainGrowth,
    guess: Guess,
    size: PlanSize,
    targets: Vec<Sheet>,
    /// Whether outputs have the size of their input.
    same: bool,
    /// Cells of the largest input or output.
    largest: usize,
    /// Whether rules for things were added.
    ruled: bool,
    /// Pieces that rules were learned for.
    overgrown: Vec<(u32, Tail)>,
    work: u64,
    pieces: usize,
    most_bytes: usize,
}

impl Trial {
    /// Guesses the sizes of the outputs; `None` when nothing explains them. What grows is to hold no more than about
    /// `most_bytes`.
    pub fn new(
        problem: Problem,
        effort: &Effort,
        costs: &Costs,
        without: &Without,
        most_bytes: usize,
        stop: &Stop,
    ) -> Option<Trial> {
        let inputs: Vec<&Sheet> =
            problem.demos.iter().map(|d| &d.0).chain(problem.tests.iter()).collect();
        let largest = inputs.iter().map(|s| s.cells().len()).max().unwrap_or(1);
        let largest = problem.demos.iter().map(|d| d.1.cells().len()).fold(largest, usize::max);
        let bounds: Vec<Bounds> = inputs
            .iter()
            .map(|&s| Bounds { picture: s.clone(), output: None, cells: 2 * largest })
            .collect();
        let colors = inputs.iter().fold(0, |m, s| m | measure::colors(s));
        let mut table = steps::all(colors);
        table.extend(steps::onto(Canvas::Input));
        table.extend(steps::onto(Canvas::Output));
        let kind = TaskKind::of(&problem.demos);
        let cost = |s: Step| if without.costs { 10 } else { costs.of(s, kind) };
        let table = table.into_iter().map(|s| (s, cost(s))).collect();

        let given: Vec<Size> = bounds.iter().map(Bounds::input).collect();
        let mut growth = ChainGrowth::new(bounds, table, most_bytes);
        for (number, picture) in (1..).zip(&problem.pictures) {
            seed(&mut growth, number, picture, largest);
        }
        let targets: Vec<Sheet> = problem.demos.iter().map(|d| d.1.clone()).collect();
        let wanted: Vec<Size> = targets.iter().map(|t| (t.height(), t.width())).collect();
        let same = kind == TaskKind::Same;
        let mut work = 0;
        let guess = if same {
            Guess { sizes: given, from: size::From::Input }
        } else {
            growth.grow(effort.bound.min(20), effort.grow / 2, stop);
            if !without.rules {
                choose::add_rules(&mut growth, &targets, &mut work);
            }
            size::guesses(&growth, &wanted, 1).into_iter().next()?
        };
        // Before the output's canvas is known, so that no size is explained by itself.
        let size = plan_size(&growth, &guess);
        if !same {
            growth.set_outputs(&guess.sizes);
        }
        Some(Trial {
            problem,
            without: *without,
            growth,
            guess,
            size,
            targets,
            same,
            largest,
            ruled: false,
            overgrown: Vec::new(),
            work,
            pieces: 0,
            most_bytes: 0,
        })
    }

    /// Further pictures to start from.
    pub fn add_pictures(&mut self, pictures: Vec<StartGrids>) {
        for picture in pictures {
            self.problem.pictures.push(picture);
            let number = self.problem.pictures.len();
            if let Some(picture) = self.problem.pictures.last() {
                seed(&mut self.growth, number as u16, picture, self.largest);
            }
        }
    }

    /// Grows as far as the effort says and composes what is there; what grew before is kept. What is found
    /// after it was to stop is not worth much.
    pub fn further(&mut self, effort: &Effort, stop: &Stop) -> Vec<SearchAnswer> {
        self.growth.grow(effort.bound, effort.grow, stop);
        if stop.is_set() {
            return Vec::new();
        }
        let mut work = 0;
        let inputs: Vec<&Sheet> = self.problem.demos.iter().map(|d| &d.0).collect();
        if !self.ruled && !self.without.rules && recolor::may_help(&inputs, &self.targets) {
            recolor::add_rules(&mut self.growth, &self.targets, &mut work);
            things::add_rules(&mut self.growth, &self.targets, &mut work);
            if moves::may_help(&inputs, &self.targets) {
                moves::add_rules(&mut self.growth, &self.targets, &mut work);
            }
        }
        self.ruled = true;
        let Trial { problem, without, growth, size, targets, overgrown, .. } = self;
        let pieces = Pieces::collect(growth, targets, &self.guess.sizes, effort.pieces, &mut work);
        let mut arms = Vec::new();
        let mut answers =
            stack_all(growth, &pieces, size, problem, effort, without, stop, &mut arms, &mut work);
        if !without.tables {
            for found in lookup::lookups(growth, &pieces, targets, &mut work) {
                let pictures = chains(growth, &pieces, &found.pieces);
                let table = LookupTable { pictures, entries: found.table.clone() };
                let cost = (found.cost, found.pieces.len());
                let paint = |k| lookup::paint(growth, &pieces, &found, k);
                answers.extend(exact(problem, size, cost, Whole::Lookup(table), paint));
            }
        }
        if !without.trees {
            for found in decide::decisions(growth, &pieces, targets, &mut work) {
                let pictures = chains(growth, &pieces, &found.pieces);
                let whole = Whole::Decided(pictures, found.tree.clone());
                let cost = (found.cost, found.pieces.len());
                let paint = |k| decide::paint(growth, &pieces, &found, k);
                answers.extend(exact(problem, size, cost, whole, paint));
            }
        }
        if !without.products && !self.same {
            for found in product::products(growth, targets, &mut work) {
                let (large, small) = (growth.chain(found.large), growth.chain(found.small));
                let whole = Whole::Product(large, small, found.dyed);
                let paint = |k| product::paint(growth, &found, k);
                answers.extend(exact(problem, size, (found.cost, 2), whole, paint));
            }
        }
        let demos = targets.len();
        let up_to = |cost: u16| move |a: &SearchAnswer| a.fits == demos && a.cost.0 <= cost;
        if !without.growth && !answers.iter().any(up_to(SURE)) {
            for found in overgrow::overgrowths(growth, &pieces, targets, overgrown, &mut work) {
                let (chain, tail) = picture(growth, &pieces, found.piece);
                let whole = Whole::Overgrown(chain, tail, found.rules.clone());
                let paint = |k| overgrow::paint(growth, &pieces, &found, k);
                answers.extend(exact(problem, size, (found.cost, 1), whole, paint));
            }
        }
        if !without.cases && !answers.iter().any(up_to(SOLID)) {
            for found in cases::cases(growth, targets, arms, &mut work) {
                let whole = Whole::Cases(case_plans(growth, &pieces, &found));
                let cost = (found.cost, found.arms.len());
                let paint = |k| cases::paint(growth, &pieces, &found, k);
                answers.extend(exact(problem, size, cost, whole, paint));
            }
        }
        self.work += work;
        self.pieces = pieces.pieces.len();
        self.most_bytes = self.most_bytes.max(growth.bytes() + pieces.bytes());
        answers
    }

    /// What was done so far.
    pub fn figures(&self) -> Figures {
        Figures {
            nodes: self.growth.nodes.len(),
            pieces: self.pieces,
            work: self.growth.work + self.work,
            bytes: self.most_bytes,
        }
    }
}

/// Starts from a picture too, unless it is larger than anything in the task would be.
fn seed(growth: &mut ChainGrowth, number: u16, picture: &StartGrids, largest: usize) {
    if picture.sheets.iter().all(|s| (1..=2 * largest).contains(&s.cells().len())) {
        growth.seed(picture.sheets.clone(), number, picture.cost);
    }
}

/// Stacks for all demos and for some; `arms` gets what they fit.
#[expect(clippy::too_many_arguments, reason = "one use")]
fn stack_all(
    growth: &ChainGrowth,
    pieces: &Pieces,
    size: &PlanSize,
    problem: &Problem,
    effort: &Effort,
    without: &Without,
    stop: &Stop,
    arms: &mut Vec<Arm>,
    work: &mut u64,
) -> Vec<SearchAnswer> {
    let demos = problem.demos.len();
    let mut subsets: Vec<u32> = (1..1u32 << demos.min(5)).collect();
    if demos > 5 {
        subsets.push((1 << demos) - 1);
    }
    if without.subsets {
        subsets = vec![(1 << demos) - 1];
    }
    subsets.sort_by_key(|s| std::cmp::Reverse(s.count_ones()));
    let bounds: Vec<u16> = {
        let mut costs: Vec<u16> = pieces.pieces.iter().map(|p| p.cost / 10 * 10 + 9).collect();
        costs.dedup();
        costs
    };
    let layers = if without.stacks { 1 } else { MOST_LAYERS };
    let limit = *work + effort.stack;
    let mut answers = Vec::new();
    for &piece in &pieces.exact {
        let stack = Stack::of(piece, pieces);
        answers.extend(answer(growth, pieces, size, problem, &stack, arms));
    }
    for &fit in &subsets {
        for bound in &bounds {
            for care in (0..demos).filter(|d| fit >> d & 1 == 1) {
                if *work > limit || stop.is_due() {
                    return answers;
                }
                let Some(stack) = pieces.stack(fit, care, *bound, false, layers, work) else {
                    continue;
                };
                answers.extend(answer(growth, pieces, size, problem, &stack, arms));
            }
        }
    }
    let every = (1u32 << demos) - 1;
    if !without.masks && !answers.iter().any(|a| a.fits == demos) {
        for care in 0..demos {
            if *work > limit || stop.is_due() {
                break;
            }
            if let Some(stack) = pieces.stack(every, care, u16::MAX, true, layers, work) {
                answers.extend(answer(growth, pieces, size, problem, &stack, arms));
            }
        }
    }
    answers
}

fn answer(
    growth: &ChainGrowth,
    pieces: &Pieces,
    size: &PlanSize,
    problem: &Problem,
    stack: &Stack,
    arms: &mut Vec<Arm>,
) -> Option<SearchAnswer> {
    let demos = problem.demos.len();
    let mut fits = 0u32;
    for (k, (_, target)) in problem.demos.iter().enumerate() {
        let (_, cells) = pieces.paint(growth, stack, k)?;
        fits |= u32::from(cells == target.cells()) << k;
    }
    if fits == 0 {
        return None;
    }
    let mut outputs = Vec::new();
    let mut open = false;
    for k in 0..problem.tests.len() {
        let ((height, width), mut cells) = pieces.paint(growth, stack, demos + k)?;
        open |= cells.contains(&OPEN);
        cells.iter_mut().filter(|c| **c == OPEN).for_each(|c| *c = 0);
        outputs.push(Sheet::new(height, width, cells)?);
    }
    let cost = stack.cost + if open { 5 } else { 0 };
    let plan = plan(growth, pieces, size, stack);
    arms.push(Arm { fits, cost, made: ArmSource::Stack(stack.clone()) });
    let fits = fits.count_ones() as usize;
    Some(SearchAnswer { fits, cost: (cost, stack.layers.len()), outputs, plan, voices: vec![cost] })
}

/// An answer that fits all demos, made by `paint` on each input.
fn exact(
    problem: &Problem,
    size: &PlanSize,
    cost: (u16, usize),
    whole: Whole,
    paint: impl Fn(usize) -> Option<Sheet>,
) -> Option<SearchAnswer> {
    let demos = problem.demos.len();
    let outputs = (demos..demos + problem.tests.len()).map(paint);
    Some(SearchAnswer {
        fits: demos,
        cost,
        outputs: outputs.collect::<Option<_>>()?,
        plan: Recipe { view: View::default(), size: size.clone(), whole },
        voices: vec![cost.0],
    })
}

fn chains(growth: &ChainGrowth, pieces: &Pieces, numbers: &[u32]) -> Vec<(Chain, Tail)> {
    numbers.iter().map(|&number| picture(growth, pieces, number)).collect()
}

/// How a piece is made.
fn picture(growth: &ChainGrowth, pieces: &Pieces, number: u32) -> (Chain, Tail) {
    let piece = &pieces.pieces[number as usize];
    (growth.chain(piece.node), piece.tail)
}

fn plan_size(growth: &ChainGrowth, guess: &Guess) -> PlanSize {
    match guess.from {
        size::From::Input => PlanSize::Input,
        size::From::Constant(size) => PlanSize::Constant(size),
        size::From::Sides(h, w) => {
            PlanSize::Sides([h, w].map(|s| (growth.chain(s.node), s.factor, s.margin)))
        }
    }
}

fn plan(growth: &ChainGrowth, pieces: &Pieces, size: &PlanSize, stack: &Stack) -> Recipe {
    let whole = layers(growth, pieces, stack);
    Recipe { view: View::default(), size: size.clone(), whole }
}

fn case_plans(growth: &ChainGrowth, pieces: &Pieces, found: &cases::FoundCases) -> CasePlan {
    let mut wholes = found.arms.iter().map(|arm| match &arm.made {
        ArmSource::Stack(stack) => layers(growth, pieces, stack),
        ArmSource::Constant(sheet) => Whole::Constant(sheet.clone()),
    });
    let cases = found.whens.iter().cloned().zip(&mut wholes).collect();
    let otherwise = Box::new(wholes.next().unwrap_or(Whole::Layers(Vec::new())));
    CasePlan { key: found.key.clone(), cases, otherwise }
}

fn layers(growth: &ChainGrowth, pieces: &Pieces, stack: &Stack) -> Whole {
    let layer = |sheaf: &StackSearch| {
        let (chain, tail) = picture(growth, pieces, sheaf.piece);
        let mask = sheaf.mask.map(|(number, within)| {
            let (chain, tail) = picture(growth, pieces, number);
            (chain, tail, within)
        });
        Layer { chain, tail, laid: sheaf.laid, mask }
    };
    Whole::Layers(stack.layers.iter().map(layer).collect())
}
