//! A program step by step.

use std::path::PathBuf;

use arcloom::draw::{SvgOptions, TextOptions, trace_svg, trace_text};
use arcloom::{Registry, Trace};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::to_object;
use crate::figure;

/// A program on one pair, step by step.
#[pyclass(frozen, name = "Trace", module = "arcloom")]
pub(crate) struct PyTrace(pub(crate) Trace);

/// One step: its line, its type, its value, `None` where it failed, and which line of a rule objects met.
#[pyclass(frozen, name = "Step", module = "arcloom", get_all)]
pub(crate) struct PyStep {
    /// Variable and expression.
    code: String,
    /// What kind of value it gives.
    ty: String,
    /// What it gave.
    value: Option<Py<PyAny>>,
    /// For a rule that was applied to a list of sheets: which line each of them met, a text for each.
    met: Vec<String>,
}

#[pymethods]
impl PyStep {
    fn __repr__(&self) -> String {
        format!("Step({:?}, {:?})", self.code, self.ty)
    }
}

#[pymethods]
impl PyTrace {
    /// The steps, in order, up to the one that failed.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<Vec<PyStep>> {
        let step = |step: &arcloom::TracedStep| {
            let value = step.value.as_ref().map(|value| to_object(py, value)).transpose()?;
            let (code, ty) = (step.code.clone(), step.ty.to_string());
            let met = step.met.iter().map(ToString::to_string).collect();
            Ok(PyStep { code, ty, value: value.map(Bound::unbind), met })
        };
        self.0.steps.iter().map(step).collect()
    }

    /// Why the last step failed, if it did.
    #[getter]
    fn error(&self) -> Option<String> {
        self.0.error.map(|error| error.to_string())
    }

    /// True when the result is the expected grid.
    #[getter]
    fn right(&self) -> bool {
        self.0.right
    }

    fn __repr__(&self) -> String {
        let Trace { program, task, pair, steps, .. } = &self.0;
        format!("Trace({program} on {task} {pair}, {} steps)", steps.len())
    }

    fn __str__(&self) -> String {
        trace_text(&self.0.view(), &TextOptions::default())
    }

    fn _repr_svg_(&self) -> String {
        trace_svg(&self.0.view(), &SvgOptions::default())
    }

    /// The trace as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(trace_svg(&self.0.view(), &figure::look(words)?))
    }

    /// Draws the trace into an SVG, PNG or PDF file, by the name's ending.
    #[pyo3(signature = (path, **words))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        words: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        figure::save(py, path, &self.svg(words)?)
    }
}

/// A value as Python text.
pub(crate) fn shown(value: &arcloom::Value) -> String {
    value.show(&|id| Registry::get().primitive(id).name).to_string()
}
