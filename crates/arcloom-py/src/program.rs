//! Programs and libraries of them.

use std::sync::Arc;

use arcloom::graph::Inputs;
use arcloom::{Catalog, Entry, Form, Library, Machine, Value, one_program, text};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;

use crate::convert::{to_object, to_value};
use crate::error::{ProgramError, engine};
use crate::fault::to_exception;

/// A program: `Program("O = vmirror(I)")`, or a text with one `def`.
#[pyclass(frozen, name = "Program", module = "arcloom")]
#[derive(Clone)]
pub(crate) struct PyProgram(pub(crate) Arc<Entry>);

#[pymethods]
impl PyProgram {
    #[new]
    #[pyo3(signature = (text, task=None))]
    fn new(text: &str, task: Option<String>) -> PyResult<PyProgram> {
        let mut entry = one_program("program", text).map_err(ProgramError::new_err)?;
        if let Some(task) = task {
            entry.program.name = format!("solve_{task}");
            entry.task = task;
        }
        Ok(PyProgram(Arc::new(entry)))
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
        format!("<pre>{}</pre>", crate::html::escaped(self.text().trim_end()))
    }
}

/// Programs of one or more files, with what was wrong with the rest.
#[pyclass(frozen, name = "Library", module = "arcloom")]
pub(crate) struct PyLibrary(pub(crate) Arc<Library>);

#[pymethods]
impl PyLibrary {
    /// The programs of one text.
    #[staticmethod]
    #[pyo3(signature = (text, name="text"))]
    fn parse(text: &str, name: &str) -> PyLibrary {
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

    /// By place, or by the name of the function or of its task.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<PyProgram> {
        let entry = if let Ok(name) = key.extract::<String>() {
            let found = self.0.find(&name);
            found.ok_or_else(|| PyKeyError::new_err(format!("no program {name}")))?
        } else {
            let index: isize = key.extract()?;
            let index = if index < 0 { index + self.0.programs.len() as isize } else { index };
            let found = usize::try_from(index).ok().and_then(|index| self.0.programs.get(index));
            found.ok_or_else(|| PyIndexError::new_err("program index out of range"))?
        };
        Ok(PyProgram(Arc::new(entry.clone())))
    }

    fn __repr__(&self) -> String {
        let errors = self.0.errors.len();
        format!("Library({} programs, {errors} errors)", self.0.programs.len())
    }
}

/// Everything that names or paths stand for.
pub(crate) fn load(specs: &[String], data_dir: Option<std::path::PathBuf>) -> PyResult<Library> {
    Library::load(&Catalog::open(data_dir), specs, &mut std::io::empty()).map_err(engine)
}

/// The programs that an argument stands for: a library, a program, several of them as objects or
/// texts, or the name of a library or file.
pub(crate) fn programs(object: &Bound<'_, PyAny>) -> PyResult<Vec<Entry>> {
    if let Ok(library) = object.cast::<PyLibrary>() {
        return Ok(library.get().0.programs.clone());
    }
    if let Ok(program) = object.cast::<PyProgram>() {
        return Ok(vec![(*program.get().0).clone()]);
    }
    if let Ok(spec) = object.extract::<String>() {
        return Ok(load(&[spec], None)?.programs);
    }
    let kind =
        || PyTypeError::new_err("programs are a Library, Programs or their texts, or a name");
    let mut all = Vec::new();
    for (n, item) in object.try_iter().map_err(|_| kind())?.enumerate() {
        let item = item?;
        if let Ok(program) = item.cast::<PyProgram>() {
            all.push((*program.get().0).clone());
        } else {
            let text: String = item.extract().map_err(|_| kind())?;
            let name = format!("program {}", n + 1);
            all.push(one_program(&name, &text).map_err(ProgramError::new_err)?);
        }
    }
    Ok(all)
}
