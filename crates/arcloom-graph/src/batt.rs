//! Many programs merged into one graph, a *batt*, in which equal work is one node.
//!
//! | file | what it does |
//! |---|---|
//! | `merge.rs` | adds programs to a graph, node by node, each through the rules |
//! | `draft.rs` | the graph in the making, which rules look at |
//! | `facts.rs` | what is known about a node before any input is seen |
//! | `rules.rs`, `rules/` | rewrites that keep every outcome, failures included |
//! | `graph.rs` | the finished [`Batt`]: nodes, roots, programs cut out of it again |
//!
//! | `stats.rs` | what merging saved, in figures |
//! | `text.rs`, `dot.rs`, `python.rs` | a batt as lines, as a drawing, as a Python function |
//!
//! A batt is pure data: nothing here evaluates, apart from calls of constants.

pub mod dot;
pub mod draft;
pub mod facts;
pub mod graph;
pub mod merge;
pub mod python;
pub mod rules;
pub mod stats;
pub mod text;

pub use draft::Draft;
pub use graph::{Batt, Root};
pub use merge::BattBuilder;
pub use rules::RewriteRule;
pub use stats::{NameCount, ProgramStats, Stats};
