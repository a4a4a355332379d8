//! Graded comparison of a candidate grid with the expected one.
//!
//! A [`Differ`] looks at one respect (cells, shape, colours, objects, places) and gives a score from
//! 0 to 1000: 1000 exactly when candidate and expected grid agree in that respect, and never lower
//! after a repair in that respect. Asked for it, a differ also names a *finding*, a value that
//! mutation can put into a program: the missing colour, the right shape, the way things must move.
//!
//! | file | what is in it |
//! |---|---|
//! | `all.rs` | the records, the list [`ALL`], the ranking score [`total`] |
//! | `pair.rs` | what is known of each grid, worked out once and only when asked for |
//! | `cells.rs`, `shape.rs`, `palette.rs`, `profile.rs`, `objects.rs`, `position.rs` | the differs |
//!
//! `docs/differs.md` describes each of them. Nothing here runs programs or fails; differs that users
//! write as programs are run by whoever runs programs.

mod all;
mod cells;
mod objects;
mod pair;
mod palette;
mod position;
mod profile;
mod shape;

pub use all::{ALL, Differ, Judgement, PERFECT, find, total};
pub use pair::{Comparison, Expected};
