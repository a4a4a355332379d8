//! Grids as Python objects.

use arcloom::Grid;
use pyo3::prelude::*;

/// A grid of cells.
#[pyclass(frozen, name = "Grid", module = "arcloom")]
pub(crate) struct PyGrid(pub(crate) Grid);
