//! Columns of numbers that numpy reads in place.

use arcloom::similarity;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A column of 64-bit numbers, all integers or all floating. `numpy.asarray(column)` shares its memory.
#[pyclass(frozen, module = "arcloom", sequence)]
pub(crate) struct Column(Numbers);

/// What a column holds.
#[derive(PartialEq)]
enum Numbers {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

impl Column {
    fn len(&self) -> usize {
        match &self.0 {
            Numbers::Integers(all) => all.len(),
            Numbers::Floats(all) => all.len(),
        }
    }
}

#[pymethods]
impl Column {
    /// Of whole numbers, or of floating ones where there are any.
    #[new]
    fn new(numbers: &Bound<'_, PyAny>) -> PyResult<Column> {
        if let Ok(all) = numbers.extract::<Vec<i64>>() {
            return Ok(Column(Numbers::Integers(all)));
        }
        Ok(Column(Numbers::Floats(numbers.extract()?)))
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Column>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>,))> {
        let list = match &self.0 {
            Numbers::Integers(all) => all.into_py_any(py)?,
            Numbers::Floats(all) => all.into_py_any(py)?,
        };
        Ok((py.get_type::<Column>().into_any(), (list,)))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let index = if index < 0 { index + self.len() as isize } else { index };
        let missing = || PyIndexError::new_err("column index out of range");
        let index = usize::try_from(index).map_err(|_| missing())?;
        match &self.0 {
            Numbers::Integers(all) => all.get(index).ok_or_else(missing)?.into_bound_py_any(py),
            Numbers::Floats(all) => all.get(index).ok_or_else(missing)?.into_bound_py_any(py),
        }
    }

    /// The numbers as a list.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match &self.0 {
            Numbers::Integers(all) => PyList::new(py, all),
            Numbers::Floats(all) => PyList::new(py, all),
        }
    }

    /// numpy's protocol for memory that is somebody else's, to be read only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (kind, address) = match &self.0 {
            Numbers::Integers(all) => ("<i8", all.as_ptr().addr()),
            Numbers::Floats(all) => ("<f8", all.as_ptr().addr()),
        };
        interface(py, kind, address, &[self.len()])
    }

    fn __repr__(&self) -> String {
        let shown: Vec<String> = match &self.0 {
            Numbers::Integers(all) => all.iter().take(8).map(i64::to_string).collect(),
            Numbers::Floats(all) => all.iter().take(8).map(f64::to_string).collect(),
        };
        let more = if self.len() > 8 { ", ..." } else { "" };
        format!("Column([{}{more}], len={})", shown.join(", "), self.len())
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
        self.0.set_item(
            name,
            Bound::new(self.0.py(), Column(Numbers::Integers(numbers.collect())))?,
        )?;
        Ok(self)
    }

    /// Similarities, given in thousandths; what is not known is not a number.
    pub(crate) fn similarities(
        self,
        name: &str,
        thousandths: impl Iterator<Item = Option<u32>>,
    ) -> PyResult<Self> {
        let column =
            Column(Numbers::Floats(thousandths.map(|s| s.map_or(f64::NAN, similarity)).collect()));
        self.0.set_item(name, Bound::new(self.0.py(), column)?)?;
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
