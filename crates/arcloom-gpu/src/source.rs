//! The kernel text, put together from its files.

use std::fmt::Write;

use crate::table::{CONTROL, FIRST, KERNELS, VALUES};

/// The files, in the order in which they build on each other.
static FILES: &[&str] = &[
    include_str!("kernels/prelude.c"),
    include_str!("kernels/value.c"),
    include_str!("kernels/lanes.c"),
    include_str!("kernels/arithmetic.c"),
    include_str!("kernels/logic.c"),
    include_str!("kernels/container.c"),
    include_str!("kernels/color.c"),
    include_str!("kernels/measure.c"),
    include_str!("kernels/geometry.c"),
    include_str!("kernels/scale.c"),
    include_str!("kernels/layout.c"),
    include_str!("kernels/objects.c"),
    include_str!("kernels/position.c"),
    include_str!("kernels/lines.c"),
    include_str!("kernels/paint.c"),
    include_str!("kernels/pattern.c"),
    include_str!("kernels/higher_order.c"),
];

static INTERPRETER: &str = include_str!("kernels/interpreter.c");

/// Name of the kernel.
pub const ENTRY: &str = "loom";

/// The whole text, for OpenCL C; with `ARCLOOM_CUDA` defined, for CUDA C.
pub fn text() -> String {
    let mut text = String::new();
    let mut cases = String::new();
    for (n, name) in CONTROL.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "#define OP_{name} {n}");
    }
    let _ = writeln!(text, "#define OP_VALUES {VALUES}");
    for (n, kernel) in KERNELS.iter().enumerate() {
        let _ =
            writeln!(cases, "    case {}: {}; break; // {}", FIRST + n, kernel.code, kernel.name);
    }
    FILES.iter().for_each(|file| text.push_str(file));
    text.push_str(&INTERPRETER.replace("//OPERATIONS\n", &cases));
    text
}

/// A hash of the text (FNV-1a), by which compiled kernels know what they were made from.
pub fn digest() -> u64 {
    text().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
