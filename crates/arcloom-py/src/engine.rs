//! The engine: everything that runs programs.

use std::path::PathBuf;
use std::sync::Arc;

use arcloom::foreign::ForeignNames;
use arcloom::{
    AugmentOptions, Differs, Engine, Entry, EvalSource, Library, NewPair, RunOptions, SolveOptions,
    Stop, TaskView, card,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::engine;
use crate::eval::{self, EvalJob, PyEvaluations};
use crate::evolve::{Evolution, Setup};
use crate::foreign::{self, Faults};
use crate::inputs::{count, seconds, some, stop_after};
use crate::program::{PyLibrary, PyProgram, programs};
use crate::results::{self, PyBatt};
use crate::task::tasks;
use crate::trace::PyTrace;
use crate::work::{Teller, watched};

/// Programs that are checked before an interrupt is looked for.
const CHUNK: usize = 64;
/// More threads than anyone has processors for.
const MOST_THREADS: usize = 1024;

/// Runs programs on tasks, on all cores unless told otherwise.
///
/// Results depend neither on the number of threads nor on the clock; `timeout`, in seconds, only ends
/// a run early. Ctrl-C does too. `device` is `cpu`, `gpu`, `gpu:N` or `auto`, for `run`, for the library
/// stage of `solve`, and for generation 0 of `evolve`; results are the same.
#[pyclass(frozen, name = "Engine", module = "arcloom")]
pub(crate) struct PyEngine {
    engine: Arc<Engine>,
    /// What its registered functions did wrong.
    faults: Arc<Faults>,
    /// The process whose threads it has.
    process: u32,
}

impl PyEngine {
    /// Reads texts with its registered functions.
    pub(crate) fn enter(&self) -> arcloom::foreign::EnteredNames {
        self.engine.functions().enter()
    }

    /// Its registered functions.
    pub(crate) fn names(&self) -> ForeignNames {
        self.engine.functions().clone()
    }

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

fn seed_of(seed: i128) -> PyResult<u64> {
    u64::try_from(seed).map_err(|_| {
        PyValueError::new_err(format!("seed is {seed}: give a whole number from 0 to 2**64 - 1"))
    })
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (threads=0, call_budget=None, general=false, device="cpu"))]
    fn new(
        threads: i64,
        call_budget: Option<i64>,
        general: bool,
        device: &str,
    ) -> PyResult<PyEngine> {
        let threads = count("threads", threads)?;
        if threads > MOST_THREADS {
            let problem = format!("threads is {threads}: give at most {MOST_THREADS}");
            return Err(PyValueError::new_err(problem));
        }
        let device = device
            .parse()
            .map_err(|error: String| PyValueError::new_err(format!("device: {error}")))?;
        let mut builder = Engine::builder().threads(threads).general_form(general).device(device);
        if let Some(units) = call_budget {
            builder = builder.call_budget(some("call_budget", units)? as u64);
        }
        let made = Arc::new(builder.build().map_err(engine)?);
        Ok(PyEngine { engine: made, faults: Arc::default(), process: std::process::id() })
    }

    /// Number of worker threads.
    #[getter]
    fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// Every program on its own task, or on every task; demo and test pairs.
    #[pyo3(signature = (programs, tasks, all_tasks=false, progress=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        programs: &Bound<'py, PyAny>,
        tasks: &Bound<'py, PyAny>,
        all_tasks: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _names = self.enter();
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
        results::check(py, &report, &entries)
    }

    /// Many texts or programs, each on a task, judged by the demos: `jobs` are (program, task) pairs.
    ///
    /// A text may be what a language model answers: code is taken out of prose, fences and thinking, and
    /// every function is a program. Nothing of a text raises: what is wrong is in its row. With `timeout`, in
    /// seconds, texts that were not reached have no row and are counted in `unfinished`.
    #[pyo3(signature = (jobs, progress=None, timeout=None))]
    fn eval(
        &self,
        py: Python<'_>,
        jobs: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
        timeout: Option<f64>,
    ) -> PyResult<PyEvaluations> {
        let (jobs, views) = eval::jobs(jobs)?;
        let own = self.own()?;
        let (places, sources): (Vec<usize>, Vec<EvalSource>) =
            jobs.into_iter().map(|EvalJob { source, task }| (task, source)).unzip();
        let teller = Teller::new(progress)?;
        let stop = stop_after(timeout)?;
        let total = sources.len();
        let given: &[Arc<TaskView>] = &views;
        let all = &places;
        let (work, due) = (&stop, &stop);
        let rows = watched(
            py,
            due,
            |send| {
                let send = std::sync::Mutex::new(send.clone());
                let tasks = all.iter().map(|&at| &*given[at]);
                let jobs: Vec<(EvalSource, &TaskView)> = sources.into_iter().zip(tasks).collect();
                own.judge_all(&jobs, work, &|done| {
                    if let Ok(send) = send.lock() {
                        let _ = send.send(done);
                    }
                })
            },
            move |py, done| teller.tell(py, done, total),
        )?;
        PyEvaluations::new(py, own, views, places.into_iter().zip(rows).collect())
    }

    /// Merges programs into one graph in which equal work is done once.
    fn card(&self, py: Python<'_>, programs: &Bound<'_, PyAny>) -> PyResult<PyBatt> {
        let _names = self.enter();
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
    fn run<'py>(
        &self,
        py: Python<'py>,
        programs: &Bound<'py, PyAny>,
        tasks: &Bound<'py, PyAny>,
        differs: Option<&Bound<'py, PyAny>>,
        native_differs: bool,
        judged: i64,
        kept: i64,
        timeout: Option<f64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _names = self.enter();
        let (judged, kept) = (count("judged", judged)?, some("kept", kept)?);
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
            judges = judges.with_programs(&self::differs(differs)?);
        }
        let device = self.engine.device();
        let options = RunOptions { judged, kept, differs: judges, device, ..RunOptions::default() };
        let teller = Teller::new(progress)?;
        let stop = stop_after(timeout)?;
        let (engine, total) = (self.own()?, tasks.tasks.len());
        let primitives = foreign::FaultsSince::now(&self.faults);
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
        results::run(py, &report, primitives.faults())
    }

    /// Breeds programs for tasks, from a library. Iterate over it for progress, or ask for `result()`.
    ///
    /// `proposers` are functions, or `async def`, of one argument: an `Asked` with the task, the best programs
    /// so far, and what became of their own last texts. They give texts of programs, as a language model
    /// writes them. At most `at_once` of them are asked at the same time, on threads, and nobody waits for
    /// them but the last generation; with 0 they are asked in turn, and the run repeats if they do.
    /// `operators` are functions of (text, task) that give one text, several or None, and are asked in turn.
    /// Both are asked every `every` generations for a task and counted among the operators; what they raise
    /// is in `faults` and does not end the run, nor does what a registered function or the exchange raises.
    ///
    /// `exchange` reaches islands elsewhere every `migrate_every` generations: a folder that several
    /// processes see, or an object with `publish(bytes)` and `poll()`, which gives a list of bytes.
    #[pyo3(signature = (programs, tasks, archive=None, seed=0, generations=None, timeout=None,
        children=256, population=32, islands=1, migrate_every=10,
        polish=12, stop_when_solved=true, proposers=None, operators=None, every=1,
        shown=8, at_once=8, exchange=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn evolve<'py>(
        &self,
        py: Python<'py>,
        programs: &Bound<'py, PyAny>,
        tasks: &Bound<'py, PyAny>,
        archive: Option<PathBuf>,
        seed: i128,
        generations: Option<i64>,
        timeout: Option<f64>,
        children: i64,
        population: i64,
        islands: i64,
        migrate_every: i64,
        polish: i64,
        stop_when_solved: bool,
        proposers: Option<Vec<Bound<'py, PyAny>>>,
        operators: Option<Vec<Bound<'py, PyAny>>>,
        every: i64,
        shown: i64,
        at_once: i64,
        exchange: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _names = self.enter();
        let exchange = crate::evolve::exchange(exchange)?;
        let config = arcloom::evolve::EvolveConfig {
            seed: seed_of(seed)?,
            generations: generations
                .map(|n| count("generations", n))
                .transpose()?
                .map(|n| n as u64),
            children: count("children", children)?,
            population: some("population", population)?,
            islands: some("islands", islands)?,
            migrate_every: count("migrate_every", migrate_every)? as u64,
            polish: count("polish", polish)? as u64,
            stop_when_solved,
            ..arcloom::evolve::EvolveConfig::default()
        };
        let asking = arcloom::evolve::Asking {
            every: count("every", every)? as u64,
            shown: count("shown", shown)?,
            at_once: count("at_once", at_once)?,
        };
        let native = Evolution::start(Setup {
            engine: self.own()?.clone(),
            faults: self.faults.clone(),
            library: self::programs(programs)?,
            tasks: self::tasks(tasks)?,
            config,
            archive,
            stop: Arc::new(stop_after(timeout)?),
            helpers: crate::evolve::helpers(proposers, operators, asking, exchange)?,
        })?;
        py.import("arcloom.evolution")?.getattr("Evolution")?.call1((native,))
    }

    /// A program on one pair, step by step. Pairs count from 0, demos before tests.
    #[pyo3(signature = (program, task, pair=0))]
    fn trace(
        &self,
        program: &Bound<'_, PyAny>,
        task: &Bound<'_, PyAny>,
        pair: i64,
    ) -> PyResult<PyTrace> {
        let _names = self.enter();
        let entries = programs(program)?;
        let [entry] = entries.as_slice() else {
            let count = entries.len();
            let problem = format!("a trace is of one program, not of {count}: choose one");
            return Err(PyValueError::new_err(problem));
        };
        let task = crate::task::one(task)?;
        PyTrace::new(&self.engine, Arc::new(entry.clone()), task, count("pair", pair)?)
    }

    /// New pairs for a task by a program that fits its demos: inputs of the kind that the demos have, and
    /// what the program gives for them. Where few inputs are healthy there are fewer than `per_task`. Tests
    /// are not looked at.
    #[pyo3(signature = (program, task, per_task=100, seed=0))]
    fn augment(
        &self,
        py: Python<'_>,
        program: &Bound<'_, PyAny>,
        task: &Bound<'_, PyAny>,
        per_task: i64,
        seed: i128,
    ) -> PyResult<Vec<Py<crate::task::PyPair>>> {
        let _names = self.enter();
        let entries = programs(program)?;
        let [entry] = entries.as_slice() else {
            let count = entries.len();
            let problem = format!("pairs are made by one program, not by {count}: choose one");
            return Err(PyValueError::new_err(problem));
        };
        let task = crate::task::one(task)?;
        let (per_task, seed) = (some("per_task", per_task)?, seed_of(seed)?);
        let options = AugmentOptions { per_task, seed, ..AugmentOptions::default() };
        let (own, stop) = (self.own()?, Stop::default());
        let made = watched(
            py,
            &stop,
            |_: &std::sync::mpsc::Sender<()>| {
                let _names = own.functions().enter();
                own.augment(entry, &task, &options, &stop)
            },
            |_, ()| Ok(()),
        )?;
        let pairs = made.map_err(engine)?.pairs;
        let pair =
            |made: &NewPair| crate::task::make_pair(py, &made.pair.input, Some(&made.pair.output));
        pairs.iter().map(pair).collect()
    }

    /// Looks for programs that solve tasks nobody wrote one for: those of `programs` are tried, new ones
    /// searched for with about `budget` processor seconds per task. Gives a dictionary of `Solution` by task
    /// id: `fits` of its `demos` by the best, two `attempts` for each test, and the `programs` behind them,
    /// best first.
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
        let _names = self.enter();
        let budget = seconds("budget", budget)?;
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
        results::solutions(py, &report)
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
        let run = if source.is_instance(&results::class(py, "Run")?)? {
            source.clone()
        } else {
            let words = PyDict::new(py);
            words.set_item("timeout", timeout)?;
            words.set_item("progress", progress)?;
            let of = PyEngine { engine: self.own()?.clone(), faults: self.faults.clone(), ..*self };
            Bound::new(py, of)?.call_method("run", (source, tasks), Some(&words))?
        };
        let attempts = PyDict::new(py);
        let set = self::tasks(tasks)?;
        for one in run.getattr("tasks")?.try_iter()? {
            let one = one?;
            let id: String = one.getattr("task")?.extract()?;
            if set.get(&id).is_some() {
                attempts.set_item(id, one.getattr("attempts")?)?;
            }
        }
        let path = path.unwrap_or_else(|| "submission.json".into());
        write_submission(tasks, &attempts, path)?;
        run.getattr("fits")?.extract()
    }

    /// Makes a Python function callable from the programs of this engine under its name, or another. It must
    /// give the same for the same arguments. Such calls are slow: each takes the interpreter's lock. May be
    /// used as a decorator.
    #[pyo3(signature = (function, name=None))]
    fn register<'py>(
        &self,
        function: Bound<'py, PyAny>,
        name: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !function.is_callable() {
            return Err(PyTypeError::new_err("what is registered is a function"));
        }
        let name = name.unwrap_or_else(|| foreign::name(&function));
        let primitive = foreign::primitive(&function, &name, &self.faults);
        self.engine.functions().register(primitive).map_err(PyValueError::new_err)?;
        Ok(function)
    }

    /// Forgets a registered function; programs that were read before keep it.
    fn unregister(&self, name: &str) -> bool {
        self.engine.functions().remove(name)
    }

    /// A program of a text that may call functions registered with this engine.
    #[pyo3(signature = (text, task=None))]
    fn program(&self, py: Python<'_>, text: &str, task: Option<String>) -> PyResult<PyProgram> {
        let _names = self.enter();
        PyProgram::read(py, text, task)
    }

    /// Programs, as everywhere else, that may call functions registered with this engine.
    fn library(&self, programs: &Bound<'_, PyAny>) -> PyResult<PyLibrary> {
        let _names = self.enter();
        PyLibrary::of(programs)
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
    let submission = crate::data::given(attempts, &tasks)?;
    let written = arcloom::corpus::write_whole(&path, submission.to_json().as_bytes());
    written.map_err(|error| engine(format!("cannot write {}: {error}", path.display())))
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
        let names = ForeignNames::default();
        names.register(foreign::named(&item, &inner)).map_err(PyValueError::new_err)?;
        let _entered = names.enter();
        let text = format!("def differ_{name}(S, I, C):\n    return {inner}(S, I, C)\n");
        let library = Library::from_text("differ", &text);
        all.extend(library.programs);
    }
    Ok(all)
}
