//! Primitives that closures are laid out with.

use std::sync::OnceLock;

use super::Op;
use crate::registry::Registry;

/// What a primitive does to values with names.
#[derive(Clone, Copy)]
pub(super) enum Prim {
    Other,
    Identity,
    First,
    Last,
    Initset,
    Astuple,
    Equality,
    Apply,
    Manhattan,
    Connect,
    Recolor,
    Center,
    Corner,
    Extent,
    /// An operation on a number.
    Number(Op),
    /// An operation on two numbers.
    Numbers(Op),
    /// An operation on the numbers of a place.
    Extreme(Op),
    /// An operation on a number or both parts of a place, with this number.
    Parts1(Op, i64),
    /// An operation on a number or both parts of a place.
    Each(Op),
    /// An operation on numbers or places, part by part.
    Parts2(Op),
    /// A measure of a patch.
    Measure(usize),
    /// The last row or column of a patch.
    End(usize),
    /// All elements along one side of the box, the other side being 1.
    Line(usize),
    /// Whether two patches have a row or column in common.
    Matching(usize),
}

/// What is known of every primitive, by id.
pub(super) fn prims() -> &'static [Prim] {
    static PRIMS: OnceLock<Vec<Prim>> = OnceLock::new();
    PRIMS.get_or_init(|| Registry::get().all().map(|(_, prim)| by_name(prim.name)).collect())
}

fn by_name(name: &str) -> Prim {
    match name {
        "identity" => Prim::Identity,
        "first" => Prim::First,
        "last" => Prim::Last,
        "initset" => Prim::Initset,
        "astuple" => Prim::Astuple,
        "equality" => Prim::Equality,
        "apply" => Prim::Apply,
        "manhattan" => Prim::Manhattan,
        "connect" => Prim::Connect,
        "recolor" => Prim::Recolor,
        "center" => Prim::Center,
        "ulcorner" => Prim::Corner,
        "shape" => Prim::Extent,
        "even" => Prim::Number(Op::IsEven),
        "positive" => Prim::Number(Op::IsPositive),
        "flip" => Prim::Number(Op::IsZero),
        "greater" => Prim::Numbers(Op::Greater),
        "both" => Prim::Numbers(Op::Both),
        "either" => Prim::Numbers(Op::Either),
        "maximum" => Prim::Extreme(Op::Max),
        "minimum" => Prim::Extreme(Op::Min),
        "add" => Prim::Parts2(Op::Add),
        "subtract" => Prim::Parts2(Op::Subtract),
        "multiply" => Prim::Parts2(Op::Multiply),
        "increment" => Prim::Parts1(Op::Add, 1),
        "decrement" => Prim::Parts1(Op::Subtract, 1),
        "double" => Prim::Parts1(Op::Multiply, 2),
        "sign" => Prim::Each(Op::Sign),
        "invert" => Prim::Each(Op::Negate),
        "halve" => Prim::Each(Op::Halve),
        "crement" => Prim::Each(Op::Crement),
        "uppermost" => Prim::Measure(0),
        "leftmost" => Prim::Measure(1),
        "height" => Prim::Measure(2),
        "width" => Prim::Measure(3),
        "size" => Prim::Measure(4),
        "color" => Prim::Measure(5),
        "lowermost" => Prim::End(0),
        "rightmost" => Prim::End(1),
        "vline" => Prim::Line(2),
        "hline" => Prim::Line(3),
        "hmatching" => Prim::Matching(0),
        "vmatching" => Prim::Matching(1),
        _ => Prim::Other,
    }
}
