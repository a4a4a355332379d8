//! Tasks and sets of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arcloom::corpus::{GridLimits, Pair, TestPair, parse_tasks};
use arcloom::draw::{SvgOptions, TaskFigure, grid_svg, task_svg};
use arcloom::{Catalog, CorpusError, Task, TaskSet, verdict};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error::engine;
use crate::figure;
use crate::grid::PyGrid;

/// What a pair is made of, for pickling.
type PairParts = (Py<PyGrid>, Option<Py<PyGrid>>);

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
    #[new]
    #[pyo3(signature = (input, output=None))]
    fn new(
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        output: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPair> {
        let grid = |rows: &Bound<'_, PyAny>| Py::new(py, PyGrid(crate::grid::grid(rows)?));
        Ok(PyPair { input: grid(input)?, output: output.map(grid).transpose()? })
    }

    fn __repr__(&self) -> String {
        let (input, output) = (self.input.get().0.clone(), self.output.as_ref());
        let output = output.map_or("no output".to_string(), |grid| {
            format!("{}x{}", grid.get().0.height(), grid.get().0.width())
        });
        format!("Pair({}x{} -> {output})", input.height(), input.width())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPair>().is_ok_and(|other| other.get().grids() == self.grids())
    }

    fn __hash__(&self) -> u64 {
        let cells = |grid: &arcloom::Grid| (grid.width(), grid.cells().to_vec());
        let (input, output) = self.grids();
        hash(&(cells(input), output.map(cells)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, PairParts) {
        let output = self.output.as_ref().map(|grid| grid.clone_ref(py));
        (py.get_type::<PyPair>().into_any(), (self.input.clone_ref(py), output))
    }

    fn _repr_html_(&self) -> String {
        let (input, output) = self.grids();
        let one = |name: &str, grid: &arcloom::Grid| {
            let svg = figure::fluid(grid_svg(grid, &SvgOptions::default()));
            format!(
                "<figure style=\"margin:0\"><figcaption style=\"opacity:.7\">{name}</figcaption>{svg}</figure>"
            )
        };
        let output = output.map_or_else(String::new, |grid| one("output", grid));
        format!(
            "<div style=\"display:flex;flex-wrap:wrap;gap:1em\">{}{output}</div>",
            one("input", input)
        )
    }

    /// The pair as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(self.draw(&figure::look(words)?))
    }

    /// Draws the pair into an SVG, PNG or PDF file, by the name's ending.
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

impl PyPair {
    fn grids(&self) -> (&arcloom::Grid, Option<&arcloom::Grid>) {
        (&self.input.get().0, self.output.as_ref().map(|grid| &grid.get().0))
    }

    fn draw(&self, options: &SvgOptions) -> String {
        let (input, output) = self.grids();
        let (input, output) = (input.clone(), output.cloned());
        match output {
            Some(output) => {
                task_svg(&TaskFigure { id: "", demos: &[(input, output)], tests: &[] }, options)
            }
            None => task_svg(&TaskFigure { id: "", demos: &[], tests: &[(input, None)] }, options),
        }
    }
}

/// A hash that is the same in every process.
pub(crate) fn hash(of: &impl std::hash::Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = std::hash::DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
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

    fn __hash__(&self) -> u64 {
        hash(&(&self.0.id, self.0.content_id().0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<PyTask>().into_any(), (self.0.id.clone(), self.to_dict(py)?)))
    }

    fn _repr_svg_(&self) -> String {
        figure::fluid(self.draw(false, &SvgOptions::default()))
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

pub(crate) fn make_pair(
    py: Python<'_>,
    input: &arcloom::Grid,
    output: Option<&arcloom::Grid>,
) -> PyResult<Py<PyPair>> {
    let grid = |grid: &arcloom::Grid| Py::new(py, PyGrid(grid.clone()));
    Py::new(py, PyPair { input: grid(input)?, output: output.map(grid).transpose()? })
}

/// Tasks of a set that a notebook draws.
const SHOWN: usize = 8;

/// Tasks, ascending by id. A sequence, and a mapping by id.
#[pyclass(frozen, name = "TaskSet", module = "arcloom")]
pub(crate) struct PyTaskSet(pub(crate) Arc<TaskSet>);

#[pymethods]
impl PyTaskSet {
    /// From tasks, or from JSON text, a file, or a dict of tasks by id.
    #[new]
    #[pyo3(signature = (tasks, name="tasks"))]
    fn new(tasks: &Bound<'_, PyAny>, name: &str) -> PyResult<PyTaskSet> {
        if let Ok(dict) = tasks.cast::<PyDict>()
            && !dict.values().iter().any(|task| task.is_instance_of::<PyTask>())
        {
            return Ok(PyTaskSet(Arc::new(parse(tasks, name)?)));
        }
        if tasks.is_instance_of::<PyDict>() {
            let all = tasks.call_method0("values")?;
            return PyTaskSet::new(&all, name);
        }
        let set = self::tasks(tasks)?;
        let mut set = TaskSet::new(name, set.tasks.clone());
        if name == "tasks"
            && let Ok(known) = tasks.cast::<PyTaskSet>()
        {
            set.name.clone_from(&known.get().0.name);
        }
        Ok(PyTaskSet(Arc::new(set)))
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

    /// Names of the tasks, as of a dict.
    fn keys(&self) -> Vec<String> {
        self.ids()
    }

    /// The tasks, as of a dict.
    fn values(&self) -> Vec<PyTask> {
        self.0.tasks.iter().map(|task| PyTask(Arc::new(task.clone()))).collect()
    }

    /// Names and tasks, as of a dict.
    fn items(&self) -> Vec<(String, PyTask)> {
        self.ids().into_iter().zip(self.values()).collect()
    }

    /// A task by id, or another value where there is none.
    #[pyo3(signature = (id, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        id: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.0.get(id) {
            Some(task) => Ok(Some(Bound::new(py, PyTask(Arc::new(task.clone())))?.into_any())),
            None => Ok(default),
        }
    }

    /// The set in so many parts of about equal size. The part of a task depends on its id alone, so a task
    /// stays in its part whatever else is in the set.
    #[pyo3(signature = (count=5))]
    fn folds(&self, count: i64) -> PyResult<Vec<PyTaskSet>> {
        let count = crate::inputs::some("count", count)?;
        // FNV-1a: the same on every machine and in every version.
        let number = |id: &str| {
            let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            id.bytes().fold(0xcbf2_9ce4_8422_2325, step)
        };
        let part = |task: &Task| (number(&task.id) % count as u64) as usize;
        let fold = |n: usize| {
            let tasks = self.0.tasks.iter().filter(|task| part(task) == n).cloned();
            let name = format!("{} fold {} of {count}", self.0.name, n + 1);
            PyTaskSet(Arc::new(TaskSet::new(name, tasks.collect())))
        };
        Ok((0..count).map(fold).collect())
    }

    /// Tasks of this set and of others; of those with the same id the first counts.
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTaskSet> {
        let other = self::tasks(other)?;
        let new = other.tasks.iter().filter(|task| self.0.get(&task.id).is_none()).cloned();
        let tasks = self.0.tasks.iter().cloned().chain(new).collect();
        let name = format!("{} + {}", self.0.name, other.name);
        Ok(PyTaskSet(Arc::new(TaskSet::new(name, tasks))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &TaskSet| other.name == self.0.name && other.tasks == self.0.tasks;
        other.cast::<PyTaskSet>().is_ok_and(|other| same(&other.get().0))
    }

    fn __hash__(&self) -> u64 {
        let ids = self.0.tasks.iter().map(|task| (&task.id, task.content_id().0));
        hash(&(&self.0.name, ids.collect::<Vec<_>>()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<PyTask>, String)) {
        (py.get_type::<PyTaskSet>().into_any(), (self.values(), self.0.name.clone()))
    }

    fn __repr__(&self) -> String {
        format!("TaskSet({:?}, {} tasks)", self.0.name, self.0.tasks.len())
    }

    fn _repr_html_(&self) -> String {
        let options = SvgOptions { cell: 5.0, ..SvgOptions::default() };
        let tasks = self.0.tasks.iter().take(SHOWN);
        let one = |task: &Task| {
            let svg = figure::fluid(PyTask(Arc::new(task.clone())).draw(false, &options));
            format!("<figure style=\"margin:0;max-width:20em\">{svg}</figure>")
        };
        let more = match self.0.tasks.len().saturating_sub(SHOWN) {
            0 => String::new(),
            n => format!("<p style=\"opacity:.7\">{n} more</p>"),
        };
        let all: String = tasks.map(one).collect();
        let head = crate::html::escaped(&self.__repr__());
        format!(
            "<p><b>{head}</b></p><div style=\"display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start\">{all}</div>{more}"
        )
    }
}

/// Reads JSON text, bytes, or what `json.loads` gives; grids in it may be grids or arrays.
fn parse(data: &Bound<'_, PyAny>, name: &str) -> PyResult<TaskSet> {
    let text: Vec<u8> = if let Ok(text) = data.cast::<PyString>() {
        text.to_string().into_bytes()
    } else if let Ok(bytes) = data.extract::<Vec<u8>>() {
        bytes
    } else {
        let py = data.py();
        let words = PyDict::new(py);
        words.set_item("default", py.import("arcloom.results")?.getattr("plain")?)?;
        let json = py.import("json")?;
        json.call_method("dumps", (data,), Some(&words))?.extract::<String>()?.into_bytes()
    };
    parse_tasks(&text, name, &GridLimits::ARC).map_err(engine)
}

/// Where a task is looked for by its id; sets that were not fetched are passed over.
const USUAL: &[&str] =
    &["embedded", "arc1/training", "arc1/evaluation", "arc2/training", "arc2/evaluation"];

/// What a text stands for: a set, a file, a folder, `SET/ID`, or an id that is looked up in the sets at hand.
pub(crate) fn find(catalog: &Catalog, spec: &str) -> Result<TaskSet, CorpusError> {
    let unknown = match catalog.resolve_tasks(spec) {
        Err(
            error @ (CorpusError::UnknownName { .. }
            | CorpusError::NoSplit { .. }
            | CorpusError::NoDataDir
            | CorpusError::NotPulled { .. }),
        ) => error,
        other => return other,
    };
    let alone = |task: &Task| TaskSet::new(task.id.clone(), vec![task.clone()]);
    if let Some((set, id)) = spec.rsplit_once('/') {
        let set = catalog.resolve_tasks(set).ok();
        return set.as_ref().and_then(|set| set.get(id)).map(alone).ok_or(unknown);
    }
    let sets = USUAL.iter().filter_map(|set| catalog.resolve_tasks(set).ok());
    let found = sets.into_iter().find_map(|set| set.get(spec).map(alone));
    found.ok_or(unknown)
}

/// The tasks that an argument stands for: a set, a task, several of them, the name of a set, an id, a path.
pub(crate) fn tasks(object: &Bound<'_, PyAny>) -> PyResult<Arc<TaskSet>> {
    if let Ok(set) = object.cast::<PyTaskSet>() {
        return Ok(set.get().0.clone());
    }
    if let Ok(task) = object.cast::<PyTask>() {
        return Ok(Arc::new(TaskSet::new(task.get().0.id.clone(), vec![(*task.get().0).clone()])));
    }
    if let Ok(name) = object.extract::<String>() {
        return find(&Catalog::open(None), &name).map(Arc::new).map_err(engine);
    }
    if let Some(path) = crate::inputs::path(object) {
        let set = Catalog::open(None).resolve_tasks(&path.to_string_lossy());
        return set.map(Arc::new).map_err(engine);
    }
    let kind = || {
        PyTypeError::new_err(
            "tasks are a TaskSet, a Task, the name of a set, a task's id, a path, or several of them",
        )
    };
    if object.is_instance_of::<PyDict>() {
        return Ok(PyTaskSet::new(object, "tasks")?.0);
    }
    let mut all = Vec::new();
    for item in object.try_iter().map_err(|_| kind())? {
        let item = item?;
        match item.cast::<PyTask>() {
            Ok(task) => all.push((*task.get().0).clone()),
            // A list of lists would go on for ever.
            Err(_) if item.is_instance_of::<PyList>() => return Err(kind()),
            Err(_) => all.extend(
                tasks(&item)
                    .map_err(|error| {
                        if error.is_instance_of::<PyTypeError>(item.py()) { kind() } else { error }
                    })?
                    .tasks
                    .iter()
                    .cloned(),
            ),
        }
    }
    Ok(Arc::new(TaskSet::new("tasks", all)))
}

/// The one task that an argument stands for.
pub(crate) fn one(object: &Bound<'_, PyAny>) -> PyResult<Arc<Task>> {
    if let Ok(task) = object.cast::<PyTask>() {
        return Ok(Arc::clone(&task.get().0));
    }
    let set = tasks(object)?;
    match set.tasks.as_slice() {
        [task] => Ok(Arc::new(task.clone())),
        all => {
            let problem =
                format!("one task is wanted here, not {}: choose one by its id", all.len());
            Err(pyo3::exceptions::PyValueError::new_err(problem))
        }
    }
}
