//! Mirrors and rotations of grids and patches.

use arcloom_macros::primitive;
use arcloom_value::Value;

use crate::call::Outcome;
use crate::record::Primitive;
use crate::view;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[&ROT180];

/// Half rotation of a grid.
///
/// ```arc
/// rot180(((1, 2), (3, 4))) == ((4, 3), (2, 1))
/// ```
#[primitive(class = Geometry, cost = Cells, sig = "(Grid) -> Grid")]
pub fn rot180(grid: &Value) -> Outcome {
    if let Value::Grid(g) = grid {
        let mut cells = arcloom_value::CellBuf::from_slice(g.cells());
        cells.reverse();
        return Ok(Value::grid(g.height(), g.width(), &cells));
    }
    let mut rows = view::rows(grid, 0)?;
    rows.reverse();
    rows.iter_mut().for_each(|row| row.reverse());
    Ok(view::from_rows(rows))
}
