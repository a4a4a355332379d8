//! One task: sizes, growth, stacks, and the answers that come of it.

use arcloom_sheet::{Sheet, measure, roles};

use crate::compose::{Laid, MOST_LAYERS, OPEN, Sheaf, Stack};
use crate::costs::Costs;
use crate::grow::Growth;
use crate::lookup::{self, Lookup};
use crate::pieces::{Pieces, Tail};
use crate::product::{self, Product};
use crate::recolor;
use crate::size::{self, Guess, Size};
use crate::steps::{self, Bounds, Canvas, Step};

/// A task as the search sees it: no test answers.
#[derive(Clone, Debug)]
pub struct Problem {
    pub demos: Vec<(Sheet, Sheet)>,
    pub tests: Vec<Sheet>,
}

/// How far a search goes.
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
            grow: scaled(70e6, 1e6, 1e11) as u64,
            stack: scaled(100e6, 2e6, 1e11) as u64,
            pieces: scaled(80e3, 4e3, 120e3) as usize,
        }
    }
}

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
    /// Sum of the costs of its pieces, then their number: less is better.
    pub cost: (u16, usize),
    pub outputs: Vec<Sheet>,
    pub plan: Plan,
}

/// How an answer is made from an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whether colours are renamed by role before and back after.
    pub renamed: bool,
    pub size: PlanSize,
    /// Layers from the top; cells that none of them paints are 0.
    pub layers: Vec<Layer>,
    /// In place of layers: pictures, and a table from their colours in a cell to the output's.
    pub lookup: Option<Table>,
    /// In place of layers: two chains whose product it is, and whether it is dyed.
    pub product: Option<(Vec<Step>, Vec<Step>, bool)>,
}

/// Pictures and the table from their colours to the colour of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub pictures: Vec<(Vec<Step>, Tail)>,
    pub entries: Vec<(Vec<u8>, u8)>,
}

/// Where the size of the output comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanSize {
    /// The size of the input.
    Input,
    /// The same always.
    Constant(Size),
    /// Height and width: the side of what the steps make of the input, times a factor, plus a margin.
    Sides([(Vec<Step>, i64, i64); 2]),
}

/// One layer: what the steps make of the input, finished by the tail, embedded in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    pub steps: Vec<Step>,
    pub tail: Tail,
    pub laid: Laid,
    /// Laid only where another picture is visible, or (`false`) where it is see-through.
    pub mask: Option<(Vec<Step>, Tail, bool)>,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub nodes: usize,
    pub pieces: usize,
    pub work: u64,
    pub bytes: usize,
}

/// The best answers of a search, best first.
///
/// When nothing fits all demos and some colours differ from demo to demo, the search is done once
/// more with colours renamed by role.
pub fn search(
    problem: &Problem,
    effort: &Effort,
    costs: &Costs,
    without: &Without,
) -> (Vec<Answer>, Figures) {
    if problem.demos.len() > MOST_DEMOS {
        let demos = problem.demos[..MOST_DEMOS].to_vec();
        let fewer = Problem { demos, tests: problem.tests.clone() };
        return search(&fewer, effort, costs, without);
    }
    let (mut answers, mut figures) = search_as_given(problem, effort, costs, without);
    let fits = answers.first().map_or(0, |a| a.fits);
    if !without.roles && fits < problem.demos.len() && roles::matter(&problem.demos) {
        let (renamed, more) = search_renamed(problem, effort, costs, without);
        figures.nodes += more.nodes;
        figures.pieces += more.pieces;
        figures.work += more.work;
        figures.bytes = figures.bytes.max(more.bytes);
        for answer in renamed {
            if !answers.iter().any(|a| a.outputs == answer.outputs) {
                answers.push(answer);
            }
        }
        answers.sort_by(|a, b| b.fits.cmp(&a.fits).then(a.cost.cmp(&b.cost)));
    }
    (answers, figures)
}

fn search_renamed(
    problem: &Problem,
    effort: &Effort,
    costs: &Costs,
    without: &Without,
) -> (Vec<Answer>, Figures) {
    let map = |input: &Sheet| roles::renaming(&problem.demos, input);
    let rename = |(input, output): &(Sheet, Sheet)| {
        let map = map(input);
        (roles::rename(input, &map), roles::rename(output, &map))
    };
    let renamed = Problem {
        demos: problem.demos.iter().map(rename).collect(),
        tests: problem.tests.iter().map(|t| roles::rename(t, &map(t))).collect(),
    };
    let (mut answers, figures) = search_as_given(&renamed, effort, costs, without);
    for answer in &mut answers {
        answer.plan.renamed = true;
        for (output, input) in answer.outputs.iter_mut().zip(&problem.tests) {
            *output = roles::rename(output, &roles::inverse(&map(input)));
        }
    }
    (answers, figures)
}

/// Sets of demos are the bits of a word; of tasks with more demos the first so many are fitted.
const MOST_DEMOS: usize = 31;

fn search_as_given(
    problem: &Problem,
    effort: &Effort,
    costs: &Costs,
    without: &Without,
) -> (Vec<Answer>, Figures) {
    let inputs: Vec<&Sheet> =
        problem.demos.iter().map(|d| &d.0).chain(problem.tests.iter()).collect();
    let largest = inputs.iter().map(|s| s.cells().len()).max().unwrap_or(1);
    let largest = problem.demos.iter().map(|d| d.1.cells().len()).fold(largest, usize::max);
    let bounds: Vec<Bounds> = inputs
        .iter()
        .map(|s| Bounds { input: (s.height(), s.width()), output: None, cells: 2 * largest })
        .collect();
    let colors = inputs.iter().fold(0, |m, s| m | measure::colors(s));
    let mut table = steps::all(colors);
    table.extend(steps::onto(Canvas::Input));
    table.extend(steps::onto(Canvas::Output));
    let table =
        table.into_iter().map(|s| (s, if without.costs { 10 } else { costs.of(s) })).collect();

    let mut growth = Growth::new(inputs.iter().map(|s| (*s).clone()).collect(), &bounds, table);
    let targets: Vec<Sheet> = problem.demos.iter().map(|d| d.1.clone()).collect();
    let wanted: Vec<Size> = targets.iter().map(|t| (t.height(), t.width())).collect();
    let given: Vec<Size> = bounds.iter().map(|b| b.input).collect();
    let same = wanted.iter().zip(&given).all(|(a, b)| a == b);
    let guess = if same {
        Guess { sizes: given, from: size::From::Input }
    } else {
        growth.grow(effort.bound.min(20), effort.grow / 2);
        match size::guesses(&growth, &wanted, 1).into_iter().next() {
            Some(guess) => guess,
            None => return (Vec::new(), Figures::default()),
        }
    };
    // Before the output's canvas is known, so that no size is explained by itself.
    let size = plan_size(&growth, &guess);
    if !same {
        growth.set_outputs(&guess.sizes);
    }
    growth.grow(effort.bound, effort.grow);

    let mut work = 0;
    let demo_inputs = &inputs[..problem.demos.len()];
    if !without.rules && recolor::may_help(demo_inputs, &targets) {
        recolor::add_rules(&mut growth, &targets, &mut work);
    }
    let pieces = Pieces::collect(&growth, &targets, &guess.sizes, effort.pieces, &mut work);
    let mut answers = stack_all(&growth, &pieces, &size, problem, effort, without, &mut work);
    if !without.tables {
        for found in lookup::lookups(&growth, &pieces, &targets, &mut work) {
            answers.extend(answer_by_table(&growth, &pieces, &size, problem, &found));
        }
    }
    if !without.products && !same {
        for found in product::products(&growth, &targets, &mut work) {
            answers.extend(answer_by_product(&growth, &size, problem, &found));
        }
    }
    answers.sort_by(|a, b| b.fits.cmp(&a.fits).then(a.cost.cmp(&b.cost)));
    let mut best: Vec<Answer> = Vec::new();
    for answer in answers {
        if !best.iter().any(|b| b.outputs == answer.outputs) {
            best.push(answer);
        }
    }
    let figures = Figures {
        nodes: growth.nodes.len(),
        pieces: pieces.pieces.len(),
        work: growth.work + work,
        bytes: growth.bytes() + pieces.bytes(),
    };
    (best, figures)
}

fn stack_all(
    growth: &Growth,
    pieces: &Pieces,
    size: &PlanSize,
    problem: &Problem,
    effort: &Effort,
    without: &Without,
    work: &mut u64,
) -> Vec<Answer> {
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
        let mut costs: Vec<u16> = pieces.pieces.iter().map(|p| p.cost / 10 * 10).collect();
        costs.dedup();
        costs
    };
    let layers = if without.stacks { 1 } else { MOST_LAYERS };
    let mut answers = Vec::new();
    for &fit in &subsets {
        for bound in &bounds {
            for care in (0..demos).filter(|d| fit >> d & 1 == 1) {
                if *work > effort.stack {
                    return answers;
                }
                let Some(stack) = pieces.stack(fit, care, *bound, false, layers, work) else {
                    continue;
                };
                answers.extend(answer(growth, pieces, size, problem, &stack));
            }
        }
    }
    let every = (1u32 << demos) - 1;
    if !without.masks && !answers.iter().any(|a| a.fits == demos) {
        for care in 0..demos {
            if let Some(stack) = pieces.stack(every, care, u16::MAX, true, layers, work) {
                answers.extend(answer(growth, pieces, size, problem, &stack));
            }
        }
    }
    answers
}

fn answer(
    growth: &Growth,
    pieces: &Pieces,
    size: &PlanSize,
    problem: &Problem,
    stack: &Stack,
) -> Option<Answer> {
    let demos = problem.demos.len();
    let mut fits = 0;
    for (k, (_, target)) in problem.demos.iter().enumerate() {
        let (_, cells) = pieces.paint(growth, stack, k)?;
        fits += usize::from(cells == target.cells());
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
    Some(Answer { fits, cost: (cost, stack.layers.len()), outputs, plan })
}

fn answer_by_table(
    growth: &Growth,
    pieces: &Pieces,
    size: &PlanSize,
    problem: &Problem,
    found: &Lookup,
) -> Option<Answer> {
    let demos = problem.demos.len();
    let tests = demos..demos + problem.tests.len();
    let outputs = tests.map(|k| lookup::paint(growth, pieces, found, k));
    let picture = |&number: &u32| {
        let piece = &pieces.pieces[number as usize];
        (growth.chain(piece.node).1, piece.tail)
    };
    let table = Table {
        pictures: found.pieces.iter().map(picture).collect(),
        entries: found.table.clone(),
    };
    Some(Answer {
        fits: demos,
        cost: (found.cost, found.pieces.len()),
        outputs: outputs.collect::<Option<_>>()?,
        plan: Plan {
            renamed: false,
            size: size.clone(),
            layers: Vec::new(),
            lookup: Some(table),
            product: None,
        },
    })
}

fn answer_by_product(
    growth: &Growth,
    size: &PlanSize,
    problem: &Problem,
    found: &Product,
) -> Option<Answer> {
    let demos = problem.demos.len();
    let tests = demos..demos + problem.tests.len();
    let outputs = tests.map(|k| product::paint(growth, found, k));
    let chains = (growth.chain(found.large).1, growth.chain(found.small).1, found.dyed);
    Some(Answer {
        fits: demos,
        cost: (found.cost, 2),
        outputs: outputs.collect::<Option<_>>()?,
        plan: Plan {
            renamed: false,
            size: size.clone(),
            layers: Vec::new(),
            lookup: None,
            product: Some(chains),
        },
    })
}

fn plan_size(growth: &Growth, guess: &Guess) -> PlanSize {
    match guess.from {
        size::From::Input => PlanSize::Input,
        size::From::Constant(size) => PlanSize::Constant(size),
        size::From::Sides(h, w) => {
            PlanSize::Sides([h, w].map(|s| (growth.chain(s.node).1, s.factor, s.margin)))
        }
    }
}

fn plan(growth: &Growth, pieces: &Pieces, size: &PlanSize, stack: &Stack) -> Plan {
    let picture = |number: u32| {
        let piece = &pieces.pieces[number as usize];
        (growth.chain(piece.node).1, piece.tail)
    };
    let layer = |sheaf: &Sheaf| {
        let (steps, tail) = picture(sheaf.piece);
        let mask = sheaf.mask.map(|(number, within)| {
            let (steps, tail) = picture(number);
            (steps, tail, within)
        });
        Layer { steps, tail, laid: sheaf.laid, mask }
    };
    Plan {
        renamed: false,
        size: size.clone(),
        layers: stack.layers.iter().map(layer).collect(),
        lookup: None,
        product: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_demos() {
        let sheet = |c: u8| Sheet::new(1, 2, vec![c, 0]).expect("a rectangle");
        let demos = (0..40).map(|k| (sheet(k % 9 + 1), sheet(k % 9 + 1))).collect();
        let problem = Problem { demos, tests: vec![sheet(4)] };
        let effort = Effort { bound: 10, grow: 100_000, stack: 100_000, pieces: 100 };
        let costs = Costs::uniform();
        let (answers, _) = search(&problem, &effort, &costs, &Without::default());
        assert_eq!(answers[0].fits, MOST_DEMOS);
        assert_eq!(answers[0].outputs, [sheet(4)]);
    }
}
