//! Result files: checked before the work begins, written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use anyhow::{Result, anyhow};

use crate::paint::visible;

/// True for the path that means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes to standard output when the path says so, else a file.
pub(crate) fn write_or_print(path: &Path, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    if is_stdout(path) {
        out.write_all(bytes)?;
        return Ok(());
    }
    write(path, bytes)
}

/// Writes a file under a temporary name first, so that an earlier file of this name is lost only
/// once the new one is complete. What is no ordinary file (`/dev/stdout`) is written directly.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes).map_err(|cause| explain(path, &cause))
}

/// Whether a file can be written at this path, as far as that can be known before its content is. Leaves a
/// file that is there as it is, and nothing else behind.
pub(crate) fn check(path: &Path) -> Result<()> {
    probe(path).map_err(|cause| explain(path, &cause))
}

/// The same for a folder that is made when it is missing.
pub(crate) fn check_folder(path: &Path) -> Result<()> {
    let mut there = path.ancestors().map(or_here);
    match there.find(|folder| folder.symlink_metadata().is_ok()) {
        Some(folder) if folder.is_dir() => {
            check(&folder.join("arcloom")).map_err(|error| match folder == path {
                true => error,
                false => error.context(visible(&path.to_string_lossy())),
            })
        }
        Some(folder) => Err(not_a_folder(path, folder)),
        None => Err(explain(path, &io::ErrorKind::NotFound.into())),
    }
}

fn probe(path: &Path) -> io::Result<()> {
    match target(path)? {
        // Whether a device or a pipe takes it is known once it is written.
        Target::Special(_) => Ok(()),
        Target::File { path, .. } => nameless(&path).map(|_| ()),
    }
}

/// Room on the disk for a file that is yet to be written, for as long as this lives.
pub(crate) struct Room {
    /// Without a name, so that nothing is left behind however the process ends.
    _held: Option<File>,
}

/// Keeps so many bytes free for a file. A disk that is full is an error; where room cannot be kept for
/// another reason there is none.
pub(crate) fn hold_room(path: &Path, bytes: usize) -> Result<Room> {
    // Files without a name are something that only Unix has.
    if is_stdout(path) || !cfg!(unix) {
        return Ok(Room { _held: None });
    }
    match hold(path, bytes) {
        Ok(held) => Ok(Room { _held: held }),
        Err(cause) if is_full(&cause) => Err(explain(path, &cause)),
        Err(_) => Ok(Room { _held: None }),
    }
}

fn hold(path: &Path, bytes: usize) -> io::Result<Option<File>> {
    let Target::File { path, .. } = target(path)? else { return Ok(None) };
    let mut file = nameless(&path)?;
    // Not zeros, which some file systems do not store.
    let noise = |n: u32| (n.wrapping_mul(2_654_435_761) >> 13) as u8;
    file.write_all(&(0..bytes as u32).map(noise).collect::<Vec<u8>>())?;
    Ok(Some(file))
}

/// A new file in the same folder, which nobody can find.
fn nameless(path: &Path) -> io::Result<File> {
    let name = beside(path, "try");
    let file = File::create(&name)?;
    match fs::remove_file(&name) {
        // A process of the same number, in another container, was first.
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(file),
    }
}

/// The path of a hidden file of this process beside another.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(format!(".{}.{extension}", std::process::id()));
    path.with_file_name(hidden)
}

fn is_full(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (path, before) = match target(path)? {
        Target::Special(path) => {
            return File::options().write(true).open(path)?.write_all(bytes);
        }
        Target::File { path, before } => (path, before),
    };
    let temporary = beside(&path, "tmp");
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(before) = &before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// What is written to.
enum Target {
    /// A device or a pipe.
    Special(PathBuf),
    /// A file, and what is there now.
    File { path: PathBuf, before: Option<fs::Metadata> },
}

fn target(path: &Path) -> io::Result<Target> {
    // Through a link to the file it leads to, which then keeps its place.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let before = fs::metadata(&target).ok();
    let named_as_folder = path.to_string_lossy().ends_with(['/', MAIN_SEPARATOR]);
    if named_as_folder || before.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if target.file_name().is_none() || before.as_ref().is_some_and(|found| !found.is_file()) {
        return Ok(Target::Special(target));
    }
    Ok(Target::File { path: target, before })
}

/// What is wrong with a path, and what to do about it.
fn explain(path: &Path, cause: &io::Error) -> anyhow::Error {
    let place = visible(&path.to_string_lossy());
    let folder = or_here(path.parent().unwrap_or(path));
    match cause.kind() {
        io::ErrorKind::IsADirectory => {
            anyhow!("{place}: is a folder where a file is meant; name a file inside it")
        }
        io::ErrorKind::NotFound => {
            let folder = quoted(folder);
            anyhow!("{place}: there is no such folder; make it with `mkdir -p {folder}`")
        }
        io::ErrorKind::NotADirectory => {
            let file = folder.ancestors().find(|part| part.is_file()).unwrap_or(folder);
            not_a_folder(path, file)
        }
        io::ErrorKind::PermissionDenied => {
            let folder = visible(&folder.to_string_lossy());
            anyhow!(
                "{place}: no permission to write in {folder}; name a file in another folder, or change the permissions of this one"
            )
        }
        _ if is_full(cause) => {
            anyhow!("{place}: the disk is full; free some space or write elsewhere")
        }
        _ => anyhow!("{place}: cannot be written ({cause}); check the path and its permissions"),
    }
}

fn not_a_folder(path: &Path, file: &Path) -> anyhow::Error {
    let (place, file) = (path.to_string_lossy(), file.to_string_lossy());
    anyhow!("{}: {} is not a folder; name another place", visible(&place), visible(&file))
}

/// A folder that a path without one is in.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A path as a word for a shell.
fn quoted(path: &Path) -> String {
    let text = visible(&path.to_string_lossy());
    let plain = |c: char| c.is_alphanumeric() || "._-/\\:+,@%=".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_so_that_a_shell_takes_them() {
        assert_eq!(quoted(Path::new("a/b_c.d")), "a/b_c.d");
        assert_eq!(quoted(Path::new("my results/it's")), "'my results/it'\\''s'");
    }
}
