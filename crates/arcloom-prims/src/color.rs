//! (family)

use crate::record::Primitive;

/// The family, in the manual's order.
pub(crate) static ALL: &[&Primitive] = &[];
