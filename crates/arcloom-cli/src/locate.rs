//! Tasks and programs by what people type: the one answer to what a word of the command line means.
//!
//! | file | what is in it |
//! |---|---|
//! | `locate/tasks.rs` | sets, files, folders, SET/ID, ids; what is taken when none are named |
//! | `locate/programs.rs` | files, folders, libraries, archives, one program of them, ids |
//! | `locate/kind.rs` | what a file is that was meant as something else |

mod kind;
mod programs;
mod tasks;

pub(crate) use kind::{FileKind, kind_of};
pub(crate) use programs::{
    ARCHIVE, only, program, programs, programs_or_default, report, split_archive,
};
pub(crate) use tasks::{
    Found, USUAL, archived_sets, choose, has_home, task, task_or_set, tasks, tasks_or_default,
    warn_of_malformed,
};

/// How tasks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A malformed task is an error.
    Strict,
    /// A malformed task is passed over and noted in the set, for whoever must answer all of a file.
    Lenient,
}

/// How to name others, said when nobody named any.
pub(crate) const TASKS: &str = "-t names others";
pub(crate) const PROGRAMS: &str = "-p names others";

/// Most errors and most warnings of one load that are shown, unless all are asked for.
const MOST: (usize, usize) = (20, 5);
