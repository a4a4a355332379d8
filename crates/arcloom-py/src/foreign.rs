//! Python callables as functions of programs.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::{Closure, Foreign, ForeignFn, Value};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{to_object, to_value};

thread_local! {
    /// The exception that made the last foreign call of this thread fail.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// How often the registered functions of an engine failed, and why the first time.
#[derive(Default)]
pub(crate) struct Faults(Mutex<BTreeMap<&'static str, (u64, String)>>);

impl Faults {
    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<&'static str, (u64, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A Python callable.
pub(crate) struct Callable {
    object: Py<PyAny>,
    name: &'static str,
    arity: u8,
    /// Where the failures of a registered function are counted.
    faults: Option<Arc<Faults>>,
}

impl ForeignFn for Callable {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arity(&self) -> u8 {
        self.arity
    }

    fn identity(&self) -> u64 {
        self.object.as_ptr().addr() as u64
    }

    fn call(&self, args: &[&Value]) -> Result<Value, String> {
        Python::attach(|py| {
            let called = || -> PyResult<Value> {
                let args: PyResult<Vec<_>> = args.iter().map(|arg| to_object(py, arg)).collect();
                to_value(&self.object.bind(py).call1(PyTuple::new(py, args?)?)?)
            };
            called().map_err(|error| {
                let reason = describe(py, self.name, &self.object, &error);
                if let Some(faults) = &self.faults {
                    faults.all().entry(self.name).or_insert_with(|| (0, reason.clone())).0 += 1;
                }
                RAISED.with_borrow_mut(|raised| *raised = Some(error));
                reason
            })
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Callable {
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.object.bind(py).clone()
    }

    fn new(object: &Bound<'_, PyAny>, name: &str, faults: Option<Arc<Faults>>) -> Callable {
        let arity = arity(object);
        Callable { object: object.clone().unbind(), name: intern(name), arity, faults }
    }
}

/// What registered functions of an engine did wrong while something went on. Work that goes on at the same
/// time on the same engine is not told apart.
pub(crate) struct FaultsSince {
    faults: Arc<Faults>,
    before: BTreeMap<&'static str, u64>,
    after: Mutex<Option<Vec<Fault>>>,
}

/// Name, times, and why the first time.
pub(crate) type Fault = (String, u64, String);

impl FaultsSince {
    pub(crate) fn now(faults: &Arc<Faults>) -> FaultsSince {
        let before = faults.all().iter().map(|(&name, (times, _))| (name, *times)).collect();
        FaultsSince { faults: Arc::clone(faults), before, after: Mutex::new(None) }
    }

    /// What comes after this does not count.
    pub(crate) fn end(&self) {
        let faults = self.faults();
        self.after.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(faults);
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        if let Some(faults) = &*self.after.lock().unwrap_or_else(PoisonError::into_inner) {
            return faults.clone();
        }
        let faults = self.faults.all();
        let new = |(name, (times, reason)): (&&'static str, &(u64, String))| {
            let new = times.saturating_sub(self.before.get(name).copied().unwrap_or(0));
            (new > 0).then(|| (name.to_string(), new, reason.clone()))
        };
        faults.iter().filter_map(new).collect()
    }
}

/// The callable as a value.
pub(crate) fn wrap(object: &Bound<'_, PyAny>) -> Value {
    Value::closure(Closure::Foreign(named(object, &name(object))))
}

/// The callable under this name.
pub(crate) fn named(object: &Bound<'_, PyAny>, name: &str) -> Foreign {
    Foreign::new(Callable::new(object, name, None))
}

/// The callable as a primitive of this name. An earlier one's failures are forgotten.
pub(crate) fn primitive(object: &Bound<'_, PyAny>, name: &str, faults: &Arc<Faults>) -> Foreign {
    faults.all().remove(name);
    Foreign::new(Callable::new(object, name, Some(Arc::clone(faults))))
}

/// What a callable calls itself.
pub(crate) fn name(object: &Bound<'_, PyAny>) -> String {
    let own = object.getattr("__name__").and_then(|name| name.extract::<String>());
    own.unwrap_or_else(|_| "callable".to_string())
}

/// The exception that the last foreign call raised, once.
pub(crate) fn raised() -> Option<PyErr> {
    RAISED.with_borrow_mut(Option::take)
}

/// `name: file.py:12: ZeroDivisionError: division by zero`. The line is the innermost one of the file
/// that the function is in: what it calls elsewhere may be anybody's. Where none of its lines ran, as
/// when it takes other arguments or gave what is no value, it is the line that defines it.
pub(crate) fn describe(py: Python<'_>, name: &str, function: &Py<PyAny>, error: &PyErr) -> String {
    let mut place: Option<(String, usize)> = None;
    let mut frame = error.traceback(py).map(|traceback| traceback.into_any());
    while let Some(current) = frame {
        let line = current.getattr("tb_lineno").and_then(|line| line.extract::<usize>());
        let file = current
            .getattr("tb_frame")
            .and_then(|frame| frame.getattr("f_code")?.getattr("co_filename")?.extract::<String>());
        if let (Ok(line), Ok(file)) = (line, file)
            && place.as_ref().is_none_or(|(own, _)| *own == file)
        {
            place = Some((file, line));
        }
        frame = current.getattr("tb_next").ok().filter(|next| !next.is_none());
    }
    let defined = || {
        let code = function.bind(py).getattr("__code__").ok()?;
        let file = code.getattr("co_filename").ok()?.extract().ok()?;
        Some((file, code.getattr("co_firstlineno").ok()?.extract().ok()?))
    };
    let place = place.or_else(defined);
    let place = place.map_or_else(String::new, |(file, line)| format!("{file}:{line}: "));
    let kind = error.get_type(py).name().map_or_else(|_| String::new(), |name| name.to_string());
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    let text = text.lines().next().unwrap_or_default().to_string();
    let colon = if text.is_empty() { "" } else { ": " };
    format!("{name}: {place}{kind}{colon}{text}")
}

/// Number of arguments, as arc-dsl's `rbind` and `lbind` look at it.
fn arity(object: &Bound<'_, PyAny>) -> u8 {
    let code = object.getattr("__code__").and_then(|code| code.getattr("co_argcount"));
    let count = code.and_then(|count| count.extract::<u8>()).unwrap_or(1);
    // A bound method has its first argument already.
    let bound = object.getattr("__self__").is_ok_and(|own| !own.is_none());
    count.saturating_sub(u8::from(bound)).max(1)
}

/// Names live as long as the process: there are as many as there are functions in someone's source.
pub(crate) fn intern(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let name: &'static str = Box::leak(name.to_string().into_boxed_str());
            names.insert(name);
            name
        }
    }
}
