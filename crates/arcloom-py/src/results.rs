//! What checks and runs came to, as columns.

use std::path::PathBuf;
use std::sync::Arc;

use arcloom::batt::{dot, python, text as batt_text};
use arcloom::draw::graph_svg;
use arcloom::figure::batt_view;
use arcloom::{CheckReport, CheckState, Entry, RunReport, TaskSet, similarity, text};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::column::Table;
use crate::figure;
use crate::foreign::Fault;
use crate::grid::PyGrid;
use crate::html;
use crate::program::PyProgram;

/// Most rows of a table in a notebook.
const ROWS: usize = 50;

/// Programs on tasks: one row for each.
#[pyclass(frozen, name = "Check", module = "arcloom")]
pub(crate) struct PyCheck {
    report: CheckReport,
    programs: Vec<String>,
    columns: Py<PyDict>,
}

impl PyCheck {
    pub(crate) fn new(
        py: Python<'_>,
        report: CheckReport,
        programs: &[Entry],
    ) -> PyResult<PyCheck> {
        let rows = &report.rows;
        let columns = Table::new(py)
            .numbers("program", rows.iter().map(|row| row.program as i64))?
            .texts("task", rows.iter().map(|row| Some(row.task.clone())))?
            .texts("state", rows.iter().map(|row| Some(row.state.name().to_string())))?
            .numbers("right", rows.iter().map(|row| (row.state == CheckState::Right).into()))?
            .numbers("pairs", rows.iter().map(|row| row.pairs as i64))?
            .numbers("right_pairs", rows.iter().map(|row| row.right as i64))?
            .texts("reason", rows.iter().map(|row| row.reason.clone()))?
            .finish();
        let programs = programs.iter().map(|entry| entry.program.name.clone()).collect();
        Ok(PyCheck { report, programs, columns })
    }
}

#[pymethods]
impl PyCheck {
    /// Columns by name: numbers as `Column`, which numpy reads in place, texts as lists.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Py<PyDict> {
        self.columns.clone_ref(py)
    }

    /// Number of rows that are right.
    #[getter]
    fn right(&self) -> usize {
        self.report.count(CheckState::Right)
    }

    fn __len__(&self) -> usize {
        self.report.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("Check({} of {} right)", self.right(), self.report.rows.len())
    }

    fn _repr_html_(&self) -> String {
        let row = |row: &arcloom::CheckRow| {
            let why = row.reason.clone().unwrap_or_default();
            let program = self.programs.get(row.program).cloned().unwrap_or_default();
            vec![
                program,
                row.task.clone(),
                row.state.name().to_string(),
                format!("{}/{}", row.right, row.pairs),
                why,
            ]
        };
        let rows: Vec<_> = self.report.rows.iter().take(ROWS).map(row).collect();
        html::table(&self.__repr__(), &["program", "task", "state", "right", "why"], &rows)
    }
}

/// A batt on tasks: one row for each task.
#[pyclass(frozen, name = "Run", module = "arcloom")]
pub(crate) struct PyRun {
    pub(crate) report: RunReport,
    columns: Py<PyDict>,
    primitive_faults: Vec<Fault>,
}

impl PyRun {
    pub(crate) fn new(
        py: Python<'_>,
        report: RunReport,
        primitive_faults: Vec<Fault>,
    ) -> PyResult<PyRun> {
        let rows = &report.tasks;
        let best = |n: usize| rows[n].run.best.first();
        let all = || 0..rows.len();
        let columns = Table::new(py)
            .texts("task", rows.iter().map(|row| Some(row.id.clone())))?
            .numbers("demos", rows.iter().map(|row| row.run.demos as i64))?
            .numbers("fits", rows.iter().map(|row| row.verdict.fits as i64))?
            .similarities("similarity", all().map(|n| best(n).map_or(Some(0), |b| b.similarity)))?
            .numbers("size", all().map(|n| best(n).map_or(0, |b| b.size as i64)))?
            .texts("tests", rows.iter().map(|row| Some(row.verdict.tests.name().to_string())))?
            .numbers("right_tests", rows.iter().map(|row| row.right as i64))?
            .numbers("known_tests", rows.iter().map(|row| row.known as i64))?
            .numbers("candidates", rows.iter().map(|row| row.run.candidates as i64))?
            .numbers("distinct", rows.iter().map(|row| row.run.groups as i64))?
            .texts("program", all().map(|n| best(n).map(|b| text::one_line(&b.program))))?
            .finish();
        Ok(PyRun { report, columns, primitive_faults })
    }
}

#[pymethods]
impl PyRun {
    /// Columns by name: numbers as `Column`, which numpy reads in place, texts as lists.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Py<PyDict> {
        self.columns.clone_ref(py)
    }

    /// Tasks on which some candidate fits all demos.
    #[getter]
    fn fits(&self) -> usize {
        self.report.fits()
    }

    /// Tasks all of whose tests are right within two attempts.
    #[getter]
    fn right(&self) -> usize {
        self.report.right()
    }

    /// Tasks that were not finished because the run was stopped.
    #[getter]
    fn unfinished(&self) -> usize {
        self.report.unfinished
    }

    /// The best programs of a task, best first.
    fn best(&self, task: &str) -> PyResult<Vec<PyProgram>> {
        let row = self.row(task)?;
        let program = |best: &arcloom::Candidate| {
            let program = best.program.clone();
            let plan = arcloom::Plan::new(&program);
            let (file, task) = ("run".to_string(), task.to_string());
            PyProgram(Arc::new(Entry { program, plan, file, task }))
        };
        Ok(row.run.best.iter().map(program).collect())
    }

    /// Up to two different answers for each test of a task.
    fn attempts(&self, task: &str) -> PyResult<Vec<Vec<PyGrid>>> {
        let tests = &self.row(task)?.run.attempts;
        let grids = |test: &Vec<arcloom::Grid>| test.iter().cloned().map(PyGrid).collect();
        Ok(tests.tests().iter().map(grids).collect())
    }

    /// What each differ says about the best program of a task: (differ, score, finding).
    fn scores(&self, task: &str) -> PyResult<Vec<(String, u32, Option<String>)>> {
        let best = self.row(task)?.run.best.first();
        let score = |score: &arcloom::run::DifferScore| {
            let finding = score.finding.as_ref().map(crate::trace::shown);
            (score.differ.clone(), score.score, finding)
        };
        Ok(best.map(|best| best.scores.iter().map(score).collect()).unwrap_or_default())
    }

    /// Differs of the user's that failed: (differ, times, why).
    #[getter]
    fn differ_faults(&self) -> Vec<(String, usize, String)> {
        let mut all: Vec<(String, usize, String)> = Vec::new();
        for fault in self.report.tasks.iter().flat_map(|task| &task.run.differ_faults) {
            match all.iter_mut().find(|known| known.0 == fault.name) {
                Some(known) => known.1 += fault.times,
                None => all.push((fault.name.clone(), fault.times, fault.reason.clone())),
            }
        }
        all
    }

    /// Registered primitives that failed: (name, calls, why the first one did).
    #[getter]
    fn primitive_faults(&self) -> Vec<Fault> {
        self.primitive_faults.clone()
    }

    fn __len__(&self) -> usize {
        self.report.tasks.len()
    }

    fn __repr__(&self) -> String {
        let (all, fits, right) = (self.report.tasks.len(), self.fits(), self.right());
        format!("Run({all} tasks, {fits} fit, {right} right)")
    }

    fn _repr_html_(&self) -> String {
        let row = |row: &arcloom::TaskReport| {
            let best = row.run.best.first();
            vec![
                row.id.clone(),
                row.verdict.tests.name().to_string(),
                format!("{}/{}", row.verdict.fits, row.verdict.demos),
                best.and_then(|best| best.similarity)
                    .map_or(String::new(), |s| format!("{:.3}", similarity(s))),
                best.map(|best| text::one_line(&best.program)).unwrap_or_default(),
            ]
        };
        let rows: Vec<_> = self.report.tasks.iter().take(ROWS).map(row).collect();
        html::table(&self.__repr__(), &["task", "tests", "fits", "similarity", "program"], &rows)
    }
}

impl PyRun {
    fn row(&self, task: &str) -> PyResult<&arcloom::TaskReport> {
        let found = self.report.tasks.iter().find(|row| row.id == task);
        found.ok_or_else(|| {
            pyo3::exceptions::PyKeyError::new_err(format!("no task {task} in this run"))
        })
    }
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
        let more = if text.lines().count() > ROWS { "\n..." } else { "" };
        let (head, body) = (html::escaped(&self.__repr__()), html::escaped(&lines.join("\n")));
        format!("<p>{head}</p><pre>{body}{more}</pre>")
    }
}

/// The tasks by place, for jobs that name them.
pub(crate) fn place(tasks: &TaskSet, id: &str) -> Option<usize> {
    tasks.tasks.iter().position(|task| task.id == id)
}
