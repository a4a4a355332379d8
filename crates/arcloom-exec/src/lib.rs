//! Planning and running programs.
//!
//! A [`Plan`] is a program made ready: constants laid out, functions known in advance built, calls
//! resolved to entry points. A [`Machine`] runs plans one input at a time; each worker thread has its
//! own. Whether a program fails, and how, depends on the program and its input alone.

pub mod machine;
pub mod plan;
pub mod profile;

pub use machine::{Failure, Inputs, Machine};
pub use plan::Plan;
pub use profile::Profile;
