//! Values to and from Python objects.
//!
//! Tuples, frozensets, integers and `None` are themselves on both sides; functions are wrapped. Python
//! code hands the same few objects from call to call, so what an object means is remembered for a
//! while: converting is then a look at a short list instead of a walk over every cell.

use std::cell::RefCell;

use arcloom::{Grid, Value};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFrozenSet, PyInt, PyList, PyNone, PySet, PyTuple};

use crate::{dsl, foreign};

/// How many objects are remembered.
const REMEMBERED: usize = 48;
/// Containers with fewer elements are converted faster than they are found.
const WORTH: usize = 4;
/// Rows, columns and colours whose tuples are made once.
const SIDE: i32 = 32;
const COLORS: i32 = 10;
/// How deep containers may nest.
const MAX_DEPTH: usize = 200;

thread_local! {
    static RECENT: RefCell<Recent> = const { RefCell::new(Recent { seen: Vec::new(), next: 0 }) };
    static SPOTS: RefCell<Spots> =
        const { RefCell::new(Spots { ints: Vec::new(), places: Vec::new(), cells: Vec::new() }) };
}

/// Objects that were converted lately. They are kept alive, so their addresses stay their own.
struct Recent {
    seen: Vec<(Py<PyAny>, Value)>,
    next: usize,
}

impl Recent {
    fn find(object: &Bound<'_, PyAny>) -> Option<Value> {
        let at = object.as_ptr();
        RECENT.with_borrow(|recent| {
            let found = recent.seen.iter().find(|(known, _)| known.as_ptr() == at);
            found.map(|(_, value)| value.clone())
        })
    }

    /// The object that a grid or patch was converted to, or came from.
    fn object<'py>(py: Python<'py>, value: &Value) -> Option<Bound<'py, PyAny>> {
        let same = |known: &Value| match (known, value) {
            (Value::Grid(a), Value::Grid(b)) => a.same_block(b),
            (Value::Patch(a), Value::Patch(b)) => a.same_block(b),
            _ => false,
        };
        RECENT.with_borrow(|recent| {
            let found = recent.seen.iter().find(|(_, known)| same(known));
            found.map(|(object, _)| object.bind(py).clone())
        })
    }

    fn add(object: &Bound<'_, PyAny>, value: &Value) {
        let entry = (object.clone().unbind(), value.clone());
        // What is replaced is dropped outside: dropping may run Python code that comes back here.
        let _old = RECENT.with_borrow_mut(|recent| {
            if recent.seen.len() < REMEMBERED {
                recent.seen.push(entry);
                return None;
            }
            let place = recent.next % REMEMBERED;
            recent.next += 1;
            Some(std::mem::replace(&mut recent.seen[place], entry))
        });
    }
}

/// Integers, and tuples of positions and cells near the origin, made when first needed.
#[derive(Default)]
struct Spots {
    ints: Vec<Py<PyAny>>,
    places: Vec<Option<Py<PyTuple>>>,
    cells: Vec<Option<Py<PyTuple>>>,
}

impl Spots {
    /// Works with the tuples. They are taken out meanwhile: making objects can set the garbage
    /// collector off, and that can run any Python code.
    fn with<R>(work: impl FnOnce(&mut Spots) -> PyResult<R>) -> PyResult<R> {
        let mut spots = SPOTS.take();
        let result = work(&mut spots);
        SPOTS.set(spots);
        result
    }

    fn int<'py>(&mut self, py: Python<'py>, n: i8) -> PyResult<Bound<'py, PyAny>> {
        if self.ints.is_empty() {
            for n in i8::MIN..=i8::MAX {
                self.ints.push(n.into_pyobject(py)?.into_any().unbind());
            }
        }
        let at = (i16::from(n) - i16::from(i8::MIN)) as usize;
        Ok(self.ints[at].bind(py).clone())
    }

    fn place<'py>(&mut self, py: Python<'py>, i: i32, j: i32) -> PyResult<Bound<'py, PyTuple>> {
        if !(0..SIDE).contains(&i) || !(0..SIDE).contains(&j) {
            return PyTuple::new(py, [i, j]);
        }
        if self.places.is_empty() {
            self.places.resize_with((SIDE * SIDE) as usize, || None);
        }
        let known = &mut self.places[(i * SIDE + j) as usize];
        if let Some(known) = known {
            return Ok(known.bind(py).clone());
        }
        let made = PyTuple::new(py, [i, j])?;
        *known = Some(made.clone().unbind());
        Ok(made)
    }

    fn cell<'py>(
        &mut self,
        py: Python<'py>,
        color: i32,
        i: i32,
        j: i32,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let near = (0..COLORS).contains(&color) && (0..SIDE).contains(&i) && (0..SIDE).contains(&j);
        let at = if near { ((color * SIDE + i) * SIDE + j) as usize } else { 0 };
        if near && self.cells.is_empty() {
            self.cells.resize_with((COLORS * SIDE * SIDE) as usize, || None);
        }
        if near && let Some(known) = &self.cells[at] {
            return Ok(known.bind(py).clone());
        }
        let place = self.place(py, i, j)?.into_any();
        let made = PyTuple::new(py, [color.into_pyobject(py)?.into_any(), place])?;
        if near {
            self.cells[at] = Some(made.clone().unbind());
        }
        Ok(made)
    }
}

/// The value that an object stands for.
pub(crate) fn to_value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    convert(object, 0, &mut true)
}

/// Converts; `fixed` becomes false where the object, or something in it, can change.
fn convert(object: &Bound<'_, PyAny>, depth: usize, fixed: &mut bool) -> PyResult<Value> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let worth = tuple.len() >= WORTH || depth == 0;
        if worth && let Some(value) = Recent::find(object) {
            return Ok(value);
        }
        if let Some(grid) = grid_of(tuple) {
            let value = Value::Grid(grid);
            Recent::add(object, &value);
            return Ok(value);
        }
        let mut own = true;
        let value = Value::tuple(all(tuple.iter(), tuple.len(), depth, &mut own)?);
        if own && worth && tuple.len() >= WORTH {
            Recent::add(object, &value);
        }
        *fixed &= own;
        return Ok(value);
    }
    if let Ok(int) = object.cast::<PyInt>() {
        return match int.extract::<i64>() {
            Ok(n) => Ok(Value::Int(n)),
            Err(_) => Err(PyOverflowError::new_err("integer overflow: values are 64-bit integers")),
        };
    }
    if let Ok(set) = object.cast::<PyFrozenSet>() {
        let worth = set.len() >= WORTH;
        if worth && let Some(value) = Recent::find(object) {
            return Ok(value);
        }
        let mut own = true;
        let value = set_of(set.iter(), set.len(), depth, &mut own)?;
        if own && worth {
            Recent::add(object, &value);
        }
        *fixed &= own;
        return Ok(value);
    }
    if object.is_none() {
        return Ok(Value::None);
    }
    if let Some(value) = dsl::value_of(object) {
        return Ok(value);
    }
    *fixed = false;
    if let Ok(list) = object.cast::<PyList>() {
        return Ok(Value::tuple(all(list.iter(), list.len(), depth, fixed)?));
    }
    if let Ok(set) = object.cast::<PySet>() {
        return set_of(set.iter(), set.len(), depth, fixed);
    }
    if let Ok(grid) = object.cast::<crate::grid::PyGrid>() {
        return Ok(Value::Grid(grid.get().0.clone()));
    }
    if object.is_callable() {
        return Ok(foreign::wrap(object));
    }
    // Arrays and their scalars.
    if let Ok(tolist) = object.getattr("tolist") {
        return convert(&tolist.call0()?, depth + 1, fixed);
    }
    if let Ok(n) = object.extract::<i64>() {
        return Ok(Value::Int(n));
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "values are integers, booleans, None, tuples, frozensets and functions; got {kind}"
    )))
}

fn all<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    len: usize,
    depth: usize,
    fixed: &mut bool,
) -> PyResult<Vec<Value>> {
    if depth > MAX_DEPTH {
        return Err(PyTypeError::new_err("nested too deeply"));
    }
    let mut values = Vec::with_capacity(len);
    for item in items {
        values.push(convert(&item, depth + 1, fixed)?);
    }
    Ok(values)
}

/// The grid that a tuple of equally long tuples of small integers is.
fn grid_of(rows: &Bound<'_, PyTuple>) -> Option<Grid> {
    let height = rows.len();
    let first = rows.get_item(0).ok()?;
    let width = first.cast::<PyTuple>().ok()?.len();
    if width == 0 {
        return None;
    }
    let mut cells: Vec<i8> = Vec::with_capacity(height * width);
    for row in rows.iter() {
        let row = row.cast::<PyTuple>().ok()?;
        if row.len() != width {
            return None;
        }
        for cell in row.iter() {
            cells.push(cell.cast::<PyInt>().ok()?.extract::<i8>().ok()?);
        }
    }
    Grid::new(height, width, &cells)
}

/// The set of these elements; positions and cells, which most sets hold, go straight into place.
fn set_of<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    len: usize,
    depth: usize,
    fixed: &mut bool,
) -> PyResult<Value> {
    let mut cells: Vec<(i64, i64, i64)> = Vec::new();
    let mut places: Vec<(i64, i64)> = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    if depth > MAX_DEPTH {
        return Err(PyTypeError::new_err("nested too deeply"));
    }
    for item in items {
        match spot(&item) {
            Some(Spot::Cell(c, i, j)) => cells.push((c, i, j)),
            Some(Spot::Place(i, j)) => places.push((i, j)),
            None => others.push(convert(&item, depth + 1, fixed)?),
        }
    }
    Ok(match (cells.is_empty(), places.is_empty(), others.is_empty()) {
        (false, true, true) => Value::object(&cells),
        (true, false, true) => Value::indices(&places),
        _ => {
            others.reserve(len);
            others.extend(cells.iter().map(|&(c, i, j)| Value::cell(c, i, j)));
            others.extend(places.iter().map(|&(i, j)| Value::pair(i, j)));
            Value::set(others)
        }
    })
}

enum Spot {
    Place(i64, i64),
    Cell(i64, i64, i64),
}

fn spot(item: &Bound<'_, PyAny>) -> Option<Spot> {
    let two = |tuple: &Bound<'_, PyTuple>| -> Option<(i64, i64)> {
        let int = |n: usize| {
            let item = tuple.get_borrowed_item(n).ok()?;
            item.cast::<PyInt>().ok()?.extract::<i64>().ok()
        };
        (tuple.len() == 2).then_some(())?;
        Some((int(0)?, int(1)?))
    };
    let tuple = item.cast::<PyTuple>().ok()?;
    if tuple.len() != 2 {
        return None;
    }
    if let Some((i, j)) = two(tuple) {
        return Some(Spot::Place(i, j));
    }
    let first = tuple.get_borrowed_item(0).ok()?;
    let color = first.cast::<PyInt>().ok()?.extract::<i64>().ok()?;
    let (i, j) = two(&tuple.get_item(1).ok()?.cast_into::<PyTuple>().ok()?)?;
    Some(Spot::Cell(color, i, j))
}

/// The object that stands for a value.
pub(crate) fn to_object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::None => return Ok(PyNone::get(py).to_owned().into_any()),
        Value::Int(n) => return Ok(n.into_pyobject(py)?.into_any()),
        Value::Prim(_) | Value::Closure(_) => return dsl::object_of(py, value),
        _ => {}
    }
    if let Some(object) = Recent::object(py, value) {
        return Ok(object);
    }
    let object = Spots::with(|spots| build(py, value, spots))?;
    if value.len().is_some_and(|len| len >= WORTH) || matches!(value, Value::Grid(_)) {
        Recent::add(&object, value);
    }
    Ok(object)
}

fn build<'py>(py: Python<'py>, value: &Value, spots: &mut Spots) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::None | Value::Int(_) | Value::Prim(_) | Value::Closure(_) => {
            return to_object(py, value);
        }
        &Value::Pair(i, j) => spots.place(py, i, j)?.into_any(),
        &Value::Cell(c, i, j) => spots.cell(py, c.into(), i, j)?.into_any(),
        Value::Grid(grid) => {
            let mut rows = Vec::with_capacity(grid.height());
            for row in grid.rows() {
                let mut cells = Vec::with_capacity(row.len());
                for &cell in row {
                    cells.push(spots.int(py, cell)?);
                }
                rows.push(PyTuple::new(py, cells)?);
            }
            PyTuple::new(py, rows)?.into_any()
        }
        Value::Patch(patch) => {
            let mut items = Vec::with_capacity(patch.len());
            if patch.is_object() {
                for (c, i, j) in patch.cells() {
                    items.push(spots.cell(py, c.into(), i, j)?);
                }
            } else {
                for (i, j) in patch.positions() {
                    items.push(spots.place(py, i, j)?);
                }
            }
            PyFrozenSet::new(py, items)?.into_any()
        }
        Value::Tuple(seq) => PyTuple::new(py, objects(py, seq.items(), spots)?)?.into_any(),
        Value::Set(seq) => PyFrozenSet::new(py, objects(py, seq.items(), spots)?)?.into_any(),
    })
}

fn objects<'py>(
    py: Python<'py>,
    items: &[Value],
    spots: &mut Spots,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    items.iter().map(|item| build(py, item, spots)).collect()
}

/// The truth of a value as Python's own.
pub(crate) fn to_bool<'py>(py: Python<'py>, value: &Value) -> Bound<'py, PyAny> {
    PyBool::new(py, value.is_true()).to_owned().into_any()
}
