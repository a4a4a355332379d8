//! Tasks that are solved with the same knowledge, and the programs that this knowledge holds.

use arcloom_search::costs::{FOLDS, fold};
use arcloom_tasks::TaskSet;

use crate::library::{Entry, Library};

/// The programs of a library without those of a fold.
pub(super) fn entries(library: &Library, withheld: Option<u8>) -> impl Iterator<Item = &Entry> {
    library.programs.iter().filter(move |entry| withheld.is_none_or(|f| fold(&entry.task) != f))
}

/// Tasks that are solved with the same knowledge.
pub(super) struct Part {
    /// The fold whose programs and tables are left out.
    pub(super) withheld: Option<u8>,
    pub(super) tasks: TaskSet,
}

/// The tasks by fold, or all of them at once.
pub(super) fn parts(tasks: &TaskSet, folds: bool) -> Vec<Part> {
    if !folds {
        return vec![Part { withheld: None, tasks: tasks.clone() }];
    }
    let part = |f: u8| {
        let of_fold = tasks.tasks.iter().filter(|t| fold(&t.id) == f).cloned();
        Part { withheld: Some(f), tasks: TaskSet::new(tasks.name.clone(), of_fold.collect()) }
    };
    (0..FOLDS).map(part).filter(|part| !part.tasks.tasks.is_empty()).collect()
}
