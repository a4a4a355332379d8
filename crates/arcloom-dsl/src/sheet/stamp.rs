//! Parts of a pattern that lie elsewhere on the same sheet, completed to copies of it.

use crate::kernel::sheet::stamp;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read};
use crate::call::{Caller, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&SHEET_STAMP];

/// Copies of the things with several colours where parts of them are found, all else see-through. A copy may be turned,
/// mirrored and up to three times as large. It is laid where whole things are parts of it, all its cells of their colours
/// or half of it, and nothing else is in its way; a part of one cell says nothing about how a copy is turned, so that it is
/// not. Fails when there is no copy.
///
/// ```arc
/// sheet_stamp((((1, 2, 0, 0, 0), (0, 3, 0, 0, 2)), (0, 0))) == (((0, 0, 0, 0, 0), (0, 0, 0, 1, 2)), (0, 0))
/// sheet_stamp((((1, 2, 0, 4),), (0, 0))) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet) -> Sheet", extra)]
pub fn sheet_stamp(cx: &mut Caller, sheet: &Value) -> Outcome {
    let s = read(sheet, 0)?;
    cx.charge(WORK * s.cells().len())?;
    made(|out| stamp::stamp(&s, out))
}

/// What a cell costs: it is looked at with a few patterns, each in up to 24 forms.
const WORK: usize = 100;
