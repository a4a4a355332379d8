//! What only moves rows and cells about, done on Python's tuples: nothing is converted on the way.
//!
//! Converting a small grid costs more than CPython takes to mirror it, so functions of arc-dsl that are one
//! slice or join of tuples are done here as arc-dsl does them. Whatever is no grid of tuples goes the usual way.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Done on tuples; `None` where the arguments are not grids of tuples.
pub(crate) type OnRows = for<'py> fn(&Bound<'py, PyTuple>) -> PyResult<Option<Bound<'py, PyTuple>>>;

/// The functions, by name.
const ALL: &[(&str, OnRows)] = &[
    ("hmirror", |args| on_one(args, |py, rows| PyTuple::new(py, rows.into_iter().rev()))),
    ("vmirror", |args| {
        on_one(args, |py, rows| of_rows(py, rows.iter().map(|row| reversed(py, row))))
    }),
    ("rot180", |args| {
        on_one(args, |py, rows| of_rows(py, rows.iter().rev().map(|row| reversed(py, row))))
    }),
    ("dmirror", |args| on_one(args, |py, rows| columns(py, &rows, false))),
    ("rot90", |args| {
        on_one(args, |py, mut rows| {
            rows.reverse();
            columns(py, &rows, false)
        })
    }),
    ("rot270", |args| on_one(args, |py, rows| columns(py, &rows, true))),
    ("tophalf", |args| {
        on_one(args, |py, rows| {
            let half = rows.len() / 2;
            PyTuple::new(py, rows.into_iter().take(half).collect::<Vec<_>>())
        })
    }),
    ("bottomhalf", |args| {
        on_one(args, |py, rows| {
            let half = rows.len().div_ceil(2);
            PyTuple::new(py, rows.into_iter().skip(half).collect::<Vec<_>>())
        })
    }),
    ("vconcat", |args| {
        on_two(args, |py, a, b| PyTuple::new(py, a.into_iter().chain(b).collect::<Vec<_>>()))
    }),
    ("hconcat", |args| {
        on_two(args, |py, a, b| {
            of_rows(
                py,
                a.iter()
                    .zip(&b)
                    .map(|(a, b)| PyTuple::new(py, a.iter().chain(b.iter()).collect::<Vec<_>>())),
            )
        })
    }),
];

/// The way on tuples of a function, where there is one.
pub(crate) fn find(name: &str) -> Option<OnRows> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, rows)| *rows)
}

type Rows<'py> = Vec<Bound<'py, PyTuple>>;

/// The rows of a tuple of equally long, non-empty tuples.
fn rows<'py>(grid: &Bound<'py, PyAny>) -> Option<Rows<'py>> {
    let grid = grid.cast_exact::<PyTuple>().ok()?;
    let mut rows = Vec::with_capacity(grid.len());
    let mut width = 0;
    for row in grid.iter() {
        let row = row.cast_into_exact::<PyTuple>().ok()?;
        let len = row.len();
        if len == 0 || !rows.is_empty() && len != width {
            return None;
        }
        // Cells; tuples of pairs are a patch of some kind or a container of containers.
        if row.get_borrowed_item(0).ok()?.is_instance_of::<PyTuple>() {
            return None;
        }
        width = len;
        rows.push(row);
    }
    (!rows.is_empty()).then_some(rows)
}

fn on_one<'py>(
    args: &Bound<'py, PyTuple>,
    work: impl FnOnce(Python<'py>, Rows<'py>) -> PyResult<Bound<'py, PyTuple>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if args.len() != 1 {
        return Ok(None);
    }
    rows(&args.get_item(0)?).map(|rows| work(args.py(), rows)).transpose()
}

fn on_two<'py>(
    args: &Bound<'py, PyTuple>,
    work: impl FnOnce(Python<'py>, Rows<'py>, Rows<'py>) -> PyResult<Bound<'py, PyTuple>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if args.len() != 2 {
        return Ok(None);
    }
    let (Some(a), Some(b)) = (rows(&args.get_item(0)?), rows(&args.get_item(1)?)) else {
        return Ok(None);
    };
    work(args.py(), a, b).map(Some)
}

fn reversed<'py>(py: Python<'py>, row: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, row.iter().rev())
}

fn of_rows<'py>(
    py: Python<'py>,
    rows: impl Iterator<Item = PyResult<Bound<'py, PyTuple>>>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}

/// The columns as rows, the last one first where `backwards`.
fn columns<'py>(
    py: Python<'py>,
    rows: &[Bound<'py, PyTuple>],
    backwards: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let width = rows.first().map_or(0, |row| row.len());
    let column = |n: usize| -> PyResult<Bound<'py, PyTuple>> {
        let n = if backwards { width - 1 - n } else { n };
        let cells: PyResult<Vec<_>> = rows.iter().map(|row| row.get_item(n)).collect();
        PyTuple::new(py, cells?)
    };
    of_rows(py, (0..width).map(column))
}
