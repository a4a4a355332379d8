//! `cargo xtask figures`: measures, and writes what it measured into docs/measurements.md.
//!
//! Without names it lists the sections. A section is what stands between two markers of the page; nothing
//! else of it is touched. The summary is written into the README too, so that both quote the same figures.

mod measure;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

use crate::real;
use crate::run::{cargo, root};

/// The page, and where the summary is quoted.
const PAGE: &str = "docs/measurements.md";
const README: &str = "README.md";
/// The section that the README quotes.
const SUMMARY: &str = "summary";
/// What a section ends with.
const END: &str = "<!-- end -->";

/// One section of the page.
struct Section {
    name: &'static str,
    /// What is measured.
    what: &'static str,
    /// What it needs besides the public data.
    needs: &'static str,
    /// Processor time on two cores, about.
    takes: &'static str,
    measure: fn(&Setup) -> anyhow::Result<Measured>,
}

const SECTIONS: &[Section] = &[
    Section {
        name: "solve",
        what: "training tasks by folds",
        needs: "",
        takes: "10 min",
        measure: measure::solve,
    },
    Section {
        name: "evaluation",
        what: "evaluation tasks",
        needs: "",
        takes: "10 min",
        measure: measure::evaluation,
    },
    Section {
        name: "icecuber",
        what: "beside icecuber's solver, the chart and the summary",
        needs: "ARCLOOM_ICECUBER: a checkout with `run` built",
        takes: "30 min",
        measure: measure::icecuber,
    },
    Section {
        name: "ingredients",
        what: "what each ingredient of `solve` brings",
        needs: "",
        takes: "1 h",
        measure: measure::ingredients,
    },
    Section {
        name: "evolve",
        what: "evolution of 100 tasks, three seeds",
        needs: "",
        takes: "10 min",
        measure: measure::evolve,
    },
    Section {
        name: "speed",
        what: "beside CPython",
        needs: "ARCLOOM_ARC_DSL: an arc-dsl checkout",
        takes: "5 min",
        measure: measure::speed,
    },
    Section {
        name: "batts",
        what: "many programs in one graph",
        needs: "ARCLOOM_ARC_DSL: an arc-dsl checkout",
        takes: "30 min",
        measure: measure::batts,
    },
    Section {
        name: "devices",
        what: "devices of this machine",
        needs: "a device",
        takes: "1 min",
        measure: measure::devices,
    },
];

/// What measurements work with.
struct Setup {
    binary: PathBuf,
    /// Libraries that are at hand.
    libraries: Vec<String>,
}

/// What came of a section.
struct Measured {
    text: String,
    /// The sentences that the README quotes.
    summary: Option<String>,
}

pub(crate) fn figures(names: &[&str], binary: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    if names.is_empty() {
        for Section { name, what, needs, takes, .. } in SECTIONS {
            let needs = if needs.is_empty() { String::new() } else { format!("; needs {needs}") };
            println!("{name:12} {what}, about {takes}{needs}");
        }
        println!("\ncargo xtask figures NAME ... measures; `all` stands for all of them");
        return Ok(ExitCode::SUCCESS);
    }
    let known = |name: &&&str| **name != "all" && SECTIONS.iter().all(|s| s.name != **name);
    if let Some(unknown) = names.iter().find(known) {
        bail!("no section `{unknown}`; `cargo xtask figures` lists them");
    }
    if !real::has_data() {
        bail!("{}; type `cargo xtask real --install`", real::MISSING);
    }
    let binary = match binary {
        Some(binary) => binary,
        None if cargo(real::RELEASE).status().context("run cargo")?.success() => real::binary(),
        None => bail!("the release build failed"),
    };
    let setup = Setup { libraries: measure::libraries(&binary)?, binary };
    let chosen = |s: &&Section| names.iter().any(|name| [s.name, "all"].contains(name));
    for section in SECTIONS.iter().filter(chosen) {
        println!("== {}", section.name);
        let measured =
            (section.measure)(&setup).with_context(|| format!("measure {}", section.name))?;
        let text = format!("{}\n\n{}", origin()?, measured.text.trim_end());
        println!("{text}");
        put(PAGE, section.name, &text)?;
        if let Some(summary) = measured.summary {
            put(PAGE, SUMMARY, &summary)?;
            put(README, SUMMARY, &summary)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The commit, the day and the machine.
fn origin() -> anyhow::Result<String> {
    let commit = answer("git", &["rev-parse", "--short", "HEAD"])?;
    let day = answer("date", &["-u", "+%F"])?;
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    Ok(format!("Commit {commit}, {day}, {model}, {cores} cores."))
}

fn answer(program: &str, words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(words).current_dir(root()).output();
    let output = output.with_context(|| format!("run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes a section of a page.
fn put(page: &str, section: &str, text: &str) -> anyhow::Result<()> {
    let path = root().join(page);
    let before = std::fs::read_to_string(&path).with_context(|| format!("read {page}"))?;
    let after = replaced(&before, section, text)
        .with_context(|| format!("{page} has no section `<!-- figures: {section} -->`"))?;
    std::fs::write(&path, after).with_context(|| format!("write {page}"))
}

/// What stands in a section of a page.
fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let marker = format!("<!-- figures: {name} -->\n");
    let start = page.find(&marker)? + marker.len();
    let end = start + page[start..].find(END)?;
    Some(&page[start..end])
}

/// A page with another text in a section.
fn replaced(page: &str, name: &str, text: &str) -> Option<String> {
    let old = section(page, name)?;
    let start = old.as_ptr() as usize - page.as_ptr() as usize;
    let mut new = page[..start].to_owned();
    let _ = writeln!(new, "{}", text.trim_end());
    new += &page[start + old.len()..];
    Some(new)
}

/// What is wrong with the figures that pages quote: the README must say what was measured.
pub(crate) fn stale(root: &Path) -> Option<String> {
    let read = |page: &str| std::fs::read_to_string(root.join(page)).unwrap_or_default();
    let (page, readme) = (read(PAGE), read(README));
    let same =
        section(&page, SUMMARY).is_some() && section(&page, SUMMARY) == section(&readme, SUMMARY);
    (!same).then(|| format!("{README} does not quote the summary of {PAGE}: copy it from there"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_nothing_else() {
        let page =
            "a\n<!-- figures: x -->\nold\n<!-- end -->\nb\n<!-- figures: y -->\nz\n<!-- end -->\n";
        let new = replaced(page, "x", "new\nlines\n").expect("the section is there");
        assert_eq!(section(&new, "x"), Some("new\nlines\n"));
        assert_eq!(section(&new, "y"), Some("z\n"));
        assert!(new.starts_with("a\n") && new.contains("<!-- end -->\nb\n"));
        assert_eq!(replaced(page, "w", ""), None);
    }

    #[test]
    fn every_section_is_on_the_page() {
        let page = std::fs::read_to_string(root().join(PAGE)).expect("the page");
        for name in SECTIONS.iter().map(|s| s.name).chain([SUMMARY]) {
            assert!(section(&page, name).is_some(), "{PAGE} has no section {name}");
        }
        assert_eq!(stale(&root()), None);
    }
}
