//! Texts judged on tasks: rows that say everything about each.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use arcloom::{Engine, EvalRow, EvalRows, EvalSource, Machine, TaskView, similarity};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};

use crate::column::Table;
use crate::error::record;
use crate::grid::PyGrid;
use crate::html;
use crate::program::PyProgram;

/// Most rows of a table in a notebook.
const ROWS: usize = 20;

/// A text and the task that it is judged on.
pub(crate) struct EvalJob {
    pub(crate) source: EvalSource,
    /// Place of the task.
    pub(crate) task: usize,
}

/// What texts came to: a row for every program of every text, in their order.
///
/// `columns` are what `to_pandas` and its like take; a row with its outputs is made when it is asked for.
#[pyclass(frozen, name = "Evaluations", module = "arcloom", sequence)]
pub(crate) struct PyEvaluations {
    tasks: Vec<Arc<TaskView>>,
    jobs: Vec<Job>,
    rows: Vec<Row>,
    unfinished: usize,
    columns: Py<PyDict>,
    /// Finds out why steps failed.
    machine: Mutex<Machine>,
}

/// What became of a text.
struct Job {
    task: usize,
    rows: Option<EvalRows>,
}

/// Job and place among its rows.
type Row = (usize, usize);

impl PyEvaluations {
    pub(crate) fn new(
        py: Python<'_>,
        engine: &Engine,
        tasks: Vec<Arc<TaskView>>,
        jobs: Vec<(usize, Option<EvalRows>)>,
    ) -> PyResult<PyEvaluations> {
        let jobs: Vec<Job> = jobs.into_iter().map(|(task, rows)| Job { task, rows }).collect();
        let places = jobs.iter().enumerate().flat_map(|(n, job)| {
            let count = job.rows.as_ref().map_or(0, |rows| rows.rows.len());
            (0..count).map(move |row| (n, row))
        });
        let rows: Vec<Row> = places.collect();
        let unfinished = jobs.iter().filter(|job| job.rows.is_none()).count();
        let row = |at: &Row| row(&jobs, *at);
        let judged = |at: &Row| row(at).and_then(|row| row.judged.as_ref().ok());
        let number = |of: &dyn Fn(&arcloom::Judged) -> i64| -> Vec<i64> {
            rows.iter().map(|at| judged(at).map_or(0, of)).collect()
        };
        let fits = number(&|judged| judged.evaluation.fit.count() as i64);
        let size = number(&|judged| judged.entry.program.size() as i64);
        let work = number(&|judged| judged.evaluation.outputs.work as i64);
        let view = |at: &Row| &tasks[jobs[at.0].task];
        let near =
            rows.iter().map(|at| Some(judged(at).map_or(0, |j| j.evaluation.fit.similarity())));
        let error = |at: &Row| row(at)?.judged.as_ref().err().map(|error| error.message.clone());
        let columns = Table::new(py)
            .numbers("job", rows.iter().map(|at| at.0 as i64))?
            .texts("task", rows.iter().map(|at| Some(view(at).id.clone())))?
            .texts("name", rows.iter().map(|at| row(at).map(|row| row.name.clone())))?
            .numbers("fits", fits.into_iter())?
            .numbers("demos", rows.iter().map(|at| view(at).demo_count() as i64))?
            .similarities("similarity", near)?
            .numbers("size", size.into_iter())?
            .numbers("work", work.into_iter())?
            .texts("error", rows.iter().map(error))?
            .finish();
        let machine = Mutex::new(engine.machine());
        Ok(PyEvaluations { tasks, jobs, rows, unfinished, columns, machine })
    }

    fn at(&self, index: isize) -> PyResult<Row> {
        let index = if index < 0 { index + self.rows.len() as isize } else { index };
        let found = usize::try_from(index).ok().and_then(|index| self.rows.get(index));
        found.copied().ok_or_else(|| PyIndexError::new_err("row index out of range"))
    }

    /// A row as an object with everything.
    fn object<'py>(&self, py: Python<'py>, at: Row) -> PyResult<Bound<'py, PyAny>> {
        let Some(one) = row(&self.jobs, at) else {
            return Err(PyIndexError::new_err("row index out of range"));
        };
        let job = &self.jobs[at.0];
        let task = &self.tasks[job.task];
        let words = PyDict::new(py);
        words.set_item("job", at.0)?;
        words.set_item("task", &task.id)?;
        words.set_item("name", &one.name)?;
        words.set_item("demos", task.demo_count())?;
        let dropped = job.rows.iter().flat_map(|rows| &rows.dropped).map(|dropped| {
            record(py, "Dropped", (dropped.kind.name(), dropped.line, dropped.line_count))
        });
        words.set_item("dropped", PyTuple::new(py, dropped.collect::<PyResult<Vec<_>>>()?)?)?;
        match &one.judged {
            Err(error) => {
                let (at, suggestion) = ((error.line, error.column), &error.suggestion);
                let fields = (&error.message, at.0, at.1, suggestion);
                words.set_item("error", record(py, "TextError", fields)?)?;
            }
            Ok(judged) => {
                let fit = &judged.evaluation.fit;
                words.set_item("program", PyProgram(Arc::clone(&judged.entry)))?;
                words.set_item("fits", fit.count())?;
                words.set_item("similarity", similarity(fit.similarity()))?;
                words.set_item("size", judged.entry.program.size())?;
                words.set_item("work", judged.evaluation.outputs.work)?;
                let mut pairs = Vec::new();
                for (n, pair) in judged.pairs(task).enumerate() {
                    let output = pair.output.as_ref().ok();
                    let output =
                        output.map(|grid| Py::new(py, PyGrid(grid.clone()))).transpose()?;
                    let failure = py.detach(|| {
                        let mut machine =
                            self.machine.lock().unwrap_or_else(PoisonError::into_inner);
                        judged.failure(&mut machine, task, n)
                    });
                    let error = failure.map(|failure| {
                        let line = (failure.line > 0).then_some(failure.line);
                        record(py, "StepError", (failure.message, line, failure.call))
                    });
                    let fields = (
                        pair.is_right,
                        pair.similarity.map(similarity),
                        pair.wrong_cells,
                        output,
                        error.transpose()?,
                    );
                    pairs.push(record(py, "EvalPair", fields)?);
                }
                let tests = pairs.split_off(task.demo_count());
                words.set_item("pairs", PyTuple::new(py, pairs)?)?;
                words.set_item("tests", PyTuple::new(py, tests)?)?;
            }
        }
        py.import("arcloom.results")?.getattr("EvalRow")?.call((), Some(&words))
    }

    fn text_of(&self, py: Python<'_>, at: Row) -> String {
        let job = &self.jobs[at.0];
        let dropped = job.rows.as_ref().map_or(&[][..], |rows| &rows.dropped);
        let mut text = String::new();
        if let Some(row) = row(&self.jobs, at) {
            let head = format!("\"id\": {}, ", at.0);
            let task = &self.tasks[job.task];
            py.detach(|| {
                let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
                row.write_json(&mut text, &head, dropped, &mut machine, task);
            });
        }
        text
    }
}

fn row(jobs: &[Job], (job, row): Row) -> Option<&EvalRow> {
    jobs.get(job)?.rows.as_ref()?.rows.get(row)
}

#[pymethods]
impl PyEvaluations {
    /// Columns by name: numbers as `Column`, which numpy reads in place, texts as lists.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Py<PyDict> {
        self.columns.clone_ref(py)
    }

    /// Number of programs that fit all demos of their task.
    #[getter]
    fn fits(&self) -> usize {
        let judged = self.rows.iter().filter_map(|at| row(&self.jobs, *at)?.judged.as_ref().ok());
        judged.filter(|judged| judged.evaluation.fit.is_full()).count()
    }

    /// Number of rows that are no program.
    #[getter]
    fn rejected(&self) -> usize {
        let rows = self.rows.iter().filter_map(|at| row(&self.jobs, *at));
        rows.filter(|row| row.judged.is_err()).count()
    }

    /// Number of texts that were not judged because the time ran out; they have no row.
    #[getter]
    fn unfinished(&self) -> usize {
        self.unfinished
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// A row by place, or a list of rows by slice.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(slice) = key.cast::<PySlice>() {
            let at = slice.indices(self.rows.len() as isize)?;
            let places = (0..at.slicelength as isize).map(|n| at.start + n * at.step);
            let rows: PyResult<Vec<_>> =
                places.map(|place| self.object(py, self.rows[place as usize])).collect();
            return Ok(PyList::new(py, rows?)?.into_any());
        }
        self.object(py, self.at(key.extract()?)?)
    }

    /// The rows of one text, by its place among the jobs.
    fn of<'py>(&self, py: Python<'py>, job: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if job >= self.jobs.len() {
            return Err(PyIndexError::new_err(format!(
                "no job {job}: there are {}",
                self.jobs.len()
            )));
        }
        self.rows.iter().filter(|at| at.0 == job).map(|at| self.object(py, *at)).collect()
    }

    /// A row as the JSON object that `arcloom eval --stdin` gives, as text.
    fn json(&self, py: Python<'_>, row: isize) -> PyResult<String> {
        Ok(self.text_of(py, self.at(row)?))
    }

    fn __repr__(&self) -> String {
        let (rows, fits, rejected) = (self.rows.len(), self.fits(), self.rejected());
        let unfinished = match self.unfinished {
            0 => String::new(),
            n => format!(", {n} texts not judged in time"),
        };
        format!("Evaluations({rows} rows, {fits} fit, {rejected} rejected{unfinished})")
    }

    fn _repr_html_(&self) -> String {
        let rank = |at: &&Row| {
            let judged = row(&self.jobs, **at).and_then(|row| row.judged.as_ref().ok());
            judged.map_or((0, 0), |judged| {
                let fit = &judged.evaluation.fit;
                (1 + usize::from(fit.is_full()), fit.similarity())
            })
        };
        // What went wrong is what people look for.
        let mut order: Vec<&Row> = self.rows.iter().collect();
        order.sort_by_key(rank);
        let cells = |at: &Row| {
            let one = row(&self.jobs, *at)?;
            let task = &self.tasks[self.jobs[at.0].task];
            let head = vec![at.0.to_string(), one.name.clone(), task.id.clone()];
            Some(
                [
                    head,
                    match &one.judged {
                        Err(error) => {
                            let at = format!("line {}, column {}: ", error.line, error.column);
                            vec![String::new(), String::new(), at + &error.message]
                        }
                        Ok(judged) => {
                            let fit = &judged.evaluation.fit;
                            let fits = format!("{}/{}", fit.count(), fit.scores().len());
                            let why = judged
                                .evaluation
                                .outputs
                                .all()
                                .find_map(|output| output.as_ref().err());
                            let why = why.map_or_else(String::new, ToString::to_string);
                            vec![fits, format!("{:.3}", similarity(fit.similarity())), why]
                        }
                    },
                ]
                .concat(),
            )
        };
        let rows: Vec<_> = order.iter().take(ROWS).filter_map(|at| cells(at)).collect();
        let head = ["job", "name", "task", "fits", "similarity", "why"];
        html::table(&self.__repr__(), &head, &rows, self.rows.len())
    }
}

/// The jobs of an argument: pairs of a program, or text, and a task.
pub(crate) fn jobs(object: &Bound<'_, PyAny>) -> PyResult<(Vec<EvalJob>, Vec<Arc<TaskView>>)> {
    let mut jobs = Vec::new();
    let mut tasks: Vec<Arc<TaskView>> = Vec::new();
    // By address: the same object is given again and again, and kept alive by the list.
    let mut known: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    let mut kept: Vec<Bound<'_, PyAny>> = Vec::new();
    for (n, job) in object.try_iter()?.enumerate() {
        let (source, task): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            job?.extract().map_err(|_| {
                PyValueError::new_err(format!("job {n} is not a pair of a program and a task"))
            })?;
        if n % 256 == 0 {
            object.py().check_signals()?;
        }
        let source = match source.cast::<PyProgram>() {
            Ok(program) => EvalSource::Program(Arc::clone(&program.get().0)),
            Err(_) => EvalSource::Text(source.extract().map_err(|_| {
                PyValueError::new_err(format!(
                    "the program of job {n} is neither a Program nor a text"
                ))
            })?),
        };
        let task = match known.get(&task.as_ptr().addr()) {
            Some(place) => *place,
            None => {
                let set = crate::task::tasks(&task)?;
                let [one] = set.tasks.as_slice() else {
                    let count = set.tasks.len();
                    let problem = format!("the task of job {n} stands for {count} tasks: give one");
                    return Err(PyValueError::new_err(problem));
                };
                tasks.push(Arc::new(TaskView::new(one)));
                known.insert(task.as_ptr().addr(), tasks.len() - 1);
                kept.push(task);
                tasks.len() - 1
            }
        };
        jobs.push(EvalJob { source, task });
    }
    Ok((jobs, tasks))
}
