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

/// The solver files of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The files.
    pub files: Vec<SourceFile>,
    /// Links that lead nowhere, which are passed over.
    pub dangling: Vec<PathBuf>,
}

/// Folder beside a `solver_dir` that its links lead to, by absolute paths of the machine they were made on.
const LINKED_FOLDER: &str = "solver_md5";

/// The solver files of a path: the file itself, or the `.py` files of a folder and its sub-folders in
/// ascending order. A folder with a `solvers.py` (a checkout of arc-dsl) means that file alone.
///
/// A link that leads nowhere is passed over, unless a `solver_md5` beside the folder has the file that it names.
pub fn load_programs(path: &Path) -> Result<Sources, CorpusError> {
    let one = |file: &Path| Ok(Sources { files: vec![read_source(file)?], ..Sources::default() });
    if !path.is_dir() {
        return one(path);
    }
    let solvers = path.join("solvers.py");
    if solvers.is_file() {
        return one(&solvers);
    }
    let mut files = Vec::new();
    collect(path, MAX_DEPTH, &mut files)?;
    let linked =
        std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.join(LINKED_FOLDER)));
    let mut dangling = Vec::new();
    files.retain(|file| {
        let leads = file.exists() || moved(file, linked.as_deref()).is_some();
        if !leads {
            dangling.push(file.clone());
        }
        leads
    });
    if files.is_empty() {
        let what = match dangling.len() {
            0 => "no solver files (.py) in this folder; name the folder that holds them".to_owned(),
            n => format!(
                "its links lead nowhere ({n} of them); put the folder `{LINKED_FOLDER}` that they lead to beside it"
            ),
        };
        return Err(CorpusError::Nothing { path: path.to_path_buf(), what });
    }
    let mut total = 0;
    let mut sources = Vec::with_capacity(files.len());
    for file in &files {
        let mut source = match moved(file, linked.as_deref()) {
            Some(elsewhere) => read_source(&elsewhere)?,
            None => read_source(file)?,
        };
        // The folders that a link is in say which task it is for.
        (source.name, source.path) = (file.display().to_string(), Some(file.clone()));
        total += source.bytes.len() as u64;
        if total > MAX_FOLDER {
            return Err(CorpusError::FolderTooLarge {
                path: path.to_path_buf(),
                limit: MAX_FOLDER,
            });
        }
        sources.push(source);
    }
    Ok(Sources { files: sources, dangling })
}

/// What a link that leads nowhere is meant to lead to, where that is beside the folder now.
fn moved(link: &Path, linked: Option<&Path>) -> Option<PathBuf> {
    if link.exists() {
        return None;
    }
    let target = std::fs::read_link(link).ok()?;
    Some(linked?.join(target.file_name()?)).filter(|file| file.is_file())
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
        load_programs(dir).unwrap().files.into_iter().map(strip).collect()
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
        assert_eq!(load_programs(dir.path()).unwrap().files[0].bytes, b"\xff");
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
        assert_eq!(load_programs(dir.path()).unwrap().files.len(), MAX_DEPTH + 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_nowhere_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, linked) =
            (dir.path().join("solver_dir/solve_a/3000/14"), dir.path().join("solver_md5"));
        fs::create_dir_all(&folder).unwrap();
        for name in ["here.py", "gone.py"] {
            let target = Path::new("/no/such/machine/solver_md5").join(name);
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        let top = dir.path().join("solver_dir");
        let error = load_programs(&top).unwrap_err().to_string();
        assert!(error.contains("its links lead nowhere (2 of them)"), "{error}");
        fs::create_dir(&linked).unwrap();
        fs::write(linked.join("here.py"), "def solve(S, I, C):\n    return I\n").unwrap();
        let Sources { files, dangling } = load_programs(&top).unwrap();
        assert_eq!(files[0].path, Some(folder.join("here.py")));
        assert!(files[0].bytes.starts_with(b"def solve"));
        assert_eq!((files.len(), dangling), (1, vec![folder.join("gone.py")]));
    }
}
