//! `cargo xtask tidy`: what no compiler checks about the tree.
//!
//! Problems fail; remarks, which begin with `note:`, do not.

mod phrases;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

use crate::book;
use crate::links;
use crate::manifests::Manifests;
use crate::run::root;

/// Crates by level: one may depend on those of lower levels only.
const LEVELS: &[(&str, usize)] = &[
    ("arcloom-value", 0),
    ("arcloom-macros", 0),
    ("arcloom-dsl", 1),
    ("arcloom-tasks", 1),
    ("arcloom-draw", 1),
    ("arcloom-lang", 2),
    ("arcloom-graph", 3),
    ("arcloom-store", 3),
    ("arcloom-search", 3),
    ("arcloom-gpu", 4),
    ("arcloom-evolve", 4),
    ("arcloom", 5),
    ("arcloom-web", 6),
    ("arcloom-cli", 7),
    ("arcloom-py", 8),
];

/// Crates that are for tests only, which no other may need at run time.
const TEST_ONLY: &[&str] = &["arcloom-testkit", "arcloom-gpu-standin"];

/// Names that several crates may give a public type: every crate may have its own `Result`.
const SHARED_TYPES: &[&str] = &["Result"];

/// Words that are not used any more, and what is said instead.
const GONE: &[(&str, &str)] = &[
    ("Weaver", "BattBuilder"),
    ("Carding", "the words of the batt"),
    ("Loom", "the words of the executor"),
    ("Sheaf", "a plain word"),
    ("Colony", "a plain word"),
    ("arcloom-prims", "arcloom-dsl"),
    ("arcloom-sheet", "arcloom-dsl"),
    ("arcloom-differ", "arcloom-dsl"),
    ("arcloom-syntax", "arcloom-lang"),
    ("arcloom-ir", "arcloom-lang"),
    ("arcloom-batt", "arcloom-graph"),
    ("arcloom-exec", "arcloom-graph"),
    ("arcloom-corpus", "arcloom-tasks"),
    ("arcloom-embedded", "arcloom-tasks"),
    ("arcloom-render", "arcloom-draw"),
    ("arcloom-report", "arcloom-web"),
];
/// Files that may use them: they tell history, or list what tools resolved.
const HISTORY: &[&str] =
    &["CHANGELOG.md", "docs/upgrading.md", "Cargo.lock", "fuzz/Cargo.lock", "xtask/src/tidy.rs"];

/// Lines of a file from which on it is remarked upon.
const LONG: usize = 500;

/// The only files that may ask a task for the expected output of a test. Everything else learns from
/// a verdict whether an answer is right, so that no search can see one.
const READS_ANSWERS: &[&str] = &["crates/arcloom/src/verdict.rs"];
/// The call that asks.
const ANSWER: &str = ".expected_output(";

/// Hosts that files may name. Where packages come from is the business of each user's tools: no file
/// names a registry or an index, so only what is linked to or stands for an example is here.
const HOSTS: &[&str] = &[
    "127.0.0.1",
    "arcprize.org",
    "docs.ray.io",
    "evil.example",
    "example.com",
    "github.com",
    "localhost",
    "www.apache.org",
    "www.w3.org",
];

/// How absolute paths of one machine begin.
const MACHINE_PATHS: &[&str] =
    &["/root/", "/home/", "/Users/", "/opt/", "/work/", "/mnt/", "C:\\Users"];

pub(crate) fn tidy() -> anyhow::Result<ExitCode> {
    let files = tracked()?;
    let mut found = Found::default();
    check_levels(&mut found)?;
    check_type_names(&files, &mut found);
    check_words(&files, &mut found);
    phrases::check(&files, &mut found);
    check_answers(&files, &mut found);
    check_places(&files, &mut found);
    check_lengths(&files, &mut found);
    check_links(&files, &mut found);
    found.problems.extend(Manifests::read()?.problems()?);
    found.problems.extend(crate::figures::stale(&root()));
    for note in &found.notes {
        println!("note: {note}");
    }
    println!("note: {} tests in Rust", count_tests(&files));
    for problem in &found.problems {
        println!("{problem}");
    }
    Ok(if found.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[derive(Debug, Default)]
struct Found {
    problems: Vec<String>,
    notes: Vec<String>,
}

/// A file of the repository that is text.
struct Text {
    path: String,
    text: String,
}

impl Text {
    fn is(&self, ending: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == ending)
    }

    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(n, line)| (n + 1, line))
    }
}

/// All tracked text files, in the order of their paths.
fn tracked() -> anyhow::Result<Vec<Text>> {
    let output = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .context("run git")?;
    if !output.status.success() {
        bail!("`git ls-files` failed: tidy reads the files that git tracks");
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let read = |path: &str| {
        // A file that was deleted and not yet committed is not there; one that is not UTF-8 is no text.
        let text = std::fs::read_to_string(root().join(path)).ok()?;
        Some(Text { path: path.to_string(), text })
    };
    Ok(names.split('\0').filter(|name| !name.is_empty()).filter_map(read).collect())
}

fn check_levels(found: &mut Found) -> anyhow::Result<()> {
    let level = |name: &str| LEVELS.iter().find(|(n, _)| *n == name).map(|(_, l)| *l);
    for entry in std::fs::read_dir(root().join("crates")).context("read crates")? {
        let name = entry.context("read crates")?.file_name().to_string_lossy().into_owned();
        if level(&name).is_none() && !TEST_ONLY.contains(&name.as_str()) {
            found.problems.push(format!("crates/{name}: has no level in xtask/src/tidy.rs"));
        }
    }
    for &(name, own) in LEVELS {
        let path = root().join("crates").join(name).join("Cargo.toml");
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let runtime = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in runtime.lines().filter(|l| l.starts_with("arcloom")) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            match level(dependency) {
                Some(other) if other < own => {}
                _ => found
                    .problems
                    .push(format!("{name} depends on {dependency}, which is not below it")),
            }
        }
    }
    Ok(())
}

/// A public type name means one thing in the whole workspace.
fn check_type_names(files: &[Text], found: &mut Found) {
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| in_sources(file)) {
        for (n, line) in file.lines() {
            if let Some(name) = public_type(line) {
                names.entry(name).or_default().push(format!("{}:{n}", file.path));
            }
        }
    }
    for (name, places) in names.iter().filter(|(name, _)| !SHARED_TYPES.contains(name)) {
        if places.len() > 1 {
            found.problems.push(format!(
                "{name} is {} public types: {}",
                places.len(),
                places.join(", ")
            ));
        }
    }
}

fn in_sources(file: &Text) -> bool {
    file.is("rs") && file.path.starts_with("crates/") && file.path.contains("/src/")
}

/// The name that a line gives a public type.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let kinds = ["struct ", "enum ", "union ", "trait ", "type "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn check_words(files: &[Text], found: &mut Found) {
    let read = |file: &&Text| {
        ["rs", "md", "toml", "py", "pyi", "c"].iter().any(|ending| file.is(ending))
            && !HISTORY.contains(&file.path.as_str())
    };
    for file in files.iter().filter(read) {
        for (n, line) in file.lines() {
            for (word, instead) in GONE {
                if has_word(line, word) || has_word(line, &word.replace('-', "_")) {
                    let place = format!("{}:{n}", file.path);
                    found.problems.push(format!("{place}: `{word}` is gone, now {instead}"));
                }
            }
        }
    }
}

/// True when a word stands in a line as a whole. What follows a `-` belongs to another word.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_word(c) || c == '-')
            && !after.is_some_and(|c| is_word(c) || c == '-')
    })
}

fn check_answers(files: &[Text], found: &mut Found) {
    for file in files.iter().filter(|file| in_sources(file)) {
        if READS_ANSWERS.contains(&file.path.as_str()) {
            continue;
        }
        for (n, line) in file.lines() {
            if line.contains(ANSWER) && !line.trim_start().starts_with("//") {
                let only = READS_ANSWERS.join(", ");
                found
                    .problems
                    .push(format!("{}:{n}: reads test answers; only {only} may", file.path));
            }
        }
    }
}

/// No host but the known ones, and no path of one machine.
fn check_places(files: &[Text], found: &mut Found) {
    let own = ["xtask/src/tidy.rs", "Cargo.lock", "fuzz/Cargo.lock"];
    for file in files.iter().filter(|file| !own.contains(&file.path.as_str())) {
        for (n, line) in file.lines() {
            for host in hosts(line).filter(|host| !HOSTS.contains(host)) {
                let advice = "link to what a reader needs, or add it to HOSTS in xtask/src/tidy.rs";
                found.problems.push(format!("{}:{n}: names the host {host}: {advice}", file.path));
            }
            for begin in MACHINE_PATHS.iter().filter(|begin| has_path(line, begin)) {
                found.problems.push(format!("{}:{n}: a path of one machine: {begin}", file.path));
            }
        }
    }
}

/// The hosts of the network addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    let schemes = ["http", "https", "ftp", "git", "ssh"];
    let starts = line.match_indices("://").filter(move |(at, _)| {
        let scheme = line[..*at].rsplit(|c: char| !c.is_alphanumeric()).next();
        scheme.is_some_and(|scheme| schemes.contains(&scheme))
    });
    let end = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && !".-".contains(c));
    starts
        .map(move |(at, _)| &line[at + 3..])
        .map(move |rest| rest[..end(rest).unwrap_or(rest.len())].trim_end_matches('.'))
        // An address that a program puts together.
        .filter(|host| !host.is_empty())
}

/// True when an absolute path that begins so is in a line.
fn has_path(line: &str, begin: &str) -> bool {
    line.match_indices(begin).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| is_word(c) || "./-~*}".contains(c))
    })
}

fn check_lengths(files: &[Text], found: &mut Found) {
    for file in files.iter().filter(|file| file.is("rs")) {
        let lines = file.text.lines().count();
        if lines > LONG {
            found.notes.push(format!("{}: {lines} lines, more than {LONG}", file.path));
        }
    }
}

fn check_links(files: &[Text], found: &mut Found) {
    let pages = files.iter().filter(|file| file.is("md"));
    let pages: Vec<(&str, &str)> = pages.map(|f| (f.path.as_str(), f.text.as_str())).collect();
    found.problems.extend(links::broken(&pages));
    found.problems.extend(book::unlisted(&pages));
}

fn count_tests(files: &[Text]) -> usize {
    let of = |file: &Text| file.lines().filter(|(_, line)| line.trim() == "#[test]").count();
    files.iter().filter(|file| file.is("rs")).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_are_seen() {
        assert_eq!(public_type("pub struct Grid {"), Some("Grid"));
        assert_eq!(public_type("    pub enum Kind<'a> {"), Some("Kind"));
        assert_eq!(
            public_type("pub type Result<T> = std::result::Result<T, Error>;"),
            Some("Result")
        );
        assert_eq!(public_type("pub(crate) struct Hidden;"), None);
        assert_eq!(public_type("pub fn structure() {}"), None);
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("a Loom of", "Loom"));
        assert!(!has_word("a Loomed of", "Loom"));
        assert!(!has_word("arcloom-ir-more", "arcloom-ir"));
        assert!(has_word("`arcloom-ir`", "arcloom-ir"));
        assert!(!has_word("arcloom-report-x", "arcloom-report"));
    }

    #[test]
    fn hosts_and_paths_are_seen() {
        let found: Vec<&str> =
            hosts("see https://example.com/a and http://localhost:80.").collect();
        assert_eq!(found, ["example.com", "localhost"]);
        assert_eq!(hosts("http://{address}").count(), 0);
        assert!(has_path("cd /root/x", "/root/"));
        assert!(!has_path("self.0/root/x", "/root/"));
        assert!(!has_path("crates/opt/h", "/opt/"));
    }
}
