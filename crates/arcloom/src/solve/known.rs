//! What is known before a task is looked at: the library, merged, and the tables learned from tasks.

use arcloom_graph::batt::Batt;
use arcloom_search::costs::{Costs, FOLDS, fold};
use arcloom_search::terms::{CallCounts, Fragment, Grammar, fragments};
use arcloom_tasks::TaskSet;

use super::SolveOptions;
use crate::engine::Engine;

use crate::library::{Entry, Library};

/// What is known before a task is looked at.
pub(super) struct Known {
    /// The programs of the library, merged.
    pub(super) batt: Batt,
    pub(super) costs: Costs,
    pub(super) grammar: Grammar,
}

impl Known {
    /// What is known of a library and of what was learned, without what belongs to a fold.
    pub(super) fn new(
        engine: &Engine,
        library: &Library,
        withheld: Option<u8>,
        options: &SolveOptions,
    ) -> Known {
        let transfer: Vec<&Entry> =
            entries(library, withheld).filter(|_| options.transfer).collect();
        let programs = || transfer.iter().map(|entry| &entry.program);
        let mut steps: Vec<Fragment> = options.fragments.clone();
        if options.learn {
            let learned = fragments::learn(programs()).into_iter().map(|(fragment, _)| fragment);
            steps.extend(learned.filter(|f| !options.fragments.contains(f)));
        }
        let uses = fragments::uses(&steps, programs());
        Known {
            batt: engine.merge(transfer.iter().copied()),
            costs: Costs::learned(withheld),
            grammar: Grammar::new(&CallCounts::learned(), withheld, steps, &uses),
        }
    }
}

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
