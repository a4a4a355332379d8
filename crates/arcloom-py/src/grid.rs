//! Grids as Python objects.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use arcloom::Grid;
use arcloom::draw::{SvgOptions, TextOptions, grid_svg, grid_text};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::column::interface;
use crate::figure;

/// A grid of cells. Made of rows: lists, tuples or a two-dimensional array.
#[pyclass(frozen, name = "Grid", module = "arcloom")]
pub(crate) struct PyGrid(pub(crate) Grid);

#[pymethods]
impl PyGrid {
    #[new]
    fn new(rows: &Bound<'_, PyAny>) -> PyResult<PyGrid> {
        grid(rows).map(PyGrid)
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.height(), self.0.width())
    }

    /// The rows as tuples, as programs and `arcloom.dsl` have them.
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::convert::to_object(py, &arcloom::Value::Grid(self.0.clone()))
    }

    /// The rows as lists.
    fn tolist(&self) -> Vec<Vec<i8>> {
        self.0.rows().map(<[i8]>::to_vec).collect()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let wrap = |n: isize, len: usize| if n < 0 { n + len as isize } else { n } as i64;
        if let Ok((i, j)) = index.extract::<(isize, isize)>() {
            let cell = self.0.get(wrap(i, self.0.height()), wrap(j, self.0.width()));
            let cell = cell.ok_or_else(|| PyIndexError::new_err("grid index out of range"))?;
            return Ok(cell.into_pyobject(py)?.into_any());
        }
        let i = usize::try_from(wrap(index.extract()?, self.0.height())).unwrap_or(usize::MAX);
        if i >= self.0.height() {
            return Err(PyIndexError::new_err("grid index out of range"));
        }
        Ok(PyTuple::new(py, self.0.row(i))?.into_any())
    }

    fn __len__(&self) -> usize {
        self.0.height()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        grid(other).is_ok_and(|other| other == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        (self.0.width(), self.0.cells()).hash(&mut hasher);
        hasher.finish()
    }

    /// numpy's protocol: an array of bytes that shares this memory.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shape = [self.0.height(), self.0.width()];
        interface(py, "|i1", self.0.cells().as_ptr().addr(), &shape)
    }

    fn __repr__(&self) -> String {
        format!("Grid({:?})", self.tolist())
    }

    fn __str__(&self) -> String {
        grid_text(&self.0, &TextOptions::default())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<Vec<i8>>,)) {
        (py.get_type::<PyGrid>().into_any(), (self.tolist(),))
    }

    fn _repr_svg_(&self) -> String {
        figure::fluid(grid_svg(&self.0, &SvgOptions::default()))
    }

    /// The grid as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(grid_svg(&self.0, &figure::look(words)?))
    }

    /// Draws the grid into an SVG, PNG or PDF file, by the name's ending.
    #[pyo3(signature = (path, **words))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        words: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        figure::save(py, path, &self.svg(words)?)
    }
}

/// The grid that an object stands for.
pub(crate) fn grid(rows: &Bound<'_, PyAny>) -> PyResult<Grid> {
    if let Ok(grid) = rows.cast::<PyGrid>() {
        return Ok(grid.get().0.clone());
    }
    let listed;
    let rows = match rows.getattr("tolist") {
        Ok(tolist) => {
            listed = tolist.call0()?;
            &listed
        }
        Err(_) => rows,
    };
    let no_grid = "a grid is one or more equally long, non-empty rows of integers from -128 to 127";
    let rows: Vec<Vec<i8>> = rows.extract().map_err(|_| PyValueError::new_err(no_grid))?;
    Grid::from_rows(&rows).ok_or_else(|| PyValueError::new_err(no_grid))
}
