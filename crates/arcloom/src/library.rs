//! Programs loaded from files, with what was wrong with the rest.

use std::path::Path;

use arcloom_graph::Plan;
use arcloom_lang::syntax::Source;
use arcloom_lang::{Program, function_name, load_bytes, load_snippet, unfold_batt};
use arcloom_tasks::{Catalog, CorpusError, SourceFile, Sources};

/// A program ready to run.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The program.
    pub program: Program,
    /// The program made ready.
    pub plan: Plan,
    /// The file it is from.
    pub file: String,
    /// The task it is meant for: from its name, or from the file's when it is just `solve`.
    pub task: String,
}

impl Entry {
    /// A program ready to run, for the task that its name says.
    pub fn new(program: Program, file: &str) -> Entry {
        let (task, file) = (program.task().to_owned(), file.to_owned());
        Entry { plan: Plan::new(&program), file, task, program }
    }
}

/// Programs of one or more files.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// The programs, in order of files and text.
    pub programs: Vec<Entry>,
    /// What did not load, one line each: `file:line:column: message`.
    pub errors: Vec<String>,
    /// Surely mistakes in what did load, one line each.
    pub warnings: Vec<String>,
    /// Worth knowing about what did load, one line each.
    pub notes: Vec<String>,
}

impl Library {
    /// Loads everything the specs name: paths, folders, `library:` names, `-` for `stdin`.
    pub fn load(
        catalog: &Catalog,
        specs: &[String],
        stdin: &mut dyn std::io::Read,
    ) -> Result<Library, CorpusError> {
        let mut library = Library::default();
        for spec in specs {
            let Sources { files, dangling } = catalog.resolve_programs(spec, stdin)?;
            files.iter().for_each(|file| library.add(file));
            if let Some(first) = dangling.first() {
                let (n, first) = (dangling.len(), first.display());
                library.warnings.push(format!(
                    "{spec}: {n} links lead nowhere and are skipped, such as {first}; put the folder `solver_md5` that they lead to beside it"
                ));
            }
        }
        Ok(library)
    }

    /// The programs of one text.
    pub fn from_text(name: &str, text: &str) -> Library {
        let mut library = Library::default();
        let bytes = text.as_bytes().to_vec();
        library.add(&SourceFile { name: name.to_string(), path: None, bytes });
        library
    }

    /// The program of straight lines or one expression without a `def`, which is for no task.
    pub fn from_snippet(name: &str, text: &str) -> Library {
        let mut library = Library::default();
        let source = Source::new(name, text);
        match load_snippet(text) {
            Ok((program, notes)) => {
                for note in &notes {
                    let warning = note.kind.is_warning();
                    let list = if warning { &mut library.warnings } else { &mut library.notes };
                    list.push(note.render(&source));
                }
                let (plan, file) = (Plan::new(&program), name.to_string());
                library.programs.push(Entry { plan, file, task: String::new(), program });
            }
            Err(error) => library.errors.push(error.render(&source)),
        }
        library
    }

    fn add(&mut self, file: &SourceFile) {
        let unfolded = str::from_utf8(&file.bytes).ok().and_then(unfold_batt);
        let bytes = unfolded.as_ref().map_or(&file.bytes[..], |text| text.as_bytes());
        let loaded = load_bytes(bytes);
        let source = Source::from_bytes(&file.name, bytes);
        self.errors.extend(loaded.errors.iter().map(|e| e.render(&source)));
        for note in &loaded.notes {
            let list = if note.kind.is_warning() { &mut self.warnings } else { &mut self.notes };
            list.push(note.render(&source));
        }
        let home = file.path.as_deref().and_then(home);
        self.programs.extend(loaded.programs.into_iter().map(|mut program| {
            let home = home.filter(|_| matches!(&*program.name, "solve" | "verify"));
            let task = match home {
                Some(Home::Folder(task)) => {
                    program.name = function_name(task);
                    task
                }
                Some(Home::File(task)) => task,
                None => program.task(),
            };
            let task = task.to_string();
            Entry { plan: Plan::new(&program), file: file.name.clone(), task, program }
        }));
    }

    /// The program with this name, or the one for this task.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        let named = |e: &&Entry| e.program.name == name;
        self.programs.iter().find(named).or_else(|| self.programs.iter().find(|e| e.task == name))
    }
}

/// What says which task a program is for whose own name does not.
#[derive(Clone, Copy)]
enum Home<'p> {
    /// A folder above it: `solve_TASK/SCORE/SPEED/HASH.py`.
    Folder(&'p str),
    /// Its file: `TASK.py` or `solve_TASK.py`.
    File(&'p str),
}

/// Folders above a file of a `solver_dir` whose names are looked at.
const ABOVE: usize = 3;

fn home(path: &Path) -> Option<Home<'_>> {
    let above = path.ancestors().skip(1).take(ABOVE);
    let mut names = above.filter_map(|folder| folder.file_name()?.to_str());
    if let Some(task) = names.find_map(|name| name.strip_prefix("solve_")) {
        return Some(Home::Folder(task));
    }
    let stem = path.file_stem()?.to_str()?;
    Some(Home::File(stem.strip_prefix("solve_").unwrap_or(stem)))
}
