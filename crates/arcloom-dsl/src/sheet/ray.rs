//! Colours of a sheet on the move: smearing, connecting, spreading.

use crate::kernel::sheet::ray::{self, STEPS};
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{axes, map};
use crate::call::{Fault, Outcome};
use crate::record::Primitive;
use crate::view;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&SHEET_SMEAR, &SHEET_CONNECT, &SHEET_SPREAD];

/// Each colour drawn on along the directions until another one is met. Where rays cross, those that go
/// right lie lowest, then left, down, up, and the diagonals.
///
/// ```arc
/// sheet_smear((((1, 0, 0), (0, 2, 0)), (0, 0)), initset(RIGHT)) == (((1, 1, 1), (0, 2, 2)), (0, 0))
/// sheet_smear((((0, 0, 0), (0, 5, 0)), (0, 0)), neighbors(ORIGIN)) == (((5, 5, 5), (5, 5, 5)), (0, 0))
/// sheet_smear((((1, 0),), (0, 0)), initset(ORIGIN)) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Container<Pair>) -> Sheet", extra)]
pub fn sheet_smear(sheet: &Value, directions: &Value) -> Outcome {
    let mut bits = 0;
    for (i, j) in view::positions(directions, 1)? {
        let same = |step: &(i32, i32)| (i64::from(step.0), i64::from(step.1)) == (i, j);
        bits |= 1 << STEPS.iter().position(same).ok_or(Fault::Domain(1))?;
    }
    map(sheet, |s, out| ray::smear(s, bits, out))
}

/// The segments between equal colours with nothing between them: in rows for RIGHT, in columns for
/// DOWN, in both for UNITY.
///
/// ```arc
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), RIGHT) == (((0, 3, 3, 0),), (0, 0))
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), DOWN) == (((0, 0, 0, 0),), (0, 0))
/// sheet_connect((((3, 0, 0, 3),), (0, 0)), ORIGIN) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
pub fn sheet_connect(sheet: &Value, direction: (i64, i64)) -> Outcome {
    let way = match axes(direction, 1)? {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    map(sheet, |s, out| ray::connect(s, way, out))
}

/// Colours flood what is see-through, all at the same pace; with `hold` the most frequent one stays.
///
/// ```arc
/// sheet_spread((((1, 0, 0, 2),), (0, 0)), F) == (((1, 1, 2, 2),), (0, 0))
/// sheet_spread((((1, 0, 0, 2),), (0, 0)), T) == (((1, 2, 2, 2),), (0, 0))
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Bool) -> Sheet", extra)]
pub fn sheet_spread(sheet: &Value, hold: bool) -> Outcome {
    map(sheet, |s, out| ray::spread(s, hold, out))
}
