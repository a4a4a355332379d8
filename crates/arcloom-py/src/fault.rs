//! Failures as the exceptions that arc-dsl raises in the same place.
//!
//! A fault alone does not say: looking for the least of nothing is a `ValueError`, taking the first of
//! nothing a `StopIteration`, and row 0 of nothing an `IndexError`. The lists below hold what differs
//! from the rule; the recorded failures of arc-dsl are the test.

use arcloom::{EvalError, Fault, PrimId, Registry, Value};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyAttributeError, PyIndexError, PyOverflowError, PyRecursionError, PyRuntimeError,
    PyStopIteration, PyTypeError, PyValueError, PyZeroDivisionError,
};

use crate::foreign;

/// Where nothing was found by asking an iterator for its next element.
const NEXT: &[&str] = &["color", "extract", "first", "other"];
/// Where nothing was found by asking for row 0.
const ROW: &[&str] = &[
    "cellwise",
    "cmirror",
    "downscale",
    "fill",
    "hmirror",
    "hsplit",
    "paint",
    "subgrid",
    "toobject",
    "underpaint",
    "vmirror",
    "vsplit",
];
/// Functions that call another one inside a generator, out of which no `StopIteration` comes.
const GENERATORS: &[&str] = &[
    "apply",
    "colorfilter",
    "extract",
    "mapply",
    "mfilter",
    "mpapply",
    "papply",
    "prapply",
    "rapply",
    "sfilter",
];
/// Functions that ask an argument for a method it may not have.
const METHODS: &[&str] = &["dedupe", "insert", "lbind", "leastcommon", "mostcommon", "rbind"];

/// The exception for a failure, with the engine's text. `called` is what Python called,
/// and with which arguments.
pub(crate) fn to_exception(error: EvalError, called: Option<PrimId>, args: &[Value]) -> PyErr {
    let text = error.to_string();
    let name = |id: PrimId| Registry::get().primitive(id).name;
    let failed = error.prim().map_or("", name);
    let called = called.map_or("", name);
    match error.fault {
        Fault::Foreign(_) => foreign::raised().unwrap_or_else(|| PyRuntimeError::new_err(text)),
        Fault::Zero => PyZeroDivisionError::new_err(text),
        Fault::Empty if failed == "colorfilter" => PyRuntimeError::new_err(text),
        Fault::Empty if NEXT.contains(&failed) => {
            if GENERATORS.contains(&called) && called != failed {
                PyRuntimeError::new_err(text)
            } else {
                PyStopIteration::new_err(text)
            }
        }
        Fault::Empty if ROW.contains(&failed) => PyIndexError::new_err(text),
        Fault::Empty | Fault::Domain(_) => PyValueError::new_err(text),
        Fault::Range => PyIndexError::new_err(text),
        Fault::Parts => PyValueError::new_err(text),
        Fault::Overflow => PyOverflowError::new_err(text),
        Fault::Depth => PyRecursionError::new_err(text),
        Fault::Budget | Fault::Stopped => PyRuntimeError::new_err(text),
        Fault::Kind(n) if METHODS.contains(&failed) && is_container(args.get(usize::from(n))) => {
            PyAttributeError::new_err(text)
        }
        Fault::NotAFunction if METHODS.contains(&failed) => PyAttributeError::new_err(text),
        Fault::Element if failed == "colorcount" => PyAttributeError::new_err(text),
        _ => PyTypeError::new_err(text),
    }
}

fn is_container(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.is_tuple() || value.is_set())
}
