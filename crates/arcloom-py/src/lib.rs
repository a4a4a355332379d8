//! The extension module `arcloom._native`: the engine, the DSL and the command for Python.
//!
//! | file | what is in it |
//! |---|---|
//! | `convert.rs` | values to and from Python objects |
//! | `fault.rs` `error.rs` | failures as the exceptions that arc-dsl raises; exceptions of the engine |
//! | `foreign.rs` | Python callables as functions of programs |
//! | `dsl.rs` | primitives and closures as Python callables, by walking the registry |
//! | `grid.rs` `task.rs` `program.rs` `trace.rs` `archive.rs` | what their names say, as Python objects |
//! | `engine.rs` | the engine: check, eval, card, run, evolve, solve, trace, submit |
//! | `figure.rs` | drawings, and files of them |
//! | `results.rs` `column.rs` `html.rs` | what runs came to: columns, tables |
//! | `evolve.rs` | evolution in the background; proposers and operators in Python |
//! | `work.rs` | long work without the interpreter's lock, watched |

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

mod archive;
mod column;
mod convert;
mod dsl;
mod engine;
mod error;
mod evolve;
mod fault;
mod figure;
mod foreign;
mod grid;
mod html;
mod program;
mod results;
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
    use super::dsl::{Function, Primitive};
    #[pymodule_export]
    use super::engine::{PyEngine, register, unregister, write_submission};
    #[pymodule_export]
    use super::error::{ArcloomError, ProgramError};
    #[pymodule_export]
    use super::evolve::Evolution;
    #[pymodule_export]
    use super::figure::PyFigure;
    #[pymodule_export]
    use super::grid::PyGrid;
    #[pymodule_export]
    use super::program::{PyLibrary, PyProgram};
    #[pymodule_export]
    use super::results::{PyBatt, PyCheck, PyRun};
    #[pymodule_export]
    use super::task::{PyPair, PyTask, PyTaskSet};
    #[pymodule_export]
    use super::trace::{PyStep, PyTrace};
    use super::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

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

    /// The tasks of a set by name (`arc1/training`), of a file or of a folder. A malformed task is an
    /// error; with `skip_malformed` it is noted in `TaskSet.malformed` instead.
    #[pyfunction]
    #[pyo3(signature = (spec="embedded", data_dir=None, skip_malformed=false))]
    fn tasks(
        py: Python<'_>,
        spec: &str,
        data_dir: Option<PathBuf>,
        skip_malformed: bool,
    ) -> PyResult<PyTaskSet> {
        let set = py.detach(|| {
            let catalog = arcloom::Catalog::open(data_dir);
            if skip_malformed {
                catalog.resolve_readable_tasks(spec)
            } else {
                catalog.resolve_tasks(spec)
            }
        });
        set.map(|set| PyTaskSet(Arc::new(set))).map_err(error::engine)
    }

    /// The programs of libraries by name (`library:rearc`), of files or of folders.
    #[pyfunction]
    #[pyo3(signature = (*specs, data_dir=None))]
    fn library(
        py: Python<'_>,
        specs: Vec<String>,
        data_dir: Option<PathBuf>,
    ) -> PyResult<PyLibrary> {
        let embedded = vec!["library:embedded".to_string()];
        let specs = if specs.is_empty() { embedded } else { specs };
        let library = py.detach(|| program::load(&specs, data_dir))?;
        Ok(PyLibrary(Arc::new(library)))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        dsl::add(module)
    }
}
