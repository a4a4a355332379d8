//! Tight loops over cells and bit rows. They take slices and patches, know no `Value` arguments and
//! charge no budget; the primitive in front of them does both.

pub mod bits;
