//! What the manifests say: which crates are public, what each of those must say, what everything depends on.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::run::{cargo, root};

/// The page with one line for each crate of others that a manifest names.
const WHY: &str = "docs/dependencies.md";
/// What a registry shows, or searches in, for every public crate.
const FIELDS: &[&str] =
    &["authors", "categories", "description", "keywords", "license", "readme", "repository"];
/// Texts that every packed crate must have.
const LICENCES: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];

/// The crates of the workspace, as cargo reads them.
#[derive(Debug)]
pub(crate) struct Manifests {
    packages: Vec<Value>,
}

impl Manifests {
    pub(crate) fn read() -> anyhow::Result<Manifests> {
        let mut metadata = metadata(cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
        match metadata["packages"].take() {
            Value::Array(packages) => Ok(Manifests { packages }),
            _ => bail!("`cargo metadata` lists no packages"),
        }
    }

    /// Names of the crates that are published, or of those that are not.
    pub(crate) fn names(&self, public: bool) -> Vec<&str> {
        let those = self.packages.iter().filter(|package| is_public(package) == public);
        those.filter_map(|package| package["name"].as_str()).collect()
    }

    /// The version of all crates.
    pub(crate) fn version(&self) -> &str {
        self.packages.first().and_then(|package| package["version"].as_str()).unwrap_or_default()
    }

    /// What is wrong with the manifests, the page of dependencies and the places that name the version.
    pub(crate) fn problems(&self) -> anyhow::Result<Vec<String>> {
        let mut problems = Vec::new();
        for package in self.packages.iter().filter(|package| is_public(package)) {
            self.check_public(package, &mut problems);
        }
        let text = |path: &str| {
            std::fs::read_to_string(root().join(path)).with_context(|| format!("read {path}"))
        };
        self.check_reasons(&text(WHY)?, &mut problems);
        let version = self.version();
        if !text("CITATION.cff")?.lines().any(|line| line == format!("version: {version}")) {
            problems.push(format!("CITATION.cff: does not name version {version}"));
        }
        let heading = format!("## {version} (");
        if !text("CHANGELOG.md")?.lines().any(|line| line.starts_with(&heading)) {
            problems.push(format!("CHANGELOG.md: has no dated section of version {version}"));
        }
        Ok(problems)
    }

    fn check_public(&self, package: &Value, problems: &mut Vec<String>) {
        let name = package["name"].as_str().unwrap_or_default();
        let is_empty = |value: &Value| match value {
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => true,
        };
        for field in FIELDS.iter().filter(|field| is_empty(&package[**field])) {
            problems.push(format!("crates/{name}/Cargo.toml: a public crate without {field}"));
        }
        for file in LICENCES {
            if !root().join("crates").join(name).join(file).is_file() {
                problems.push(format!("crates/{name}: no {file}; link it to the one at the root"));
            }
        }
        let private = self.names(false);
        for dependency in dependencies(package).filter(|d| d["path"].is_string()) {
            let other = dependency["name"].as_str().unwrap_or_default();
            let is_dev = dependency["kind"].as_str() == Some("dev");
            let versions = dependency["req"].as_str().unwrap_or_default();
            if private.contains(&other) && !is_dev {
                problems.push(format!("{name} is public and needs {other}, which is not"));
            }
            if private.contains(&other) != (versions == "*") {
                let advice = "public crates have a version beside their path, others none";
                problems.push(format!("Cargo.toml: {other} = {versions}: {advice}"));
            }
            if versions != "*" && versions != format!("^{}", self.version()) {
                problems.push(format!("Cargo.toml: {other} = {versions}, not {}", self.version()));
            }
        }
        problems.dedup();
    }

    /// Each dependency has its line, and each line its dependency.
    fn check_reasons(&self, page: &str, problems: &mut Vec<String>) {
        let used: BTreeSet<&str> = self
            .packages
            .iter()
            .flat_map(dependencies)
            .filter(|dependency| dependency["path"].is_null())
            .filter_map(|dependency| dependency["name"].as_str())
            .collect();
        let listed: BTreeSet<&str> = page.lines().filter_map(listed).collect();
        for name in used.difference(&listed) {
            problems.push(format!("{WHY}: no line says why {name} is needed"));
        }
        for name in listed.difference(&used) {
            problems.push(format!("{WHY}: {name} is no dependency any more"));
        }
    }
}

/// The name at the beginning of a row of the page's tables.
fn listed(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split_once("` |").map(|(name, _)| name)
}

fn is_public(package: &Value) -> bool {
    package["publish"].is_null()
}

fn dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    package["dependencies"].as_array().into_iter().flatten()
}

/// The answer of a `cargo metadata`.
pub(crate) fn metadata(mut command: Command) -> anyhow::Result<Value> {
    let output = command.output().context("run `cargo metadata`")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("read what `cargo metadata` prints")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_public_crate_lacks_is_named() {
        let public = json!({
            "name": "arcloom", "version": "1.0.0", "publish": null, "description": "x",
            "dependencies": [
                { "name": "inner", "kind": null, "path": "/x", "req": "*" },
                { "name": "other", "kind": null, "path": null, "req": "^1" },
            ],
        });
        let inner = json!({ "name": "inner", "version": "1.0.0", "publish": [] });
        let manifests = Manifests { packages: vec![public.clone(), inner] };
        let mut problems = Vec::new();
        manifests.check_public(&public, &mut problems);
        assert!(problems.iter().any(|p| p.ends_with("a public crate without license")));
        assert!(!problems.iter().any(|p| p.ends_with("without description")), "{problems:?}");
        assert!(problems.contains(&"arcloom is public and needs inner, which is not".to_string()));
        let mut problems = Vec::new();
        manifests.check_reasons("| `gone` | x |\n", &mut problems);
        assert_eq!(
            problems,
            [
                "docs/dependencies.md: no line says why other is needed",
                "docs/dependencies.md: gone is no dependency any more"
            ]
        );
    }
}
