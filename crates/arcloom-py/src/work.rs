//! Long work without the interpreter's lock, watched: progress is heard, Ctrl-C ends it.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use arcloom::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often an interrupt is looked for.
pub(crate) const BREATH: Duration = Duration::from_millis(50);

/// Does `work` on another thread. What it sends is given to `heard`, here. An exception there, or an
/// interrupt, asks the work to stop and is raised once it has.
pub(crate) fn watched<R: Send, E: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce(&Sender<E>) -> R + Send,
    heard: impl Fn(Python<'_>, E) -> PyResult<()> + Send,
) -> PyResult<R> {
    let (send, receive) = channel::<E>();
    let (result, problem) = py.detach(move || {
        std::thread::scope(|scope| {
            let worker = scope.spawn(move || work(&send));
            let mut problem: Option<PyErr> = None;
            loop {
                let event = match receive.recv_timeout(BREATH) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if problem.is_none() {
                    let listened = Python::attach(|py| {
                        py.check_signals()?;
                        event.map_or(Ok(()), |event| heard(py, event))
                    });
                    if let Err(error) = listened {
                        stop.set();
                        problem = Some(error);
                    }
                }
            }
            (worker.join(), problem)
        })
    });
    match (result, problem) {
        (_, Some(problem)) => Err(problem),
        (Ok(result), None) => Ok(result),
        (Err(_), None) => Err(PyRuntimeError::new_err("internal error: a worker panicked")),
    }
}

/// What is told of progress: a callable that gets (done, total), `True` for a line on standard error,
/// or nothing.
pub(crate) struct Teller(Option<Py<PyAny>>);

impl Teller {
    pub(crate) fn new(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Teller> {
        let Some(progress) = progress else { return Ok(Teller(None)) };
        if progress.is_callable() {
            return Ok(Teller(Some(progress.clone().unbind())));
        }
        if !progress.is_truthy()? {
            return Ok(Teller(None));
        }
        let bar = progress.py().import("arcloom.progress")?.getattr("Bar")?.call0()?;
        Ok(Teller(Some(bar.unbind())))
    }

    pub(crate) fn tell(&self, py: Python<'_>, done: usize, total: usize) -> PyResult<()> {
        if let Some(callable) = &self.0 {
            callable.call1(py, (done, total))?;
        }
        Ok(())
    }
}
