//! What can go wrong with files from elsewhere, each as one line for the person who gave the file.
//!
//! Every message says what is wrong, where, and what to do. None carries a `source`: the cause is
//! part of the line already, and a caller that prints error chains would say it twice.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// Why a task set or a solver file could not be read, named or fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The user's path leads nowhere.
    #[error("{}: no such file or folder; check the path", show(path))]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// The file is there but the system does not let us read it.
    #[error("{}: cannot be read ({cause}); check its permissions", show(path))]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A folder where one file is meant.
    #[error("{}: is a folder where a file is meant; name a file inside it", show(path))]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The file is larger than this kind of file is allowed to be.
    #[error("{}: over the limit of {} MB for such a file; split it", show(path), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// A folder of programs holds more than is reasonable to load at once.
    #[error("{}: programs of over {} MB in one folder; give a smaller folder", show(path), limit >> 20)]
    FolderTooLarge {
        /// The folder.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// A task file that is not text.
    #[error("{}:{line}:{column}: not UTF-8 text; save the file as UTF-8", show(path))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Line from 1.
        line: usize,
        /// Column from 1.
        column: usize,
    },
    /// A task file that is not JSON.
    #[error("{}:{line}:{column}: {problem}", show(path))]
    Json {
        /// The file.
        path: PathBuf,
        /// Line from 1.
        line: usize,
        /// Column from 1.
        column: usize,
        /// What is wrong there and what to do.
        problem: String,
    },
    /// JSON that is not a task, or a grid outside the limits.
    #[error("{}: {place}{}{problem}", show(path), if place.is_empty() { "" } else { ": " })]
    Content {
        /// The file.
        path: PathBuf,
        /// Task and part of it, such as ``task 00d62c1b: `train[2].output` row 3 (from 0)``.
        place: String,
        /// What is wrong there and what to do.
        problem: String,
    },
    /// A folder or file without what was asked for.
    #[error("{}: {what}", show(path))]
    Nothing {
        /// The file or folder.
        path: PathBuf,
        /// What is missing and what to do.
        what: String,
    },
    /// A split that the file or folder does not have.
    #[error("{}: no split {}; it has {}", show(path), quote(split), or_none(known))]
    NoSplit {
        /// The file or folder.
        path: PathBuf,
        /// The split asked for.
        split: String,
        /// The splits that are there.
        known: Vec<String>,
    },
    /// A name that is neither in the catalogue nor a path.
    #[error(
        "{}: no such name or path; nearest names: {}; `arcloom data list` shows all, `arcloom data pull` fetches the public sets",
        quote(name),
        or_none(nearest)
    )]
    UnknownName {
        /// The name as given.
        name: String,
        /// The most similar names, best first.
        nearest: Vec<String>,
    },
    /// A public set that was not fetched yet.
    #[error("{name} is not on this machine yet; run `arcloom data pull`")]
    NotPulled {
        /// The name of the set.
        name: String,
    },
    /// A name of programs where tasks are meant, or the reverse.
    #[error("{} names {found}, not {wanted}; `arcloom data list` shows both", quote(name))]
    WrongKind {
        /// The name as given.
        name: String,
        /// What it names.
        found: &'static str,
        /// What was needed.
        wanted: &'static str,
    },
    /// A name that cannot be registered or forgotten.
    #[error("{}: {problem}", quote(name))]
    BadName {
        /// The name as given.
        name: String,
        /// Why not, and what to do.
        problem: &'static str,
    },
    /// The list of registered names is damaged.
    #[error(
        "{}: the list of registered names is damaged ({problem}); correct or delete it",
        show(path)
    )]
    Registry {
        /// The registry file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nowhere to keep data.
    #[error("no data folder: set ARCLOOM_DATA_DIR or HOME, or pass --dir")]
    NoDataDir,
    /// The data folder cannot be written.
    #[error(
        "{}: cannot be written ({cause}); choose another folder with --dir or ARCLOOM_DATA_DIR",
        show(path)
    )]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The disk is full. Nothing half-written is left under its final name.
    #[error(
        "{}: the disk is full; free some space or choose another folder with --dir, then repeat",
        show(path)
    )]
    DiskFull {
        /// What was being written.
        path: PathBuf,
    },
    /// There is no Python to run pip with.
    #[error(
        "cannot run {}; install Python 3 with pip, set ARCLOOM_PYTHON, or fetch the wheels elsewhere and pass --offline FOLDER",
        escape(python)
    )]
    NoPython {
        /// The programs that were tried.
        python: String,
    },
    /// Python has no pip.
    #[error(
        "{} has no pip; run `{} -m ensurepip`, set ARCLOOM_PYTHON to one that has it, or pass --offline FOLDER with the wheels",
        quote(python),
        escape(python)
    )]
    NoPip {
        /// The program that was tried.
        python: String,
    },
    /// pip did not fetch the wheels.
    #[error(
        "pip could not fetch {packages}: {message}; check the network, or fetch the wheels elsewhere and pass --offline FOLDER"
    )]
    Pip {
        /// The packages asked for.
        packages: String,
        /// The line of pip's message that says most.
        message: String,
    },
    /// The wheel is absent from the folder it should be in.
    #[error("{}: no {wheel} here; fetch it with `pip download --no-deps {package}`", show(path))]
    NoWheel {
        /// The folder.
        path: PathBuf,
        /// File name of the wheel.
        wheel: &'static str,
        /// The package and version to ask pip for.
        package: &'static str,
    },
    /// The wheel is not the one that was published.
    #[error("{}: not the published wheel ({problem}); delete it and fetch it again", show(path))]
    Wheel {
        /// The wheel.
        path: PathBuf,
        /// How it differs.
        problem: String,
    },
}

impl CorpusError {
    /// The error for a read that failed at `path`.
    pub(crate) fn reading(path: &Path, cause: io::Error) -> CorpusError {
        let path = path.to_path_buf();
        match cause.kind() {
            // `NotADirectory` is a path that goes on after a file: `tasks.json/x`.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => CorpusError::Missing { path },
            io::ErrorKind::IsADirectory => CorpusError::IsFolder { path },
            _ => CorpusError::Unreadable { path, cause },
        }
    }

    /// The error for a write that failed at `path`.
    pub(crate) fn writing(path: &Path, cause: io::Error) -> CorpusError {
        let path = path.to_path_buf();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                CorpusError::DiskFull { path }
            }
            _ => CorpusError::Unwritable { path, cause },
        }
    }
}

/// A path as one line of text.
pub(crate) fn show(path: &Path) -> String {
    escape(&path.to_string_lossy())
}

/// Text from elsewhere in quotes: one line, and not longer than a person reads.
pub(crate) fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", escape(&short))
}

/// The text with control characters (line breaks among them) made visible.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            let _ = write!(out, "{}", c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { escape(&names.join(", ")) }
}
