//! Primitives and closures as Python callables.
//!
//! The registry is the list: nothing is declared here a second time. A primitive is one object for the
//! life of the module, so that `is` and pickling work; a closure is wrapped when it leaves a call.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use arcloom::{Caller, Closure, Outcome, PrimId, Registry, Role, Ty, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PySet, PyTuple};
use smallvec::SmallVec;

use crate::convert::{to_bool, to_object, to_value};
use crate::fault::to_exception;
use crate::foreign::Callable;
use crate::rows::{self, OnRows};

/// Units of work one call from Python may spend: some seconds.
const BUDGET: u64 = 200_000_000;

thread_local! {
    /// Callers that are not in use. More than one where Python code is called that calls back.
    static CALLERS: RefCell<Vec<Caller>> = const { RefCell::new(Vec::new()) };
}

/// All primitives, by id.
static PRIMITIVES: PyOnceLock<Vec<Py<Primitive>>> = PyOnceLock::new();

// No documentation of the class, which would hide that of each function.
#[pyclass(frozen, module = "arcloom")]
pub(crate) struct Primitive {
    id: PrimId,
    /// What the result is, as far as Python tells it apart.
    result: DataKind,
    /// The argument whose type the result has: a list or set where that is one.
    keeps: Option<u8>,
    /// How it is done on tuples, where that is faster than converting them.
    on_rows: Option<OnRows>,
}

/// Functions of arc-dsl that build their result with the type of an argument, and which one.
const KEEP: &[(&str, u8)] = &[
    ("apply", 1),
    ("combine", 0),
    ("difference", 0),
    ("insert", 1),
    ("intersection", 0),
    ("mapply", 1),
    ("merge", 0),
    ("mfilter", 0),
    ("rapply", 0),
    ("remove", 1),
    ("sfilter", 0),
];

/// What Python tells apart and values do not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DataKind {
    /// True or false.
    Truth,
    /// Whatever an argument was.
    Same,
    Other,
}

#[pymethods]
impl Primitive {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let prim = Registry::get().primitive(self.id);
        let ordered;
        let args = match kwargs {
            Some(kwargs) if !kwargs.is_empty() => {
                ordered = in_order(prim.name, prim.params, args, kwargs)?;
                &ordered
            }
            _ => args,
        };
        if args.len() != prim.arity() {
            return Err(PyTypeError::new_err(format!(
                "{}() takes {} positional arguments but {} were given",
                prim.name,
                prim.arity(),
                args.len()
            )));
        }
        let py = args.py();
        if let Some(on_rows) = self.on_rows
            && let Some(rows) = on_rows(args)?
        {
            return Ok(rows.into_any());
        }
        let values = values(args)?;
        let refs: SmallVec<[&Value; 4]> = values.iter().collect();
        let outcome = with_caller(|caller| caller.call_prim(self.id, &refs));
        let value = outcome.map_err(|error| to_exception(error, Some(self.id), &values))?;
        if let Some(n) = self.keeps {
            let kept = args.get_borrowed_item(usize::from(n))?;
            if kept.is_instance_of::<PyList>() {
                let items = to_object(py, &value)?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
                return items.into_pyobject(py);
            }
            if kept.is_instance_of::<PySet>() {
                let items = to_object(py, &value)?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
                return Ok(PySet::new(py, items)?.into_any());
            }
        }
        match (self.result, &value) {
            (DataKind::Truth, _) => Ok(to_bool(py, &value)),
            // What arc-dsl hands back is the argument itself, which may be a list or set.
            (DataKind::Same, value) if !matches!(value, Value::Int(_)) => {
                let chosen = match (prim.name, args.len()) {
                    ("identity", 1) => Some(0),
                    ("branch", 3) => Some(if values[0].is_true() { 1 } else { 2 }),
                    _ => None,
                };
                chosen.map_or_else(|| to_object(py, value), |n| args.get_item(n))
            }
            (DataKind::Same, Value::Int(n @ (0 | 1))) => {
                let same = |arg: &Bound<'_, PyAny>| {
                    arg.cast::<PyBool>().is_ok_and(|truth| i64::from(truth.is_true()) == *n)
                };
                let truth = args.iter().find(same);
                truth.map_or_else(|| to_object(py, &value), Ok)
            }
            _ => to_object(py, &value),
        }
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        Registry::get().primitive(self.id).name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.__name__()
    }

    #[getter]
    fn __doc__(&self) -> String {
        let prim = Registry::get().primitive(self.id);
        format!("{}({})\n\n{}", prim.name, prim.params.join(", "), prim.doc)
    }

    /// The signature in the language's own types.
    #[getter]
    fn sig(&self) -> &'static str {
        Registry::get().primitive(self.id).sig
    }

    /// Names of the parameters.
    #[getter]
    fn params(&self) -> Vec<&'static str> {
        Registry::get().primitive(self.id).params.to_vec()
    }

    /// True when arc-dsl has no such function.
    #[getter]
    fn extra(&self) -> bool {
        Registry::get().primitive(self.id).extra
    }

    #[getter]
    fn __code__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        code(py, self.params().len())
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let parameter = inspect.getattr("Parameter")?;
        let kind = parameter.getattr("POSITIONAL_OR_KEYWORD")?;
        let params: PyResult<Vec<_>> =
            self.params().into_iter().map(|name| parameter.call1((name, &kind))).collect();
        inspect.getattr("Signature")?.call1((params?,))
    }

    fn __repr__(&self) -> String {
        format!("<arcloom function {}>", self.__name__())
    }

    /// Primitives are pickled by name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("arcloom._native")?.getattr("primitive")?, (self.__name__(),)))
    }
}

/// A function that another one built.
#[pyclass(frozen, module = "arcloom")]
pub(crate) struct Function(Value);

#[pymethods]
impl Function {
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let values = values(args)?;
        let refs: SmallVec<[&Value; 4]> = values.iter().collect();
        let outcome = with_caller(|caller| caller.call(&self.0, &refs));
        let value = outcome.map_err(|error| to_exception(error, None, &values))?;
        if is_truth(&self.0) {
            Ok(to_bool(args.py(), &value))
        } else {
            to_object(args.py(), &value)
        }
    }

    #[getter]
    fn __name__(&self) -> String {
        self.text()
    }

    #[getter]
    fn __code__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        code(py, Caller::default().arity(&self.0).map_or(1, usize::from))
    }

    fn __repr__(&self) -> String {
        format!("<arcloom function {}>", self.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Function>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

impl Function {
    fn text(&self) -> String {
        self.0.show(&|id| Registry::get().primitive(id).name).to_string()
    }
}

/// Registers the primitives and what finds them.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let registry = Registry::get();
    let made: PyResult<Vec<Py<Primitive>>> = registry
        .all()
        .map(|(id, prim)| {
            let result = match (&registry.sig(id).ret, prim.name) {
                (_, "identity" | "branch" | "both" | "either") => DataKind::Same,
                (Ty::Int(Role::Bool), _) => DataKind::Truth,
                _ => DataKind::Other,
            };
            let keeps = KEEP.iter().find(|(name, _)| *name == prim.name).map(|(_, n)| *n);
            Py::new(py, Primitive { id, result, keeps, on_rows: rows::find(prim.name) })
        })
        .collect();
    let _ = PRIMITIVES.set(py, made?);
    let table = PyDict::new(py);
    for (id, prim) in registry.all() {
        table.set_item(prim.name, object_of(py, &Value::Prim(id))?)?;
    }
    module.add("PRIMITIVES", table)?;
    let aliases = PyDict::new(py);
    for alias in arcloom::ALIASES {
        if let Some(id) = registry.find(alias.target) {
            aliases.set_item(alias.name, object_of(py, &Value::Prim(id))?)?;
        }
    }
    module.add("ALIASES", aliases)?;
    for (name, extra) in [("CONSTANTS", false), ("EXTRA_CONSTANTS", true)] {
        let constants = PyDict::new(py);
        for constant in arcloom::CONSTANTS.iter().filter(|c| c.extra == extra) {
            let value = constant.value();
            let object = match constant.ty {
                Ty::Int(Role::Bool) => to_bool(py, &value),
                _ => to_object(py, &value)?,
            };
            constants.set_item(constant.name, object)?;
        }
        module.add(name, constants)?;
    }
    Ok(())
}

/// The value of an object that is a function of ours.
pub(crate) fn value_of(object: &Bound<'_, PyAny>) -> Option<Value> {
    if let Ok(primitive) = object.cast::<Primitive>() {
        return Some(Value::Prim(primitive.get().id));
    }
    object.cast::<Function>().ok().map(|function| function.get().0.clone())
}

/// The callable for a function value.
pub(crate) fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Prim(id) => {
            let known = PRIMITIVES.get(py).and_then(|all| all.get(usize::from(id.0)));
            let known = known.ok_or_else(|| PyTypeError::new_err("no such primitive"))?;
            Ok(known.bind(py).clone().into_any())
        }
        Value::Closure(function) => {
            if let Closure::Foreign(foreign) = function.closure()
                && let Some(callable) = foreign.as_any().downcast_ref::<Callable>()
            {
                return Ok(callable.object(py));
            }
            Ok(Bound::new(py, Function(value.clone()))?.into_any())
        }
        _ => to_object(py, value),
    }
}

/// True for functions whose results are true or false in Python too.
fn is_truth(function: &Value) -> bool {
    match function {
        Value::Prim(id) => {
            let own = Registry::get().primitive(*id).name;
            Registry::get().sig(*id).ret == Ty::BOOL && !matches!(own, "both" | "either")
        }
        Value::Closure(function) => match function.closure() {
            Closure::Matcher(..) => true,
            Closure::Compose(outer, _)
            | Closure::Chain(outer, ..)
            | Closure::Fork(outer, ..)
            | Closure::RBind(outer, ..)
            | Closure::LBind(outer, ..)
            | Closure::Power(outer, _) => is_truth(outer),
            Closure::Lambda(..) | Closure::Foreign(_) => false,
        },
        _ => false,
    }
}

fn values(args: &Bound<'_, PyTuple>) -> PyResult<SmallVec<[Value; 4]>> {
    args.iter().map(|arg| to_value(&arg)).collect()
}

/// Calls with a fresh budget.
fn with_caller(call: impl FnOnce(&mut Caller) -> Outcome) -> Outcome {
    let mut caller = CALLERS.with_borrow_mut(Vec::pop).unwrap_or_else(|| Caller::new(BUDGET));
    caller.reset();
    let outcome = call(&mut caller);
    CALLERS.with_borrow_mut(|free| free.push(caller));
    outcome
}

/// Arguments by place and by keyword, in the order of the parameters.
fn in_order<'py>(
    name: &str,
    params: &[&str],
    args: &Bound<'py, PyTuple>,
    kwargs: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut places: Vec<Option<Bound<'py, PyAny>>> = args.iter().map(Some).collect();
    places.resize(params.len().max(places.len()), None);
    for (key, value) in kwargs {
        let key: String = key.extract()?;
        let Some(at) = params.iter().position(|param| *param == key) else {
            return Err(PyTypeError::new_err(format!(
                "{name}() got an unexpected keyword argument '{key}'"
            )));
        };
        if places[at].replace(value).is_some() {
            return Err(PyTypeError::new_err(format!(
                "{name}() got multiple values for argument '{key}'"
            )));
        }
    }
    if let Some(missing) = places.iter().position(Option::is_none) {
        return Err(PyTypeError::new_err(format!(
            "{name}() missing 1 required positional argument: '{}'",
            params[missing]
        )));
    }
    let places: Vec<_> = places.into_iter().flatten().collect();
    PyTuple::new(args.py(), places)
}

/// What arc-dsl's own `rbind` and `lbind` look at.
fn code(py: Python<'_>, count: usize) -> PyResult<Bound<'_, PyAny>> {
    let kwargs = PyDict::new(py);
    kwargs.set_item("co_argcount", count)?;
    py.import("types")?.getattr("SimpleNamespace")?.call((), Some(&kwargs))
}
