//! Directions, by the names that programs have for them, numbered in one way.

use arcloom_value::Value;

use crate::call::{EvalError, Fault, FromValue};
use crate::step::{Bounds, StepConstant, StepWord, step_constant};
use crate::view;

step_constant! {
    /// A side of a sheet, and the step (down, right) towards it.
    pub enum SheetSide: (i32, i32) {
        Right = (0, 1),
        Left = (0, -1),
        Down = (1, 0),
        Up = (-1, 0),
    }
}

impl FromValue for SheetSide {
    fn from_value(value: &Value, index: u8) -> Result<SheetSide, EvalError> {
        let (i, j) = value.as_pair().ok_or(Fault::Kind(index))?;
        let is =
            |side: &&SheetSide| (i64::from(side.value().0), i64::from(side.value().1)) == (i, j);
        SheetSide::ALL.iter().find(is).copied().ok_or(Fault::Domain(index).into())
    }
}

step_constant! {
    /// Along rows, along columns, or both.
    pub enum Axes: (i32, i32) {
        Right = (0, 1),
        Down = (1, 0),
        Both = (1, 1),
    }
}

impl FromValue for Axes {
    /// A direction goes along rows, columns, or both. Fails when it does neither.
    fn from_value(value: &Value, index: u8) -> Result<Axes, EvalError> {
        let (down, right) = value.as_pair().ok_or(Fault::Kind(index))?;
        match (down != 0, right != 0) {
            (false, false) => Err(Fault::Domain(index).into()),
            (false, true) => Ok(Axes::Right),
            (true, false) => Ok(Axes::Down),
            (true, true) => Ok(Axes::Both),
        }
    }
}

/// Steps (down, right) in the eight directions: to the sides, then the diagonals.
pub const STEPS: [(i32, i32); 8] = [
    SheetSide::Right.value(),
    SheetSide::Left.value(),
    SheetSide::Down.value(),
    SheetSide::Up.value(),
    (1, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
];

/// A set of directions, a bit for each of [`STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directions(pub u8);

impl FromValue for Directions {
    fn from_value(value: &Value, index: u8) -> Result<Directions, EvalError> {
        let mut bits = 0;
        for (i, j) in view::positions(value, index)? {
            let same = |step: &(i32, i32)| (i64::from(step.0), i64::from(step.1)) == (i, j);
            bits |= 1 << STEPS.iter().position(same).ok_or(Fault::Domain(index))?;
        }
        Ok(Directions(bits))
    }
}

impl StepConstant for Directions {
    /// One direction, two opposite ones, all straight ones, all diagonals, all eight.
    fn tried(_: u32) -> Vec<u8> {
        let straight = [0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b1100, 0b1111];
        let diagonal = straight.map(|bits| bits << 4);
        [&straight[..], &diagonal, &[0xff]].concat()
    }

    #[inline]
    fn code(self) -> u8 {
        self.0
    }

    #[inline]
    fn of(code: u8, _: &Bounds) -> Option<Directions> {
        Some(Directions(code))
    }

    /// A set of directions by the words that arc-dsl has for it.
    fn word(code: u8) -> StepWord {
        let origin = || vec![StepWord::Pair(0, 0)];
        match code {
            0b0000_1111 => return StepWord::Call("dneighbors", origin()),
            0b1111_0000 => return StepWord::Call("ineighbors", origin()),
            0b1111_1111 => return StepWord::Call("neighbors", origin()),
            _ => {}
        }
        let steps = STEPS.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1);
        let mut steps = steps.map(|(_, &(i, j))| StepWord::Pair(i, j));
        let first = steps.next().unwrap_or(StepWord::Pair(0, 0));
        let set = StepWord::Call("initset", vec![first]);
        steps.fold(set, |set, step| StepWord::Call("insert", vec![step, set]))
    }
}
