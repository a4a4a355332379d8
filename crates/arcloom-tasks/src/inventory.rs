//! What a catalogue holds: listing it, checking it, and registering names in it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::catalog::{Catalog, embedded_part};
use crate::disk::{Lock, has_extension};
use crate::error::CorpusError;
use crate::load::{Part, split_name};
use crate::manifest::{
    self, EMBEDDED, EMBEDDED_LIBRARY, PUBLIC_SETS, PUBLIC_SPLITS, REARC, REARC_PATH, WHEELS,
};
use crate::name::{self, LIBRARY};
use crate::solvers::{SourceFile, Sources, load_programs};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// A set of tasks.
    Tasks,
    /// Solver files.
    Programs,
}

/// Whether a name can be used now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It loads.
    Ready,
    /// `arcloom data pull` would fetch it.
    NotPulled,
    /// It does not load; why, in one line.
    Broken(String),
}

/// One name of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What to type.
    pub name: String,
    /// Tasks or programs.
    pub kind: DataKind,
    /// Number of tasks, or of `def` lines at the margin of the programs.
    pub count: usize,
    /// Size of the file or files behind it; splits of one file all show its size.
    pub bytes: u64,
    /// Where it comes from: `built in`, a package and its version, or the registered path.
    pub source: String,
    /// Whether it can be used now.
    pub status: Status,
}

/// Condition of one file or registered name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The name as registered, or the file's path in the data folder.
    pub name: String,
    /// What was found.
    pub health: Health,
}

/// What [`Catalog::verify`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// Size and hash are those published; a registered name loads.
    Good,
    /// Not there; `arcloom data pull` would fetch it.
    Absent,
    /// Not what it should be; why, in one line.
    Bad(String),
}

/// What [`Catalog::add`] registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedData {
    /// The names that now work: the name itself, then its splits.
    pub names: Vec<String>,
    /// The absolute path they lead to.
    pub path: PathBuf,
    /// Number of tasks or of solver files.
    pub count: usize,
    /// Where the name led before.
    pub replaced: Option<PathBuf>,
}

impl Catalog {
    /// Everything that has a name: built in, public, registered.
    pub fn list(&self) -> Result<Vec<Listed>, CorpusError> {
        let mut rows = Vec::new();
        let tasks = embedded_part(self.limits())?.1.len();
        let (json, text) = (crate::embedded::tasks_json(), crate::embedded::programs());
        rows.push(ready(EMBEDDED, DataKind::Tasks, tasks, json.len() as u64, "built in"));
        let defs = count_defs(text.as_bytes());
        rows.push(ready(EMBEDDED_LIBRARY, DataKind::Programs, defs, text.len() as u64, "built in"));
        for set in PUBLIC_SETS {
            let source = manifest::package_of(set.path);
            match self.dir().ok().map(|dir| dir.join(set.path)).filter(|path| path.exists()) {
                Some(path) => rows.extend(self.list_tasks(set.name, &path, source)),
                None => rows.extend(PUBLIC_SPLITS.map(|split| {
                    let name = format!("{}/{split}", set.name);
                    Listed {
                        status: Status::NotPulled,
                        ..ready(&name, DataKind::Tasks, 0, 0, source)
                    }
                })),
            }
        }
        let source = manifest::package_of(REARC_PATH);
        rows.push(
            match self.dir().ok().map(|dir| dir.join(REARC_PATH)).filter(|path| path.exists()) {
                Some(path) => list_programs(REARC, &path, source),
                None => Listed {
                    status: Status::NotPulled,
                    ..ready(REARC, DataKind::Programs, 0, 0, source)
                },
            },
        );
        for (name, path) in self.registry()?.entries {
            let source = path.display().to_string();
            if name.starts_with(LIBRARY) {
                rows.push(list_programs(&name, &path, &source));
            } else {
                rows.extend(self.list_tasks(&name, &path, &source));
            }
        }
        Ok(rows)
    }

    /// Checks every public file against its published hash and every registered name by loading it.
    pub fn verify(&self) -> Result<Vec<Check>, CorpusError> {
        let dir = self.dir()?;
        let mut checks = Vec::new();
        for member in WHEELS.iter().flat_map(|wheel| wheel.members) {
            checks.push(Check { name: member.path.to_owned(), health: member.health(dir) });
        }
        for (name, path) in self.registry()?.entries {
            let loaded = if name.starts_with(LIBRARY) {
                load_programs(&path).map(drop)
            } else {
                self.parts(&path).map(drop)
            };
            let health =
                loaded.map_or_else(|error| Health::Bad(error.to_string()), |()| Health::Good);
            checks.push(Check { name, health });
        }
        Ok(checks)
    }

    /// Registers a local file or folder under a name, after loading it once: programs when the name
    /// starts with `library:`, tasks otherwise. A name registered before is replaced.
    pub fn add(&self, name: &str, path: &Path) -> Result<AddedData, CorpusError> {
        name::check_new(name)?;
        let path = path.canonicalize().map_err(|cause| CorpusError::reading(path, cause))?;
        let (names, count) = if name.starts_with(LIBRARY) {
            (vec![name.to_owned()], load_programs(&path)?.files.len())
        } else if has_extension(&path, "py") {
            let problem = "leads to programs; put `library:` in front of the name";
            return Err(CorpusError::BadName { name: name.to_owned(), problem });
        } else {
            let parts = self.parts(&path)?;
            let mut names = vec![name.to_owned()];
            names.extend(parts.iter().map(|part| part_name(name, part)));
            names.dedup();
            (names, parts.iter().map(|(_, tasks)| tasks.len()).sum())
        };
        let dir = self.dir()?;
        let _lock = Lock::acquire(dir, &mut || {})?;
        let mut registry = self.registry()?;
        let replaced = registry.entries.insert(name.to_owned(), path.clone());
        registry.write(dir)?;
        Ok(AddedData { names, path, count, replaced })
    }

    /// Forgets a registered name; the files it led to stay.
    pub fn remove(&self, name: &str) -> Result<PathBuf, CorpusError> {
        let bad = |problem| CorpusError::BadName { name: name.to_owned(), problem };
        if name::is_reserved(name) {
            return Err(bad("is the name of built-in or public data and cannot be removed"));
        }
        let dir = self.dir()?;
        let _lock = Lock::acquire(dir, &mut || {})?;
        let mut registry = self.registry()?;
        let path = registry
            .entries
            .remove(name)
            .ok_or_else(|| bad("is not a registered name; `arcloom data list` shows them"))?;
        registry.write(dir)?;
        Ok(path)
    }

    /// One row per split, or one for a set without splits.
    fn list_tasks(&self, name: &str, path: &Path, source: &str) -> Vec<Listed> {
        match self.parts(path) {
            Ok(parts) => {
                let bytes = disk_size(path);
                let row = |part: &Part| {
                    ready(&part_name(name, part), DataKind::Tasks, part.1.len(), bytes, source)
                };
                parts.iter().map(row).collect()
            }
            Err(error) => vec![broken(name, DataKind::Tasks, source, &error)],
        }
    }
}

/// What to type for one part.
fn part_name(name: &str, (split, _): &Part) -> String {
    split.as_ref().map_or_else(|| name.to_owned(), |split| format!("{name}/{}", split_name(split)))
}

fn list_programs(name: &str, path: &Path, source: &str) -> Listed {
    match load_programs(path) {
        Ok(Sources { files, .. }) => {
            let count = files.iter().map(|file: &SourceFile| count_defs(&file.bytes)).sum();
            let bytes = files.iter().map(|file| file.bytes.len() as u64).sum();
            ready(name, DataKind::Programs, count, bytes, source)
        }
        Err(error) => broken(name, DataKind::Programs, source, &error),
    }
}

fn ready(name: &str, kind: DataKind, count: usize, bytes: u64, source: &str) -> Listed {
    let (name, source) = (name.to_owned(), source.to_owned());
    Listed { name, kind, count, bytes, source, status: Status::Ready }
}

fn broken(name: &str, kind: DataKind, source: &str, error: &CorpusError) -> Listed {
    Listed { status: Status::Broken(error.to_string()), ..ready(name, kind, 0, 0, source) }
}

fn count_defs(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"def ")).count()
}

/// Size of a file, or of the files directly in a folder.
fn disk_size(path: &Path) -> u64 {
    let size = |path: &Path| {
        fs::metadata(path).map_or(0, |meta| if meta.is_file() { meta.len() } else { 0 })
    };
    if !path.is_dir() {
        return size(path);
    }
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| size(&entry.path())).sum()
}
