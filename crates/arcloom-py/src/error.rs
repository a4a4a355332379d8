//! Exceptions of the engine, with the engine's own text.

use arcloom::TextError;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyErr, create_exception};

create_exception!(arcloom, ArcloomError, PyException, "What the engine cannot do, and why.");
create_exception!(arcloom, ProgramError, ArcloomError, "A text that is not a program, and where.");

/// An error of the engine's as an exception.
pub(crate) fn engine(error: impl std::fmt::Display) -> PyErr {
    ArcloomError::new_err(error.to_string())
}

/// The one program of a text, or a `ProgramError`.
pub(crate) fn one_program(py: Python<'_>, name: &str, text: &str) -> PyResult<arcloom::Entry> {
    arcloom::one_program(name, text).map_err(|problem| {
        let answer = arcloom::Answer::read(text);
        let error = answer.readings.iter().find_map(|reading| reading.program.as_ref().err());
        match error {
            Some(error) => program_error(py, name, Some(error)),
            None => described(py, ProgramError::new_err(problem), None),
        }
    })
}

/// A `ProgramError` with `message`, `line`, `column` and `suggestion`.
pub(crate) fn program_error(py: Python<'_>, name: &str, error: Option<&TextError>) -> PyErr {
    let text = error.map_or_else(String::new, |error| error.render(name));
    described(py, ProgramError::new_err(text), error)
}

fn described(py: Python<'_>, raised: PyErr, error: Option<&TextError>) -> PyErr {
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("message", error.map(|error| error.message.as_str()))?;
        value.setattr("line", error.map(|error| error.line))?;
        value.setattr("column", error.map(|error| error.column))?;
        value.setattr("suggestion", error.and_then(|error| error.suggestion.as_deref()))
    };
    set().err().unwrap_or(raised)
}

/// A record of `arcloom.results` with these fields.
pub(crate) fn record<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("arcloom.results")?.getattr(class)?.call1(fields.into_pyobject(py)?)
}
