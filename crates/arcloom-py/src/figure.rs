//! Drawings: how they look, and files of them.

use std::path::PathBuf;

use arcloom::draw::{Palette, SvgOptions};
use arcloom_draw::raster::{Format, render};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::engine;

/// A drawing. Notebooks show it; `str` gives its SVG text.
#[pyclass(frozen, name = "Figure", module = "arcloom")]
pub(crate) struct PyFigure(pub(crate) String);

#[pymethods]
impl PyFigure {
    fn _repr_svg_(&self) -> String {
        fluid(self.0.clone())
    }

    fn __str__(&self) -> &str {
        &self.0
    }

    fn __repr__(&self) -> String {
        format!("Figure({} bytes of SVG)", self.0.len())
    }

    /// Writes an SVG, PNG or PDF file, by the name's ending.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, path, &self.0)
    }
}

/// A drawing that is as wide as it is, but never wider than what it stands in.
pub(crate) fn fluid(svg: String) -> String {
    svg.replacen("<svg ", "<svg style=\"max-width:100%;height:auto\" ", 1)
}

/// Writes a drawing in the form that the name of the file ends in.
pub(crate) fn save(py: Python<'_>, path: PathBuf, svg: &str) -> PyResult<()> {
    let format = Format::of(&path).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let bytes = py.detach(|| render(svg, format)).map_err(engine)?;
    Ok(arcloom::corpus::write_whole(&path, &bytes)?)
}

/// How figures are drawn, from the keywords `cell`, `palette`, `digits`, `symbols` and `dark`.
pub(crate) fn look(words: Option<&Bound<'_, PyDict>>) -> PyResult<SvgOptions> {
    let mut options = SvgOptions::default();
    let Some(words) = words else { return Ok(options) };
    for (name, value) in words.iter() {
        match name.extract::<String>()?.as_str() {
            "cell" => options.cell = value.extract()?,
            "palette" => options.palette = palette(&value.extract::<String>()?)?,
            "digits" => options.digits = value.extract()?,
            "symbols" => options.symbols = value.extract()?,
            "dark" => options.dark = value.extract()?,
            other => {
                let known = "cell, palette, digits, symbols and dark";
                let message = format!("no keyword {other}; figures have {known}");
                return Err(PyTypeError::new_err(message));
            }
        }
    }
    if !(1.0..=200.0).contains(&options.cell) {
        return Err(PyValueError::new_err("a cell is 1 to 200 pixels wide"));
    }
    Ok(options)
}

/// A palette by its name.
pub(crate) fn palette(name: &str) -> PyResult<Palette> {
    Palette::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = Palette::names().collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("no palette {name}; there are {known}"))
    })
}
