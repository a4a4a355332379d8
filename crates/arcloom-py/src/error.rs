//! Exceptions of the engine, with the engine's own text.

use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};

create_exception!(arcloom, ArcloomError, PyException, "What the engine cannot do, and why.");
create_exception!(arcloom, ProgramError, ArcloomError, "A text that is not a program, and where.");

/// An error of the engine's as an exception.
pub(crate) fn engine(error: impl std::fmt::Display) -> PyErr {
    ArcloomError::new_err(error.to_string())
}
