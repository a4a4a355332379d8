//! Writes `data/tasks.json` anew from the generators.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tasks.json");
    std::fs::write(path, arcloom_tasks::embedded::generate::generate())
}
