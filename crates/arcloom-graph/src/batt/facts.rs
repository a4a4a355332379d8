//! What is known about a node before any input is seen.
//!
//! Two things: what kind of value it gives, *if* it gives one, and whether it gives one for sure. Both
//! hold for every input grid within [`MAX_SIDE`] and every budget of at least [`LEAST_BUDGET`] per
//! step. Nothing is known about most nodes, and saying so is always right.
//!
//! The kinds carry bounds, because whether a step goes over budget is an outcome like any other: all
//! primitives that are mentioned here spend a few units per cell, so that on kinds within
//! [`MAX_CELLS`] none of them can come near the budget. Containers that are not of such a kind, and
//! values that could be of any size, are `Any`.

use arcloom_lang::{Node, Op};
use arcloom_value::Value;

use crate::batt::draft::called;

/// Largest side of an input grid.
pub const MAX_SIDE: u32 = 64;
/// Most cells or elements of a kind with bounds.
pub const MAX_CELLS: u32 = 16_384;
/// Least budget per step for which facts, and so the rules that use them, hold. A call is charged at most
/// six units for each cell of the largest kind (98,304), 245,768 for looking over a grid of that kind in
/// general form (32,769 numbers and rows, four units for eight of them, fifteen rounds of putting in
/// order) and 614,415 for a set (16,384 cells of five numbers).
pub const LEAST_BUDGET: u64 = 1_000_000;
/// Largest integer that counts as bounded: far more than any container has elements, and sums of a
/// few of them do not overflow.
const MAX_INT: i64 = 1 << 40;

/// What is known about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// Of what kind its value is, if it has one.
    pub kind: ValueKind,
    /// True when it has a value on every input.
    pub sure: bool,
}

/// A kind of value, with bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Not known.
    Any,
    /// An integer from `-max` to `max`.
    Int {
        /// The bound.
        max: i64,
    },
    /// A tuple of two such integers.
    Pair {
        /// The bound.
        max: i64,
    },
    /// A tuple of equally long tuples, at least one by one and at most this large.
    Grid {
        /// Most rows.
        height: u32,
        /// Most columns.
        width: u32,
        /// True when the cells are bounded integers; otherwise they may be anything.
        ints: bool,
    },
    /// A set.
    Set {
        /// Most elements.
        len: u32,
        /// True when it holds positions alone or coloured cells alone, with integer coordinates.
        places: bool,
    },
}

impl ValueKind {
    /// True for a bounded integer.
    pub fn is_int(self) -> bool {
        matches!(self, ValueKind::Int { .. })
    }

    /// True for a bounded integer or a pair of them.
    pub fn is_number(self) -> bool {
        matches!(self, ValueKind::Int { .. } | ValueKind::Pair { .. })
    }

    /// True for a grid within bounds.
    pub fn is_grid(self) -> bool {
        matches!(self, ValueKind::Grid { .. })
    }

    /// True for a grid of bounded integers within bounds.
    pub fn is_grid_of_ints(self) -> bool {
        matches!(self, ValueKind::Grid { ints: true, .. })
    }

    /// True for a set within bounds.
    pub fn is_set(self) -> bool {
        matches!(self, ValueKind::Set { .. })
    }

    fn int(max: i64) -> ValueKind {
        if max <= MAX_INT { ValueKind::Int { max } } else { ValueKind::Any }
    }

    fn pair(max: i64) -> ValueKind {
        if max <= MAX_INT { ValueKind::Pair { max } } else { ValueKind::Any }
    }

    fn grid(height: u32, width: u32, ints: bool) -> ValueKind {
        if area(height, width) <= MAX_CELLS {
            ValueKind::Grid { height, width, ints }
        } else {
            ValueKind::Any
        }
    }

    /// The same number kind with another bound.
    fn with_max(self, change: impl Fn(i64) -> i64) -> ValueKind {
        match self {
            ValueKind::Int { max } => ValueKind::int(change(max)),
            ValueKind::Pair { max } => ValueKind::pair(change(max)),
            _ => ValueKind::Any,
        }
    }

    /// The kind of a value that is of one of two kinds.
    fn join(self, other: ValueKind) -> ValueKind {
        match (self, other) {
            (ValueKind::Int { max: a }, ValueKind::Int { max: b }) => {
                ValueKind::Int { max: a.max(b) }
            }
            (ValueKind::Pair { max: a }, ValueKind::Pair { max: b }) => {
                ValueKind::Pair { max: a.max(b) }
            }
            (
                ValueKind::Grid { height, width, ints },
                ValueKind::Grid { height: h, width: w, ints: all },
            ) => ValueKind::grid(height.max(h), width.max(w), ints && all),
            (ValueKind::Set { len, places }, ValueKind::Set { len: l, places: p }) => {
                ValueKind::Set { len: len.max(l), places: places && p }
            }
            _ => ValueKind::Any,
        }
    }
}

fn area(height: u32, width: u32) -> u32 {
    height.saturating_mul(width)
}

/// Nothing is known.
pub(crate) const NOTHING: Fact = Fact { kind: ValueKind::Any, sure: false };

fn sure(kind: ValueKind) -> Fact {
    Fact { kind, sure: true }
}

/// What is known about a node, given what is known about the nodes before it.
pub(crate) fn fact(node: &Node, facts: &[Fact]) -> Fact {
    let args: Vec<Fact> = node.args.iter().map(|arg| facts[arg.index()]).collect();
    match &node.op {
        Op::Input => sure(ValueKind::grid(MAX_SIDE, MAX_SIDE, true)),
        Op::Samples | Op::Expected => sure(ValueKind::Any),
        Op::Const(value) => sure(constant(value)),
        Op::Call(_) => called(node).map_or(NOTHING, |name| call(name, &args)),
        Op::Tuple => match args[..] {
            [a, b] => pair_of(a, b),
            _ => NOTHING,
        },
        Op::Param(_) | Op::Apply | Op::Set | Op::Lambda(_) => NOTHING,
    }
}

fn constant(value: &Value) -> ValueKind {
    match value {
        Value::Int(n) => n.checked_abs().map_or(ValueKind::Any, ValueKind::int),
        Value::Pair(a, b) => ValueKind::pair(i64::from(*a).abs().max(i64::from(*b).abs())),
        Value::Grid(grid) => {
            let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            ValueKind::grid(side(grid.height()), side(grid.width()), true)
        }
        _ => ValueKind::Any,
    }
}

/// Both parts of a pair are as sure as its making.
fn pair_of(a: Fact, b: Fact) -> Fact {
    match (a.kind, b.kind) {
        (ValueKind::Int { max: m }, ValueKind::Int { max: n }) => {
            Fact { kind: ValueKind::pair(m.max(n)), sure: a.sure && b.sure }
        }
        _ => NOTHING,
    }
}

/// What is known about the call of a primitive.
fn call(name: &str, args: &[Fact]) -> Fact {
    let all = args.iter().all(|arg| arg.sure);
    let kinds: Vec<ValueKind> = args.iter().map(|arg| arg.kind).collect();
    let (kind, cannot_fail) = match *kinds {
        [a] => one(name, a),
        [a, b] => two(name, a, b),
        [ValueKind::Grid { height, width, ints }, a, b] => {
            let (kind, fits) = match name {
                "replace" => {
                    (ValueKind::grid(height, width, ints && b.is_int()), ints && b.is_int())
                }
                "switch" => {
                    let ints = ints && a.is_int() && b.is_int();
                    (ValueKind::grid(height, width, ints), ints)
                }
                "fill" | "underfill" => {
                    let ints = ints && a.is_int();
                    (ValueKind::grid(height, width, ints), ints && is_places(b))
                }
                "move" => (ValueKind::grid(height, width, false), false),
                _ => (ValueKind::Any, false),
            };
            (kind, fits)
        }
        [_, a, b] if name == "branch" => (a.join(b), true),
        [ValueKind::Grid { height, width, ints }, ..] if name == "objects" => {
            (ValueKind::Set { len: area(height, width), places: false }, ints)
        }
        _ => (ValueKind::Any, false),
    };
    Fact { kind, sure: all && cannot_fail }
}

fn is_places(kind: ValueKind) -> bool {
    matches!(kind, ValueKind::Set { places: true, .. })
}

/// Kind of a call with one argument, and whether it cannot fail on an argument of this kind.
fn one(name: &str, arg: ValueKind) -> (ValueKind, bool) {
    match name {
        // Whatever they are given, these give an integer or nothing.
        "size" => {
            let container = arg.is_grid() || arg.is_set() || matches!(arg, ValueKind::Pair { .. });
            return (ValueKind::int(MAX_INT), container);
        }
        "numcolors" => return (ValueKind::int(MAX_INT), arg.is_grid_of_ints()),
        "flip" => return (ValueKind::int(1), true),
        "positive" | "even" => return (ValueKind::int(1), arg.is_int()),
        _ => {}
    }
    match arg {
        ValueKind::Grid { height, width, ints } => {
            let cells = area(height, width);
            let (kind, cannot_fail) = match name {
                "hmirror" | "vmirror" | "rot180" => (arg, true),
                "dmirror" | "cmirror" | "rot90" | "rot270" => {
                    (ValueKind::grid(width, height, ints), true)
                }
                "height" => (ValueKind::int(height.into()), true),
                "width" => (ValueKind::int(width.into()), true),
                "shape" => (ValueKind::pair(height.max(width).into()), true),
                "portrait" | "square" => (ValueKind::int(1), true),
                "mostcolor" | "leastcolor" if ints => (ValueKind::int(MAX_INT), true),
                "palette" => (ValueKind::Set { len: cells, places: false }, true),
                "asindices" => (ValueKind::Set { len: cells, places: true }, true),
                "asobject" => (ValueKind::Set { len: cells, places: true }, ints),
                "partition" | "fgpartition" => (ValueKind::Set { len: cells, places: false }, ints),
                "frontiers" => (ValueKind::Set { len: height + width, places: false }, ints),
                _ => (ValueKind::Any, false),
            };
            // What other cells hold may be of any size, and is paid for.
            (kind, cannot_fail && ints)
        }
        ValueKind::Int { .. } | ValueKind::Pair { .. } => {
            let kind = match (name, arg) {
                ("increment" | "decrement" | "crement", _) => arg.with_max(|max| max + 1),
                ("double", _) => arg.with_max(|max| 2 * max),
                ("halve" | "invert", _) => arg.with_max(|max| max + 1),
                ("sign", _) => arg.with_max(|_| 1),
                ("toivec" | "tojvec", ValueKind::Int { max }) => ValueKind::pair(max),
                ("first" | "last", ValueKind::Pair { max }) => ValueKind::int(max),
                _ => ValueKind::Any,
            };
            (kind, kind != ValueKind::Any)
        }
        _ => (ValueKind::Any, false),
    }
}

/// Kind of a call with two arguments, and whether it cannot fail on arguments of these kinds.
fn two(name: &str, a: ValueKind, b: ValueKind) -> (ValueKind, bool) {
    match (name, a, b) {
        ("equality", ..) => (ValueKind::int(1), true),
        ("greater", ..) => (ValueKind::int(1), a.is_int() && b.is_int()),
        ("contained", ..) => (ValueKind::int(1), false),
        ("both" | "either", ..) => (a.join(b), true),
        ("add" | "subtract", ..) => bounded(number(a, b, |m, n| m + n)),
        ("multiply", ..) => bounded(number(a, b, |m, n| m.saturating_mul(n))),
        // The divisor may be zero.
        ("divide", ..) => (number(a, b, |m, _| m + 1), false),
        ("astuple", ValueKind::Int { max: m }, ValueKind::Int { max: n }) => {
            (ValueKind::pair(m.max(n)), true)
        }
        ("ofcolor", ValueKind::Grid { height, width, ints }, _) => {
            (ValueKind::Set { len: area(height, width), places: true }, ints)
        }
        ("colorcount", ..) => (ValueKind::int(MAX_INT), a.is_grid_of_ints()),
        ("cover", ValueKind::Grid { ints, .. }, _) => (a, ints && is_places(b)),
        ("paint" | "underpaint", ValueKind::Grid { height, width, .. }, _) => {
            (ValueKind::grid(height, width, false), false)
        }
        (
            "hconcat",
            ValueKind::Grid { height, width, ints },
            ValueKind::Grid { height: h, width: w, ints: i },
        ) => {
            let kind = ValueKind::grid(height.min(h), width + w, ints && i);
            (kind, kind != ValueKind::Any && ints && i)
        }
        ("sfilter" | "difference", ValueKind::Set { .. }, _) => (a, false),
        ("colorfilter" | "sizefilter", ValueKind::Set { len, .. }, _) => {
            (ValueKind::Set { len, places: false }, false)
        }
        ("remove", _, ValueKind::Set { .. }) => (b, false),
        _ => (ValueKind::Any, false),
    }
}

fn bounded(kind: ValueKind) -> (ValueKind, bool) {
    (kind, kind != ValueKind::Any)
}

/// A number made part by part from two numbers.
fn number(a: ValueKind, b: ValueKind, max: impl Fn(i64, i64) -> i64) -> ValueKind {
    match (a, b) {
        (ValueKind::Int { max: m }, ValueKind::Int { max: n }) => ValueKind::int(max(m, n)),
        (
            ValueKind::Int { max: m } | ValueKind::Pair { max: m },
            ValueKind::Int { max: n } | ValueKind::Pair { max: n },
        ) => ValueKind::pair(max(m, n)),
        _ => ValueKind::Any,
    }
}
