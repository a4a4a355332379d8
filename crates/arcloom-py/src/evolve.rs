//! Evolution on a thread of its own, told generation by generation.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use arcloom::archive::{Access, Archive};
use arcloom::evolve::{
    Asked, EvolveConfig, EvolveReport, EvolveRequest, Exchange, Folder, Helpers, Progress,
    Proposer, ProposerFault,
};
use arcloom::{Engine, Entry, Plan, Standing, Stop, TaskSet, similarity};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::error::engine;
use crate::foreign::{FaultsSince, describe, intern, name};
use crate::grid::PyGrid;
use crate::program::PyProgram;
use crate::task::{PyTask, hidden};
use crate::work::BREATH;

/// Everything a run needs.
pub(crate) struct Setup {
    pub(crate) engine: Arc<Engine>,
    pub(crate) library: Vec<Entry>,
    pub(crate) tasks: Arc<TaskSet>,
    pub(crate) config: EvolveConfig,
    pub(crate) archive: Option<PathBuf>,
    pub(crate) stop: Arc<Stop>,
    pub(crate) helpers: Arc<Helpers>,
}

type Outcome = Result<EvolveReport, String>;

/// A run that goes on in the background. Iterating gives its progress; leaving it stops it.
#[pyclass(frozen, module = "arcloom")]
pub(crate) struct Evolution {
    stop: Arc<Stop>,
    helpers: Arc<Helpers>,
    primitives: FaultsSince,
    events: Mutex<Receiver<Progress>>,
    worker: Mutex<Option<JoinHandle<Outcome>>>,
    outcome: Mutex<Option<Outcome>>,
}

impl Evolution {
    pub(crate) fn start(setup: Setup) -> PyResult<Evolution> {
        let (send, events) = channel();
        let Setup { engine: runner, library, tasks, config, archive, stop, helpers } = setup;
        let (own_stop, own_helpers) = (stop.clone(), helpers.clone());
        let work = move || -> Outcome {
            // Without a file the archive is one that nobody else sees.
            let kept = archive.is_some();
            let path = archive.unwrap_or_else(scratch);
            let run = || -> Result<EvolveReport, arcloom::archive::StoreError> {
                let mut archive = Archive::create_or_open(&path, Access::Write)?;
                let request = EvolveRequest::new(&library, &tasks, &config);
                let request = request.with_helpers(&own_helpers);
                runner.evolve(&request, &mut archive, &own_stop, &mut |progress| {
                    let _ = send.send(progress.clone());
                })
            };
            let outcome = run().map_err(|error| error.to_string());
            if !kept {
                for suffix in ["", "-wal", "-shm", ".lock"] {
                    let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
                }
            }
            outcome
        };
        let worker = std::thread::Builder::new().name("arcloom evolve".to_string()).spawn(work);
        Ok(Evolution {
            stop,
            helpers,
            primitives: FaultsSince::now(),
            events: Mutex::new(events),
            worker: Mutex::new(Some(worker.map_err(engine)?)),
            outcome: Mutex::new(None),
        })
    }
}

/// A file name for an archive that nobody keeps.
fn scratch() -> PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("arcloom-{}-{n}.db", std::process::id()))
}

#[pymethods]
impl Evolution {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next generation's figures, as a dict.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let event = py.detach(|| {
                let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
                events.recv_timeout(BREATH)
            });
            match event {
                Ok(progress) => return figures(py, &progress).map(Some),
                Err(RecvTimeoutError::Disconnected) => {
                    self.outcome(py)?;
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        self.stop.set();
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Asks the run to end with the generations it has.
    fn stop(&self) {
        self.stop.set();
    }

    /// Waits for the end, passing progress over, and says what came of it.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        while self.__next__(py)?.is_some() {}
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match outcome {
            Some(Ok(report)) => result(py, &report),
            Some(Err(reason)) => Err(engine(reason)),
            None => Err(PyRuntimeError::new_err("internal error: a worker panicked")),
        }
    }

    /// What failed of what you gave: (name, times, why). Proposers, operators, the exchange, and
    /// registered primitives.
    #[getter]
    fn faults(&self) -> Vec<(String, u64, String)> {
        let fault = |f: ProposerFault| (f.name, f.times, f.reason);
        let helpers = self.helpers.faults().into_iter().map(fault);
        helpers.chain(self.primitives.faults()).collect()
    }
}

impl Evolution {
    /// Takes the outcome off the worker, once.
    fn outcome(&self, py: Python<'_>) -> PyResult<()> {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(worker) = worker else { return Ok(()) };
        let outcome = py.detach(|| worker.join());
        let outcome =
            outcome.map_err(|_| PyRuntimeError::new_err("internal error: a worker panicked"))?;
        let failed = outcome.as_ref().err().cloned();
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.primitives.end();
        failed.map_or(Ok(()), |reason| Err(engine(reason)))
    }
}

impl Drop for Evolution {
    fn drop(&mut self) {
        self.stop.set();
    }
}

fn figures<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("generation", progress.generation)?;
    dict.set_item("evaluations", progress.evaluations)?;
    dict.set_item("evaluations_total", progress.evaluations_total)?;
    dict.set_item("elapsed", progress.elapsed.as_secs_f64())?;
    dict.set_item("fits_at_start", progress.solved.0)?;
    dict.set_item("fits", progress.solved.1)?;
    dict.set_item("tasks", progress.tasks)?;
    let nearest = progress.nearest.as_ref().map(|n| (n.task.as_str(), similarity(n.similarity)));
    dict.set_item("nearest", nearest)?;
    Ok(dict)
}

fn result<'py>(py: Python<'py>, report: &EvolveReport) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("generations", report.generations)?;
    dict.set_item("resumed_at", report.resumed_at)?;
    dict.set_item("evaluations", report.evaluations)?;
    dict.set_item("fits_at_start", report.solved.0)?;
    let fits = report.standings.iter().filter(|standing| standing.is_fit()).count();
    dict.set_item("fits", fits)?;
    dict.set_item("validated", report.solved.1)?;
    dict.set_item("stopped", report.stopped)?;
    let found = PyDict::new(py);
    for one in &report.found {
        let program = one.program.clone();
        let plan = Plan::new(&program);
        let (file, task) = ("evolved".to_string(), one.task.clone());
        let entry = Entry { program, plan, file, task };
        found.set_item(&one.task, Bound::new(py, PyProgram(Arc::new(entry)))?)?;
    }
    dict.set_item("found", found)?;
    let attempts = PyDict::new(py);
    for Standing { name: task, attempts: tests, .. } in &report.standings {
        let list = PyList::empty(py);
        for test in tests.tests() {
            let grids: PyResult<Vec<_>> =
                test.iter().map(|grid| Bound::new(py, PyGrid(grid.clone()))).collect();
            list.append(grids?)?;
        }
        attempts.set_item(task, list)?;
    }
    dict.set_item("attempts", attempts)?;
    Ok(dict)
}

/// Python functions that write programs.
pub(crate) fn helpers(
    proposers: Option<Vec<Bound<'_, PyAny>>>,
    operators: Option<Vec<Bound<'_, PyAny>>>,
    every: u64,
    shown: usize,
    exchange: Option<Box<dyn Exchange>>,
) -> Arc<Helpers> {
    let function = |kind: DataKind| {
        move |object: &Bound<'_, PyAny>| -> Box<dyn Proposer> {
            let name = intern(&name(object));
            Box::new(Writer { object: object.clone().unbind(), name, kind })
        }
    };
    let mut all: Vec<Box<dyn Proposer>> = Vec::new();
    all.extend(proposers.iter().flatten().map(function(DataKind::Proposer)));
    all.extend(operators.iter().flatten().map(function(DataKind::Operator)));
    Arc::new(Helpers::new(all, every, shown).with_exchange(exchange))
}

/// Islands elsewhere: through a folder, or an object with `publish(bytes)` and `poll()`.
pub(crate) fn exchange(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Box<dyn Exchange>>> {
    let Some(object) = object else { return Ok(None) };
    if let Ok(folder) = object.extract::<PathBuf>() {
        let host = object.py().import("socket")?.call_method0("gethostname")?.to_string();
        let name = format!("{host}-{}-{:x}", std::process::id(), object.as_ptr().addr());
        let folder = Folder::open(&folder, &name).map_err(engine)?;
        return Ok(Some(Box::new(folder)));
    }
    for method in ["publish", "poll"] {
        object.getattr(method)?;
    }
    Ok(Some(Box::new(Mail(object.clone().unbind()))))
}

/// A Python object that carries bytes. What it raises counts as nothing sent and nothing come.
struct Mail(Py<PyAny>);

impl Exchange for Mail {
    fn publish(&self, migrants: Vec<u8>) -> Result<(), String> {
        Python::attach(|py| {
            let sent = self.0.call_method1(py, "publish", (PyBytes::new(py, &migrants),));
            sent.map(|_| ()).map_err(|error| describe(py, "publish", &self.0, &error))
        })
    }

    fn poll(&self) -> Result<Vec<Vec<u8>>, String> {
        Python::attach(|py| {
            let come = self.0.call_method0(py, "poll").and_then(|come| come.extract(py));
            come.map_err(|error| describe(py, "poll", &self.0, &error))
        })
    }
}

#[derive(Clone, Copy)]
enum DataKind {
    /// Gets the task and everything tried so far.
    Proposer,
    /// Gets one program at a time.
    Operator,
}

struct Writer {
    object: Py<PyAny>,
    name: &'static str,
    kind: DataKind,
}

impl Proposer for Writer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn propose(&self, asked: &Asked<'_>, fault: &mut dyn FnMut(String)) -> Vec<String> {
        let mut texts = Vec::new();
        Python::attach(|py| {
            let mut heard = |outcome: PyResult<()>| {
                if let Err(error) = outcome {
                    fault(describe(py, self.name, &self.object, &error));
                }
            };
            match self.kind {
                DataKind::Proposer => heard(self.propose_all(py, asked, &mut texts)),
                // One program that it fails on does not keep it from the others.
                DataKind::Operator => asked.best.iter().for_each(|attempt| {
                    heard(self.mutate(py, asked, &attempt.text, &mut texts));
                }),
            }
        });
        texts
    }
}

impl Writer {
    fn propose_all(
        &self,
        py: Python<'_>,
        asked: &Asked<'_>,
        texts: &mut Vec<String>,
    ) -> PyResult<()> {
        let best = PyList::empty(py);
        for attempt in &asked.best {
            let dict = PyDict::new(py);
            dict.set_item("text", &attempt.text)?;
            dict.set_item("pairs", &attempt.pairs)?;
            dict.set_item("similarity", similarity(attempt.similarity))?;
            dict.set_item("failures", &attempt.failures)?;
            best.append(dict)?;
        }
        let task = PyTask(Arc::new(hidden(asked.task)));
        add(texts, self.object.bind(py).call1((task, best, asked.generation))?)
    }

    fn mutate(
        &self,
        py: Python<'_>,
        asked: &Asked<'_>,
        text: &str,
        texts: &mut Vec<String>,
    ) -> PyResult<()> {
        let task = PyTask(Arc::new(hidden(asked.task)));
        add(texts, self.object.bind(py).call1((text, task))?)
    }
}

/// Adds what a function gave: a text or program, several, or nothing.
fn add(texts: &mut Vec<String>, given: Bound<'_, PyAny>) -> PyResult<()> {
    if given.is_none() {
        return Ok(());
    }
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyProgram>() {
        texts.push(given.str()?.to_string());
        return Ok(());
    }
    for item in given.try_iter()? {
        texts.push(item?.str()?.to_string());
    }
    Ok(())
}
