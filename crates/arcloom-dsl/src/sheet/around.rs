//! What belongs around a point: a sheet completed by its images about it.

use crate::kernel::sheet::around;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read};
use crate::call::{Caller, Outcome};
use crate::record::Primitive;

/// The members, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&SHEET_AROUND];

/// The sheet with its images about a point: half a turn, with `mirrored` those in the axes through the point too, with
/// `turned` a quarter turn and three, with both also those in its diagonals. The point is the one for which most cells have
/// all their images and no cell lies where the image of another colour does. The sheet grows as far as the images reach.
/// Fails unless four cells and a third of all have all their images, and when there are more than 150.
///
/// ```arc
/// sheet_around((((5, 0, 4, 4), (0, 0, 4, 4)), (0, 0)), F, F) == (((5, 0, 4, 4, 0, 0), (0, 0, 4, 4, 0, 5)), (0, 0))
/// sheet_around((((5, 0, 4, 4), (0, 0, 4, 4)), (0, 0)), T, F) == (((5, 0, 4, 4, 0, 5), (5, 0, 4, 4, 0, 5)), (0, 0))
/// sheet_around((((5, 4, 4), (0, 4, 4)), (0, 0)), F, T) == (((0, 0, 5, 0), (5, 4, 4, 0), (0, 4, 4, 5), (0, 5, 0, 0)), (-1, 0))
/// sheet_around((((5, 0, 4),), (0, 0)), T, T) fails
/// ```
#[primitive(class = Sheet, cost = Pairs, sig = "(Sheet, Bool, Bool) -> Sheet", extra)]
pub fn sheet_around(cx: &mut Caller, sheet: &Value, mirrored: bool, turned: bool) -> Outcome {
    let s = read(sheet, 0)?;
    cx.charge(WORK * s.cells().len())?;
    made(|out| around::around(&s, mirrored, turned, out))
}

/// What a cell costs: few points are worth a look, and all cells are looked at for each.
const WORK: usize = 100;
