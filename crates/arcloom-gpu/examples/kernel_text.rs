//! Prints the kernel text, for `cargo xtask ptx` and for people who want to read it in one piece.

#![expect(clippy::print_stdout, reason = "it prints")]

fn main() {
    print!("{}", arcloom_gpu::source::text());
}
