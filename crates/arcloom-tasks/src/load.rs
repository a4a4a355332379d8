//! Task sets from paths: a file in any of the known forms, or a folder of files.
//!
//! A folder is one of three things: Kaggle's (`*_challenges.json`, each a split), plain (every
//! `.json` file is one task), or a checkout with the splits as sub-folders, directly or under `data`.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::disk::{entries, has_extension, read_limited};
use crate::error::CorpusError;
use crate::json;
use crate::quick;
use crate::shape::{self, Document, Reading};
use crate::task::{GridLimits, Task, TaskSet};

/// Largest task file.
const MAX_TASK_FILE: u64 = 256 << 20;
const CHALLENGES: &str = "_challenges.json";
const SOLUTIONS: &str = "_solutions.json";

/// Tasks of one split, or of a file without splits.
pub(crate) type Part = (Option<String>, Vec<Task>);

/// The tasks of a file or folder, of one split of it when one is named (`training` and `train`,
/// `evaluation` and `eval` are the same).
pub fn load_tasks(
    path: &Path,
    split: Option<&str>,
    limits: &GridLimits,
) -> Result<TaskSet, CorpusError> {
    join(path, split, load_parts(path, split, &Reading::strict(limits))?)
}

/// Like [`load_tasks`], for whoever must answer all tasks of a file: one that is malformed is passed over
/// and noted in the set. A file without any task that is right is an error.
pub fn load_readable_tasks(
    path: &Path,
    split: Option<&str>,
    limits: &GridLimits,
) -> Result<TaskSet, CorpusError> {
    let malformed = RefCell::new(Vec::new());
    let reading = Reading { limits, malformed: Some(&malformed) };
    let mut set = join(path, split, load_parts(path, split, &reading)?)?;
    if set.tasks.is_empty() {
        return load_tasks(path, split, limits);
    }
    set.malformed = malformed.into_inner();
    set.malformed.retain(|task| match (&task.split, split) {
        (Some(split), Some(wanted)) => split_name(split) == split_name(wanted),
        _ => true,
    });
    Ok(set)
}

/// Like [`load_tasks`], for a single file: a folder is an error.
pub fn load_task_file(
    path: &Path,
    split: Option<&str>,
    limits: &GridLimits,
) -> Result<TaskSet, CorpusError> {
    join(path, split, load_file(path, split, &Reading::strict(limits))?)
}

/// The tasks of JSON text in any of the known forms; one task alone is called `name`, which otherwise is
/// for messages only.
pub fn parse_tasks(text: &[u8], name: &str, limits: &GridLimits) -> Result<TaskSet, CorpusError> {
    let label = Path::new(name);
    join(label, None, parse_parts(text, label, limits)?)
}

/// The parts of a file or folder, all or the one asked for. Never empty.
pub(crate) fn load_parts(
    path: &Path,
    split: Option<&str>,
    reading: &Reading<'_>,
) -> Result<Vec<Part>, CorpusError> {
    if path.is_dir() { load_folder(path, split, reading) } else { load_file(path, split, reading) }
}

/// The parts of JSON text that is part of the program.
pub(crate) fn parse_parts(
    text: &[u8],
    label: &Path,
    limits: &GridLimits,
) -> Result<Vec<Part>, CorpusError> {
    parts_of(document(text, label, &Reading::strict(limits))?, label, None)
}

/// What a task file of these bytes holds.
fn document(bytes: &[u8], path: &Path, reading: &Reading<'_>) -> Result<Document, CorpusError> {
    match quick::document(bytes, reading.limits) {
        Some(document) => Ok(document),
        None => shape::document(&json::parse(bytes, path)?, path, reading),
    }
}

/// The canonical form of a split's name.
pub(crate) fn split_name(name: &str) -> &str {
    match name {
        "train" => "training",
        "eval" => "evaluation",
        other => other,
    }
}

/// Puts parts together. The same task in two parts counts once; different ones under one id do not mix.
pub(crate) fn join(
    path: &Path,
    split: Option<&str>,
    parts: Vec<Part>,
) -> Result<TaskSet, CorpusError> {
    let name = match split {
        Some(split) => format!("{}#{split}", path.display()),
        None => path.display().to_string(),
    };
    let mut tasks: Vec<Task> = parts.into_iter().flat_map(|(_, tasks)| tasks).collect();
    tasks.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(two) = tasks.windows(2).find(|two| two[0].id == two[1].id && two[0] != two[1]) {
        return Err(CorpusError::Content {
            path: path.to_path_buf(),
            place: format!("task {}", two[0].id),
            problem: "differs between two splits; choose one, as in PATH#training".to_owned(),
        });
    }
    Ok(TaskSet::new(name, tasks))
}

fn load_file(
    path: &Path,
    split: Option<&str>,
    reading: &Reading<'_>,
) -> Result<Vec<Part>, CorpusError> {
    let mut document = document(&read_limited(path, MAX_TASK_FILE)?, path, reading)?;
    if let (Document::Many(tasks), Some(answers)) = (&mut document, solutions_beside(path)) {
        add_answers(tasks, &answers, reading.limits)?;
    }
    parts_of(document, path, split)
}

fn parts_of(
    document: Document,
    path: &Path,
    split: Option<&str>,
) -> Result<Vec<Part>, CorpusError> {
    let parts: Vec<Part> = match document {
        Document::One(mut task) => {
            task.id = path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
            vec![(None, vec![task])]
        }
        Document::Many(tasks) => vec![(None, tasks)],
        Document::Splits(splits) => {
            splits.into_iter().map(|(name, tasks)| (Some(name), tasks)).collect()
        }
    };
    choose(parts, |(name, _)| name.as_deref(), path, split)
}

/// The parts with the wanted name, or all of them.
fn choose<T>(
    parts: Vec<T>,
    name: impl Fn(&T) -> Option<&str>,
    path: &Path,
    split: Option<&str>,
) -> Result<Vec<T>, CorpusError> {
    let Some(wanted) = split else { return Ok(parts) };
    let known: Vec<String> =
        parts.iter().filter_map(|part| name(part).map(str::to_owned)).collect();
    let is_wanted =
        |part: &T| name(part).is_some_and(|name| split_name(name) == split_name(wanted));
    let chosen: Vec<T> = parts.into_iter().filter(is_wanted).collect();
    if chosen.is_empty() {
        return Err(CorpusError::NoSplit {
            path: path.to_path_buf(),
            split: wanted.to_owned(),
            known,
        });
    }
    Ok(chosen)
}

/// The solutions file that belongs to a challenges file, if there is one.
fn solutions_beside(path: &Path) -> Option<PathBuf> {
    let stem = path.file_name()?.to_str()?.strip_suffix(CHALLENGES)?.to_owned();
    let beside = path.with_file_name(stem + SOLUTIONS);
    beside.exists().then_some(beside)
}

/// Fills in the answers that the tasks lack. A task the solutions do not know keeps none.
fn add_answers(tasks: &mut [Task], path: &Path, limits: &GridLimits) -> Result<(), CorpusError> {
    let root = json::parse(&read_limited(path, MAX_TASK_FILE)?, path)?;
    let mut solutions = shape::solutions(&root, path, limits)?;
    solutions.sort_by(|a, b| a.0.cmp(&b.0));
    for task in tasks {
        let Ok(n) = solutions.binary_search_by(|(id, _)| id.as_str().cmp(&task.id)) else {
            continue;
        };
        let answers = std::mem::take(&mut solutions[n].1);
        if answers.len() != task.tests.len() {
            return Err(CorpusError::Content {
                path: path.to_path_buf(),
                place: format!("task {}", task.id),
                problem: format!(
                    "{} answers for {} tests; use the solutions that belong to these challenges",
                    answers.len(),
                    task.tests.len()
                ),
            });
        }
        for (test, answer) in task.tests.iter_mut().zip(answers) {
            test.add_expected(answer);
        }
    }
    Ok(())
}

fn load_folder(
    dir: &Path,
    split: Option<&str>,
    reading: &Reading<'_>,
) -> Result<Vec<Part>, CorpusError> {
    let paths = entries(dir)?;
    let challenges: Vec<(String, PathBuf)> = paths
        .iter()
        .filter_map(|path| {
            let stem = path.file_name()?.to_str()?.strip_suffix(CHALLENGES)?;
            Some((stem.strip_prefix("arc-agi_").unwrap_or(stem).to_owned(), path.clone()))
        })
        .collect();
    if !challenges.is_empty() {
        let mut parts = Vec::new();
        for (name, file) in choose(challenges, |(name, _)| Some(name), dir, split)? {
            parts.extend(
                load_file(&file, None, reading)?
                    .into_iter()
                    .map(|(_, tasks)| (Some(name.clone()), tasks)),
            );
        }
        return Ok(parts);
    }
    let files: Vec<&PathBuf> = paths.iter().filter(|path| is_task_file(path)).collect();
    if !files.is_empty() {
        let tasks = load_each(&files, None, reading)?;
        return choose(vec![(None, tasks)], |(name, _): &Part| name.as_deref(), dir, split);
    }
    // Looking around is not asking for: a folder that cannot be read is none of ours.
    let inside = entries(&dir.join("data")).unwrap_or_default().into_iter().chain(paths);
    let mut folders: Vec<(String, PathBuf)> = Vec::new();
    for path in inside.filter(|path| path.is_dir()) {
        if entries(&path).unwrap_or_default().iter().any(|path| is_task_file(path)) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            folders.push((name.unwrap_or_default(), path));
        }
    }
    if folders.is_empty() {
        let what =
            "no task files (.json) in this folder; name the folder that holds them".to_owned();
        return Err(CorpusError::Nothing { path: dir.to_path_buf(), what });
    }
    let load = |(name, folder): (String, PathBuf)| {
        let files = entries(&folder)?;
        let files: Vec<&PathBuf> = files.iter().filter(|path| is_task_file(path)).collect();
        let tasks = load_each(&files, Some(&name), reading)?;
        Ok((Some(name), tasks))
    };
    choose(folders, |(name, _)| Some(name), dir, split)?.into_iter().map(load).collect()
}

fn is_task_file(path: &Path) -> bool {
    has_extension(path, "json") && !path.is_dir()
}

/// The tasks of files with one each, which their files are named after.
fn load_each(
    files: &[&PathBuf],
    split: Option<&str>,
    reading: &Reading<'_>,
) -> Result<Vec<Task>, CorpusError> {
    let mut tasks = Vec::with_capacity(files.len());
    for file in files {
        match load_one(file, reading.limits) {
            Ok(task) => tasks.push(task),
            Err(error) => {
                let id = file.file_stem().unwrap_or_default().to_string_lossy();
                reading.pass_over(&id, split, tests_of(file), error)?;
            }
        }
    }
    Ok(tasks)
}

/// Number of tests in a file with one task that is malformed.
fn tests_of(file: &Path) -> usize {
    let read = || json::parse(&read_limited(file, MAX_TASK_FILE)?, file);
    read().map_or(1, |task| shape::tests_in(&task))
}

/// The one task of a file in a folder of tasks.
fn load_one(file: &Path, limits: &GridLimits) -> Result<Task, CorpusError> {
    let mut parts = load_file(file, None, &Reading::strict(limits))?;
    match parts.as_mut_slice() {
        [(None, tasks)] if tasks.len() == 1 => Ok(tasks.remove(0)),
        _ => Err(CorpusError::Content {
            path: file.to_path_buf(),
            place: String::new(),
            problem: "several tasks in one file of a folder; name this file instead of its folder"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests;
