//! Which file an archive is.
//!
//! A path may lead to it through symbolic links, and may look like one of SQLite's own names. So SQLite
//! and the lock are only ever given the real path: absolute, without links. An absolute path is never
//! taken for `:memory:` or for a `file:` address, and the lock and the journals have one place each,
//! beside the file itself. (SQLite's addresses are always on: it is compiled that way.)

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};

/// Most symbolic links that are followed one after the other.
const MOST_LINKS: usize = 40;

/// Where an archive is, or would be made: the file itself, after all links.
pub(crate) fn real(path: &Path) -> Result<PathBuf> {
    let failed = |cause: std::io::Error| match cause.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let folder = path.parent().unwrap_or(Path::new(""));
            StoreError::NoFolder { path: folder.to_path_buf() }
        }
        _ => StoreError::ReadOnly { path: path.into(), reason: cause.to_string() },
    };
    if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(StoreError::NoFolder { path: path.into() });
    }
    let mut file = std::path::absolute(path)
        .map_err(|_| StoreError::NotArchive { path: path.into(), reason: "the path is empty" })?;
    // Step by step, because the last link may lead to a file that is not there yet.
    for _ in 0..MOST_LINKS {
        let Some(folder) = file.parent() else { break };
        match std::fs::read_link(&file) {
            Ok(target) => file = folder.join(target),
            Err(_) => {
                let folder = plain(folder.canonicalize().map_err(failed)?);
                return Ok(file.file_name().map_or(folder.clone(), |name| folder.join(name)));
            }
        }
    }
    let reason = "its symbolic links lead nowhere";
    Err(StoreError::NotArchive { path: path.into(), reason })
}

/// Without the prefix of Windows that SQLite does not know.
fn plain(path: PathBuf) -> PathBuf {
    if !cfg!(windows) {
        return path;
    }
    let text = path.to_string_lossy();
    match text.strip_prefix(r"\\?\") {
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => PathBuf::from(rest),
        _ => path,
    }
}

/// A file that can be an archive. `None` where there is none yet.
pub(crate) fn regular(path: &Path) -> Result<Option<Metadata>> {
    let wrong = |reason| Err(StoreError::NotArchive { path: path.into(), reason });
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => wrong("it is a folder"),
        Ok(meta) if !meta.is_file() => wrong("it is not a regular file"),
        found => Ok(found.ok()),
    }
}

/// Tells a file from every other one that exists at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    number: u64,
}

#[cfg(unix)]
impl Identity {
    pub(crate) fn of(meta: &Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity { device: meta.dev(), number: meta.ino() }
    }
}

#[cfg(not(unix))]
impl Identity {
    /// The same for all files: where open files cannot be deleted or replaced, it is enough that the
    /// file is there.
    pub(crate) fn of(_: &Metadata) -> Identity {
        Identity { device: 0, number: 0 }
    }
}

/// What the file of this name is now; `None` when there is none.
pub(crate) fn identity(file: &Path) -> std::io::Result<Option<Identity>> {
    match std::fs::symlink_metadata(file) {
        Ok(meta) => Ok(Some(Identity::of(&meta))),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(cause) => Err(cause),
    }
}

/// Refuses a file with several names: SQLite would keep a journal beside each.
#[cfg(unix)]
pub(crate) fn single(path: &Path, file: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    match std::fs::metadata(file).map_or(1, |meta| meta.nlink()) {
        0 | 1 => Ok(()),
        links => Err(StoreError::HardLinks { path: path.into(), links }),
    }
}

#[cfg(not(unix))]
pub(crate) fn single(_: &Path, _: &Path) -> Result<()> {
    Ok(())
}

/// Whether two paths are one file.
#[cfg(unix)]
pub(crate) fn same(a: &Path, b: &Path) -> bool {
    let of = |path: &Path| std::fs::metadata(path).ok().map(|meta| Identity::of(&meta));
    of(a).is_some_and(|a| Some(a) == of(b))
}

#[cfg(not(unix))]
pub(crate) fn same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// An absolute path as SQLite's address. Every byte that could mean something else is encoded.
pub(crate) fn address(file: &Path, options: &str) -> String {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(file.as_os_str()).to_vec();
    #[cfg(not(unix))]
    let bytes = {
        let text = file.to_string_lossy().replace('\\', "/");
        let text = if text.starts_with('/') { text } else { format!("/{text}") };
        text.into_bytes()
    };
    let mut address = String::from("file://");
    for byte in bytes {
        match byte {
            b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            b':' if cfg!(windows) => address.push(':'),
            _ if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02x}")),
        }
    }
    address + options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_every_byte_of_a_path() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a b/file:x?mode=memory#%\xff.db"));
        let address = address(path, "?mode=ro");
        assert_eq!(address, "file:///a%20b/file%3ax%3fmode%3dmemory%23%25%ff.db?mode=ro");
    }
}
