//! One way of looking at a task, further and further: the growth, and the answers that come of it.
//!
//! | file | what is in it |
//! |---|---|
//! | `start.rs` | where the growth begins: steps, pictures, the sizes of the outputs |
//! | `grown.rs` | what a stage has grown to, and how an answer that fits all demos is made of it |
//! | `stacks.rs` | answers that are stacks, for all demos and for some |
//! | `wholes.rs` | answers of the other families, and when each is looked for |
//! | `recipe.rs` | what was found as the parts of a plan |

use arcloom_dsl::Stop;
use arcloom_dsl::kernel::sheet::Sheet;

use self::grown::Grown;
use crate::costs::{Costs, TaskKind};
use crate::grow::ChainGrowth;
use crate::moves;
use crate::picture::StartGrids;
use crate::pieces::{PieceLimits, Pieces, Tail};
use crate::plan::PlanSize;
use crate::rays;
use crate::recolor;
use crate::scale::{Labour, Meter, WorkScale};
use crate::size::Guess;
use crate::task::{Effort, Figures, Problem, SearchAnswer};
use crate::things;
use crate::without::{SearchPart, Without};

mod grown;
mod recipe;
mod stacks;
mod start;
mod wholes;

/// Of ten parts of its time those that a stage may grow for.
const GROWN_PART: u64 = 7;

/// What a trial is given beside the task.
#[derive(Clone, Copy)]
pub struct TrialSettings<'a> {
    /// What steps cost.
    pub costs: &'a Costs,
    /// What is left out.
    pub without: &'a Without,
    /// What grows is to hold no more than about so many bytes.
    pub most_bytes: usize,
}

/// A task being searched: what has grown so far, and the sizes its outputs are taken to have.
pub struct Trial {
    problem: Problem,
    without: Without,
    growth: ChainGrowth,
    guess: Guess,
    size: PlanSize,
    targets: Vec<Sheet>,
    /// Cells of the largest input or output.
    largest: usize,
    /// Whether rules for objects were added.
    ruled: bool,
    /// How many stages are over.
    stages: usize,
    /// Pieces that rules were learned for.
    overgrown: Vec<(u32, Tail)>,
    meter: Meter,
    pieces: usize,
    most_bytes: usize,
}

impl Trial {
    /// Guesses the sizes of the outputs within so many nanoseconds; `None` when nothing explains them.
    pub fn new(
        problem: Problem,
        settings: &TrialSettings<'_>,
        effort: &Effort,
        allowed: u64,
        stop: &Stop,
    ) -> Option<Trial> {
        let largest = start::largest(&problem);
        let mut meter = Meter::new(WorkScale::of(largest), allowed);
        let mut growth = start::growth(&problem, settings, largest);
        let targets: Vec<Sheet> = problem.demos.iter().map(|d| d.1.clone()).collect();
        let same = TaskKind::of(&problem.demos) == TaskKind::Same;
        let mut work = 0;
        let guess = if same {
            start::same_sizes(&problem)
        } else {
            let most = meter.left(Labour::Steps).min(effort.grow) / 2;
            growth.grow(effort.bound.min(20), most, stop);
            meter.spend(Labour::Steps, growth.work);
            start::guess(&mut growth, &targets, settings.without, &mut work)?
        };
        meter.spend(Labour::Wholes, work);
        // Before the output's canvas is known, so that no size is explained by itself.
        let size = recipe::size(&growth, &guess);
        if !same {
            growth.set_outputs(&guess.sizes);
        }
        Some(Trial {
            problem,
            without: *settings.without,
            growth,
            guess,
            size,
            targets,
            largest,
            ruled: false,
            stages: 0,
            overgrown: Vec::new(),
            meter,
            pieces: 0,
            most_bytes: 0,
        })
    }

    /// Further pictures to start from.
    pub fn add_pictures(&mut self, pictures: &[StartGrids]) {
        for picture in pictures {
            start::seed(&mut self.growth, picture, self.largest);
        }
    }

    /// Grows as far as the effort says and composes what is there, within so many nanoseconds; what grew before
    /// is kept. What is found after it was to stop is not worth much.
    pub fn further(&mut self, effort: &Effort, allowed: u64, stop: &Stop) -> Vec<SearchAnswer> {
        self.meter.allow(allowed);
        let before = self.growth.work;
        // Growing is worth nothing without the rest.
        let most = before.saturating_add(self.meter.left(Labour::Steps) / 10 * GROWN_PART);
        self.growth.grow(effort.bound, effort.grow.min(most), stop);
        self.meter.spend(Labour::Steps, self.growth.work - before);
        if stop.is_set() || self.meter.is_spent() {
            return Vec::new();
        }
        let mut work = 0;
        self.add_rules(&mut work);
        self.meter.spend(Labour::Wholes, work);
        let (growth, targets) = (&self.growth, self.targets.as_slice());
        let sizes = &self.guess.sizes;
        let mut work = 0;
        let limits =
            PieceLimits { pieces: effort.pieces, work: self.meter.left(Labour::Pieces) / 2 };
        let pieces = Pieces::collect(growth, targets, sizes, limits, &mut work);
        self.meter.spend(Labour::Pieces, work);
        let grown = Grown {
            problem: &self.problem,
            without: &self.without,
            growth,
            pieces: &pieces,
            size: &self.size,
            targets,
        };
        let mut work = 0;
        let most = effort.stack.min(self.meter.left(Labour::Stacks));
        let stacked = grown.stacks(most, stop, &mut work);
        self.meter.spend(Labour::Stacks, work);
        let (mut work, most) = (0, self.meter.left(Labour::Wholes));
        let answers = grown.wholes(stacked, &mut self.overgrown, most, &mut work);
        self.meter.spend(Labour::Wholes, work);
        self.pieces = pieces.pieces.len();
        self.most_bytes = self.most_bytes.max(growth.bytes() + pieces.bytes());
        answers
    }

    /// Adds what rules for objects make, once.
    fn add_rules(&mut self, work: &mut u64) {
        let inputs: Vec<&Sheet> = self.problem.demos.iter().map(|d| &d.0).collect();
        if !self.ruled
            && !self.without.leaves_out(SearchPart::Rules)
            && recolor::may_help(&inputs, &self.targets)
        {
            recolor::add_rules(&mut self.growth, &self.targets, work);
            things::add_rules(&mut self.growth, &self.targets, work);
            if moves::may_help(&inputs, &self.targets) {
                moves::add_rules(&mut self.growth, &self.targets, work);
            }
        }
        self.ruled = true;
        // Where nothing in the first stage was good enough.
        if self.stages == 1
            && !self.without.leaves_out(SearchPart::Rays)
            && rays::may_help(&inputs, &self.targets)
        {
            rays::add_rules(&mut self.growth, &self.targets, work);
        }
        self.stages += 1;
    }

    /// What was done so far.
    pub fn figures(&self) -> Figures {
        Figures {
            nodes: self.growth.nodes.len(),
            pieces: self.pieces,
            work: self.meter.spent(),
            bytes: self.most_bytes,
        }
    }
}
