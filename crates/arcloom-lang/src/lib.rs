//! Programs as text and as typed graphs, the only form after parsing.
//!
//! | stage | file | from -> to |
//! |---|---|---|
//! | parse | `syntax.rs` | Python text -> syntax tree with spans; knows no primitive |
//! | lower | `lower.rs` | syntax tree -> [`Program`], names resolved, equal nodes shared |
//! | infer | `infer.rs` | types of nodes, warnings for what cannot be right |
//! | verify | `verify.rs` | the list of what makes a program well formed |
//! | print | `text.rs` | [`Program`] -> straight-line, inlined or arc-dsl text |
//!
//! A program is pure data: nothing here evaluates.

pub mod error;
pub mod foreign;
pub mod infer;
pub mod lower;
pub mod nearest;
pub mod node;
pub mod program;
mod single;
pub mod syntax;
pub mod text;
pub mod verify;

pub use error::{LoadError, LoadErrorKind, Note, NoteKind};
pub use lower::{Loaded, load_bytes, load_file, load_snippet};
pub use node::{Node, NodeId, Op};
pub use program::{Builder, Program, ProgramId, function_name, slice};
pub use single::one_program;
pub use text::Form;
