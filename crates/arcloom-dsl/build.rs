//! Lists the families of sheets, so that a file put into `src/sheet/` is part of the build: its modules, what it declares
//! with `#[primitive]` and `#[step]`, and the Python definitions beside them. Families come in the order of their names,
//! declarations in the order of their file.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=src/sheet");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(variable("OUT_DIR")).join("families.rs");
    let text = families(&root.join("src/sheet"));
    std::fs::write(&out, text).unwrap_or_else(|e| panic!("write {}: {e}", out.display()));
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn families(folder: &Path) -> String {
    let found = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (mut modules, mut sources) = (String::new(), String::new());
    let (mut primitives, mut steps) = (String::new(), String::new());
    for path in paths {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        match ending {
            "py" => sources += &format!("    include_str!({path:?}),\n"),
            "rs" => {
                let text = std::fs::read_to_string(&path);
                let text = text.unwrap_or_else(|e| panic!("read {}: {e}", path.display()));
                modules += &format!("#[path = {path:?}]\npub mod {name};\n");
                for declared in declared(&text, "#[primitive(") {
                    primitives += &format!("    &{name}::{declared},\n");
                }
                for declared in declared(&text, "#[step(") {
                    steps += &format!("    &{name}::{declared}_STEP,\n");
                }
            }
            _ => {}
        }
    }
    format!(
        "{modules}
/// The primitives of the families in files of their own.
pub(crate) static FAMILIES: &[&crate::record::Primitive] = &[
{primitives}];

/// The steps of all families.
pub(crate) static STEPS: &[&crate::step::StepRecord] = &[
{steps}];

/// Their Python definitions.
pub(crate) static SOURCES: &[&str] = &[
{sources}];
"
    )
}

/// The records that an attribute at the beginning of a line makes: the functions after it, in capitals.
fn declared(text: &str, attribute: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut waits = false;
    for line in text.lines() {
        waits |= line.starts_with(attribute);
        let name = line.strip_prefix("pub fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let Some(name) = name.filter(|_| waits) {
            found.push(name.to_uppercase());
            waits = false;
        }
    }
    found
}
