//! The archive: programs, results, lineage and runs in one SQLite file.
//!
//! | file | what is in it |
//! |---|---|
//! | `record.rs` | what is stored, as plain data |
//! | `schema.rs` | the tables, as a list of migrations |
//! | `archive.rs` `lock.rs` `place.rs` `sweep.rs` | opening, settings, the one writer, which file it is, closing |
//! | `guard.rs` | which files are archives, and how much work they may make |
//! | `write.rs` | runs, and everything of one generation in one transaction |
//! | `read.rs` `lineage.rs` | programs, populations, the best, ancestors and descendants, counts |
//! | `run_task.rs` | what each run hands in for each task, and whether it is still at work |
//! | `page.rs` | programs a page at a time, how tasks stand |
//! | `prune.rs` | bounded growth: the best and the most different of each task |
//! | `audit.rs` | what contradicts itself |
//! | `merge.rs` `compare.rs` | union with another archive; the first difference between two |
//!
//! The archive is the checkpoint of an evolution: a generation is there as a whole or not at all.
//! It knows programs as text and ids, and nothing of how they are made or run. `docs/archive.md`
//! describes the file for people who open it with other tools.

pub mod archive;
mod audit;
pub mod compare;
pub mod error;
mod guard;
pub mod lineage;
mod lock;
pub mod merge;
pub mod page;
mod place;
pub mod prune;
pub mod read;
pub mod record;
pub mod run_task;
pub mod schema;
mod sweep;
pub mod write;

pub use archive::{Access, Archive};
pub use arcloom_lang::ProgramId;
pub use arcloom_tasks::{Behaviour, TaskId};
pub use compare::ArchiveDifference;
pub use error::StoreError;
pub use lineage::{Lineage, LineageNode};
pub use merge::Merged;
pub use page::{Island, Page, PageQuery, TaskResults};
pub use prune::{Prune, PruneOptions, Pruned};
pub use read::{ArchiveCounts, Filter};
pub use record::{
    CacheRecord, GenerationBatch, GenerationRecord, NewRun, OperatorRecord, Origin,
    PopulationRecord, PredictionRecord, ProgramRecord, Records, ResultRecord, RunKind, RunNumber,
    RunRecord, RunState, RunTaskRecord, ScoreRecord, StandingRecord, TaskRecord,
};
pub use run_task::{FirstFit, StoredRunTask};
pub use write::AddedRecords;
