//! What must hold for every primitive, checked by walking the registry.

use std::collections::BTreeSet;
use std::path::Path;

use arcloom_dsl::{CONSTANTS, Registry, alias::ALIASES, python, step};
use arcloom_testkit::examples::run_example;
use arcloom_value::Sig;

#[test]
fn every_example_holds_in_both_forms() {
    let mut wrong = Vec::new();
    for (_, prim) in Registry::get().all() {
        for line in prim.examples() {
            for general in [false, true] {
                if let Err(message) = run_example(line, general) {
                    wrong.push(format!("{}{message}", if general { "general form: " } else { "" }));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_primitive_is_documented_with_an_example_that_uses_it() {
    for (_, prim) in Registry::get().all() {
        assert!(prim.summary().ends_with(['.', ':']), "{}: no sentence", prim.name);
        let call = format!("{}(", prim.name);
        assert!(prim.examples().any(|e| e.contains(&call)), "{}: no example", prim.name);
    }
}

#[test]
fn signatures_parse_and_have_the_right_arity() {
    for (_, prim) in Registry::get().all() {
        let sig = Sig::parse(prim.sig).unwrap_or_else(|e| panic!("{}: {e}", prim.name));
        assert_eq!(sig.params.len(), prim.arity(), "{}", prim.name);
    }
    for alias in ALIASES {
        let sig = Sig::parse(alias.sig).unwrap_or_else(|e| panic!("{}: {e}", alias.name));
        let target = Registry::get().find(alias.target).unwrap_or_else(|| panic!("{}", alias.name));
        assert_eq!(sig.params.len(), Registry::get().primitive(target).arity(), "{}", alias.name);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = Registry::get().all().map(|(_, p)| p.name).collect();
    names.extend(ALIASES.iter().map(|a| a.name));
    names.extend(CONSTANTS.iter().map(|c| c.name));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// The lines of the sources in a folder that begin so.
fn lines_of_sources(folder: &Path, beginning: &str) -> std::io::Result<usize> {
    let mut found = 0;
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.is_dir() {
            found += lines_of_sources(&path, beginning)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(path)?;
            found += text.lines().filter(|line| line.starts_with(beginning)).count();
        }
    }
    Ok(found)
}

#[test]
fn nothing_is_declared_but_unlisted() -> std::io::Result<()> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arcloom-dsl/src");
    assert_eq!(lines_of_sources(&sources, "#[primitive(")?, Registry::get().all().len());
    assert_eq!(lines_of_sources(&sources, "#[step(")?, step::records().len());
    Ok(())
}

#[test]
fn every_step_is_declared_once() {
    let names: BTreeSet<&str> = step::records().iter().map(|record| record.name).collect();
    assert_eq!(names.len(), step::records().len());
    // Costs are kept, and programs are written, by what a step calls with which constants.
    let tried = step::all(!0);
    let texts: BTreeSet<String> = tried.iter().map(|step| step.to_string()).collect();
    assert_eq!(texts.len(), tried.len());
    for record in step::records() {
        for call in record.calls {
            assert!(Registry::get().find(call).is_some(), "{}: no primitive {call}", record.name);
        }
        let is_tried = tried.iter().any(|step| step.record.name == record.name);
        assert_eq!(is_tried, !record.at_end, "{}", record.name);
    }
}

#[test]
fn steps_come_by_their_places() {
    let places: Vec<u16> = step::all(!0).iter().map(|step| step.record.place).collect();
    assert!(places.is_sorted());
    let text = |step: &step::DeclaredStep| step.to_string();
    let by_area: Vec<String> =
        step::all(0).iter().map(text).filter(|s| s.ends_with("by(sheet_area)")).collect();
    let all = ["keep_most", "drop_most", "keep_least", "drop_least"];
    assert_eq!(by_area, all.map(|name| format!("{name}_by(sheet_area)")));
}

#[test]
fn arc_dsl_is_complete() {
    let own = Registry::get().all().filter(|(_, p)| !p.extra).count();
    assert_eq!(own, 160);
    assert_eq!(CONSTANTS.iter().filter(|c| !c.extra).count(), 28);
}

#[test]
fn every_extra_primitive_has_a_python_definition() {
    let defined = python::defined();
    let missing: Vec<&str> = Registry::get()
        .all()
        .map(|(_, p)| p)
        .filter(|p| p.extra && !defined.contains(&p.name))
        .map(|p| p.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
