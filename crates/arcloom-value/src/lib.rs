//! The data that programs compute with: grids, patches, tuples, sets, functions, and their types.
//!
//! Every value has a **general form** (tuples and sets of values, as in Python) and, where one fits,
//! a **fast form**: a [`Grid`] is one block of bytes, a [`Patch`] (positions or coloured cells) is one
//! block of bit rows, a pair of coordinates and a single cell live inside the [`Value`] itself.
//! Which form is canonical depends on the value alone, never on how it was built; the constructors
//! [`Value::tuple`] and [`Value::set`] always return it. See [`value`] for the rules.
//!
//! Nothing here knows a primitive, does IO or fails: behaviour beyond access, construction, order
//! and text lives in `arcloom-dsl`.

pub mod data;
pub mod foreign;
pub mod func;
pub mod general;
pub mod grid;
pub mod hash;
pub mod order;
pub mod patch;
pub mod product;
mod rows;
pub mod text;
pub mod ty;
pub mod value;

pub use data::Data;
pub use foreign::{Foreign, ForeignFn};
pub use func::{Closure, Code, CodeStep, Function, PrimId, Slot};
pub use grid::{CellBuf, Grid};
pub use hash::{FixedHasher, FixedMap, FixedSet};
pub use patch::{Frame, Patch, PatchBuf};
pub use product::{Parts, Product};
pub use ty::{Role, Sig, Ty, fits};
pub use value::{Bulk, Seq, Value};
