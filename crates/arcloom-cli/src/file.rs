//! Result files: checked before the work begins, written whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use arcloom::corpus::{WriteTarget, nameless_beside, write_whole};

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
    write_whole(path, bytes).map_err(|cause| explain(path, &cause))
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
    match WriteTarget::of(path)? {
        // Whether a device or a pipe takes it is known once it is written.
        WriteTarget::Special(_) => Ok(()),
        WriteTarget::File { path, .. } => nameless_beside(&path).map(drop),
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
    let WriteTarget::File { path, .. } = WriteTarget::of(path)? else { return Ok(None) };
    let mut file = nameless_beside(&path)?;
    // Not zeros, which some file systems do not store.
    let noise = |n: u32| (n.wrapping_mul(2_654_435_761) >> 13) as u8;
    file.write_all(&(0..bytes as u32).map(noise).collect::<Vec<u8>>())?;
    Ok(Some(file))
}

fn is_full(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
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
