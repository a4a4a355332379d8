#![no_main]

#[path = "../targets/evaluator_never_panics.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| target::run(data));
