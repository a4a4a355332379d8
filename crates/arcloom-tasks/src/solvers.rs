//! Solver files as bytes: from a path, a folder, standard input or the built-in library.
//!
//! What the bytes mean is the business of `arcloom-lang`, which also says where they are not text.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::disk::{entries, has_extension, read_limited};
use crate::error::CorpusError;

/// Largest solver file.
const MAX_SOURCE: u64 = 64 << 20;
/// Largest sum over one folder, so that a mistyped path does not fill the memory.
const MAX_FOLDER: u64 = 1 << 30;
/// Levels of sub-folders that are looked into.
const MAX_DEPTH: usize = 8;

/// One file of solvers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// What messages call it: the path as given, `library:NAME`, or `<stdin>`.
    pub name: String,
    /// Where it is, unless it was built in or piped in.
    pub path: Option<PathBuf>,
    /// Its content, not yet known to be text.
    pub bytes: Vec<u8>,
}

/// The solver files of a path: the file itself, or the `.py` files of a folder and its sub-folders in
/// ascending order. A folder with a `solvers.py` (a checkout of arc-dsl) means that file alone.
pub fn load_programs(path: &Path) -> Result<Vec<SourceFile>, CorpusError> {
    if !path.is_dir() {
        return Ok(vec![read_source(path)?]);
    }
    let solvers = path.join("solvers.py");
    if solvers.is_file() {
        return Ok(vec![read_source(&solvers)?]);
    }
    let mut files = Vec::new();
    collect(path, MAX_DEPTH, &mut files)?;
    if files.is_empty() {
        let what =
            "no solver files (.py) in this folder; name the folder that holds them".to_owned();
        return Err(CorpusError::Nothing { path: path.to_path_buf(), what });
    }
    let mut total = 0;
    let mut sources = Vec::with_capacity(files.len());
    for file in &files {
        let source = read_source(file)?;
        total += source.bytes.len() as u64;
        if total > MAX_FOLDER {
            return Err(CorpusError::FolderTooLarge {
                path: path.to_path_buf(),
                limit: MAX_FOLDER,
            });
        }
        sources.push(source);
    }
    Ok(sources)
}

/// Solvers from standard input or another stream.
pub(crate) fn read_stream(stream: &mut dyn Read) -> Result<SourceFile, CorpusError> {
    let name = "<stdin>".to_owned();
    let mut bytes = Vec::new();
    let read = stream.take(MAX_SOURCE + 1).read_to_end(&mut bytes);
    read.map_err(|cause| CorpusError::Unreadable { path: PathBuf::from(&name), cause })?;
    if bytes.len() as u64 > MAX_SOURCE {
        return Err(CorpusError::TooLarge { path: PathBuf::from(name), limit: MAX_SOURCE });
    }
    Ok(SourceFile { name, path: None, bytes })
}

fn read_source(path: &Path) -> Result<SourceFile, CorpusError> {
    let bytes = read_limited(path, MAX_SOURCE)?;
    Ok(SourceFile { name: path.display().to_string(), path: Some(path.to_path_buf()), bytes })
}

fn collect(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    for path in entries(dir)? {
        if path.is_dir() {
            if depth > 0 && !path.ends_with("__pycache__") {
                collect(&path, depth - 1, files)?;
            }
        } else if has_extension(&path, "py") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let strip =
            |s: SourceFile| s.path.unwrap().strip_prefix(dir).unwrap().display().to_string();
        load_programs(dir).unwrap().into_iter().map(strip).collect()
    }

    #[test]
    fn folders_are_read_in_order_and_a_checkout_is_its_solvers() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.py", "a/z.py", "a/__pycache__/no.py", ".git/no.py", "c.txt", "dsl.py"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "def solve(I):\n    return I\n").unwrap();
        }
        assert_eq!(names(dir.path()), ["a/z.py", "b.py", "dsl.py"]);
        fs::write(dir.path().join("solvers.py"), b"\xff").unwrap();
        assert_eq!(names(dir.path()), ["solvers.py"]);
        assert_eq!(load_programs(dir.path()).unwrap()[0].bytes, b"\xff");
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        let dir = tempfile::tempdir().unwrap();
        let error = load_programs(dir.path()).unwrap_err().to_string();
        assert!(error.contains("no solver files"), "{error}");
        let error = load_programs(&dir.path().join("x.py")).unwrap_err().to_string();
        assert!(error.contains("no such file"), "{error}");
        let big = dir.path().join("big.py");
        fs::File::create(&big).unwrap().set_len(MAX_SOURCE + 1).unwrap();
        let error = load_programs(&big).unwrap_err().to_string();
        assert!(error.contains("over the limit of 64 MB"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_links_to_itself_ends() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.py"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("again")).unwrap();
        assert_eq!(load_programs(dir.path()).unwrap().len(), MAX_DEPTH + 1);
    }
}
