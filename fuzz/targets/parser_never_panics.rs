//! Any bytes: parsing, lowering and printing end without a panic, and what loads prints and loads
//! again as the same program.

use arcloom_lang::{Form, load_bytes, load_file, text, verify::verify};

pub(crate) fn run(data: &[u8]) {
    let loaded = load_bytes(data);
    for program in loaded.programs.iter().take(4) {
        verify(program).expect("a loaded program is well formed");
        // Inlining a lambda may repeat its steps; long ones are left to the round-trip test.
        if program.nodes().len() > 200 {
            continue;
        }
        let printed = text::print(program, Form::Straight);
        let again = load_file(&printed);
        assert!(again.errors.is_empty(), "{printed}\n{:?}", again.errors);
    }
}
