//! What a file is that was meant as something else, and what to type for it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::paint::visible;

/// What a file holds, as far as its beginning says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Solver programs.
    Programs,
    /// Tasks.
    Tasks,
    /// An archive.
    Archive,
    /// Answers to tasks.
    Submission,
}

/// How much of a file is looked at.
const HEAD: u64 = 16 << 10;

/// What a file is. `None` for folders, for what cannot be read, and for anything else.
pub(crate) fn kind_of(path: &Path) -> Option<FileKind> {
    if !path.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let text = String::from_utf8_lossy(&head);
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_python = path.extension().is_some_and(|extension| extension == "py");
    match &*text {
        _ if head.starts_with(b"SQLite format 3\0") => Some(FileKind::Archive),
        text if is_json && text.contains("\"attempt_1\"") => Some(FileKind::Submission),
        text if is_json && text.contains("\"train\"") => Some(FileKind::Tasks),
        text if is_python || text.lines().any(|line| line.starts_with("def ")) => {
            Some(FileKind::Programs)
        }
        _ => None,
    }
}

/// What to say about a word that means this where tasks are meant; nothing if it may be tasks.
pub(super) fn not_tasks(spec: &str) -> Option<String> {
    let name = visible(spec);
    let file = spec.strip_prefix("archive:");
    let found = match file {
        Some(_) => Some(FileKind::Archive),
        None if spec.starts_with("library:") => Some(FileKind::Programs),
        None => kind_of(Path::new(spec)),
    };
    let file = visible(file.unwrap_or(spec));
    match found? {
        FileKind::Tasks => None,
        FileKind::Programs => Some(format!(
            "{name}: holds programs, not tasks; `arcloom check {name}` runs them on their tasks, `-p {name}` tries them on others"
        )),
        FileKind::Archive => Some(format!(
            "{name}: is an archive, not tasks; `arcloom archive -a {file} list` lists its programs, `-p archive:{file}` tries them"
        )),
        FileKind::Submission => Some(format!(
            "{name}: is a submission, not tasks; `arcloom score {name} -t TASKS` scores it"
        )),
    }
}

/// The same where programs are meant.
pub(super) fn not_programs(spec: &str) -> Option<String> {
    let name = visible(spec);
    match kind_of(Path::new(spec))? {
        FileKind::Programs => None,
        FileKind::Tasks => Some(format!(
            "{name}: holds tasks, not programs; `arcloom solve {name}` solves them, `-t {name}` gives them to a command"
        )),
        FileKind::Archive => {
            Some(format!("{name}: is an archive; `archive:{name}` means the programs in it"))
        }
        FileKind::Submission => Some(format!(
            "{name}: is a submission, not programs; `arcloom score {name} -t TASKS` scores it"
        )),
    }
}
