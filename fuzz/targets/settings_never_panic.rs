//! Settings files: whatever is in one, `config --print` ends with the settings or an error.

use std::ffi::OsString;

pub(crate) fn run(data: &[u8]) {
    let path = std::env::temp_dir().join(format!("arcloom-fuzz-{}.toml", std::process::id()));
    std::fs::write(&path, data).expect("room for a file");
    let words: [OsString; 5] =
        ["arcloom".into(), "--config".into(), path.into(), "config".into(), "--print".into()];
    let code = arcloom_cli::run(words);
    assert!(code <= 2, "{code}");
}
