//! Tests over all operators.

mod operators;
mod reach;
mod world;
