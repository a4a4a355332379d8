//! What tests share: random programs, expressions and grids, tests as files, and the runner of documented
//! examples.

pub mod choice;
pub mod examples;
pub mod expression;
pub mod files;
pub mod generate;

pub use choice::{Bytes, Chooser, Seeded};
pub use expression::Expression;
pub use generate::{random_grid, random_program};
