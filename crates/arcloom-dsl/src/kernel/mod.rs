//! Tight loops over cells and bit rows. They take slices and patches, know no `Value` arguments and
//! charge no budget; the primitive in front of them does both.

pub mod between;
pub mod bits;
pub mod cells;
pub mod components;
pub mod count;
pub mod expand;
pub mod figure;
pub mod lanes;
pub mod mask;
pub mod mirror;
pub mod near;
pub mod occurrences;
pub mod period;
pub mod sheet;
pub mod slice;
pub mod sort;
pub mod tally;
