//! Tasks and programs by what people type.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use arcloom::archive::{Access, Archive, Filter, task_sets};
use arcloom::corpus::load_task_file;
use arcloom::{Catalog, Choice, CorpusError, Entry, Library, Task, TaskSet, nearest};

use crate::paint::visible;
use crate::session::Session;

/// Where a task is looked for when nobody says where; sets that were not fetched are passed over.
pub(crate) const USUAL: &[&str] =
    &["embedded", "arc1/training", "arc1/evaluation", "arc2/training", "arc2/evaluation"];
/// What programs of an archive are named by, and how many of each task are taken: all would be
/// hundreds per task, most of which are of no use to another.
const ARCHIVE: &str = "archive:";
const OF_ARCHIVE: usize = 8;
/// Most errors and most warnings of one load that are shown, unless all are asked for.
const MOST: (usize, usize) = (20, 5);

/// What something typed as a task turned out to be.
pub(crate) enum Found {
    /// One task.
    Task(Box<Task>),
    /// A set of them.
    Set(TaskSet),
}

/// The task sets as one. Of tasks with the same id the one of the earlier set counts.
pub(crate) fn task_set(catalog: &Catalog, specs: &[String]) -> Result<TaskSet> {
    if let [spec] = specs {
        return Ok(catalog.resolve_tasks(spec)?);
    }
    let mut tasks = Vec::new();
    for spec in specs {
        tasks.extend(catalog.resolve_tasks(spec)?.tasks);
    }
    Ok(TaskSet::new(specs.join(" + "), tasks))
}

/// The task sets as one, for a submission: a malformed task is passed over and noted in the set.
pub(crate) fn readable_task_set(catalog: &Catalog, specs: &[String]) -> Result<TaskSet> {
    if let [spec] = specs {
        return Ok(catalog.resolve_readable_tasks(spec)?);
    }
    let (mut tasks, mut malformed) = (Vec::new(), Vec::new());
    for spec in specs {
        let set = catalog.resolve_readable_tasks(spec)?;
        tasks.extend(set.tasks);
        malformed.extend(set.malformed);
    }
    let mut all = TaskSet::new(specs.join(" + "), tasks);
    malformed.retain(|task| all.get(&task.id).is_none());
    all.malformed = malformed;
    Ok(all)
}

/// Takes what is chosen of a set. A draw is one of tasks that can be read.
pub(crate) fn choose(set: &mut TaskSet, mut choice: Choice) -> Result<()> {
    let is_malformed = |id: &String| set.malformed.iter().any(|task| task.id == *id);
    if !choice.ids.is_empty() && choice.ids.iter().all(is_malformed) {
        let first = set.malformed.iter().find(|task| choice.ids.contains(&task.id));
        bail!("{}", first.map_or("", |task| &task.problem));
    }
    let (named, ids): (Vec<String>, Vec<String>) = choice.ids.into_iter().partition(is_malformed);
    if !ids.is_empty() || choice.count.is_some() {
        set.malformed.retain(|task| named.contains(&task.id));
    }
    choice.ids = ids;
    let chosen = choice.of_tasks().pick(&set.tasks, |task| [task.id.as_str()])?;
    set.tasks = chosen.into_iter().map(|n| set.tasks[n].clone()).collect();
    Ok(())
}

/// Says which tasks of a set for a submission are malformed.
pub(crate) fn warn_of_malformed(session: &Session<'_>, set: &TaskSet) {
    for task in set.malformed.iter().take(MOST.0) {
        let problem = &task.problem;
        session.warn(&format!("{problem}; the submission has blank attempts at this task"));
    }
    if let Some(more @ 1..) = set.malformed.len().checked_sub(MOST.0) {
        session.warn(&format!("... and {more} more malformed tasks with blank attempts"));
    }
}

/// The sets named, or those that an archive's tasks were taken from, as far as they are still there.
pub(crate) fn archived_sets(
    catalog: &Catalog,
    archive: &Archive,
    specs: &[String],
) -> Result<Vec<TaskSet>> {
    match specs {
        [] => Ok(task_sets(archive, catalog)?),
        specs => Ok(vec![task_set(catalog, specs)?]),
    }
}

/// A task by id, `SET/ID` or path.
pub(crate) fn task(catalog: &Catalog, spec: &str, sets: &[String]) -> Result<Task> {
    match task_or_set(catalog, spec, sets)? {
        Found::Task(task) => Ok(*task),
        Found::Set(set) => bail!(
            "{} holds {} tasks; choose one of them: `--tasks {} {}`",
            visible(spec),
            set.tasks.len(),
            visible(spec),
            set.tasks.first().map_or("ID", |task| &task.id)
        ),
    }
}

/// A task by id, `SET/ID` or path, or a set by name or path.
pub(crate) fn task_or_set(catalog: &Catalog, spec: &str, sets: &[String]) -> Result<Found> {
    let path = Path::new(spec);
    if sets.is_empty() && (path.is_file() || spec.ends_with(".json")) {
        return Ok(single(load_task_file(path, None, catalog.limits())?));
    }
    let mut known: Vec<TaskSet> = Vec::new();
    let usual: Vec<String> = USUAL.iter().map(|&set| set.to_owned()).collect();
    let all = if sets.is_empty() { &usual } else { sets };
    for name in all {
        match catalog.resolve_tasks(name) {
            Ok(set) => {
                if let Some(task) = set.get(spec) {
                    return Ok(Found::Task(Box::new(task.clone())));
                }
                known.push(set);
            }
            Err(CorpusError::NotPulled { .. } | CorpusError::NoDataDir) if sets.is_empty() => {}
            Err(error) => return Err(error.into()),
        }
    }
    if sets.is_empty() {
        let unknown = match catalog.resolve_tasks(spec) {
            Ok(set) => return Ok(single(set)),
            Err(unknown @ (CorpusError::UnknownName { .. } | CorpusError::NoSplit { .. })) => {
                unknown
            }
            Err(error) => return Err(error.into()),
        };
        if let Some((set, id)) = spec.rsplit_once('/') {
            let Ok(set) = catalog.resolve_tasks(set) else { return Err(unknown.into()) };
            return match set.get(id) {
                Some(task) => Ok(Found::Task(Box::new(task.clone()))),
                None if set.name.contains('/') => Err(no_task(id, &[set], false)),
                None => Err(unknown.into()),
            };
        }
    }
    let missing = sets.is_empty() && known.len() < USUAL.len();
    Err(no_task(spec, &known, missing))
}

/// A file with one task is that task.
fn single(mut set: TaskSet) -> Found {
    match set.tasks.pop() {
        Some(task) if set.tasks.is_empty() => Found::Task(Box::new(task)),
        Some(task) => {
            set.tasks.push(task);
            Found::Set(set)
        }
        None => Found::Set(set),
    }
}

fn no_task(id: &str, sets: &[TaskSet], some_missing: bool) -> anyhow::Error {
    let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    let mut text = format!("no task `{}` in {}", visible(id), names.join(", "));
    let ids = sets.iter().flat_map(|set| &set.tasks).map(|task| task.id.as_str());
    if let Some(near) = nearest(id, ids) {
        let _ = write!(text, ", the nearest is `{near}`");
    }
    text.push_str(match (some_missing, names.as_slice()) {
        (true, _) => {
            "; `arcloom show` lists the built-in tasks, `arcloom data pull` fetches the public sets"
        }
        (false, ["embedded"]) => "; `arcloom show` lists them",
        (false, [_]) => "; `arcloom show` with the set's name lists its tasks",
        (false, _) => "; name the set with --tasks",
    });
    anyhow::anyhow!(text)
}

/// Loads programs and says on standard error what was wrong with the source.
pub(crate) fn programs(session: &Session<'_>, specs: &[String], verbose: bool) -> Result<Library> {
    let (archives, files): (Vec<&String>, Vec<&String>) =
        specs.iter().partition(|spec| spec.starts_with(ARCHIVE));
    let files: Vec<String> = files.into_iter().cloned().collect();
    let mut library = Library::load(&session.catalog, &files, &mut io::stdin().lock())?;
    for spec in archives {
        archived(&mut library, &spec[ARCHIVE.len()..])?;
    }
    report(session, &library, verbose);
    if library.programs.is_empty() && library.errors.is_empty() {
        bail!(
            "{}: no programs in it; a program is a function `def solve_TASK(I):`",
            specs.join(", ")
        );
    }
    Ok(library)
}

/// The best programs of each task of an archive.
fn archived(library: &mut Library, path: &str) -> Result<()> {
    let archive = Archive::create_or_open(path, Access::Read)?;
    let best = Filter { best: Some(OF_ARCHIVE), ..Filter::default() };
    for record in archive.programs(&best)? {
        library.programs.push(Entry::new(record.program()?, path));
    }
    Ok(())
}

/// Says what was wrong with the source of a library.
pub(crate) fn report(session: &Session<'_>, library: &Library, verbose: bool) {
    let (errors, warnings) = if verbose { (usize::MAX, usize::MAX) } else { MOST };
    let rest = |list: &[String], limit: usize, what: &str| {
        if list.len() > limit {
            session.complain(&format!("... and {} more {what}", list.len() - limit));
        }
    };
    library.errors.iter().take(errors).for_each(|line| session.complain(line));
    rest(&library.errors, errors, "errors");
    library.warnings.iter().take(warnings).for_each(|line| session.warn(line));
    rest(&library.warnings, warnings, "warnings");
    if verbose {
        library.notes.iter().for_each(|line| session.note(line));
    }
}

/// One program: a name in `library`, a file, or `FILE:NAME`.
pub(crate) fn program(session: &Session<'_>, spec: &str, library: &str) -> Result<Entry> {
    let is_source = |text: &str| {
        text == "-"
            || text.ends_with(".py")
            || text.starts_with("library:")
            || Path::new(text).exists()
    };
    let (source, name) = match spec.rsplit_once(':') {
        // `library:rearc` has a colon of its own.
        Some((source, name)) if source != "library" && is_source(source) => (source, Some(name)),
        _ if is_source(spec) => (spec, None),
        _ => (library, Some(spec)),
    };
    let loaded = Library::load(&session.catalog, &[source.to_owned()], &mut io::stdin().lock())?;
    match name {
        Some(name) => named(session, &loaded, name, source),
        None => only(session, loaded, source),
    }
}

fn named(session: &Session<'_>, library: &Library, name: &str, source: &str) -> Result<Entry> {
    if let Some(entry) = library.find(name) {
        return Ok(entry.clone());
    }
    report(session, library, false);
    let names = library.programs.iter().flat_map(|e| [e.program.name.as_str(), e.task.as_str()]);
    let near =
        nearest(name, names).map(|near| format!(", the nearest is `{near}`")).unwrap_or_default();
    bail!(
        "no program `{}` in {}{near}; name a file with FILE.py:NAME or a library with --programs",
        visible(name),
        visible(source)
    )
}

/// The program of a source that holds just one.
pub(crate) fn only(session: &Session<'_>, mut library: Library, source: &str) -> Result<Entry> {
    let source = visible(source);
    match (library.programs.len(), library.errors.as_slice()) {
        (0, []) => {
            bail!("{source}: no programs in it; a program is a function `def solve_TASK(I):`")
        }
        (0, [error]) => bail!("{error}"),
        (0, [error, more @ ..]) => bail!("{error} (and {} more errors)", more.len()),
        (1, _) => {
            report(session, &library, false);
            library.programs.pop().context("one program")
        }
        (n, _) => bail!(
            "{source}: {n} programs in it; choose one, as in {source}:{}",
            library.programs[0].program.name
        ),
    }
}
