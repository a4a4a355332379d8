//! Evolution on a thread of its own, told generation by generation.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use arcloom::archive::{Access, Archive};
use arcloom::evolve::{
    Asked, Asking, Attempt, EvolveConfig, EvolveReport, EvolveRequest, Exchange, Fate, Folder,
    Helpers, Progress, Proposer, ProposerFault, Reply,
};
use arcloom::{Engine, Entry, Stop, TaskSet, similarity};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::error::engine;
use crate::foreign::{Faults, FaultsSince, describe, intern, name};
use crate::program::PyProgram;
use crate::results::{self, attempts, class, named, value};
use crate::task::PyTask;
use crate::work::BREATH;

/// Everything a run needs.
pub(crate) struct Setup {
    pub(crate) engine: Arc<Engine>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) library: Vec<Entry>,
    pub(crate) tasks: Arc<TaskSet>,
    pub(crate) config: EvolveConfig,
    pub(crate) archive: Option<PathBuf>,
    pub(crate) stop: Arc<Stop>,
    pub(crate) helpers: Arc<Helpers>,
}

type Outcome = Result<EvolveReport, String>;

/// A run that goes on in the background. Iterating gives its progress; leaving it stops it.
#[pyclass(frozen, name = "EvolutionRun", module = "arcloom._native")]
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
        let Setup { engine: runner, faults, library, tasks, config, archive, stop, helpers } =
            setup;
        let (own_stop, own_helpers) = (stop.clone(), helpers.clone());
        let work = move || -> Outcome {
            let _busy = Busy::new();
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
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|stop| stop.strong_count() > 0);
        runs.push(Arc::downgrade(&stop));
        drop(runs);
        let worker = std::thread::Builder::new().name("arcloom evolve".to_string()).spawn(work);
        Ok(Evolution {
            stop,
            helpers,
            primitives: FaultsSince::now(&faults),
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

    /// The next generation's figures.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
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
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
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
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let fault = |f: ProposerFault| (f.name, f.times, f.reason);
        let helpers = self.helpers.faults().into_iter().map(fault);
        results::faults(py, helpers.chain(self.primitives.faults()))
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

fn figures<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyAny>> {
    let words = PyDict::new(py);
    words.set_item("generation", progress.generation)?;
    words.set_item("evaluations", progress.evaluations)?;
    words.set_item("evaluations_total", progress.evaluations_total)?;
    words.set_item("elapsed", progress.elapsed.as_secs_f64())?;
    words.set_item("fits_at_start", progress.solved.0)?;
    words.set_item("fits", progress.solved.1)?;
    words.set_item("tasks", progress.tasks)?;
    let nearest = progress.nearest.as_ref().map(|n| (n.task.as_str(), similarity(n.similarity)));
    words.set_item("nearest", nearest)?;
    let count = class(py, "OperatorCount")?;
    let used = progress.operators.iter().filter(|row| row.count.applied > 0);
    let rows = used.map(|row| {
        let c = &row.count;
        count.call1((row.name, c.applied, c.valid, c.new, c.improving))
    });
    words.set_item("operators", PyTuple::new(py, rows.collect::<PyResult<Vec<_>>>()?)?)?;
    class(py, "GenerationFigures")?.call((), Some(&words))
}

fn result<'py>(py: Python<'py>, report: &EvolveReport) -> PyResult<Bound<'py, PyAny>> {
    let words = PyDict::new(py);
    words.set_item("generations", report.generations)?;
    words.set_item("resumed_at", report.resumed_at)?;
    words.set_item("evaluations", report.evaluations)?;
    words.set_item("fits_at_start", report.solved.0)?;
    let fits = report.standings.iter().filter(|standing| standing.is_fit()).count();
    words.set_item("fits", fits)?;
    words.set_item("validated", report.solved.1)?;
    words.set_item("stopped", report.stopped)?;
    words.set_item("tasks", report.standings.len())?;
    let found = PyDict::new(py);
    for one in &report.found {
        found.set_item(&one.task, named(&one.program, "evolved", &one.task).into_pyobject(py)?)?;
    }
    words.set_item("found", found)?;
    let all = PyDict::new(py);
    for standing in &report.standings {
        all.set_item(&standing.name, attempts(py, &standing.attempts)?)?;
    }
    words.set_item("attempts", all)?;
    class(py, "Evolved")?.call((), Some(&words))
}

/// Threads of ours that may call Python.
static BUSY: Mutex<usize> = Mutex::new(0);

/// A thread that may call Python, while it is there.
struct Busy;

impl Busy {
    fn new() -> Busy {
        *BUSY.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Busy
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *BUSY.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

/// Runs that go on.
static RUNS: Mutex<Vec<std::sync::Weak<Stop>>> = Mutex::new(Vec::new());

/// Ends all runs and waits for the threads that may call Python, which must not happen once the
/// interpreter is gone. `arcloom` asks for it at the end of the process.
#[pyfunction]
pub(crate) fn _finish(py: Python<'_>) -> PyResult<()> {
    let runs = std::mem::take(&mut *RUNS.lock().unwrap_or_else(PoisonError::into_inner));
    runs.iter().filter_map(std::sync::Weak::upgrade).for_each(|stop| stop.set());
    while *BUSY.lock().unwrap_or_else(PoisonError::into_inner) > 0 {
        py.detach(|| std::thread::sleep(BREATH));
        py.check_signals()?;
    }
    Ok(())
}

/// Python functions that write programs.
pub(crate) fn helpers(
    proposers: Option<Vec<Bound<'_, PyAny>>>,
    operators: Option<Vec<Bound<'_, PyAny>>>,
    asking: Asking,
    exchange: Option<Box<dyn Exchange>>,
) -> PyResult<Arc<Helpers>> {
    let function = |kind: DataKind| {
        move |object: &Bound<'_, PyAny>| -> PyResult<Arc<dyn Proposer>> {
            if !object.is_callable() {
                let problem = "proposers and operators are functions";
                return Err(pyo3::exceptions::PyTypeError::new_err(problem));
            }
            let name = intern(&name(object));
            Ok(Arc::new(Writer { object: object.clone().unbind(), name, kind }))
        }
    };
    let mut all: Vec<Arc<dyn Proposer>> = Vec::new();
    for (functions, kind) in [(proposers, DataKind::Proposer), (operators, DataKind::Operator)] {
        for object in functions.iter().flatten() {
            all.push(function(kind)(object)?);
        }
    }
    Ok(Arc::new(Helpers::new(all, asking).with_exchange(exchange)))
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

    fn is_quick(&self) -> bool {
        matches!(self.kind, DataKind::Operator)
    }

    fn propose(&self, asked: &Asked, fault: &mut dyn FnMut(String)) -> Vec<String> {
        let _busy = Busy::new();
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
    fn propose_all(&self, py: Python<'_>, asked: &Asked, texts: &mut Vec<String>) -> PyResult<()> {
        let best: PyResult<Vec<_>> = asked.best.iter().map(|one| tried(py, one)).collect();
        let last: PyResult<Vec<_>> = asked.last.iter().map(|one| reply(py, one)).collect();
        let task = PyTask(Arc::clone(&asked.task));
        let (best, last) = (PyTuple::new(py, best?)?, PyTuple::new(py, last?)?);
        let asked = class(py, "Asked")?.call1((task, asked.generation, best, last))?;
        let given = self.object.bind(py).call1((asked,))?;
        // An `async def` is waited for on the one loop of all proposers.
        let given = py.import("arcloom.evolution")?.getattr("_settled")?.call1((given,))?;
        add(texts, given)
    }

    fn mutate(
        &self,
        py: Python<'_>,
        asked: &Asked,
        text: &str,
        texts: &mut Vec<String>,
    ) -> PyResult<()> {
        add(texts, self.object.bind(py).call1((text, PyTask(Arc::clone(&asked.task))))?)
    }
}

/// A program that was tried, with what differs and steps say.
fn tried<'py>(py: Python<'py>, attempt: &Attempt) -> PyResult<Bound<'py, PyAny>> {
    let finding = class(py, "Finding")?;
    let findings: PyResult<Vec<_>> = attempt
        .findings
        .iter()
        .map(|one| finding.call1((one.differ, one.demo, value(py, Some(&one.value))?)))
        .collect();
    let (findings, errors) = (PyTuple::new(py, findings?)?, PyTuple::new(py, &attempt.errors)?);
    let near = similarity(attempt.similarity);
    class(py, "Attempt")?.call1((&attempt.text, &attempt.pairs, near, findings, errors))
}

fn reply<'py>(py: Python<'py>, reply: &Reply) -> PyResult<Bound<'py, PyAny>> {
    let (error, attempt, is_kept) = match &reply.fate {
        Fate::Rejected(error) => {
            let fields = (&error.message, error.line, error.column, &error.suggestion);
            (Some(class(py, "TextError")?.call1(fields)?), None, false)
        }
        Fate::Known => (None, None, false),
        Fate::Tried { attempt, is_kept } => (None, Some(tried(py, attempt)?), *is_kept),
    };
    class(py, "Reply")?.call1((&reply.text, error, attempt, is_kept))
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
