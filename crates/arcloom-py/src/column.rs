//! Columns of numbers that numpy reads in place.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A column of 64-bit integers. `numpy.asarray(column)` shares its memory.
#[pyclass(frozen, module = "arcloom", sequence)]
pub(crate) struct Column(Vec<i64>);

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<i64> {
        let len = self.0.len() as isize;
        let index = if index < 0 { index + len } else { index };
        let found = usize::try_from(index).ok().and_then(|index| self.0.get(index));
        found.copied().ok_or_else(|| PyIndexError::new_err("column index out of range"))
    }

    /// The numbers as a list.
    fn tolist(&self) -> Vec<i64> {
        self.0.clone()
    }

    /// numpy's protocol for memory that is somebody else's, to be read only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        interface(py, "<i8", self.0.as_ptr().addr(), &[self.0.len()])
    }

    fn __repr__(&self) -> String {
        let shown: Vec<String> = self.0.iter().take(8).map(i64::to_string).collect();
        let more = if self.0.len() > 8 { ", ..." } else { "" };
        format!("Column([{}{more}], len={})", shown.join(", "), self.0.len())
    }
}

/// A description of memory that numpy can read.
pub(crate) fn interface<'py>(
    py: Python<'py>,
    kind: &str,
    address: usize,
    shape: &[usize],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("version", 3)?;
    dict.set_item("typestr", kind)?;
    dict.set_item("shape", pyo3::types::PyTuple::new(py, shape)?)?;
    dict.set_item("data", (address, true))?;
    Ok(dict)
}

/// Named columns, in order.
pub(crate) struct Table<'py>(Bound<'py, PyDict>);

impl<'py> Table<'py> {
    pub(crate) fn new(py: Python<'py>) -> Table<'py> {
        Table(PyDict::new(py))
    }

    pub(crate) fn numbers(self, name: &str, numbers: impl Iterator<Item = i64>) -> PyResult<Self> {
        self.0.set_item(name, Bound::new(self.0.py(), Column(numbers.collect()))?)?;
        Ok(self)
    }

    pub(crate) fn texts(
        self,
        name: &str,
        texts: impl Iterator<Item = Option<String>>,
    ) -> PyResult<Self> {
        self.0.set_item(name, PyList::new(self.0.py(), texts.collect::<Vec<_>>())?)?;
        Ok(self)
    }

    pub(crate) fn finish(self) -> Py<PyDict> {
        self.0.unbind()
    }
}
