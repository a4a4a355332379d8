//! A program step by step.

use std::path::PathBuf;
use std::sync::Arc;

use arcloom::draw::{SvgOptions, TextOptions, trace_svg, trace_text};
use arcloom::{Engine, Entry, Task, Trace};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::to_object;
use crate::figure;
use crate::program::PyProgram;
use crate::task::PyTask;

/// A program on one pair, step by step.
#[pyclass(frozen, name = "Trace", module = "arcloom")]
pub(crate) struct PyTrace {
    trace: Trace,
    /// What it is a trace of: traced again, it is the same.
    entry: Arc<Entry>,
    task: Arc<Task>,
    pair: usize,
    limits: (u64, bool),
}

impl PyTrace {
    pub(crate) fn new(
        engine: &Engine,
        entry: Arc<Entry>,
        task: Arc<Task>,
        pair: usize,
    ) -> PyResult<PyTrace> {
        let pairs = task.demos.len() + task.tests.len();
        let trace = engine.trace(&entry, &task, pair).ok_or_else(|| {
            PyValueError::new_err(format!("no pair {pair}: task {} has {pairs}", task.id))
        })?;
        let limits = engine.limits();
        let limits = (limits.call_budget(), limits.is_general());
        Ok(PyTrace { trace, entry, task, pair, limits })
    }
}

/// A trace out of its pickle.
#[pyfunction]
pub(crate) fn _trace(
    program: &PyProgram,
    task: &PyTask,
    pair: usize,
    limits: (u64, bool),
) -> PyResult<PyTrace> {
    let builder = Engine::builder().threads(1).call_budget(limits.0).general_form(limits.1);
    let engine = builder.build().map_err(crate::error::engine)?;
    PyTrace::new(&engine, Arc::clone(&program.0), Arc::clone(&task.0), pair)
}

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

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyStep>() else { return Ok(false) };
        let other = other.get();
        let same = match (&self.value, &other.value) {
            (Some(own), Some(theirs)) => own.bind(py).eq(theirs.bind(py))?,
            (own, theirs) => own.is_none() && theirs.is_none(),
        };
        Ok(same && self.code == other.code && self.ty == other.ty)
    }

    fn __hash__(&self) -> u64 {
        crate::task::hash(&(&self.code, &self.ty))
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
        self.trace.steps.iter().map(step).collect()
    }

    /// The program.
    #[getter]
    fn program(&self) -> PyProgram {
        PyProgram(Arc::clone(&self.entry))
    }

    /// The task.
    #[getter]
    fn task(&self) -> PyTask {
        PyTask(Arc::clone(&self.task))
    }

    /// The pair, counted from 0, demos before tests.
    #[getter]
    fn pair(&self) -> usize {
        self.pair
    }

    /// Why the last step failed, if it did.
    #[getter]
    fn error(&self) -> Option<String> {
        self.trace.error.map(|error| error.to_string())
    }

    /// True when the result is the expected grid.
    #[getter]
    fn right(&self) -> bool {
        self.trace.right
    }

    fn __repr__(&self) -> String {
        let Trace { program, task, pair, steps, .. } = &self.trace;
        format!("Trace({program} on {task} {pair}, {} steps)", steps.len())
    }

    fn __len__(&self) -> usize {
        self.trace.steps.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyTrace>() else { return false };
        let other = other.get();
        let same = self.entry.program.id() == other.entry.program.id();
        same && (&self.task, self.pair, self.limits) == (&other.task, other.pair, other.limits)
    }

    fn __hash__(&self) -> u64 {
        crate::task::hash(&(self.entry.program.id().0, self.task.content_id().0, self.pair))
    }

    #[expect(clippy::type_complexity, reason = "a function and its arguments")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (PyProgram, PyTask, usize, (u64, bool)))> {
        let made = py.import("arcloom._native")?.getattr("_trace")?;
        let (program, task) = (PyProgram(Arc::clone(&self.entry)), PyTask(Arc::clone(&self.task)));
        Ok((made, (program, task, self.pair, self.limits)))
    }

    fn __str__(&self) -> String {
        trace_text(&self.trace.view(), &TextOptions::default())
    }

    fn _repr_svg_(&self) -> String {
        figure::fluid(trace_svg(&self.trace.view(), &SvgOptions::default()))
    }

    /// The trace as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(trace_svg(&self.trace.view(), &figure::look(words)?))
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
