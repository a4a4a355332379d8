//! Tasks: a set, a file, a folder, `SET/ID`, or an id that is looked up in all sets at hand.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use arcloom::archive::{Archive, task_sets};
use arcloom::corpus::{DataKind, Status};
use arcloom::{Catalog, Choice, CorpusError, Library, Task, TaskSet, nearest};

use super::{MOST, Reading, kind};
use crate::paint::visible;
use crate::session::Session;

/// Where an id is looked for first, in this order; sets that were not downloaded are passed over, and
/// registered ones come after them.
pub(crate) const USUAL: &[&str] =
    &["embedded", "arc1/training", "arc1/evaluation", "arc2/training", "arc2/evaluation"];

/// What something typed as tasks turned out to be.
pub(crate) enum Found {
    /// One task, and the set or file it is from.
    Task(Box<Task>, String),
    /// A set of them.
    Set(TaskSet),
}

impl Found {
    /// A file with one task is that task.
    fn of_set(mut set: TaskSet) -> Found {
        match set.tasks.as_mut_slice() {
            [_] if set.malformed.is_empty() => match set.tasks.pop() {
                Some(task) => Found::Task(Box::new(task), set.name),
                None => Found::Set(set),
            },
            _ => Found::Set(set),
        }
    }

    /// The tasks, however many.
    fn into_set(self) -> TaskSet {
        match self {
            Found::Task(task, name) => TaskSet::new(name, vec![*task]),
            Found::Set(set) => set,
        }
    }
}

/// All that is named as one set. Of tasks with the same id the first one counts.
pub(crate) fn tasks(catalog: &Catalog, specs: &[String], reading: Reading) -> Result<TaskSet> {
    let mut found = Vec::new();
    for spec in specs {
        found.push(find(catalog, spec, reading)?.into_set());
    }
    if let [_] = found.as_slice() {
        return Ok(found.remove(0));
    }
    let (mut names, mut tasks, mut malformed) = (Vec::<String>::new(), Vec::new(), Vec::new());
    for set in found {
        tasks.extend(set.tasks);
        malformed.extend(set.malformed);
        if !names.contains(&set.name) {
            names.push(set.name);
        }
    }
    let mut all = TaskSet::new(names.join(" + "), tasks);
    malformed.retain(|task| all.get(&task.id).is_none());
    all.malformed = malformed;
    Ok(all)
}

/// What is named, else the tasks that the programs are for, else the built-in ones.
pub(crate) fn tasks_or_default(
    session: &Session<'_>,
    specs: &[String],
    library: &Library,
    reading: Reading,
    say: Option<&str>,
) -> Result<TaskSet> {
    if !specs.is_empty() {
        return tasks(&session.catalog, specs, reading);
    }
    let (set, why) = match home(&session.catalog, library) {
        Some(set) if !library.programs.is_empty() => (set, "that the programs are for"),
        Some(set) => (set, "that are built in"),
        None => (session.catalog.resolve_tasks(USUAL[0])?, "that are built in"),
    };
    if let Some(how) = say {
        let name = visible(&set.name);
        session.note(&format!("no tasks named, taking those {why} ({name}); {how}"));
    }
    Ok(set)
}

/// Whether some set at hand has a task of these programs.
pub(crate) fn has_home(catalog: &Catalog, library: &Library) -> bool {
    home(catalog, library).is_some()
}

/// The first set at hand that has all tasks of these programs, else the one that has most of them.
/// `None` where no set has any.
fn home(catalog: &Catalog, library: &Library) -> Option<TaskSet> {
    let wanted: BTreeSet<&str> = library.programs.iter().map(|entry| entry.task.as_str()).collect();
    let mut best: Option<(usize, TaskSet)> = None;
    for name in at_hand(catalog) {
        let Ok(set) = catalog.resolve_tasks(&name) else { continue };
        let here = wanted.iter().filter(|id| set.get(id).is_some()).count();
        if here == wanted.len() {
            return Some(set);
        }
        if here > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((here, set));
        }
    }
    best.map(|(_, set)| set)
}

/// The sets that an id is looked up in, in order. Registered ones are listed only when asked for.
fn at_hand(catalog: &Catalog) -> impl Iterator<Item = String> {
    let usual = USUAL.iter().map(|&name| name.to_owned());
    usual.chain(std::iter::once_with(|| registered(catalog, DataKind::Tasks)).flatten())
}

/// Names beyond those that everybody has.
pub(super) fn registered(catalog: &Catalog, kind: DataKind) -> Vec<String> {
    let rows = catalog.list().unwrap_or_default().into_iter();
    let mine = rows.filter(|row| row.kind == kind && row.status == Status::Ready);
    mine.map(|row| row.name).filter(|name| !USUAL.contains(&name.as_str())).collect()
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
        specs => Ok(vec![tasks(catalog, specs, Reading::Strict)?]),
    }
}

/// One task.
pub(crate) fn task(catalog: &Catalog, spec: &str) -> Result<Task> {
    match task_or_set(catalog, spec)? {
        Found::Task(task, _) => Ok(*task),
        Found::Set(set) => bail!(
            "{} holds {} tasks; choose one of them: `{}/{}`",
            visible(spec),
            set.tasks.len(),
            visible(spec),
            set.tasks.first().map_or("ID", |task| &task.id)
        ),
    }
}

/// A task, or a set of them.
pub(crate) fn task_or_set(catalog: &Catalog, spec: &str) -> Result<Found> {
    find(catalog, spec, Reading::Strict)
}

fn find(catalog: &Catalog, spec: &str, reading: Reading) -> Result<Found> {
    let load = |spec: &str| match reading {
        Reading::Strict => catalog.resolve_tasks(spec),
        Reading::Lenient => catalog.resolve_readable_tasks(spec),
    };
    let unknown = match load(spec) {
        Ok(set) => return Ok(Found::of_set(set)),
        Err(error @ (CorpusError::UnknownName { .. } | CorpusError::NoSplit { .. })) => error,
        Err(error) => match kind::not_tasks(spec) {
            Some(other) => bail!(other),
            None => return Err(error.into()),
        },
    };
    if let Some(other) = kind::not_tasks(spec) {
        bail!(other);
    }
    if let Some((base, id)) = spec.rsplit_once('/') {
        return match load(base) {
            Ok(set) => of_set(set, id),
            Err(error @ CorpusError::NotPulled { .. }) => Err(error.into()),
            Err(_) => Err(unknown.into()),
        };
    }
    let mut known = Vec::new();
    for name in at_hand(catalog) {
        match load(&name) {
            Ok(set) if set.get(spec).is_some() => return of_set(set, spec),
            Ok(set) => known.push(set),
            Err(_) => {}
        }
    }
    Err(not_found(spec, &known, &unknown))
}

/// One task of a set.
fn of_set(mut set: TaskSet, id: &str) -> Result<Found> {
    if let Some(task) = set.malformed.iter().find(|task| task.id == id) {
        bail!("{}", task.problem);
    }
    match set.tasks.iter().position(|task| task.id == id) {
        Some(place) => Ok(Found::Task(Box::new(set.tasks.swap_remove(place)), set.name)),
        None => {
            let near = nearest(id, set.tasks.iter().map(|task| task.id.as_str()));
            let near = near.map_or(String::new(), |near| format!(", the nearest is `{near}`"));
            let (id, set) = (visible(id), visible(&set.name));
            bail!("no task `{id}` in {set}{near}; `arcloom show {set}` lists its tasks")
        }
    }
}

/// A word that is neither a name, nor a path, nor an id.
fn not_found(spec: &str, known: &[TaskSet], unknown: &CorpusError) -> anyhow::Error {
    let ids = known.iter().flat_map(|set| &set.tasks).map(|task| task.id.as_str());
    let near = nearest(spec, ids);
    // Something like a name is one that is not there; something like an id is none of these sets.
    let is_hex = spec.len() == 8 && spec.bytes().all(|byte| byte.is_ascii_hexdigit());
    if near.is_none()
        && !is_hex
        && let CorpusError::UnknownName { nearest: names, .. } = unknown
        && nearest(spec, names.iter().map(String::as_str)).is_some()
    {
        return anyhow::anyhow!("{unknown}");
    }
    let names: Vec<&str> = known.iter().map(|set| set.name.as_str()).collect();
    let mut text = format!("no task `{}` in {}", visible(spec), names.join(", "));
    if let Some(near) = near {
        let _ = write!(text, ", the nearest is `{near}`");
    }
    text.push_str("; `arcloom show` lists the built-in tasks");
    if known.len() < USUAL.len() {
        text.push_str(", `arcloom data pull` downloads the public sets");
    }
    anyhow::anyhow!(text)
}
