//! Many programs merged into one graph ([`batt`]), and what runs programs and graphs.
//!
//! A [`Plan`] is a program made ready: constants laid out, functions known in advance built, calls
//! resolved to entry points. A [`Machine`] runs plans one input at a time; each worker thread has its
//! own. Whether a program fails, and how, depends on the program and its input alone. What a program gives
//! on a task is answered in one place:
//!
//! | file | what it is |
//! |---|---|
//! | `view.rs` | a task prepared: inputs, demo pairs, expected outputs of the demos |
//! | `limits.rs` | what a call may cost, and in which form it gets its values |
//! | `evaluate.rs` | the outputs of a program on a task, and why there is none |
//! | `own_differ.rs` | programs of the user's that judge candidates |
//! | `workers.rs` | threads, each with a machine |
//! | `spans.rs` | where the time goes, on all threads |
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
//! | `allowance.rs` | what a batt may take on a task, as work |
//! | `source.rs` | where a run has its columns from, devices and caches included |

pub mod allowance;
pub mod backend;
pub mod batt;
pub mod batt_plan;
pub mod column;
pub mod counts;
pub mod cpu;
pub mod evaluate;
pub mod limits;
pub mod machine;
mod memo;
pub mod own_differ;
pub mod plan;
pub mod profile;
pub mod source;
pub mod spans;
mod table;
pub mod view;
pub mod worker;
pub mod workers;

pub use allowance::Allowance;
pub use arcloom_dsl::Stop;
pub use backend::{Backend, TaskColumns};
pub use batt_plan::BattPlan;
pub use column::{Column, GridCode, Mark};
pub use counts::RunCounts;
pub use cpu::Cpu;
pub use evaluate::{NoOutput, Output, Outputs};
pub use limits::Limits;
pub use machine::{Failure, Inputs, Machine, Traced};
pub use own_differ::OwnDiffer;
pub use plan::Plan;
pub use profile::Profile;
pub use source::{ColumnSource, SharedColumns};
pub use spans::{Spans, TimeRow};
pub use table::ValueId;
pub use view::{DemoFit, TaskInputs, TaskView, samples_value, similarity};
pub use worker::{NodeSlot, Worker};
pub use workers::Workers;
