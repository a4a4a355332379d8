//! The lock of the one writer.
//!
//! A file beside the archive, locked as long as the archive is open for writing. The operating
//! system drops the lock with the process, however it ends. The file itself is removed at a clean end,
//! while it is still locked. Whoever opened it before that and locks it after finds that the path leads
//! to another file, or to none, and takes the lock anew. After a crash the file stays, and means nothing.
//!
//! It is beside the file itself, wherever the path led through links, so that all paths of an archive
//! have one lock. The archive's own file cannot carry the lock: SQLite locks parts of it, and closing any
//! other handle of it would end those locks.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Result, StoreError};
use crate::place::{Identity, identity};

/// Longer than any process number with its line end.
const LONGEST: u64 = 32;
/// How often a lock file that somebody removes meanwhile is made again.
const ATTEMPTS: usize = 10;
/// How long, in all, a reader may be in the way that only looks who has the lock.
const LOOKING: Duration = Duration::from_millis(50);

/// Held by the writer.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
    path: PathBuf,
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Elsewhere a file that is open cannot be removed, or only looks as if it were.
        if !cfg!(unix) {
            return;
        }
        let own = self.file.metadata().map(|meta| Identity::of(&meta)).ok();
        // Not that of a writer who came after somebody removed this one.
        if own.is_some() && identity(&self.path).ok().flatten() == own {
            // In a folder that cannot be written any more it stays.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl WriterLock {
    /// Takes the lock of an archive, given its path and its file, or says who has it.
    pub(crate) fn take(archive: &Path, file: &Path) -> Result<WriterLock> {
        let path = lock_path(file);
        let refused = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::NotFound => StoreError::NoFolder {
                path: archive.parent().unwrap_or(Path::new("")).to_path_buf(),
            },
            std::io::ErrorKind::StorageFull => StoreError::Full { path: archive.to_path_buf() },
            _ => StoreError::ReadOnly {
                path: archive.to_path_buf(),
                reason: format!("{}: {cause}", path.display()),
            },
        };
        let foreign = || StoreError::NotLock { path: archive.to_path_buf(), lock: path.clone() };
        for _ in 0..ATTEMPTS {
            if std::fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                return Err(foreign());
            }
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(refused)?;
            let begun = Instant::now();
            let mut locked = file.try_lock();
            while matches!(locked, Err(TryLockError::WouldBlock)) && begun.elapsed() < LOOKING {
                std::thread::sleep(LOOKING / 10);
                locked = file.try_lock();
            }
            let mut text = Vec::new();
            // Without the number the message is still right.
            let _ = (&file).take(LONGEST).read_to_end(&mut text);
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let pid = str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok());
                    return Err(StoreError::Locked { path: archive.to_path_buf(), pid });
                }
                Err(TryLockError::Error(cause)) => return Err(refused(cause)),
            }
            // `Cargo.lock` beside an archive called `Cargo` is not ours to write.
            if !text.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) {
                return Err(foreign());
            }
            // Between opening and locking it may have been removed, and another writer have a new one.
            let own = file.metadata().map(|meta| Identity::of(&meta)).ok();
            if identity(&path).ok().flatten() != own {
                continue;
            }
            // Only for messages: on a full disk the lock holds all the same.
            let _ = file.set_len(0);
            let _ = file.rewind();
            let _ = writeln!(file, "{}", std::process::id());
            return Ok(WriterLock { file, path });
        }
        Err(StoreError::Locked { path: archive.to_path_buf(), pid: None })
    }
}

/// The process that has the lock of an archive's file, as far as it can be told: `None` when nobody has.
pub(crate) fn holder(file: &Path) -> Option<Option<u32>> {
    let file = File::open(lock_path(file)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {
            let mut text = Vec::new();
            let _ = (&file).take(LONGEST).read_to_end(&mut text);
            Some(str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok()))
        }
        _ => None,
    }
}

fn lock_path(archive: &Path) -> PathBuf {
    let mut name = OsString::from(archive);
    name.push(".lock");
    PathBuf::from(name)
}
