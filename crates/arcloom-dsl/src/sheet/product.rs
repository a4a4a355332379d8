//! Pictures of pictures.

use crate::kernel::sheet::product;
use arcloom_macros::primitive;
use arcloom_value::Value;

use super::{made, read};
use crate::call::Outcome;

/// For every visible cell of the first sheet a copy of the second, in its own colours or, with `dyed`,
/// in the colour of the cell; at the origin. Fails when the result would be too large.
///
/// ```arc
/// sheet_product((((1, 0),), (3, 3)), (((3, 4),), (0, 0)), F) == (((3, 4, 0, 0),), (0, 0))
/// sheet_product((((1, 2),), (0, 0)), (((3, 0),), (0, 0)), T) == (((1, 0, 2, 0),), (0, 0))
/// sheet_product(((1, 0),), (((3, 4),), (0, 0)), F) fails
/// ```
#[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Sheet, Bool) -> Sheet", extra)]
pub fn sheet_product(large: &Value, small: &Value, dyed: bool) -> Outcome {
    let (large, small) = (read(large, 0)?, read(small, 1)?);
    made(|out| product::product(&large, &small, dyed, out))
}
