//! Rules for objects in lines of questions, learned from the demos.
//!
//! For every object of every demo it is known which actions explain what the output has where the object, or
//! a part of it, lies. The shortest rules whose lines agree with that are taken. They are learned again without each demo in
//! turn; rules that do not explain the demo left out are more expensive.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::kin::{self, Kin};
use arcloom_dsl::kernel::sheet::property::{self, Property};
use arcloom_dsl::kernel::sheet::rule::{
    ACTIONS, Action, How, KEPT, ObjectPart, ObjectQuestion, ObjectRule,
};
use arcloom_value::FixedSet;

use crate::grow::ChainGrowth;
use crate::recolor::{LONGEST, lists};
use crate::steps::{Item, Scratch, Step};

/// What a rule adds to the cost of its list, each of its lines, and a demo that is not explained by what
/// the others teach.
const PRICE: u16 = 8;
const PER_LINE: u16 = 4;
const PER_DEMO: u16 = 4;
/// Rules taken for one list and part.
const MOST_RULES: usize = 6;
/// Lines at most.
const MOST_LINES: usize = 3;
/// Objects that speak for a line, on average, at the least.
const SUPPORT: usize = 2;
/// Sets of objects looked at for one rule.
const MOST_SETS: u64 = 60_000;
/// Work for all rules of a task, about.
pub(crate) const MOST_WORK: u64 = 30_000_000;
/// Objects of all inputs together.
const MOST_THINGS: usize = 64 * WORDS;
const WORDS: usize = 6;

/// A set of objects of all inputs.
type Things = [u64; WORDS];

/// Adds to a growth, for every list and part of objects, what the shortest rules make of them.
pub fn add_rules(growth: &mut ChainGrowth, targets: &[Sheet], work: &mut u64) {
    let limit = *work + MOST_WORK;
    for node in lists(growth) {
        for part in ObjectPart::ALL {
            if *work > limit {
                return;
            }
            if let Some(known) = colored(growth, node, targets, part, work) {
                known.attach(growth, node, part, Step::Rule, work);
            }
        }
    }
}

/// The actions that explain the colours of objects, or of a part of them; `None` when some object cannot be
/// explained, or nothing happens to any.
fn colored(
    growth: &ChainGrowth,
    node: u32,
    targets: &[Sheet],
    part: ObjectPart,
    work: &mut u64,
) -> Option<Known> {
    let order = std::iter::once(KEPT).chain(0..KEPT).chain(KEPT + 1..ACTIONS as Action);
    let far_fetched = |action: Action| if action > KEPT { 3 } else { 0 };
    let nothing = if part == ObjectPart::Whole { KEPT } else { 0 };
    let order: Vec<(Action, u16)> = order.map(|a| (a, far_fetched(a))).collect();
    Known::new(growth, node, targets.len(), order, nothing, |k, list, order| {
        let Item::One(input) = growth.item(0, k) else { return None };
        let mut shown = Vec::new();
        for thing in list {
            *work += thing.cells().len() as u64;
            shown.push(Shown::new(thing, part, input, &targets[k])?);
        }
        let cells: usize = list.iter().map(|s| s.cells().len()).sum();
        *work += (list.len() * cells) as u64;
        let kin = Kin::ALL.map(|which| kin::colors(list, which));
        let explains = |(m, shown): (usize, &Shown), action: Action| match usize::from(action)
            .checked_sub(usize::from(KEPT) + 1)
        {
            Some(which) => kin[which][m].map_or(shown.same, |c| shown.is(c)),
            None if action == KEPT => shown.same,
            None => shown.is(action as u8),
        };
        let of_thing = |thing: (usize, &Shown)| {
            order.iter().map(|(action, _)| explains(thing, *action)).collect()
        };
        Some(shown.iter().enumerate().map(of_thing).collect())
    })
}

/// A rule while it is learned: numbers of questions and of actions; the last line has no question.
type Lines = Vec<(Option<usize>, usize)>;

/// The questions about the objects of a list.
pub(crate) struct Questions(Vec<(ObjectQuestion, u16, Things)>);

/// What is known of the objects of a list.
pub(crate) struct Known {
    /// The objects of each input.
    inputs: Vec<Things>,
    demos: usize,
    /// The actions with their prices, simple ones first, and for each the objects that it explains.
    order: Vec<(Action, u16)>,
    explained: Vec<Things>,
    /// The action that leaves objects as they are.
    nothing: Action,
    /// Every question with its price and the objects for which it holds.
    questions: Vec<(ObjectQuestion, u16, Things)>,
    words: usize,
}

impl Known {
    /// What explains the demos, `explains` saying it for every object of a demo and every action; `None` when
    /// some object cannot be explained, or nothing happens to any.
    pub(crate) fn new(
        growth: &ChainGrowth,
        node: u32,
        demos: usize,
        order: Vec<(Action, u16)>,
        nothing: Action,
        mut explains: impl FnMut(usize, &[Sheet], &[(Action, u16)]) -> Option<Vec<Vec<bool>>>,
    ) -> Option<Known> {
        let mut inputs = Vec::new();
        let mut explained = vec![[0; WORDS]; order.len()];
        let mut number = 0;
        let mut happens = false;
        for k in 0..growth.inputs() {
            let Item::Many(list) = growth.item(node, k) else { return None };
            if list.len() > LONGEST || number + list.len() > MOST_THINGS {
                return None;
            }
            let mut own = [0; WORDS];
            (number..number + list.len()).for_each(|thing| add(&mut own, thing));
            inputs.push(own);
            if k < demos {
                for (m, explained_by) in explains(k, list, &order)?.into_iter().enumerate() {
                    if !explained_by.contains(&true) {
                        return None;
                    }
                    for (action, things) in explained.iter_mut().enumerate() {
                        if explained_by[action] {
                            add(things, number + m);
                        } else {
                            happens |= order[action].0 == nothing;
                        }
                    }
                }
            }
            number += list.len();
        }
        let words = number.div_ceil(64).max(1);
        let questions = Vec::new();
        happens.then_some(Known { inputs, demos, order, explained, nothing, questions, words })
    }

    /// Learns the shortest rules and adds what they make to the growth.
    pub(crate) fn attach(
        self,
        growth: &mut ChainGrowth,
        node: u32,
        part: ObjectPart,
        step: fn(ObjectRule) -> Step,
        work: &mut u64,
    ) {
        let rules = self.rules(growth, node, part, work);
        attach(growth, node, rules, step);
    }

    /// The shortest rules with their prices.
    pub(crate) fn rules(
        mut self,
        growth: &ChainGrowth,
        node: u32,
        part: ObjectPart,
        work: &mut u64,
    ) -> Vec<(ObjectRule, u16)> {
        if self.questions.is_empty() {
            self.ask(growth, node, work);
        }
        let found = self.learn(None, work);
        if found.is_empty() {
            return Vec::new();
        }
        let missed = (0..self.demos).filter(|&demo| {
            let without = self.learn(Some(demo), work);
            !without.first().is_some_and(|(_, lines)| self.explains(lines, demo))
        });
        let missed = missed.count() as u16;
        let rule = |(price, lines): &(u16, Lines)| {
            Some((self.rule(part, lines)?, PRICE + price + PER_DEMO * missed))
        };
        found.iter().filter_map(rule).collect()
    }

    /// Takes the questions that were noted for the same list, or notes them for the next.
    pub(crate) fn share(
        &mut self,
        questions: &mut Option<Questions>,
        growth: &ChainGrowth,
        node: u32,
        work: &mut u64,
    ) {
        if questions.is_none() {
            self.ask(growth, node, work);
        }
        let noted = questions.get_or_insert_with(|| Questions(self.questions.clone()));
        self.questions.clone_from(&noted.0);
    }

    /// Notes every question that parts the objects of the demos.
    fn ask(&mut self, growth: &ChainGrowth, node: u32, work: &mut u64) {
        let all = self.of_demos(None);
        let mut seen: FixedSet<Things> = FixedSet::default();
        for property in Property::ALL {
            let mut values: Vec<Vec<i32>> = Vec::new();
            for k in 0..growth.inputs() {
                let Item::Many(list) = growth.item(node, k) else { return };
                let cells: usize = list.iter().map(|s| s.cells().len() + 8).sum();
                *work +=
                    cells as u64 * if property.compares() { 1 + list.len() as u64 / 4 } else { 1 };
                values.push(property::values(list, property, growth.pools[k].bounds.input()));
            }
            let mut different: Vec<i32> = values[..self.demos].concat();
            different.sort_unstable();
            different.dedup();
            let mut asked: Vec<(How, i32)> = Vec::new();
            if property.is_counted() {
                let extremes = [How::Largest, How::Smallest, How::NotLargest, How::NotSmallest];
                asked.extend(extremes.map(|how| (how, 0)));
            }
            if different.len() <= 12 {
                asked.extend(different.iter().map(|&v| (How::Is, v)));
            }
            if property.is_counted() && different.len() <= 30 {
                for &v in different.iter().skip(1) {
                    asked.extend([(How::AtLeast, v), (How::Below, v)]);
                }
            }
            for (how, value) in asked {
                let Ok(value) = i16::try_from(value) else { continue };
                let question = ObjectQuestion { property, how, value };
                let mut holds = [0; WORDS];
                let mut number = 0;
                for values in &values {
                    for held in question.holds(values) {
                        if held {
                            add(&mut holds, number);
                        }
                        number += 1;
                    }
                }
                let some = self.both(&all, &holds);
                if some != [0; WORDS] && some != all && seen.insert(holds) {
                    self.questions.push((question, price(question), holds));
                }
            }
        }
        self.questions.sort_by_key(|q| q.1);
    }

    /// The objects of the demos, or of all but one.
    fn of_demos(&self, without: Option<usize>) -> Things {
        let mut all = [0; WORDS];
        for (_, own) in
            self.inputs[..self.demos].iter().enumerate().filter(|d| Some(d.0) != without)
        {
            all.iter_mut().zip(own).for_each(|(a, b)| *a |= b);
        }
        all
    }

    fn both(&self, a: &Things, b: &Things) -> Things {
        let mut both = [0; WORDS];
        (0..self.words).for_each(|w| both[w] = a[w] & b[w]);
        both
    }

    fn rest(&self, a: &Things, b: &Things) -> Things {
        let mut rest = [0; WORDS];
        (0..self.words).for_each(|w| rest[w] = a[w] & !b[w]);
        rest
    }

    /// The number of the simplest action that explains all of some objects.
    fn action(&self, things: &Things) -> Option<usize> {
        let is = |explained: &Things| (0..self.words).all(|w| things[w] & !explained[w] == 0);
        self.explained.iter().position(is)
    }

    /// The shortest rules for all demos, or all but one; cheapest first, with their prices.
    fn learn(&self, without: Option<usize>, work: &mut u64) -> Vec<(u16, Lines)> {
        let all = self.of_demos(without);
        if let Some(action) = self.action(&all) {
            return vec![(self.order[action].1, vec![(None, action)])];
        }
        let mut sets = 0;
        let mut found = Vec::new();
        let things: u32 = all.iter().map(|w| w.count_ones()).sum();
        for lines in 1..=MOST_LINES {
            if lines > 1 && (lines + 1) * SUPPORT > things as usize {
                break;
            }
            self.extend(&all, lines, (0, Vec::new()), &mut found, &mut sets);
            if !found.is_empty() {
                break;
            }
        }
        *work += sets * self.words as u64 * 4;
        found.sort_by_key(|(price, _)| *price);
        found.truncate(MOST_RULES);
        found
    }

    /// Every rule of so many more lines for the objects that are left.
    fn extend(
        &self,
        left: &Things,
        lines: usize,
        so_far: (u16, Lines),
        found: &mut Vec<(u16, Lines)>,
        sets: &mut u64,
    ) {
        for (number, (question, price, holds)) in self.questions.iter().enumerate() {
            *sets += 1;
            if *sets > MOST_SETS {
                return;
            }
            let opposite = matches!(question.how, How::Below | How::NotLargest | How::NotSmallest);
            if lines == 1 && opposite {
                continue;
            }
            let (yes, no) = (self.both(left, holds), self.rest(left, holds));
            if yes == [0; WORDS] || no == [0; WORDS] {
                continue;
            }
            let Some(action) = self.action(&yes) else { continue };
            let mut next = (so_far.0 + PER_LINE + price + self.order[action].1, so_far.1.clone());
            next.1.push((Some(number), action));
            if lines > 1 {
                self.extend(&no, lines - 1, next, found, sets);
            } else if let Some(last) = self.action(&no) {
                next.0 += self.order[last].1;
                next.1.push((None, last));
                found.push(next);
            }
        }
    }

    /// Whether a rule explains a demo.
    fn explains(&self, lines: &Lines, demo: usize) -> bool {
        let mut left = self.inputs[demo];
        lines.iter().all(|&(question, action)| {
            let here = question.map_or(left, |q| self.both(&left, &self.questions[q].2));
            left = self.rest(&left, &here);
            let explained = &self.explained[action];
            (0..self.words).all(|w| here[w] & !explained[w] == 0)
        })
    }

    /// The rule of some lines, unless it leaves everything as it is or gives all objects one colour.
    fn rule(&self, part: ObjectPart, lines: &Lines) -> Option<ObjectRule> {
        let (&(_, last), lines) = lines.split_last()?;
        let last = self.order[last].0;
        // One colour for all, or none, needs no rule.
        if lines.is_empty() && (last == self.nothing || last <= KEPT && self.nothing == KEPT) {
            return None;
        }
        let mut rule = ObjectRule::new(part, last);
        for &(question, action) in lines {
            rule.push(self.questions[question?].0, self.order[action].0)?;
        }
        Some(rule)
    }
}

/// Adds to a growth what rules make of a list.
pub(crate) fn attach(
    growth: &mut ChainGrowth,
    node: u32,
    rules: Vec<(ObjectRule, u16)>,
    step: fn(ObjectRule) -> Step,
) {
    let mut scratch = Scratch::default();
    for (rule, price) in rules {
        let sheets = (0..growth.inputs()).map(|k| {
            let bounds = &growth.pools[k].bounds;
            step(rule).apply(growth.item(node, k), bounds, &mut scratch)?;
            Some(scratch.one.clone())
        });
        if let Some(sheets) = sheets.collect::<Option<Vec<Sheet>>>() {
            growth.attach(node, step(rule), sheets, price);
        }
    }
}

/// What the output shows where a part of an object lies.
struct Shown {
    /// The part as it is.
    same: bool,
    /// One colour; `None` when there is nothing of the part.
    color: Option<Option<u8>>,
    /// What there is in the input, so that nothing need be painted.
    unchanged: bool,
}

impl Shown {
    /// `None` when the part cannot be made.
    fn new(thing: &Sheet, part: ObjectPart, input: &Sheet, target: &Sheet) -> Option<Shown> {
        let mut sheet = Sheet::default();
        part.of(thing, &mut sheet)?;
        let (mut same, mut unchanged, mut color) = (true, true, None);
        let inside = |i: i32, j: i32| {
            (0..target.height() as i32).contains(&i) && (0..target.width() as i32).contains(&j)
        };
        for i in 0..sheet.height() {
            for (j, &own) in sheet.row(i).iter().enumerate().filter(|(_, c)| **c != 0) {
                let (i, j) = (sheet.top + i as i32, sheet.left + j as i32);
                if part != ObjectPart::Whole && !inside(i, j) {
                    continue;
                }
                let there = target.get(i, j);
                same &= there == own;
                unchanged &= there == input.get(i, j);
                color = match color {
                    None => Some(Some(there)),
                    Some(Some(known)) if known == there => color,
                    Some(_) => Some(None),
                };
            }
        }
        unchanged &= part != ObjectPart::Whole;
        Some(Shown { same, color, unchanged })
    }

    /// Whether it can be this colour, or (0) nothing.
    fn is(&self, color: u8) -> bool {
        self.color.is_none_or(|c| c == Some(color)) || color == 0 && self.unchanged
    }
}

fn add(things: &mut Things, number: usize) {
    things[number / 64] |= 1 << (number % 64);
}

/// How unlikely a question is.
fn price(question: ObjectQuestion) -> u16 {
    use arcloom_dsl::sheet::measure::Measure::*;
    let property = match question.property {
        Property::Own(Area | Holes) | Property::Color | Property::HoleParts => 0,
        Property::Border | Property::Alike | Property::Touching | Property::Own(Height | Width) => {
            1
        }
        Property::Own(Top | Left | Frame | Pieces | Colors) => 3,
        _ => 2,
    };
    let how = match question.how {
        How::Is | How::Largest | How::Smallest => 0,
        _ => 1,
    };
    property + how
}
