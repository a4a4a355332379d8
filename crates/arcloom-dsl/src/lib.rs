//! All DSL primitives, the constants, how they are called, and the differs that grade what they give.
//!
//! Each family is a file; a primitive is an ordinary function with `#[primitive]` on it and its
//! record's name in the family's list; the families of sheets are listed by `build.rs`. The functions accept the general form of every value; a fast
//! path for the canonical form comes first where it matters. Algorithms longer than a screen live in
//! [`kernel`] and know nothing of [`arcloom_value::Value`].
//!
//! No IO, no locks, no randomness, no panics on input.

pub mod alias;
pub mod call;
pub mod constants;
pub mod differ;
pub mod foreign;
pub mod kernel;
pub mod order;
pub mod python;
pub mod record;
pub mod registry;
pub mod step;
pub mod stop;
mod toll;
pub mod view;
pub mod words;

pub mod arithmetic;
pub mod color;
pub mod container;
mod flat;
mod fused;
pub mod geometry;
pub mod higher_order;
pub mod layout;
pub mod lines;
pub mod logic;
pub mod measure;
mod memo;
pub mod objects;
pub mod paint;
pub mod pattern;
pub mod position;
pub mod rank;
pub mod samples;
pub mod scale;
pub mod selector;
mod shapes;
pub mod sheet;

pub use call::{Caller, EvalError, Fault, Outcome};
pub use constants::{CONSTANTS, Constant};
pub use record::{Class, CostClass, Primitive};
pub use registry::{Alias, Registry};
pub use stop::Stop;

/// Raised when a program may come to another outcome than before: a primitive gives something else, or
/// is charged otherwise, without another name or signature.
pub const DSL_VERSION: u32 = 2;

/// The primitives of every family, in the manual's order.
pub(crate) static FAMILIES: &[&[&Primitive]] = &[
    arithmetic::ALL,
    logic::ALL,
    container::ALL,
    higher_order::ALL,
    color::ALL,
    measure::ALL,
    geometry::ALL,
    scale::ALL,
    layout::ALL,
    objects::ALL,
    position::ALL,
    lines::ALL,
    paint::ALL,
    pattern::ALL,
    rank::ALL,
    selector::ALL,
    sheet::ALL,
    sheet::FAMILIES,
    samples::ALL,
];
