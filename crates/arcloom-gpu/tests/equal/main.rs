//! What a device gives is what the CPU gives: primitives, random programs, files, the public libraries.
//!
//! The device is PoCL's, or whatever OpenCL has first; without any the tests say so and pass.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod files;
mod fleet;
mod harness;
mod primitives;
mod programs;
mod trips;
