//! Many programs merged into one graph, a *batt*, in which equal work is one node.
//!
//! | file | what it does |
//! |---|---|
//! | `merge.rs` | adds programs to a graph, node by node, each through the rules |
//! | `rules.rs`, `rules/` | rewrites that keep every outcome, failures included |
//! | `graph.rs` | the finished [`Batt`]: nodes, roots, programs cut out of it again |
//!
//! A batt is pure data: nothing here evaluates.

pub mod graph;
pub mod merge;
pub mod rules;

pub use graph::{Batt, Root};
pub use merge::Weaver;
pub use rules::Rule;
