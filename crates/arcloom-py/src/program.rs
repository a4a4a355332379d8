//! Programs and libraries of them.

use std::sync::Arc;

use arcloom::graph::Inputs;
use arcloom::{Answer, Catalog, Entry, Form, Library, Machine, ProgramId, Value, text};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::convert::{to_object, to_value};
use crate::engine::PyEngine;
use crate::error::{engine, one_program, program_error};
use crate::fault::to_exception;
use crate::html;

/// Most programs of a table in a notebook.
const ROWS: usize = 20;

/// A program: `Program("O = vmirror(I)")`, or a text with one `def`.
#[pyclass(frozen, name = "Program", module = "arcloom")]
#[derive(Clone)]
pub(crate) struct PyProgram(pub(crate) Arc<Entry>);

#[pymethods]
impl PyProgram {
    #[new]
    #[pyo3(signature = (text, task=None))]
    fn new(py: Python<'_>, text: &str, task: Option<String>) -> PyResult<PyProgram> {
        PyProgram::read(py, text, task)
    }

    /// Name of its function.
    #[getter]
    fn name(&self) -> &str {
        &self.0.program.name
    }

    /// The task it is meant for; empty where its name does not say.
    #[getter]
    fn task(&self) -> &str {
        &self.0.task
    }

    /// Identity by content.
    #[getter]
    fn id(&self) -> String {
        self.0.program.id().to_string()
    }

    /// Number of calls.
    #[getter]
    fn size(&self) -> usize {
        self.0.program.size()
    }

    /// One call per line.
    #[getter]
    fn text(&self) -> String {
        text::print(&self.0.program, Form::Straight)
    }

    /// Calls nested in calls.
    #[getter]
    fn inline(&self) -> String {
        text::print(&self.0.program, Form::Inline)
    }

    /// The whole program on one line.
    #[getter]
    fn line(&self) -> String {
        text::one_line(&self.0.program)
    }

    /// A file that runs on the original arc-dsl.
    #[getter]
    fn arc_dsl(&self) -> String {
        text::print_file([&self.0.program], Form::ArcDsl)
    }

    /// The result for a grid; `samples` are the demo pairs, for programs that look at them.
    #[pyo3(signature = (grid, samples=None))]
    fn __call__<'py>(
        &self,
        grid: &Bound<'py, PyAny>,
        samples: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let input = to_value(grid)?;
        let samples = samples.map_or_else(|| Ok(Value::empty_tuple()), to_value)?;
        let inputs = Inputs { input: &input, samples: &samples, expected: &Value::None };
        let value = Machine::default()
            .run(&self.0.plan, &inputs)
            .map_err(|failure| to_exception(failure.error, None, &[]))?;
        to_object(grid.py(), &value)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyProgram>().is_ok_and(|o| o.get().0.program.id() == self.0.program.id())
    }

    fn __hash__(&self) -> u64 {
        let id = self.0.program.id().0;
        id.iter().take(8).fold(0, |hash, &byte| hash << 8 | u64::from(byte))
    }

    fn __repr__(&self) -> String {
        format!("Program({:?})", text::one_line(&self.0.program))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String, Option<String>)) {
        let task = (!self.0.task.is_empty()).then(|| self.0.task.clone());
        (py.get_type::<PyProgram>().into_any(), (self.text(), task))
    }

    fn _repr_html_(&self) -> String {
        html::code(self.text().trim_end())
    }
}

impl PyProgram {
    /// The program of a text, for a task where one is named.
    pub(crate) fn read(py: Python<'_>, text: &str, task: Option<String>) -> PyResult<PyProgram> {
        let mut entry = one_program(py, "program", text)?;
        if let Some(task) = task {
            entry.program.name = format!("solve_{task}");
            entry.task = task;
        }
        Ok(PyProgram(Arc::new(entry)))
    }
}

/// Programs of one or more files, with what was wrong with the rest.
#[pyclass(frozen, name = "Library", module = "arcloom")]
pub(crate) struct PyLibrary(pub(crate) Arc<Library>);

#[pymethods]
impl PyLibrary {
    /// Of programs or their texts, or of what a name or path stands for.
    #[new]
    #[pyo3(signature = (programs=None))]
    fn new(programs: Option<&Bound<'_, PyAny>>) -> PyResult<PyLibrary> {
        programs.map_or_else(|| Ok(PyLibrary(Arc::default())), PyLibrary::of)
    }

    /// The programs of one text, as a file has them: what does not load is in `errors`. With an engine they may
    /// call its registered functions.
    #[staticmethod]
    #[pyo3(signature = (text, name="text", engine=None))]
    fn parse(text: &str, name: &str, engine: Option<&PyEngine>) -> PyLibrary {
        let _names = engine.map(PyEngine::enter);
        PyLibrary(Arc::new(Library::from_text(name, text)))
    }

    /// What did not load, one line each.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.0.errors.clone()
    }

    /// Surely mistakes in what did load, one line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// Worth knowing about what did load, one line each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    fn __len__(&self) -> usize {
        self.0.programs.len()
    }

    /// By place, by slice, or by the name of the function or of its task.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(slice) = key.cast::<PySlice>() {
            let at = slice.indices(self.0.programs.len() as isize)?;
            let places = (0..at.slicelength as isize).map(|n| at.start + n * at.step);
            let programs = places.map(|place| self.0.programs[place as usize].clone()).collect();
            let library = Library { programs, ..Library::default() };
            return Ok(Bound::new(py, PyLibrary(Arc::new(library)))?.into_any());
        }
        let entry = if let Ok(name) = key.extract::<String>() {
            let found = self.0.find(&name);
            found.ok_or_else(|| PyKeyError::new_err(format!("no program {name}")))?
        } else {
            let index: isize = key.extract()?;
            let index = if index < 0 { index + self.0.programs.len() as isize } else { index };
            let found = usize::try_from(index).ok().and_then(|index| self.0.programs.get(index));
            found.ok_or_else(|| PyIndexError::new_err("program index out of range"))?
        };
        Ok(Bound::new(py, PyProgram(Arc::new(entry.clone())))?.into_any())
    }

    /// True for a program of the library, and for the name of one or of its task.
    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        if let Ok(program) = key.cast::<PyProgram>() {
            let id = program.get().0.program.id();
            return self.0.programs.iter().any(|entry| entry.program.id() == id);
        }
        key.extract::<String>().is_ok_and(|name| self.0.find(&name).is_some())
    }

    /// Programs of this library, then of others, each once for its task.
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyLibrary> {
        let mut all = Library::clone(&self.0);
        let key = |entry: &Entry| (entry.program.id(), entry.task.clone());
        let known: std::collections::BTreeSet<_> = all.programs.iter().map(key).collect();
        all.programs
            .extend(programs(other)?.into_iter().filter(|entry| !known.contains(&key(entry))));
        Ok(PyLibrary(Arc::new(all)))
    }

    /// Writes the programs as a file that runs on the original arc-dsl. Names that come up twice are numbered.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        let mut seen = std::collections::BTreeMap::<String, usize>::new();
        let renamed: Vec<_> = self
            .0
            .programs
            .iter()
            .map(|entry| {
                let mut program = entry.program.clone();
                if program.name == "snippet" {
                    program.name = "solve".to_string();
                }
                let count = seen.entry(program.name.clone()).or_default();
                *count += 1;
                if *count > 1 {
                    program.name = format!("{}_{count}", program.name);
                }
                program
            })
            .collect();
        Ok(std::fs::write(path, text::print_file(&renamed, Form::ArcDsl))?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyLibrary>().is_ok_and(|other| other.get().keys().eq(self.keys()))
    }

    fn __hash__(&self) -> u64 {
        crate::task::hash(&self.keys().map(|(id, task)| (id.0, task)).collect::<Vec<_>>())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<PyProgram>,)) {
        let programs = self.0.programs.iter().map(|entry| PyProgram(Arc::new(entry.clone())));
        (py.get_type::<PyLibrary>().into_any(), (programs.collect(),))
    }

    fn _repr_html_(&self) -> String {
        let row = |entry: &Entry| {
            let size = entry.program.size().to_string();
            vec![
                entry.program.name.clone(),
                entry.task.clone(),
                size,
                text::one_line(&entry.program),
            ]
        };
        let errors = self.0.errors.iter().take(ROWS);
        // What did not load comes first.
        let errors =
            errors.map(|error| vec![String::new(), String::new(), String::new(), error.clone()]);
        let programs = self.0.programs.iter().map(row);
        let rows: Vec<_> = errors.chain(programs).take(ROWS).collect();
        let all = self.0.errors.len() + self.0.programs.len();
        html::table(&self.__repr__(), &["name", "task", "size", "program"], &rows, all)
    }

    fn __repr__(&self) -> String {
        let errors = self.0.errors.len();
        format!("Library({} programs, {errors} errors)", self.0.programs.len())
    }
}

impl PyLibrary {
    /// The library that an argument stands for.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<PyLibrary> {
        if let Ok(library) = object.cast::<PyLibrary>() {
            return Ok(PyLibrary(Arc::clone(&library.get().0)));
        }
        if let Some(spec) = spec(object) {
            return Ok(PyLibrary(Arc::new(load(&[spec], None)?)));
        }
        let programs = programs(object)?;
        Ok(PyLibrary(Arc::new(Library { programs, ..Library::default() })))
    }

    fn keys(&self) -> impl Iterator<Item = (ProgramId, &str)> {
        self.0.programs.iter().map(|entry| (entry.program.id(), entry.task.as_str()))
    }
}

/// The name or path that an argument is; texts of programs are none.
fn spec(object: &Bound<'_, PyAny>) -> Option<String> {
    if let Some(path) = crate::inputs::path(object) {
        return Some(path.to_string_lossy().into_owned());
    }
    object.extract::<String>().ok().filter(|text| !crate::inputs::is_code(text))
}

/// Everything that names or paths stand for.
pub(crate) fn load(specs: &[String], data_dir: Option<std::path::PathBuf>) -> PyResult<Library> {
    Library::load(&Catalog::open(data_dir), specs, &mut std::io::empty()).map_err(engine)
}

/// The programs that an argument stands for: a library, a program, a text, the name of a library or file, a
/// path, or several of them.
pub(crate) fn programs(object: &Bound<'_, PyAny>) -> PyResult<Vec<Entry>> {
    if let Ok(library) = object.cast::<PyLibrary>() {
        return Ok(library.get().0.programs.clone());
    }
    if let Ok(program) = object.cast::<PyProgram>() {
        return Ok(vec![(*program.get().0).clone()]);
    }
    if let Some(spec) = spec(object) {
        return Ok(load(&[spec], None)?.programs);
    }
    if let Ok(text) = object.extract::<String>() {
        return texts(object.py(), "program", &text);
    }
    let kind = || {
        PyTypeError::new_err(
            "programs are a Library, a Program or its text, the name of a library, a path, or several of them",
        )
    };
    let mut all = Vec::new();
    for (n, item) in object.try_iter().map_err(|_| kind())?.enumerate() {
        let item = item?;
        if let Ok(program) = item.cast::<PyProgram>() {
            all.push((*program.get().0).clone());
        } else if let Ok(library) = item.cast::<PyLibrary>() {
            all.extend(library.get().0.programs.iter().cloned());
        } else if let Some(path) = crate::inputs::path(&item) {
            all.extend(load(&[path.to_string_lossy().into_owned()], None)?.programs);
        } else {
            let text: String = item.extract().map_err(|_| kind())?;
            all.extend(texts(item.py(), &format!("program {}", n + 1), &text)?);
        }
    }
    Ok(all)
}

/// The programs of a text, all of which must be some.
fn texts(py: Python<'_>, name: &str, text: &str) -> PyResult<Vec<Entry>> {
    let answer = Answer::read(text);
    if let [_] = answer.readings.as_slice() {
        return Ok(vec![one_program(py, name, text)?]);
    }
    let entry = |reading: arcloom::Reading| match reading.program {
        Ok(placed) => Ok(Entry::new(placed.program, name)),
        Err(error) => Err(program_error(py, name, Some(&error))),
    };
    answer.readings.into_iter().map(entry).collect()
}
