//! What checks, runs and searches came to, as records of `arcloom.results`; batts.

use std::path::PathBuf;
use std::sync::Arc;

use arcloom::batt::{dot, python, text as batt_text};
use arcloom::draw::graph_svg;
use arcloom::figure::batt_view;
use arcloom::{
    Attempts, CheckReport, Entry, RunReport, SolveReport, TaskReport, TaskSet, Value, similarity,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::to_object;
use crate::figure;
use crate::foreign::Fault;
use crate::grid::PyGrid;
use crate::html;
use crate::program::PyProgram;

/// Most lines of a batt in a notebook.
const ROWS: usize = 50;

/// A class of `arcloom.results`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("arcloom.results")?.getattr(name)
}

/// Results of checks, a row for each program and task.
pub(crate) fn check<'py>(
    py: Python<'py>,
    report: &CheckReport,
    programs: &[Entry],
) -> PyResult<Bound<'py, PyAny>> {
    let row = class(py, "CheckRow")?;
    let rows = report.rows.iter().map(|one| {
        let name = programs.get(one.program).map_or("", |entry| &entry.program.name);
        let (state, reason) = (one.state.name(), one.reason.as_deref());
        row.call1((one.program, name, &one.task, state, one.right, one.pairs, reason))
    });
    let rows = PyTuple::new(py, rows.collect::<PyResult<Vec<_>>>()?)?;
    class(py, "Check")?.call1((rows,))
}

/// What is handed in: for each test up to two grids.
pub(crate) fn attempts<'py>(py: Python<'py>, attempts: &Attempts) -> PyResult<Bound<'py, PyTuple>> {
    let test = |grids: &Vec<arcloom::Grid>| {
        let grids = grids.iter().map(|grid| Bound::new(py, PyGrid(grid.clone())));
        PyTuple::new(py, grids.collect::<PyResult<Vec<_>>>()?)
    };
    PyTuple::new(py, attempts.tests().iter().map(test).collect::<PyResult<Vec<_>>>()?)
}

/// Times that something of the user's failed, by name.
pub(crate) fn faults<'py>(
    py: Python<'py>,
    faults: impl IntoIterator<Item = Fault>,
) -> PyResult<Bound<'py, PyTuple>> {
    let fault = class(py, "Fault")?;
    let all: PyResult<Vec<_>> = faults.into_iter().map(|one| fault.call1(one)).collect();
    PyTuple::new(py, all?)
}

/// A value that a program gives, as a Python object.
pub(crate) fn value<'py>(
    py: Python<'py>,
    value: Option<&Value>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    value.map(|value| to_object(py, value)).transpose()
}

/// A program under a task's name.
pub(crate) fn named(program: &arcloom::Program, file: &str, task: &str) -> PyProgram {
    let (program, file, task) = (program.clone(), file.to_string(), task.to_string());
    PyProgram(Arc::new(Entry { plan: arcloom::Plan::new(&program), program, file, task }))
}

/// Results of a run, a record for each task.
pub(crate) fn run<'py>(
    py: Python<'py>,
    report: &RunReport,
    primitive_faults: Vec<Fault>,
) -> PyResult<Bound<'py, PyAny>> {
    let (task, score) = (class(py, "TaskRun")?, class(py, "Score")?);
    let record = |row: &TaskReport| -> PyResult<Bound<'py, PyAny>> {
        let best = row.run.best.first();
        let programs =
            row.run.best.iter().map(|one| Py::new(py, named(&one.program, "run", &row.id)));
        let scores = best
            .iter()
            .flat_map(|best| &best.scores)
            .map(|one| score.call1((&one.differ, one.score, value(py, one.finding.as_ref())?)));
        let words = PyDict::new(py);
        words.set_item("task", &row.id)?;
        words.set_item("demos", row.run.demos)?;
        words.set_item("fits", row.verdict.fits)?;
        let near = best.map_or(Some(0), |best| best.similarity);
        words.set_item("similarity", near.map(similarity))?;
        words.set_item("tests", row.verdict.tests.name())?;
        words.set_item("right_tests", row.right)?;
        words.set_item("known_tests", row.known)?;
        words.set_item("candidates", row.run.candidates)?;
        words.set_item("distinct", row.run.groups)?;
        words.set_item("best", PyTuple::new(py, programs.collect::<PyResult<Vec<_>>>()?)?)?;
        words.set_item("attempts", attempts(py, &row.run.attempts)?)?;
        words.set_item("scores", PyTuple::new(py, scores.collect::<PyResult<Vec<_>>>()?)?)?;
        task.call((), Some(&words))
    };
    let rows: PyResult<Vec<_>> = report.tasks.iter().map(record).collect();
    let mut differs: Vec<Fault> = Vec::new();
    for fault in report.tasks.iter().flat_map(|task| &task.run.differ_faults) {
        let times = fault.times as u64;
        match differs.iter_mut().find(|known| known.0 == fault.name) {
            Some(known) => known.1 += times,
            None => differs.push((fault.name.clone(), times, fault.reason.clone())),
        }
    }
    let (differs, primitives) = (faults(py, differs)?, faults(py, primitive_faults)?);
    class(py, "Run")?.call1((PyTuple::new(py, rows?)?, report.unfinished, differs, primitives))
}

/// What a search found, by task.
pub(crate) fn solutions<'py>(
    py: Python<'py>,
    report: &SolveReport,
) -> PyResult<Bound<'py, PyDict>> {
    let (all, solution) = (PyDict::new(py), class(py, "Solution")?);
    for task in &report.tasks {
        let programs = task.proposals.iter().filter_map(|proposal| proposal.program.as_deref());
        let programs: Vec<_> = programs
            .map(|text| {
                crate::error::one_program(py, "found", text).map(|e| PyProgram(Arc::new(e)))
            })
            .collect::<PyResult<_>>()?;
        let programs = PyTuple::new(py, programs)?;
        let attempts = attempts(py, &task.attempts())?;
        let one = solution.call1((&task.id, task.fits(), task.demos, attempts, programs))?;
        all.set_item(&task.id, one)?;
    }
    Ok(all)
}

/// Programs merged into one graph.
#[pyclass(frozen, name = "Batt", module = "arcloom")]
pub(crate) struct PyBatt(pub(crate) arcloom::Carded);

#[pymethods]
impl PyBatt {
    /// Number of programs.
    #[getter]
    fn programs(&self) -> usize {
        self.0.batt.roots().len()
    }

    /// Nodes of the graph.
    #[getter]
    fn nodes(&self) -> usize {
        self.0.batt.nodes().len()
    }

    /// Nodes of all programs, each on its own.
    #[getter]
    fn nodes_before(&self) -> usize {
        self.0.before.nodes()
    }

    /// One line per step.
    fn text(&self) -> String {
        batt_text::print(&self.0.batt)
    }

    /// One Python function that runs on the original arc-dsl.
    fn python(&self) -> String {
        python::print(&self.0.batt)
    }

    /// A drawing for Graphviz.
    fn dot(&self) -> String {
        dot::print(&self.0.batt)
    }

    /// The graph as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let view = batt_view(&self.0.batt, format!("batt of {} programs", self.programs()));
        Ok(graph_svg(&view, &figure::look(words)?))
    }

    /// Draws the graph into an SVG, PNG or PDF file, by the name's ending.
    #[pyo3(signature = (path, **words))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        words: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        figure::save(py, path, &self.svg(words)?)
    }

    fn __repr__(&self) -> String {
        let (programs, nodes) = (self.programs(), self.nodes());
        format!("Batt({programs} programs, {nodes} nodes, {} before)", self.nodes_before())
    }

    fn _repr_html_(&self) -> String {
        let text = self.text();
        let lines: Vec<&str> = text.lines().take(ROWS).collect();
        let more = match text.lines().count().saturating_sub(ROWS) {
            0 => String::new(),
            n => format!("\n{n} more"),
        };
        let (head, body) = (html::escaped(&self.__repr__()), lines.join("\n"));
        format!("<p>{head}</p>{}", html::code(&(body + &more)))
    }
}

/// The tasks by place, for jobs that name them.
pub(crate) fn place(tasks: &TaskSet, id: &str) -> Option<usize> {
    tasks.tasks.iter().position(|task| task.id == id)
}
