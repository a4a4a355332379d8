//! Terms of the typed DSL, from the cheapest to the dearest.
//!
//! A term is the input, a constant, a function or a call of a primitive with terms. It is evaluated on
//! all demo and test inputs at once; a tuple of values that was there before, of the same type, is not
//! kept again. What a term costs is learned from programs that people wrote, by counting which call
//! takes what as which argument: `objects` is a cheap thing to hand to `argmax`, and `hconcat` is not.
//!
//! | file | what is in it |
//! |---|---|
//! | `counts.rs` | what calls take, counted over programs |
//! | `grammar.rs` | the counts as costs: which terms may stand where, and for how much |
//! | `fragments.rs` | what programs of a library have in common, as single steps |
//! | `stitch.rs` | fragments as text, the form in which Stitch writes them |
//! | `growth.rs` | the terms |

pub mod counts;
pub mod fragments;
pub mod grammar;
pub mod growth;
pub mod stitch;

pub use counts::CallCounts;
pub use fragments::{Fragment, Uses};
pub use grammar::Grammar;
pub use growth::{Hit, TermGrowth};
