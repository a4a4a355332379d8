//! Rules, trees and tables as words: how their numbers are written in programs, and what words mean.
//!
//! Programs hold rules as plain data: tuples of numbers. [`spoken`] says in which words an argument of a call
//! is written; the words of `sheet/words.rs` give the numbers again. A text with numbers and a text with
//! words are therefore one program, whose identity does not depend on how it was written.

use std::sync::LazyLock;

use arcloom_value::{PrimId, Value};

use crate::call::Caller;
use crate::constants;
use crate::kernel::sheet::beam::{Heading, Ray, RayEnd, RaySource};
use crate::kernel::sheet::decide::{COPIES, OUTSIDE};
use crate::kernel::sheet::kin::Kin;
use crate::kernel::sheet::overgrow::VISIBLE;
use crate::kernel::sheet::property::Property;
use crate::kernel::sheet::recolor::SAME;
use crate::kernel::sheet::rule::{Action, How};
use crate::kernel::sheet::shift::Shift;
use crate::record::Class;
use crate::registry::Registry;
use crate::sheet::way::STEPS;

/// An expression made of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A number.
    Int(i64),
    /// A constant, or a primitive as a function.
    Name(&'static str),
    /// A tuple.
    Tuple(Vec<Word>),
    /// A call of a primitive.
    Call(&'static str, Vec<Word>),
}

/// The primitives that questions may ask about, in the order of [`Property::ALL`].
pub(crate) static ASKED: [&str; Property::ALL.len()] = [
    "sheet_area",
    "sheet_frame_area",
    "sheet_numcolors",
    "sheet_numpieces",
    "sheet_numgaps",
    "sheet_numholes",
    "sheet_top",
    "sheet_left",
    "sheet_symmetry",
    "sheet_height",
    "sheet_width",
    "sheet_main_color",
    "borders_touched",
    "sheet_is_square",
    "sheet_odd_area",
    "sheet_odd_side",
    "sheet_longer_side",
    "sheet_orientation",
    "sheet_numenclosures",
    "others_same_form",
    "others_same_form_turned",
    "others_same_color",
    "others_same_form_recolored",
    "others_touching",
    "others_around",
    "others_inside",
];

/// The primitives that say from where a colour is taken, in the order of [`Kin::ALL`].
pub(crate) static SOURCES: [&str; Kin::ALL.len()] = [
    "sheet_main_color",
    "sheet_rarest_color",
    "color_of_touching",
    "color_of_nearest",
    "color_of_nearest_in_row",
    "color_of_nearest_in_column",
    "color_of_largest_inside",
    "color_of_smallest_around",
    "color_of_same_form",
    "color_of_largest",
    "color_of_smallest",
];

/// Where rays go, beyond the eight steps; what sends them; where they end: as [`Ray`] counts them.
static HEADINGS: [&str; Heading::ALL.len() - 8] = [
    "LEFT_AND_RIGHT",
    "UP_AND_DOWN",
    "FOUR_SIDES",
    "FOUR_CORNERS",
    "EIGHT_WAYS",
    "LENGTHWISE",
    "CROSSWISE",
    "TO_MARK",
    "FROM_MARK",
    "TO_HEAVY_SIDE",
    "FROM_HEAVY_SIDE",
    "TO_NEAREST_RIM",
    "FROM_NEAREST_RIM",
    "TO_NEAREST",
    "FROM_NEAREST",
    "TO_LARGEST",
    "FROM_LARGEST",
    "TO_SAME_COLOR",
    "FROM_SAME_COLOR",
    "TO_TOUCHING",
    "FROM_TOUCHING",
];
static RAY_SOURCES: [&str; RaySource::ALL.len()] = [
    "WHOLE_FRONT",
    "MIDDLE_OF_FRONT",
    "ITS_CENTER",
    "ITS_MARK",
    "COPIES",
    "COPIES_APART",
    "COPIES_WITHIN",
];
static RAY_ENDS: [&str; RayEnd::ALL.len()] = [
    "UNDER_THINGS",
    "OVER_THINGS",
    "UNTIL_MET",
    "ONLY_UNTIL_MET",
    "BOUNCING",
    "TURNING_RIGHT",
    "TURNING_LEFT",
    "ONE_LONG",
    "TWO_LONG",
    "THREE_LONG",
    "OWN_SIZE_LONG",
    "OWN_AREA_LONG",
    "ITS_COLORS_LONG",
];

static COLORS: [&str; 10] =
    ["BLACK", "BLUE", "RED", "GREEN", "YELLOW", "GRAY", "MAGENTA", "ORANGE", "CYAN", "BURGUNDY"];
/// Right, left, down, up: as shifts count them.
static WAYS: [&str; 4] = ["RIGHT", "LEFT", "DOWN", "UP"];

/// How an argument of a call is written.
type Speaker = fn(&Value) -> Option<Word>;

/// The arguments that are written in words: primitive, place of the argument, how it is written.
static SPEAKERS: LazyLock<Vec<(PrimId, usize, Speaker)>> = LazyLock::new(|| {
    let all: [(&str, usize, Speaker); 9] = [
        ("paint_by_rule", 2, part),
        ("paint_by_rule", 3, |rule| lines(rule, paint)),
        ("move_by_rule", 2, |rule| lines(rule, movement)),
        ("send_rays", 2, |rule| lines(rule, sent)),
        ("recolor_by", 2, |entries| table(entries, changed)),
        ("recolor_by_rank", 2, |entries| table(entries, changed)),
        ("lookup_cells", 1, |entries| table(entries, color)),
        ("decide_cells", 1, tree),
        ("grow_cells", 1, growth),
    ];
    let known = |(name, index, speaker)| Some((Registry::get().find(name)?, index, speaker));
    all.into_iter().filter_map(known).collect()
});

/// The words for argument `index` of a primitive; `None` where it is written as it is. The words give this
/// very value.
pub fn spoken(prim: PrimId, index: usize, value: &Value) -> Option<Word> {
    let is_this = |speaker: &&(PrimId, usize, Speaker)| speaker.0 == prim && speaker.1 == index;
    let word = SPEAKERS.iter().find(is_this)?.2(value)?;
    (evaluate(&word)? == *value).then_some(word)
}

/// Whether a primitive is a word: what it gives for constants is the number that it stands for. Properties and
/// sources of colours take sheets: they are no words, but functions that words name.
pub fn is_word(prim: PrimId) -> bool {
    let record = Registry::get().primitive(prim);
    record.class == Class::Rule && !record.sig.contains("Sheet")
}

/// The value of a word called with constants; `None` for other primitives, and where the call fails.
pub fn folded(prim: PrimId, args: &[&Value]) -> Option<Value> {
    is_word(prim).then(|| Caller::default().call_prim(prim, args).ok())?
}

fn evaluate(word: &Word) -> Option<Value> {
    let all = |words: &[Word]| words.iter().map(evaluate).collect::<Option<Vec<Value>>>();
    match word {
        Word::Int(n) => Some(Value::Int(*n)),
        Word::Name(name) => match constants::find(name) {
            Some(constant) => Some(constant.value()),
            None => Registry::get().find(name).map(Value::Prim),
        },
        Word::Tuple(parts) => Some(Value::tuple(all(parts)?)),
        Word::Call(name, args) => {
            let args = all(args)?;
            folded(Registry::get().find(name)?, &args.iter().collect::<Vec<_>>())
        }
    }
}

impl Word {
    /// Calls `f` with every constant and primitive that the words name.
    pub fn names(&self, f: &mut dyn FnMut(&'static str)) {
        match self {
            Word::Int(_) => {}
            Word::Name(name) => f(name),
            Word::Tuple(parts) => parts.iter().for_each(|part| part.names(f)),
            Word::Call(name, args) => {
                f(name);
                args.iter().for_each(|arg| arg.names(f));
            }
        }
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |words: &[Word], f: &mut std::fmt::Formatter<'_>| {
            words.iter().enumerate().try_for_each(|(n, word)| {
                f.write_str(if n > 0 { ", " } else { "" })?;
                word.fmt(f)
            })
        };
        match self {
            Word::Int(n) => write!(f, "{n}"),
            Word::Name(name) => f.write_str(name),
            Word::Tuple(parts) => {
                f.write_str("(")?;
                list(parts, f)?;
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            Word::Call(name, args) => {
                write!(f, "{name}(")?;
                list(args, f)?;
                f.write_str(")")
            }
        }
    }
}

fn items(value: &Value) -> Option<Vec<Value>> {
    value.is_tuple().then(|| value.iter())?.map(Iterator::collect)
}

fn ints(value: &Value) -> Option<Vec<i64>> {
    items(value)?.iter().map(Value::as_int).collect()
}

fn color(n: i64) -> Option<Word> {
    color_name(u8::try_from(n).ok()?).map(Word::Name)
}

/// The name of a colour.
pub fn color_name(color: u8) -> Option<&'static str> {
    COLORS.get(usize::from(color)).copied()
}

fn part(value: &Value) -> Option<Word> {
    let parts = ["WHOLE", "HOLES", "GAPS", "HALO", "CORE"];
    parts.get(usize::try_from(value.as_int()?).ok()?).copied().map(Word::Name)
}

/// The lines of a rule.
fn lines(rule: &Value, action: fn(i64) -> Option<Word>) -> Option<Word> {
    items(rule)?.iter().map(|line| line_of(line, action)).collect::<Option<_>>().map(Word::Tuple)
}

fn line_of(line: &Value, action: fn(i64) -> Option<Word>) -> Option<Word> {
    Some(match ints(line)?[..] {
        [last] => Word::Call("otherwise", vec![action(last)?]),
        [property, how, value, then] => {
            Word::Call("when", vec![question(property, how, value)?, action(then)?])
        }
        _ => return None,
    })
}

fn question(property: i64, how: i64, value: i64) -> Option<Word> {
    let number = usize::try_from(property).ok()?;
    let asked = Word::Name(ASKED.get(number)?);
    let value = match Property::ALL.get(number)? {
        Property::Color => color(value),
        Property::Square | Property::OddArea | Property::OddSide => match value {
            0 => Some(Word::Name("F")),
            1 => Some(Word::Name("T")),
            _ => None,
        },
        Property::Upright => {
            let forms = ["WIDE", "SQUARE", "TALL"];
            usize::try_from(value).ok().and_then(|n| forms.get(n)).copied().map(Word::Name)
        }
        _ => None,
    }
    .unwrap_or(Word::Int(value));
    let (name, has_value) = match How::ALL.get(usize::try_from(how).ok()?)? {
        How::Is => ("is_equal", true),
        How::AtLeast => ("is_at_least", true),
        How::Below => ("is_below", true),
        How::Largest => ("is_largest", false),
        How::NotLargest => ("is_not_largest", false),
        How::Smallest => ("is_smallest", false),
        How::NotSmallest => ("is_not_smallest", false),
    };
    Some(Word::Call(name, if has_value { vec![asked, value] } else { vec![asked] }))
}

/// What becomes of a sheet that is painted.
fn paint(action: i64) -> Option<Word> {
    const KEEP: i64 = SAME as i64;
    match action {
        0 => Some(Word::Name("VANISH")),
        1..KEEP => color(action),
        KEEP => Some(Word::Name("KEEP")),
        _ => {
            let source = usize::try_from(action.checked_sub(KEEP + 1)?).ok()?;
            SOURCES.get(source).copied().map(Word::Name)
        }
    }
}

/// What becomes of a sheet that is moved.
fn movement(action: i64) -> Option<Word> {
    let way = |way: u8| Word::Name(WAYS[usize::from(way & 3)]);
    Some(match Shift::of(Action::try_from(action).ok()?)? {
        Shift::Stays => Word::Name("STAY"),
        Shift::Until(side) => Word::Call("move_until_blocked", vec![way(side)]),
        Shift::BySize(side) => Word::Call("move_by_own_size", vec![way(side)]),
        Shift::ToFirst => Word::Name("MOVE_TO_STAYING"),
        Shift::TopOfFirst => Word::Name("ALIGN_TOP_WITH_STAYING"),
        Shift::LeftOfFirst => Word::Name("ALIGN_LEFT_WITH_STAYING"),
        Shift::By(down, right) => {
            Word::Call("move_by", vec![offset(down.into(), right.into(), false)])
        }
    })
}

/// The ray that a sheet sends.
fn sent(action: i64) -> Option<Word> {
    let number = Action::try_from(action).ok()?;
    if number == 0 {
        return Some(Word::Name("NO_RAY"));
    }
    let [heading, from, color, end] = Ray::parts(number)?;
    let heading = match STEPS.get(heading) {
        Some(&(down, right)) => offset(down.into(), right.into(), false),
        None => Word::Name(HEADINGS.get(heading - STEPS.len())?),
    };
    let color = match color {
        0 => Word::Name("OWN_COLOR"),
        10 => Word::Name("ITS_RAREST_COLOR"),
        11 => Word::Name("COLOR_MET"),
        plain => Word::Name(COLORS.get(plain)?),
    };
    let (from, end) = (Word::Name(RAY_SOURCES.get(from)?), Word::Name(RAY_ENDS.get(end)?));
    Some(Word::Call("ray", vec![heading, from, color, end]))
}

/// So many rows down and columns right.
fn offset(down: i64, right: i64, of_cell: bool) -> Word {
    match (down, right) {
        (0, 0) if of_cell => Word::Name("HERE"),
        (0, 1) => Word::Name("RIGHT"),
        (0, -1) => Word::Name("LEFT"),
        (1, 0) => Word::Name("DOWN"),
        (-1, 0) => Word::Name("UP"),
        (-1, 1) => Word::Name("UP_RIGHT"),
        (-1, -1) => Word::Name("UP_LEFT"),
        (1, 1) => Word::Name("DOWN_RIGHT"),
        (1, -1) => Word::Name("DOWN_LEFT"),
        _ => Word::Tuple(vec![Word::Int(down), Word::Int(right)]),
    }
}

/// The entries of a table.
fn table(entries: &Value, color_of: fn(i64) -> Option<Word>) -> Option<Word> {
    let entry = |entry: &Value| {
        let [key, color] = &items(entry)?[..] else { return None };
        let key = match key.as_int() {
            Some(n) => Word::Int(n),
            None => Word::Tuple(ints(key)?.into_iter().map(self::color).collect::<Option<_>>()?),
        };
        Some(Word::Call("case", vec![key, color_of(color.as_int()?)?]))
    };
    let entries = items(entries)?;
    if entries.is_empty() {
        return None;
    }
    entries.iter().map(entry).collect::<Option<_>>().map(Word::Tuple)
}

/// What becomes of a sheet by a table.
fn changed(color: i64) -> Option<Word> {
    if color == -1 { Some(Word::Name("KEEP")) } else { self::color(color).map(gone) }
}

/// Of sheets that are given no colour nothing is left.
fn gone(color: Word) -> Word {
    if color == Word::Name(COLORS[0]) { Word::Name("VANISH") } else { color }
}

/// The colour that a cell is asked for.
fn seen(n: i64) -> Option<Word> {
    match n {
        _ if n == i64::from(OUTSIDE) => Some(Word::Name("OUTSIDE")),
        _ if n == i64::from(VISIBLE) => Some(Word::Name("ANY_COLOR")),
        _ => color(n),
    }
}

/// A tree of questions about cells.
fn tree(value: &Value) -> Option<Word> {
    if let Some(n) = value.as_int() {
        return if n < COPIES {
            color(n)
        } else {
            Some(Word::Call("color_in", vec![Word::Int(n - COPIES)]))
        };
    }
    let [sheet, by, color, yes, no] = &items(value)?[..] else { return None };
    let [down, right] = ints(by)?[..] else { return None };
    let asked = vec![Word::Int(sheet.as_int()?), offset(down, right, true), seen(color.as_int()?)?];
    Some(Word::Call("if_cell", vec![Word::Call("cell_is", asked), tree(yes)?, tree(no)?]))
}

/// Rules by which cells grow.
fn growth(rules: &Value) -> Option<Word> {
    let rules = items(rules)?;
    if rules.is_empty() {
        return None;
    }
    rules.iter().map(repaint).collect::<Option<_>>().map(Word::Tuple)
}

fn repaint(rule: &Value) -> Option<Word> {
    let [own, conditions, paint] = &items(rule)?[..] else { return None };
    let (mut places, mut words) = (Vec::new(), Vec::new());
    for condition in items(conditions)? {
        let [by, color] = &items(&condition)?[..] else { return None };
        let [down, right] = ints(by)?[..] else { return None };
        let place = offset(down, right, true);
        places.push(place.clone());
        words.push(Word::Call("sees", vec![place, seen(color.as_int()?)?]));
    }
    let paint = match paint.as_int()? {
        copied if copied >= COPIES => {
            let place = places.get(usize::try_from(copied - COPIES).ok()?)?;
            Word::Call("color_at", vec![place.clone()])
        }
        plain => color(plain)?,
    };
    Some(Word::Call("repaint", vec![color(own.as_int()?)?, Word::Tuple(words), paint]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_of_kernels() {
        for (name, property) in ASKED.iter().zip(Property::ALL) {
            let is_measure = matches!(property, Property::Own(_));
            let id = Registry::get().find(name).unwrap_or_else(|| panic!("{name}"));
            let class = Registry::get().primitive(id).class;
            assert_eq!(class == Class::Sheet, is_measure, "{name}");
        }
    }
}
