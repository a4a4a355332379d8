//! Rules by which objects send rays, learned from the demos.
//!
//! For every object of every demo, and all that may be a ray of it, it is known whether the output shows it. A *kind* of ray
//! (from which cells, in which colour, how it ends) that explains much of what changed in every demo is taken, and the shortest
//! rule is learned that says where each object sends rays of that kind. What comes of a rule is a layer of rays without the
//! objects, so that several of them, and what explains the rest, are stacked.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::beam::{
    Heading, Ray, RayColor, RayEnd, RayGround, RayPath, RaySource, ray_color,
};
use arcloom_dsl::kernel::sheet::rule::{Action, ObjectPart};
use arcloom_dsl::sheet::way::STEPS;

use crate::grow::ChainGrowth;
use crate::recolor::{LONGEST, lists};
use crate::steps::{Item, Step};
use crate::things::{self, Known, Questions};

/// Work for all rules of a task, about.
const MOST_WORK: u64 = 20_000_000;
/// Kinds of rays that are learned for one list, and rules for each.
const KINDS: usize = 8;
const RULES: usize = 3;
/// Of all cells that change a kind explains one in so many at the least.
const SHARE: u32 = 6;
/// Objects that send rays are at most so large a part of their picture: one in so many cells.
const LARGEST: usize = 3;

/// Adds to a growth, for every list, the rays that its objects send by the shortest rules.
pub fn add_rules(growth: &mut ChainGrowth, targets: &[Sheet], work: &mut u64) {
    let limit = *work + MOST_WORK;
    for node in lists(growth) {
        if *work > limit {
            return;
        }
        let Some(field) = Field::new(growth, node, targets, work) else { continue };
        let mut questions: Option<Questions> = None;
        for kind in field.kinds() {
            let Some(mut known) = field.known(growth, node, kind, work) else { continue };
            known.share(&mut questions, growth, node, work);
            let mut rules = known.rules(growth, node, ObjectPart::Whole, work);
            rules.truncate(RULES);
            rules.iter_mut().for_each(|(_, price)| *price += kind.price());
            things::attach(growth, node, rules, Step::Rays);
        }
    }
}

/// Whether rays can be of use: nothing changes its size, and something is painted.
pub fn may_help(inputs: &[&Sheet], targets: &[Sheet]) -> bool {
    inputs.iter().zip(targets).all(|(input, target)| {
        (input.height(), input.width()) == (target.height(), target.width())
            && changes(input, target) > 0
    })
}

/// How many cells are painted.
fn changes(input: &Sheet, target: &Sheet) -> u32 {
    let painted = |(a, b): (&u8, &u8)| u32::from(a != b && *b != 0);
    input.cells().iter().zip(target.cells()).map(painted).sum()
}

/// A kind of ray, by numbers of source, colour and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RayKind {
    from: usize,
    color: usize,
    end: usize,
}

const SOURCES: usize = RaySource::ALL.len();
const COLORS: usize = RayColor::ALL.len();
const ENDS: usize = RayEnd::ALL.len();

impl RayKind {
    fn of(number: usize) -> RayKind {
        let (rest, end) = (number / ENDS, number % ENDS);
        RayKind { from: rest / COLORS, color: rest % COLORS, end }
    }

    /// How unlikely it is.
    fn price(self) -> u16 {
        let from = match RaySource::ALL[self.from] {
            RaySource::Front => 0,
            RaySource::Middle | RaySource::Mark | RaySource::Copies => 1,
            RaySource::Center | RaySource::CopiesApart | RaySource::CopiesWithin => 2,
        };
        let color = match RayColor::ALL[self.color] {
            RayColor::Own => 0,
            RayColor::Always(_) | RayColor::Rarest => 1,
            RayColor::Met => 2,
        };
        let end = match RayEnd::ALL[self.end] {
            RayEnd::Met | RayEnd::Under => 0,
            RayEnd::Over | RayEnd::OnlyMet | RayEnd::Bounces | RayEnd::One => 1,
            RayEnd::TurnsRight | RayEnd::TurnsLeft | RayEnd::Two | RayEnd::Size => 2,
            RayEnd::Three | RayEnd::Area | RayEnd::Colors => 3,
        };
        from + color + end
    }
}

/// What the output says of one ray that an object may send.
#[derive(Clone, Copy, Debug, Default)]
struct RayFit {
    /// Whether there are cells that it would paint.
    some: bool,
    /// The cells that it explains; none when it would paint one wrong.
    gain: u16,
    /// The colour that they have, 0 for several.
    color: u8,
    /// Whether they have the colours of the cells that send it, or of what it meets.
    own: bool,
    met: bool,
}

/// An object of a demo and all rays that it may send.
struct Sender {
    demo: usize,
    /// By source, step and end.
    fits: Vec<RayFit>,
    rarest: u8,
    /// By heading.
    steps: Vec<u8>,
}

/// The objects of a list on all demos.
struct Field<'a> {
    targets: &'a [Sheet],
    senders: Vec<Sender>,
    changes: u32,
}

impl<'a> Field<'a> {
    /// Looks at every ray of every object; `None` where objects are too many or too large.
    fn new(
        growth: &ChainGrowth,
        node: u32,
        targets: &'a [Sheet],
        work: &mut u64,
    ) -> Option<Field<'a>> {
        let mut field = Field { targets, senders: Vec::new(), changes: 0 };
        let mut path = RayPath::default();
        for (demo, target) in targets.iter().enumerate() {
            let Item::Many(list) = growth.item(node, demo) else { return None };
            let picture = &growth.pools[demo].bounds.picture;
            if list.is_empty() || list.len() > LONGEST {
                return None;
            }
            let canvas = (picture.height(), picture.width());
            field.changes += changes(picture, target);
            for (k, thing) in list.iter().enumerate() {
                *work += 200 + (list.len() * Heading::ALL.len()) as u64 / 4;
                let ground = RayGround { thing, picture };
                let fits = if thing.cells().len() * LARGEST > picture.cells().len() {
                    vec![RayFit::default(); SOURCES * STEPS.len() * ENDS]
                } else {
                    fits(&ground, target, &mut path, work)
                };
                let rarest = ray_color(RayColor::Rarest, 0, 0, thing).unwrap_or(0);
                let steps = Heading::ALL.map(|h| h.steps(list, k, canvas)).to_vec();
                field.senders.push(Sender { demo, fits, rarest, steps });
            }
        }
        Some(field)
    }

    /// The kinds that explain most, the simplest first of those that explain as much.
    fn kinds(&self) -> Vec<RayKind> {
        let mut scores = vec![(0u32, 0u32); SOURCES * COLORS * ENDS];
        for sender in &self.senders {
            for (number, fit) in sender.fits.iter().enumerate().filter(|f| f.1.gain > 0) {
                let (from, end) = (number / ENDS / STEPS.len(), number % ENDS);
                for (color, &of) in RayColor::ALL.iter().enumerate() {
                    if sender.shows(fit, of) {
                        let (score, demos) = &mut scores[(from * COLORS + color) * ENDS + end];
                        *score += u32::from(fit.gain);
                        *demos |= 1 << sender.demo;
                    }
                }
            }
        }
        let all = (1u32 << self.targets.len()) - 1;
        let mut kinds: Vec<(u32, u16, RayKind)> = Vec::new();
        for (number, (score, demos)) in scores.into_iter().enumerate() {
            if demos == all && score * SHARE >= self.changes {
                let kind = RayKind::of(number);
                kinds.push((u32::MAX - score.min(self.changes), kind.price(), kind));
            }
        }
        kinds.sort_by_key(|(score, price, _)| (*score, *price));
        kinds.into_iter().take(KINDS).map(|(_, _, kind)| kind).collect()
    }

    /// What is known of the objects as senders of rays of a kind.
    fn known(
        &self,
        growth: &ChainGrowth,
        node: u32,
        kind: RayKind,
        work: &mut u64,
    ) -> Option<Known> {
        let RayKind { from, color, end } = kind;
        let mut order: Vec<(Action, u16)> = vec![(0, 0)];
        for (heading, of) in Heading::ALL.iter().enumerate() {
            let price = match of {
                Heading::Step(_) | Heading::Steps(_) => 0,
                Heading::Lengthwise | Heading::Crosswise => 1,
                Heading::To(_) | Heading::From(_) => 2,
            };
            order.push((Ray::numbered([heading, from, color, end]), price));
        }
        let mut path = RayPath::default();
        Known::new(growth, node, self.targets.len(), order, 0, |demo, list, _| {
            let senders: Vec<&Sender> = self.senders.iter().filter(|s| s.demo == demo).collect();
            let picture = &growth.pools[demo].bounds.picture;
            let (wide, target) = (picture.width(), &self.targets[demo]);
            // How many objects explain each cell.
            let mut covered = vec![0u8; target.cells().len()];
            let mut explained: Vec<Vec<usize>> = Vec::new();
            for (thing, sender) in list.iter().zip(&senders) {
                let mut own: Vec<usize> = Vec::new();
                let ground = RayGround { thing, picture };
                for step in (0..STEPS.len()).filter(|s| sender.fit(kind, *s).1) {
                    let (from, end) = (RaySource::ALL[from], RayEnd::ALL[end]);
                    ground.path(step, from, end, &mut path, |_, _, _| true);
                    *work += 4 + path.cells.len() as u64;
                    own.extend(path.cells.iter().map(|c| c.0 as usize * wide + c.1 as usize));
                }
                own.retain(|&at| picture.cells()[at] != target.cells()[at]);
                own.sort_unstable();
                own.dedup();
                own.iter().for_each(|&at| covered[at] = covered[at].saturating_add(1));
                explained.push(own);
            }
            let of_sender = |(sender, own): (&&Sender, &Vec<usize>)| {
                let nothing = own.iter().all(|&at| covered[at] > 1);
                let (mut wrong, mut right) = (0u8, 0u8);
                for step in 0..STEPS.len() {
                    let (some, fits) = sender.fit(kind, step);
                    wrong |= u8::from(some && !fits) << step;
                    right |= u8::from(fits) << step;
                }
                let is = |steps: &u8| {
                    steps & wrong == 0 && if steps & right == 0 { nothing } else { true }
                };
                std::iter::once(nothing).chain(sender.steps.iter().map(is)).collect()
            };
            Some(senders.iter().zip(&explained).map(of_sender).collect())
        })
    }
}

impl Sender {
    /// Whether a ray of this kind to this step would paint anything, and whether the output shows it.
    fn fit(&self, kind: RayKind, step: usize) -> (bool, bool) {
        let fit = &self.fits[(kind.from * STEPS.len() + step) * ENDS + kind.end];
        (fit.some, fit.gain > 0 && self.shows(fit, RayColor::ALL[kind.color]))
    }

    /// Whether a ray that the output shows has this colour.
    fn shows(&self, fit: &RayFit, color: RayColor) -> bool {
        match color {
            RayColor::Own => fit.own,
            RayColor::Always(color) => fit.color == color,
            RayColor::Rarest => fit.color != 0 && fit.color == self.rarest,
            RayColor::Met => fit.met,
        }
    }
}

/// All rays of an object.
fn fits(ground: &RayGround<'_>, target: &Sheet, path: &mut RayPath, work: &mut u64) -> Vec<RayFit> {
    let mut fits = vec![RayFit::default(); SOURCES * STEPS.len() * ENDS];
    let look = 4 + ground.thing.cells().len() as u64 / 8;
    for (source, &from) in RaySource::ALL.iter().enumerate() {
        for step in 0..STEPS.len() {
            let row = &mut fits[(source * STEPS.len() + step) * ENDS..][..ENDS];
            // What is wrong before it meets anything is wrong beyond, too.
            let mut is_hopeless = false;
            for (end, &how) in RayEnd::ALL.iter().enumerate().rev() {
                let is_long = how != RayEnd::OnlyMet && !how.is_limited();
                if is_hopeless && is_long {
                    row[end].some = true;
                    continue;
                }
                let shown = ground.path(step, from, how, path, |i, j, _| target.get(i, j) != 0);
                *work += look + path.cells.len() as u64 / 2;
                row[end] = if shown { fit(ground, target, path) } else { WRONG };
                is_hopeless |= how == RayEnd::One && row[end].some && row[end].gain == 0;
            }
        }
    }
    fits
}

const WRONG: RayFit = RayFit { some: true, gain: 0, color: 0, own: false, met: false };

/// What the output says of a ray. Others may cross it: up to a fourth of its cells.
fn fit(ground: &RayGround<'_>, target: &Sheet, path: &RayPath) -> RayFit {
    let mut counts = [0u32; 16];
    let (mut off_own, mut off_met, mut gain, mut met_gain, mut start) = (0u32, 0u32, 0u32, 0u32, 0);
    for &(end, met) in &path.ends {
        for &(i, j, own) in &path.cells[start..end] {
            let (there, was) = (target.get(i, j), ground.picture.get(i, j));
            counts[usize::from(there & 15)] += 1;
            off_own += u32::from(there != own);
            off_met += u32::from(met != 0 && there != met);
            met_gain += u32::from(met != 0 && there != was);
            gain += u32::from(there != was);
        }
        start = end;
    }
    let cells = path.cells.len() as u32;
    // What is there already is no reason not to paint it.
    if counts[0] == 0 && gain == 0 {
        return RayFit::default();
    }
    let crossed = |off: u32| off * 4 <= cells && off < 4;
    let color = (1..10u8).max_by_key(|&c| counts[usize::from(c)]).unwrap_or(0);
    let is_plain = counts[0] == 0 && crossed(cells - counts[usize::from(color)]);
    if counts[0] > 0 {
        return WRONG;
    }
    RayFit {
        some: true,
        gain: u16::try_from(gain).unwrap_or(u16::MAX),
        color: if is_plain { color } else { 0 },
        own: crossed(off_own),
        met: met_gain > 0 && off_met == 0,
    }
}
