//! What arguments may be: numbers within their bounds, paths, texts of programs.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arcloom::Stop;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A number of things, which is not negative.
pub(crate) fn count(name: &str, number: i64) -> PyResult<usize> {
    usize::try_from(number).map_err(|_| {
        PyValueError::new_err(format!("{name} is {number}: give a whole number from 0"))
    })
}

/// A number of things of which there is at least one.
pub(crate) fn some(name: &str, number: i64) -> PyResult<usize> {
    match count(name, number)? {
        0 => Err(PyValueError::new_err(format!("{name} is 0: give a whole number from 1"))),
        n => Ok(n),
    }
}

/// A stop that is due after so many seconds.
pub(crate) fn stop_after(timeout: Option<f64>) -> PyResult<Stop> {
    let Some(seconds) = timeout else { return Ok(Stop::default()) };
    let wait = Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!("timeout is {seconds}: give a number of seconds from 0"))
    })?;
    Ok(Stop::at(Some(Instant::now() + wait)))
}

/// A number of seconds.
pub(crate) fn seconds(name: &str, seconds: f64) -> PyResult<f64> {
    if seconds.is_finite() && seconds >= 0.0 {
        return Ok(seconds);
    }
    let problem = format!("{name} is {seconds}: give a number of seconds from 0");
    Err(PyValueError::new_err(problem))
}

/// A path given as an object of `pathlib`; texts may mean something else.
pub(crate) fn path(object: &Bound<'_, PyAny>) -> Option<PathBuf> {
    if object.is_instance_of::<PyString>() || !object.hasattr("__fspath__").unwrap_or(false) {
        return None;
    }
    object.extract().ok()
}

/// True for a text that is a program rather than the name of one.
pub(crate) fn is_code(text: &str) -> bool {
    text.contains(['\n', '(', '='])
}
