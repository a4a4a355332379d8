//! The extension module `arcloom._native`: the engine, the DSL and the command for Python.
//!
//! | file | what is in it |
//! |---|---|
//! | `convert.rs` | values to and from Python objects |
//! | `fault.rs` `error.rs` | failures as the exceptions that arc-dsl raises; exceptions of the engine |
//! | `foreign.rs` | Python callables as functions of programs |
//! | `dsl.rs` | primitives and closures as Python callables, by walking the registry |
//! | `rows.rs` | functions that only move rows and cells, on Python's tuples |
//! | `grid.rs` `task.rs` `program.rs` `trace.rs` `archive.rs` | what their names say, as Python objects |
//! | `data.rs` | scores of submissions, devices, fetching |
//! | `engine.rs` | the engine: check, eval, card, run, evolve, solve, trace, submit, registered functions |
//! | `eval.rs` | texts judged on tasks, row by row |
//! | `inputs.rs` | what arguments may be |
//! | `figure.rs` | drawings, and files of them |
//! | `results.rs` `column.rs` `html.rs` | what runs came to, as records of `arcloom.results`; columns, tables |
//! | `evolve.rs` | evolution in the background; proposers and operators in Python |
//! | `work.rs` | long work without the interpreter's lock, watched |

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

mod archive;
mod column;
mod convert;
mod data;
mod dsl;
mod engine;
mod error;
mod eval;
mod evolve;
mod fault;
mod figure;
mod foreign;
mod grid;
mod html;
mod inputs;
mod program;
mod results;
mod rows;
mod task;
mod trace;
mod work;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The engine of arcloom.
#[pymodule]
mod _native {
    use std::path::PathBuf;
    use std::sync::Arc;

    #[pymodule_export]
    use super::archive::{PyArchive, PyLineage, copy_archive, merge_archive};
    #[pymodule_export]
    use super::column::Column;
    #[pymodule_export]
    use super::data::{devices, pull_data, score};
    #[pymodule_export]
    use super::dsl::{Function, Primitive};
    #[pymodule_export]
    use super::engine::{PyEngine, write_submission};
    #[pymodule_export]
    use super::error::{ArcloomError, ProgramError};
    #[pymodule_export]
    use super::eval::PyEvaluations;
    #[pymodule_export]
    use super::evolve::{_finish, Evolution};
    #[pymodule_export]
    use super::figure::PyFigure;
    #[pymodule_export]
    use super::grid::PyGrid;
    #[pymodule_export]
    use super::program::{PyLibrary, PyProgram};
    #[pymodule_export]
    use super::results::PyBatt;
    #[pymodule_export]
    use super::task::{PyPair, PyTask, PyTaskSet};
    #[pymodule_export]
    use super::trace::{_trace, PyStep, PyTrace};
    use super::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const JSON_SCHEMA: u32 = arcloom::JSON_SCHEMA;

    /// Runs the command `arcloom` with these words, the first being its name; gives the exit code.
    #[pyfunction]
    fn main(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| arcloom_cli::run(words))
    }

    /// The primitive with this name.
    #[pyfunction]
    fn primitive<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match arcloom::Registry::get().resolve(name) {
            Some(id) => dsl::object_of(py, &arcloom::Value::Prim(id)),
            None => Err(PyKeyError::new_err(format!("no function `{name}` in the DSL"))),
        }
    }

    /// The tasks of a set by name (`arc1/training`), of a file or of a folder, or the one with an id. A malformed task is an
    /// error; with `skip_malformed` it is noted in `TaskSet.malformed` instead.
    #[pyfunction]
    #[pyo3(signature = (spec=PathBuf::from("embedded"), data_dir=None, skip_malformed=false), text_signature = "(spec='embedded', data_dir=None, skip_malformed=False)")]
    fn tasks(
        py: Python<'_>,
        spec: PathBuf,
        data_dir: Option<PathBuf>,
        skip_malformed: bool,
    ) -> PyResult<PyTaskSet> {
        let spec = spec.to_string_lossy();
        let set = py.detach(|| {
            let catalog = arcloom::Catalog::open(data_dir);
            match skip_malformed {
                true => catalog.resolve_readable_tasks(&spec),
                false => task::find(&catalog, &spec),
            }
        });
        set.map(|set| PyTaskSet(Arc::new(set))).map_err(error::engine)
    }

    /// The programs of libraries by name (`library:rearc`), of files or of folders.
    #[pyfunction]
    #[pyo3(signature = (*specs, data_dir=None))]
    fn library(
        py: Python<'_>,
        specs: Vec<PathBuf>,
        data_dir: Option<PathBuf>,
    ) -> PyResult<PyLibrary> {
        let specs: Vec<String> =
            specs.iter().map(|spec| spec.to_string_lossy().into_owned()).collect();
        let embedded = vec!["library:embedded".to_string()];
        let specs = if specs.is_empty() { embedded } else { specs };
        let library = py.detach(|| program::load(&specs, data_dir))?;
        Ok(PyLibrary(Arc::new(library)))
    }

    /// A table for a notebook.
    #[pyfunction]
    fn _table(caption: &str, head: Vec<String>, rows: Vec<Vec<String>>, all: usize) -> String {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        html::table(caption, &head, &rows, all)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        dsl::add(module)
    }
}
