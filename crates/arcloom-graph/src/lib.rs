//! Many programs merged into one graph ([`batt`]), and what runs programs and graphs.
//!
//! A [`Plan`] is a program made ready: constants laid out, functions known in advance built, calls
//! resolved to entry points. A [`Machine`] runs plans one input at a time; each worker thread has its
//! own. Whether a program fails, and how, depends on the program and its input alone.
//!
//! A [`BattPlan`] is the same for a batt, whose nodes a [`Backend`] evaluates on the inputs of a task:
//!
//! | file | what it is |
//! |---|---|
//! | `batt_plan.rs` | what is left to do per task and per input |
//! | `worker.rs` | does it: each node once, no call twice on the same values |
//! | `table.rs`, `memo.rs` | values by number, calls by numbers |
//! | `column.rs` | the grids that leave the worker |
//! | `backend.rs`, `cpu.rs` | who evaluates; the inputs of a task side by side |
//! | `source.rs` | where a run has its columns from, devices and caches included |

pub mod backend;
pub mod batt;
pub mod batt_plan;
pub mod column;
pub mod counts;
pub mod cpu;
pub mod machine;
mod memo;
pub mod plan;
pub mod profile;
pub mod source;
mod table;
pub mod worker;

pub use arcloom_dsl::Stop;
pub use backend::{Backend, TaskColumns, TaskInputs};
pub use batt_plan::BattPlan;
pub use column::{Column, GridCode, Mark};
pub use counts::RunCounts;
pub use cpu::Cpu;
pub use machine::{Failure, Inputs, Machine, Traced};
pub use plan::Plan;
pub use profile::Profile;
pub use source::{ColumnSource, SharedColumns};
pub use table::ValueId;
pub use worker::{NodeSlot, Worker};
