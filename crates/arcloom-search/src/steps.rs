//! The steps of the search: what can be done with a sheet or a list of sheets.

use arcloom_dsl::kernel::sheet::measure::{Measure, SheetCount};
use arcloom_dsl::kernel::sheet::recolor::ColorTable;
use arcloom_dsl::kernel::sheet::rule::{self, ObjectRule};
use arcloom_dsl::kernel::sheet::split::Split;
use arcloom_dsl::kernel::sheet::turn::Turn;
use arcloom_dsl::kernel::sheet::{
    Made, Sheet, around, canvas, color, crop, list, measure, mend, ray, recolor, shape, shift,
    split, stamp, turn,
};

/// One transformation with its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    // A sheet to a sheet; on a list, each of its sheets.
    Keep(u8),
    Erase(u8),
    Dye(u8),
    Invert,
    KeepMost,
    KeepLeast,
    EraseMost,
    SwapGround,
    Trim,
    Squeeze,
    MergeRuns,
    Half(u8),
    Inner,
    Home,
    Spot,
    Tint,
    Blank(bool),
    Solid(bool),
    Middle,
    Filled,
    Holes,
    Outline,
    Core,
    Halo,
    Framed(u8),
    Blocks(u8),
    Room,
    Turn(Turn),
    Bar(SheetCount, u8),
    Smear(u8),
    Connect(u8),
    Spread(bool),
    Mend(Mend),
    // Parts of a pattern made whole, and what belongs around a point.
    Stamp,
    Around { mirrored: bool, turned: bool },
    // What the input shows where the sheet lies, or what belongs there: in the whole input, or there alone.
    Under,
    Heal(Mend, bool),
    // A sheet onto a canvas.
    Canvas(Laying, Canvas),
    // A sheet to a list.
    Split(Split),
    // A list to a sheet.
    Pick(Measure, bool),
    PickUniqueColor,
    PickOdd(bool),
    PickUsual,
    Overlay,
    LineUp(bool),
    LineUpInOrder,
    Recolor(Measure, bool, ColorTable),
    Rule(ObjectRule),
    Move(ObjectRule),
    // A list to a list.
    Sift(Measure, bool, bool),
    SiftIs(Measure, u8),
    Sort(Measure, bool),
}

/// How a sheet is brought onto a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laying {
    Embed,
    Wrap,
    Stretch,
    Tile(bool),
    Mirror(bool),
}

/// Which canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Canvas {
    Input,
    Output,
}

/// From what unknown cells are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mend {
    Patches,
    Period,
    Symmetry,
    Shifts,
}

impl Mend {
    /// All of them.
    pub const ALL: [Mend; 4] = [Mend::Patches, Mend::Period, Mend::Symmetry, Mend::Shifts];

    fn mend(self, s: &Sheet, out: &mut Sheet) -> Made {
        match self {
            Mend::Patches => mend::from_patches(s, out),
            Mend::Period => mend::from_period(s, out),
            Mend::Symmetry => mend::from_symmetry(s, out),
            Mend::Shifts => mend::from_shifts(s, out),
        }
    }
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

/// What the steps must know of an input: what it shows, the size of its output, and how large results may be.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub picture: Sheet,
    pub output: Option<(usize, usize)>,
    pub cells: usize,
}

impl Bounds {
    /// The size of the input.
    pub fn input(&self) -> (usize, usize) {
        (self.picture.height(), self.picture.width())
    }
}

impl Step {
    /// Does the step; the result is in `scratch`.
    pub fn apply(self, item: &Item, bounds: &Bounds, scratch: &mut Scratch) -> Made {
        scratch.is_list = false;
        match (self, item) {
            (Step::Split(how), Item::One(s)) => {
                scratch.is_list = true;
                split::split(s, how, &mut scratch.many)?;
                (scratch.many.iter().map(|p| p.cells().len()).sum::<usize>() <= 5 * bounds.cells)
                    .then_some(())
            }
            (Step::Sift(measure, largest, others), Item::Many(l)) => {
                scratch.is_list = true;
                list::sift(l, measure, largest, others, &mut scratch.many)
            }
            (Step::SiftIs(measure, value), Item::Many(l)) => {
                scratch.is_list = true;
                list::sift_is(l, measure, i32::from(value), &mut scratch.many)
            }
            (Step::Sort(measure, falling), Item::Many(l)) => {
                scratch.is_list = true;
                list::sort(l, measure, falling, &mut scratch.many)
            }
            (Step::Canvas(laying, which), Item::One(s)) => {
                let size = match which {
                    Canvas::Input => bounds.input(),
                    Canvas::Output => bounds.output?,
                };
                lay(laying, s, size, &mut scratch.one)
            }
            (Step::Rule(rule), Item::Many(l)) => {
                rule::paint(l, bounds.input(), &rule, &mut scratch.one)?;
                (scratch.one.cells().len() <= bounds.cells).then_some(())
            }
            (Step::Move(rule), Item::Many(l)) => {
                shift::paint(l, bounds.input(), &rule, &mut scratch.one)?;
                (scratch.one.cells().len() <= bounds.cells).then_some(())
            }
            (step, Item::Many(l)) if step.joins() => {
                step.join(l, &mut scratch.one)?;
                (scratch.one.cells().len() <= bounds.cells).then_some(())
            }
            (step, Item::One(s)) => {
                step.map(s, bounds, &mut scratch.one)?;
                (scratch.one.cells().len() <= bounds.cells).then_some(())
            }
            (step, Item::Many(l)) => {
                scratch.is_list = true;
                scratch.many.resize_with(l.len(), Sheet::default);
                let mut cells = 0;
                let mut kept = 0;
                for s in l {
                    if step.map(s, bounds, &mut scratch.many[kept]).is_some() {
                        cells += scratch.many[kept].cells().len();
                        kept += 1;
                        if cells > 5 * bounds.cells {
                            return None;
                        }
                    } else if !step.is_map() {
                        return None;
                    }
                }
                scratch.many.truncate(kept);
                Some(())
            }
        }
    }

    /// Whether the step makes one sheet of a list.
    pub fn joins(self) -> bool {
        use Step::*;
        matches!(
            self,
            Pick(..)
                | PickUniqueColor
                | PickOdd(_)
                | PickUsual
                | Overlay
                | LineUp(_)
                | LineUpInOrder
                | Recolor(..)
                | Rule(_)
                | Move(_)
        )
    }

    /// Whether the step makes another list of a list.
    pub fn sifts(self) -> bool {
        matches!(self, Step::Sift(..) | Step::SiftIs(..) | Step::Sort(..))
    }

    /// The cost up to which chains have this step tried on them: steps that take long are for short chains only.
    pub fn until(self) -> u16 {
        match self {
            Step::Mend(_) | Step::Heal(..) => 12,
            Step::Stamp | Step::Around { .. } => 24,
            _ => u16::MAX,
        }
    }

    /// Whether the step takes long.
    pub fn is_slow(self) -> bool {
        self.until() < u16::MAX
    }

    /// Whether the search does the step with every sheet of a list.
    pub fn is_for_lists(self) -> bool {
        let takes_all = matches!(self, Step::Mend(_) | Step::Heal(..) | Step::Stamp);
        self.is_map() && !takes_all
    }

    /// Whether the step makes a list of a sheet.
    pub fn splits(self) -> bool {
        matches!(self, Step::Split(_))
    }

    fn is_map(self) -> bool {
        !self.joins() && !self.sifts() && !matches!(self, Step::Split(_) | Step::Canvas(..))
    }

    fn join(self, l: &[Sheet], out: &mut Sheet) -> Made {
        match self {
            Step::Pick(measure, largest) => list::pick(l, measure, largest, out),
            Step::PickUniqueColor => list::pick_unique_color(l, out),
            Step::PickOdd(form) => list::pick_odd(l, form, out),
            Step::PickUsual => list::pick_usual(l, out),
            Step::Overlay => list::overlay(l, out),
            Step::LineUp(down) => list::line_up(l, down, out),
            Step::LineUpInOrder => list::line_up_in_order(l, out),
            Step::Recolor(measure, ranked, table) => {
                recolor::recolor(l, measure, ranked, &table, out)
            }
            _ => None,
        }
    }

    fn map(self, s: &Sheet, bounds: &Bounds, out: &mut Sheet) -> Made {
        match self {
            Step::Keep(c) => color::keep(s, c, out),
            Step::Erase(c) => color::erase(s, c, out),
            Step::Dye(c) => color::dye(s, c, out),
            Step::Invert => color::invert(s, out),
            Step::KeepMost => color::keep_most(s, out),
            Step::KeepLeast => color::keep_least(s, out),
            Step::EraseMost => color::erase_most(s, out),
            Step::SwapGround => color::swap_ground(s, out),
            Step::Trim => crop::trim(s, out),
            Step::Squeeze => crop::squeeze(s, out),
            Step::MergeRuns => crop::merge_runs(s, out),
            Step::Half(side) => crop::half(s, side, out),
            Step::Inner => crop::inner(s, out),
            Step::Home => crop::home(s, out),
            Step::Spot => crop::spot(s, out),
            Step::Tint => crop::tint(s, out),
            Step::Blank(in_place) => crop::blank(s, in_place, out),
            Step::Solid(in_place) => crop::solid(s, in_place, out),
            Step::Middle => crop::middle(s, out),
            Step::Filled => shape::filled(s, out),
            Step::Holes => shape::holes(s, out),
            Step::Outline => shape::outline(s, out),
            Step::Core => shape::core(s, out),
            Step::Halo => shape::halo(s, out),
            Step::Framed(c) => shape::framed(s, c, out),
            Step::Blocks(side) => shape::blocks(s, side.into(), out),
            Step::Room => shape::room(s, out),
            Step::Turn(way) => turn::turn(s, way, out),
            Step::Bar(count, form) => measure::bar(s, count, form, out),
            Step::Smear(directions) => ray::smear(s, directions, out),
            Step::Connect(way) => ray::connect(s, way, out),
            Step::Spread(hold) => ray::spread(s, hold, out),
            Step::Mend(from) => from.mend(s, out),
            Step::Stamp => stamp::stamp(s, out),
            Step::Around { mirrored, turned } => around::around(s, mirrored, turned, out),
            Step::Under => crop::under(s, &bounds.picture, out),
            Step::Heal(from, whole) => {
                mend::heal(s, &bounds.picture, |s, out| from.mend(s, out), whole, out)
            }
            _ => None,
        }
    }
}

fn lay(laying: Laying, s: &Sheet, size: (usize, usize), out: &mut Sheet) -> Made {
    match laying {
        Laying::Embed => canvas::embed(s, size, out),
        Laying::Wrap => canvas::wrap(s, size, out),
        Laying::Stretch => canvas::stretch(s, size, out),
        Laying::Tile(gap) => canvas::tile(s, size, usize::from(gap), out),
        Laying::Mirror(gap) => canvas::mirror(s, size, usize::from(gap), out),
    }
}

/// The steps of a search with colours among `colors` (one bit each); canvases apart.
pub fn all(colors: u32) -> Vec<Step> {
    use Step::*;
    let used = (1..10u8).filter(|c| colors >> c & 1 == 1);
    let mut steps: Vec<Step> = Vec::new();
    steps.push(Invert);
    steps.extend(used.clone().map(Keep));
    steps.extend(used.map(Erase));
    steps.extend([KeepMost, KeepLeast, EraseMost, SwapGround]);
    steps.extend([Trim, Squeeze, MergeRuns, Home, Spot, Tint, Middle]);
    steps.extend([Blank(false), Blank(true), Solid(false), Solid(true)]);
    steps.extend([Filled, Holes, Outline, Core, Halo, Framed(0), Framed(1)]);
    steps.extend([Inner, Blocks(2), Blocks(3), Room]);
    steps.extend((0..4).map(Half));
    steps.extend(turn::Turn::ALL.iter().map(|t| Turn(t.0)));
    for count in [SheetCount::Cells, SheetCount::Colors, SheetCount::Pieces] {
        steps.extend((0..3).map(|form| Bar(count, form)));
    }
    steps.extend(ray::SMEARS.iter().map(|s| Smear(s.0)));
    steps.extend((0..3).map(Connect));
    steps.extend([Spread(false), Spread(true)]);
    steps.extend(split::Split::ALL.iter().map(|s| Split(s.0)));
    steps.extend([PickUniqueColor, PickOdd(false), PickOdd(true), PickUsual]);
    steps.extend([Overlay, LineUp(false), LineUp(true), LineUpInOrder]);
    for (measure, _) in Measure::ALL {
        for largest in [true, false] {
            steps.extend([
                Pick(measure, largest),
                Sift(measure, largest, false),
                Sift(measure, largest, true),
            ]);
        }
    }
    for (measure, values) in [
        (Measure::Area, 1..=6),
        (Measure::Holes, 0..=3),
        (Measure::Gaps, 0..=1),
        (Measure::Colors, 1..=3),
        (Measure::Height, 1..=3),
        (Measure::Width, 1..=3),
        (Measure::Symmetry, 0..=2),
    ] {
        steps.extend(values.map(|v| SiftIs(measure, v)));
    }
    steps.extend([Sort(Measure::Area, false), Sort(Measure::Area, true), Under]);
    steps.push(Stamp);
    for (mirrored, turned) in [(true, true), (true, false), (false, true), (false, false)] {
        steps.push(Around { mirrored, turned });
    }
    steps.extend(self::Mend::ALL.map(Mend));
    for from in self::Mend::ALL {
        steps.extend([Heal(from, true), Heal(from, false)]);
    }
    steps
}

/// The steps onto one canvas.
pub fn onto(canvas: Canvas) -> Vec<Step> {
    use Laying::*;
    [Embed, Wrap, Stretch, Tile(false), Tile(true), Mirror(false), Mirror(true)]
        .map(|laying| Step::Canvas(laying, canvas))
        .to_vec()
}
