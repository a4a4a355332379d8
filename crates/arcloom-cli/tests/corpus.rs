//! Inputs that fuzzing found worth keeping, replayed: each target of `cargo xtask fuzz` on its corpus.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end at once")]

use std::path::Path;

macro_rules! targets {
    ($($name:ident $path:literal)*) => {
        $(
            #[path = $path]
            mod $name;

            #[test]
            fn $name() {
                replay(stringify!($name), $name::run);
            }
        )*

        /// A target that is not replayed here would rot.
        #[test]
        fn every_corpus_is_replayed() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
            let mut found: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            found.sort();
            let mut replayed = vec![$(stringify!($name)),*];
            replayed.sort_unstable();
            assert_eq!(found, replayed);
        }
    };
}

targets! {
    parser_never_panics "../../../fuzz/targets/parser_never_panics.rs"
    evaluator_never_panics "../../../fuzz/targets/evaluator_never_panics.rs"
    archives_never_panic "../../../fuzz/targets/archives_never_panic.rs"
    json_lines_never_panic "../../../fuzz/targets/json_lines_never_panic.rs"
    tasks_never_panic "../../../fuzz/targets/tasks_never_panic.rs"
    settings_never_panic "../../../fuzz/targets/settings_never_panic.rs"
    requests_never_panic "../../../fuzz/targets/requests_never_panic.rs"
}

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no corpus");
    for path in paths {
        run(&std::fs::read(&path).unwrap());
    }
}
