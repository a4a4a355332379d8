//! Result files that are written whole or not at all, beside whatever else is in their folder.
//!
//! A file is written under a hidden name that nobody can foresee, flushed, and renamed. Its name is made anew
//! (`create_new`), so that a link that somebody put there is never followed. What a killed process leaves
//! behind is removed by the next one that writes the same file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::time::Duration;

/// What every hidden name ends in, after sixteen digits.
const ENDING: &str = ".arcloom-tmp";
/// Digits of a hidden name.
const DIGITS: usize = 16;
/// What is older is nobody's any more.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
/// How often another name is tried.
const ATTEMPTS: usize = 16;

/// What is written to.
#[derive(Debug)]
pub enum WriteTarget {
    /// A device or a pipe.
    Special(PathBuf),
    /// A file, and what is there now.
    File {
        /// Where it is, after all links.
        path: PathBuf,
        /// What is there now.
        before: Option<fs::Metadata>,
    },
}

impl WriteTarget {
    /// What a path leads to. An error for a folder.
    pub fn of(path: &Path) -> io::Result<WriteTarget> {
        // Through a link to the file it leads to, which then keeps its place.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let before = fs::metadata(&target).ok();
        let named_as_folder = path.to_string_lossy().ends_with(['/', MAIN_SEPARATOR]);
        if named_as_folder || before.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if target.file_name().is_none() || before.as_ref().is_some_and(|found| !found.is_file()) {
            return Ok(WriteTarget::Special(target));
        }
        Ok(WriteTarget::File { path: target, before })
    }
}

/// Writes a file so that an earlier one of this name is lost only once the new one is complete. What is no
/// ordinary file (`/dev/stdout`) is written directly.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (path, before) = match WriteTarget::of(path)? {
        WriteTarget::Special(path) => {
            return File::options().write(true).open(path)?.write_all(bytes);
        }
        WriteTarget::File { path, before } => (path, before),
    };
    sweep(&path);
    let (mut file, temporary) = hidden(&path)?;
    let written = file.write_all(bytes).and_then(|()| {
        if let Some(before) = &before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The rename itself outlives a power cut only when the folder is flushed; not every system can.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A new file in the folder of another, without a name: it is gone with this value, however the process ends.
pub fn nameless_beside(path: &Path) -> io::Result<File> {
    let (file, name) = hidden(path)?;
    fs::remove_file(&name)?;
    Ok(file)
}

/// A new hidden file beside another, and its path.
fn hidden(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut result = Err(io::ErrorKind::AlreadyExists.into());
    for _ in 0..ATTEMPTS {
        let mut name = prefix(path);
        // Seeded by the system, so that nobody can be there first.
        let digits = RandomState::new().hash_one(std::process::id());
        name.push(format!("{digits:0width$x}{ENDING}", width = DIGITS));
        let name = path.with_file_name(name);
        result = File::options().write(true).create_new(true).open(&name).map(|file| (file, name));
        if !matches!(&result, Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists) {
            break;
        }
    }
    result
}

/// What the hidden names for a file begin with.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes what killed processes left behind when they wrote this file.
fn sweep(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return };
    let prefix = prefix(path);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(ENDING.as_bytes()))
            .is_some_and(|digits| {
                digits.len() == DIGITS && digits.iter().all(u8::is_ascii_hexdigit)
            });
        let old = || {
            let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            meta.modified().ok()?.elapsed().ok().filter(|age| *age > LEFT_BEHIND)
        };
        if is_ours && old().is_some() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> =
            entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(dir.path()), ["a.json"]);
        nameless_beside(&path).unwrap().write_all(b"room").unwrap();
        assert_eq!(names(dir.path()), ["a.json"]);
        assert!(write_whole(&dir.path().join("no/b.json"), b"").is_err());
        assert!(write_whole(dir.path(), b"").is_err());
    }

    #[test]
    fn what_killed_processes_left_is_swept_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        let (left, at_work) = (hidden(&path).unwrap().1, hidden(&path).unwrap().1);
        let long_ago = SystemTime::now() - 2 * LEFT_BEHIND;
        let others =
            [".b.json.0123456789abcdef.arcloom-tmp", ".a.json.notes.arcloom-tmp", ".a.json.tmp"];
        for other in others.map(|name| dir.path().join(name)).iter().chain([&left]) {
            let file =
                File::options().write(true).create(true).truncate(false).open(other).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        write_whole(&path, b"new").unwrap();
        assert!(!left.exists() && at_work.exists());
        assert!(others.iter().all(|name| dir.path().join(name).exists()));
    }

    #[cfg(unix)]
    #[test]
    fn links_keep_their_place_and_modes_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("a.json"), dir.path().join("link"));
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.json", &link).unwrap();
        write_whole(&link, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    /// Who may write in the folder could guess the name that a process writes under, and put a link there.
    #[cfg(unix)]
    #[test]
    fn hidden_names_differ_and_are_made_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        let made: std::collections::BTreeSet<PathBuf> =
            (0..100).map(|_| hidden(&path).unwrap().1).collect();
        assert_eq!(made.len(), 100);
        let foreseen = format!(".a.json.{}.tmp", std::process::id());
        std::os::unix::fs::symlink("victim", dir.path().join(foreseen)).unwrap();
        fs::write(dir.path().join("victim"), "precious").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(dir.path().join("victim")).unwrap(), b"precious");
    }
}
