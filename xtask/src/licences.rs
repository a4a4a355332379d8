//! Licences and duplicates of everything that is linked in, by the rules of `deny.toml`.
//!
//! `cargo deny` reads the same file and checks more: sources, and known weaknesses where their database can be had.
//! It runs where it is installed. It takes longer to build than most of the suite takes to run, so it is not
//! installed for it; what matters most is checked here without it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, ExitCode};

use anyhow::Context;
use serde_json::Value;

use crate::manifests::metadata;
use crate::run::{Tally, answers, cargo, root};

pub(crate) fn deny() -> anyhow::Result<ExitCode> {
    let mut tally = Tally::new(false);
    test(&mut tally);
    Ok(if tally.finish() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

pub(crate) fn test(tally: &mut Tally) {
    println!("\n== licences and duplicates");
    match problems() {
        Ok((problems, count)) if problems.is_empty() => {
            let what = format!("{count} crates, as deny.toml allows");
            tally.check("licences and duplicates", true, &what);
        }
        Ok((problems, _)) => {
            tally.check("licences and duplicates", false, &problems.join("\n   "));
        }
        Err(error) => tally.check("licences and duplicates", false, &format!("{error:#}")),
    }
    if answers(Command::new("cargo-deny").arg("--version")) {
        tally.step("cargo deny", cargo(&["deny", "check"]));
    } else {
        let reason = "cargo-deny is not on this machine; the workflow has it";
        tally.skip("cargo deny", reason, "type `cargo install cargo-deny`");
    }
}

/// What the crates that this platform links break of the rules, and how many there are.
fn problems() -> anyhow::Result<(Vec<String>, usize)> {
    let text = std::fs::read_to_string(root().join("deny.toml")).context("read deny.toml")?;
    let rules = Rules::read(&text);
    let host = Command::new("rustc").arg("-vV").output().context("run rustc")?;
    let host = String::from_utf8_lossy(&host.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let words = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
    let found = metadata(cargo(&words))?;
    let packages = found["packages"].as_array().context("`cargo metadata` lists no packages")?;
    let resolved: BTreeSet<&str> =
        found["resolve"]["nodes"].as_array().into_iter().flatten().filter_map(id).collect();
    let linked: Vec<&Value> =
        packages.iter().filter(|p| id(p).is_some_and(|id| resolved.contains(id))).collect();
    Ok((rules.broken(&linked), linked.len()))
}

fn id(node: &Value) -> Option<&str> {
    node["id"].as_str()
}

/// What `deny.toml` allows.
#[derive(Debug, Default)]
struct Rules {
    /// Licences by their SPDX names.
    licences: BTreeSet<String>,
    /// Crates that may be there in several versions.
    several: BTreeSet<String>,
}

impl Rules {
    /// The strings of the lists `allow` and `skip`; `cargo deny` itself reads the file in full.
    fn read(text: &str) -> Rules {
        let mut rules = Rules::default();
        let mut list = "";
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            if let Some((key, _)) = line.split_once(" = [") {
                list = key;
            }
            let first = line.split('"').nth(1);
            match (list, first) {
                ("allow", Some(name)) => _ = rules.licences.insert(name.to_string()),
                ("skip", Some(name)) => {
                    let name = name.split('@').next().unwrap_or_default();
                    rules.several.insert(name.to_string());
                }
                _ => {}
            }
            if line.ends_with(']') {
                list = "";
            }
        }
        rules
    }

    fn broken(&self, packages: &[&Value]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages {
            let text = |key: &str| package[key].as_str().unwrap_or_default();
            versions.entry(text("name")).or_default().insert(text("version"));
            if !self.allows(text("license")) {
                let (name, licence) = (text("name"), text("license"));
                problems.push(format!("{name}: deny.toml does not allow `{licence}`"));
            }
        }
        for (name, versions) in &versions {
            if versions.len() > 1 && !self.several.contains(*name) {
                let versions: Vec<&str> = versions.iter().copied().collect();
                problems.push(format!("{name} is linked twice: {}", versions.join(" and ")));
            }
        }
        problems
    }

    /// Whether an SPDX expression can be met: one of alternatives, all of what is joined.
    fn allows(&self, expression: &str) -> bool {
        let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let met = self.alternatives(&words, &mut at);
        met && at == words.len()
    }

    fn alternatives(&self, words: &[&str], at: &mut usize) -> bool {
        let mut met = self.joined(words, at);
        while words.get(*at) == Some(&"OR") {
            *at += 1;
            met |= self.joined(words, at);
        }
        met
    }

    fn joined(&self, words: &[&str], at: &mut usize) -> bool {
        let mut met = self.licence(words, at);
        while words.get(*at) == Some(&"AND") {
            *at += 1;
            met &= self.licence(words, at);
        }
        met
    }

    fn licence(&self, words: &[&str], at: &mut usize) -> bool {
        let Some(word) = words.get(*at) else { return false };
        *at += 1;
        if *word == "(" {
            let met = self.alternatives(words, at);
            *at += usize::from(words.get(*at) == Some(&")"));
            return met;
        }
        let mut name = (*word).to_string();
        if words.get(*at) == Some(&"WITH") {
            name = format!("{name} WITH {}", words.get(*at + 1).unwrap_or(&""));
            *at += 2;
        }
        self.licences.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "[licenses]\nallow = [\n  \"MIT\",\n  \"Zlib\", # packs\n]\n\
        [bans]\nskip = [\n  { crate = \"two@1\", reason = \"x\" },\n]\n\
        [sources]\nunknown-git = \"deny\"\n";

    #[test]
    fn expressions_are_met_or_not() {
        let rules = Rules::read(TEXT);
        for met in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(GPL-3.0 OR MIT) AND Zlib"] {
            assert!(rules.allows(met), "{met}");
        }
        for open in ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT WITH X", "MIT Zlib", "(GPL-3.0 OR X)"] {
            assert!(!rules.allows(open), "{open}");
        }
    }

    #[test]
    fn duplicates_and_licences_are_named() {
        let package = |name: &str, version: &str, licence: &str| json!({ "name": name, "version": version, "license": licence });
        let packages = [
            package("two", "1.0.0", "MIT"),
            package("two", "2.0.0", "MIT"),
            package("three", "1.0.0", "MIT"),
            package("three", "2.0.0", "GPL-3.0"),
        ];
        let broken = Rules::read(TEXT).broken(&packages.iter().collect::<Vec<_>>());
        assert_eq!(
            broken,
            ["three: deny.toml does not allow `GPL-3.0`", "three is linked twice: 1.0.0 and 2.0.0"]
        );
    }
}
