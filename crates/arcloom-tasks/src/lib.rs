//! ARC task files and solver files in, submissions out.
//!
//! A [`TaskSet`] comes from a folder of task files, one task file, a Kaggle challenges file (with
//! its solutions beside it, if they are there), a combined file with splits, or the small set that
//! is built in. Which of these a file is, its content says. Everything that reads one of them also
//! takes a **name** (`arc1/training`, `library:rearc`), which a [`Catalog`] resolves; [`pull`] brings
//! the public sets into the catalogue's folder and [`Catalog::add`] registers what is already on disk.
//!
//! Demo pairs and test pairs have different types on purpose: the answer of a test is for reports
//! alone, and code that searches takes [`Pair`]s.
//!
//! Files from elsewhere are only ever read as data. Whatever is wrong with one becomes a
//! [`CorpusError`] of one line: what, where, what to do. Nothing here panics on input or prints.

mod behaviour;
mod catalog;
mod content;
mod disk;
pub mod embedded;
mod error;
mod inventory;
mod json;
mod load;
mod manifest;
mod more;
mod name;
mod pull;
mod quick;
mod registry;
mod shape;
mod solvers;
mod submission;
mod task;
mod whole;

pub use behaviour::{Behaviour, behaviour};
pub use catalog::Catalog;
pub use content::{ContentId, TaskId};
pub use error::CorpusError;
pub use inventory::{AddedData, Check, DataKind, Health, Listed, Status};
pub use load::{load_readable_tasks, load_task_file, load_tasks, parse_tasks};
pub use more::MorePairs;
pub use pull::{PullEvent, PullOptions, PullReport, pull};
pub use solvers::{SourceFile, Sources, load_programs};
pub use submission::{AttemptPair, Submission};
pub use task::{GridLimits, Malformed, Pair, Task, TaskSet, TestPair};
pub use whole::{WriteTarget, nameless_beside, write_whole};

/// Result of everything here that reads or writes files.
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;
