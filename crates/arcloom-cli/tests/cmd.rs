//! Every command as a reader would type it, with its output and exit code.
//!
//! `TRYCMD=overwrite cargo test -p arcloom-cli --test cmd` writes the present output into the files.

#[test]
fn commands_print_what_is_written_down() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        // A folder that does not exist: nothing was fetched or registered.
        .env("ARCLOOM_DATA_DIR", "no-data")
        // As if not started by cargo.
        .env("CARGO_PKG_NAME", "")
        .case("tests/cmd/*.trycmd");
}
