//! Writing result files: whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};

use crate::paint::visible;

/// Writes a file under a temporary name first, so that an earlier file of this name is lost only
/// once the new one is complete. What is no ordinary file (`/dev/stdout`) is written directly.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes).map_err(|cause| {
        let place = visible(&path.to_string_lossy());
        match cause.kind() {
            io::ErrorKind::IsADirectory => {
                anyhow!("{place}: is a folder where a file is meant; name a file inside it")
            }
            io::ErrorKind::NotFound => anyhow!("{place}: there is no such folder; make it first"),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                anyhow!("{place}: the disk is full; free some space or write elsewhere")
            }
            _ => {
                anyhow!("{place}: cannot be written ({cause}); check the path and its permissions")
            }
        }
    })
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a link to the file it leads to, which then keeps its place.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let before = fs::metadata(&target).ok();
    if before.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let (Some(name), true) =
        (target.file_name(), before.as_ref().is_none_or(fs::Metadata::is_file))
    else {
        return File::options().write(true).open(&target)?.write_all(bytes);
    };
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = target.with_file_name(temporary);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(before) = &before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &target)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
