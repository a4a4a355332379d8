#![no_main]

#[path = "../targets/fragments_never_panic.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| target::run(data));
