//! What a reader leaves beside an archive, and how it goes.
//!
//! SQLite makes `-wal` and `-shm` for whoever opens the file. A connection that may write removes them when
//! it is the last one to close it; one that only reads may not. So a reader is followed by a connection that may
//! write, does nothing, and is closed. SQLite's own locks say whether anybody else still needs the files.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::guard;

/// Removes an empty journal when it is dropped, which has to be after the reader's connection.
#[derive(Debug)]
pub(crate) struct Sweep(PathBuf);

impl Sweep {
    pub(crate) fn after_reading(file: &Path) -> Sweep {
        Sweep(file.to_path_buf())
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        let journal = super::archive::beside(&self.0, "-wal");
        // What is in a journal stays there: the next writer moves it into the file.
        if std::fs::metadata(journal).is_ok_and(|meta| meta.len() == 0) {
            // In a folder that cannot be written the files stay; they do no harm.
            let _ = open_and_close(&self.0);
        }
    }
}

fn open_and_close(file: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    guard::harden(&connection)?;
    // Until something is read the file is not open.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}
