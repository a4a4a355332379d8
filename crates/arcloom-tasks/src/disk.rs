//! Reading with a limit, writing all or nothing, and one writer at a time.
//!
//! A file under its final name is complete: it is written beside that name, flushed to disk, then
//! renamed. What an interrupted run leaves behind is called `.tmp-*` and removed by the next one.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::CorpusError;

const TEMP_PREFIX: &str = ".tmp-";

/// The bytes of a file that may have at most `limit`; a pipe is read as well.
pub(crate) fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, CorpusError> {
    let fail = |cause| CorpusError::reading(path, cause);
    let too_large = || CorpusError::TooLarge { path: path.to_path_buf(), limit };
    let meta = fs::metadata(path).map_err(fail)?;
    if meta.is_dir() {
        return Err(CorpusError::IsFolder { path: path.to_path_buf() });
    }
    if meta.len() > limit {
        return Err(too_large());
    }
    let file = File::open(path).map_err(fail)?;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    // The length above is a hint only: pipes have none and files grow.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// Paths in a folder, ascending, without hidden ones.
pub(crate) fn entries(dir: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let fail = |cause| CorpusError::reading(dir, cause);
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// True when the file's name ends in `.ext`, in any case.
pub(crate) fn has_extension(path: &Path, ext: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ext))
}

/// Puts `bytes` under `path`, completely or not at all.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), CorpusError> {
    write_with(path, |file| file.write_all(bytes))
        .map_err(|cause| CorpusError::writing(path, cause))
}

fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let temp = Temp(dir.join(temp_name()));
    let mut file = File::options().write(true).create_new(true).open(&temp.0)?;
    fill(&mut file)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temp.0, path)?;
    // The rename itself survives a power cut only when the folder is flushed; not every system can.
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
    Ok(())
}

/// A temporary file or folder, removed when dropped if it is still there.
#[derive(Debug)]
pub(crate) struct Temp(pub(crate) PathBuf);

impl Temp {
    /// A new empty folder inside `dir`.
    pub(crate) fn folder(dir: &Path) -> Result<Temp, CorpusError> {
        let temp = Temp(dir.join(temp_name()));
        fs::create_dir(&temp.0).map_err(|cause| CorpusError::writing(&temp.0, cause))?;
        Ok(temp)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0).or_else(|_| fs::remove_dir_all(&self.0));
    }
}

fn temp_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    format!("{TEMP_PREFIX}{}-{nanos:x}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Held while a data folder is written; the system releases it when the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    /// False on file systems without locks, where renames alone keep files whole.
    exclusive: bool,
}

impl Lock {
    /// Makes the folder if needed and waits until nobody else writes it, saying so once.
    pub(crate) fn acquire(dir: &Path, waiting: &mut dyn FnMut()) -> Result<Lock, CorpusError> {
        fs::create_dir_all(dir).map_err(|cause| CorpusError::writing(dir, cause))?;
        let path = dir.join(".lock");
        let open = File::options().write(true).create(true).truncate(false).open(&path);
        let file = open.map_err(|cause| CorpusError::writing(&path, cause))?;
        let locked = match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock()
            }
            Err(TryLockError::Error(cause)) => Err(cause),
        };
        match locked {
            Ok(()) => Ok(Lock { _file: file, exclusive: true }),
            Err(cause) if cause.kind() == io::ErrorKind::Unsupported => {
                Ok(Lock { _file: file, exclusive: false })
            }
            Err(cause) => Err(CorpusError::writing(&path, cause)),
        }
    }

    /// Removes what interrupted runs left in this folder. Does nothing without a real lock, because
    /// the leftovers could then belong to a run that is under way.
    pub(crate) fn sweep(&self, dir: &Path) {
        if !self.exclusive {
            return;
        }
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMP_PREFIX) {
                drop(Temp(entry.path()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write_atomic(&path, b"old").unwrap();
        let failed = write_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        let error = CorpusError::writing(&path, failed.unwrap_err());
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["a.json"]);
    }

    #[test]
    fn leftovers_are_swept_and_other_files_are_not() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".tmp-1-a-0"), "half").unwrap();
        fs::create_dir(dir.path().join(".tmp-1-a-1")).unwrap();
        fs::write(dir.path().join(".tmp-1-a-1/wheel"), "half").unwrap();
        fs::write(dir.path().join("registry.json"), "{}").unwrap();
        Lock::acquire(dir.path(), &mut || {}).unwrap().sweep(dir.path());
        assert_eq!(names(dir.path()), [".lock", "registry.json"]);
    }

    #[test]
    fn a_second_writer_waits_for_the_first() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::acquire(dir.path(), &mut || {}).unwrap();
        std::thread::scope(|scope| {
            let (tell, told) = std::sync::mpsc::channel();
            let second = scope
                .spawn(|| Lock::acquire(dir.path(), &mut move || tell.send(()).unwrap()).is_ok());
            told.recv().unwrap();
            assert!(!second.is_finished());
            drop(first);
            assert!(second.join().unwrap());
        });
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big");
        File::create(&path).unwrap().set_len(51 << 20).unwrap();
        assert!(matches!(read_limited(&path, 50 << 20), Err(CorpusError::TooLarge { .. })));
        assert_eq!(read_limited(&path, 51 << 20).unwrap().len(), 51 << 20);
        assert!(matches!(read_limited(dir.path(), 9), Err(CorpusError::IsFolder { .. })));
        assert!(matches!(read_limited(&path.join("x"), 9), Err(CorpusError::Missing { .. })));
    }
}
