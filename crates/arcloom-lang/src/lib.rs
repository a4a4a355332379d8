//! Programs as text and as typed graphs, the only form after parsing.
//!
//! | stage | file | from -> to |
//! |---|---|---|
//! | parse | `syntax.rs` | Python text -> syntax tree with spans; knows no primitive |
//! | lower | `lower.rs` | syntax tree -> [`Program`], names resolved, equal nodes shared |
//! | infer | `infer.rs` | types of nodes, warnings for what cannot be right |
//! | verify | `verify.rs` | the list of what makes a program well formed |
//! | answers | `answer.rs` | text of a language model -> the programs in it, and what was left out |
//! | carried over | `batt_file.rs` | a `batt.py` with many solvers in one function -> their functions |
//! | print | `text.rs` | [`Program`] -> straight-line, inlined or arc-dsl text |
//!
//! A program is pure data: nothing here evaluates.

mod answer;
mod batt_file;
pub mod error;
pub mod foreign;
pub mod infer;
pub mod lower;
pub mod nearest;
pub mod node;
pub mod program;
mod suggest;
pub mod syntax;
pub mod text;
pub mod verify;

pub use answer::{Answer, Dropped, DroppedKind, PlacedProgram, Reading, TextError, one_program};
pub use batt_file::unfold_batt;
pub use error::{LoadError, LoadErrorKind, Note, NoteKind};
pub use lower::{Loaded, function, load_bytes, load_file, load_snippet};
pub use node::{Node, NodeId, Op};
pub use program::{Builder, Program, ProgramId, function_name, slice};
pub use text::Form;
