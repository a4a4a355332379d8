//! The extension module `arcloom._native`: the engine, the DSL and the command for Python.
//!
//! | file | what is in it |
//! |---|---|
//! | `convert.rs` | values to and from Python objects |
//! | `fault.rs` | failures as the exceptions that arc-dsl raises |
//! | `foreign.rs` | Python callables as functions of programs |
//! | `dsl.rs` | primitives and closures as Python callables, by walking the registry |

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

mod convert;
mod dsl;
mod fault;
mod foreign;
mod grid;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The engine of arcloom.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::dsl::{Function, Primitive};
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

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        dsl::add(module)
    }
}
