//! Suffixed names of the predecessor's dialect that mean exactly what an existing primitive means.
//!
//! The suffix says what kind of argument is meant: `_t` a tuple or grid, `_f` a set, `_i` positions,
//! `_o` an object. It narrows the signature and nothing else. Names whose meaning differs are
//! primitives of their own.

use crate::registry::Alias;

/// The alias with this name.
pub fn find(name: &str) -> Option<&'static Alias> {
    ALIASES.iter().find(|a| a.name == name)
}

/// All aliases.
pub static ALIASES: &[Alias] = &[];
