//! Where data is kept, and what names mean there.
//!
//! Names work wherever a path does. A name wins over a file of the same name in the working folder;
//! `./arc1` always means the file. `NAME/SPLIT` and `PATH#SPLIT` choose one split.

use std::env;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::CorpusError;
use crate::load::{self, Part, load_parts, load_readable_tasks, load_tasks, split_name};
use crate::manifest::{
    EMBEDDED, EMBEDDED_LIBRARY, PUBLIC_SETS, PUBLIC_SPLITS, PublicSet, REARC, REARC_PATH,
};
use crate::name::{self, LIBRARY};
use crate::registry::Registry;
use crate::shape::Reading;
use crate::solvers::{SourceFile, Sources, load_programs, read_stream};
use crate::task::{GridLimits, TaskSet};

/// What loads the tasks of a path.
type Load = fn(&Path, Option<&str>, &GridLimits) -> Result<TaskSet, CorpusError>;

/// The user's data folder and the names in it.
///
/// Opening one touches no file, so that what is built in works on a machine without a home folder.
#[derive(Debug, Clone)]
pub struct Catalog {
    dir: Option<PathBuf>,
    limits: GridLimits,
}

impl Catalog {
    /// The catalogue in `dir`, or else in `$ARCLOOM_DATA_DIR`, `$XDG_DATA_HOME/arcloom` or
    /// `$HOME/.local/share/arcloom`.
    pub fn open(dir: Option<PathBuf>) -> Catalog {
        let dir = dir.or_else(|| default_dir(|key| env::var_os(key)));
        Catalog { dir, limits: GridLimits::default() }
    }

    /// The same catalogue, loading task files with these limits.
    pub fn with_limits(mut self, limits: GridLimits) -> Catalog {
        self.limits = limits;
        self
    }

    /// The limits that task files are loaded with.
    pub fn limits(&self) -> &GridLimits {
        &self.limits
    }

    /// The data folder, which need not exist yet.
    pub fn dir(&self) -> Result<&Path, CorpusError> {
        self.dir.as_deref().ok_or(CorpusError::NoDataDir)
    }

    /// The task set with this name or path, such as `arc1/training`, `embedded`, `tasks/`,
    /// `arc-agi_test_challenges.json` or `combined.json#eval`.
    pub fn resolve_tasks(&self, spec: &str) -> Result<TaskSet, CorpusError> {
        self.resolve_tasks_with(spec, load_tasks)
    }

    /// Like [`Catalog::resolve_tasks`], for whoever must answer all tasks of a file: one that is malformed
    /// is passed over and noted in the set.
    pub fn resolve_readable_tasks(&self, spec: &str) -> Result<TaskSet, CorpusError> {
        self.resolve_tasks_with(spec, load_readable_tasks)
    }

    fn resolve_tasks_with(&self, spec: &str, load: Load) -> Result<TaskSet, CorpusError> {
        if spec == EMBEDDED {
            return Ok(TaskSet::new(EMBEDDED, embedded_part(&self.limits)?.1));
        }
        if spec.starts_with(LIBRARY) {
            return Err(wrong_kind(spec, "programs", "tasks"));
        }
        if let Some((set, split)) = public_set(spec) {
            let path = self.public_path(spec, set.path)?;
            return Ok(TaskSet { name: spec.to_owned(), ..load(&path, split, &self.limits)? });
        }
        let found = path_and_split(spec);
        let registry = self.registry_or_empty(found.is_some())?;
        if let Some((path, split)) = registered(&registry, spec) {
            return Ok(TaskSet { name: spec.to_owned(), ..load(path, split, &self.limits)? });
        }
        match found {
            Some((path, split)) => load(path, split, &self.limits),
            None => Err(unknown(spec, &registry, &["json"])),
        }
    }

    /// The solver files with this name or path, such as `library:rearc`, `solvers.py` or a folder.
    /// `-` reads `stdin`, whatever the caller gives as that.
    pub fn resolve_programs(
        &self,
        spec: &str,
        stdin: &mut dyn Read,
    ) -> Result<Sources, CorpusError> {
        let one = |file| Sources { files: vec![file], ..Sources::default() };
        if spec == "-" {
            return Ok(one(read_stream(stdin)?));
        }
        if spec == EMBEDDED_LIBRARY {
            let bytes = crate::embedded::programs().as_bytes().to_vec();
            return Ok(one(SourceFile { name: EMBEDDED_LIBRARY.to_owned(), path: None, bytes }));
        }
        if spec == REARC {
            let mut sources = load_programs(&self.public_path(spec, REARC_PATH)?)?;
            sources.files.iter_mut().for_each(|file| file.name = REARC.to_owned());
            return Ok(sources);
        }
        let registry = self.registry_or_empty(Path::new(spec).exists())?;
        if let Some(path) = registry.entries.get(spec).filter(|_| spec.starts_with(LIBRARY)) {
            return load_programs(path);
        }
        if !spec.starts_with(LIBRARY) {
            let path = Path::new(spec);
            if path.exists() {
                return load_programs(path);
            }
            if name::is_reserved(spec) || registered(&registry, spec).is_some() {
                return Err(wrong_kind(spec, "tasks", "programs"));
            }
        }
        Err(unknown(spec, &registry, &["py"]))
    }

    /// The registered names; none when there is nowhere to keep them.
    pub(crate) fn registry(&self) -> Result<Registry, CorpusError> {
        self.dir.as_deref().map_or_else(|| Ok(Registry::empty()), Registry::read)
    }

    /// A damaged registry does not keep anyone from using a path that exists.
    fn registry_or_empty(&self, is_path: bool) -> Result<Registry, CorpusError> {
        self.registry().or_else(|error| if is_path { Ok(Registry::empty()) } else { Err(error) })
    }

    /// The parts of a file or folder, loaded with the catalogue's limits.
    pub(crate) fn parts(&self, path: &Path) -> Result<Vec<Part>, CorpusError> {
        load_parts(path, None, &Reading::strict(&self.limits))
    }

    fn public_path(&self, name: &str, path: &str) -> Result<PathBuf, CorpusError> {
        let path = self.dir()?.join(path);
        if path.exists() { Ok(path) } else { Err(CorpusError::NotPulled { name: name.to_owned() }) }
    }
}

/// The built-in tasks.
pub(crate) fn embedded_part(limits: &GridLimits) -> Result<Part, CorpusError> {
    let parts =
        load::parse_parts(crate::embedded::tasks_json().as_bytes(), Path::new(EMBEDDED), limits)?;
    Ok((None, parts.into_iter().flat_map(|(_, tasks)| tasks).collect()))
}

/// The public set that a name means, and the split in it. Splits it does not have are not its names.
fn public_set(spec: &str) -> Option<(&'static PublicSet, Option<&str>)> {
    let (base, split) = match spec.split_once('/') {
        Some((base, split)) => (base, Some(split)),
        None => (spec, None),
    };
    let has_split = split.is_none_or(|split| PUBLIC_SPLITS.contains(&split_name(split)));
    PUBLIC_SETS.iter().find(|set| set.name == base && has_split).map(|set| (set, split))
}

/// Where a registered name leads: the whole name, or its last part as a split.
fn registered<'a>(registry: &'a Registry, spec: &'a str) -> Option<(&'a Path, Option<&'a str>)> {
    if let Some(path) = registry.entries.get(spec) {
        return Some((path, None));
    }
    let (base, split) = spec.rsplit_once('/')?;
    registry.entries.get(base).map(|path| (path.as_path(), Some(split)))
}

/// `PATH` or `PATH#SPLIT`, when the path exists.
fn path_and_split(spec: &str) -> Option<(&Path, Option<&str>)> {
    if Path::new(spec).exists() {
        return Some((Path::new(spec), None));
    }
    let (path, split) = spec.rsplit_once('#')?;
    Path::new(path).exists().then(|| (Path::new(path), Some(split)))
}

/// What to say about something that is neither a name nor a path.
fn unknown(spec: &str, registry: &Registry, extensions: &[&str]) -> CorpusError {
    let path = Path::new(spec.split('#').next().unwrap_or(spec));
    let has_extension = extensions.iter().any(|ext| crate::disk::has_extension(path, ext));
    let meant_as_path =
        has_extension || spec.starts_with(['.', '/', '~', '\\']) || spec.ends_with('/');
    if meant_as_path {
        return CorpusError::Missing { path: path.to_path_buf() };
    }
    let nearest = name::nearest(spec, &name::all(registry.entries.keys()));
    CorpusError::UnknownName { name: spec.to_owned(), nearest }
}

fn wrong_kind(name: &str, found: &'static str, wanted: &'static str) -> CorpusError {
    CorpusError::WrongKind { name: name.to_owned(), found, wanted }
}

/// The data folder that the environment asks for.
fn default_dir(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |key: &str| var(key).filter(|value| !value.is_empty()).map(PathBuf::from);
    path("ARCLOOM_DATA_DIR")
        // The XDG rules say to ignore a relative path.
        .or_else(|| {
            path("XDG_DATA_HOME").filter(|dir| dir.is_absolute()).map(|dir| dir.join("arcloom"))
        })
        .or_else(|| path("HOME").map(|home| home.join(".local/share/arcloom")))
        .or_else(|| path("LOCALAPPDATA").map(|dir| dir.join("arcloom")))
}

#[cfg(test)]
mod tests;
