//! What can be wrong with an archive, and what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why an archive could not be opened, read or written. Never a reason to lose it: whatever was
/// committed before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing there to read.
    #[error(
        "{path}: there is no such archive; check the path, or make one with `arcloom archive import`"
    )]
    Missing { path: PathBuf },
    /// The folder it should go to is not there.
    #[error("{path}: there is no such folder; make it first")]
    NoFolder { path: PathBuf },
    /// Some other file.
    #[error("{path}: is not an arcloom archive ({reason}); check the path")]
    NotArchive { path: PathBuf, reason: &'static str },
    /// A file whose schema is not an archive's: opening it further could do anything.
    #[error(
        "{path}: has {what}, so it is not an archive as arcloom makes them and is not read; ask where it is from, or take out with `sqlite3` what you added yourself"
    )]
    Foreign { path: PathBuf, what: String },
    /// Made by a later arcloom.
    #[error(
        "{path}: has format {found}, and this arcloom knows formats up to {known}; use a newer arcloom"
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// Made by an earlier arcloom, and it cannot be brought up to date where it is.
    #[error(
        "{path}: has the older format {found} and cannot be brought up to date here ({reason}); copy it to where you may write and use the copy"
    )]
    Older { path: PathBuf, found: i64, reason: String },
    /// Someone else is writing.
    #[error("{path} is being written by another process{}; wait for it, or write to another archive and add it later: `arcloom archive -a FILE merge OTHER`, which also makes a copy to read", pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default())]
    Locked { path: PathBuf, pid: Option<u32> },
    /// One file with several names.
    #[error(
        "{path}: has {links} names (hard links), and writing it under one of them would damage it for the others; delete the other names, or work on a copy, made with `arcloom archive -a COPY merge FILE`"
    )]
    HardLinks { path: PathBuf, links: u64 },
    /// What is called like its lock file is something else.
    #[error(
        "{path}: cannot be locked, because {lock} is not a lock file of arcloom; give the archive another name"
    )]
    NotLock { path: PathBuf, lock: PathBuf },
    /// Not the file that was opened any more.
    #[error(
        "{path}: the archive was deleted, moved or replaced while it was being written, and nothing more can be stored in it; leave it in place while a command runs, and run the command again"
    )]
    Gone { path: PathBuf },
    /// The file or its folder may not be written.
    #[error("{path}: cannot be written ({reason}); check its permissions, or work on a copy")]
    ReadOnly { path: PathBuf, reason: String },
    /// The file may not be read.
    #[error(
        "{path}: cannot be read ({reason}); check its permissions; with a journal beside it (`-wal`) an archive can only be read in a folder that can be written: copy both"
    )]
    Unreadable { path: PathBuf, reason: String },
    /// No room. What was committed before is intact.
    #[error(
        "{path}: the disk is full; nothing of this step was stored and the archive is intact; free some space, or run `arcloom archive prune`"
    )]
    Full { path: PathBuf },
    /// The file's content is broken.
    #[error(
        "{path}: the archive is damaged ({detail}); restore a copy, or save what can be read with `sqlite3 FILE .recover`"
    )]
    Damaged { path: PathBuf, detail: String },
    /// The operating system refused.
    #[error(
        "{path}: {doing} failed ({cause}); what was stored before is intact; check the disk, its free space and the permissions"
    )]
    Io { path: PathBuf, doing: &'static str, cause: String },
    /// Anything else SQLite says.
    #[error("{path}: {doing} failed ({cause})")]
    Sql { path: PathBuf, doing: &'static str, cause: rusqlite::Error },
    /// A stored or given text is not the program it claims to be.
    #[error("program {id}: {problem}")]
    Program { id: String, problem: String },
    /// No program, run or task of this name.
    #[error("{path}: no {what} `{name}` in this archive{advice}")]
    Unknown { path: PathBuf, what: &'static str, name: String, advice: &'static str },
    /// Several programs have this name or begin like this.
    #[error(
        "`{prefix}` fits {count} programs; write more of the id, `arcloom archive list` shows it"
    )]
    Ambiguous { prefix: String, count: usize },
    /// A generation that is not the next one: a bug in whoever writes, or two writers of one run.
    #[error(
        "{path}: generation {given} was given where run {run} is at {next}; open the archive again and resume"
    )]
    Order { path: PathBuf, run: i64, given: u64, next: u64 },
    /// Opened for reading and asked to write.
    #[error("{path}: was opened for reading only")]
    Access { path: PathBuf },
    /// An archive with itself.
    #[error("{path}: is the archive itself; name another one")]
    Itself { path: PathBuf },
}

/// Short for the results of this crate.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Turns SQLite's errors into ours.
pub(crate) fn fault(path: &Path, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
    let path = path.to_path_buf();
    move |cause| {
        let path = path.clone();
        match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                StoreError::ReadOnly { path, reason: cause.to_string() }
            }
            Some(ErrorCode::NotADatabase) => {
                StoreError::NotArchive { path, reason: "not an SQLite file" }
            }
            Some(ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged { path, detail: cause.to_string() }
            }
            // Nobody else interrupts.
            Some(ErrorCode::OperationInterrupted) => StoreError::Damaged {
                path,
                detail: "reading it takes far more work than its size explains".to_owned(),
            },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Locked { path, pid: None }
            }
            Some(ErrorCode::SystemIoFailure) => {
                StoreError::Io { path, doing, cause: cause.to_string() }
            }
            _ => StoreError::Sql { path, doing, cause },
        }
    }
}
