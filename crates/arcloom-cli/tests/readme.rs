//! The examples of the README and of the page for agents, run from the repository's root. A file of its own, because it changes
//! the folder of the whole process.

#[test]
fn the_readme_is_true() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the repository is there");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("ARCLOOM_DATA_DIR", "no-data")
        .env("CARGO_PKG_NAME", "")
        .case("README.md")
        .case("docs/agents.md");
}
