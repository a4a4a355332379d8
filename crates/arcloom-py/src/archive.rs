//! The archive of programs, for reading.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::archive::{Access, Archive, Filter, Lineage, ProgramRecord};
use arcloom::{Entry, Plan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::engine;
use crate::html;
use crate::program::PyProgram;

/// An archive of programs: a SQLite file that `evolve` writes and any tool reads.
#[pyclass(frozen, name = "Archive", module = "arcloom")]
pub(crate) struct PyArchive {
    path: PathBuf,
    archive: Mutex<Archive>,
}

#[pymethods]
impl PyArchive {
    #[new]
    fn new(path: PathBuf) -> PyResult<PyArchive> {
        let archive = Archive::create_or_open(&path, Access::Read).map_err(engine)?;
        Ok(PyArchive { path, archive: Mutex::new(archive) })
    }

    /// Rows by table, and what the programs solve.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.with(|archive| archive.counts())?;
        let dict = PyDict::new(py);
        for (table, rows) in counts.rows {
            dict.set_item(table, rows)?;
        }
        dict.set_item("evolved", counts.evolved)?;
        dict.set_item("solved_tasks", counts.solved_tasks)?;
        Ok(dict)
    }

    /// Programs: all, those that solve a task, those of one task, the best so many of each.
    #[pyo3(signature = (task=None, solved=false, best=None))]
    fn programs(
        &self,
        task: Option<String>,
        solved: bool,
        best: Option<usize>,
    ) -> PyResult<Vec<PyProgram>> {
        let records = self.with(|archive| archive.programs(&Filter { task, solved, best }))?;
        records.iter().map(program).collect()
    }

    /// What a program was made from, `depth` steps back at most. Programs are named as in
    /// `arcloom archive`: by the first digits of their id.
    #[pyo3(signature = (id, depth=20))]
    fn lineage(&self, id: &str, depth: usize) -> PyResult<PyLineage> {
        let lineage = self.with(|archive| {
            let root = archive.find_program(id)?;
            archive.ancestors(root.id, depth)
        })?;
        Ok(PyLineage(lineage))
    }

    fn __repr__(&self) -> String {
        format!("Archive({:?})", self.path.display().to_string())
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let counts = self.with(|archive| archive.counts())?;
        let mut rows: Vec<Vec<String>> =
            counts.rows.iter().map(|(name, n)| vec![(*name).to_string(), n.to_string()]).collect();
        rows.push(vec!["tasks solved".to_string(), counts.solved_tasks.to_string()]);
        Ok(html::table(&self.__repr__(), &["", "rows"], &rows))
    }
}

impl PyArchive {
    fn with<R>(
        &self,
        work: impl FnOnce(&Archive) -> Result<R, arcloom::archive::StoreError>,
    ) -> PyResult<R> {
        work(&self.archive.lock().unwrap_or_else(PoisonError::into_inner)).map_err(engine)
    }
}

/// Writes a whole copy of an archive, which may be being written, to a file that is not there yet.
///
/// It is made by the library that writes it: two copies of SQLite in one process, Python's and ours,
/// would take each other's locks away.
#[pyfunction]
pub(crate) fn copy_archive(py: Python<'_>, path: PathBuf, to: PathBuf) -> PyResult<()> {
    py.detach(|| Archive::create_or_open(&path, Access::Read)?.copy_to(&to)).map_err(engine)
}

/// Adds everything of one archive to another, which is made if it is not there; gives the number of new
/// programs.
#[pyfunction]
pub(crate) fn merge_archive(py: Python<'_>, path: PathBuf, other: PathBuf) -> PyResult<u64> {
    let merged = py.detach(|| {
        let mut archive = Archive::create_or_open(&path, Access::Write)?;
        archive.merge(&other)
    });
    merged.map(|merged| merged.added.programs as u64).map_err(engine)
}

fn program(record: &ProgramRecord) -> PyResult<PyProgram> {
    let program = record.program().map_err(engine)?;
    let plan = Plan::new(&program);
    let (file, task) = (record.source.clone(), program.task().to_string());
    Ok(PyProgram(Arc::new(Entry { program, plan, file, task })))
}

/// What a program was made from.
#[pyclass(frozen, name = "Lineage", module = "arcloom")]
pub(crate) struct PyLineage(Lineage);

#[pymethods]
impl PyLineage {
    /// Programs by id: name, size, generation, operator, source and parents.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (id, node) in &self.0.nodes {
            let dict = PyDict::new(py);
            dict.set_item("name", &node.name)?;
            dict.set_item("size", node.size)?;
            dict.set_item("generation", node.generation)?;
            dict.set_item("operator", &node.operator)?;
            dict.set_item("source", &node.source)?;
            let parents: Vec<String> = node.next.iter().map(ToString::to_string).collect();
            dict.set_item("parents", parents)?;
            all.set_item(id.to_string(), dict)?;
        }
        Ok(all)
    }

    fn __len__(&self) -> usize {
        self.0.nodes.len()
    }

    fn __repr__(&self) -> String {
        format!("Lineage({}, {} programs)", self.0.root, self.0.nodes.len())
    }

    /// From the program back, a line for each; each program once.
    fn _repr_html_(&self) -> String {
        let mut rows = Vec::new();
        let mut todo = vec![(self.0.root, 0)];
        let mut seen = std::collections::BTreeSet::new();
        while let Some((id, depth)) = todo.pop() {
            let Some(node) = self.0.nodes.get(&id).filter(|_| seen.insert(id)) else { continue };
            let short: String = id.to_string().chars().take(8).collect();
            let maker = node.operator.clone().unwrap_or_else(|| node.source.clone());
            let generation = node.generation.map_or(String::new(), |g| g.to_string());
            let indent = "\u{2003}".repeat(depth);
            rows.push(vec![format!("{indent}{short}"), generation, maker, node.size.to_string()]);
            todo.extend(node.next.iter().rev().map(|&next| (next, depth + 1)));
        }
        html::table(&self.__repr__(), &["program", "generation", "made by", "calls"], &rows)
    }
}
