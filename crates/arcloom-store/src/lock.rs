//! The lock of the one writer.
//!
//! A file beside the archive, locked as long as the archive is open for writing. The operating
//! system drops the lock with the process, however it ends, so there is nothing to clean up. The
//! file itself stays: removing it would let one process lock a file that another one no longer sees.
//!
//! The archive's own file cannot carry the lock: SQLite locks parts of it, and closing any other
//! handle of it would end those locks.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};

/// Held by the writer.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock of an archive, or says who has it.
    pub(crate) fn take(archive: &Path) -> Result<WriterLock> {
        let path = lock_path(archive);
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
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(refused)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // Without the number the message is still right.
                let _ = file.read_to_string(&mut text);
                let pid = text.trim().parse().ok();
                return Err(StoreError::Locked { path: archive.to_path_buf(), pid });
            }
            Err(TryLockError::Error(cause)) => return Err(refused(cause)),
        }
        // Only for messages: on a full disk the lock holds all the same.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = writeln!(file, "{}", std::process::id());
        Ok(WriterLock { _file: file })
    }
}

fn lock_path(archive: &Path) -> PathBuf {
    let mut name = OsString::from(archive);
    name.push(".lock");
    PathBuf::from(name)
}
