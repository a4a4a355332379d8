//! Opening an archive: what the file is, its settings, the one writer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::{Result, StoreError, fault};
use crate::guard::{self, Gauge};
use crate::lock::WriterLock;
use crate::place::{self, Identity};
use crate::schema;
use crate::sweep::Sweep;

/// How long a reader waits for a moment in which it can begin.
const PATIENCE: Duration = Duration::from_secs(10);
/// Pages kept in memory, in kilobytes: program ids are random, so inserting touches all of their
/// index.
const CACHE: i64 = -65_536;
/// Addresses are for archives that are read without a journal or merged. What the user typed is never
/// one: all paths are made absolute first.
const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX.union(OpenFlags::SQLITE_OPEN_URI);

/// What an archive is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Works at any time, beside a writer too.
    Read,
    /// One process at a time; makes the archive when it is missing.
    Write,
}

/// One open archive.
#[derive(Debug)]
pub struct Archive {
    pub(crate) connection: Connection,
    /// As it was given, for messages.
    path: PathBuf,
    /// The file itself, after all links.
    file: PathBuf,
    /// What the file was when it was opened for writing.
    identity: Option<Identity>,
    access: Access,
    /// Opened without SQLite's files beside it, which only works while nobody writes.
    immutable: bool,
    /// How much work one question may take.
    pub(crate) gauge: Gauge,
    /// After the connection, so that a reader's is closed before.
    _sweep: Option<Sweep>,
    /// Last, so that the file is closed before the next writer comes.
    _lock: Option<WriterLock>,
}

impl Archive {
    /// Opens an archive; for writing it is made when missing and brought up to date when old.
    pub fn create_or_open(path: impl AsRef<Path>, access: Access) -> Result<Archive> {
        let path = path.as_ref();
        match access {
            Access::Write => Archive::write(path),
            Access::Read => Archive::read(path),
        }
    }

    /// An archive that is gone with this value, for work that is not to be kept.
    pub fn in_memory() -> Result<Archive> {
        let path = Path::new(":memory:");
        let fault = fault(path, "making an archive in memory");
        let mut connection = Connection::open_in_memory().map_err(&fault)?;
        settings(&connection).map_err(&fault)?;
        schema::migrate(&mut connection, schema::MIGRATIONS).map_err(&fault)?;
        let (path, file, identity) = (path.into(), path.into(), None);
        let (access, immutable, gauge) = (Access::Write, false, Gauge::default());
        let (_sweep, _lock) = (None, None);
        Ok(Archive { connection, path, file, identity, access, immutable, gauge, _sweep, _lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it was opened for.
    pub fn access(&self) -> Access {
        self.access
    }

    fn write(path: &Path) -> Result<Archive> {
        place::regular(path)?;
        let file = place::real(path)?;
        let lock = WriterLock::take(path, &file)?;
        place::single(path, &file)?;
        let gone = || StoreError::Gone { path: path.into() };
        // The lock is that of the file which the path led to before it was taken.
        if place::real(path)? != file {
            return Err(gone());
        }
        let now = || place::identity(&file).ok().flatten();
        let before = now();
        let fault = fault(path, "opening the archive");
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | FLAGS;
        let mut connection = Connection::open_with_flags(&file, flags).map_err(&fault)?;
        // SQLite does not say which file it has opened. It is this one when nothing else was there
        // before or after.
        let identity = now().ok_or_else(gone)?;
        if before.is_some_and(|before| before != identity) {
            return Err(gone());
        }
        guard::harden(&connection).map_err(&fault)?;
        connection.busy_timeout(PATIENCE).map_err(&fault)?;
        if connection.is_readonly("main").map_err(&fault)? {
            let reason = "it is write-protected".to_owned();
            return Err(StoreError::ReadOnly { path: path.into(), reason });
        }
        // Nothing is changed before it is clear that the file is ours.
        let version = version(&connection, path, true)?;
        if version == 0 {
            // Pages that pruning frees can then be given back in place, where `VACUUM` would need
            // room for a second copy. It can only be chosen before the first table.
            connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(&fault)?;
        }
        settings(&connection).map_err(&fault)?;
        schema::migrate(&mut connection, schema::MIGRATIONS).map_err(&fault)?;
        let (path, identity) = (path.into(), Some(identity));
        let (access, immutable, _sweep, _lock) = (Access::Write, false, None, Some(lock));
        // A writer takes as long as what it writes.
        let gauge = Gauge::default();
        Ok(Archive { connection, path, file, identity, access, immutable, gauge, _sweep, _lock })
    }

    fn read(path: &Path) -> Result<Archive> {
        if place::regular(path)?.is_none() {
            return Err(StoreError::Missing { path: path.into() });
        }
        let file = place::real(path)?;
        let open = |immutable| reader(path, &file, immutable).map(|found| (found, immutable));
        let opened = open(false).or_else(|error| match error {
            // Reading beside a writer takes a small file that cannot be made in a folder without
            // write permission. Without a journal nobody is writing, and it can be done without.
            StoreError::ReadOnly { .. } if has_begun(&file) => {
                drop(Archive::write(path)?);
                open(false)
            }
            StoreError::ReadOnly { .. } if !has_journal(&file) => open(true),
            error => Err(error),
        });
        let unreadable = |error| match error {
            StoreError::ReadOnly { path, reason } => StoreError::Unreadable { path, reason },
            error => error,
        };
        let ((mut connection, version), immutable) = opened.map_err(unreadable)?;
        if version < schema::VERSION {
            drop(connection);
            let old = |cause: StoreError| {
                let path = path.to_path_buf();
                StoreError::Older { path, found: version, reason: cause.to_string() }
            };
            drop(Archive::write(path).map_err(old)?);
            (connection, _) = reader(path, &file, false)?;
        }
        let failed = fault(path, "opening the archive");
        guard::limit_values(&connection, bytes(&file)).map_err(&failed)?;
        let watched = file.clone();
        let gauge = Gauge::watch(&mut connection, move || bytes(&watched)).map_err(&failed)?;
        let (path, identity, access) = (path.into(), None, Access::Read);
        let (_sweep, _lock) = ((!immutable).then(|| Sweep::after_reading(&file)), None);
        Ok(Archive { connection, path, file, identity, access, immutable, gauge, _sweep, _lock })
    }

    /// Its address for another connection that reads it too.
    pub(crate) fn address(&self) -> String {
        read_address(&self.file, self.immutable)
    }

    /// The file itself, after all links.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Says when the file was deleted, moved or replaced. SQLite goes on writing to the one it has open,
    /// where nobody will find it.
    pub(crate) fn still_there(&self) -> Result<()> {
        let Some(identity) = self.identity else { return Ok(()) };
        match place::identity(&self.file) {
            Ok(found) if found != Some(identity) => {
                // The journal may still lie where it was, and SQLite would apply it to whatever file has
                // the name now. Moved into the open file it can do no harm there, and a file that was
                // only moved away is whole.
                let _ = self.checkpoint();
                Err(StoreError::Gone { path: self.path.clone() })
            }
            // Where nobody may look, nobody may have changed anything either.
            _ => Ok(()),
        }
    }

    /// A transaction that writes. Dropped without a commit, it never happened.
    pub(crate) fn begin(&mut self) -> Result<Transaction<'_>> {
        if self.access == Access::Read {
            return Err(StoreError::Access { path: self.path.clone() });
        }
        self.still_there()?;
        let fault = fault(&self.path, "beginning a transaction");
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault)
    }

    /// A transaction that reads: everything in it is of one moment.
    pub(crate) fn snapshot(&self) -> Result<Transaction<'_>> {
        let fault = fault(&self.path, "reading");
        self.connection.unchecked_transaction().map_err(fault)
    }

    /// Looks at every page and every reference. Empty when all is well.
    pub fn integrity(&self) -> Result<Vec<String>> {
        self.gauge.reset();
        let fault = fault(&self.path, "checking the file");
        let mut problems: Vec<String> = Vec::new();
        let mut statement = self.connection.prepare("PRAGMA integrity_check").map_err(&fault)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(&fault)?;
        for row in rows {
            problems.push(row.map_err(&fault)?);
        }
        problems.retain(|line| line != "ok");
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check").map_err(&fault)?;
        let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<String> {
            let (table, other): (String, String) = (row.get(0)?, row.get(2)?);
            Ok(format!("a row of `{table}` refers to a row of `{other}` that is not there"))
        };
        for line in statement.query_map([], row).map_err(&fault)? {
            problems.push(line.map_err(&fault)?);
        }
        Ok(problems)
    }

    /// Bytes the archive takes on disk: the file and its journal.
    pub fn bytes(&self) -> u64 {
        bytes(&self.file)
    }

    /// Moves the journal into the file and gives free pages back to the disk.
    pub fn compact(&mut self) -> Result<()> {
        let fault = fault(&self.path, "giving back free pages");
        // It frees one page per row that is asked for.
        let mut statement = self.connection.prepare("PRAGMA incremental_vacuum").map_err(&fault)?;
        let mut rows = statement.query([]).map_err(&fault)?;
        while rows.next().map_err(&fault)?.is_some() {}
        drop(rows);
        drop(statement);
        self.checkpoint().map_err(&fault)
    }

    /// Moves the journal into the file. Readers of older states keep the journal long; that is no error.
    fn checkpoint(&self) -> rusqlite::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }

    /// Sets how many steps of SQLite's machine a question may take. For tests.
    #[doc(hidden)]
    pub fn limit_work(&self, steps: u64) {
        self.gauge.allow(steps);
    }

    /// Steps of SQLite's machine that a reader has taken since it was opened, to a thousand. For tests.
    #[doc(hidden)]
    pub fn total_steps(&self) -> u64 {
        self.gauge.total()
    }

    /// Sets a limit that makes writing fail as on a full disk. For tests.
    #[doc(hidden)]
    pub fn limit_pages(&self, more: i64) -> Result<()> {
        let fault = fault(&self.path, "limiting the size");
        let get = |name: &str| self.connection.query_row(name, [], |row| row.get::<_, i64>(0));
        let pages = get("PRAGMA page_count").map_err(&fault)?;
        get(&format!("PRAGMA max_page_count = {}", pages + more)).map(|_| ()).map_err(&fault)
    }
}

/// WAL lets readers work beside the writer. With it, `NORMAL` syncs the journal only when it is moved
/// into the file: a killed process loses nothing, a power cut at most the last generations, and
/// neither can damage the file. `FULL` would sync every generation to protect against the latter,
/// which a rerun makes good.
fn settings(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", CACHE)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// A connection that only reads, and the file's version.
fn reader(path: &Path, file: &Path, immutable: bool) -> Result<(Connection, i64)> {
    let fault = fault(path, "opening the archive");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | FLAGS;
    let connection = if immutable {
        Connection::open_with_flags(read_address(file, true), flags)
    } else {
        Connection::open_with_flags(file, flags)
    };
    let connection = connection.map_err(&fault)?;
    guard::harden(&connection).map_err(&fault)?;
    connection.busy_timeout(PATIENCE).map_err(&fault)?;
    let version = version(&connection, path, false)?;
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(&fault)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok((connection, version))
}

/// The version of a file that is ours, 0 for one that is still empty.
fn version(connection: &Connection, path: &Path, may_be_empty: bool) -> Result<i64> {
    let fault = fault(path, "opening the archive");
    let get = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(&fault);
    // The first statement that reads the file: what is no database, or cut short, fails here.
    let tables = get("SELECT count(*) FROM sqlite_schema")?;
    let (application, version) = (get("PRAGMA application_id")?, get("PRAGMA user_version")?);
    let empty = tables == 0 && application == 0 && version == 0;
    if empty && may_be_empty {
        return Ok(0);
    }
    if application != i64::from(schema::APPLICATION_ID) {
        let reason = if empty { "it is empty" } else { "an SQLite file of something else" };
        return Err(StoreError::NotArchive { path: path.into(), reason });
    }
    if version > schema::VERSION {
        let known = schema::VERSION;
        return Err(StoreError::Newer { path: path.into(), found: version, known });
    }
    guard::check_schema(connection, path, version)?;
    Ok(version)
}

/// Bytes of a file and its journal.
fn bytes(file: &Path) -> u64 {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    size(file) + size(&beside(file, "-wal"))
}

/// True where the power went while the archive was being made, before it had its journal: what was begun
/// then has to be undone, which takes a writer.
fn has_begun(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-journal")).is_ok_and(|meta| meta.len() > 0)
}

fn has_journal(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0)
}

pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// A file to read, as SQLite's address.
fn read_address(file: &Path, immutable: bool) -> String {
    place::address(file, if immutable { "?immutable=1" } else { "?mode=ro" })
}
