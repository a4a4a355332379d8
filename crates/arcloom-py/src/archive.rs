//! The archive of programs, for reading.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arcloom::archive::{Access, Archive, Filter, Lineage, ProgramRecord, task_sets};
use arcloom::draw::{CurvesView, LineageView, SvgOptions, curves_svg, lineage_svg};
use arcloom::figure::{lineage_view, run_view};
use arcloom::foreign::ForeignNames;
use arcloom::standing::standings;
use arcloom::{Catalog, Entry, Plan};
use arcloom_web::report::{ReportOptions, report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::engine::PyEngine;
use crate::error::engine;
use crate::figure::{self, PyFigure};
use crate::html;
use crate::program::PyProgram;
use crate::results;

/// An archive of programs: a SQLite file that `evolve` writes and any tool reads. With an engine, its programs
/// may call the functions that are registered with it.
#[pyclass(frozen, name = "Archive", module = "arcloom")]
pub(crate) struct PyArchive {
    path: PathBuf,
    archive: Mutex<Archive>,
    /// Functions that its programs may call.
    names: Option<ForeignNames>,
}

#[pymethods]
impl PyArchive {
    #[new]
    #[pyo3(signature = (path, engine=None))]
    fn new(path: PathBuf, engine: Option<&PyEngine>) -> PyResult<PyArchive> {
        let archive = Archive::create_or_open(&path, Access::Read);
        let archive = Mutex::new(archive.map_err(crate::error::engine)?);
        Ok(PyArchive { path, archive, names: engine.map(PyEngine::names) })
    }

    /// Rows by table, and what the programs solve.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.with(|archive| archive.counts())?;
        let dict = PyDict::new(py);
        for (table, rows) in counts.rows {
            dict.set_item(table, rows)?;
        }
        dict.set_item("evolved", counts.evolved)?;
        Ok(dict)
    }

    /// How far every task is by what was handed in for it, or else by the best stored program. Grids come from
    /// the sets that the tasks were taken from.
    fn standings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let catalog = Catalog::open(None);
        let sets = self.with(|archive| arcloom::archive::task_sets(archive, &catalog))?;
        let mut machine = arcloom::Limits::default().machine();
        let found = self.with(|archive| standings(archive, &sets, &mut machine))?;
        let class = results::class(py, "Standing")?;
        let standing = |one: &arcloom::standing::TaskStanding| {
            let (standing, verdict) = (&one.standing, one.verdict());
            class.call1((
                &standing.name,
                verdict.state().name(),
                verdict.fits,
                verdict.demos,
                verdict.tests.name(),
                arcloom::similarity(standing.similarity),
                &standing.origin,
                results::attempts(py, &standing.attempts)?,
            ))
        };
        found.iter().map(standing).collect()
    }

    /// Programs: all, those that solve a task, those of one task, the best so many of each.
    #[pyo3(signature = (task=None, solved=false, best=None))]
    fn programs(
        &self,
        task: Option<String>,
        solved: bool,
        best: Option<usize>,
    ) -> PyResult<Vec<PyProgram>> {
        let _names = self.names.as_ref().map(ForeignNames::enter);
        let records = self.with(|archive| archive.programs(&Filter { task, solved, best }))?;
        records.iter().map(program).collect()
    }

    /// What a program was made from, `depth` steps back at most. Programs are named as in
    /// `arcloom archive`: by the first digits of their id.
    #[pyo3(signature = (id, depth=20))]
    fn lineage(&self, id: &str, depth: usize) -> PyResult<PyLineage> {
        let (lineage, view) = self.with(|archive| {
            let root = archive.find_program(id)?;
            let lineage = archive.ancestors(root.id, depth)?;
            let view = lineage_view(archive, &lineage, false)?;
            Ok((lineage, view))
        })?;
        Ok(PyLineage(lineage, view))
    }

    /// Runs over their generations: all, or those with these numbers.
    #[pyo3(signature = (runs=None, by_time=false, **words))]
    fn curves(
        &self,
        runs: Option<Vec<i64>>,
        by_time: bool,
        words: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyFigure> {
        let options = figure::look(words)?;
        let views = self.with(|archive| {
            let mut all = archive.runs()?;
            all.retain(|run| runs.as_ref().is_none_or(|runs| runs.contains(&run.number.0)));
            all.iter().map(|run| run_view(archive, run)).collect::<Result<Vec<_>, _>>()
        })?;
        let view = CurvesView { title: String::new(), runs: views, by_time };
        Ok(PyFigure(curves_svg(&view, &options)))
    }

    /// Writes one self-contained page about the archive, and gives its size. The grids are looked for
    /// in `tasks`, or in the sets that they were taken from.
    #[pyo3(signature = (path, tasks=None, palette="classic"))]
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        tasks: Option<&Bound<'_, PyAny>>,
        palette: &str,
    ) -> PyResult<usize> {
        let palette = figure::palette(palette)?;
        let given = tasks.map(crate::task::tasks).transpose()?;
        let page = py.detach(|| -> PyResult<String> {
            let engine = arcloom::Engine::builder().build().map_err(engine)?;
            let options = ReportOptions { palette, ..ReportOptions::default() };
            self.with(|archive| {
                let sets = match given {
                    Some(set) => vec![(*set).clone()],
                    None => task_sets(archive, &Catalog::open(None))?,
                };
                Ok(report(&engine, archive, &sets, &options)?.html)
            })
        })?;
        arcloom::corpus::write_whole(&path, page.as_bytes())?;
        Ok(page.len())
    }

    /// Writes programs to a file: `python` for the original arc-dsl, `jsonl` with results, or `stitch`. All of
    /// them, those of one task, those that solve a task, or the best so many of each.
    #[pyo3(signature = (path, format="python", task=None, solved=false, best=None))]
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: &str,
        task: Option<String>,
        solved: bool,
        best: Option<i64>,
    ) -> PyResult<()> {
        let mut words: Vec<std::ffi::OsString> =
            vec!["arcloom".into(), "archive".into(), "export".into()];
        words.extend(["--archive".into(), self.path.clone().into_os_string()]);
        words.extend(["--format".into(), format.into(), "--output".into(), path.into_os_string()]);
        if let Some(task) = task {
            words.extend(["--task".into(), task.into()]);
        }
        if solved {
            words.push("--solved".into());
        }
        if let Some(best) = best {
            let best = crate::inputs::some("best", best)?.to_string();
            words.extend(["--best".into(), best.into()]);
        }
        match py.detach(|| arcloom_cli::run(words)) {
            0 => Ok(()),
            _ => Err(engine("the archive was not exported: the reason is on standard error")),
        }
    }

    fn __repr__(&self) -> String {
        format!("Archive({:?})", self.path.display().to_string())
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let counts = self.with(|archive| archive.counts())?;
        let rows: Vec<Vec<String>> =
            counts.rows.iter().map(|(name, n)| vec![(*name).to_string(), n.to_string()]).collect();
        Ok(html::table(&self.__repr__(), &["", "rows"], &rows, rows.len()))
    }
}

impl PyArchive {
    fn with<R>(
        &self,
        work: impl FnOnce(&Archive) -> Result<R, arcloom::archive::StoreError>,
    ) -> PyResult<R> {
        let _names = self.names.as_ref().map(ForeignNames::enter);
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
pub(crate) struct PyLineage(Lineage, LineageView);

#[pymethods]
impl PyLineage {
    /// Programs by id.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, class) = (PyDict::new(py), results::class(py, "LineageNode")?);
        for (id, node) in &self.0.nodes {
            let parents: Vec<String> = node.next.iter().map(ToString::to_string).collect();
            let parents = PyTuple::new(py, parents)?;
            let (by, from) = (&node.operator, &node.source);
            let one = class.call1((&node.name, node.size, node.generation, by, from, parents))?;
            all.set_item(id.to_string(), one)?;
        }
        Ok(all)
    }

    fn __len__(&self) -> usize {
        self.0.nodes.len()
    }

    fn __repr__(&self) -> String {
        format!("Lineage({}, {} programs)", self.0.root, self.0.nodes.len())
    }

    fn _repr_svg_(&self) -> String {
        figure::fluid(lineage_svg(&self.1, &SvgOptions::default()))
    }

    /// The lineage as SVG text.
    #[pyo3(signature = (**words))]
    fn svg(&self, words: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(lineage_svg(&self.1, &figure::look(words)?))
    }

    /// Draws the lineage into an SVG, PNG or PDF file, by the name's ending.
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
