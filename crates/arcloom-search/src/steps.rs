//! The steps of the search: those that `arcloom-dsl` declares, and those that are learned from the demos of a task.

use arcloom_dsl::kernel::sheet::recolor::{self, ColorTable};
use arcloom_dsl::kernel::sheet::rule::{self, ObjectRule};
use arcloom_dsl::kernel::sheet::{Made, Sheet, beam, shift};
use arcloom_dsl::sheet::measure::Measure;
use arcloom_dsl::step::{self, DeclaredStep, StepKernel};

pub use arcloom_dsl::step::{Bounds, Canvas};

/// One transformation with its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One that `#[step]` declares.
    Declared(DeclaredStep),
    /// The sheets of a list recoloured by a measure or, if so, its rank.
    Recolor(Measure, bool, ColorTable),
    /// The sheets of a list coloured by a rule.
    Rule(ObjectRule),
    /// The sheets of a list moved by a rule.
    Move(ObjectRule),
    /// The rays that the sheets of a list send by a rule.
    Rays(ObjectRule),
}

/// A value of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    One(Sheet),
    Many(Vec<Sheet>),
}

/// Where results are made before anyone knows whether they are new.
#[derive(Default)]
pub struct Scratch {
    pub one: Sheet,
    pub many: Vec<Sheet>,
    pub is_list: bool,
}

/// The lists of a search have so many times as many cells as its sheets.
const LIST: usize = 5;

impl Step {
    /// Does the step; the result is in `scratch`.
    pub fn apply(&self, item: &Item, bounds: &Bounds, scratch: &mut Scratch) -> Made {
        scratch.is_list = false;
        match (self, item) {
            (Step::Declared(step), item) => return declared(step, item, bounds, scratch),
            (Step::Recolor(measure, ranked, table), Item::Many(l)) => {
                recolor::recolor(l, *measure, *ranked, table, &mut scratch.one)?;
            }
            (Step::Rule(rule), Item::Many(l)) => {
                rule::paint(l, bounds.input(), rule, &mut scratch.one)?;
            }
            (Step::Move(rule), Item::Many(l)) => {
                shift::paint(l, bounds.input(), rule, &mut scratch.one)?;
            }
            (Step::Rays(rule), Item::Many(l)) => {
                beam::paint(l, &bounds.picture, rule, &mut scratch.one)?;
            }
            _ => return None,
        }
        (scratch.one.cells().len() <= bounds.cells).then_some(())
    }

    /// Whether the step makes one sheet of a list.
    pub fn joins(&self) -> bool {
        match self {
            Step::Declared(step) => matches!(step.record.kernel, StepKernel::Join(_)),
            _ => true,
        }
    }

    /// Whether the step makes another list of a list.
    pub fn sifts(&self) -> bool {
        matches!(self, Step::Declared(step) if matches!(step.record.kernel, StepKernel::Sift(_)))
    }

    /// Whether the step makes a list of a sheet.
    pub fn splits(&self) -> bool {
        matches!(self, Step::Declared(step) if matches!(step.record.kernel, StepKernel::Split(_)))
    }

    /// Whether the search does the step with every sheet of a list.
    pub fn is_for_lists(&self) -> bool {
        let Step::Declared(step) = self else { return false };
        matches!(step.record.kernel, StepKernel::Map(_)) && !step.record.alone
    }

    /// The cost up to which chains have this step tried on them.
    pub fn until(&self) -> u16 {
        match self {
            Step::Declared(step) => step.record.until,
            _ => u16::MAX,
        }
    }

    /// Whether the step takes long.
    pub fn is_slow(&self) -> bool {
        self.until() < u16::MAX
    }

    /// Whether the step looks at the whole input, whatever it is done with.
    pub fn is_of_input(&self) -> bool {
        matches!(self, Step::Declared(step) if step.record.whole_input)
    }

    /// The canvas onto which the step brings a sheet, if it does.
    pub fn canvas(&self) -> Option<Canvas> {
        match self {
            Step::Declared(step) => step.canvas(),
            _ => None,
        }
    }
}

/// Does a step that is not learned.
fn declared(step: &DeclaredStep, item: &Item, bounds: &Bounds, scratch: &mut Scratch) -> Made {
    let codes = &step.codes;
    match (step.record.kernel, item) {
        (StepKernel::Map(kernel), Item::One(s)) => {
            kernel(s, codes, bounds, &mut scratch.one)?;
            // A canvas may be larger than what chains may make.
            (scratch.one.cells().len() <= bounds.cells || step.canvas().is_some()).then_some(())
        }
        (StepKernel::Map(kernel), Item::Many(l)) => {
            scratch.is_list = true;
            scratch.many.resize_with(l.len(), Sheet::default);
            let (mut cells, mut kept) = (0, 0);
            for s in l {
                if kernel(s, codes, bounds, &mut scratch.many[kept]).is_some() {
                    cells += scratch.many[kept].cells().len();
                    kept += 1;
                    if cells > LIST * bounds.cells {
                        return None;
                    }
                }
            }
            scratch.many.truncate(kept);
            Some(())
        }
        (StepKernel::Split(kernel), Item::One(s)) => {
            scratch.is_list = true;
            kernel(s, codes, bounds, &mut scratch.many)?;
            let cells: usize = scratch.many.iter().map(|p| p.cells().len()).sum();
            (cells <= LIST * bounds.cells).then_some(())
        }
        (StepKernel::Join(kernel), Item::Many(l)) => {
            kernel(l, codes, bounds, &mut scratch.one)?;
            (scratch.one.cells().len() <= bounds.cells).then_some(())
        }
        (StepKernel::Sift(kernel), Item::Many(l)) => {
            scratch.is_list = true;
            kernel(l, codes, bounds, &mut scratch.many)
        }
        _ => None,
    }
}

/// The steps of a search with colours among `colors` (one bit each), in the order in which they are tried.
pub fn all(colors: u32) -> Vec<Step> {
    step::all(colors).into_iter().map(Step::Declared).collect()
}
