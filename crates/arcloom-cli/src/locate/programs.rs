//! Programs: a file, a folder, a library, an archive, one program of these, or a name or id alone.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arcloom::archive::{Access, Archive, Filter};
use arcloom::corpus::DataKind;
use arcloom::{Catalog, CorpusError, Entry, Library, nearest};

use super::{MOST, kind, tasks};
use crate::paint::visible;
use crate::session::Session;

/// What programs of an archive are named by, and how many of each task are taken: all would be
/// hundreds per task, most of which are of no use to another.
pub(crate) const ARCHIVE: &str = "archive:";
const OF_ARCHIVE: usize = 8;
/// Where a name is looked for first; libraries that are not there are passed over.
const LIBRARIES: &[&str] = &["library:embedded", "library:arc-dsl", "library:rearc"];
/// The archive that `evolve` makes, where an id is looked for last.
const USUAL_ARCHIVE: &str = "archive.db";

/// Loads programs and says on standard error what was wrong with the source.
pub(crate) fn programs(session: &Session<'_>, specs: &[String], verbose: bool) -> Result<Library> {
    let mut library = Library::default();
    for spec in specs {
        let found = load(&session.catalog, spec)?;
        library.programs.extend(found.programs);
        library.errors.extend(found.errors);
        library.warnings.extend(found.warnings);
        library.notes.extend(found.notes);
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

/// What is named, else the built-in programs.
pub(crate) fn programs_or_default(
    session: &Session<'_>,
    specs: &[String],
    verbose: bool,
    say: Option<&str>,
) -> Result<Library> {
    if !specs.is_empty() {
        return programs(session, specs, verbose);
    }
    let built_in = LIBRARIES[0];
    if let Some(how) = say {
        session.note(&format!("no programs named, taking {built_in}; {how}"));
    }
    programs(session, &[built_in.to_owned()], verbose)
}

/// One program.
pub(crate) fn program(session: &Session<'_>, spec: &str) -> Result<Entry> {
    only(session, load(&session.catalog, spec)?, spec)
}

fn load(catalog: &Catalog, spec: &str) -> Result<Library> {
    if let Some(rest) = spec.strip_prefix(ARCHIVE) {
        return archived(rest);
    }
    if let Some(other) = kind::not_programs(spec) {
        bail!(other);
    }
    let unknown = match read(catalog, spec) {
        Ok(library) => return Ok(library),
        Err(error @ (CorpusError::UnknownName { .. } | CorpusError::Missing { .. })) => error,
        Err(CorpusError::WrongKind { .. }) => {
            let name = visible(spec);
            bail!(
                "\"{name}\" names tasks, not programs; `arcloom solve {name}` solves them, `-t {name}` gives them to a command"
            )
        }
        Err(error) => return Err(error.into()),
    };
    // `library:rearc` has a colon of its own.
    if let Some((source, name)) = spec.rsplit_once(':').filter(|(source, _)| *source != "library")
        && (source == "-" || source.starts_with("library:") || Path::new(source).exists())
    {
        return named(read(catalog, source)?, name, source);
    }
    let is_name = matches!(unknown, CorpusError::UnknownName { .. }) && !spec.contains([':', '/']);
    if is_name { by_name(catalog, spec, unknown) } else { Err(unknown.into()) }
}

fn read(catalog: &Catalog, spec: &str) -> Result<Library, CorpusError> {
    Library::load(catalog, &[spec.to_owned()], &mut io::stdin().lock())
}

/// `FILE` or `FILE:ID`, with or without `archive:` before it.
pub(crate) fn split_archive(spec: &str) -> (&str, Option<&str>) {
    let spec = spec.strip_prefix(ARCHIVE).unwrap_or(spec);
    match spec.rsplit_once(':') {
        Some((path, id)) if !Path::new(spec).exists() => (path, Some(id)),
        _ => (spec, None),
    }
}

/// The best programs of each task of an archive, or one of them: `FILE`, `FILE:ID`.
fn archived(rest: &str) -> Result<Library> {
    let (path, id) = split_archive(rest);
    let archive = Archive::create_or_open(path, Access::Read)?;
    let records = match id {
        Some(id) => vec![archive.find_program(id)?],
        None => archive.programs(&Filter { best: Some(OF_ARCHIVE), ..Filter::default() })?,
    };
    let mut library = Library::default();
    for record in records {
        library.programs.push(Entry::new(record.program()?, path));
    }
    Ok(library)
}

/// A name or an id alone: looked up in all libraries at hand, then in the usual archive.
fn by_name(catalog: &Catalog, name: &str, unknown: CorpusError) -> Result<Library> {
    let usual = LIBRARIES.iter().map(|&library| library.to_owned());
    let mine = std::iter::once_with(|| tasks::registered(catalog, DataKind::Programs)).flatten();
    let (mut places, mut names) = (Vec::new(), Vec::new());
    for place in usual.chain(mine) {
        if places.contains(&place) {
            continue;
        }
        let Ok(library) = read(catalog, &place) else { continue };
        if library.find(name).is_some() {
            return named(library, name, &place);
        }
        let here = library.programs.into_iter();
        names.extend(here.flat_map(|entry| [entry.program.name, entry.task]));
        places.push(place);
    }
    let archive = PathBuf::from(USUAL_ARCHIVE);
    if archive.is_file() {
        let archive = Archive::create_or_open(&archive, Access::Read)?;
        if let Ok(record) = archive.find_program(name) {
            let mut library = Library::default();
            library.programs.push(Entry::new(record.program()?, USUAL_ARCHIVE));
            return Ok(library);
        }
        places.push(USUAL_ARCHIVE.to_owned());
    }
    match nearest(name, names.iter().map(String::as_str)) {
        None if name.len() > 40 => Err(unknown.into()),
        near => {
            let near = near.map_or(String::new(), |near| format!(", the nearest is `{near}`"));
            bail!(
                "no program `{}` in {}{near}; name a file as FILE.py or FILE.py:NAME",
                visible(name),
                places.join(", "),
            )
        }
    }
}

/// One program of a source.
fn named(library: Library, name: &str, source: &str) -> Result<Library> {
    if let Some(entry) = library.find(name) {
        let programs = vec![entry.clone()];
        return Ok(Library { programs, ..Library::default() });
    }
    let names = library.programs.iter().flat_map(|e| [e.program.name.as_str(), e.task.as_str()]);
    let near = nearest(name, names);
    let near = near.map_or(String::new(), |near| format!(", the nearest is `{near}`"));
    let source = visible(source);
    match library.errors.first() {
        Some(error) => bail!("no program `{}` in {source}{near}; {error}", visible(name)),
        None => bail!(
            "no program `{}` in {source}{near}; `arcloom show {source}` lists its programs",
            visible(name)
        ),
    }
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
