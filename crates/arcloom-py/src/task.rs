//! Tasks and sets of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arcloom::corpus::{GridLimits, Pair, TestPair, parse_tasks};
use arcloom::draw::{SvgOptions, TaskFigure, task_svg};
use arcloom::{Catalog, Task, TaskSet, verdict};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error::engine;
use crate::figure;
use crate::grid::PyGrid;

/// An input and its output; `None` for a test whose answer is not known.
#[pyclass(frozen, name = "Pair", module = "arcloom")]
pub(crate) struct PyPair {
    /// The grid that is given.
    #[pyo3(get)]
    input: Py<PyGrid>,
    /// The grid that is wanted, where it is known.
    #[pyo3(get)]
    output: Option<Py<PyGrid>>,
}

#[pymethods]
impl PyPair {
    fn __repr__(&self) -> String {
        let (input, output) = (self.input.get().0.clone(), self.output.as_ref());
        let output = output.map_or("no output".to_string(), |grid| {
            format!("{}x{}", grid.get().0.height(), grid.get().0.width())
        });
        format!("Pair({}x{} -> {output})", input.height(), input.width())
    }
}

/// How a task is pickled: the class, and what it is made of.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyDict>));

/// A task: demo pairs and tests. `Task(id, {"train": [...], "test": [...]})`.
#[pyclass(frozen, name = "Task", module = "arcloom")]
#[derive(Clone)]
pub(crate) struct PyTask(pub(crate) Arc<Task>);

#[pymethods]
impl PyTask {
    #[new]
    fn new(id: &str, data: &Bound<'_, PyAny>) -> PyResult<PyTask> {
        let tasks = parse(data, id)?;
        match <[Task; 1]>::try_from(tasks.tasks) {
            Ok([mut task]) => {
                task.id = id.to_string();
                Ok(PyTask(Arc::new(task)))
            }
            Err(tasks) => {
                Err(engine(format!("{id}: one task was meant, there are {}", tasks.len())))
            }
        }
    }

    /// Its name.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// The demo pairs.
    #[getter]
    fn demos(&self, py: Python<'_>) -> PyResult<Vec<Py<PyPair>>> {
        let pair = |pair: &Pair| make_pair(py, &pair.input, Some(&pair.output));
        self.0.demos.iter().map(pair).collect()
    }

    /// The tests; their answers are there where the file has them.
    #[getter]
    fn tests(&self, py: Python<'_>) -> PyResult<Vec<Py<PyPair>>> {
        let expected = |n: usize| verdict::expected(&self.0, self.0.demos.len() + n);
        let pair = |(n, test): (usize, &TestPair)| make_pair(py, &test.input, expected(n));
        self.0.tests.iter().enumerate().map(pair).collect()
    }

    /// The same task without the answers of its tests.
    fn without_answers(&self) -> PyTask {
        PyTask(Arc::new(hidden(&self.0)))
    }

    /// The task as ARC's files have it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows =
            |grid: &arcloom::Grid| -> Vec<Vec<i8>> { grid.rows().map(<[i8]>::to_vec).collect() };
        let part = |pairs: Vec<(&arcloom::Grid, Option<&arcloom::Grid>)>| -> PyResult<_> {
            let list = PyList::empty(py);
            for (input, output) in pairs {
                let pair = PyDict::new(py);
                pair.set_item("input", rows(input))?;
                if let Some(output) = output {
                    pair.set_item("output", rows(output))?;
                }
                list.append(pair)?;
            }
            Ok(list)
        };
        let dict = PyDict::new(py);
        dict.set_item(
            "train",
            part(self.0.demos.iter().map(|p| (&p.input, Some(&p.output))).collect())?,
        )?;
        let expected = |n: usize| verdict::expected(&self.0, self.0.demos.len() + n);
        let tests = self.0.tests.iter().enumerate();
        dict.set_item("test", part(tests.map(|(n, test)| (&test.input, expected(n))).collect())?)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("Task({:?}, {} demos, {} tests)", self.0.id, self.0.demos.len(), self.0.tests.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyTask>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<PyTask>().into_any(), (self.0.id.clone(), self.to_dict(py)?)))
    }

    fn _repr_svg_(&self) -> String {
        self.draw(false, &SvgOptions::default())
    }

    /// The task as SVG text; the answers of tests only when asked for.
    #[pyo3(signature = (answers=false, **words))]
    fn svg(&self, answers: bool, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(self.draw(answers, &figure::look(words)?))
    }

    /// Draws the task into an SVG, PNG or PDF file, by the name's ending.
    #[pyo3(signature = (path, answers=false, **words))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        answers: bool,
        words: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        figure::save(py, path, &self.svg(answers, words)?)
    }
}

impl PyTask {
    fn draw(&self, answers: bool, options: &SvgOptions) -> String {
        let demos: Vec<_> =
            self.0.demos.iter().map(|p| (p.input.clone(), p.output.clone())).collect();
        let expected = |n: usize| verdict::expected(&self.0, self.0.demos.len() + n);
        let shown = |n: usize| expected(n).cloned().filter(|_| answers);
        let tests = self.0.tests.iter().enumerate();
        let tests: Vec<_> = tests.map(|(n, test)| (test.input.clone(), shown(n))).collect();
        task_svg(&TaskFigure { id: &self.0.id, demos: &demos, tests: &tests }, options)
    }
}

/// A task without the answers of its tests.
pub(crate) fn hidden(task: &Task) -> Task {
    let mut task = task.clone();
    task.tests.iter_mut().for_each(TestPair::hide_expected);
    task
}

fn make_pair(
    py: Python<'_>,
    input: &arcloom::Grid,
    output: Option<&arcloom::Grid>,
) -> PyResult<Py<PyPair>> {
    let grid = |grid: &arcloom::Grid| Py::new(py, PyGrid(grid.clone()));
    Py::new(py, PyPair { input: grid(input)?, output: output.map(grid).transpose()? })
}

/// Tasks, ascending by id. A sequence, and a mapping by id.
#[pyclass(frozen, name = "TaskSet", module = "arcloom")]
pub(crate) struct PyTaskSet(pub(crate) Arc<TaskSet>);

#[pymethods]
impl PyTaskSet {
    /// From tasks, or from JSON text or a dict of tasks by id.
    #[new]
    #[pyo3(signature = (tasks, name="tasks"))]
    fn new(tasks: &Bound<'_, PyAny>, name: &str) -> PyResult<PyTaskSet> {
        if tasks.is_instance_of::<PyDict>() {
            return Ok(PyTaskSet(Arc::new(parse(tasks, name)?)));
        }
        let mut all = Vec::new();
        for task in tasks.try_iter()? {
            all.push((*task?.cast::<PyTask>()?.get().0).clone());
        }
        Ok(PyTaskSet(Arc::new(TaskSet::new(name, all))))
    }

    /// What the set is called.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Names of the tasks, in order.
    #[getter]
    fn ids(&self) -> Vec<String> {
        self.0.tasks.iter().map(|task| task.id.clone()).collect()
    }

    /// Tasks of the file that could not be read, with what is wrong, by id. A submission has blank
    /// attempts at them. Empty unless the set was loaded with `skip_malformed`.
    #[getter]
    fn malformed(&self) -> BTreeMap<String, String> {
        let tasks = self.0.malformed.iter();
        tasks.map(|task| (task.id.clone(), task.problem.clone())).collect()
    }

    fn __len__(&self) -> usize {
        self.0.tasks.len()
    }

    fn __contains__(&self, id: &str) -> bool {
        self.0.get(id).is_some()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(id) = key.extract::<String>() {
            let task = self.0.get(&id);
            let task = task
                .ok_or_else(|| PyKeyError::new_err(format!("no task {id} in {}", self.0.name)))?;
            return Ok(Bound::new(py, PyTask(Arc::new(task.clone())))?.into_any());
        }
        if let Ok(slice) = key.cast::<pyo3::types::PySlice>() {
            let at = slice.indices(self.0.tasks.len() as isize)?;
            let mut tasks = Vec::new();
            let mut place = at.start;
            for _ in 0..at.slicelength {
                tasks.push(self.0.tasks[place as usize].clone());
                place += at.step;
            }
            let set = TaskSet::new(self.0.name.clone(), tasks);
            return Ok(Bound::new(py, PyTaskSet(Arc::new(set)))?.into_any());
        }
        let index: isize = key.extract()?;
        let index = if index < 0 { index + self.0.tasks.len() as isize } else { index };
        let task = usize::try_from(index).ok().and_then(|index| self.0.tasks.get(index));
        let task = task.ok_or_else(|| PyIndexError::new_err("task index out of range"))?;
        Ok(Bound::new(py, PyTask(Arc::new(task.clone())))?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("TaskSet({:?}, {} tasks)", self.0.name, self.0.tasks.len())
    }
}

/// Reads JSON text, bytes, or what `json.loads` gives.
fn parse(data: &Bound<'_, PyAny>, name: &str) -> PyResult<TaskSet> {
    let text: Vec<u8> = if let Ok(text) = data.cast::<PyString>() {
        text.to_string().into_bytes()
    } else if let Ok(bytes) = data.extract::<Vec<u8>>() {
        bytes
    } else {
        let json = data.py().import("json")?;
        json.call_method1("dumps", (data,))?.extract::<String>()?.into_bytes()
    };
    parse_tasks(&text, name, &GridLimits::ARC).map_err(engine)
}

/// The tasks that an argument stands for: a set, a task, several of them, or the name of a set.
pub(crate) fn tasks(object: &Bound<'_, PyAny>) -> PyResult<Arc<TaskSet>> {
    if let Ok(set) = object.cast::<PyTaskSet>() {
        return Ok(set.get().0.clone());
    }
    if let Ok(task) = object.cast::<PyTask>() {
        return Ok(Arc::new(TaskSet::new(task.get().0.id.clone(), vec![(*task.get().0).clone()])));
    }
    if let Ok(name) = object.extract::<String>() {
        return Catalog::open(None).resolve_tasks(&name).map(Arc::new).map_err(engine);
    }
    let mut all = Vec::new();
    let kind = || PyTypeError::new_err("tasks are a TaskSet, a Task, a list of them, or a name");
    for task in object.try_iter().map_err(|_| kind())? {
        all.push((*task?.cast::<PyTask>().map_err(|_| kind())?.get().0).clone());
    }
    Ok(Arc::new(TaskSet::new("tasks", all)))
}
