//! The engine: everything that runs programs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arcloom::corpus::Submission;
use arcloom::{Differs, Engine, Entry, Library, RunOptions, SolveOptions, Stop, TaskView, card};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::column::Table;
use crate::error::{ProgramError, engine};
use crate::evolve::{Evolution, Setup};
use crate::foreign;
use crate::grid::PyGrid;
use crate::program::{PyProgram, programs};
use crate::results::{PyBatt, PyCheck, PyRun, place};
use crate::task::{PyTask, tasks};
use crate::trace::PyTrace;
use crate::work::{Teller, watched};

/// Programs that are checked before an interrupt is looked for.
const CHUNK: usize = 64;

/// Runs programs on tasks, on all cores unless told otherwise.
///
/// Results depend neither on the number of threads nor on the clock; `timeout`, in seconds, only ends
/// a run early. Ctrl-C does too.
#[pyclass(frozen, name = "Engine", module = "arcloom")]
pub(crate) struct PyEngine {
    engine: Arc<Engine>,
    /// The process whose threads it has.
    process: u32,
}

impl PyEngine {
    /// The engine, unless its threads stayed behind in another process, where waiting for them would
    /// never end.
    fn own(&self) -> PyResult<&Arc<Engine>> {
        if self.process == std::process::id() || self.engine.threads() == 1 {
            return Ok(&self.engine);
        }
        Err(engine(
            "this engine was made before the process was forked: make one in the new process",
        ))
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (threads=0, call_budget=None, general=false))]
    fn new(threads: usize, call_budget: Option<u64>, general: bool) -> PyResult<PyEngine> {
        let mut builder = Engine::builder().threads(threads).general_form(general);
        if let Some(units) = call_budget {
            builder = builder.call_budget(units);
        }
        let made = Arc::new(builder.build().map_err(engine)?);
        Ok(PyEngine { engine: made, process: std::process::id() })
    }

    /// Number of worker threads.
    #[getter]
    fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// Every program on its own task, or on every task; demo and test pairs.
    #[pyo3(signature = (programs, tasks, all_tasks=false, progress=None))]
    fn check(
        &self,
        py: Python<'_>,
        programs: &Bound<'_, PyAny>,
        tasks: &Bound<'_, PyAny>,
        all_tasks: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCheck> {
        let (entries, tasks) = (self::programs(programs)?, self::tasks(tasks)?);
        let teller = Teller::new(progress)?;
        let stop = Stop::default();
        let total = entries.len();
        let (engine, all) = (self.own()?, &entries);
        let report = watched(
            py,
            &stop,
            |send| {
                let mut whole = arcloom::CheckReport::default();
                for (n, chunk) in all.chunks(CHUNK).enumerate() {
                    if stop.is_set() {
                        break;
                    }
                    let mut part = if all_tasks {
                        engine.check_all(chunk, &tasks, &|_| {})
                    } else {
                        engine.check(chunk, &tasks, &|_| {})
                    };
                    part.rows.iter_mut().for_each(|row| row.program += n * CHUNK);
                    whole.rows.append(&mut part.rows);
                    let _ = send.send((n * CHUNK + chunk.len()).min(total));
                }
                whole
            },
            move |py, done| teller.tell(py, done, total),
        )?;
        PyCheck::new(py, report, &entries)
    }

    /// Many programs, each on a task of its own, judged by the demos: `jobs` are (program, task) pairs.
    /// Columns `fits`, `demos`, `similarity`, `work`, and the `outputs` for all inputs.
    fn eval<'py>(&self, py: Python<'py>, jobs: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut known: Vec<(usize, TaskView)> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        for (n, job) in jobs.try_iter()?.enumerate() {
            let (program, task): (Bound<'_, PyAny>, Bound<'_, PyAny>) = job?.extract()?;
            entries.push(match program.cast::<PyProgram>() {
                Ok(program) => (*program.get().0).clone(),
                Err(_) => {
                    let text: String = program.extract()?;
                    let name = format!("program {}", n + 1);
                    arcloom::one_program(&name, &text).map_err(ProgramError::new_err)?
                }
            });
            let task = task.cast::<PyTask>()?.get().0.clone();
            let at = Arc::as_ptr(&task).addr();
            let found = known.iter().position(|(known, _)| *known == at);
            places.push(found.unwrap_or_else(|| {
                known.push((at, TaskView::new(&task)));
                known.len() - 1
            }));
        }
        let engine = self.own()?;
        let stop = Stop::default();
        let rows = watched(
            py,
            &stop,
            |_: &std::sync::mpsc::Sender<()>| {
                let jobs: Vec<(&Entry, &TaskView)> =
                    entries.iter().zip(&places).map(|(entry, &at)| (entry, &known[at].1)).collect();
                engine.evaluate_all(&jobs)
            },
            |_, ()| Ok(()),
        )?;
        let table = Table::new(py)
            .numbers("fits", rows.iter().map(|row| row.fit.count() as i64))?
            .numbers("demos", rows.iter().map(|row| row.fit.scores().len() as i64))?
            .similarities("similarity", rows.iter().map(|row| Some(row.fit.similarity())))?
            .numbers("work", rows.iter().map(|row| row.outputs.work as i64))?;
        let answers = PyList::empty(py);
        for row in rows {
            let list = PyList::empty(py);
            for answer in row.outputs.all() {
                match answer {
                    Ok(grid) => list.append(Bound::new(py, PyGrid(grid.clone()))?)?,
                    Err(reason) => list.append(reason.to_string())?,
                }
            }
            answers.append(list)?;
        }
        let columns = table.finish().into_bound(py);
        columns.set_item("outputs", answers)?;
        Ok(columns)
    }

    /// Merges programs into one graph in which equal work is done once.
    fn card(&self, py: Python<'_>, programs: &Bound<'_, PyAny>) -> PyResult<PyBatt> {
        let entries = self::programs(programs)?;
        let limits = self.own()?.limits();
        Ok(PyBatt(py.detach(|| card(limits, &entries))))
    }

    /// Every program, and every grid on the way to its result, on every task.
    ///
    /// `differs` are programs `differ(S, I, C)` or Python functions of (demo pairs, candidate, expected)
    /// that give a score from 0 to 1000, or (score, finding).
    #[pyo3(signature = (programs, tasks, differs=None, native_differs=true, judged=64, kept=3, timeout=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn run(
        &self,
        py: Python<'_>,
        programs: &Bound<'_, PyAny>,
        tasks: &Bound<'_, PyAny>,
        differs: Option<&Bound<'_, PyAny>>,
        native_differs: bool,
        judged: usize,
        kept: usize,
        timeout: Option<f64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRun> {
        let tasks = self::tasks(tasks)?;
        let carded;
        let own;
        let batt = match programs.cast::<PyBatt>() {
            Ok(batt) => {
                carded = batt.clone();
                &carded.get().0.batt
            }
            Err(_) => {
                let entries = self::programs(programs)?;
                let engine = self.own()?;
                own = py.detach(|| engine.merge(&entries));
                &own
            }
        };
        let mut judges = if native_differs { Differs::native() } else { Differs::none() };
        if let Some(differs) = differs {
            judges = judges.with_programs(self::differs(differs)?);
        }
        let options = RunOptions { judged, kept, differs: judges, ..RunOptions::default() };
        let teller = Teller::new(progress)?;
        let stop = stop_after(timeout)?;
        let (engine, total) = (self.own()?, tasks.tasks.len());
        let primitives = foreign::FaultsSince::now();
        let report = watched(
            py,
            &stop,
            |send| {
                let send = std::sync::Mutex::new(send.clone());
                engine.run(batt, &tasks, &options, &stop, &|done| {
                    if let Ok(send) = send.lock() {
                        let _ = send.send(done);
                    }
                })
            },
            move |py, done| teller.tell(py, done, total),
        )?;
        PyRun::new(py, report, primitives.faults())
    }

    /// Breeds programs for tasks, from a library. Iterate over it for progress, or ask for `result()`.
    ///
    /// `proposers` are functions of (task, best, generation) that give texts of programs; `best` is a
    /// list of what was tried, as dicts with text, pairs, similarity and failures. `operators` are
    /// functions of (text, task) that give one text, several or None. Both are asked every `every`
    /// generations; what they raise is counted in `faults` and does not end the run, nor does what a
    /// registered primitive or the exchange raises.
    ///
    /// `exchange` reaches islands elsewhere every `migrate_every` generations: a folder that several
    /// processes see, or an object with `publish(bytes)` and `poll()`, which gives a list of bytes.
    #[pyo3(signature = (programs, tasks, archive=None, seed=0, generations=None, timeout=None,
        children=256, population=32, islands=1, migrate_every=10, polish=12, stop_when_solved=true,
        proposers=None, operators=None, every=1, shown=8, exchange=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn evolve(
        &self,
        programs: &Bound<'_, PyAny>,
        tasks: &Bound<'_, PyAny>,
        archive: Option<PathBuf>,
        seed: u64,
        generations: Option<u64>,
        timeout: Option<f64>,
        children: usize,
        population: usize,
        islands: usize,
        migrate_every: u64,
        polish: u64,
        stop_when_solved: bool,
        proposers: Option<Vec<Bound<'_, PyAny>>>,
        operators: Option<Vec<Bound<'_, PyAny>>>,
        every: u64,
        shown: usize,
        exchange: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Evolution> {
        let exchange = crate::evolve::exchange(exchange)?;
        let config = arcloom::evolve::EvolveConfig {
            seed,
            generations,
            children,
            population,
            islands,
            migrate_every,
            polish,
            stop_when_solved,
            ..arcloom::evolve::EvolveConfig::default()
        };
        Evolution::start(Setup {
            engine: self.own()?.clone(),
            library: self::programs(programs)?,
            tasks: self::tasks(tasks)?,
            config,
            archive,
            stop: Arc::new(stop_after(timeout)?),
            helpers: crate::evolve::helpers(proposers, operators, every, shown, exchange),
        })
    }

    /// A program on one pair, step by step. Pairs count from 0, demos before tests.
    #[pyo3(signature = (program, task, pair=0))]
    fn trace(
        &self,
        py: Python<'_>,
        program: &Bound<'_, PyAny>,
        task: &PyTask,
        pair: usize,
    ) -> PyResult<PyTrace> {
        let entries = match program.extract::<String>() {
            Ok(text) => {
                vec![arcloom::one_program("program", &text).map_err(ProgramError::new_err)?]
            }
            Err(_) => programs(program)?,
        };
        let Some(entry) = entries.first() else {
            return Err(PyValueError::new_err("there is no program"));
        };
        let trace = py.detach(|| self.engine.trace(entry, &task.0, pair));
        let pairs = task.0.demos.len() + task.0.tests.len();
        trace.map(PyTrace).ok_or_else(|| {
            PyValueError::new_err(format!("no pair {pair}: task {} has {pairs}", task.0.id))
        })
    }

    /// Looks for programs that solve tasks nobody wrote one for: those of `programs` are tried, new ones
    /// searched for with about `budget` processor seconds per task. Gives a dictionary by task id with
    /// `fits` of its `demos` by the best, two `attempts` for each
    /// test, and the `programs` behind them, best first.
    #[pyo3(signature = (tasks, programs=None, budget=1.0, folds=false, timeout=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        tasks: &Bound<'py, PyAny>,
        programs: Option<&Bound<'py, PyAny>>,
        budget: f64,
        folds: bool,
        timeout: Option<f64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let tasks = self::tasks(tasks)?;
        let mut library = Library::default();
        if let Some(programs) = programs {
            library.programs = self::programs(programs)?;
        }
        let options = SolveOptions { budget, folds, ..SolveOptions::default() };
        let teller = Teller::new(progress)?;
        let stop = stop_after(timeout)?;
        let (own, total) = (self.own()?, tasks.tasks.len());
        let report = watched(
            py,
            &stop,
            |send| {
                let send = std::sync::Mutex::new(send.clone());
                own.solve(&library, &tasks, &options, None, &stop, &|done| {
                    if let Ok(send) = send.lock() {
                        let _ = send.send(done);
                    }
                })
            },
            move |py, done| teller.tell(py, done, total),
        )?
        .map_err(engine)?;
        let all = PyDict::new(py);
        for task in &report.tasks {
            let one = PyDict::new(py);
            one.set_item("fits", task.fits())?;
            one.set_item("demos", task.demos)?;
            let attempts: PyResult<Vec<Vec<Bound<'_, PyGrid>>>> = task
                .attempts()
                .into_tests()
                .into_iter()
                .map(|test| test.into_iter().map(|g| Bound::new(py, PyGrid(g))).collect())
                .collect();
            one.set_item("attempts", attempts?)?;
            let programs = task.proposals.iter().filter_map(|p| p.program.as_deref());
            one.set_item("programs", programs.collect::<Vec<_>>())?;
            all.set_item(&task.id, one)?;
        }
        Ok(all)
    }

    /// Writes two attempts for every test, from a run or from programs; gives the number of tasks whose
    /// demos fit. The file, `submission.json` unless named, is replaced as a whole, so that it is valid at any moment.
    #[pyo3(signature = (source, tasks, path=None, timeout=None, progress=None))]
    fn submit(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        tasks: &Bound<'_, PyAny>,
        path: Option<PathBuf>,
        timeout: Option<f64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let own;
        let run = match source.cast::<PyRun>() {
            Ok(run) => run,
            Err(_) => {
                let run = self.run(py, source, tasks, None, true, 64, 3, timeout, progress)?;
                own = Bound::new(py, run)?;
                &own
            }
        };
        let tasks = self::tasks(tasks)?;
        let report = &run.get().report;
        let submission = Submission::new(&tasks, |id| {
            let found = report.tasks.iter().find(|task| task.id == id);
            found.map(|task| task.run.attempts.clone()).unwrap_or_default().into_tests()
        });
        let path = path.unwrap_or_else(|| "submission.json".into());
        let written = arcloom::corpus::write_whole(&path, submission.to_json().as_bytes());
        written.map_err(|error| engine(format!("cannot write {}: {error}", path.display())))?;
        Ok(report.fits())
    }

    fn __repr__(&self) -> String {
        format!("Engine(threads={})", self.engine.threads())
    }
}

/// Attempts by task, test and rank as a submission file: what `Engine.submit` does for runs.
#[pyfunction]
pub(crate) fn write_submission(
    tasks: &Bound<'_, PyAny>,
    attempts: &Bound<'_, PyDict>,
    path: PathBuf,
) -> PyResult<()> {
    let tasks = self::tasks(tasks)?;
    let mut all: Vec<Vec<Vec<arcloom::Grid>>> = vec![Vec::new(); tasks.tasks.len()];
    for (id, tests) in attempts {
        let id: String = id.extract()?;
        let Some(at) = place(&tasks, &id) else {
            return Err(PyValueError::new_err(format!("no task {id} in {}", tasks.name)));
        };
        for test in tests.try_iter()? {
            let grids: PyResult<Vec<_>> =
                test?.try_iter()?.map(|grid| crate::grid::grid(&grid?)).collect();
            all[at].push(grids?);
        }
    }
    let submission = Submission::new(&tasks, |id| {
        place(&tasks, id).map(|at| std::mem::take(&mut all[at])).unwrap_or_default()
    });
    let written = arcloom::corpus::write_whole(&path, submission.to_json().as_bytes());
    written.map_err(|error| engine(format!("cannot write {}: {error}", path.display())))
}

/// A stop that is due after so many seconds.
fn stop_after(timeout: Option<f64>) -> PyResult<Stop> {
    let Some(seconds) = timeout else { return Ok(Stop::default()) };
    let wait = Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err("a timeout is a number of seconds from 0"))?;
    Ok(Stop::at(Some(Instant::now() + wait)))
}

/// Differs: programs, and Python functions that are called by a program of one line each.
fn differs(object: &Bound<'_, PyAny>) -> PyResult<Vec<Entry>> {
    let mut all = Vec::new();
    for item in object.try_iter()? {
        let item = item?;
        if !item.is_callable() || item.is_instance_of::<PyProgram>() {
            all.extend(programs(&PyList::new(item.py(), [item])?.into_any())?);
            continue;
        }
        let name = foreign::name(&item);
        let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let name: String = name.chars().filter(|&c| plain(c)).collect();
        let inner = format!("_differ_{name}");
        arcloom::foreign::register(foreign::named(&item, &inner)).map_err(PyValueError::new_err)?;
        let text = format!("def differ_{name}(S, I, C):\n    return {inner}(S, I, C)\n");
        let library = Library::from_text("differ", &text);
        arcloom::foreign::remove(&inner);
        all.extend(library.programs);
    }
    Ok(all)
}

/// Makes a Python function callable from programs under its name. It must give the same for the same
/// arguments. Such calls are slow: each takes the interpreter's lock.
#[pyfunction]
#[pyo3(signature = (function, name=None))]
pub(crate) fn register<'py>(
    function: Bound<'py, PyAny>,
    name: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let name = name.unwrap_or_else(|| foreign::name(&function));
    let primitive = foreign::primitive(&function, &name);
    arcloom::foreign::register(primitive).map_err(PyValueError::new_err)?;
    Ok(function)
}

/// Forgets a registered function; programs that were read before keep it.
#[pyfunction]
pub(crate) fn unregister(name: &str) -> bool {
    arcloom::foreign::remove(name)
}
