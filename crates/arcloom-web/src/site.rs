//! What the viewer shows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use arcloom::archive::{Access, Archive, ProgramRecord, StoreError, TaskId};
use arcloom::draw::Palette;
use arcloom::{Engine, Entry, ProgramId, Task, TaskSet};

use crate::failure::Failure;
use crate::standing::{Boards, Scope, Standings};

/// Everything the viewer is given.
pub struct Contents {
    /// Task sets, in the order they are listed.
    pub sets: Vec<TaskSet>,
    /// Programs from files.
    pub library: Vec<Entry>,
    /// An archive, which need not be there yet.
    pub archive: Option<PathBuf>,
    /// Further archives, whose runs are compared with those of the first.
    pub others: Vec<PathBuf>,
    /// Whether visitors may save programs into the archive.
    pub writable: bool,
    /// Runs programs.
    pub engine: Engine,
    /// Colours of cells for those who have not chosen others.
    pub palette: Palette,
}

/// What the viewer shows, with what is looked up in it.
pub struct Site {
    pub(crate) sets: Vec<TaskSet>,
    pub(crate) library: Vec<Entry>,
    pub(crate) store: Option<Store>,
    /// Further archives.
    pub(crate) others: Vec<Store>,
    pub(crate) writable: bool,
    pub(crate) engine: Engine,
    pub(crate) palette: Palette,
    /// Library programs by identity.
    by_id: BTreeMap<ProgramId, usize>,
    /// Tasks by what a solver may see of them: archives know tasks so.
    by_content: BTreeMap<TaskId, Vec<Place>>,
    standings: Standings,
}

/// A task: number of its set, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(pub(crate) usize, pub(crate) usize);

/// A program to show, and what is known of where it is from.
pub(crate) struct Shown {
    pub(crate) entry: Entry,
    pub(crate) id: ProgramId,
    /// From the archive; `None` for programs that are in a file only.
    pub(crate) record: Option<ProgramRecord>,
}

impl Site {
    /// The site of these contents. Library programs are run on their tasks, so that the first page
    /// can say how they do.
    pub fn new(contents: Contents) -> Site {
        let Contents { sets, library, archive, others, writable, engine, palette } = contents;
        let mut by_id = BTreeMap::new();
        for (n, entry) in library.iter().enumerate() {
            by_id.entry(entry.program.id()).or_insert(n);
        }
        let mut by_content: BTreeMap<TaskId, Vec<Place>> = BTreeMap::new();
        for (s, set) in sets.iter().enumerate() {
            for (t, task) in set.tasks.iter().enumerate() {
                by_content.entry(task.visible_id()).or_default().push(Place(s, t));
            }
        }
        let store = archive.map(Store::new);
        let standings = Standings::default();
        let others = others.into_iter().map(Store::new).collect();
        let writable = writable && store.is_some();
        let mut site = Site {
            sets,
            library,
            store,
            others,
            writable,
            engine,
            palette,
            by_id,
            by_content,
            standings,
        };
        site.standings = Standings::of_library(&site);
        site
    }

    /// The task at a place.
    pub(crate) fn task(&self, place: Place) -> &Task {
        &self.sets[place.0].tasks[place.1]
    }

    /// A task by id, in the set of this name or in the first that has it.
    pub(crate) fn find_task(&self, id: &str, set: Option<&str>) -> Option<Place> {
        let sets = self.sets.iter().enumerate();
        let mut named = sets.filter(|(_, known)| set.is_none_or(|set| known.name == set));
        named.find_map(|(s, set)| {
            let at = set.tasks.binary_search_by(|task| task.id.as_str().cmp(id)).ok()?;
            Some(Place(s, at))
        })
    }

    /// Where a task of an archive is.
    pub(crate) fn places(&self, task: TaskId) -> &[Place] {
        self.by_content.get(&task).map_or(&[], Vec::as_slice)
    }

    /// A program by the beginning of its identity, or by its name. Names are looked up among the
    /// files' first: in an archive a task's name is that of hundreds.
    pub(crate) fn program(&self, name: &str) -> Result<Shown, Failure> {
        let hex = name.len() >= 8 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let begins = |id: &ProgramId| hex && id.to_string().starts_with(name);
        let by_id = self.by_id.iter().find(|(id, _)| begins(id)).map(|(_, n)| *n);
        let named = || {
            let is = |entry: &Entry| entry.program.name == name || entry.task == name;
            self.library.iter().position(is)
        };
        if let Some(n) = by_id.or_else(named) {
            let entry = self.library[n].clone();
            let id = entry.program.id();
            let record = self.with_archive(|archive| archive.program(id))?.flatten();
            return Ok(Shown { id, entry, record });
        }
        match self.with_archive(|archive| archive.find_program(name))? {
            Some(record) => {
                let entry = Entry::new(record.program()?, &record.source);
                Ok(Shown { id: record.id, entry, record: Some(record) })
            }
            None => Err(Failure::Missing(format!(
                "There is no program `{name}` among the loaded ones, and no archive."
            ))),
        }
    }

    /// Reads the archive, if there is one by now.
    pub(crate) fn with_archive<R>(
        &self,
        read: impl FnOnce(&Archive) -> Result<R, StoreError>,
    ) -> Result<Option<R>, Failure> {
        self.with_store(self.store.as_ref(), read)
    }

    /// The same for one of several archives: the first is number 0.
    pub(crate) fn with_archive_number<R>(
        &self,
        number: usize,
        read: impl FnOnce(&Archive) -> Result<R, StoreError>,
    ) -> Result<Option<R>, Failure> {
        self.with_store(self.stores().nth(number), read)
    }

    /// All archives.
    pub(crate) fn stores(&self) -> impl Iterator<Item = &Store> {
        self.store.iter().chain(&self.others)
    }

    fn with_store<R>(
        &self,
        store: Option<&Store>,
        read: impl FnOnce(&Archive) -> Result<R, StoreError>,
    ) -> Result<Option<R>, Failure> {
        let Some(store) = store else { return Ok(None) };
        match store.with(read) {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// How every task stands.
    pub(crate) fn boards(&self) -> Result<Boards, Failure> {
        self.standings.now(self)
    }

    /// The scope for visitors who have not chosen one: what an archive hands in, where there is one.
    pub(crate) fn usual_scope(&self) -> Scope {
        match self.store.as_ref().is_some_and(|store| store.path.exists()) {
            true => Scope::Archive,
            false => Scope::Library,
        }
    }
}

/// An archive that other processes may write, replace or remove at any moment.
pub(crate) struct Store {
    path: PathBuf,
    /// Open readers that nobody uses, with the file they are of.
    idle: Mutex<Vec<(FileMark, Archive)>>,
}

/// Which file it is, whatever is in it.
type FileMark = Option<u64>;
/// What is in the file, as far as its outside tells.
pub(crate) type Stamp = [(Option<std::time::SystemTime>, u64); 2];

/// Most readers kept open: each holds two megabytes of pages.
const KEPT: usize = 4;

impl Store {
    fn new(path: PathBuf) -> Store {
        Store { path, idle: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Changes whenever something is written: time and length of the file and of its journal.
    pub(crate) fn stamp(&self) -> Stamp {
        // The journal is beside the file itself, wherever a link to it is.
        let file = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let mut journal = file.clone().into_os_string();
        journal.push("-wal");
        [file.as_path(), Path::new(&journal)].map(|path| {
            let meta = std::fs::metadata(path).ok();
            (meta.as_ref().and_then(|m| m.modified().ok()), meta.map_or(0, |m| m.len()))
        })
    }

    fn with<R>(
        &self,
        read: impl FnOnce(&Archive) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let mark = mark(&self.path);
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = {
            let mut idle = lock();
            idle.retain(|(of, _)| *of == mark);
            idle.pop()
        };
        let archive = match found {
            Some((_, archive)) => archive,
            None => Archive::create_or_open(&self.path, Access::Read)?,
        };
        let result = read(&archive);
        let mut idle = lock();
        if idle.len() < KEPT && result.is_ok() {
            idle.push((mark, archive));
        }
        result
    }
}

#[cfg(unix)]
fn mark(path: &Path) -> FileMark {
    std::fs::metadata(path).ok().map(|meta| std::os::unix::fs::MetadataExt::ino(&meta))
}

#[cfg(not(unix))]
fn mark(path: &Path) -> FileMark {
    // Open files cannot be replaced there.
    path.exists().then_some(0)
}
